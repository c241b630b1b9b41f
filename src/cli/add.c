#include "cli/command.h"
#include "cli/deciding.h"
#include "term/skipping.h"
#include "term/ticker.h"
#include "history/weights.h"
#include "perennial/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * Pages in a transaction.  They are spread over the whole store by their keys: the more at a time, the more of them share
 * a leaf.  About 100 MB.
 */
#define COMMIT_MOST 200000

/* What the command line says. */
struct given {
	struct cli_rules rules;
	double weight; /* of URLs that have none of their own; 0: not told */
};

struct run {
	const struct given *given;
	struct prn_decider *decider;
	struct term_skipping skipping;
	struct term_ticker ticker;
	size_t staged;
	uint64_t added[PRN_ADDED_REVIVED + 1]; /* by enum prn_added */
	uint64_t lines, wrong;
};

static void tell_wrong(struct run *run, const char *where, const char *line)
{
	struct prn_error what;

	run->wrong++;
	prn_error_set(&what, PRN_E_INPUT,
	              "%.200s: want an http or https URL of at most %d bytes, perhaps with a weight above 0, not '%.200s'",
	              where, PRN_URL_BYTES, line);
	term_skipping_tell(&run->skipping, &what);
}

static bool says_something(const char *line)
{
	line += strspn(line, " \t");
	return *line && *line != '#';
}

/* Adds what a line names; line is changed. */
static int add(struct run *run, const char *where, char *line, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	enum prn_added added;
	const char *url;
	double weight;
	int code;

	if (!prn_weights_line(line, &url, &weight) || prn_url_normalize(url, SIZE_MAX, normal, sizeof normal)) {
		tell_wrong(run, where, line);
		return 0;
	}
	code = prn_decider_add(run->decider, url, weight > 0 ? weight : run->given->weight,
	                       cli_rules_now(&run->given->rules), &added, error);
	if (code)
		return code;
	run->added[added]++;
	term_ticker_show(&run->ticker, ++run->lines);
	if (++run->staged < COMMIT_MOST)
		return 0;
	run->staged = 0;
	return prn_decider_commit(run->decider, error);
}

static int add_lines(struct run *run, FILE *file, const char *name, struct prn_error *error)
{
	unsigned long long number = 0;
	char where[300], *line = NULL;
	size_t capacity = 0;
	int code = 0;

	while (!code && getline(&line, &capacity, file) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = 0;
		snprintf(where, sizeof where, "%.200s, line %llu", name, number);
		if (says_something(line))
			code = add(run, where, line, error);
	}
	free(line);
	if (!code && ferror(file))
		code = prn_error_set(error, PRN_E_IO, "%s: cannot read: %s", name, strerror(errno));
	return code;
}

static bool is_web(const char *text)
{
	return !strncasecmp(text, "http://", 7) || !strncasecmp(text, "https://", 8);
}

/* An operand is a URL, or a file of them. */
static int add_operand(struct run *run, char *operand, struct prn_error *error)
{
	FILE *file;
	int code;

	if (is_web(operand))
		return add(run, "operand", operand, error);
	if (!strcmp(operand, "-"))
		return add_lines(run, stdin, "standard input", error);
	file = fopen(operand, "re");
	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: neither a URL nor a file that can be opened: %s", operand,
		                     strerror(errno));
	code = add_lines(run, file, operand, error);
	fclose(file);
	return code;
}

static void say_counts(const struct run *run)
{
	const char *before = "perennial add: ";

	term_say_count(&before, run->added[PRN_ADDED_NEW], "page added", "pages added");
	term_say_count(&before, run->added[PRN_ADDED_REVIVED], "retired page back", "retired pages back");
	term_say_count(&before, run->added[PRN_ADDED_KNOWN], "known", "known");
	term_say_count(&before, run->wrong, "line skipped", "lines skipped");
	fputs(before[0] == 'p' ? "perennial add: nothing to add\n" : "\n", stderr);
}

static int run_all(const struct given *given, char **operands, size_t count)
{
	static char standard_input[] = "-";
	struct run run = { .given = given };
	struct prn_error error = { 0 };
	int code;

	term_skipping_init(&run.skipping, "add");
	term_ticker_begin(&run.ticker, "add", "pages");
	code = cli_decider_open("add", &given->rules, PRN_STORE_WRITE, &run.decider, &error);
	for (size_t i = 0; i < count && !code; i++)
		code = add_operand(&run, operands[i], &error);
	if (!code && !count)
		code = add_operand(&run, standard_input, &error);
	if (!code)
		code = prn_decider_commit(run.decider, &error);
	term_ticker_clear(&run.ticker);
	if (!code)
		say_counts(&run);
	prn_decider_free(run.decider);
	term_skipping_release(&run.skipping);
	return code ? term_fail("add", code, &error) : run.wrong ? TERM_SKIPPED : TERM_DONE;
}

int cli_add(int argc, char **argv)
{
	struct given given = { 0 };
	struct term_option keys[CLI_RULES_KEYS];
	const struct term_option options[] = {
		CLI_RULES_STATE(&given.rules),
		{ TERM_OPTION_NUMBER, "weight", 0, &given.weight, "W",
		  "of URLs that have none of their own (default 1; of known pages: as it was)" },
		CLI_RULES_NOW(&given.rules),
		CLI_RULES_LOCK(&given.rules),
		CLI_RULES_CONFIG(keys),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"add", "--state=DIR [OPTION]… [URL|FILE]…",
		"Adds pages, which are due at once: URLs, and files of lines \"URL\" or \"URL weight\"; standard\n"
		"input without operands.  A page that is there already gets the weight; one that was retired comes\n"
		"back.",
		options,
	};
	int first, code;

	cli_rules_init(&given.rules);
	cli_rules_keys(&given.rules, keys);
	code = term_options_parse(&usage, argc, argv, &first);
	if (code < 0)
		code = cli_rules_finish(&given.rules, &usage);
	if (code < 0 && given.weight < 0)
		code = term_usage_error(&usage, "--weight takes a number above 0");
	if (code < 0)
		code = run_all(&given, argv + first, (size_t)(argc - first));
	cli_rules_release(&given.rules);
	return code;
}
