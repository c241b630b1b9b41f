#include "report/longevity.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of a ".2of3" at the end of a path, or 0: the parts of a corpus are called as the corpus is. */
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

/* Returns the length of a path without the ending of its kind of file. */
static size_t without_ending(const char *path)
{
	static const char *const endings[] = { ".trace", ".warc", ".warc.gz", ".warc.zst", "/" };
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && !memcmp(path + length - ending, endings[i], ending))
			return length - ending;
	}
	return length;
}

static char *corpus_name(const char *path)
{
	size_t length = without_ending(path), start;

	length -= part_ending(path, length);
	for (start = length; start && path[start - 1] != '/';)
		start--;
	return strndup(path + start, length - start);
}

/* Whether an earlier input has the same name. */
static bool is_taken(const struct report_corpora *corpora, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(corpora->names[j], corpora->names[i]))
			return true;
	return false;
}

/*
 * Two files of the same name are told apart by their folders.  A corpus of several sources is called after the first, and how
 * many more there are.
 */
static char *input_name(const struct report_corpora *corpora, const struct term_inputs *inputs, size_t i)
{
	const char *path = inputs->paths[i];
	char *name = corpora->names[i], *longer = NULL;
	bool is_part = part_ending(path, without_ending(path)) > 0;

	if (i + 1 == inputs->count && inputs->pooled > 1) {
		if (asprintf(&longer, "%s and %zu more", name, inputs->pooled - 1) < 0)
			longer = NULL;
	} else if (is_taken(corpora, i) && !is_part) {
		longer = strdup(path);
	} else {
		return name;
	}
	free(name);
	return longer;
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
		if (corpora->names[i] && i < inputs->count)
			corpora->names[i] = input_name(corpora, inputs, i);
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

/* Formats a number for people, in the unit of the statistic, with three significant digits. */
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

int report_longevity_print(FILE *out, const struct report_longevity *measured, enum report_view view, enum term_format format,
                           const char *note, struct prn_error *error)
{
	bool bars = view == REPORT_VIEW_BARS, for_person = format == TERM_FORMAT_TABLE && (bars || view == REPORT_VIEW_STATISTICS);
	struct report_sheet sheet;

	if (for_person && measured->corpora->scopes > 1)
		return statistics_side_by_side(out, measured, bars, note, error);
	if (for_person)
		return statistics_of_one(out, measured, bars, note, error);
	report_sheet_begin(&sheet, out, view, format, "corpus");
	for (size_t scope = 0; scope < measured->corpora->scopes; scope++)
		report_sheet_add(&sheet, measured->longevity, scope, measured->corpora->names[scope]);
	return report_sheet_end(&sheet, note, error);
}
