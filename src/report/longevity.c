#include "report/longevity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How long a ".2of3" at the end is: parts of one corpus have its name. */
static size_t part_ending(const char *path, size_t length)
{
	size_t at = length;

	while (at && path[at - 1] >= '0' && path[at - 1] <= '9')
		at--;
	if (at == length || at < 2 || memcmp(&path[at - 2], "of", 2))
		return 0;
	for (at -= 2; at && path[at - 1] >= '0' && path[at - 1] <= '9';)
		at--;
	return at > 1 && path[at - 1] == '.' && path[at] != 'o' && path[at - 2] != '/' ? length - at + 1 : 0;
}

static char *corpus_name(const char *path)
{
	static const char *const endings[] = { ".trace", ".warc", ".warc.gz", ".warc.zst", "/" };
	size_t length = strlen(path), start;

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && !memcmp(path + length - ending, endings[i], ending)) {
			length -= ending;
			break;
		}
	}
	length -= part_ending(path, length);
	for (start = length; start && path[start - 1] != '/';)
		start--;
	return strndup(path + start, length - start);
}

int report_corpora_name(struct report_corpora *corpora, const struct term_inputs *inputs, struct prn_error *error)
{
	size_t scopes = inputs->count > 1 ? inputs->count + 1 : 1;

	*corpora = (struct report_corpora){ .names = calloc(scopes, sizeof *corpora->names) };
	if (!corpora->names)
		return prn_error_memory(error);
	for (; corpora->scopes < scopes; corpora->scopes++) {
		size_t i = corpora->scopes;

		corpora->names[i] = i < inputs->count ? corpus_name(inputs->paths[i]) : strdup(REPORT_CORPORA_ALL);
		if (!corpora->names[i])
			return prn_error_memory(error);
	}
	return 0;
}

void report_corpora_release(struct report_corpora *corpora)
{
	for (size_t i = 0; i < corpora->scopes; i++)
		free(corpora->names[i]);
	free(corpora->names);
	*corpora = (struct report_corpora){ 0 };
}

/* A number for a person, in the statistic's unit: three digits that count. */
static void person_number(double number, const char *unit, char out[32])
{
	if (isnan(number))
		snprintf(out, 32, "-");
	else if (!strcmp(unit, "count"))
		snprintf(out, 32, "%.0f", number);
	else if (!strcmp(unit, "days") && number >= 100)
		snprintf(out, 32, "%.0f", number);
	else if (!strcmp(unit, "days") && number >= 10)
		snprintf(out, 32, "%.1f", number);
	else
		snprintf(out, 32, "%.3f", number);
}

static void number_cell(struct term_table *table, double number, const char *unit)
{
	char text[32];

	person_number(number, unit, text);
	term_table_text(table, text);
}

static int statistics_of_one(FILE *out, const struct report_longevity *measured, bool bars, const char *note,
                             struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "statistic", TERM_COLUMN_TEXT, 0 }, { "value", TERM_COLUMN_TEXT, 0 }, { "95 % from", TERM_COLUMN_TEXT, 0 },
		{ "to", TERM_COLUMN_TEXT, 0 },        { "unit", TERM_COLUMN_TEXT, 0 },  { "what it is", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, TERM_FORMAT_TABLE, columns);
	const struct prn_statistic_info *info;

	for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
		struct prn_interval value = prn_longevity_statistic(measured->longevity, 0, i);

		if (info->bar != bars)
			continue;
		term_table_text(table, info->name);
		number_cell(table, value.value, info->unit);
		number_cell(table, value.low, info->unit);
		number_cell(table, value.high, info->unit);
		term_table_text(table, info->unit);
		term_table_text(table, info->title);
	}
	return term_table_close(table, note, error);
}

static int statistics_side_by_side(FILE *out, const struct report_longevity *measured, bool bars, const char *note,
                                   struct prn_error *error)
{
	size_t scopes = measured->corpora->scopes;
	struct term_column *columns = calloc(scopes + 3, sizeof *columns);
	const struct prn_statistic_info *info;
	struct term_table *table;
	int code;

	if (!columns)
		return prn_error_memory(error);
	columns[0] = (struct term_column){ "statistic", TERM_COLUMN_TEXT, 0 };
	for (size_t scope = 0; scope < scopes; scope++)
		columns[scope + 1] = (struct term_column){ measured->corpora->names[scope], TERM_COLUMN_TEXT, 0 };
	columns[scopes + 1] = (struct term_column){ "unit", TERM_COLUMN_TEXT, 0 };
	table = term_table_open_in(out, TERM_FORMAT_TABLE, columns);
	for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
		if (info->bar != bars)
			continue;
		term_table_text(table, info->name);
		for (size_t scope = 0; scope < scopes; scope++)
			number_cell(table, prn_longevity_statistic(measured->longevity, scope, i).value, info->unit);
		term_table_text(table, info->unit);
	}
	code = term_table_close(table, note, error);
	free(columns);
	return code;
}

static int statistics_in_rows(FILE *out, const struct report_longevity *measured, enum term_format format, bool bars,
                              struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "corpus", TERM_COLUMN_TEXT, 0 },  { "statistic", TERM_COLUMN_TEXT, 0 }, { "value", TERM_COLUMN_NUMBER, 4 },
		{ "low", TERM_COLUMN_NUMBER, 4 },   { "high", TERM_COLUMN_NUMBER, 4 },    { "unit", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, format, columns);
	const struct prn_statistic_info *info;

	for (size_t scope = 0; scope < measured->corpora->scopes; scope++)
		for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
			struct prn_interval value = prn_longevity_statistic(measured->longevity, scope, i);

			if (info->bar != bars)
				continue;
			term_table_text(table, measured->corpora->names[scope]);
			term_table_text(table, info->name);
			term_table_number(table, value.value);
			term_table_number(table, value.low);
			term_table_number(table, value.high);
			term_table_text(table, info->unit);
		}
	return term_table_close(table, NULL, error);
}

static int statistics(FILE *out, const struct report_longevity *measured, enum term_format format, bool bars,
                      const char *note, struct prn_error *error)
{
	if (format != TERM_FORMAT_TABLE)
		return statistics_in_rows(out, measured, format, bars, error);
	return measured->corpora->scopes > 1 ? statistics_side_by_side(out, measured, bars, note, error)
	                                     : statistics_of_one(out, measured, bars, note, error);
}

int report_longevity_statistics(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                                struct prn_error *error)
{
	return statistics(out, measured, format, false, note, error);
}

int report_longevity_bars(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                          struct prn_error *error)
{
	return statistics(out, measured, format, true, note, error);
}

static void point_cells(struct term_table *table, const struct prn_survival_point *point)
{
	term_table_count(table, point->at_risk);
	term_table_number(table, point->survival.value);
	term_table_number(table, point->survival.low);
	term_table_number(table, point->survival.high);
	term_table_number(table, point->known_only);
}

/* Fragments' durations in one unit: tallies by what was seen of them, and survival. */
static int fragment_survival(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                             const char *unit,
                             const struct prn_survival *(*of)(const struct prn_longevity *longevity, size_t scope),
                             struct prn_error *error)
{
	const struct term_column columns[] = {
		{ "corpus", TERM_COLUMN_TEXT, 0 },          { unit, TERM_COLUMN_NUMBER, 4 },
		{ "known", TERM_COLUMN_COUNT, 0 },          { "censored_right", TERM_COLUMN_COUNT, 0 },
		{ "censored_left", TERM_COLUMN_COUNT, 0 },  { "censored_both", TERM_COLUMN_COUNT, 0 },
		{ "at_risk", TERM_COLUMN_COUNT, 0 },        { "survival", TERM_COLUMN_NUMBER, 4 },
		{ "low", TERM_COLUMN_NUMBER, 4 },           { "high", TERM_COLUMN_NUMBER, 4 },
		{ "known_survival", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < measured->corpora->scopes; scope++) {
		const struct prn_survival *survival = of(measured->longevity, scope);
		const struct prn_survival_point *points = prn_survival_points(survival);

		for (size_t i = 0; i < prn_survival_count(survival); i++) {
			term_table_text(table, measured->corpora->names[scope]);
			term_table_number(table, points[i].duration);
			for (int kind = 0; kind < PRN_CENSORINGS; kind++)
				term_table_count(table, points[i].counts[kind]);
			point_cells(table, &points[i]);
		}
	}
	return term_table_close(table, note, error);
}

int report_longevity_lifetimes(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                               struct prn_error *error)
{
	return fragment_survival(out, measured, format, note, "days", prn_longevity_lifetimes, error);
}

int report_longevity_k(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                       struct prn_error *error)
{
	return fragment_survival(out, measured, format, note, "k", prn_longevity_k, error);
}

int report_longevity_survival(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                              struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "corpus", TERM_COLUMN_TEXT, 0 },   { "days", TERM_COLUMN_NUMBER, 4 },  { "ended", TERM_COLUMN_COUNT, 0 },
		{ "censored", TERM_COLUMN_COUNT, 0 }, { "at_risk", TERM_COLUMN_COUNT, 0 }, { "survival", TERM_COLUMN_NUMBER, 4 },
		{ "low", TERM_COLUMN_NUMBER, 4 },    { "high", TERM_COLUMN_NUMBER, 4 },  { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < measured->corpora->scopes; scope++) {
		const struct prn_survival *survival = prn_longevity_unchanged(measured->longevity, scope);
		const struct prn_survival_point *points = prn_survival_points(survival);

		for (size_t i = 0; i < prn_survival_count(survival); i++) {
			term_table_text(table, measured->corpora->names[scope]);
			term_table_number(table, points[i].duration);
			term_table_count(table, points[i].counts[PRN_CENSORED_NOT]);
			term_table_count(table, points[i].counts[PRN_CENSORED_RIGHT]);
			term_table_count(table, points[i].at_risk);
			term_table_number(table, points[i].survival.value);
			term_table_number(table, points[i].survival.low);
			term_table_number(table, points[i].survival.high);
		}
	}
	return term_table_close(table, note, error);
}

int report_longevity_scaled(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                            struct prn_error *error)
{
	static const enum prn_nature natures[] = { PRN_NATURE_CHURN, PRN_NATURE_SCROLL };
	static const struct term_column columns[] = {
		{ "corpus", TERM_COLUMN_TEXT, 0 },     { "nature", TERM_COLUMN_TEXT, 0 },   { "changes", TERM_COLUMN_NUMBER, 4 },
		{ "known", TERM_COLUMN_COUNT, 0 },     { "at_risk", TERM_COLUMN_COUNT, 0 }, { "survival", TERM_COLUMN_NUMBER, 4 },
		{ "known_survival", TERM_COLUMN_NUMBER, 4 }, { "model", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < measured->corpora->scopes; scope++)
		for (size_t n = 0; n < sizeof natures / sizeof *natures; n++) {
			const struct prn_survival *survival =
				prn_longevity_scaled(measured->longevity, scope, natures[n]);
			const struct prn_survival_point *points = prn_survival_points(survival);

			for (size_t i = 0; i < prn_survival_count(survival); i++) {
				term_table_text(table, measured->corpora->names[scope]);
				term_table_text(table, prn_nature_name(natures[n]));
				term_table_number(table, points[i].duration);
				term_table_count(table, points[i].counts[PRN_CENSORED_NOT]);
				term_table_count(table, points[i].at_risk);
				term_table_number(table, points[i].survival.value);
				term_table_number(table, points[i].known_only);
				term_table_number(table, prn_longevity_scaled_model(measured->longevity, scope, natures[n],
				                                                   points[i].duration));
			}
		}
	return term_table_close(table, note, error);
}

int report_longevity_intervals(FILE *out, const struct report_longevity *measured, enum term_format format, const char *note,
                               struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "corpus", TERM_COLUMN_TEXT, 0 },    { "from", TERM_COLUMN_NUMBER, 1 },     { "to", TERM_COLUMN_NUMBER, 1 },
		{ "seen", TERM_COLUMN_COUNT, 0 },     { "share", TERM_COLUMN_NUMBER, 4 },    { "expected", TERM_COLUMN_NUMBER, 4 },
		{ "low", TERM_COLUMN_NUMBER, 4 },     { "high", TERM_COLUMN_NUMBER, 4 },
		{ "exponential", TERM_COLUMN_NUMBER, 4 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < measured->corpora->scopes; scope++) {
		const struct prn_change_times *bins = prn_longevity_change_times(measured->longevity, scope);

		for (size_t i = 0; i < PRN_CHANGE_TIMES; i++) {
			term_table_text(table, measured->corpora->names[scope]);
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
	return term_table_close(table, note, error);
}
