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

#endif
