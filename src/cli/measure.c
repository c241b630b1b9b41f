#include "cli/command.h"
#include "cli/measuring.h"
#include "report/longevity.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/origin.h"
#include "term/page_progress.h"
#include "term/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	struct cli_measuring measuring;
	struct prn_pages pages;
	struct term_filter filter;
	struct prn_part part; /* all zero: everything */
	const char *partial;  /* where the result is saved; NULL: it is printed */
	const char *by;       /* groups that are measured apart; NULL: corpora, and all together */
	enum prn_grouping grouping; /* if by is not NULL */
};

static int see_page(void *context, size_t i, const struct prn_page *page, const struct prn_study *study,
                    double poisson_p, struct prn_error *error)
{
	struct request *request = context;
	struct cli_measuring *measuring = &request->measuring;
	const struct prn_study_result *result = prn_study_result(study);
	size_t corpus = request->pages.corpus(request->pages.context, i);
	bool has_extremes = measuring->view == CLI_VIEWS && (measuring->format == TERM_FORMAT_TABLE || request->partial);

	if (measuring->view == CLI_VIEW_PAGES)
		report_page_row(measuring->table, measuring->corpora.names[corpus], page, result, poisson_p);
	else if (measuring->view == CLI_VIEW_FRAGMENTS)
		report_fragment_rows(measuring->table, page, study);
	else if (has_extremes && cli_extremes_add(&measuring->extremes, corpus, page->url, result, error))
		return PRN_E_MEMORY;
	if (ferror(stdout))
		return prn_error_set(error, PRN_E_IO, "standard output cannot be written");
	return 0;
}

/* Measures the pages, and prints or saves the result. */
static int measure_pages(struct request *request, const struct term_inputs *inputs, struct prn_error *error)
{
	struct cli_measuring *measuring = &request->measuring;
	struct prn_longevity *longevity = NULL;
	struct term_page_progress progress;
	int code;

	measuring->options.each = see_page;
	measuring->options.context = request;
	if (measuring->view == CLI_VIEW_PAGES)
		measuring->table = term_table_open(measuring->format, report_page_columns);
	else if (measuring->view == CLI_VIEW_FRAGMENTS)
		measuring->table = term_table_open(measuring->format, report_fragment_columns);
	term_page_progress_begin(&progress, "measure", &request->pages);
	code = prn_longevity_run(&longevity, &request->pages, &measuring->options, error);
	term_page_progress_end(&progress, &request->pages);
	if (!code)
		code = request->partial ? cli_measuring_save(measuring, inputs, longevity, request->partial, error)
		                        : cli_measuring_print(measuring, longevity, error);
	prn_longevity_free(longevity);
	return code;
}

/* Measures all pages, or those of the part. */
static int measure_inputs(struct request *request, const struct term_inputs *inputs, struct prn_error *error)
{
	struct prn_pages_part part;
	struct prn_trace_pool pool = { 0 };
	struct prn_pages whole;
	size_t *members = NULL, count;
	int code = prn_trace_pool_init(&pool, inputs->traces, inputs->count, &whole);

	if (code)
		return code;
	request->pages = whole;
	code = report_corpora_name(&request->measuring.corpora, inputs, error);
	if (!code && request->part.of > 1) {
		if (prn_pages_in_part(&whole, &request->part, &members, &count)) {
			code = prn_error_memory(error);
		} else {
			prn_pages_part_init(&part, &whole, members, count, 0, &request->pages);
			request->pages.part = request->partial ? request->part : (struct prn_part){ 0 };
		}
	}
	if (!code)
		code = request->by ? cli_measuring_groups(&request->measuring, &request->pages, request->grouping, error)
		                   : measure_pages(request, inputs, error);
	free(members);
	prn_trace_pool_release(&pool);
	return code;
}

static int open_and_run(struct request *request, char **paths, size_t count, struct prn_error *error)
{
	struct cli_measuring *measuring = &request->measuring;
	enum cli_view view = measuring->view;
	struct term_inputs inputs = { 0 };
	bool apart = request->by && request->grouping == PRN_GROUPING_CORPUS;
	int code = (apart ? term_inputs_open_apart : term_inputs_open)(&inputs, paths, count, &request->filter, 0, error);
	int skipped = inputs.skipped ? TERM_SKIPPED : TERM_DONE;

	/* A view that shows no intervals, or no Poisson check, does not pay for them. */
	if (view == CLI_VIEW_FRAGMENTS || view == CLI_VIEW_PAGES)
		measuring->options.resamples = 0;
	if (view != CLI_VIEWS && view != CLI_VIEW_PAGES && view != CLI_VIEW_INTERVALS)
		measuring->options.draws = 0;
	if (!code && (request->partial || request->part.of > 1))
		code = term_origins_check(&inputs, &request->part, error);
	if (!code)
		code = measure_inputs(request, &inputs, error);
	cli_measuring_release(measuring);
	term_inputs_release(&inputs);
	term_filter_release(&request->filter);
	return code ? code : skipped;
}

/* The views of pages and fragments have a row for each page anyhow, and --pages has the row of a single page. */
static int check_by(struct request *request, struct prn_error *error)
{
	int by = 0;

	if (!request->by)
		return 0;
	while (strcmp(request->by, prn_grouping_name((enum prn_grouping)by)) != 0)
		by++;
	if (request->measuring.view == CLI_VIEW_PAGES || request->measuring.view == CLI_VIEW_FRAGMENTS)
		return term_usage_error(error, "--by is for statistics and distributions: --pages and --fragments have their own rows");
	if (request->partial)
		return term_usage_error(error, "--by and --partial do not go together: parts of hosts are joined corpus by corpus");
	request->grouping = (enum prn_grouping)by;
	return 0;
}

static const char about[] =
	"Measures how long the content of pages lives: what of it is static, churn or scroll, how often pages change, how\n"
	"long fragments last, with 95 % intervals; of traces, or WARC files and folders, which are imported on the fly.\n"
	"Without one of the views it prints these statistics, each corpus by itself and all together.";

int cli_measure(int argc, char **argv, struct prn_error *error)
{
	struct request request = { .filter = TERM_FILTER_NONE, .measuring = { .options = { .seed = 1 }, .argc = argc, .argv = argv } };
	struct cli_measuring *measuring = &request.measuring;
	uint64_t resamples = PRN_LONGEVITY_RESAMPLES, draws = PRN_LONGEVITY_DRAWS;
	struct term_own part = TERM_PART(&request.part);
	const char *format = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_HEADING, "Views, one at a time", 0, NULL, NULL, NULL },
		{ TERM_OPTION_FLAG, "pages", 0, &measuring->views[CLI_VIEW_PAGES], NULL, "a row a page" },
		{ TERM_OPTION_FLAG, "fragments", 0, &measuring->views[CLI_VIEW_FRAGMENTS], NULL, "birth and death of every fragment" },
		CLI_MEASURING_ROWS(measuring),
		{ TERM_OPTION_HEADING, "Output", 0, NULL, NULL, NULL },
		{ TERM_OPTION_TEXT, "by", 0, &request.by, "corpus|host|directory", "rows for each apart, and for all together" },
		{ TERM_OPTION_TEXT, "format", 0, &format, TERM_FORMATS, "default: table on a terminal, else tsv" },
		{ TERM_OPTION_COUNT, "bootstrap", 0, &resamples, "N", "resamples behind the intervals (default 1000)" },
		{ TERM_OPTION_COUNT, "draws", 0, &draws, "N", "histories drawn for the Poisson check (default 499)" },
		{ TERM_OPTION_COUNT, "seed", 0, &measuring->options.seed, "N", "of both (default 1)" },
		TERM_GIT_BASE_ROW(&request.filter),
		TERM_FILTER_ROWS(&request.filter),
		{ TERM_OPTION_HEADING, "Beyond one machine", 0, NULL, NULL, NULL },
		{ TERM_OPTION_OWN, "part", 0, &part, "I/N", "only the pages of part I of N of all hosts" },
		{ TERM_OPTION_OUTPUT, "partial", 0, &request.partial, "FILE", "print nothing: save what 'perennial merge' joins" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "measure", "[OPTION]… X.trace…", about, options };
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = term_format_parse(format, &measuring->format, error);
	if (!code)
		code = term_filter_check(&request.filter, error);
	if (code)
		return code;
	if (!cli_measuring_choose(measuring))
		return term_usage_error(error, "one view at a time: --pages, --fragments, --lifetimes, --survival, --k, "
		                               "--scaled, --intervals or --bars");
	if (request.partial && (measuring->view != CLI_VIEWS || format))
		return term_usage_error(error, "--partial prints nothing: give views and --format to 'perennial merge'; of --pages and "
		                               "--fragments those of all parts are those of the whole");
	code = check_by(&request, error);
	if (code)
		return code;
	if (resamples > CLI_DRAWS_MAX || draws > CLI_DRAWS_MAX)
		return term_usage_error(error, "--bootstrap and --draws take 0 to %d", CLI_DRAWS_MAX);
	if (first == argc)
		return term_usage_error(error, "no trace to measure was given");
	measuring->options.resamples = (size_t)resamples;
	measuring->options.draws = (size_t)draws;
	return open_and_run(&request, argv + first, (size_t)(argc - first), error);
}
