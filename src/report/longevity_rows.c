#include "report/longevity.h"

#include <inttypes.h>
#include <math.h>

const struct term_column report_page_columns[] = {
	{ "corpus", TERM_COLUMN_TEXT, 0 },
	{ "url", TERM_COLUMN_URL, 0 },
	{ "nature", TERM_COLUMN_TEXT, 0 },
	{ "captures", TERM_COLUMN_COUNT, 0 },
	{ "taken", TERM_COLUMN_COUNT, 0 },
	{ "days", TERM_COLUMN_NUMBER, 2 },
	{ "changes", TERM_COLUMN_COUNT, 0 },
	{ "returns", TERM_COLUMN_COUNT, 0 },
	{ "change_frequency", TERM_COLUMN_NUMBER, 3 },
	{ "interval_days", TERM_COLUMN_NUMBER, 2 },
	{ "unchanged_days", TERM_COLUMN_NUMBER, 2 },
	{ "unchanged_ended", TERM_COLUMN_COUNT, 0 },
	{ "eagerness", TERM_COLUMN_NUMBER, 2 },
	{ "poisson_p", TERM_COLUMN_NUMBER, 3 },
	{ "fragments", TERM_COLUMN_COUNT, 0 },
	{ "static_fragments", TERM_COLUMN_COUNT, 0 },
	{ "ephemeral_fragments", TERM_COLUMN_COUNT, 0 },
	{ "churn_births", TERM_COLUMN_COUNT, 0 },
	{ "scroll_births", TERM_COLUMN_COUNT, 0 },
	{ "static", TERM_COLUMN_NUMBER, 3 },
	{ "churn", TERM_COLUMN_NUMBER, 3 },
	{ "scroll", TERM_COLUMN_NUMBER, 3 },
	{ "k", TERM_COLUMN_COUNT, 0 },
	{ "known_lifetimes", TERM_COLUMN_COUNT, 0 },
	{ "censored_left", TERM_COLUMN_COUNT, 0 },
	{ "censored_right", TERM_COLUMN_COUNT, 0 },
	{ "censored_both", TERM_COLUMN_COUNT, 0 },
	{ "longevity_days", TERM_COLUMN_NUMBER, 2 },
	{ NULL, TERM_COLUMN_TEXT, 0 },
};

void report_page_row(struct term_table *table, const char *corpus, const struct prn_page *page,
                  const struct prn_study_result *result, double poisson_p)
{
	term_table_text(table, corpus);
	term_table_text(table, page->url);
	term_table_text(table, prn_nature_name(result->nature));
	term_table_count(table, result->captures);
	term_table_count(table, result->taken);
	term_table_number(table, result->days);
	term_table_count(table, result->changes);
	term_table_count(table, result->returns);
	term_table_number(table, result->change_frequency);
	term_table_number(table, result->changes ? result->interval_days : NAN);
	term_table_number(table, result->unchanged_days);
	term_table_count(table, result->unchanged_ended);
	term_table_number(table, result->eagerness);
	term_table_number(table, poisson_p);
	term_table_count(table, result->fragments);
	term_table_count(table, result->static_fragments);
	term_table_count(table, result->ephemeral_fragments);
	term_table_count(table, result->churn_births);
	term_table_count(table, result->scroll_births);
	term_table_number(table, result->shares.constant);
	term_table_number(table, result->shares.churn);
	term_table_number(table, result->shares.scroll);
	term_table_count(table, result->dominant_k);
	term_table_count(table, result->lifetimes[PRN_CENSORED_NOT]);
	term_table_count(table, result->lifetimes[PRN_CENSORED_LEFT]);
	term_table_count(table, result->lifetimes[PRN_CENSORED_RIGHT]);
	term_table_count(table, result->lifetimes[PRN_CENSORED_BOTH]);
	term_table_number(table, result->longevity_days);
}

const struct term_column report_fragment_columns[] = {
	{ "url", TERM_COLUMN_URL, 0 },       { "hash", TERM_COLUMN_TEXT, 0 },
	{ "born", TERM_COLUMN_TEXT, 0 },      { "died", TERM_COLUMN_TEXT, 0 },
	{ "captures", TERM_COLUMN_COUNT, 0 }, { "censored_left", TERM_COLUMN_COUNT, 0 },
	{ "censored_right", TERM_COLUMN_COUNT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 },
};

void report_fragment_rows(struct term_table *table, const struct prn_page *page, const struct prn_study *study)
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
		term_table_text(table, page->url);
		term_table_text(table, hash);
		term_table_text(table, prn_time_format(page->captures[lifetime->from].time, time));
		term_table_text(table, prn_time_format(page->captures[lifetime->to - right].time, time));
		term_table_count(table, lifetime->to - lifetime->from);
		term_table_count(table, left);
		term_table_count(table, right);
	}
}
