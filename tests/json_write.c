/* JSON that is written member by member is, byte for byte, what jansson writes of the same values. */
#include "base/json_write.h"
#include "perennial/error.h"
#include "tap.h"

#include <jansson.h>
#include <locale.h>
#include <stdlib.h>

#define AT_ONCE 1000 /* numbers or texts of one comparison */
#define TEXT_BYTES 40

static struct prn_buffer out;

/* xorshift64*: any will do, and the same in each run. */
static uint64_t draw(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1du;
}

/* Writes a list of what add adds to both, and returns whether they are the same; says where they are not. */
static bool list_is_same(void (*add)(struct prn_json_line *line, json_t *list))
{
	struct prn_json_line line;
	json_t *list = json_array();
	char *want;
	size_t at = 0;
	bool same_;

	prn_buffer_clear(&out);
	prn_json_line_begin(&line, &out);
	prn_json_list(&line, NULL);
	for (int i = 0; i < AT_ONCE; i++)
		add(&line, list);
	prn_json_list_end(&line);
	if (prn_json_line_end(&line) || prn_buffer_terminate(&out))
		abort();
	want = json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(12));
	same_ = strlen(want) + 1 == out.length && !memcmp(want, out.data, out.length - 1);
	if (!same_) {
		while (want[at] == (char)out.data[at])
			at++;
		printf("# at byte %zu: got %.30s, want %.30s\n", at, (char *)out.data + at, want + at);
	}
	free(want);
	json_decref(list);
	return same_;
}

static void compare(const char *title, int values, void (*add)(struct prn_json_line *line, json_t *list))
{
	int differ = 0;

	for (int i = 0; i < values; i += AT_ONCE)
		differ += !list_is_same(add);
	ok(!differ, "%s", title);
}

static void add_number(struct prn_json_line *line, json_t *list, double number)
{
	prn_json_number(line, NULL, number);
	json_array_append_new(list, isfinite(number) ? json_real(number) : json_null());
}

static void add_bits(struct prn_json_line *line, json_t *list)
{
	uint64_t bits = draw();
	double number;

	memcpy(&number, &bits, sizeof number);
	add_number(line, list, number);
}

/* As they are met: some digits on either side of 1. */
static void add_usual(struct prn_json_line *line, json_t *list)
{
	double number = ldexp((double)(draw() >> 11), -(int)(20 + draw() % 80));

	add_number(line, list, draw() & 1 ? number : -number);
}

/* A number of few digits, which ends in many zeros or, cut a little beside them, in many nines. */
static void add_short(struct prn_json_line *line, json_t *list)
{
	double number = (double)(draw() % 100000) * pow(10, (double)(draw() % 30) - 15);

	add_number(line, list, draw() & 1 ? number : nextafter(number, draw() & 1 ? INFINITY : -INFINITY));
}

/* Halfway between two of 12 digits, where rounding goes to the even one; and beside that. */
static void add_halfway(struct prn_json_line *line, json_t *list)
{
	double number = (double)(100000000000 + draw() % 900000000000) + 0.5;

	switch (draw() % 4) {
	case 0:
		number = nextafter(number, 0);
		break;
	case 1:
		number = nextafter(number, INFINITY);
		break;
	case 2:
		number = ldexp(floor(ldexp(number, -2 - (int)(draw() % 8))), -(int)(draw() % 8)) + 0.5;
		break;
	}
	add_number(line, list, number);
}

static void add_power(struct prn_json_line *line, json_t *list)
{
	double number = draw() & 1 ? pow(10, (double)(draw() % 640) - 325) : ldexp(1, (int)(draw() % 2100) - 1075);

	add_number(line, list, draw() & 1 ? number : nextafter(number, draw() & 1 ? INFINITY : 0));
}

static void add_integer(struct prn_json_line *line, json_t *list)
{
	int64_t number = (int64_t)draw() >> draw() % 64;

	prn_json_integer(line, NULL, number);
	json_array_append_new(list, json_integer(number));
	add_number(line, list, (double)number);
}

/* Characters of one to four bytes, half of them ASCII and a quarter such as are escaped. */
static void add_text(struct prn_json_line *line, json_t *list)
{
	static const char *const wide[] = { "\xc3\xa9", "\xe2\x80\xa8", "\xf0\x9f\x98\x80", "\x7f", "/" };
	char text[TEXT_BYTES + 4];
	size_t length = 0, wanted = draw() % TEXT_BYTES;

	while (length < wanted) {
		uint64_t kind = draw() % 8;
		const char *character = wide[draw() % 5];

		if (kind < 5) {
			text[length++] = (char)(0x20 + draw() % 0x5f);
		} else if (kind < 6) {
			text[length++] = (char)(draw() % 0x20);
		} else if (kind < 7) {
			text[length++] = draw() & 1 ? '"' : '\\';
		} else {
			memcpy(text + length, character, strlen(character));
			length += strlen(character);
		}
	}
	prn_json_text(line, NULL, text, length);
	json_array_append_new(list, json_stringn(text, length));
}

/* The C library's digits with jansson's changes to them, for the numbers that are not looked up: those of any jansson. */
static void check_numbers(void)
{
	static const struct {
		double number;
		const char *want;
	} cases[] = {
		{ 0, "0.0" },
		{ -0.0, "-0.0" },
		{ 1, "1.0" },
		{ -1.5, "-1.5" },
		{ 0.1, "0.1" },
		{ 1.0 / 3, "0.333333333333" },
		{ 0.0001, "0.0001" },
		{ 0.00001, "1e-5" },
		{ 0.000012345, "1.2345e-5" },
		{ 99999999999, "99999999999.0" },
		{ 999999999999, "999999999999.0" },
		{ 999999999999.5, "1e12" },
		{ 1e12, "1e12" },
		{ 1e100, "1e100" },
		{ 2.5e-300, "2.5e-300" },
		{ 5e-324, "4.94065645841e-324" },
		{ 1.7976931348623157e308, "1.79769313486e308" },
		{ 100000000000.5, "100000000000.0" },
		{ 100000000001.5, "100000000002.0" },
	};
	char text[PRN_JSON_NUMBER + 1];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		text[prn_json_print_number(cases[i].number, text)] = 0;
		same(text, cases[i].want, "%.17g is written as %s", cases[i].number, cases[i].want);
	}
}

/* Numbers that the table of powers does not reach are printed by the C library, which has the comma of some locales. */
static void check_locale(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR" };
	char text[PRN_JSON_NUMBER + 1];
	bool found = false;

	for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
		found = setlocale(LC_NUMERIC, names[i]) != NULL;
	if (!found) {
		skip("no locale here writes a comma");
		return;
	}
	text[prn_json_print_number(2.5e-300, text)] = 0;
	same(text, "2.5e-300", "a number has a point in a locale that writes a comma");
	setlocale(LC_NUMERIC, "C");
}

static void check_nesting(void)
{
	struct prn_json_line line;

	prn_buffer_clear(&out);
	if (prn_buffer_append(&out, "before\n", 7))
		abort();
	prn_json_line_begin(&line, &out);
	prn_json_object(&line, NULL);
	prn_json_list(&line, "none");
	prn_json_list_end(&line);
	prn_json_object(&line, "a");
	prn_json_object_end(&line);
	prn_json_list(&line, "b");
	prn_json_object(&line, NULL);
	prn_json_boolean(&line, "yes", true);
	prn_json_boolean(&line, "no", false);
	prn_json_object_end(&line);
	prn_json_null(&line, NULL);
	prn_json_list_end(&line);
	prn_json_number(&line, "c", INFINITY);
	prn_json_object_end(&line);
	ok(!prn_json_line_end(&line), "a line for which there is memory is written");
	prn_buffer_terminate(&out);
	same((char *)out.data, "before\n{\"none\":[],\"a\":{},\"b\":[{\"yes\":true,\"no\":false},null],\"c\":null}\n",
	     "a line stands behind what was there, with a comma before each member but the first at its level");
}

/* A byte of 0x7f or above stands anywhere among letters, or nowhere. */
static void check_beyond(void)
{
	static const unsigned char bytes[] = { 0x7f, 0x80, 0xc3, 0xff };
	struct prn_json_line line;
	size_t told = 0;
	char text[20];

	memset(text, 0x7e, sizeof text);
	prn_json_line_begin(&line, &out);
	prn_json_text(&line, "name", text, sizeof text);
	ok(!line.beyond, "a line whose bytes are all below 0x7f is told as such");
	for (size_t i = 0; i < sizeof text * sizeof bytes; i++) {
		memset(text, i % 2 ? 'x' : '"', sizeof text);
		text[i / sizeof bytes] = (char)bytes[i % sizeof bytes];
		prn_json_line_begin(&line, &out);
		prn_json_text(&line, "name", text, sizeof text);
		told += line.beyond;
	}
	ok(told == sizeof text * sizeof bytes, "a byte of 0x7f or above is seen wherever it stands in a text: %zu", told);
	prn_buffer_clear(&out);
}

int main(void)
{
	static const struct {
		const char *title;
		int values;
		void (*add)(struct prn_json_line *line, json_t *list);
	} cases[] = {
		{ "200,000 numbers of any bits are written as jansson writes them", 200000, add_bits },
		{ "200,000 numbers of the sizes that are met are written as jansson writes them", 200000, add_usual },
		{ "100,000 numbers of few digits, and the next ones to them, are written as jansson writes them", 100000, add_short },
		{ "100,000 numbers at and beside halves of the last digit are written as jansson writes them", 100000, add_halfway },
		{ "40,000 powers of ten and two, and the next ones to them, are written as jansson writes them", 40000, add_power },
		{ "20,000 integers, as integers and as reals, are written as jansson writes them", 20000, add_integer },
		{ "100,000 texts are escaped as jansson escapes them", 100000, add_text },
	};

	check_numbers();
	check_locale();
	check_nesting();
	check_beyond();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (JANSSON_VERSION_HEX < 0x020f00 || cases[i].add == add_text)
			compare(cases[i].title, cases[i].values, cases[i].add);
		else
			skip("this jansson writes reals in another way than those before 2.15");
	prn_buffer_release(&out);
	return done();
}
