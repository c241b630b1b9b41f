/*
 * A hint: a source says that a page may have changed, or that it is there.
 */
#ifndef PERENNIAL_HINT_H
#define PERENNIAL_HINT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct prn_hint {
	const char *url, *normal_url; /* the page's, as written, and its normal form (url.h) */
	int64_t time;                 /* when the source said so */
	int64_t modified;             /* when the page changed, as it says; PRN_TIME_UNKNOWN: it does not */
	bool says_changed;            /* without that: whether it says that the page has changed, or only that it is there */
	double period_s;              /* how often the page changes, as it says; 0: it does not */
	const char *source;           /* its name */
};

#ifdef __cplusplus
}
#endif

#endif
