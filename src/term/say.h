/* Messages to people.  Names and URLs in them may come from anywhere: base/visible.h. */
#ifndef TERM_SAY_H
#define TERM_SAY_H

#include <stdio.h>

/* Prints to stderr.  A newline at the end of format ends the line; others are shown as escapes. */
void term_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text as base/visible.h shows it; adds no newline. */
void term_show(FILE *out, const char *text);

/*
 * Writes the first character of text as it is written in a table: tabs and ends of lines as blanks, all else as term_show
 * does.  Returns how many bytes it has in text, which must not be empty.
 */
size_t term_show_in_cell(FILE *out, const char *text);

#endif
