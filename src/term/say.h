/*
 * What a command says to a person.  Names and URLs in it may come from anywhere: base/visible.h.
 */
#ifndef TERM_SAY_H
#define TERM_SAY_H

#include <stdio.h>

/* Prints to stderr; newlines at the end of format end the line, others are shown. */
void term_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text as it is shown to people; no newline is added. */
void term_show(FILE *out, const char *text);

/*
 * Writes the first character of text as it stands in a row of cells: tabs and ends of lines are blanks, all else as it is shown.
 * Returns the bytes that it has in text, which is not empty.
 */
size_t term_show_in_cell(FILE *out, const char *text);

#endif
