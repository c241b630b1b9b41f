#include "cli/command.h"
#include "term/say.h"
#include "cli/extremes.h"
#include "report/longevity.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/page_progress.h"
#include "term/provenance.h"
#include "perennial/life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS_MAX 100000

/* What can be asked for instead of the statistics. */
enum view { VIEW_PAGES, VIEW_FRAGMENTS, VIEW_LIFETIMES, VIEW_SURVIVAL, VIEW_K, VIEW_SCALED, VIEW_INTERVALS, VIEW_BARS, VIEWS };

struct request {
	bool views[VIEWS];
	int view; /* the one that is set, or VIEWS */
	enum term_format format;
	struct prn_longevity_options options;
	struct report_corpora corpora;
	struct prn_pages pages;
	struct term_table *table; /* of rows that are written page by page, or NULL */
	struct cli_extremes extremes;
	int argc;
	char **argv;
};

static int see_page(void *context, size_t i, const struct prn_page *page, const struct prn_study *study,
                    double poisson_p, struct prn_error *error)
{
	struct request *request = context;
	const struct prn_study_result *result = prn_study_result(study);

	if (request->view == VIEW_PAGES)
		report_page_row(request->table, request->corpora.names[request->pages.corpus(request->pages.context, i)], page, result,
		             poisson_p);
	else if (request->view == VIEW_FRAGMENTS)
		report_fragment_rows(request->table, page, study);
	else if (request->view == VIEWS && request->format == TERM_FORMAT_TABLE &&
	         cli_extremes_add(&request->extremes, page->url, result, error))
		return PRN_E_MEMORY;
	if (ferror(stdout))
		return prn_error_set(error, PRN_E_IO, "standard output cannot be written");
	return 0;
}

/* What is not asked for is not computed. */
static void spare_work(struct request *request)
{
	if (request->view == VIEW_FRAGMENTS || request->view == VIEW_PAGES)
		request->options.resamples = 0;
	if (request->view != VIEWS && request->view != VIEW_PAGES && request->view != VIEW_INTERVALS)
		request->options.draws = 0;
}

/* The caller frees it; NULL without memory. */
static char *provenance(const struct request *request, const struct prn_longevity *longevity)
{
	size_t all = prn_longevity_scopes(longevity) - 1, length;
	char *note = NULL;
	FILE *out = open_memstream(&note, &length);

	if (!out)
		return NULL;
	term_provenance_print(out, request->argc, request->argv);
	fprintf(out, "; %zu pages", prn_longevity_pages(longevity, all));
	if (prn_longevity_left_out(longevity, all))
		fprintf(out, ", %zu with fewer than %d captures left out", prn_longevity_left_out(longevity, all),
		        PRN_LIFE_CAPTURES);
	fprintf(out, "; seed %llu, %zu resamples, %zu draws", (unsigned long long)request->options.seed,
	        request->options.resamples, request->options.draws);
	if (!fclose(out))
		return note;
	free(note);
	return NULL;
}

static int print_measured(struct request *request, const struct prn_longevity *longevity, struct prn_error *error)
{
	static report_longevity_fn *const printers[VIEWS + 1] = {
		[VIEW_LIFETIMES] = report_longevity_lifetimes, [VIEW_SURVIVAL] = report_longevity_survival,
		[VIEW_K] = report_longevity_k,                 [VIEW_SCALED] = report_longevity_scaled,
		[VIEW_INTERVALS] = report_longevity_intervals, [VIEW_BARS] = report_longevity_bars,
		[VIEWS] = report_longevity_statistics,
	};
	const struct report_longevity measured = { longevity, &request->corpora };
	char *note = provenance(request, longevity);
	int code;

	if (!note)
		return prn_error_memory(error);
	if (request->table) {
		code = term_table_close(request->table, note, error);
		request->table = NULL;
	} else if (request->view == VIEWS && request->format == TERM_FORMAT_TABLE) {
		code = report_longevity_statistics(stdout, &measured, request->format, NULL, error);
		putchar('\n');
		if (!code)
			code = cli_extremes_print(&request->extremes, note, error);
	} else {
		code = printers[request->view](stdout, &measured, request->format, note, error);
	}
	if (request->format != TERM_FORMAT_TABLE)
		term_say("# %s\n", note);
	free(note);
	return code;
}

static int measure_inputs(struct request *request, const struct term_inputs *inputs, struct prn_error *error)
{
	struct prn_longevity *longevity = NULL;
	struct prn_trace_pool pool = { 0 };
	struct term_page_progress progress;
	int code = prn_trace_pool_init(&pool, inputs->traces, inputs->count, &request->pages);

	if (code)
		return code;
	code = report_corpora_name(&request->corpora, inputs, error);
	if (code)
		goto out;
	request->options.each = see_page;
	request->options.context = request;
	if (request->view == VIEW_PAGES)
		request->table = term_table_open(request->format, report_page_columns);
	else if (request->view == VIEW_FRAGMENTS)
		request->table = term_table_open(request->format, report_fragment_columns);
	term_page_progress_begin(&progress, "measure", &request->pages);
	code = prn_longevity_run(&longevity, &request->pages, &request->options, error);
	term_page_progress_end(&progress, &request->pages);
	if (!code)
		code = print_measured(request, longevity, error);
	if (request->table)
		term_table_close(request->table, NULL, NULL);
out:
	cli_extremes_release(&request->extremes);
	prn_longevity_free(longevity);
	report_corpora_release(&request->corpora);
	prn_trace_pool_release(&pool);
	return code;
}

static int open_and_run(struct request *request, char **paths, size_t count, struct prn_error *error)
{
	struct term_inputs inputs = { 0 };
	int code = term_inputs_open(&inputs, paths, count, 0, error), skipped = inputs.skipped ? TERM_SKIPPED : TERM_DONE;

	if (!code)
		code = measure_inputs(request, &inputs, error);
	term_inputs_release(&inputs);
	return code ? code : skipped;
}

/* Finds the view that was asked for; false if there is more than one. */
static bool choose_view(struct request *request)
{
	request->view = VIEWS;
	for (int i = 0; i < VIEWS; i++) {
		if (!request->views[i])
			continue;
		if (request->view != VIEWS)
			return false;
		request->view = i;
	}
	return true;
}

static const char about[] =
	"Measures how long the content of pages lives: what of it is static, churn or scroll, how often pages change, how\n"
	"long fragments last, with 95 % intervals; of traces, or WARC files and folders, which are imported on the fly.\n"
	"Without one of the views it prints these statistics, each corpus by itself and all together.";

int cli_measure(int argc, char **argv, struct prn_error *error)
{
	struct request request = { .options = { .seed = 1 }, .argc = argc, .argv = argv };
	uint64_t resamples = PRN_LONGEVITY_RESAMPLES, draws = PRN_LONGEVITY_DRAWS;
	const char *format = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_HEADING, "Views, one at a time", 0, NULL, NULL, NULL },
		{ TERM_OPTION_FLAG, "pages", 0, &request.views[VIEW_PAGES], NULL, "a row a page" },
		{ TERM_OPTION_FLAG, "fragments", 0, &request.views[VIEW_FRAGMENTS], NULL, "birth and death of every fragment" },
		{ TERM_OPTION_FLAG, "lifetimes", 0, &request.views[VIEW_LIFETIMES], NULL,
		  "how long fragments live: tallies, and survival by Kaplan-Meier" },
		{ TERM_OPTION_FLAG, "survival", 0, &request.views[VIEW_SURVIVAL], NULL,
		  "how long pages stay as they are: neither changed nor gone" },
		{ TERM_OPTION_FLAG, "k", 0, &request.views[VIEW_K], NULL, "how many changes of their page fragments live through" },
		{ TERM_OPTION_FLAG, "scaled", 0, &request.views[VIEW_SCALED], NULL,
		  "lifetimes on churn and scroll pages against the model's" },
		{ TERM_OPTION_FLAG, "intervals", 0, &request.views[VIEW_INTERVALS], NULL,
		  "times between changes against a Poisson process" },
		{ TERM_OPTION_FLAG, "bars", 0, &request.views[VIEW_BARS], NULL,
		  "pages by mean change interval and by visible lifespan" },
		{ TERM_OPTION_HEADING, "Output", 0, NULL, NULL, NULL },
		{ TERM_OPTION_TEXT, "format", 0, &format, "table|tsv|json", "default: table on a terminal, else tsv" },
		{ TERM_OPTION_COUNT, "bootstrap", 0, &resamples, "N", "resamples behind the intervals (default 1000)" },
		{ TERM_OPTION_COUNT, "draws", 0, &draws, "N", "histories drawn for the Poisson check (default 499)" },
		{ TERM_OPTION_COUNT, "seed", 0, &request.options.seed, "N", "of both (default 1)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "measure", "[OPTION]… X.trace…", about, options };
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = term_format_parse(format, &request.format, error);
	if (code)
		return code;
	if (!choose_view(&request))
		return term_usage_error(error, "one view at a time: --pages, --fragments, --lifetimes, --survival, --k, "
		                               "--scaled, --intervals or --bars");
	if (resamples > DRAWS_MAX || draws > DRAWS_MAX)
		return term_usage_error(error, "--bootstrap and --draws take 0 to %d", DRAWS_MAX);
	if (first == argc)
		return term_usage_error(error, "no trace to measure was given");
	request.options.resamples = (size_t)resamples;
	request.options.draws = (size_t)draws;
	spare_work(&request);
	return open_and_run(&request, argv + first, (size_t)(argc - first), error);
}
