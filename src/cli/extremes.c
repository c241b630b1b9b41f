#include "cli/extremes.h"
#include "term/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Too few changes tell little about a page. */
#define CHANGES_MIN 5

static double changes(const struct prn_study_result *page)
{
	return page->change_frequency;
}

static double returns(const struct prn_study_result *page)
{
	return (double)page->returns;
}

static double churn(const struct prn_study_result *page)
{
	return page->changes >= CHANGES_MIN ? page->shares.churn : 0;
}

static double scroll(const struct prn_study_result *page)
{
	return page->changes >= CHANGES_MIN ? page->shares.scroll : 0;
}

static double lasting(const struct prn_study_result *page)
{
	return page->changes >= CHANGES_MIN ? page->shares.constant : 0;
}

static double k(const struct prn_study_result *page)
{
	return page->dominant_k > 1 ? page->dominant_k : 0;
}

static const struct {
	const char *text;
	double (*value)(const struct prn_study_result *page);
} traits[CLI_EXTREME_TRAITS] = {
	{ "change most often (share of captures)", changes },
	{ "go back to earlier versions (times)", returns },
	{ "are most of all churn (share of content)", churn },
	{ "are most of all scroll (share of content)", scroll },
	{ "change, but hardly in content (static share)", lasting },
	{ "scroll the longest (K)", k },
};

int cli_extremes_add(struct cli_extremes *extremes, const char *url, const struct prn_study_result *result,
                     struct prn_error *error)
{
	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++) {
		struct cli_extreme *pages = extremes->pages[i];
		double value = traits[i].value(result);
		size_t at = CLI_EXTREME_PAGES;
		char *copy;

		if (!(value > 0))
			continue;
		while (at && (!pages[at - 1].url || pages[at - 1].value < value))
			at--;
		if (at == CLI_EXTREME_PAGES)
			continue;
		copy = strdup(url);
		if (!copy)
			return prn_error_memory(error);
		free(pages[CLI_EXTREME_PAGES - 1].url);
		memmove(&pages[at + 1], &pages[at], (CLI_EXTREME_PAGES - 1 - at) * sizeof *pages);
		pages[at] = (struct cli_extreme){ value, copy };
	}
	return 0;
}

int cli_extremes_print(const struct cli_extremes *extremes, const char *note, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "pages that", TERM_COLUMN_TEXT, 0 },
		{ "how much", TERM_COLUMN_NUMBER, 3 },
		{ "url", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(TERM_FORMAT_TABLE, columns);

	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++)
		for (size_t j = 0; j < CLI_EXTREME_PAGES && extremes->pages[i][j].url; j++) {
			term_table_text(table, j ? "" : traits[i].text);
			term_table_number(table, extremes->pages[i][j].value);
			term_table_text(table, extremes->pages[i][j].url);
		}
	return term_table_close(table, note, error);
}

void cli_extremes_release(struct cli_extremes *extremes)
{
	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++)
		for (size_t j = 0; j < CLI_EXTREME_PAGES; j++)
			free(extremes->pages[i][j].url);
	*extremes = (struct cli_extremes){ 0 };
}
