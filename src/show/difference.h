/*
 * The difference of the last two bodies of a page of a store, as `perennial show --state` and `serve` show it: which words of
 * each text are also in the other.
 *
 * Two texts show what stays, what is new and what is gone, but not how long anything lives: what stays may be static or
 * scroll, and what is gone scroll or churn.  One text shows nothing of that.  A word stays if any of its fragments of k words
 * is in the other text: so after a change only the words that changed are new or gone.
 */
#ifndef SHOW_DIFFERENCE_H
#define SHOW_DIFFERENCE_H

#include "keep/keep.h"
#include "show/show.h"
#include "term/table.h"

#define SHOW_DIFFERENCE_BODY_BYTES ((size_t)4 << 20)   /* the bytes of a body that are read */
#define SHOW_DIFFERENCE_TEXT_BYTES ((size_t)512 << 10) /* the bytes of a text that are shown */

/* The life of a passage (show.h) is one of these, or SHOW_NO_LIFE. */
enum show_change { SHOW_STAYS, SHOW_NEW, SHOW_GONE, SHOW_UNKNOWN };
#define SHOW_CHANGES 4

struct show_difference {
	const struct keep_pair *pair; /* borrowed; count > 0 */
	unsigned shingle_words;       /* k */
	struct show show;             /* versions [pair->count]: the texts, as passages */
	size_t fragments[SHOW_CHANGES]; /* distinct ones: in both texts; only in the later or the earlier one; in the only text */
	bool part_read;               /* only the beginning of a body was read */
	bool part_shown;              /* only the beginning of a text is shown */
};

void show_difference_init(struct show_difference *difference);
void show_difference_release(struct show_difference *difference);

/* Compares the bodies of a pair, by fragments of shingle_words.  PRN_E_ARGUMENT: shingle_words; PRN_E_MEMORY */
int show_difference_compare(struct show_difference *difference, const struct keep_pair *pair, unsigned shingle_words, struct prn_error *error);

/* "stays", "new", "gone", "unknown".  Static. */
const char *show_change_name(enum show_change change);

/*
 * Writes the page.  It needs no script and loads nothing, and the texts in it are nothing but text.  back: the address of a
 * page that says when this one is visited next; NULL: there is no link.  PRN_E_MEMORY
 */
int show_difference_page(FILE *out, const struct show_difference *difference, const char *back);

/* Prints the texts in colours.  PRN_E_MEMORY */
int show_difference_terminal(FILE *out, const struct show_difference *difference);

/* Prints a row for each passage: those of the later text, then what is gone.  PRN_E_IO, PRN_E_MEMORY */
int show_difference_rows(FILE *out, const struct show_difference *difference, enum term_format format, struct prn_error *error);

/* Says in a sentence or two what the texts show, and what they cannot show. */
#define SHOW_DIFFERENCE_WORDS 512
void show_difference_words(const struct show_difference *difference, char text[SHOW_DIFFERENCE_WORDS]);

#endif
