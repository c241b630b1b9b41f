/* Durations and times in units that people would choose. */
#ifndef TEXT_PERSON_H
#define TEXT_PERSON_H

#include <stdint.h>

#define TEXT_PERSON_BYTES 48

/*
 * Formats "40 seconds", "12 minutes", "5.5 hours", "3.2 days", "2.4 years", with two or three significant digits; returns
 * out.  days >= 0.
 */
char *text_person_days(double days, char out[TEXT_PERSON_BYTES]);

/* Formats "2026-05-10 14:00", UTC, with seconds only if they are not 0; returns out. */
char *text_person_time(int64_t time, char out[TEXT_PERSON_BYTES]);

#endif
