/*
 * Text to words: maximal runs of Unicode letters, marks and digits, case-folded; in scripts written
 * without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) each letter with its marks is a word; Hangul goes by
 * runs.  A word is told by the XXH3-64 (seed 0) of its folded UTF-8.
 *
 * Digits are those of category Nd.  Folding is full ("ß" is "ss"), of each character by itself.
 */
#ifndef FRAGMENT_WORDS_H
#define FRAGMENT_WORDS_H

#include "base/buffer.h"
#include "fragment/shingles.h"
#include "fragment/unicode.h"

struct prn_words {
	struct prn_buffer folded; /* the text in lower case, as far as ASCII goes */
	struct prn_buffer word;   /* a word with other letters, folded */
	struct prn_unicode unicode;
};

/* All zero bytes is a fresh one. */
void prn_words_release(struct prn_words *words);

/*
 * Adds the words of text, valid UTF-8, to shingles, in order.  Text begins and ends words.
 *
 * PRN_E_MEMORY
 */
int prn_words_add(struct prn_words *words, const unsigned char *text, size_t length,
                  struct prn_shingles *shingles);

#endif
