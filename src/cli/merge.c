#include "base/parallel.h"
#include "cli/command.h"
#include "cli/comparing.h"
#include "cli/judged.h"
#include "cli/measuring.h"
#include "cli/plugins.h"
#include "cli/starts.h"
#include "term/options.h"

#include <stdlib.h>

struct request {
	struct term_list plugins;
	struct cli_comparing comparing; /* of evaluations */
	struct cli_measuring measuring; /* of what was measured */
};

struct parts {
	struct prn_partial **items;
	size_t count;
};

static int open_parts(struct parts *parts, char **paths, size_t count, struct prn_error *error)
{
	int code = 0;

	*parts = (struct parts){ .items = calloc(count + 1, sizeof *parts->items) };
	if (!parts->items)
		return prn_error_memory(error);
	while (parts->count < count && !code) {
		code = prn_partial_open(&parts->items[parts->count], paths[parts->count], error);
		parts->count += !code;
	}
	return code ? code : prn_partials_check((const struct prn_partial *const *)parts->items, count, error);
}

static int print_evaluation(struct request *request, const struct cli_judged_again *judged, const struct parts *parts,
                            struct prn_error *error)
{
	const struct prn_partial *const *partials = (const struct prn_partial *const *)parts->items;
	struct report_comparison *report = &request->comparing.report;
	struct prn_evaluation *evaluation = NULL;
	int code = cli_comparing_read(&request->comparing, judged->swept, error);

	report->durations = judged->durations;
	if (!code && request->comparing.ratio_to && prn_sweeps_find(judged->sweeps, request->comparing.ratio_to) == PRN_NO_SWEEP)
		code = term_usage_error(error, "--ratio-to names '%s', which is not among the policies under test",
		                        request->comparing.ratio_to);
	if (!code)
		code = cli_starts_check_parts(judged->offsets, judged->offset_count, partials, parts->count, error);
	if (!code)
		code = prn_evaluation_of_partials(&evaluation, prn_sweeps_all(judged->sweeps), prn_sweeps_count(judged->sweeps), partials,
		                                  parts->count, error);
	if (!code)
		code = cli_evaluation_print("merge", report, evaluation, judged->sweeps, error);
	prn_evaluation_free(evaluation);
	return code;
}

static int merge_evaluations(struct request *request, const struct parts *parts, struct prn_error *error)
{
	struct cli_comparing *c = &request->comparing;
	struct cli_judged_again judged;
	int code;

	if (request->measuring.view != CLI_VIEWS)
		return term_usage_error(error, "--lifetimes and other views are of what was measured: these results are of evaluate");
	code = cli_judged_read(&judged, prn_partial_about(parts->items[0])->settings, error);
	if (!code) {
		/* Where the command line says nothing, the evaluation of the whole had these. */
		c->seed = c->seed == UINT64_MAX ? judged.seed : c->seed;
		c->ratio_to = c->ratio_to ? c->ratio_to : judged.ratio_to;
		code = print_evaluation(request, &judged, parts, error);
	}
	cli_judged_release(&judged);
	return code;
}

static int merge_longevities(struct request *request, const struct parts *parts, struct prn_error *error)
{
	const struct cli_comparing *c = &request->comparing;
	struct cli_measuring *measuring = &request->measuring;
	struct prn_longevity *longevity = NULL;
	int code;

	if (c->windows.count || c->metrics.count || c->at_cost.count || c->at_staleness.count || c->ratio_to)
		return term_usage_error(error, "--window, --metric, --at-cost, --at-staleness and --ratio-to are of evaluations: these results "
		                               "are of measure");
	if (c->resamples > CLI_DRAWS_MAX)
		return term_usage_error(error, "--bootstrap takes 0 to %d", CLI_DRAWS_MAX);
	if (c->seed != UINT64_MAX)
		return term_usage_error(error, "the seed of what was measured is that of its parts");
	code = term_format_parse(c->format, &measuring->format, error);
	measuring->options.resamples = (size_t)c->resamples;
	if (!code)
		code = cli_measuring_join(measuring, (const struct prn_partial *const *)parts->items, parts->count, &longevity, error);
	if (!code)
		code = cli_measuring_print(measuring, longevity, error);
	prn_longevity_free(longevity);
	return code;
}

static int merge(struct request *request, char **paths, size_t count, struct prn_error *error)
{
	struct parts parts;
	int code = open_parts(&parts, paths, count, error);

	if (!code)
		code = prn_partial_about(parts.items[0])->kind == PRN_PARTIAL_EVALUATION ? merge_evaluations(request, &parts, error)
		                                                                        : merge_longevities(request, &parts, error);
	for (size_t i = 0; i < parts.count; i++)
		prn_partial_free(parts.items[i]);
	free(parts.items);
	return code;
}

static const char about[] =
	"Joins the partial results of evaluate or of measure on all parts of the pages (--part, --partial), in any order, and\n"
	"prints what they would print of all pages, digit by digit.";

int cli_merge(int argc, char **argv, struct prn_error *error)
{
	struct request request = { .comparing = { .seed = UINT64_MAX, .resamples = CLI_RESAMPLES, .threads = prn_parallel_processors() },
		                   .measuring = { .argc = argc, .argv = argv } };
	const struct term_option options[] = {
		{ TERM_OPTION_HEADING, "Of evaluate, as there", 0, NULL, NULL, NULL },
		CLI_PLUGINS_ROW(&request.plugins),
		CLI_COMPARING_ROWS(&request.comparing),
		{ TERM_OPTION_HEADING, "Of measure: views, one at a time", 0, NULL, NULL, NULL },
		CLI_MEASURING_ROWS(&request.measuring),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "merge", "[OPTION]… PARTIAL…", about, options };
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	request.comparing.report.argv = argv;
	request.comparing.report.argc = argc;
	if (!code && first == argc)
		code = term_usage_error(error, "name the partial results of all parts");
	if (!code && !cli_measuring_choose(&request.measuring))
		code = term_usage_error(error, "one view at a time: --lifetimes, --survival, --k, --scaled, --intervals or --bars");
	if (!code)
		code = cli_plugins_load(&request.plugins, error);
	if (!code)
		code = merge(&request, argv + first, (size_t)(argc - first), error);
	cli_measuring_release(&request.measuring);
	cli_comparing_release(&request.comparing);
	term_list_release(&request.plugins);
	return code ? code : TERM_DONE;
}
