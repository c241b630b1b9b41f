#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fragment/words.h"
#include "fragment/block.h"
#include "fragment/utf8.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

void prn_words_release(struct prn_words *words)
{
	prn_buffer_release(&words->folded);
	prn_buffer_release(&words->word);
	prn_unicode_release(&words->unicode);
	free(words->places);
}

/*
 * Writes the positions of the set bits, eight at a time whether there are as many or not, so that the loop is
 * well predicted: it needs room for seven more.  Returns the number of valid positions.
 */
static inline size_t list_bits(uint64_t bits, uint32_t offset, uint32_t *positions)
{
	size_t count = (size_t)__builtin_popcountll(bits);

	for (size_t i = 0; i < count; i += 8)
		for (size_t j = 0; j < 8; j++) {
			positions[i + j] = offset +
			                   (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
			bits &= bits - 1;
		}
	return count;
}

/* Finds the edges of runs in [at, at + length) of the text; a run left open by the segment before goes on. */
static void scan_segment(struct prn_words *words, const unsigned char *text, uint32_t at,
                         size_t length)
{
	unsigned char *folded = words->folded.data, last[PRN_BLOCK] = { 0 };
	size_t count = words->edge_count;
	unsigned char *high = words->high;
	uint64_t carry = count & 1;

	for (size_t done = 0; done < length; done += PRN_BLOCK, at += PRN_BLOCK) {
		const unsigned char *from = text + at;
		struct prn_block block;

		if (length - done < PRN_BLOCK)
			from = memcpy(last, from, length - done);
		block = prn_block_fold(from, folded + at);
		count += list_bits(block.word ^ (block.word << 1 | carry), at,
		                   words->edges + count);
		carry = block.word >> 63;
		prn_lanes_store(high, block.high);
		high += sizeof block.high;
	}
	memset(high, 0, sizeof carry);
	words->edge_count = count;
}

/* Tells whether one of the bits [at, at + length) is set; length is 1 … PRN_WORD_PLAIN, so they lie in eight bytes. */
static inline bool any_bit(const unsigned char *bits, uint32_t at, uint32_t length)
{
	return prn_lanes_load(bits + at / 8) >> at % 8 << (64 - length);
}

/* Hashes the words of one length class, so that the branches within the hash function are well predicted. */
static __attribute__((flatten)) void hash_waiting(const struct prn_word *word, size_t count,
                                                  const unsigned char *folded, uint64_t *hashes)
{
	for (; count; count--, word++)
		hashes[word->slot] = XXH3_64bits(folded + word->start, word->length);
}

static int flush(struct prn_words *words, struct prn_shingles *shingles)
{
	size_t count = words->count;

	for (size_t i = 0; i < PRN_WORD_CLASSES; i++)
		hash_waiting(words->waiting[i], words->waiting_counts >> 16 * i & 0xffff,
		             words->folded.data, words->hashes);
	words->waiting_counts = 0;
	words->count = 0;
	return prn_shingles_add(shingles, words->hashes, count);
}

/* 16 times the length class, which is its place in waiting_counts.  XXH3 changes its code at 4, 9 and 17 bytes. */
static const uint8_t class_shift[PRN_WORD_PLAIN + 1] = {
	0,  0,  0,  0,  16, 16, 16, 16, 16, 32, 32, 32, 32, 32, 32, 32, 32, 48, 48,
	48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48,
	48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48,
};

/*
 * Puts runs that are words of plain ASCII on the lists, up to the first that is not one or until the batch is
 * full.  Returns how many.  The bits of words->high begin at offset, before which no run starts.
 */
static size_t add_plain_words(struct prn_words *words, uint32_t offset, const uint32_t *edges,
                              size_t runs)
{
	uint64_t counts = words->waiting_counts;
	size_t room = PRN_SHINGLE_BATCH - words->count, i;
	uint32_t slot = (uint32_t)words->count;

	if (runs > room)
		runs = room;
	for (i = 0; i < runs; i++, edges += 2) {
		uint32_t length = edges[1] - edges[0];
		unsigned shift;

		if (length > PRN_WORD_PLAIN || any_bit(words->high, edges[0] - offset, length))
			break;
		shift = class_shift[length];
		words->waiting[shift / 16][counts >> shift & 0xffff] = (struct prn_word){
			edges[0], (uint16_t)length, (uint16_t)slot++
		};
		counts += (uint64_t)1 << shift;
	}
	words->waiting_counts = counts;
	words->count = slot;
	return i;
}

static int list_place(struct prn_words *words, uint64_t hash, uint32_t from, uint32_t to)
{
	struct prn_word_place *places =
		prn_array_grow(words->places, &words->place_capacity, words->place_count + 1, sizeof *places);

	if (!places)
		return PRN_E_MEMORY;
	words->places = places;
	places[words->place_count++] = (struct prn_word_place){ hash, from, to };
	return 0;
}

/* The word stands at [from, to) of the text. */
static int end_word(struct prn_words *words, uint32_t from, uint32_t to, struct prn_shingles *shingles)
{
	uint64_t hash = XXH3_64bits(words->word.data, words->word.length);

	if (words->count == PRN_SHINGLE_BATCH && flush(words, shingles))
		return PRN_E_MEMORY;
	if (words->lists_places && list_place(words, hash, from, to))
		return PRN_E_MEMORY;
	words->hashes[words->count++] = hash;
	prn_buffer_clear(&words->word);
	return 0;
}

/*
 * Adds the words of a run of ASCII word bytes and other characters; some of the latter may end words, or be
 * letters that stand alone.
 */
static int add_mixed_run(struct prn_words *words, uint32_t start, uint32_t stop,
                         struct prn_shingles *shingles)
{
	const unsigned char *at = words->folded.data + start, *end = words->folded.data + stop;
	bool alone = false; /* the current word began with a letter that stands alone */
	uint32_t from = start;

	while (at < end) {
		uint32_t here = (uint32_t)(at - words->folded.data);
		const struct prn_character *c = prn_unicode_of(&words->unicode, prn_utf8_take(&at));
		bool ends;

		if (!c)
			return PRN_E_MEMORY;
		ends = c->letter == PRN_LETTER_NONE || c->letter == PRN_LETTER_ALONE ||
		       (alone && c->letter == PRN_LETTER_RUN);
		if (ends && words->word.length && end_word(words, from, here, shingles))
			return PRN_E_MEMORY;
		if (ends)
			alone = c->letter == PRN_LETTER_ALONE;
		if (!words->word.length)
			from = here;
		if (prn_buffer_append(&words->word, c->folded, c->length))
			return PRN_E_MEMORY;
	}
	return words->word.length ? end_word(words, from, stop, shingles) : 0;
}

/* Adds the runs that end in the segment at offset; a run that is still open stays. */
static int add_segment(struct prn_words *words, uint32_t offset, struct prn_shingles *shingles)
{
	const uint32_t *edges = words->edges;
	size_t runs = words->edge_count / 2, i = 0;

	/* The high bits of a run from the segment before are gone, so it takes the slow path. */
	if (runs && edges[0] < offset) {
		if (add_mixed_run(words, edges[0], edges[1], shingles))
			return PRN_E_MEMORY;
		i = 1;
	}
	while (i < runs) {
		int error = 0;

		if (!words->lists_places)
			i += add_plain_words(words, offset, edges + 2 * i, runs - i);
		if (words->count == PRN_SHINGLE_BATCH)
			error = flush(words, shingles);
		else if (i < runs)
			error = add_mixed_run(words, edges[2 * i], edges[2 * i + 1], shingles), i++;
		if (error)
			return error;
	}
	words->edges[0] = edges[2 * runs];
	words->edge_count &= 1;
	return 0;
}

int prn_words_add(struct prn_words *words, const unsigned char *text, size_t length,
                  struct prn_shingles *shingles)
{
	uint32_t at = 0;

	prn_buffer_clear(&words->folded);
	prn_buffer_clear(&words->word);
	words->edge_count = words->count = words->place_count = 0;
	words->waiting_counts = 0;
	if (length > UINT32_MAX - PRN_WORD_SEGMENT ||
	    prn_buffer_reserve(&words->folded, length + PRN_BLOCK))
		return PRN_E_MEMORY;
	for (; at < length; at += PRN_WORD_SEGMENT) {
		scan_segment(words, text, at,
		             length - at < PRN_WORD_SEGMENT ? length - at : PRN_WORD_SEGMENT);
		if (add_segment(words, at, shingles))
			return PRN_E_MEMORY;
	}
	/* A run that reaches the end of the text at the edge of a block is still open. */
	if (words->edge_count && add_mixed_run(words, words->edges[0], (uint32_t)length, shingles))
		return PRN_E_MEMORY;
	return flush(words, shingles);
}
