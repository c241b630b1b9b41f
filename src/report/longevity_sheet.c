/* Rows of measurements, for programs: one scope after another, with its name in the first column. */
#include "report/longevity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void statistic_rows(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name, bool bars)
{
	const struct prn_statistic_info *info;

	for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
		struct prn_interval value = prn_longevity_statistic(longevity, scope, i);

		if (info->bar != bars)
			continue;
		term_table_text(table, name);
		term_table_text(table, info->name);
		term_table_number(table, value.value);
		term_table_number(table, value.low);
		term_table_number(table, value.high);
		term_table_text(table, info->unit);
	}
}

static void statistics(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	statistic_rows(table, longevity, scope, name, false);
}

static void bars(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	statistic_rows(table, longevity, scope, name, true);
}

/* An overview for people: a few of the statistics under short names, two of them with their intervals. */
static const struct term_column overview_columns[] = {
	{ "pages", TERM_COLUMN_NUMBER, 0 },  { "captures", TERM_COLUMN_NUMBER, 0 }, { "days", TERM_COLUMN_NUMBER, 1 },
	{ "changed", TERM_COLUMN_NUMBER, 2 }, { "change_frequency", TERM_COLUMN_NUMBER, 3 }, { "low", TERM_COLUMN_NUMBER, 3 },
	{ "high", TERM_COLUMN_NUMBER, 3 },   { "half_life", TERM_COLUMN_NUMBER, 3 }, { "static", TERM_COLUMN_NUMBER, 3 },
	{ "churn", TERM_COLUMN_NUMBER, 3 },  { "scroll", TERM_COLUMN_NUMBER, 3 },   { "churn_of_births", TERM_COLUMN_NUMBER, 3 },
	{ "low", TERM_COLUMN_NUMBER, 3 },    { "high", TERM_COLUMN_NUMBER, 3 },     { "lifetime", TERM_COLUMN_NUMBER, 3 },
	{ NULL, TERM_COLUMN_TEXT, 0 },
};

static void overview(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	static const struct {
		const char *name;
		bool with_interval;
	} shown[] = {
		{ "pages", false },       { "captures", false },     { "days", false },        { "changed_pages", false },
		{ "change_frequency", true }, { "half_life_days", false }, { "static_share", false }, { "churn_share", false },
		{ "scroll_share", false }, { "churn_of_births", true }, { "lifetime_median_days", false },
	};

	term_table_text(table, name);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		struct prn_interval value = prn_longevity_statistic(longevity, scope, prn_statistic_find(shown[i].name));

		term_table_number(table, value.value);
		if (!shown[i].with_interval)
			continue;
		term_table_number(table, value.low);
		term_table_number(table, value.high);
	}
}

static void fragment_rows(struct term_table *table, const struct prn_survival *survival, const char *name)
{
	const struct prn_survival_point *points = prn_survival_points(survival);

	for (size_t i = 0; i < prn_survival_count(survival); i++) {
		term_table_text(table, name);
		term_table_number(table, points[i].duration);
		for (int kind = 0; kind < PRN_CENSORINGS; kind++)
			term_table_count(table, points[i].counts[kind]);
		term_table_count(table, points[i].at_risk);
		term_table_number(table, points[i].survival.value);
		term_table_number(table, points[i].survival.low);
		term_table_number(table, points[i].survival.high);
		term_table_number(table, points[i].known_only);
	}
}

static void lifetimes(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	fragment_rows(table, prn_longevity_lifetimes(longevity, scope), name);
}

static void k(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	fragment_rows(table, prn_longevity_k(longevity, scope), name);
}

static void unchanged(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	const struct prn_survival *survival = prn_longevity_unchanged(longevity, scope);
	const struct prn_survival_point *points = prn_survival_points(survival);

	for (size_t i = 0; i < prn_survival_count(survival); i++) {
		term_table_text(table, name);
		term_table_number(table, points[i].duration);
		term_table_count(table, points[i].counts[PRN_CENSORED_NOT]);
		term_table_count(table, points[i].counts[PRN_CENSORED_RIGHT]);
		term_table_count(table, points[i].at_risk);
		term_table_number(table, points[i].survival.value);
		term_table_number(table, points[i].survival.low);
		term_table_number(table, points[i].survival.high);
	}
}

static void scaled(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	static const enum prn_nature natures[] = { PRN_NATURE_CHURN, PRN_NATURE_SCROLL };

	for (size_t n = 0; n < sizeof natures / sizeof *natures; n++) {
		const struct prn_survival *survival = prn_longevity_scaled(longevity, scope, natures[n]);
		const struct prn_survival_point *points = prn_survival_points(survival);

		for (size_t i = 0; i < prn_survival_count(survival); i++) {
			term_table_text(table, name);
			term_table_text(table, prn_nature_name(natures[n]));
			term_table_number(table, points[i].duration);
			term_table_count(table, points[i].counts[PRN_CENSORED_NOT]);
			term_table_count(table, points[i].at_risk);
			term_table_number(table, points[i].survival.value);
			term_table_number(table, points[i].known_only);
			term_table_number(table, prn_longevity_scaled_model(longevity, scope, natures[n], points[i].duration));
		}
	}
}

static void intervals(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	const struct prn_change_times *bins = prn_longevity_change_times(longevity, scope);

	for (size_t i = 0; i < PRN_CHANGE_TIMES; i++) {
		term_table_text(table, name);
		term_table_number(table, bins[i].from);
		term_table_number(table, isfinite(bins[i].to) ? bins[i].to : NAN);
		term_table_count(table, bins[i].seen);
		term_table_number(table, bins[i].share);
		term_table_number(table, bins[i].expected);
		term_table_number(table, bins[i].low);
		term_table_number(table, bins[i].high);
		term_table_number(table, bins[i].exponential);
	}
}

static const struct term_column statistic_columns[] = {
	{ "statistic", TERM_COLUMN_TEXT, 0 }, { "value", TERM_COLUMN_NUMBER, 4 }, { "low", TERM_COLUMN_NUMBER, 4 },
	{ "high", TERM_COLUMN_NUMBER, 4 },    { "unit", TERM_COLUMN_TEXT, 0 },    { NULL, TERM_COLUMN_TEXT, 0 },
};

#define FRAGMENT_COLUMNS \
	{ "known", TERM_COLUMN_COUNT, 0 },           { "censored_right", TERM_COLUMN_COUNT, 0 }, \
	{ "censored_left", TERM_COLUMN_COUNT, 0 },   { "censored_both", TERM_COLUMN_COUNT, 0 },  \
	{ "at_risk", TERM_COLUMN_COUNT, 0 },         { "survival", TERM_COLUMN_NUMBER, 4 },      \
	{ "low", TERM_COLUMN_NUMBER, 4 },            { "high", TERM_COLUMN_NUMBER, 4 },          \
	{ "known_survival", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 }

static const struct term_column lifetime_columns[] = { { "days", TERM_COLUMN_NUMBER, 4 }, FRAGMENT_COLUMNS };
static const struct term_column k_columns[] = { { "k", TERM_COLUMN_NUMBER, 4 }, FRAGMENT_COLUMNS };
static const struct term_column unchanged_columns[] = {
	{ "days", TERM_COLUMN_NUMBER, 4 },   { "ended", TERM_COLUMN_COUNT, 0 }, { "censored", TERM_COLUMN_COUNT, 0 },
	{ "at_risk", TERM_COLUMN_COUNT, 0 }, { "survival", TERM_COLUMN_NUMBER, 4 }, { "low", TERM_COLUMN_NUMBER, 4 },
	{ "high", TERM_COLUMN_NUMBER, 4 },   { NULL, TERM_COLUMN_TEXT, 0 },
};
static const struct term_column scaled_columns[] = {
	{ "nature", TERM_COLUMN_TEXT, 0 },           { "changes", TERM_COLUMN_NUMBER, 4 },  { "known", TERM_COLUMN_COUNT, 0 },
	{ "at_risk", TERM_COLUMN_COUNT, 0 },         { "survival", TERM_COLUMN_NUMBER, 4 },
	{ "known_survival", TERM_COLUMN_NUMBER, 4 }, { "model", TERM_COLUMN_NUMBER, 4 },    { NULL, TERM_COLUMN_TEXT, 0 },
};
static const struct term_column interval_columns[] = {
	{ "from", TERM_COLUMN_NUMBER, 1 },     { "to", TERM_COLUMN_NUMBER, 1 },   { "seen", TERM_COLUMN_COUNT, 0 },
	{ "share", TERM_COLUMN_NUMBER, 4 },    { "expected", TERM_COLUMN_NUMBER, 4 }, { "low", TERM_COLUMN_NUMBER, 4 },
	{ "high", TERM_COLUMN_NUMBER, 4 },     { "exponential", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 },
};

static const struct {
	const struct term_column *columns; /* the columns behind that of names */
	void (*add)(struct term_table *table, const struct prn_longevity *longevity, size_t scope, const char *name);
} views[REPORT_VIEWS] = {
	[REPORT_VIEW_STATISTICS] = { statistic_columns, statistics },
	[REPORT_VIEW_BARS] = { statistic_columns, bars },
	[REPORT_VIEW_LIFETIMES] = { lifetime_columns, lifetimes },
	[REPORT_VIEW_SURVIVAL] = { unchanged_columns, unchanged },
	[REPORT_VIEW_K] = { k_columns, k },
	[REPORT_VIEW_SCALED] = { scaled_columns, scaled },
	[REPORT_VIEW_INTERVALS] = { interval_columns, intervals },
	[REPORT_VIEW_OVERVIEW] = { overview_columns, overview },
};

void report_sheet_begin(struct report_sheet *sheet, FILE *out, enum report_view view, enum term_format format, const char *by)
{
	size_t n = 0;

	*sheet = (struct report_sheet){ .view = view };
	sheet->columns[n++] = (struct term_column){ by, TERM_COLUMN_TEXT, 0 };
	for (const struct term_column *column = views[view].columns; column->name; column++)
		sheet->columns[n++] = *column;
	sheet->table = term_table_open_in(out, format, sheet->columns);
}

void report_sheet_add(struct report_sheet *sheet, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	views[sheet->view].add(sheet->table, longevity, scope, name);
}

int report_sheet_end(struct report_sheet *sheet, const char *note, struct prn_error *error)
{
	return term_table_close(sheet->table, note, error);
}
