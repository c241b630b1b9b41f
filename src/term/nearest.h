/*
 * What a misspelt word was most likely meant to be.
 */
#ifndef TERM_NEAREST_H
#define TERM_NEAREST_H

#include <stddef.h>

struct term_nearest {
	const char *word;
	const char *best; /* NULL: nothing that was offered is near */
	size_t distance;
};

void term_nearest_init(struct term_nearest *nearest, const char *word);

/*
 * Offers a word that it may have been.  The distance of two words is the number of letters to put in, to leave out, to replace, or
 * to exchange with their neighbours (optimal string alignment); more than a third of the longer word's letters apart they are not
 * near.  Of words as near as each other the first is kept.  Words of more than TERM_NEAREST_BYTES bytes are near to none.
 */
#define TERM_NEAREST_BYTES 40
void term_nearest_offer(struct term_nearest *nearest, const char *offered);

#endif
