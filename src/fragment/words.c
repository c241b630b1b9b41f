#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fragment/words.h"
#include "fragment/utf8.h"
#include "perennial/error.h"

#include <string.h>

#define BLOCK 64

void prn_words_release(struct prn_words *words)
{
	prn_buffer_release(&words->folded);
	prn_buffer_release(&words->word);
	prn_unicode_release(&words->unicode);
}

static unsigned char lower(unsigned char c)
{
	return (unsigned char)(c + ((unsigned char)(c - 'A') < 26 ? 32 : 0));
}

static unsigned is_word_byte(unsigned char folded)
{
	return ((unsigned char)(folded - 'a') < 26) | ((unsigned char)(folded - '0') < 10) | (folded >= 0x80);
}

/* Eight bytes that are 0 or 1 to eight bits, the first the lowest. */
static uint64_t gather_bits(const unsigned char *flags)
{
	uint64_t eight;

	memcpy(&eight, flags, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	eight = __builtin_bswap64(eight);
#endif
	return (eight * 0x0102040810204080u) >> 56;
}

/* 64 bytes of text: copies them in lower case, and says which may belong to words and which are not ASCII. */
static void fold_block(const unsigned char *text, unsigned char *folded, uint64_t *word, uint64_t *high)
{
	unsigned char is_word[BLOCK], is_high[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		folded[i] = lower(text[i]);
	for (size_t i = 0; i < BLOCK; i++) {
		is_word[i] = (unsigned char)is_word_byte(folded[i]);
		is_high[i] = folded[i] >> 7;
	}
	*word = *high = 0;
	for (size_t i = 0; i < BLOCK; i += 8) {
		*word |= gather_bits(is_word + i) << i;
		*high |= gather_bits(is_high + i) << i;
	}
}

static int end_word(struct prn_words *words, struct prn_shingles *shingles)
{
	uint64_t hash = XXH3_64bits(words->word.data, words->word.length);

	prn_buffer_clear(&words->word);
	return prn_shingles_add(shingles, hash);
}

/*
 * The words of a run of ASCII word bytes and other characters; among the latter may be some that end
 * words, and letters that stand alone.
 */
static int add_mixed_run(struct prn_words *words, const unsigned char *at, const unsigned char *end,
                         struct prn_shingles *shingles)
{
	bool alone = false; /* the word so far began with a letter that stands alone */

	if (prn_buffer_reserve(&words->word, 8))
		return PRN_E_MEMORY;
	while (at < end) {
		const struct prn_character *c = prn_unicode_of(&words->unicode, prn_utf8_take(&at));
		bool ends;

		if (!c)
			return PRN_E_MEMORY;
		ends = c->letter == PRN_LETTER_NONE || c->letter == PRN_LETTER_ALONE ||
		       (alone && c->letter == PRN_LETTER_RUN);
		if (ends && words->word.length && end_word(words, shingles))
			return PRN_E_MEMORY;
		if (ends)
			alone = c->letter == PRN_LETTER_ALONE;
		if (prn_buffer_append(&words->word, c->folded, c->length))
			return PRN_E_MEMORY;
	}
	return words->word.length ? end_word(words, shingles) : 0;
}

static int add_run(struct prn_words *words, size_t start, size_t end, bool is_ascii,
                   struct prn_shingles *shingles)
{
	const unsigned char *run = words->folded.data + start;

	if (is_ascii)
		return prn_shingles_add(shingles, XXH3_64bits(run, end - start));
	return add_mixed_run(words, run, run + (end - start), shingles);
}

/* The bits of [start, end) within a block. */
static uint64_t bits_between(unsigned start, unsigned end)
{
	uint64_t below_end = end < 64 ? ((uint64_t)1 << end) - 1 : UINT64_MAX;

	return below_end & (UINT64_MAX << start);
}

struct run {
	size_t start;
	bool open, mixed;
};

/* Follows the edges between word bytes and others through a block at offset. */
static int add_block(struct prn_words *words, size_t offset, uint64_t word, uint64_t high, struct run *run,
                     struct prn_shingles *shingles)
{
	uint64_t edges = word ^ (word << 1 | run->open);
	unsigned from = 0;

	for (; edges; edges &= edges - 1) {
		unsigned at = (unsigned)__builtin_ctzll(edges);

		if (run->open) {
			run->mixed |= (high & bits_between(from, at)) != 0;
			if (add_run(words, run->start, offset + at, !run->mixed, shingles))
				return PRN_E_MEMORY;
		}
		run->open = !run->open;
		run->start = offset + at;
		run->mixed = false;
		from = at;
	}
	if (run->open)
		run->mixed |= (high & bits_between(from, 64)) != 0;
	return 0;
}

int prn_words_add(struct prn_words *words, const unsigned char *text, size_t length,
                  struct prn_shingles *shingles)
{
	struct run run = { 0 };
	uint64_t word, high;
	size_t at = 0;

	prn_buffer_clear(&words->folded);
	if (length > SIZE_MAX - BLOCK || prn_buffer_reserve(&words->folded, length + BLOCK))
		return PRN_E_MEMORY;
	for (; length - at >= BLOCK; at += BLOCK) {
		fold_block(text + at, words->folded.data + at, &word, &high);
		if (add_block(words, at, word, high, &run, shingles))
			return PRN_E_MEMORY;
	}
	if (at < length || run.open) {
		unsigned char last[BLOCK] = { 0 };

		memcpy(last, text + at, length - at);
		fold_block(last, words->folded.data + at, &word, &high);
		return add_block(words, at, word, high, &run, shingles);
	}
	return 0;
}
