#include "cli/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	for (start = length; start && path[start - 1] != '/';)
		start--;
	return strndup(path + start, length - start);
}

void cli_corpora_name(struct cli_corpora *corpora, const struct cli_inputs *inputs)
{
	corpora->scopes = inputs->count > 1 ? inputs->count + 1 : 1;
	corpora->names = calloc(corpora->scopes, sizeof *corpora->names);
	if (!corpora->names)
		abort();
	for (size_t i = 0; i < corpora->scopes; i++) {
		corpora->names[i] = i < inputs->count ? corpus_name(inputs->paths[i]) : strdup("all");
		if (!corpora->names[i])
			abort();
	}
}

void cli_corpora_release(struct cli_corpora *corpora)
{
	for (size_t i = 0; i < corpora->scopes; i++)
		free(corpora->names[i]);
	free(corpora->names);
	*corpora = (struct cli_corpora){ 0 };
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

static void number_cell(struct cli_table *table, double number, const char *unit)
{
	char text[32];

	person_number(number, unit, text);
	cli_table_text(table, text);
}

static int statistics_of_one(FILE *out, const struct cli_findings *findings, bool bars, const char *note)
{
	static const struct cli_column columns[] = {
		{ "statistic", CLI_COLUMN_TEXT, 0 }, { "value", CLI_COLUMN_TEXT, 0 }, { "95 % from", CLI_COLUMN_TEXT, 0 },
		{ "to", CLI_COLUMN_TEXT, 0 },        { "unit", CLI_COLUMN_TEXT, 0 },  { "what it is", CLI_COLUMN_TEXT, 0 },
		{ NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open_in(out, CLI_FORMAT_TABLE, columns);
	const struct prn_statistic_info *info;

	for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
		struct prn_interval value = prn_longevity_statistic(findings->longevity, 0, i);

		if (info->bar != bars)
			continue;
		cli_table_text(table, info->name);
		number_cell(table, value.value, info->unit);
		number_cell(table, value.low, info->unit);
		number_cell(table, value.high, info->unit);
		cli_table_text(table, info->unit);
		cli_table_text(table, info->title);
	}
	return cli_table_close(table, note);
}

static int statistics_side_by_side(FILE *out, const struct cli_findings *findings, bool bars, const char *note)
{
	size_t scopes = findings->corpora->scopes;
	struct cli_column *columns = calloc(scopes + 3, sizeof *columns);
	const struct prn_statistic_info *info;
	struct cli_table *table;
	int failed;

	if (!columns)
		abort();
	columns[0] = (struct cli_column){ "statistic", CLI_COLUMN_TEXT, 0 };
	for (size_t scope = 0; scope < scopes; scope++)
		columns[scope + 1] = (struct cli_column){ findings->corpora->names[scope], CLI_COLUMN_TEXT, 0 };
	columns[scopes + 1] = (struct cli_column){ "unit", CLI_COLUMN_TEXT, 0 };
	table = cli_table_open_in(out, CLI_FORMAT_TABLE, columns);
	for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
		if (info->bar != bars)
			continue;
		cli_table_text(table, info->name);
		for (size_t scope = 0; scope < scopes; scope++)
			number_cell(table, prn_longevity_statistic(findings->longevity, scope, i).value, info->unit);
		cli_table_text(table, info->unit);
	}
	failed = cli_table_close(table, note);
	free(columns);
	return failed;
}

static int statistics_in_rows(FILE *out, const struct cli_findings *findings, enum cli_format format, bool bars)
{
	static const struct cli_column columns[] = {
		{ "corpus", CLI_COLUMN_TEXT, 0 },  { "statistic", CLI_COLUMN_TEXT, 0 }, { "value", CLI_COLUMN_NUMBER, 4 },
		{ "low", CLI_COLUMN_NUMBER, 4 },   { "high", CLI_COLUMN_NUMBER, 4 },    { "unit", CLI_COLUMN_TEXT, 0 },
		{ NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open_in(out, format, columns);
	const struct prn_statistic_info *info;

	for (size_t scope = 0; scope < findings->corpora->scopes; scope++)
		for (size_t i = 0; (info = prn_statistic_info(i)); i++) {
			struct prn_interval value = prn_longevity_statistic(findings->longevity, scope, i);

			if (info->bar != bars)
				continue;
			cli_table_text(table, findings->corpora->names[scope]);
			cli_table_text(table, info->name);
			cli_table_number(table, value.value);
			cli_table_number(table, value.low);
			cli_table_number(table, value.high);
			cli_table_text(table, info->unit);
		}
	return cli_table_close(table, NULL);
}

static int statistics(FILE *out, const struct cli_findings *findings, enum cli_format format, bool bars,
                      const char *note)
{
	if (format != CLI_FORMAT_TABLE)
		return statistics_in_rows(out, findings, format, bars);
	return findings->corpora->scopes > 1 ? statistics_side_by_side(out, findings, bars, note)
	                                     : statistics_of_one(out, findings, bars, note);
}

int cli_findings_statistics(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	return statistics(out, findings, format, false, note);
}

int cli_findings_bars(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	return statistics(out, findings, format, true, note);
}

static void point_cells(struct cli_table *table, const struct prn_survival_point *point)
{
	cli_table_count(table, point->at_risk);
	cli_table_number(table, point->survival.value);
	cli_table_number(table, point->survival.low);
	cli_table_number(table, point->survival.high);
	cli_table_number(table, point->known_only);
}

/* Fragments' durations in one unit: tallies by what was seen of them, and survival. */
static int fragment_survival(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note,
                             const char *unit,
                             const struct prn_survival *(*of)(const struct prn_longevity *longevity, size_t scope))
{
	const struct cli_column columns[] = {
		{ "corpus", CLI_COLUMN_TEXT, 0 },          { unit, CLI_COLUMN_NUMBER, 4 },
		{ "known", CLI_COLUMN_COUNT, 0 },          { "censored_right", CLI_COLUMN_COUNT, 0 },
		{ "censored_left", CLI_COLUMN_COUNT, 0 },  { "censored_both", CLI_COLUMN_COUNT, 0 },
		{ "at_risk", CLI_COLUMN_COUNT, 0 },        { "survival", CLI_COLUMN_NUMBER, 4 },
		{ "low", CLI_COLUMN_NUMBER, 4 },           { "high", CLI_COLUMN_NUMBER, 4 },
		{ "known_survival", CLI_COLUMN_NUMBER, 4 }, { NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < findings->corpora->scopes; scope++) {
		const struct prn_survival *survival = of(findings->longevity, scope);
		const struct prn_survival_point *points = prn_survival_points(survival);

		for (size_t i = 0; i < prn_survival_count(survival); i++) {
			cli_table_text(table, findings->corpora->names[scope]);
			cli_table_number(table, points[i].duration);
			for (int kind = 0; kind < PRN_CENSORINGS; kind++)
				cli_table_count(table, points[i].tally[kind]);
			point_cells(table, &points[i]);
		}
	}
	return cli_table_close(table, note);
}

int cli_findings_lifetimes(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	return fragment_survival(out, findings, format, note, "days", prn_longevity_lifetimes);
}

int cli_findings_k(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	return fragment_survival(out, findings, format, note, "k", prn_longevity_k);
}

int cli_findings_survival(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	static const struct cli_column columns[] = {
		{ "corpus", CLI_COLUMN_TEXT, 0 },   { "days", CLI_COLUMN_NUMBER, 4 },  { "ended", CLI_COLUMN_COUNT, 0 },
		{ "censored", CLI_COLUMN_COUNT, 0 }, { "at_risk", CLI_COLUMN_COUNT, 0 }, { "survival", CLI_COLUMN_NUMBER, 4 },
		{ "low", CLI_COLUMN_NUMBER, 4 },    { "high", CLI_COLUMN_NUMBER, 4 },  { NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < findings->corpora->scopes; scope++) {
		const struct prn_survival *survival = prn_longevity_unchanged(findings->longevity, scope);
		const struct prn_survival_point *points = prn_survival_points(survival);

		for (size_t i = 0; i < prn_survival_count(survival); i++) {
			cli_table_text(table, findings->corpora->names[scope]);
			cli_table_number(table, points[i].duration);
			cli_table_count(table, points[i].tally[PRN_CENSORED_NOT]);
			cli_table_count(table, points[i].tally[PRN_CENSORED_RIGHT]);
			cli_table_count(table, points[i].at_risk);
			cli_table_number(table, points[i].survival.value);
			cli_table_number(table, points[i].survival.low);
			cli_table_number(table, points[i].survival.high);
		}
	}
	return cli_table_close(table, note);
}

int cli_findings_scaled(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	static const enum prn_nature natures[] = { PRN_NATURE_CHURN, PRN_NATURE_SCROLL };
	static const struct cli_column columns[] = {
		{ "corpus", CLI_COLUMN_TEXT, 0 },     { "nature", CLI_COLUMN_TEXT, 0 },   { "changes", CLI_COLUMN_NUMBER, 4 },
		{ "known", CLI_COLUMN_COUNT, 0 },     { "at_risk", CLI_COLUMN_COUNT, 0 }, { "survival", CLI_COLUMN_NUMBER, 4 },
		{ "known_survival", CLI_COLUMN_NUMBER, 4 }, { "model", CLI_COLUMN_NUMBER, 4 }, { NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < findings->corpora->scopes; scope++)
		for (size_t n = 0; n < sizeof natures / sizeof *natures; n++) {
			const struct prn_survival *survival =
				prn_longevity_scaled(findings->longevity, scope, natures[n]);
			const struct prn_survival_point *points = prn_survival_points(survival);

			for (size_t i = 0; i < prn_survival_count(survival); i++) {
				cli_table_text(table, findings->corpora->names[scope]);
				cli_table_text(table, prn_nature_name(natures[n]));
				cli_table_number(table, points[i].duration);
				cli_table_count(table, points[i].tally[PRN_CENSORED_NOT]);
				cli_table_count(table, points[i].at_risk);
				cli_table_number(table, points[i].survival.value);
				cli_table_number(table, points[i].known_only);
				cli_table_number(table, prn_longevity_scaled_model(findings->longevity, scope, natures[n],
				                                                   points[i].duration));
			}
		}
	return cli_table_close(table, note);
}

int cli_findings_intervals(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note)
{
	static const struct cli_column columns[] = {
		{ "corpus", CLI_COLUMN_TEXT, 0 },    { "from", CLI_COLUMN_NUMBER, 1 },     { "to", CLI_COLUMN_NUMBER, 1 },
		{ "seen", CLI_COLUMN_COUNT, 0 },     { "share", CLI_COLUMN_NUMBER, 4 },    { "expected", CLI_COLUMN_NUMBER, 4 },
		{ "low", CLI_COLUMN_NUMBER, 4 },     { "high", CLI_COLUMN_NUMBER, 4 },
		{ "exponential", CLI_COLUMN_NUMBER, 4 }, { NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open_in(out, format, columns);

	for (size_t scope = 0; scope < findings->corpora->scopes; scope++) {
		const struct prn_change_times *bins = prn_longevity_change_times(findings->longevity, scope);

		for (size_t i = 0; i < PRN_CHANGE_TIMES; i++) {
			cli_table_text(table, findings->corpora->names[scope]);
			cli_table_number(table, bins[i].from);
			cli_table_number(table, isfinite(bins[i].to) ? bins[i].to : NAN);
			cli_table_count(table, bins[i].seen);
			cli_table_number(table, bins[i].share);
			cli_table_number(table, bins[i].expected);
			cli_table_number(table, bins[i].low);
			cli_table_number(table, bins[i].high);
			cli_table_number(table, bins[i].exponential);
		}
	}
	return cli_table_close(table, note);
}
