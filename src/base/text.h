/*
 * Pieces of text.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Cuts the characters that blanks lists off both ends of text; returns where it begins now. */
char *prn_text_trim(char *text, const char *blanks);

/* Tells whether text[0 … length-1] is word. */
bool prn_text_equals(const char *text, size_t length, const char *word);

/* Appends an item to a list in text[size], such as "a, b, c"; what does not fit is left out. */
void prn_text_list(char *text, size_t size, const char *item);

/* For qsort: orders an array of strings by their bytes. */
int prn_text_order(const void *a, const void *b);

#endif
