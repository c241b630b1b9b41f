/* OP's figure 4: lifetimes on scroll pages, in times between changes, by the most common K of a page. */
#include "report/report.h"

#include "longevity/survival_internal.h"
#include "perennial/curve.h"

#include <math.h>
#include <stdlib.h>

/* The least K of each group. */
static const struct {
	const char *name;
	uint32_t least;
} groups[] = { { "1-3", 0 }, { "4-7", 4 }, { "8+", 8 } };

#define GROUPS (sizeof groups / sizeof *groups)

struct report_groups {
	struct prn_survival *survivals[GROUPS];
	double weights[GROUPS][PRN_CURVE_ITEMS + 1]; /* number of lives whose birth was seen, by the K of their page */
};

int report_groups_open(struct report_groups **out)
{
	struct report_groups *made = calloc(1, sizeof *made);
	int code = made ? 0 : PRN_E_MEMORY;

	for (size_t i = 0; i < GROUPS && !code; i++)
		code = prn_survival_open(&made->survivals[i], 0);
	if (code)
		report_groups_free(made);
	else
		*out = made;
	return code;
}

void report_groups_free(struct report_groups *of)
{
	for (size_t i = 0; of && i < GROUPS; i++)
		prn_survival_free(of->survivals[i]);
	free(of);
}

int report_groups_add(struct report_groups *of, const struct prn_study *study)
{
	const struct prn_study_result *page = prn_study_result(study);
	size_t count, group = GROUPS - 1;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(study, &count);
	int code = 0;

	if (page->nature != PRN_NATURE_SCROLL)
		return 0;
	while (page->dominant_k < groups[group].least)
		group--;
	for (size_t i = 0; i < count && !code; i++) {
		enum prn_censoring seen = lifetimes[i].censoring;

		if (seen == PRN_CENSORED_NOT || seen == PRN_CENSORED_RIGHT)
			of->weights[group][page->dominant_k < PRN_CURVE_ITEMS ? page->dominant_k : PRN_CURVE_ITEMS]++;
		code = prn_survival_add(of->survivals[group], 0, lifetimes[i].days / page->interval_days, seen);
	}
	return code;
}

/* Returns the mean of 1 - P(K, x) over lives: a sum of Poisson terms, each weighted by the lives of pages with a larger K. */
static double model(const double *weights, double x)
{
	double total = 0, heavier, sum = 0;

	for (size_t k = 0; k <= PRN_CURVE_ITEMS; k++)
		total += weights[k];
	heavier = total;
	for (size_t k = 0; k < PRN_CURVE_ITEMS && heavier > 0; k++) {
		heavier -= weights[k];
		sum += exp((double)k * log(x) - x - lgamma((double)k + 1)) * heavier;
	}
	return total > 0 ? sum / total : NAN;
}

static void rows(struct term_table *table, const struct report_groups *of, size_t group)
{
	const struct prn_survival_point *points = prn_survival_points(of->survivals[group]);

	for (size_t i = 0; i < prn_survival_count(of->survivals[group]); i++) {
		term_table_text(table, groups[group].name);
		term_table_number(table, points[i].duration);
		term_table_count(table, points[i].counts[PRN_CENSORED_NOT]);
		term_table_count(table, points[i].at_risk);
		term_table_number(table, points[i].survival.value);
		term_table_number(table, model(of->weights[group], points[i].duration));
	}
}

int report_groups_write(const struct report *report, struct report_groups *of, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "group", TERM_COLUMN_TEXT, 0 },    { "changes", TERM_COLUMN_NUMBER, 4 },  { "known", TERM_COLUMN_COUNT, 0 },
		{ "at_risk", TERM_COLUMN_COUNT, 0 }, { "survival", TERM_COLUMN_NUMBER, 4 }, { "model", TERM_COLUMN_NUMBER, 4 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct report_table table;
	int code = 0;

	for (size_t i = 0; i < GROUPS && !code; i++)
		code = prn_survival_finish(of->survivals[i], NULL);
	if (code)
		return prn_error_memory(error);
	code = report_table_open(report, &table, "scaled-k.tsv", TERM_FORMAT_GNUPLOT, columns, error);
	if (code)
		return code;
	for (size_t i = 0; i < GROUPS; i++)
		rows(table.rows, of, i);
	return report_table_close(report, &table, 0, error);
}
