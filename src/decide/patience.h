/*
 * How long a page is left alone that fails.  After its first failures in a row it is tried again quickly (decider.h, retry_s): three
 * of a page that was fetched before, and as many of one that never answered, but one where there is a budget, of which such pages
 * would take much.  From then on it waits for its policy's interval, and with each failure for one interval more.  For a page that
 * never answered, of which policies know little, that interval is at least the one in which the budget pays for all pages once, and
 * the wait at least as long as doubling from an hour on would have it, up to 180 days (doc/theory.md §10).
 *
 * A page that often failed before it answered has fewer quick retries: three where it never did, and none where it did before more
 * than two of three of its answers.  Otherwise pages that answer every fourth time would have four times what others have.
 *
 * What a page costs that does not answer, of which there are many wherever URLs come from lists, is so a share of what it would cost
 * if it did, and the less the longer that lasts.  Answers of 404 and 410 do not count here: they soon retire a page.
 */
#ifndef DECIDE_PATIENCE_H
#define DECIDE_PATIENCE_H

#include "perennial/page_state.h"

/* The interval of a page that never answered, in days, where there is no budget that says how many all have. */
#define PRN_PATIENCE_DAYS 7.0

/* Counts an answer of the page, before its failures are set to 0. */
void prn_patience_learn(struct prn_page_state *state);

/* For how many of its intervals the page waits; 0: it is tried again quickly, or has not failed.  paced: there is a budget. */
unsigned prn_patience_intervals(const struct prn_page_state *state, bool paced);

/* How long it waits then, in days, if its interval is so many days, > 0; where it does not wait, the interval itself. */
double prn_patience_days(const struct prn_page_state *state, bool paced, double interval);

/*
 * Whether a page has only failed, more than once.  It no longer comes first, as new pages do, but is worth the threshold when its
 * time comes, and four times that after another interval.
 */
bool prn_patience_has_only_failed(const struct prn_page_state *state);
double prn_patience_value(double threshold, double days, double interval);

#endif
