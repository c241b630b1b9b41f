#include "base/parallel.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/learn.h"
#include "cli/options.h"
#include "cli/table.h"

#include <stdio.h>
#include <string.h>

static int print(const struct cli_prior *prior, enum cli_format format, const char *clock)
{
	static const struct cli_column columns[] = {
		{ "alpha", CLI_COLUMN_NUMBER, 6 }, { "beta", CLI_COLUMN_NUMBER, 6 }, { "clock", CLI_COLUMN_TEXT, 0 },
		{ "pages", CLI_COLUMN_COUNT, 0 },  { NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open(format, columns);

	cli_table_number(table, prior->prior.alpha);
	cli_table_number(table, prior->prior.beta);
	cli_table_text(table, clock);
	cli_table_count(table, prior->pages);
	return cli_table_close(table, PACKAGE_STRING "; use it as drift:alpha=ALPHA:beta=BETA");
}

int cli_prior(int argc, char **argv)
{
	const char *clock = "steps", *format_text = NULL;
	uint64_t threads = prn_parallel_processors();
	const struct cli_option options[] = {
		{ CLI_OPTION_TEXT, "clock", 0, &clock, "steps|days",
		  "clock unit of beta: a page's mean capture interval (default), or a day" },
		{ CLI_OPTION_TEXT, "format", 0, &format_text, "table|tsv|json", "default: table on a terminal, else tsv" },
		{ CLI_OPTION_COUNT, "threads", 0, &threads, "N", "default: all processors" },
		{ CLI_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct cli_usage usage = { "prior", "[OPTION]… X.trace…",
		                         "Learns the prior of the policy drift from the pages of traces (or WARC files, or\n"
		                         "folders): the alpha and beta of the distribution of their drift rates.",
		                         options };
	struct prn_error error = { 0 };
	struct cli_inputs inputs = { 0 };
	struct cli_prior prior;
	enum cli_format format;
	int first, skipped, code = cli_options_parse(&usage, argc, argv, &first);

	if (code >= 0)
		return code;
	if (cli_format_parse(format_text, &format))
		return cli_usage_error(&usage, "--format takes table, tsv or json, not '%s'", format_text);
	if (strcmp(clock, "steps") && strcmp(clock, "days"))
		return cli_usage_error(&usage, "--clock takes 'steps' or 'days', not '%s'", clock);
	if (!threads || threads > 1024)
		return cli_usage_error(&usage, "--threads takes 1 to 1024");
	if (first == argc)
		return cli_usage_error(&usage, "names no trace to learn from");
	code = cli_inputs_open(&inputs, argv + first, (size_t)(argc - first), (size_t)threads, &error);
	skipped = inputs.skipped ? CLI_SKIPPED : CLI_DONE;
	if (!code)
		code = cli_prior_learn(&prior, &inputs, strcmp(clock, "days") ? PRN_CLOCK_STEPS : PRN_CLOCK_DAYS,
		                       (size_t)threads, &error);
	cli_inputs_release(&inputs);
	if (code)
		return cli_fail("prior", code, &error);
	return print(&prior, format, clock) ? CLI_FAILED : skipped;
}
