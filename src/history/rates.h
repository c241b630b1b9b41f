/* The rates of a log (rate_log.h) for single pages. */
#ifndef HISTORY_RATES_H
#define HISTORY_RATES_H

#include "history/truth.h"
#include "perennial/rate_log.h"

/*
 * Returns the stated change rate of a page relative to the mean of all pages, as prn_visit.said has it: for a
 * file relative to the geometric mean of all its rates, for synthetic rates relative to a change in three
 * captures. 0: there is none for the page. normal_url may be NULL for a page without one.
 */
double prn_rate_log_said(const struct prn_rate_log *log, const struct prn_truth *truth, const char *normal_url);

#endif
