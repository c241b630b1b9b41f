#include "base/parallel.h"
#include "cli/command.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/table.h"
#include "perennial/patterns.h"
#include "perennial/priors.h"
#include "perennial/version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THRESHOLD 0.25 /* the default of a store */

/* patterns: NULL if they are not asked for. */
static int learn_prior(struct prn_learned_prior *learned, struct prn_patterns *patterns, const struct term_inputs *inputs,
                       enum prn_clock clock, size_t threads, struct prn_error *error)
{
	struct prn_priors *priors = NULL;
	struct prn_trace_pool pool;
	struct prn_pages pages;
	int code = prn_trace_pool_init(&pool, inputs->traces, inputs->count, &pages);

	if (code)
		return prn_error_set(error, code, "%s", prn_error_text(code));
	code = prn_priors_open(&priors, &pages, clock, threads, error);
	if (!code)
		code = prn_priors_learn(priors, NULL, 0, learned, error);
	if (!code && patterns)
		code = prn_patterns_learn(patterns, &pages, &learned->prior, clock, threads, error);
	prn_priors_free(priors);
	prn_trace_pool_release(&pool);
	return code;
}

static int print_prior(const struct prn_learned_prior *learned, enum term_format format, const char *clock,
                       struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "alpha", TERM_COLUMN_NUMBER, 6 }, { "beta", TERM_COLUMN_NUMBER, 6 }, { "clock", TERM_COLUMN_TEXT, 0 },
		{ "pages", TERM_COLUMN_COUNT, 0 },  { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(format, columns);

	term_table_number(table, learned->prior.alpha);
	term_table_number(table, learned->prior.beta);
	term_table_text(table, clock);
	term_table_count(table, learned->pages);
	return term_table_close(table, "perennial " PRN_VERSION_TEXT "; use it as drift:alpha=ALPHA:beta=BETA", error);
}

/* The first period of a new page is where the utility of its line, s t²/2, reaches T. */
static int print_patterns(const struct prn_patterns *patterns, enum term_format format, const char *clock, double threshold,
                          struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "host", TERM_COLUMN_TEXT, 0 },    { "pattern", TERM_COLUMN_TEXT, 0 }, { "pages", TERM_COLUMN_COUNT, 0 },
		{ "visits", TERM_COLUMN_COUNT, 0 }, { "drift", TERM_COLUMN_NUMBER, 6 }, { "period", TERM_COLUMN_NUMBER, 2 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(format, columns);
	char note[160];

	for (size_t i = 0; i < patterns->count; i++) {
		const struct prn_pattern *pattern = &patterns->list[i];

		term_table_text(table, pattern->host);
		term_table_text(table, pattern->text);
		term_table_count(table, pattern->pages);
		term_table_count(table, pattern->visits);
		term_table_number(table, pattern->drift);
		term_table_number(table, sqrt(2 * threshold / pattern->drift));
	}
	snprintf(note, sizeof note, "perennial " PRN_VERSION_TEXT "; of a new page at T = %g, in %s", threshold, clock);
	return term_table_close(table, note, error);
}

int cli_prior(int argc, char **argv, struct prn_error *error)
{
	const char *clock = "steps", *format_text = NULL;
	uint64_t threads = prn_parallel_processors();
	struct prn_patterns patterns = { 0 };
	double threshold = THRESHOLD;
	bool by_pattern = false;
	struct term_filter filter = TERM_FILTER_NONE;
	const struct term_option options[] = {
		{ TERM_OPTION_FLAG, "patterns", 0, &by_pattern, NULL,
		  "instead: what is expected of a new page of each host and URL pattern" },
		{ TERM_OPTION_NUMBER, "threshold", 0, &threshold, "T", "with --patterns: at which its first period is (default 0.25)" },
		{ TERM_OPTION_TEXT, "clock", 0, &clock, "steps|days",
		  "clock unit of beta: a page's mean capture interval (default), or a day" },
		{ TERM_OPTION_TEXT, "format", 0, &format_text, TERM_FORMATS, "default: table on a terminal, else tsv" },
		{ TERM_OPTION_COUNT, "threads", 0, &threads, "N", "default: all processors" },
		TERM_GIT_BASE_ROW(&filter),
		TERM_FILTER_ROWS(&filter),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "prior", "[OPTION]… X.trace…",
		                         "Learns the prior of the policy drift from the pages of traces (or WARC files, or\n"
		                         "folders): the alpha and beta of the distribution of their drift rates.",
		                         options };
	struct term_inputs inputs = { 0 };
	struct prn_learned_prior learned;
	enum term_format format;
	int first, skipped, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = term_format_parse(format_text, &format, error);
	if (!code && (!threads || threads > 1024))
		code = term_usage_error(error, "--threads takes 1 to 1024");
	if (!code && !(threshold > 0))
		code = term_usage_error(error, "--threshold takes a number above 0");
	if (!code && first == argc)
		code = term_usage_error(error, "no trace to learn from was given");
	if (!code)
		code = term_filter_check(&filter, error);
	if (!code)
		code = term_inputs_open(&inputs, argv + first, (size_t)(argc - first), &filter, (size_t)threads, error);
	skipped = inputs.skipped ? TERM_SKIPPED : TERM_DONE;
	if (!code)
		code = learn_prior(&learned, by_pattern ? &patterns : NULL, &inputs, strcmp(clock, "days") ? PRN_CLOCK_STEPS : PRN_CLOCK_DAYS,
		                   (size_t)threads, error);
	term_inputs_release(&inputs);
	if (!code)
		code = by_pattern ? print_patterns(&patterns, format, clock, threshold, error)
		                  : print_prior(&learned, format, clock, error);
	prn_patterns_release(&patterns);
	term_filter_release(&filter);
	return code ? code : skipped;
}
