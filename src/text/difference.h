/*
 * The difference of the last two bodies of a page of a store, as `perennial show --state` and `serve` show it: which words of
 * each text are also in the other.
 *
 * Two texts show what stays, what is new and what is gone, but not how long anything lives: what stays may be static or
 * scroll, and what is gone scroll or churn.  One text shows nothing of that.  A word stays if any of its fragments of k words
 * is in the other text: so after a change only the words that changed are new or gone.
 */
#ifndef TEXT_DIFFERENCE_H
#define TEXT_DIFFERENCE_H

#include "keep/keep.h"
#include "text/passages.h"

#include <stdio.h>

#define TEXT_DIFFERENCE_BODY_BYTES ((size_t)4 << 20)   /* the bytes of a body that are read */
#define TEXT_DIFFERENCE_TEXT_BYTES ((size_t)512 << 10) /* the bytes of a text that are shown */

/* The mark of a passage is one of these, or TEXT_NO_MARK. */
enum text_change { TEXT_STAYS, TEXT_NEW, TEXT_GONE, TEXT_UNKNOWN };
#define TEXT_CHANGES 4

struct text_difference {
	const struct keep_pair *pair; /* borrowed; count > 0 */
	unsigned shingle_words;       /* k */
	struct text_passages passages;
	struct text_sequence texts[KEEP_LAST]; /* [pair->count] */
	size_t fragments[TEXT_CHANGES]; /* distinct ones: in both texts; only in the later or the earlier one; in the only text */
	bool part_read;               /* only the beginning of a body was read */
	bool part_shown;              /* only the beginning of a text is shown */
};

void text_difference_init(struct text_difference *difference);
void text_difference_release(struct text_difference *difference);

/* Compares the bodies of a pair, by fragments of shingle_words.  PRN_E_ARGUMENT: shingle_words; PRN_E_MEMORY */
int text_difference_compare(struct text_difference *difference, const struct keep_pair *pair, unsigned shingle_words, struct prn_error *error);

/* "stays", "new", "gone", "unknown".  Static. */
const char *text_change_name(enum text_change change);

/*
 * Writes the page.  It needs no script and loads nothing, and the texts in it are nothing but text.  back: the address of a
 * page that says when this one is visited next; NULL: there is no link.  PRN_E_MEMORY
 */
int text_difference_page(FILE *out, const struct text_difference *difference, const char *back);

/* Says in a sentence or two what the texts show, and what they cannot show. */
#define TEXT_DIFFERENCE_WORDS 512
void text_difference_words(const struct text_difference *difference, char text[TEXT_DIFFERENCE_WORDS]);

#endif
