/*
 * The dates that sitemaps, feeds and those who write JSON lines use.
 */
#ifndef ARCHIVE_HINT_TIME_H
#define ARCHIVE_HINT_TIME_H

#include <stdint.h>

/*
 * Reads a W3C date, ISO 8601 with or without an offset from UTC, or a date of RFC 822 (hint.h); white space around it is
 * passed over.
 *
 * PRN_E_INPUT	neither; *time is untouched
 */
int prn_hint_time(const char *text, int64_t *time);

/* When a page was modified by such a date: PRN_TIME_UNKNOWN if that is none, or before 1990. */
int64_t prn_hint_modified(const char *text);

/* How often a page changes by a word of <changefreq>, in seconds; 0 for other words. */
double prn_hint_period_s(const char *word);

#endif
