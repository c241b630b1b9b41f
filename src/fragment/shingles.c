#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fragment/shingles.h"
#include "base/sort.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

#define FULL 1024 /* hashes: with fewer, compacting costs more than the threshold saves */

static int grow(struct prn_shingles *shingles, size_t wanted)
{
	size_t capacity = shingles->capacity ? shingles->capacity : 4 * FULL;
	uint64_t *kept, *scratch;

	while (capacity < wanted && capacity <= SIZE_MAX / 4 / sizeof *kept)
		capacity *= 2;
	if (capacity < wanted)
		return PRN_E_MEMORY;
	kept = realloc(shingles->kept, capacity * sizeof *kept);
	if (!kept)
		return PRN_E_MEMORY;
	shingles->kept = kept;
	scratch = realloc(shingles->scratch, capacity * sizeof *scratch);
	if (!scratch)
		return PRN_E_MEMORY;
	shingles->scratch = scratch;
	shingles->capacity = capacity;
	return 0;
}

int prn_shingles_init(struct prn_shingles *shingles, unsigned k, size_t limit)
{
	*shingles = (struct prn_shingles){ .k = k, .limit = limit };
	prn_shingles_begin(shingles);
	return !k || k > PRN_SHINGLE_WORDS_MAX || !limit ? PRN_E_ARGUMENT : 0;
}

void prn_shingles_release(struct prn_shingles *shingles)
{
	free(shingles->kept);
	free(shingles->scratch);
	*shingles = (struct prn_shingles){ 0 };
}

void prn_shingles_begin(struct prn_shingles *shingles)
{
	shingles->below = UINT64_MAX;
	shingles->any = false;
	shingles->dropped = false;
	shingles->count = 0;
	shingles->sum = 0;
	shingles->words = 0;
}

/* Reduces kept to the m smallest hashes, ascending and distinct. */
static void compact(struct prn_shingles *shingles)
{
	shingles->count = prn_sort_distinct(shingles->kept, shingles->scratch, shingles->count);
	if (shingles->count <= shingles->limit)
		return;
	shingles->count = shingles->limit;
	shingles->below = shingles->kept[shingles->limit - 1];
	shingles->dropped = true;
}

/*
 * Makes room for more hashes.  The buffer is compacted first, so that it grows with the distinct fragments and
 * not with repetitions.  It grows unless half of it came free: otherwise the next compaction would follow too
 * soon.
 */
static int make_room(struct prn_shingles *shingles, size_t more)
{
	size_t limit = shingles->limit;

	if (limit < SIZE_MAX / 4 && shingles->count >= FULL && shingles->count >= 2 * limit + 64)
		compact(shingles);
	if (shingles->capacity - shingles->count >= more)
		return 0;
	compact(shingles);
	if (shingles->capacity - shingles->count >= more &&
	    shingles->count <= shingles->capacity / 2)
		return 0;
	return grow(shingles, shingles->capacity + more);
}

/*
 * A hash above the threshold is overwritten by the next one, so there is no branch to mispredict.  With the
 * usual k as a constant the compiler specialises the hash function.
 */
static inline __attribute__((always_inline)) void hash_shingles(struct prn_shingles *shingles,
                                                                size_t shingle_count, unsigned k)
{
	uint64_t below = shingles->below, sum = shingles->sum, *kept = shingles->kept;
	size_t count = shingles->count;

	for (size_t i = 0; i < shingle_count; i++) {
		uint64_t hash = XXH3_64bits(shingles->word + i, k * sizeof *shingles->word);

		kept[count] = hash;
		count += hash <= below;
		sum += hash;
	}
	shingles->sum = sum;
	shingles->count = count;
}

static __attribute__((flatten)) void hash_usual_shingles(struct prn_shingles *shingles,
                                                         size_t count)
{
	hash_shingles(shingles, count, PRN_SHINGLE_WORDS);
}

static void append_words(struct prn_shingles *shingles, const uint64_t *words, size_t count)
{
	uint64_t *to = shingles->word + shingles->words;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (size_t i = 0; i < count; i++)
		to[i] = __builtin_bswap64(words[i]);
#else
	memcpy(to, words, count * sizeof *words);
#endif
	shingles->words += count;
}

int prn_shingles_add(struct prn_shingles *shingles, const uint64_t *words, size_t count)
{
	size_t overlap = shingles->k - 1, complete;

	append_words(shingles, words, count);
	if (shingles->words < shingles->k)
		return 0;
	complete = shingles->words - overlap;
	if (make_room(shingles, complete))
		return PRN_E_MEMORY;
	if (shingles->k == PRN_SHINGLE_WORDS)
		hash_usual_shingles(shingles, complete);
	else
		hash_shingles(shingles, complete, shingles->k);
	shingles->any = true;
	memmove(shingles->word, shingles->word + complete, overlap * sizeof *shingles->word);
	shingles->words = overlap;
	return 0;
}

uint64_t prn_shingle_of(const uint64_t *words, size_t count)
{
	uint64_t bytes[PRN_SHINGLE_WORDS_MAX];

	for (size_t i = 0; i < count; i++)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		bytes[i] = __builtin_bswap64(words[i]);
#else
		bytes[i] = words[i];
#endif
	return XXH3_64bits(bytes, count * sizeof *bytes);
}

int prn_shingles_end(struct prn_shingles *shingles, struct prn_summary *summary)
{
	/* A text shorter than k words is one fragment of all its words. */
	if (!shingles->any && shingles->words) {
		if (make_room(shingles, 1))
			return PRN_E_MEMORY;
		shingles->sum = XXH3_64bits(shingles->word, shingles->words * sizeof *shingles->word);
		shingles->kept[shingles->count++] = shingles->sum;
	}
	compact(shingles);
	*summary = (struct prn_summary){
		.hashes = shingles->kept,
		.count = shingles->count,
		.limit = shingles->limit,
		.complete = !shingles->dropped,
	};
	return 0;
}
