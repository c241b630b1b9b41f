/*
 * The rate at which a page changes, from visits that only saw whether it had changed (Cho ch. 6).
 *
 * A history of such visits in bounded memory.  The likelihood needs the sum of the intervals without a
 * change, and each interval with one; of the latter at most PRN_RATE_GROUPS different lengths are kept
 * exactly, and then the two nearest are replaced by their mean.  The equation bends so little over
 * near lengths that this moves the estimate by less than 2 % (tests/rate.c).
 */
#ifndef PERENNIAL_RATE_H
#define PERENNIAL_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define PRN_RATE_GROUPS 8

/* Visits that found a change after about the same time. */
struct prn_rate_group {
	float interval; /* their mean interval */
	uint32_t count;
};

/* Plain numbers; all zero bytes is a history without visits. */
struct prn_rate_history {
	double unchanged;  /* sum of the intervals without a change */
	float shortest;    /* the shortest interval with a change */
	uint32_t changes;  /* visits that found one */
	struct prn_rate_group groups[PRN_RATE_GROUPS]; /* ascending; those in use have count > 0 and come first */
};

/* interval > 0 and finite: the time between this visit and the one before. */
void prn_rate_history_add(struct prn_rate_history *history, double interval, bool changed);

/*
 * The maximum likelihood estimate of λ (Cho eq. 6.3): the root of
 *
 *     Σ over changed of t / (e^(λt) - 1) = Σ over unchanged of t.
 *
 * The edges are GF's (§3.3): never changed, 1/λ = Σ t (and history->changes is 0: "no change seen"); always
 * changed, 1/λ = the shortest t.  No visits: 0.  Finite and >= 0 on every history.
 */
double prn_rate_mle(const struct prn_rate_history *history);

#endif
