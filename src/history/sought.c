#include "history/sought.h"

#include "perennial/error.h"

#include <stdlib.h>

#define HASHES 4 /* with 16 bits per digest the rate of false positives is 1 in 400 */
#define LEAST 512 /* in words */

int prn_sought_init(struct prn_sought *sought, size_t memory_bytes)
{
	size_t count = LEAST;

	while (2 * count <= memory_bytes / sizeof *sought->words)
		count *= 2;
	*sought = (struct prn_sought){ .words = calloc(count, sizeof *sought->words), .count = count };
	return sought->words ? 0 : PRN_E_MEMORY;
}

void prn_sought_release(struct prn_sought *sought)
{
	free(sought->words);
	*sought = (struct prn_sought){ 0 };
}

/* Digests are uniform: two halves of one give any number of hashes (Kirsch, Mitzenmacher 2006). */
static uint64_t hash(const struct prn_digest *digest, unsigned i)
{
	return digest->high + i * (digest->low | 1);
}

void prn_sought_add(struct prn_sought *sought, const struct prn_digest *digest)
{
	for (unsigned i = 0; i < HASHES; i++) {
		uint64_t bit = hash(digest, i);

		sought->words[bit / 64 & (sought->count - 1)] |= (uint64_t)1 << bit % 64;
	}
	sought->any = true;
}

bool prn_sought_has(const struct prn_sought *sought, const struct prn_digest *digest)
{
	for (unsigned i = 0; i < HASHES && sought->any; i++) {
		uint64_t bit = hash(digest, i);

		if (!(sought->words[bit / 64 & (sought->count - 1)] >> bit % 64 & 1))
			return false;
	}
	return sought->any;
}
