/*
 * Times are int64_t Unix seconds, UTC; durations are seconds.  The library never reads the clock.
 */
#ifndef PERENNIAL_TIME_H
#define PERENNIAL_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_TIME_UNKNOWN INT64_MIN
#define PRN_TIME_FIRST INT64_C(-62135596800) /* the first second of year 1 and the last of 9999, which texts can say: … */
#define PRN_TIME_LAST INT64_C(253402300799)  /* … differences of such times cannot overflow */
#define PRN_DAY_S 86400  /* seconds of a day: there are no leap seconds in these times */
#define PRN_TIME_TEXT 32 /* room for a printed time or duration, with its NUL */

/*
 * Reads ISO 8601 as WARC 1.0 and 1.1 write it: from "2016" to "2016-01-11T23:24:25.412030Z", truncated to seconds; parts
 * left out are their first value.  A time of day may have an offset, "+02:00", "+0200" or "-08", of less than a day, also
 * after a blank; without one it is in UTC.  Also the 14 (or 12, 10, 8) digits of archives, "20160111232425", and
 * "20160111T232425Z".  Years 0001 to 9999, in UTC: PRN_TIME_FIRST … PRN_TIME_LAST.
 *
 * PRN_E_INPUT	not such a time; *time is untouched
 */
int prn_time_parse(const char *text, int64_t *time);

/*
 * Whether a text that prn_time_parse reads has a time of day and no zone, so that whoever wrote it may have meant another one than
 * UTC.  Dates alone, and the digits of archives, which are UTC, have not.
 */
bool prn_time_is_zoneless(const char *text);

/* Reads the three forms of an HTTP date (RFC 9110 5.6.7), of the same years.  PRN_E_INPUT as above. */
int prn_time_parse_http(const char *text, int64_t *time);

/* Writes "2026-05-10T00:00:00Z" and returns out; of a time beyond PRN_TIME_FIRST … PRN_TIME_LAST that one. */
char *prn_time_format(int64_t time, char out[PRN_TIME_TEXT]);

/* Writes an HTTP date, "Sun, 06 Nov 1994 08:49:37 GMT", and returns out; likewise. */
char *prn_time_format_http(int64_t time, char out[PRN_TIME_TEXT]);

/*
 * Reads "90s", "15m", "6h", "2d", "3w", a sum of them ("1d12h"), fractions ("1.5h"); a number without
 * a unit is not a duration, unless it is 0.
 *
 * PRN_E_INPUT	not a duration, negative, or above 10000 years; *seconds is untouched
 */
int prn_duration_parse(const char *text, double *seconds);

/*
 * Writes the largest unit that divides seconds ("36h", "90s"), rounded to a second, and returns out; "never" for 1e27 s and
 * more, and for what is no number.
 */
char *prn_duration_format(double seconds, char out[PRN_TIME_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
