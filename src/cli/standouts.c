#include "cli/standouts.h"
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

static const struct reason {
	const char *text;
	double (*value)(const struct prn_study_result *page);
} reasons[CLI_STANDOUT_REASONS] = {
	{ "change most often (share of captures)", changes },
	{ "go back to earlier versions (times)", returns },
	{ "are most of all churn (share of content)", churn },
	{ "are most of all scroll (share of content)", scroll },
	{ "change, but hardly in content (static share)", lasting },
	{ "scroll the longest (K)", k },
};

void cli_standouts_add(struct cli_standouts *standouts, const char *url, const struct prn_study_result *result)
{
	for (size_t i = 0; i < CLI_STANDOUT_REASONS; i++) {
		struct cli_standout *pages = standouts->pages[i];
		double value = reasons[i].value(result);
		size_t at = CLI_STANDOUT_PAGES;

		if (!(value > 0))
			continue;
		while (at && (!pages[at - 1].url || pages[at - 1].value < value))
			at--;
		if (at == CLI_STANDOUT_PAGES)
			continue;
		free(pages[CLI_STANDOUT_PAGES - 1].url);
		memmove(&pages[at + 1], &pages[at], (CLI_STANDOUT_PAGES - 1 - at) * sizeof *pages);
		pages[at] = (struct cli_standout){ value, strdup(url) };
		if (!pages[at].url)
			abort();
	}
}

int cli_standouts_print(struct cli_standouts *standouts, const char *note)
{
	static const struct term_column columns[] = {
		{ "pages that", TERM_COLUMN_TEXT, 0 },
		{ "how much", TERM_COLUMN_NUMBER, 3 },
		{ "url", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(TERM_FORMAT_TABLE, columns);

	for (size_t i = 0; i < CLI_STANDOUT_REASONS; i++)
		for (size_t j = 0; j < CLI_STANDOUT_PAGES && standouts->pages[i][j].url; j++) {
			term_table_text(table, j ? "" : reasons[i].text);
			term_table_number(table, standouts->pages[i][j].value);
			term_table_text(table, standouts->pages[i][j].url);
		}
	cli_standouts_release(standouts);
	return term_table_close(table, note, NULL);
}

void cli_standouts_release(struct cli_standouts *standouts)
{
	for (size_t i = 0; i < CLI_STANDOUT_REASONS; i++)
		for (size_t j = 0; j < CLI_STANDOUT_PAGES; j++)
			free(standouts->pages[i][j].url);
	*standouts = (struct cli_standouts){ 0 };
}
