/*
 * A policy's state in few bytes, for stores (policy_kind.h "pack").  One description of a state serves both ways: each function below
 * writes the number it is given, or reads it, by the direction of the packing.
 *
 * What is rounded is rounded once: a number that was read is written to the same bytes again.
 */
#ifndef PERENNIAL_PACKING_H
#define PERENNIAL_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Made by the library, which hands it to the policy; of its members a policy reads in, to tell the direction, and now. */
struct prn_packing {
	const unsigned char *in; /* NULL: writes */
	unsigned char *out;      /* may be NULL when capacity is 0: then bytes are only counted */
	size_t length;           /* of in, or the capacity of out */
	size_t at;
	double now;  /* what times are told from: the page's last visit */
	bool failed; /* the bytes are not such a state; from then on every number reads as 0 */
};

/* Whole numbers up to most: 1 byte to 127, 2 to 16383, at most 5. */
void prn_packing_count(struct prn_packing *packing, uint32_t *count, uint32_t most);

/* Finite numbers >= 0 in single precision: 4 bytes, or 1 for the whole ones to 127. */
void prn_packing_number(struct prn_packing *packing, double *number);

/* Finite numbers in single precision: 4 bytes. */
void prn_packing_signed(struct prn_packing *packing, double *number);

/* Any finite number as it is: 8 bytes. */
void prn_packing_exact(struct prn_packing *packing, double *number);

/* A time not after now: as the number before it. */
void prn_packing_ago(struct prn_packing *packing, double *time);

/*
 * Numbers >= 0 to 10 bits after the first, a relative error of 2^-11: 2 bytes.  Outside 2^-32 … 2^32 they become
 * the nearer end, but 0 stays 0.
 */
void prn_packing_coarse(struct prn_packing *packing, float *number);

/* Numbers in [0, 1] in 255ths: 1 byte.  What is not 0 stays so. */
void prn_packing_share(struct prn_packing *packing, float *share);

/* In reading: what was read cannot be, unless holds. */
void prn_packing_require(struct prn_packing *packing, bool holds);

/*
 * The profiles of a page, profiles[0 … slots], as profile.h has them: lags and divergences as the coarse numbers and the
 * shares above.  Of a profile that is closed the base is not kept.
 */
void prn_packing_profiles(struct prn_packing *packing, struct prn_profile *profiles, size_t slots);

#ifdef __cplusplus
}
#endif

#endif
