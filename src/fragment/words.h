/*
 * Cuts text into words: maximal runs of Unicode letters, marks and digits, case-folded.  In scripts written
 * without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) each letter with its marks is a word; Hangul forms
 * runs.  A word is identified by the XXH3-64 (seed 0) of its folded UTF-8.
 *
 * Digits are those of category Nd.  Folding is full ("ß" is "ss"), and of each character by itself.
 */
#ifndef FRAGMENT_WORDS_H
#define FRAGMENT_WORDS_H

#include "base/buffer.h"
#include "fragment/shingles.h"
#include "fragment/unicode.h"

#include <stdbool.h>

#define PRN_WORD_CLASSES 4 /* length classes, between which the hash function's code differs */
#define PRN_WORD_PLAIN 56  /* bytes of the longest word that takes the fast path */
#define PRN_WORD_SEGMENT 4096 /* bytes of text that are searched at once: a multiple of 64 */

/* An ASCII word that waits to be hashed, from folded + start into hashes[slot]. */
struct prn_word {
	uint32_t start;
	uint16_t length, slot;
};

/* A word where it stands in the text: bytes from … to-1. */
struct prn_word_place {
	uint64_t hash;
	uint32_t from, to;
};

struct prn_words {
	struct prn_buffer folded; /* the text with its ASCII letters in lower case */
	struct prn_buffer word;   /* a word with other letters, folded */
	struct prn_unicode unicode;
	/*
	 * A segment: edges[2i] … edges[2i+1] are runs of bytes that may belong to words, as offsets into folded
	 * (an open run has only the first); high has a bit for each byte that is not ASCII.
	 */
	size_t edge_count;
	uint32_t edges[1 + PRN_WORD_SEGMENT + 7];
	unsigned char high[PRN_WORD_SEGMENT / 8 + 8];
	/*
	 * A batch: hashes of words in the order of the text.  ASCII words wait in lists by length, so that the
	 * hash function's branches on length go the same way many times in a row.
	 */
	size_t count;
	uint64_t hashes[PRN_SHINGLE_BATCH];
	uint64_t waiting_counts; /* 16 bits a class: in one register they cost no trip through
	                            memory */
	struct prn_word waiting[PRN_WORD_CLASSES][PRN_SHINGLE_BATCH];
	/*
	 * The places of the words of the last text, in its order, if the caller asked for them: then all words
	 * take the slow path.
	 */
	bool lists_places;
	struct prn_word_place *places; /* [place_count] */
	size_t place_count, place_capacity;
};

/* All zero bytes are a valid beginning. */
void prn_words_release(struct prn_words *words);

/*
 * Adds the words of text, valid UTF-8 of less than 2^32 bytes, to shingles, in order.  The text's ends end
 * words.
 *
 * PRN_E_MEMORY
 */
int prn_words_add(struct prn_words *words, const unsigned char *text, size_t length,
                  struct prn_shingles *shingles);

#endif
