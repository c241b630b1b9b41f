#include "report/report.h"
#include "base/parallel.h"
#include "cli/command.h"
#include "cli/plugins.h"
#include "cli/shows.h"
#include "term/destination.h"
#include "term/outputs.h"
#include "term/page_progress.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOT_GIVEN UINT64_MAX
#define DRAWS_MAX 100000
#define THREADS_MAX 1024
#define QUICK_RESAMPLES 200
#define QUICK_DRAWS 99
#define PAPER_PAGES 10000 /* simulated, of each experiment */
#define PAPER_PAGES_LEAST 100

/* The policies of OP's figures, and ours.  Nobody could tell more lines than that apart. */
static const char *const usual[] = { "uniform", "cgm", "curve-fitting", "bound-based", PRN_POLICY_DEFAULT, "fs-s" };

#define USUAL (sizeof usual / sizeof *usual)

static int list_policies(struct report *report, struct prn_error *error)
{
	struct term_list *policies = &report->policies;

	if (policies->count)
		return 0;
	policies->items = calloc(USUAL, sizeof *policies->items);
	if (!policies->items)
		return prn_error_memory(error);
	for (; policies->count < USUAL; policies->count++) {
		policies->items[policies->count] = strdup(usual[policies->count]);
		if (!policies->items[policies->count])
			return prn_error_memory(error);
	}
	return 0;
}

/* A file that is written into a folder replaces one of the same name, which must not be one that is read. */
static int check_apart(const char *option, const char *folder, char **sources, size_t count, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (term_reads_in(folder, sources[i]))
			return term_usage_error(error, "--%s would write into %s, where %s is read: name another folder", option, folder, sources[i]);
	return 0;
}

static int check_folders(const struct report *report, char **sources, size_t count, struct prn_error *error)
{
	const struct term_list *learn = &report->learn;
	char *shown = report->show ? cli_shows_folder(report) : NULL;
	int code = report->show && !shown ? prn_error_memory(error) : 0;

	if (!code && report->folder)
		code = check_apart("data", report->folder, sources, count, error);
	if (!code && report->folder)
		code = check_apart("data", report->folder, learn->items, learn->count, error);
	if (!code && shown)
		code = check_apart("show", shown, sources, count, error);
	if (!code && shown)
		code = check_apart("show", shown, learn->items, learn->count, error);
	free(shown);
	return code;
}

/* Makes the folder that was given, or a temporary one. */
static int make_folder(struct report *report, char **temporary, struct prn_error *error)
{
	int code;

	if (report->folder) {
		if (mkdir(report->folder, 0777) && errno != EEXIST)
			return prn_error_set(error, PRN_E_IO, "%s: cannot be made: %s", report->folder, strerror(errno));
		return 0;
	}
	code = term_temporary_folder(temporary, error);
	report->folder = *temporary;
	return code;
}

/* Only files that this program made are in the folder. */
static void remove_folder(const char *folder)
{
	DIR *files = opendir(folder);
	struct dirent *entry;

	while (files && (entry = readdir(files)))
		if (*entry->d_name != '.')
			unlinkat(dirfd(files), entry->d_name, 0);
	if (files)
		closedir(files);
	rmdir(folder);
}

static int measure_and_evaluate(struct report *report, char **paths, size_t count, struct prn_error *error)
{
	struct term_page_progress progress;
	int code = prn_trace_pool_init(&report->pool, report->inputs.traces, report->inputs.count, &report->pages);

	if (code)
		return prn_error_set(error, code, "%s", prn_error_text(code));
	report->operands = paths;
	report->operand_count = count;
	code = report_corpora_name(&report->corpora, &report->inputs, error);
	if (!code)
		code = report_defaults_make(&report->defaults, "", &report->inputs, &report->pages, &report->learn,
		                            report->clock, report->threads, error);
	if (code)
		return code;
	code = report_sample_make(&report->judged, &report->pages, report->quick ? REPORT_QUICK_PAGES : SIZE_MAX, error);
	if (code)
		return code;
	term_page_progress_begin(&progress, "report: lifetimes", &report->pages);
	code = report_measure(report, error);
	term_page_progress_end(&progress, &report->pages);
	if (!code)
		code = report_evaluate(report, error);
	return code || !report->show ? code : cli_shows_make(report, paths, count, error);
}

static void release(struct report *report)
{
	free(report->papers);
	report_evaluation_release(&report->evaluated);
	report_sample_release(&report->judged);
	for (size_t i = 0; i < report->row_count; i++)
		free(report->rows[i].url), free(report->rows[i].shown);
	free(report->rows);
	report_defaults_release(&report->defaults);
	prn_longevity_free(report->longevity);
	report_corpora_release(&report->corpora);
	prn_trace_pool_release(&report->pool);
	term_inputs_release(&report->inputs);
}

static int open_and_make(struct report *report, char **paths, size_t count, struct prn_error *error)
{
	struct term_destination destination = { 0 };
	char *temporary = NULL;
	int skipped, code = report_figures_check(error);

	if (!code)
		code = term_destination_open(&destination, report->output, error);
	if (destination.path)
		report->output = destination.path;
	if (!code)
		code = make_folder(report, &temporary, error);
	if (!code && count)
		code = term_inputs_open(&report->inputs, paths, count, &report->filter, report->threads, error);
	skipped = report->inputs.skipped ? TERM_SKIPPED : TERM_DONE;
	if (!code)
		code = count ? measure_and_evaluate(report, paths, count, error) : report_papers(report, error);
	if (!code)
		code = report_figures_draw(report, error);
	if (!code)
		code = report_page(report, error);
	code = term_destination_close(&destination, code, error);
	release(report);
	if (temporary)
		remove_folder(temporary);
	free(temporary);
	return code ? code : skipped;
}

struct report_options {
	struct report report;
	bool papers;
	uint64_t resamples, draws, pages; /* NOT_GIVEN: not given */
	uint64_t threads;
	struct term_list plugins;
};

/* Checks all that can be checked before a file is opened. */
static int check(struct report_options *given, struct prn_error *error)
{
	struct report *report = &given->report;
	uint64_t resamples = given->resamples, draws = given->draws, pages = given->pages == NOT_GIVEN ? PAPER_PAGES : given->pages;
	struct prn_sweeps *sweeps = NULL;
	int code;

	if (!report->output)
		return term_usage_error(error, "say with -o where the page goes");
	if (resamples == NOT_GIVEN)
		resamples = report->quick ? QUICK_RESAMPLES : PRN_LONGEVITY_RESAMPLES;
	if (draws == NOT_GIVEN)
		draws = report->quick ? QUICK_DRAWS : PRN_LONGEVITY_DRAWS;
	if (resamples > DRAWS_MAX || draws > DRAWS_MAX)
		return term_usage_error(error, "--bootstrap and --draws take 0 to %d", DRAWS_MAX);
	if (pages < PAPER_PAGES_LEAST || pages > DRAWS_MAX)
		return term_usage_error(error, "--pages takes %d to %d", PAPER_PAGES_LEAST, DRAWS_MAX);
	if (!given->threads || given->threads > THREADS_MAX)
		return term_usage_error(error, "--threads takes 1 to %d", THREADS_MAX);
	report->clock = strcmp(report->clock_name, "days") ? PRN_CLOCK_STEPS : PRN_CLOCK_DAYS;
	report->resamples = (size_t)resamples;
	report->draws = (size_t)draws;
	report->threads = (size_t)given->threads;
	if (report->figures == report_paper_figures)
		report->resamples = (size_t)pages;
	code = list_policies(report, error);
	/* The policies are opened once without pages, so that a slip in a specification is reported before any work. */
	if (!code)
		code = prn_sweeps_open(&sweeps, (const char *const *)report->policies.items, report->policies.count, NULL, 1, error);
	prn_sweeps_free(sweeps);
	return code ? term_usage_blame(error) : 0;
}

static const char about[] =
	"Makes one self-contained HTML page about traces (or WARC files and folders, imported on the fly): how long their content\n"
	"lives, in words, numbers and figures, and what policies would have cost and missed.  Needs gnuplot to draw.";

static int parse(struct report_options *given, int argc, char **argv, int *first, struct prn_error *error)
{
	const struct term_option options[] = {
		{ TERM_OPTION_OUTPUT, "output", 'o', &given->report.output, "FILE", "the page; -: on standard output" },
		{ TERM_OPTION_FLAG, "papers", 0, &given->papers, NULL,
		  "in place of traces: the papers' own experiments, run again beside the numbers that they print" },
		{ TERM_OPTION_FLAG, "quick", 0, &given->report.quick, NULL,
		  "policies on 1000 of the pages at most, fewer resamples and draws, no figure on summary sizes" },
		{ TERM_OPTION_TEXT, "show", 0, &given->report.show, "NAME",
		  "pages of 'perennial show' of those that change most, in a folder of this name beside the page, which leads there" },
		{ TERM_OPTION_TEXT, "data", 0, &given->report.folder, "DIR",
		  "leave tables (TSV), gnuplot scripts and pictures (SVG) there, to restyle figures" },
		{ TERM_OPTION_LIST, "policy", 'p', &given->report.policies, "A,B:key=v,…",
		  "policies under test (default: uniform, cgm, curve-fitting, bound-based, " PRN_POLICY_DEFAULT ", fs-s)" },
		CLI_PLUGINS_ROW(&given->plugins),
		{ TERM_OPTION_LIST, "learn-prior", 0, &given->report.learn, "X.trace",
		  "learn drift's prior there; repeatable; a corpus under test never learns from itself" },
		{ TERM_OPTION_TEXT, "clock", 0, &given->report.clock_name, "steps|days",
		  "clock unit of policies: a page's mean capture interval (default), or a day" },
		{ TERM_OPTION_COUNT, "bootstrap", 0, &given->resamples, "N", "resamples behind the intervals (default 1000)" },
		{ TERM_OPTION_COUNT, "draws", 0, &given->draws, "N", "histories drawn for the Poisson check (default 499)" },
		{ TERM_OPTION_COUNT, "pages", 0, &given->pages, "N", "of --papers: pages simulated of each experiment (default 10000)" },
		{ TERM_OPTION_COUNT, "seed", 0, &given->report.seed, "N", "of both (default 1)" },
		{ TERM_OPTION_COUNT, "threads", 0, &given->threads, "N", "default: all processors; results are the same" },
		TERM_GIT_BASE_ROW(&given->report.filter),
		TERM_FILTER_ROWS(&given->report.filter),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "report", "-o FILE [OPTION]… X.trace… | -o FILE --papers", about, options };

	return term_options_parse(&usage, argc, argv, first, error);
}

static bool is_folder_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

/* What reads traces and what --papers does go apart. */
static int check_kind(const struct report_options *given, char **operands, int count, struct prn_error *error)
{
	const struct report *report = &given->report;

	if (!count && !given->papers)
		return term_usage_error(error, "no trace to report on was given");
	if (report->show && given->papers)
		return term_usage_error(error, "--papers has no pages to --show");
	if (report->show && !is_folder_name(report->show))
		return term_usage_error(error, "--show takes the name of a folder beside the page, not '%s'", report->show);
	if (report->quick && given->papers)
		return term_usage_error(error, "--papers is as quick as it is: --quick is for pages");
	if (count && given->papers)
		return term_usage_error(error, "--papers reads no traces, such as '%s'", operands[0]);
	if (given->pages != NOT_GIVEN && !given->papers)
		return term_usage_error(error, "--pages are those that --papers simulates");
	return 0;
}

static int check_filter(const struct report_options *given, struct prn_error *error)
{
	const struct term_filter *filter = &given->report.filter;
	int code = term_filter_check(filter, error);

	if (!code && given->papers && (term_filter_is_given(filter) || filter->git_base))
		code = term_usage_error(error, "--papers reads no captures to filter");
	return code;
}

int cli_report(int argc, char **argv, struct prn_error *error)
{
	struct report_options given = { .report = { .seed = 1, .clock_name = "steps", .argc = argc, .argv = argv, .filter = TERM_FILTER_NONE },
		               .resamples = NOT_GIVEN, .draws = NOT_GIVEN, .pages = NOT_GIVEN, .threads = prn_parallel_processors() };
	struct report *report = &given.report;
	int first, code = parse(&given, argc, argv, &first, error);

	report->figures = given.papers ? report_paper_figures : report_figures;
	if (!code)
		code = check_kind(&given, argv + first, argc - first, error);
	if (!code)
		code = cli_plugins_load(&given.plugins, error);
	if (!code)
		code = check_filter(&given, error);
	if (!code)
		code = check(&given, error);
	if (!code)
		code = check_folders(report, argv + first, (size_t)(argc - first), error);
	if (!code)
		code = open_and_make(report, argv + first, (size_t)(argc - first), error);
	term_list_release(&report->policies);
	term_list_release(&report->learn);
	term_filter_release(&report->filter);
	term_list_release(&given.plugins);
	return code;
}
