#include "cli/findings.h"

#include <inttypes.h>
#include <math.h>

const struct cli_column cli_page_columns[] = {
	{ "corpus", CLI_COLUMN_TEXT, 0 },
	{ "url", CLI_COLUMN_TEXT, 0 },
	{ "nature", CLI_COLUMN_TEXT, 0 },
	{ "captures", CLI_COLUMN_COUNT, 0 },
	{ "taken", CLI_COLUMN_COUNT, 0 },
	{ "days", CLI_COLUMN_NUMBER, 2 },
	{ "changes", CLI_COLUMN_COUNT, 0 },
	{ "returns", CLI_COLUMN_COUNT, 0 },
	{ "change_frequency", CLI_COLUMN_NUMBER, 3 },
	{ "interval_days", CLI_COLUMN_NUMBER, 2 },
	{ "unchanged_days", CLI_COLUMN_NUMBER, 2 },
	{ "unchanged_ended", CLI_COLUMN_COUNT, 0 },
	{ "eagerness", CLI_COLUMN_NUMBER, 2 },
	{ "poisson_p", CLI_COLUMN_NUMBER, 3 },
	{ "fragments", CLI_COLUMN_COUNT, 0 },
	{ "static_fragments", CLI_COLUMN_COUNT, 0 },
	{ "ephemeral_fragments", CLI_COLUMN_COUNT, 0 },
	{ "churn_births", CLI_COLUMN_COUNT, 0 },
	{ "scroll_births", CLI_COLUMN_COUNT, 0 },
	{ "static", CLI_COLUMN_NUMBER, 3 },
	{ "churn", CLI_COLUMN_NUMBER, 3 },
	{ "scroll", CLI_COLUMN_NUMBER, 3 },
	{ "k", CLI_COLUMN_COUNT, 0 },
	{ "known_lifetimes", CLI_COLUMN_COUNT, 0 },
	{ "censored_left", CLI_COLUMN_COUNT, 0 },
	{ "censored_right", CLI_COLUMN_COUNT, 0 },
	{ "censored_both", CLI_COLUMN_COUNT, 0 },
	{ "longevity_days", CLI_COLUMN_NUMBER, 2 },
	{ NULL, CLI_COLUMN_TEXT, 0 },
};

void cli_page_row(struct cli_table *table, const char *corpus, const struct prn_page *page,
                  const struct prn_study_result *result, double poisson_p)
{
	cli_table_text(table, corpus);
	cli_table_text(table, page->url);
	cli_table_text(table, prn_nature_name(result->nature));
	cli_table_count(table, result->captures);
	cli_table_count(table, result->taken);
	cli_table_number(table, result->days);
	cli_table_count(table, result->changes);
	cli_table_count(table, result->returns);
	cli_table_number(table, result->change_frequency);
	cli_table_number(table, result->changes ? result->interval_days : NAN);
	cli_table_number(table, result->unchanged_days);
	cli_table_count(table, result->unchanged_ended);
	cli_table_number(table, result->eagerness);
	cli_table_number(table, poisson_p);
	cli_table_count(table, result->fragments);
	cli_table_count(table, result->static_fragments);
	cli_table_count(table, result->ephemeral_fragments);
	cli_table_count(table, result->churn_births);
	cli_table_count(table, result->scroll_births);
	cli_table_number(table, result->shares.constant);
	cli_table_number(table, result->shares.churn);
	cli_table_number(table, result->shares.scroll);
	cli_table_count(table, result->dominant_k);
	cli_table_count(table, result->lifetimes[PRN_CENSORED_NOT]);
	cli_table_count(table, result->lifetimes[PRN_CENSORED_LEFT]);
	cli_table_count(table, result->lifetimes[PRN_CENSORED_RIGHT]);
	cli_table_count(table, result->lifetimes[PRN_CENSORED_BOTH]);
	cli_table_number(table, result->longevity_days);
}

const struct cli_column cli_fragment_columns[] = {
	{ "url", CLI_COLUMN_TEXT, 0 },       { "hash", CLI_COLUMN_TEXT, 0 },
	{ "born", CLI_COLUMN_TEXT, 0 },      { "died", CLI_COLUMN_TEXT, 0 },
	{ "captures", CLI_COLUMN_COUNT, 0 }, { "censored_left", CLI_COLUMN_COUNT, 0 },
	{ "censored_right", CLI_COLUMN_COUNT, 0 }, { NULL, CLI_COLUMN_TEXT, 0 },
};

void cli_fragment_rows(struct cli_table *table, const struct prn_page *page, const struct prn_study *study)
{
	size_t count;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(study, &count);

	for (size_t i = 0; i < count; i++) {
		const struct prn_lifetime *lifetime = &lifetimes[i];
		bool both = lifetime->censoring == PRN_CENSORED_BOTH;
		bool left = both || lifetime->censoring == PRN_CENSORED_LEFT;
		bool right = both || lifetime->censoring == PRN_CENSORED_RIGHT;
		char hash[20], time[PRN_TIME_TEXT];

		snprintf(hash, sizeof hash, "%016" PRIx64, lifetime->hash);
		cli_table_text(table, page->url);
		cli_table_text(table, hash);
		cli_table_text(table, prn_time_format(page->captures[lifetime->from].time, time));
		cli_table_text(table, prn_time_format(page->captures[lifetime->to - right].time, time));
		cli_table_count(table, lifetime->to - lifetime->from);
		cli_table_count(table, left);
		cli_table_count(table, right);
	}
}
