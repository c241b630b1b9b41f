#include "history/digest_filter.h"

#include "perennial/error.h"

#include <stdlib.h>

#define HASHES 4 /* with 16 bits per digest the rate of false positives is 1 in 400 */
#define LEAST 512 /* in words */

int prn_digest_filter_init(struct prn_digest_filter *sought, size_t memory_bytes)
{
	size_t count = LEAST;

	while (2 * count <= memory_bytes / sizeof *sought->words)
		count *= 2;
	*sought = (struct prn_digest_filter){ .words = calloc(count, sizeof *sought->words), .count = count };
	return sought->words ? 0 : PRN_E_MEMORY;
}

void prn_digest_filter_release(struct prn_digest_filter *sought)
{
	free(sought->words);
	*sought = (struct prn_digest_filter){ 0 };
}

/* Digests are uniform: two halves of one give any number of hashes (Kirsch, Mitzenmacher 2006). */
static uint64_t hash(const struct prn_digest *digest, unsigned i)
{
	return digest->high + i * (digest->low | 1);
}

void prn_digest_filter_add(struct prn_digest_filter *sought, const struct prn_digest *digest)
{
	for (unsigned i = 0; i < HASHES; i++) {
		uint64_t bit = hash(digest, i);

		sought->words[bit / 64 & (sought->count - 1)] |= (uint64_t)1 << bit % 64;
	}
	sought->any = true;
}

bool prn_digest_filter_has(const struct prn_digest_filter *sought, const struct prn_digest *digest)
{
	for (unsigned i = 0; i < HASHES && sought->any; i++) {
		uint64_t bit = hash(digest, i);

		if (!(sought->words[bit / 64 & (sought->count - 1)] >> bit % 64 & 1))
			return false;
	}
	return sought->any;
}
