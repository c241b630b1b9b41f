/* Command lines: what is taken, and that what is wrong comes back as an error instead of on stderr. */
#include "term/exit.h"
#include "term/options.h"
#include "term/words.h"
#include "failing.h"
#include "fixture.h"

static struct {
	bool flag;
	uint64_t count;
	size_t bytes;
	struct term_list list, numbers;
	const char *text, *word;
	struct term_list several;
} got;

/* What an option that may go without a value was given: "alone" without. */
static int take_maybe(void *context, const char *value)
{
	snprintf(context, 16, "%s", value ? value : "alone");
	return 0;
}

static char maybe_value[16];
static struct term_own maybe = { take_maybe, maybe_value, "anything" };

static const struct term_option keys[] = {
	{ TERM_OPTION_COUNT, "count", 'c', &got.count, "N", "" },
	{ TERM_OPTION_LIST, "list", 0, &got.list, "NAMES", "" },
	{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
};

static const struct term_option options[] = {
	{ TERM_OPTION_HEADING, "a heading", 0, NULL, NULL, NULL },
	{ TERM_OPTION_FLAG, "flag", 'f', &got.flag, NULL, "" },
	{ TERM_OPTION_COUNT, "count", 'c', &got.count, "N", "" },
	{ TERM_OPTION_BYTES, "bytes", 0, &got.bytes, "N", "" },
	{ TERM_OPTION_TEXT, "text", 0, &got.text, "TEXT", "" },
	{ TERM_OPTION_LIST, "list", 0, &got.list, "NAMES", "" },
	{ TERM_OPTION_NUMBERS, "numbers", 0, &got.numbers, "X,…", "" },
	{ TERM_OPTION_TEXT, "word", 'w', &got.word, "steady|warm-up|all", "" },
	{ TERM_OPTION_LIST, "several", 0, &got.several, "steady,warm-up", "" },
	{ TERM_OPTION_TEXT, "only", 0, &got.word, "json", "" },
	{ TERM_OPTION_OWN, "maybe", 0, &maybe, "[=X]", "" },
	{ TERM_OPTION_CONFIG, "config", 0, (void *)keys, "FILE", "" },
	{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
};

static const struct term_usage usage = { "test", "[OPTION]…", "A test.", options };
static struct prn_error error;
static char *words[16];
static int first;

/* Takes a line of words. */
static int parse(const char *line)
{
	static char text[512];
	int count = 1;

	term_list_release(&got.list);
	term_list_release(&got.numbers);
	term_list_release(&got.several);
	got.word = NULL;
	got.count = 0;
	got.flag = false;
	error = (struct prn_error){ 0 };
	snprintf(text, sizeof text, "%s", line);
	words[0] = (char *)"test";
	for (char *word = strtok(text, " "); word && count < 15; word = strtok(NULL, " "))
		words[count++] = word;
	words[count] = NULL;
	return term_options_parse(&usage, count, words, &first, &error);
}

static void right(void)
{
	char line[256];

	ok(parse("one --count=3 -f two --list a,b --numbers=1,2e1 -- -c") == 0, "a line of options and operands is taken");
	ok(got.flag && got.count == 3, "a flag and a count have their values");
	ok(got.list.count == 2 && !strcmp(got.list.items[1], "b"), "a list is split at commas");
	ok(got.numbers.count == 2 && got.numbers.numbers[1] == 20, "a list of numbers has their values");
	ok(first == 7 && !strcmp(words[first], "one"), "operands stand at the end, in their order");
	ok(first == 7 && !strcmp(words[first + 2], "-c"), "after -- every word is an operand");
	put_file("a.conf", "count = 7\nlist = x\n", 19);
	snprintf(line, sizeof line, "--count=8 --config=%s", in_scratch("a.conf"));
	ok(parse(line) == 0 && got.list.count == 1, "a file of options is read");
	ok(got.count == 8, "an option has the last word over a file, wherever it stands");
}

/* A value that may be left out stands in the same word, or not at all. */
static void maybe_with_a_value(void)
{
	ok(parse("--maybe=7 x") == 0 && !strcmp(maybe_value, "7"), "an option that may go alone takes a value behind =");
	ok(parse("--maybe 7") == 0 && !strcmp(maybe_value, "alone"),
	   "an option that goes alone takes no word behind it");
	ok(first == 1 + 1 && !strcmp(words[first], "7"), "the word behind an option that goes alone is an operand");
	ok(parse("--maybe --flag") == 0 && !strcmp(maybe_value, "alone"),
	   "an option that goes alone takes no option behind it");
	ok(got.flag, "the option behind one that goes alone is read");
	ok(parse("--maybe=") == 0 && !*maybe_value, "an empty value is one");
}

static void bytes_are(const char *line, size_t bytes)
{
	got.bytes = 1;
	ok(parse(line) == 0 && got.bytes == bytes, "'%s' is %zu bytes", line, bytes);
}

/* Numbers of bytes go up to what a size holds, 2^64 - 1. */
static void sizes(void)
{
	bytes_are("--bytes=65536", 65536);
	bytes_are("--bytes=2K", 2048);
	bytes_are("--bytes=3G", (size_t)3 << 30);
	bytes_are("--bytes=16777215T", (size_t)16777215 << 40);
	bytes_are("--bytes=18446744073709551615", SIZE_MAX);
}

static void wrong(const char *line, const char *text)
{
	int code = parse(line);

	ok(code == TERM_E_USAGE && error.code == code, "'%s' is a wrong command line", line);
	same(error.text, text, "'%s' is told by what is wrong with it", line);
}

/* Every allocation in turn. */
static void are_words(void)
{
	int which = 7;

	ok(parse("--word=warm-up") == 0 && !strcmp(got.word, "warm-up"), "an option whose argument is words takes one of them");
	ok(parse("-w all") == 0 && !strcmp(got.word, "all"), "it takes the last one, as a word of its own");
	ok(parse("--several=warm-up,steady") == 0 && got.several.count == 2, "a list takes several of its words");
	ok(term_words_find("a|bc,d", "bc") == 1 && term_words_find("a|bc,d", "d") == 2 && term_words_find("a|bc,d", "b") == -1 &&
	           term_words_find("a|bc,d", "") == -1 && term_words_find("a|bc,d", "a|bc") == -1,
	   "a word has its place among the words, and what is only a part of some is none");
	ok(!term_words_read("x", "a|b", "b", &which, &error) && which == 1, "the place of a word that is read is told");
	ok(term_words_read("x", "a|b", "c", &which, &error) == TERM_E_USAGE && which == 1 && !strcmp(error.text, "--x takes a or b, not 'c'"),
	   "another is refused, and nothing is told");
	ok(term_words_are("table|tsv", '|') && !term_words_are("table|tsv", ',') && !term_words_are("A,B", ',') && !term_words_are("N/day", '|'),
	   "words are of small letters, digits and dashes");
}

static void runs_out(void)
{
	bool told = true;
	size_t failing = 0;
	int code;

	do {
		failing_at = ++failing;
		code = parse("--list=a,b --numbers=1,2,3");
		failing_at = 0;
		if (code)
			told &= code == PRN_E_MEMORY && !strcmp(error.text, "out of memory");
	} while (code && failing < 1000);
	ok(!code && failing > 10, "a line with lists makes allocations, and is taken when none fails");
	ok(told, "a line of which an allocation fails comes back with PRN_E_MEMORY, whichever it is");
}

/* Whoever lacks memory is not told that the command line is wrong. */
static void blame(void)
{
	struct prn_error memory = { 0 }, argument = { 0 };

	prn_error_memory(&memory);
	prn_error_set(&argument, PRN_E_ARGUMENT, "no such thing");
	ok(term_usage_blame(&memory) == PRN_E_MEMORY && memory.code == PRN_E_MEMORY, "a lack of memory is no usage error");
	ok(term_usage_blame(&argument) == TERM_E_USAGE && argument.code == TERM_E_USAGE && !strcmp(argument.text, "no such thing"),
	   "an argument that does not fit is a usage error, in its own words");
}

int main(void)
{
	char line[256], text[400];

	make_scratch();
	right();
	sizes();
	maybe_with_a_value();
	are_words();
	wrong("--word=warm", "--word takes steady, warm-up or all, not 'warm'");
	wrong("--word=", "--word takes steady, warm-up or all, not ''");
	wrong("--word=steady,all", "--word takes steady, warm-up or all, not 'steady,all'");
	wrong("--several=steady,none,warm-up", "--several takes steady or warm-up, not 'none'");
	wrong("--several=steady,", "--several takes names separated by commas, not 'steady,'");
	wrong("--only=tsv", "--only takes json, not 'tsv'");
	wrong("--bogus", "unknown option '--bogus'");
	wrong("--co=3", "ambiguous option '--co=3': --count, --config");
	wrong("--coutn=3", "unknown option '--coutn=3': did you mean --count?");
	wrong("--buytes", "unknown option '--buytes': did you mean --bytes?");
	wrong("--xx", "unknown option '--xx'");
	wrong("--f0123456789012345678901234567890123456789012345678901234567890", "unknown option '--f0123456789012345678901234567890123456789012345678901234567890'");
	wrong("-z", "unknown option '-z'");
	wrong("--count", "'--count' needs a value");
	wrong("--flag=1", "no value goes with '--flag=1'");
	wrong("--count=x", "--count takes a whole number, not 'x'");
	wrong("--count=18446744073709551616", "--count takes a whole number, not '18446744073709551616'");
	wrong("--bytes=16777216T", "--bytes takes a number of bytes, such as 65536, 16M or 2G, not '16777216T'");
	wrong("--bytes=18446744073709551616",
	      "--bytes takes a number of bytes, such as 65536, 16M or 2G, not '18446744073709551616'");
	wrong("--bytes=2KB", "--bytes takes a number of bytes, such as 65536, 16M or 2G, not '2KB'");
	wrong("--list=a,,b", "--list takes names separated by commas, not 'a,,b'");
	wrong("--numbers=1,x", "--numbers takes numbers separated by commas, not '1,x'");
	put_file("b.conf", "\ncount = x\n", 11);
	snprintf(line, sizeof line, "--config=%s", in_scratch("b.conf"));
	snprintf(text, sizeof text, "%s, line 2: count takes a whole number, not 'x'", in_scratch("b.conf"));
	wrong(line, text);
	runs_out();
	blame();
	term_list_release(&got.list);
	term_list_release(&got.numbers);
	term_list_release(&got.several);
	return done();
}
