/* Reads the dates that sitemaps, feeds and JSON lines contain. */
#ifndef ARCHIVE_HINT_TIME_H
#define ARCHIVE_HINT_TIME_H

#include <stdint.h>

/*
 * Reads a W3C date, ISO 8601 with or without an offset from UTC, or a date of RFC 822 (hint.h), with white
 * space around it: PRN_TIME_FIRST … PRN_TIME_LAST.
 *
 * PRN_E_INPUT	neither; *time is unchanged
 */
int prn_hint_time(const char *text, int64_t *time);

/* Returns the time of modification that such a date gives; PRN_TIME_UNKNOWN if it is invalid or before 1990. */
int64_t prn_hint_modified(const char *text);

/* Returns the interval of changes that a word of <changefreq> means, in seconds; 0 for other words. */
double prn_hint_period_s(const char *word);

#endif
