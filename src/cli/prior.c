#include "base/parallel.h"
#include "cli/command.h"
#include "perennial/version.h"
#include "term/inputs.h"
#include "report/learn.h"
#include "term/options.h"
#include "term/table.h"

#include <stdio.h>
#include <string.h>

static int print(const struct cli_prior *prior, enum term_format format, const char *clock, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "alpha", TERM_COLUMN_NUMBER, 6 }, { "beta", TERM_COLUMN_NUMBER, 6 }, { "clock", TERM_COLUMN_TEXT, 0 },
		{ "pages", TERM_COLUMN_COUNT, 0 },  { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(format, columns);

	term_table_number(table, prior->prior.alpha);
	term_table_number(table, prior->prior.beta);
	term_table_text(table, clock);
	term_table_count(table, prior->pages);
	return term_table_close(table, "perennial " PRN_VERSION_TEXT "; use it as drift:alpha=ALPHA:beta=BETA", error);
}

int cli_prior(int argc, char **argv, struct prn_error *error)
{
	const char *clock = "steps", *format_text = NULL;
	uint64_t threads = prn_parallel_processors();
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "clock", 0, &clock, "steps|days",
		  "clock unit of beta: a page's mean capture interval (default), or a day" },
		{ TERM_OPTION_TEXT, "format", 0, &format_text, "table|tsv|json", "default: table on a terminal, else tsv" },
		{ TERM_OPTION_COUNT, "threads", 0, &threads, "N", "default: all processors" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "prior", "[OPTION]… X.trace…",
		                         "Learns the prior of the policy drift from the pages of traces (or WARC files, or\n"
		                         "folders): the alpha and beta of the distribution of their drift rates.",
		                         options };
	struct term_inputs inputs = { 0 };
	struct cli_prior prior;
	enum term_format format;
	int first, skipped, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = term_format_parse(format_text, &format, error);
	if (code)
		return code;
	if (strcmp(clock, "steps") && strcmp(clock, "days"))
		return term_usage_error(error, "--clock takes 'steps' or 'days', not '%s'", clock);
	if (!threads || threads > 1024)
		return term_usage_error(error, "--threads takes 1 to 1024");
	if (first == argc)
		return term_usage_error(error, "names no trace to learn from");
	code = term_inputs_open(&inputs, argv + first, (size_t)(argc - first), (size_t)threads, error);
	skipped = inputs.skipped ? TERM_SKIPPED : TERM_DONE;
	if (!code)
		code = cli_prior_learn(&prior, &inputs, strcmp(clock, "days") ? PRN_CLOCK_STEPS : PRN_CLOCK_DAYS,
		                       (size_t)threads, error);
	term_inputs_release(&inputs);
	if (!code)
		code = print(&prior, format, clock, error);
	return code ? code : skipped;
}
