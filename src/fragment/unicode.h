/*
 * What the tokeniser needs to know of a character: its role in words, and its case folding.
 *
 * The table is filled from libunistring in blocks of 256 code points, each when its first character is read.  A
 * page uses a handful of the 4352 blocks, so opening costs nothing.  Each extractor has its own table, and no
 * locks are needed.
 */
#ifndef FRAGMENT_UNICODE_H
#define FRAGMENT_UNICODE_H

#include <stdint.h>

enum prn_letter {
	PRN_LETTER_NONE,  /* ends words */
	PRN_LETTER_RUN,   /* a letter or digit of a script with spaces: part of a run */
	PRN_LETTER_ALONE, /* a letter of a script without spaces: a word with its marks */
	PRN_LETTER_MARK,  /* part of the word before it, of any script */
};

/* Full case folding (Unicode, CaseFolding.txt statuses C and F): at most three code points, six bytes. */
struct prn_character {
	uint8_t letter; /* enum prn_letter */
	uint8_t length; /* of folded, UTF-8; 0 where letter is PRN_LETTER_NONE */
	char folded[6];
};

#define PRN_UNICODE_BLOCKS (0x110000 / 256)

struct prn_unicode {
	struct prn_character *blocks[PRN_UNICODE_BLOCKS];
};

/* Fills the block that holds code <= U+10FFFF; NULL without memory. */
const struct prn_character *prn_unicode_tabulate(struct prn_unicode *unicode, uint32_t code);

/* Returns the character's entry, or NULL without memory. */
static inline const struct prn_character *prn_unicode_of(struct prn_unicode *unicode, uint32_t code)
{
	const struct prn_character *block = unicode->blocks[code >> 8];

	return block ? &block[code & 0xff] : prn_unicode_tabulate(unicode, code);
}

/* _init sets all bytes to zero. */
void prn_unicode_release(struct prn_unicode *unicode);

#endif
