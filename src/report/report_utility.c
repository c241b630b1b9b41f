/*
 * OP's figure 2: how an example page drifts away from its copy, the curve that the model fits to that, and the utility of a
 * refresh.
 */
#include "report/report.h"

#include "history/truth.h"
#include "perennial/fit.h"
#include "perennial/page.h"

#include <math.h>
#include <stdlib.h>

#define LAGS 15 /* the most captures since a refresh that are looked at */
#define REFRESH 5 /* captures between two refreshes, at the cost that is used in texts */
#define STEPS 60 /* points of a line */

const struct report_page *report_utility_page(const struct report *report)
{
	static const enum prn_nature natures[] = { PRN_NATURE_SCROLL, PRN_NATURE_MIXED, PRN_NATURE_CHURN };

	for (size_t i = 0; i < sizeof natures / sizeof *natures; i++)
		if (report->examples[natures[i]] && report->examples[natures[i]]->captures > LAGS)
			return report->examples[natures[i]];
	return NULL;
}

/*
 * Finds the mean divergence over pairs of captures, by how many captures lie between; points are in ascending order of time.
 * Returns how many.
 */
static size_t find_points(const struct prn_truth *truth, struct prn_point points[LAGS])
{
	size_t count = 0;

	for (size_t lag = 1; lag <= LAGS; lag++) {
		double time = 0, divergence = 0;
		size_t pairs = truth->captures - lag;

		for (size_t i = 0; i < pairs; i++) {
			time += truth->time[i + lag] - truth->time[i];
			divergence += prn_truth_divergence(truth, i, i + lag);
		}
		if (time > 0 && (!count || time / (double)pairs > points[count - 1].lag))
			points[count++] = (struct prn_point){ (float)(time / (double)pairs), (float)(divergence / (double)pairs) };
	}
	return count;
}

static void row(struct term_table *table, const char *what, double days, double divergence, double level)
{
	term_table_text(table, what);
	term_table_number(table, days);
	term_table_number(table, divergence);
	term_table_number(table, level);
}

static void print(struct term_table *table, const struct prn_curve *curve, const struct prn_point *points, size_t count, double refresh)
{
	double end = points[count - 1].lag, level = prn_curve_divergence(curve, refresh);

	for (size_t i = 0; i <= STEPS; i++) {
		double days = refresh * (double)i / STEPS;

		row(table, "utility", days, prn_curve_divergence(curve, days), level);
	}
	for (size_t i = 0; i <= STEPS; i++)
		row(table, "curve", end * (double)i / STEPS, prn_curve_divergence(curve, end * (double)i / STEPS), NAN);
	for (size_t i = 0; i < count; i++)
		row(table, "seen", points[i].lag, points[i].divergence, NAN);
}

static int write(const struct report *report, const struct prn_truth *truth, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "what", TERM_COLUMN_TEXT, 0 },        { "days", TERM_COLUMN_NUMBER, 4 },
		{ "divergence", TERM_COLUMN_NUMBER, 4 }, { "level", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	double refresh = REFRESH * truth->time[truth->captures - 1] / (double)(truth->captures - 1);
	struct prn_point points[LAGS];
	size_t count = find_points(truth, points);
	struct prn_fit *fit;
	struct prn_curve curve;
	struct report_table table;
	int code = prn_fit_open(&fit);

	if (code)
		return prn_error_memory(error);
	prn_fit_curve(fit, points, count, NULL, &curve);
	prn_fit_free(fit);
	code = report_table_open(report, &table, "utility.tsv", TERM_FORMAT_GNUPLOT, columns, error);
	if (code)
		return code;
	print(table.rows, &curve, points, count, refresh);
	return report_table_close(report, &table, 0, error);
}

int report_utility(const struct report *report, struct prn_error *error)
{
	const struct report_page *example = report_utility_page(report);
	struct prn_truth truth;
	struct prn_page page;
	int code;

	if (!example)
		return 0;
	prn_page_init(&page);
	prn_truth_init(&truth);
	code = report->pages.read(report->pages.context, example->index, &page, error);
	if (code >= 0) {
		code = prn_truth_read(&truth, &page, PRN_CLOCK_DAYS);
		if (code < 0)
			prn_error_set(error, code, "%s: %s", example->url, prn_error_text(code));
	}
	if (code > 0)
		code = write(report, &truth, error);
	prn_truth_release(&truth);
	prn_page_release(&page);
	return code;
}
