/* The values of JSON as text, in order, and what is not JSON. */
#include "fragment/json.h"
#include "fragment/text.h"
#include "base/random.h"
#include "perennial/error.h"
#include "tap.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

static int read_json(const char *json, size_t length, char *out, size_t room)
{
	struct prn_buffer text;
	int error;

	prn_buffer_init(&text);
	error = prn_json_text((const unsigned char *)json, length, &text);
	for (size_t i = 0; i < text.length; i++)
		text.data[i] = text.data[i] == PRN_TEXT_BREAK ? ' ' : text.data[i];
	snprintf(out, room, "%.*s", (int)text.length, text.length ? (const char *)text.data : "");
	prn_buffer_release(&text);
	return error;
}

/* An array of so many numbers. */
static void many(size_t values, int wanted, const char *claim)
{
	char *json = malloc(2 * values + 2), got[8];

	if (!json)
		abort();
	for (size_t i = 0; i < values; i++)
		memcpy(&json[1 + 2 * i], "1,", 2);
	json[0] = '[';
	json[2 * values] = ']';
	ok(read_json(json, 2 * values + 1, got, sizeof got) == wanted, "%s", claim);
	free(json);
}

/* So many arrays in one another, the innermost with a number. */
static void depth(size_t arrays, int wanted, const char *claim)
{
	char *json = malloc(2 * arrays + 1), got[8];

	if (!json)
		abort();
	memset(json, '[', arrays);
	json[arrays] = '1';
	memset(json + arrays + 1, ']', arrays);
	ok(read_json(json, 2 * arrays + 1, got, sizeof got) == wanted, "%s", claim);
	free(json);
}

static void not_json(void)
{
	static const char *const texts[] = {
		"", " ", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}", "[1 2]", "[1}", "{\"a\":1]", "]", "01", "+1",
		".5", "1.", "1e", "-", "tru", "nul", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\u12", "\"a\tb\"", "\"\\", "'a'", "[\"a\"", "{\"a\":1",
	};
	char got[8];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ok(read_json(texts[i], strlen(texts[i]), got, sizeof got) == PRN_E_INPUT, "\"%s\" is not JSON", texts[i]);
}

static void left_alone(void)
{
	struct prn_buffer text = { 0 };

	prn_buffer_append(&text, "before ", 7);
	ok(prn_json_text((const unsigned char *)"[\"a\",", 5, &text) == PRN_E_INPUT && text.length == 7,
	   "of what is not JSON nothing is appended");
	prn_buffer_release(&text);
}

/* What a value that is alone says; NULL: nothing. */
static const char *said(const json_t *value, char number[32])
{
	switch (json_typeof(value)) {
	case JSON_STRING: return json_string_value(value);
	case JSON_INTEGER: snprintf(number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); return number;
	case JSON_REAL: snprintf(number, 32, "%.12g", json_real_value(value)); return number;
	case JSON_TRUE: return "true";
	default: return NULL;
	}
}

static void append_values(const json_t *value, struct prn_buffer *text)
{
	char number[32];
	const char *key, *says = value ? said(value, number) : NULL;
	json_t *member;
	size_t i;

	if (says && (prn_buffer_append(text, says, strlen(says)) || prn_text_break(text)))
		abort();
	json_object_foreach((json_t *)(uintptr_t)value, key, member)
		append_values(member, text);
	json_array_foreach(value, i, member)
		append_values(member, text);
}

/* Bits of JSON in a row: what another library takes for JSON is what we do, and with the same texts. */
static void as_jansson(void)
{
	static const char *const bits[] = { "[", "]", "[", "]", "{", "}", "\"a\":", ",", ",", "\"b c\"", "\"\\u00e4\"", "1", "-2.5", "true", "null", " " };
	struct prn_random random;
	size_t same = 0, valid = 0, cases = 300000;

	prn_random_seed(&random, 5, 0);
	for (size_t i = 0; i < cases; i++) {
		struct prn_buffer ours = { 0 }, theirs = { 0 };
		char json[200] = "";
		json_t *root;
		int error;

		for (size_t n = 1 + prn_random_below(&random, 9); n--;)
			strcat(json, bits[prn_random_below(&random, sizeof bits / sizeof *bits)]);
		root = json_loads(json, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
		/* Of a name given twice that library keeps one. */
		if (!root && (root = json_loads(json, JSON_DECODE_ANY, NULL))) {
			json_decref(root);
			same++;
			continue;
		}
		append_values(root, &theirs);
		error = prn_json_text((const unsigned char *)json, strlen(json), &ours);
		valid += root != NULL;
		if (error == (root ? 0 : PRN_E_INPUT) && ours.length == theirs.length &&
		    (!ours.length || !memcmp(ours.data, theirs.data, ours.length)))
			same++;
		else
			printf("# %s: %d\n", json, error);
		prn_buffer_release(&ours);
		prn_buffer_release(&theirs);
		json_decref(root);
	}
	ok(same == cases && valid > cases / 100, "of %zu made-up texts those are JSON that another library takes, %zu, with the same values", cases, valid);
}

int main(void)
{
	static const struct {
		const char *json, *text, *claim;
	} cases[] = {
		{ "{\"name\":\"value\",\"z\":null,\"e\":{},\"l\":[]}", "value ",
		  "the texts of an object are read, its names, null and what is empty are not" },
		{ "{\"n\":-1.50e+3,\"t\":true,\"f\":[false,0]}", "-1.50e+3 true false 0 ",
		  "numbers are read as they are written, and so are true and false" },
		{ "[1,2,12]", "1 2 12 ", "numbers side by side are words of their own" },
		{ "7", "7 ", "a bare number is read" },
		{ "[\"a\",[\"b\",{\"c\":\"d e\"}],\"f\"]", "a b d e f ",
		  "nested texts are read in the order of the document" },
		{ "\"alone\"", "alone ", "a bare string is read" },
		{ "\"\\u00e4\\ud83d\\ude00 \\n x\"", "ä😀 \n x ", "escapes in a string are read" },
		{ "{\"a\":\"one\",\"a\":\"two\"}", "one two ", "the values of a name given twice are read, both" },
		{ " [ ] ", "", "white space may stand around anything" },
		{ "{ \"a\" : [ { } , [ ] , \"b\" ] , \"c\" : \"d\" }", "b d ", "empty objects and arrays end nothing else" },
		{ "[-0,0.5e-3,1E+9,123456789012345678901234567890,1e999]", "-0 0.5e-3 1E+9 123456789012345678901234567890 1e999 ",
		  "numbers of any size are numbers" },
		{ "[\"\\\"\\\\\\/\\b\\f\\r\\t\"]", "\"\\/\b\f\r\t ", "every escape of a letter is known" },
		{ "[\"\\uD800x\\udc00\\ud800\\u0041\"]", "\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd" "A ",
		  "half a pair of surrogates is the replacement character" },
		{ "{}", "", "an empty object has no text" },
	};
	static char deep[200000];
	char got[200];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ok(!read_json(cases[i].json, strlen(cases[i].json), got, sizeof got),
		   "%s is JSON",
		   cases[i].json);
		same(got, cases[i].text, "%s", cases[i].claim);
	}
	ok(read_json("{\"a\":", 5, got, sizeof got) == PRN_E_INPUT, "a text that is cut off is not JSON");
	ok(read_json("word", 4, got, sizeof got) == PRN_E_INPUT, "a bare word is not JSON");
	ok(read_json("[1] x", 5, got, sizeof got) == PRN_E_INPUT, "a text with more after its end is not JSON");
	ok(!read_json("\"a\\u0000b\"", 10, got, sizeof got),
	   "a NUL in a JSON string is text like any other");
	memset(deep, '[', sizeof deep);
	ok(read_json(deep, sizeof deep, got, sizeof got) == PRN_E_INPUT,
	   "a text of 200000 open brackets is not JSON, and no stack runs over");
	many(3000000, 0, "a page of three million JSON values is read as JSON");
	depth(PRN_JSON_DEPTH, 0, "arrays may stand in one another as deep as is said");
	depth(PRN_JSON_DEPTH + 1, PRN_E_INPUT, "arrays in one another deeper than that are not JSON");
	not_json();
	left_alone();
	as_jansson();
	return done();
}
