/*
 * What keeps a host's pages back.
 */
#ifndef PERENNIAL_HELD_H
#define PERENNIAL_HELD_H

#ifdef __cplusplus
extern "C" {
#endif

enum prn_held {
	PRN_HELD_SHARE, /* it has had its share of the budget */
	PRN_HELD_WISH,  /* it wants to be left alone: Retry-After */
	PRN_HELD_LIMIT, /* as many of its pages are out as may be */
	PRN_HELD_DELAY, /* its delay: the rule's, or what its robots.txt asks for */
	PRN_HELD_HOURS, /* the hours of the day */
	PRN_HELD_NOT,   /* nothing does */
};

#define PRN_HELD_KINDS 5 /* before PRN_HELD_NOT */

/* "share", "retry-after", "limit", "delay", "hours"; "?" for any other value.  Static. */
const char *prn_held_name(enum prn_held held);

#ifdef __cplusplus
}
#endif

#endif
