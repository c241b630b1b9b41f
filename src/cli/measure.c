#include "cli/command.h"
#include "report/findings.h"
#include "term/inputs.h"
#include "term/options.h"
#include "term/page_progress.h"
#include "term/provenance.h"
#include "perennial/life.h"
#include "cli/standouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS_MAX 100000

/* What can be asked for instead of the statistics. */
enum view { VIEW_PAGES, VIEW_FRAGMENTS, VIEW_LIFETIMES, VIEW_SURVIVAL, VIEW_K, VIEW_SCALED, VIEW_INTERVALS, VIEW_BARS, VIEWS };

struct task {
	bool views[VIEWS];
	int view; /* the one that is set, or VIEWS */
	enum term_format format;
	struct prn_longevity_options options;
	struct report_corpora corpora;
	struct prn_pages pages;
	struct term_table *table; /* of rows that are written page by page, or NULL */
	struct cli_standouts standouts;
	int argc;
	char **argv;
};

static int see_page(void *context, size_t i, const struct prn_page *page, const struct prn_study *study,
                    double poisson_p, struct prn_error *error)
{
	struct task *task = context;
	const struct prn_study_result *result = prn_study_result(study);

	if (task->view == VIEW_PAGES)
		report_page_row(task->table, task->corpora.names[task->pages.corpus(task->pages.context, i)], page, result,
		             poisson_p);
	else if (task->view == VIEW_FRAGMENTS)
		report_fragment_rows(task->table, page, study);
	else if (task->view == VIEWS && task->format == TERM_FORMAT_TABLE)
		cli_standouts_add(&task->standouts, page->url, result);
	if (ferror(stdout))
		return prn_error_set(error, PRN_E_IO, "standard output cannot be written");
	return 0;
}

/* What is not asked for is not computed. */
static void spare_work(struct task *task)
{
	if (task->view == VIEW_FRAGMENTS || task->view == VIEW_PAGES)
		task->options.resamples = 0;
	if (task->view != VIEWS && task->view != VIEW_PAGES && task->view != VIEW_INTERVALS)
		task->options.draws = 0;
}

/* The caller frees it. */
static char *provenance(const struct task *task, const struct prn_longevity *longevity)
{
	size_t all = prn_longevity_scopes(longevity) - 1, length;
	char *note = NULL;
	FILE *out = open_memstream(&note, &length);

	if (!out)
		abort();
	term_provenance_print(out, task->argc, task->argv);
	fprintf(out, "; %zu pages", prn_longevity_pages(longevity, all));
	if (prn_longevity_left_out(longevity, all))
		fprintf(out, ", %zu with fewer than %d captures left out", prn_longevity_left_out(longevity, all),
		        PRN_LIFE_CAPTURES);
	fprintf(out, "; seed %llu, %zu resamples, %zu draws", (unsigned long long)task->options.seed,
	        task->options.resamples, task->options.draws);
	if (fclose(out))
		abort();
	return note;
}

static int print(struct task *task, const struct prn_longevity *longevity)
{
	static report_findings_fn *const printers[VIEWS + 1] = {
		[VIEW_LIFETIMES] = report_findings_lifetimes, [VIEW_SURVIVAL] = report_findings_survival,
		[VIEW_K] = report_findings_k,                 [VIEW_SCALED] = report_findings_scaled,
		[VIEW_INTERVALS] = report_findings_intervals, [VIEW_BARS] = report_findings_bars,
		[VIEWS] = report_findings_statistics,
	};
	const struct report_findings findings = { longevity, &task->corpora };
	char *note = provenance(task, longevity);
	int failed = 0;

	if (task->table) {
		failed = term_table_close(task->table, note, NULL);
		task->table = NULL;
	} else if (task->view == VIEWS && task->format == TERM_FORMAT_TABLE) {
		failed = report_findings_statistics(stdout, &findings, task->format, NULL);
		putchar('\n');
		failed |= cli_standouts_print(&task->standouts, note);
	} else {
		failed = printers[task->view](stdout, &findings, task->format, note);
	}
	if (task->format != TERM_FORMAT_TABLE)
		fprintf(stderr, "# %s\n", note);
	free(note);
	return failed;
}

static int run(struct task *task, const struct term_inputs *inputs, struct prn_error *error)
{
	struct prn_longevity *longevity = NULL;
	struct prn_trace_pool pool = { 0 };
	struct term_page_progress progress;
	int code = prn_trace_pool_init(&pool, inputs->traces, inputs->count, &task->pages);

	if (code)
		return code;
	report_corpora_name(&task->corpora, inputs);
	task->options.each = see_page;
	task->options.context = task;
	if (task->view == VIEW_PAGES)
		task->table = term_table_open(task->format, report_page_columns);
	else if (task->view == VIEW_FRAGMENTS)
		task->table = term_table_open(task->format, report_fragment_columns);
	term_page_progress_begin(&progress, "measure", &task->pages);
	code = prn_longevity_run(&longevity, &task->pages, &task->options, error);
	term_page_progress_end(&progress, &task->pages);
	if (!code && print(task, longevity))
		code = prn_error_set(error, PRN_E_IO, "standard output cannot be written");
	if (task->table)
		term_table_close(task->table, NULL, NULL);
	cli_standouts_release(&task->standouts);
	prn_longevity_free(longevity);
	report_corpora_release(&task->corpora);
	prn_trace_pool_release(&pool);
	return code;
}

static int open_and_run(struct task *task, char **paths, size_t count, struct prn_error *error)
{
	struct term_inputs inputs = { 0 };
	int code = term_inputs_open(&inputs, paths, count, 0, error), skipped = inputs.skipped ? TERM_SKIPPED : TERM_DONE;

	if (!code)
		code = run(task, &inputs, error);
	term_inputs_release(&inputs);
	if (!code)
		return skipped;
	return code;
}

/* Which view was asked for; false when there are two. */
static bool choose_view(struct task *task)
{
	task->view = VIEWS;
	for (int i = 0; i < VIEWS; i++) {
		if (!task->views[i])
			continue;
		if (task->view != VIEWS)
			return false;
		task->view = i;
	}
	return true;
}

static const char about[] =
	"Measures how long the content of pages lives: what of it is static, churn or scroll, how often pages change, how\n"
	"long fragments last, with 95 % intervals; of traces, or WARC files and folders, which are imported on the fly.\n"
	"Without one of the views it prints these statistics, each corpus by itself and all together.";

int cli_measure(int argc, char **argv, struct prn_error *error)
{
	struct task task = { .options = { .seed = 1 }, .argc = argc, .argv = argv };
	uint64_t resamples = PRN_LONGEVITY_RESAMPLES, draws = PRN_LONGEVITY_DRAWS;
	const char *format = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_HEADING, "Views, one at a time", 0, NULL, NULL, NULL },
		{ TERM_OPTION_FLAG, "pages", 0, &task.views[VIEW_PAGES], NULL, "a row a page" },
		{ TERM_OPTION_FLAG, "fragments", 0, &task.views[VIEW_FRAGMENTS], NULL, "birth and death of every fragment" },
		{ TERM_OPTION_FLAG, "lifetimes", 0, &task.views[VIEW_LIFETIMES], NULL,
		  "how long fragments live: tallies, and survival by Kaplan-Meier" },
		{ TERM_OPTION_FLAG, "survival", 0, &task.views[VIEW_SURVIVAL], NULL,
		  "how long pages stay as they are: neither changed nor gone" },
		{ TERM_OPTION_FLAG, "k", 0, &task.views[VIEW_K], NULL, "how many changes of their page fragments live through" },
		{ TERM_OPTION_FLAG, "scaled", 0, &task.views[VIEW_SCALED], NULL,
		  "lifetimes on churn and scroll pages against the model's" },
		{ TERM_OPTION_FLAG, "intervals", 0, &task.views[VIEW_INTERVALS], NULL,
		  "times between changes against a Poisson process" },
		{ TERM_OPTION_FLAG, "bars", 0, &task.views[VIEW_BARS], NULL,
		  "pages by mean change interval and by visible lifespan" },
		{ TERM_OPTION_HEADING, "Output", 0, NULL, NULL, NULL },
		{ TERM_OPTION_TEXT, "format", 0, &format, "table|tsv|json", "default: table on a terminal, else tsv" },
		{ TERM_OPTION_COUNT, "bootstrap", 0, &resamples, "N", "resamples behind the intervals (default 1000)" },
		{ TERM_OPTION_COUNT, "draws", 0, &draws, "N", "histories drawn for the Poisson check (default 499)" },
		{ TERM_OPTION_COUNT, "seed", 0, &task.options.seed, "N", "of both (default 1)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "measure", "[OPTION]… X.trace…", about, options };
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code)
		code = term_format_parse(format, &task.format, error);
	if (code)
		return code;
	if (!choose_view(&task))
		return term_usage_error(error, "one view at a time: --pages, --fragments, --lifetimes, --survival, --k, "
		                               "--scaled, --intervals or --bars");
	if (resamples > DRAWS_MAX || draws > DRAWS_MAX)
		return term_usage_error(error, "--bootstrap and --draws take 0 to %d", DRAWS_MAX);
	if (first == argc)
		return term_usage_error(error, "names no trace to measure");
	task.options.resamples = (size_t)resamples;
	task.options.draws = (size_t)draws;
	spare_work(&task);
	return open_and_run(&task, argv + first, (size_t)(argc - first), error);
}
