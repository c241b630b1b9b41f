/*
 * Numbers of digests: which a body was, or how often a content was met.
 */
#ifndef HISTORY_DIGEST_NUMBERS_H
#define HISTORY_DIGEST_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"

struct prn_digest_number {
	struct prn_digest digest;
	uint32_t number; /* 0: nothing is here */
};

struct prn_digest_numbers {
	struct prn_digest_number *items; /* [mask + 1] by open addressing, at most half full */
	size_t mask, capacity;
};

static inline void prn_digest_numbers_init(struct prn_digest_numbers *numbers)
{
	*numbers = (struct prn_digest_numbers){ 0 };
}

void prn_digest_numbers_release(struct prn_digest_numbers *numbers);

/* Begins with none, and room for so many.  PRN_E_MEMORY */
int prn_digest_numbers_begin(struct prn_digest_numbers *numbers, size_t most);

/* The number of a digest; 0: it is new, and the caller gives it one.  Valid until the next _begin. */
uint32_t *prn_digest_numbers_of(struct prn_digest_numbers *numbers, const struct prn_digest *digest);

#endif
