/*
 * A page of a store as `perennial show --state` and `serve` show it: the last two bodies that were reported, and of each text
 * which words the other has too.
 *
 * Two texts tell what stays, what is new and what is gone; not how long anything lives: what stays may be static or scroll, and
 * what is gone scroll or churn.  Of one text nothing can be told.  A word stays if any of the fragments that it is in, of k words
 * each, is in the other text: so of a change just the words that changed are new or gone.
 */
#ifndef SHOW_DIFFERENCE_H
#define SHOW_DIFFERENCE_H

#include "keep/keep.h"
#include "show/show.h"
#include "term/table.h"

#define SHOW_DIFFERENCE_BODY_BYTES ((size_t)4 << 20)   /* of a body that are read */
#define SHOW_DIFFERENCE_TEXT_BYTES ((size_t)512 << 10) /* of a text that are shown */

/* The life of a passage (show.h) is one of these, or SHOW_NO_LIFE. */
enum show_change { SHOW_STAYS, SHOW_NEW, SHOW_GONE, SHOW_UNKNOWN };
#define SHOW_CHANGES 4

struct show_difference {
	const struct keep_pair *pair; /* borrowed; count > 0 */
	unsigned shingle_words;       /* k */
	struct show show;             /* versions [pair->count]: the texts, as passages */
	size_t fragments[SHOW_CHANGES]; /* different ones: in both; in the later or the earlier text alone; of the only one */
	bool part_read;               /* of a body the beginning was read */
	bool part_shown;              /* of a text the beginning is shown */
};

void show_difference_init(struct show_difference *difference);
void show_difference_release(struct show_difference *difference);

/* Compares the bodies of a pair, by fragments of shingle_words.  PRN_E_ARGUMENT: shingle_words; PRN_E_MEMORY */
int show_difference_compare(struct show_difference *difference, const struct keep_pair *pair, unsigned shingle_words, struct prn_error *error);

/* "stays", "new", "gone", "unknown".  Static. */
const char *show_change_name(enum show_change change);

/*
 * Writes the page: it needs no script, asks for nothing, and nothing of a text is anything but text.  back: where a link leads to
 * that tells when the page is visited next; NULL: there is none.  PRN_E_MEMORY
 */
int show_difference_page(FILE *out, const struct show_difference *difference, const char *back);

/* The same in colours.  PRN_E_MEMORY */
int show_difference_terminal(FILE *out, const struct show_difference *difference);

/* A row a passage: the later text, then what is gone.  PRN_E_IO, PRN_E_MEMORY */
int show_difference_rows(FILE *out, const struct show_difference *difference, enum term_format format, struct prn_error *error);

/* What both tell a person of what the texts can tell, and what not: a sentence or two, to text. */
#define SHOW_DIFFERENCE_WORDS 512
void show_difference_words(const struct show_difference *difference, char text[SHOW_DIFFERENCE_WORDS]);

#endif
