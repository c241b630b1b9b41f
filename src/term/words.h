/*
 * The words that an option's value may be.  They are its argument: "table|tsv|json", one of these, or "sitemap,feed", several with
 * commas between.  --help, what shells offer, what is taken, and what is said of another value are all made of it.
 */
#ifndef TERM_WORDS_H
#define TERM_WORDS_H

#include <stdbool.h>

#include "term/exit.h"
#include "term/option.h"

/* Whether an argument is words with this separator, '|' or ',', between: small letters, digits and dashes. */
bool term_words_are(const char *argument, char separator);

/* Returns which of the words text is, from 0; -1: none of them. */
int term_words_find(const char *words, const char *text);

/*
 * As term_words_find, for the value of an option.
 *
 * TERM_E_USAGE	it is none of the words: the text names them
 */
int term_words_read(const char *option, const char *words, const char *value, int *which, struct prn_error *error);

/*
 * Checks the value of an option of kind TEXT or LIST whose argument is words; any other's may be anything.
 *
 * TERM_E_USAGE	it has another one: the text says which, and names those that there are
 */
int term_words_check(const struct term_option *option, const char *value, struct prn_error *error);

#endif
