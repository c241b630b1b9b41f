/*
 * A set of sought digests in constant memory: a Bloom filter.  It never misses one that was added, and has a
 * few false positives, which the caller must tolerate.
 */
#ifndef HISTORY_DIGEST_FILTER_H
#define HISTORY_DIGEST_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"

struct prn_digest_filter {
	uint64_t *words; /* owned */
	size_t count;    /* number of words: a power of two */
	bool any;        /* something was added */
};

/* memory_bytes is rounded down to a power of two, and at least 4096.  PRN_E_MEMORY */
int prn_digest_filter_init(struct prn_digest_filter *sought, size_t memory_bytes);
void prn_digest_filter_release(struct prn_digest_filter *sought);

void prn_digest_filter_add(struct prn_digest_filter *sought, const struct prn_digest *digest);
bool prn_digest_filter_has(const struct prn_digest_filter *sought, const struct prn_digest *digest);

#endif
