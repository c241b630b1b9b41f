/* A map from digests to numbers, such as the number of a body, or a count of a content. */
#ifndef HISTORY_DIGEST_NUMBERS_H
#define HISTORY_DIGEST_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"

struct prn_digest_number {
	struct prn_digest digest;
	uint32_t number; /* 0: the slot is free */
};

struct prn_digest_numbers {
	struct prn_digest_number *items; /* [mask + 1] open addressing, at most half full */
	size_t mask, capacity;
};

static inline void prn_digest_numbers_init(struct prn_digest_numbers *numbers)
{
	*numbers = (struct prn_digest_numbers){ 0 };
}

void prn_digest_numbers_release(struct prn_digest_numbers *numbers);

/* Empties the map and makes room for so many digests.  PRN_E_MEMORY */
int prn_digest_numbers_begin(struct prn_digest_numbers *numbers, size_t most);

/* Returns the number of a digest; 0: it is new, and the caller sets it.  Valid until the next _begin. */
uint32_t *prn_digest_numbers_of(struct prn_digest_numbers *numbers, const struct prn_digest *digest);

#endif
