/* Checks that a page is as page.h says: pages are checked when written to traces and when read from them. */
#ifndef HISTORY_PAGE_CHECK_H
#define HISTORY_PAGE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "perennial/page.h"

/* Tells whether a capture can have this time: years 1 to 9999. */
bool prn_page_time_ok(int64_t time);

/*
 * Checks that a page is as page.h says: times ascending and within years 1 to 9999; weight above 0 and at most
 * PRN_WEIGHT_MOST; runs ascending and apart, starting and ending at captures that brought content; stripes in
 * order; links ascending and of a capture with content; media types ascending and of content.  That a hash is
 * in one stripe only is checked among the stripes with the same start.
 *
 * PRN_E_ARGUMENT	it is not; the text says what is wrong, and begins with the URL if there is one
 */
int prn_page_check(const struct prn_page *page, struct prn_error *error);

/*
 * The parts of prn_page_check, for callers that make a page step by step: they return NULL, or what is wrong.
 * Static text.
 */
const char *prn_page_check_weight(double weight);
const char *prn_page_check_captures(const struct prn_page *page);
const char *prn_page_check_links(const struct prn_page *page); /* the captures must be valid */
const char *prn_page_check_media(const struct prn_page *page);
const char *prn_page_check_runs(const struct prn_page *page, const struct prn_run *runs, size_t count);
const char *prn_page_check_order(const struct prn_page *page); /* the runs of the stripes must be in bounds */

#endif
