#include "cli/starts.h"

#include "term/page_progress.h"
#include "term/say.h"

#include <stdlib.h>
#include <string.h>

/*
 * Evaluates the pages of a group (members NULL: all) from each start, as one evaluation.  *out stays NULL if no page of the
 * group has enough captures from any start.  Sets reached for the starts from which one had.
 */
static int evaluate_group(const struct cli_starts *starts, const size_t *members, size_t count, bool *reached,
                          struct prn_evaluation **out, struct prn_error *error)
{
	const struct prn_sweep *sweeps = prn_sweeps_all(starts->sweeps);
	struct prn_pages whole = *starts->pages, pages;
	struct prn_evaluation *all = NULL;
	struct term_page_progress progress;
	int code = 0;

	term_page_progress_begin(&progress, "evaluate", &whole);
	for (size_t i = 0; i < starts->offset_count && !code; i++) {
		struct prn_evaluation *one = NULL;
		struct prn_pages_part part;

		prn_pages_part_init(&part, &whole, members, count, starts->offsets[i], &pages);
		code = prn_evaluation_run(&one, &pages, sweeps, prn_sweeps_count(starts->sweeps), starts->clock,
		                          starts->threads, error);
		if (code == PRN_E_NOT_FOUND && starts->grouped) {
			*error = (struct prn_error){ 0 };
			code = 0;
			continue;
		}
		if (code && starts->offsets[i])
			prn_error_prefix(error, "from capture %zu on", starts->offsets[i]);
		if (code)
			break;
		reached[i] = prn_evaluation_pages(one) > 0;
		if (!all) {
			all = one;
			continue;
		}
		code = prn_evaluation_merge(all, one);
		prn_evaluation_free(one);
		if (code)
			prn_error_set(error, code, "%s", prn_error_text(code));
	}
	term_page_progress_end(&progress, &whole);
	if (code)
		prn_evaluation_free(all);
	else
		*out = all;
	return code;
}

static int print_group(const struct cli_starts *starts, const size_t *members, size_t count, bool *reached,
                       struct report_sheets *sheets, struct prn_error *error)
{
	struct prn_evaluation *evaluation = NULL;
	int code = evaluate_group(starts, members, count, reached, &evaluation, error);
	char *name;

	if (code)
		return code;
	if (!evaluation) {
		sheets->left_out += count;
		return 0;
	}
	name = prn_group_name(starts->pages, members[0], starts->by, starts->corpora);
	code = name ? report_sheets_add(sheets, name, evaluation, error) : prn_error_memory(error);
	free(name);
	prn_evaluation_free(evaluation);
	return code;
}

static int check_reached(const size_t *offsets, size_t count, const bool *reached, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (!reached[i])
			return prn_error_set(error, PRN_E_NOT_FOUND, "from capture %zu on, no page has %d captures or more in its life",
			                     offsets[i], PRN_LIFE_CAPTURES);
	return 0;
}

static int print_groups(const struct cli_starts *starts, const struct report_comparison *report, bool *reached,
                        struct prn_error *error)
{
	struct report_sheets sheets;
	struct prn_groups groups;
	int code = prn_groups_find(&groups, starts->pages, starts->by), ended;

	if (code)
		return prn_error_memory(error);
	report_sheets_begin(&sheets, report, starts->sweeps);
	for (size_t i = 0; i < groups.count && !code; i++)
		code = print_group(starts, &groups.members[groups.starts[i]], groups.starts[i + 1] - groups.starts[i], reached,
		                   &sheets, error);
	if (!code)
		code = check_reached(starts->offsets, starts->offset_count, reached, error);
	ended = report_sheets_end(&sheets, code, error);
	prn_groups_release(&groups);
	return code ? code : ended;
}

int cli_evaluation_print(const char *name, const struct report_comparison *report, const struct prn_evaluation *evaluation,
                         const struct prn_sweeps *sweeps, struct prn_error *error)
{
	size_t clusters = prn_evaluation_clusters(evaluation);
	double captures = prn_evaluation_captures(evaluation);
	bool of_one_host = prn_evaluation_is_of_one_host(evaluation);
	bool has_intervals = report->resamples && report->form != REPORT_COMPARISON_SETTINGS;
	int code = report_comparison_print(report, evaluation, sweeps, error);

	if (code)
		return code;
	if (has_intervals && clusters < PRN_CLUSTERS_LEAST && of_one_host)
		term_say("perennial %s: there %s %zu page%s, of one host: of fewer than %d intervals say little, and no ratio is "
		         "marked\n", name, clusters == 1 ? "is" : "are", clusters, clusters == 1 ? "" : "s", PRN_CLUSTERS_LEAST);
	else if (has_intervals && clusters < PRN_CLUSTERS_LEAST)
		term_say("perennial %s: the pages are of %zu hosts: of fewer than %d intervals say little, and no ratio is "
		         "marked\n", name, clusters, PRN_CLUSTERS_LEAST);
	else if (has_intervals && of_one_host)
		term_say("perennial %s: all pages are of one host: intervals are over its pages, and say nothing of other hosts\n", name);
	if (has_intervals && captures < PRN_CAPTURES_LEAST)
		term_say("perennial %s: pages have %.3g captures in the mean: with fewer than %d policies have seen too little to be "
		         "compared, and no ratio is marked\n", name, captures, PRN_CAPTURES_LEAST);
	if (prn_evaluation_changes_are_whole(evaluation))
		term_say("perennial %s: every change here replaced all of a page: fragments tell no more than changes do, and a policy of "
		         "change rates, as cgm is, may do better than drift\n", name);
	return 0;
}

int cli_starts_print(const struct cli_starts *starts, const struct report_comparison *report, struct prn_error *error)
{
	bool *reached = calloc(starts->offset_count, sizeof *reached);
	struct prn_evaluation *evaluation = NULL;
	int code = reached ? 0 : prn_error_memory(error);

	if (!code && starts->grouped) {
		code = print_groups(starts, report, reached, error);
	} else if (!code) {
		code = evaluate_group(starts, NULL, 0, reached, &evaluation, error);
		if (!code)
			code = cli_evaluation_print("evaluate", report, evaluation, starts->sweeps, error);
		prn_evaluation_free(evaluation);
	}
	free(reached);
	return code;
}

int cli_starts_save(const struct cli_starts *starts, const char *path, const char *settings, struct prn_error *error)
{
	bool *reached = calloc(starts->offset_count, sizeof *reached);
	unsigned char *extra = calloc(starts->offset_count, 1);
	const struct prn_partial_about about = { .settings = settings, .extra = extra, .extra_bytes = starts->offset_count };
	struct prn_evaluation *evaluation = NULL;
	int code = reached && extra ? 0 : prn_error_memory(error);

	if (!code)
		code = evaluate_group(starts, NULL, 0, reached, &evaluation, error);
	for (size_t i = 0; i < starts->offset_count && !code; i++)
		extra[i] = reached[i];
	if (!code)
		code = prn_evaluation_save(evaluation, path, &about, error);
	prn_evaluation_free(evaluation);
	free(reached);
	free(extra);
	return code;
}

int cli_starts_check_parts(const size_t *offsets, size_t count, const struct prn_partial *const *partials, size_t partial_count,
                           struct prn_error *error)
{
	bool *reached = calloc(count + 1, sizeof *reached);
	int code = reached ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < partial_count && !code; i++) {
		const struct prn_partial_about *about = prn_partial_about(partials[i]);

		if (about->extra_bytes != count)
			code = prn_error_set(error, PRN_E_INPUT, "part %u does not say from which captures on it was evaluated", about->part.number);
		for (size_t j = 0; j < count && !code; j++)
			reached[j] |= about->extra[j];
	}
	if (!code && count > 1)
		code = check_reached(offsets, count, reached, error);
	free(reached);
	return code;
}
