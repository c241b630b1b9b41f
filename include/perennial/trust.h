/*
 * How far a source of hints is to be trusted: learned online, per source and host, from the visits that were made anyway
 * (doc/theory.md §15).  At each visit the text had changed or not, and each degree of trust φ had said how likely that was
 * after so many hints.
 *
 * The caller keeps, in plain numbers that may be copied, and all zero at first,
 *
 *	struct prn_trust	per source and host
 *	struct prn_page_hints		per source and page: what it told of the page
 *	struct prn_watched	per page: how it was seen to change
 *
 * and at each visit of a page after its acquisition calls prn_trust_visit for every source that ever spoke for the page's
 * host, and then once prn_watched_visit.  A hint adds 1 to the since of its prn_page_hints.  A policy is given
 * prn_trust_hints; where there are several sources, that of the largest trust; and with it the page's ahead
 * (prn_hints_ahead), which is one for all sources.
 *
 * Time is in the caller's clock unit, that of the policy.
 */
#ifndef PERENNIAL_TRUST_H
#define PERENNIAL_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/hints.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_TRUST_DEGREES 9
#define PRN_TRUST_BYTES 64 /* prn_trust_pack never has more */

struct prn_trust {
	double fit[PRN_TRUST_DEGREES]; /* log-likelihood of φ = 0, .15, .3, .45, .6, .75, .85, .93, .98, fading; the best has 0 */
	double hints, time;            /* told of the host's pages, and how long these were watched, summed over them */
	double hinted, changed, both;  /* of the visits since, fading: after a hint; that found other text; both */
	double visits;                 /* all of them, fading likewise */
};

struct prn_page_hints {
	double before; /* N: hints from the page's acquisition to its last visit */
	double since;  /* n: since its last visit */
};

struct prn_watched {
	double time;    /* Στ, from its acquisition to its last visit */
	double changes; /* Σz: visits that found other text */
};

/*
 * Takes in a visit, interval > 0 after the one before: whether it found other text.  watched is as it was before the
 * visit.  The hints since join those before.  A source that has never spoken learns nothing.
 */
void prn_trust_visit(struct prn_trust *trust, struct prn_page_hints *counts, const struct prn_watched *watched, double interval,
                     bool changed);
void prn_watched_visit(struct prn_watched *watched, double interval, bool changed);

/* What a policy is told of a page: trust, the rate of its hints, how many there are since the last visit; ahead is left 0. */
void prn_trust_hints(const struct prn_trust *trust, const struct prn_page_hints *counts, const struct prn_watched *watched,
                     struct prn_hints *hints);

/* φ, the posterior mean; 0 before the source has spoken. */
double prn_trust_degree(const struct prn_trust *trust);

/*
 * For people: the share of the visits after a hint that found other text, and the share of the visits that found other text
 * that came after a hint.  Both in [0, 1]; NaN before there is any such visit.
 */
double prn_trust_precision(const struct prn_trust *trust);
double prn_trust_recall(const struct prn_trust *trust);

/*
 * The share of all visits that came after a hint: a source that always says that there was a change has a recall of 1, and
 * this is 1 as well.  In [0, 1]; NaN before there is any visit.
 */
double prn_trust_hinted(const struct prn_trust *trust);

/* In few bytes, for stores: writes them to out if capacity is enough, and returns how many they are. */
size_t prn_trust_pack(const struct prn_trust *trust, void *out, size_t capacity);

/*
 * Reads what prn_trust_pack wrote; that packs to the same bytes again.  No bytes are a source that never spoke.  Older versions
 * did not keep the visits: they are then taken to be no more than those that the other counts tell of.
 *
 * PRN_E_INPUT	no trust packs to these bytes; *trust is all zero
 */
int prn_trust_unpack(struct prn_trust *trust, const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
