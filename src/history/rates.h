/*
 * What a log of rates (rate_log.h) says of one page.
 */
#ifndef HISTORY_RATES_H
#define HISTORY_RATES_H

#include "history/truth.h"
#include "perennial/rate_log.h"

/*
 * How often the page is said to change, over how often pages are in the mean, as prn_visit.said has it: of a file over the
 * geometric mean of all that it says, of what is made up over a change in three captures.  0: nothing is said of it.
 * normal_url may be NULL, of a page that has none.
 */
double prn_rate_log_said(const struct prn_rate_log *log, const struct prn_truth *truth, const char *normal_url);

#endif
