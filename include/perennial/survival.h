/*
 * How long things last, when of some only a part of their life was seen: counts of durations by which ends were
 * seen, and the Kaplan-Meier estimate of survival (KM) from them.
 *
 * Durations go into bins 1/64 of a factor of two wide (1.1 %), so that memory is bounded; a bin is read back
 * at the mean of what fell into it, which on an even grid of captures is exact up to 92 steps.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_SURVIVAL_H
#define PERENNIAL_SURVIVAL_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/interval.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which ends of a life were seen.  An end that was not seen is later (or the beginning earlier) than what was. */
enum prn_censoring {
	PRN_CENSORED_NOT,   /* birth and death were seen: the duration is known */
	PRN_CENSORED_RIGHT, /* still there when last seen */
	PRN_CENSORED_LEFT,  /* there already when first seen */
	PRN_CENSORED_BOTH,
};

#define PRN_CENSORINGS 4

/* "not", "right", "left", "both"; "?" for any other value.  Static. */
const char *prn_censoring_name(enum prn_censoring censoring);

struct prn_survival;

struct prn_survival_point {
	double duration;                 /* > 0, in the unit that was added */
	uint64_t counts[PRN_CENSORINGS]; /* how many had it */
	uint64_t at_risk;                /* whose birth was seen, and who were there for at least this long */

	/*
	 * The share that lasts longer than duration: by Kaplan-Meier, from those whose birth was seen (a censored
	 * life counts as long as it was seen; in a bin, deaths come before it); low and high enclose it with
	 * 95 % confidence by the bootstrap over clusters (NaN without one).
	 */
	struct prn_interval survival;

	double known_only; /* the same from the known durations alone (OP's way); too low when long lives are cut off */
};

size_t prn_survival_count(const struct prn_survival *survival);

/* The points by ascending duration, [prn_survival_count]; valid as long as the survival is. */
const struct prn_survival_point *prn_survival_points(const struct prn_survival *survival);

/* All that were added, by which ends were seen. */
uint64_t prn_survival_total(const struct prn_survival *survival, enum prn_censoring censoring);

/* The smallest duration that no more than half outlast; NaN when more than half outlast all that was seen. */
struct prn_interval prn_survival_median(const struct prn_survival *survival);

#ifdef __cplusplus
}
#endif

#endif
