/*
 * Change profiles: how far a page had moved from earlier versions of itself, visit by visit (OP §4.1).
 *
 * A learner keeps one profile per slot, each with a different base version.  Which visit makes room for
 * a new base OP do not say; ours (doc/theory.md §4): a profile closes when it has PRN_PROFILE_POINTS points,
 * and its slot goes to the version of that visit; a visit opens a profile only in a free slot.  Once
 * there were PRN_PROFILE_ENOUGH points, a learner is never left with fewer: the profile closed last goes
 * on serving, unchanged, until the open ones have enough.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_PROFILE_H
#define PERENNIAL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_PROFILE_POINTS 12
#define PRN_PROFILE_ENOUGH 4
#define PRN_PROFILE_SLOTS 32
#define PRN_PROFILE_LIST ((PRN_PROFILE_SLOTS + 1) * PRN_PROFILE_POINTS)

/* Plain numbers; all zero bytes is a free slot.  Points are in ascending order of lag. */
struct prn_profile {
	double base; /* time of the base version */
	struct prn_point points[PRN_PROFILE_POINTS];
	uint32_t count;
	uint32_t open; /* 1: its slot holds the base version */
};

/*
 * All profiles of a page are an array: profiles[0 … slots-1] by slot, profiles[slots] the retired one;
 * slots is at most PRN_PROFILE_SLOTS.
 *
 * A visit first extends each open profile by the divergence from its slot's version …
 */
void prn_profiles_extend(struct prn_profile *profiles, size_t slots, double time, const double *divergence);

/* … then closes the full ones and, if a slot is free, opens one based at this visit.  Returns that slot, or -1. */
int prn_profiles_renew(struct prn_profile *profiles, size_t slots, double time);

/* Opens a profile based at this visit in slot, whatever was there. */
void prn_profiles_replace(struct prn_profile *profiles, size_t slot, double time);

/*
 * The points of all profiles in one list, ascending in lag, equal lags (to 1e-5) averaged (OP §4.2).
 * Writes at most PRN_PROFILE_LIST points and returns how many.
 */
size_t prn_profiles_combine(const struct prn_profile *profiles, size_t slots,
                            struct prn_point points[PRN_PROFILE_LIST]);

#ifdef __cplusplus
}
#endif

#endif
