/* Finds the word that a misspelt one was most likely meant to be. */
#ifndef TERM_NEAREST_H
#define TERM_NEAREST_H

#include <stddef.h>

struct term_nearest {
	const char *word;
	const char *best; /* NULL: no word that was offered is near */
	size_t distance;
};

void term_nearest_init(struct term_nearest *nearest, const char *word);

/*
 * Offers a word that it may have been.  The distance of two words is the number of letters to insert, delete, replace or
 * exchange with their neighbours (optimal string alignment).  Words are near if it is at most a third of the letters of the
 * longer one.  Of words at the same distance the first is kept.  Words of more than TERM_NEAREST_BYTES bytes are near to
 * none.
 */
#define TERM_NEAREST_BYTES 40
void term_nearest_offer(struct term_nearest *nearest, const char *offered);

#endif
