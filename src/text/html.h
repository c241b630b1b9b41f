/* Writes text as HTML: markup is escaped, control characters are spaces, bytes that are not UTF-8 are U+FFFD. */
#ifndef TEXT_HTML_H
#define TEXT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes length bytes of text, such as a name; characters that turn the direction of text are shown as escapes. */
void text_html_bytes(FILE *out, const char *text, size_t length);

/* The same for a whole string. */
void text_html_string(FILE *out, const char *text);

/* The same for text of a page, from which those characters are left out that turn the direction of text beyond their own place. */
void text_html_content(FILE *out, const char *text, size_t length);

/* Tells whether text begins with such a character, of TEXT_HTML_TURN bytes. */
bool text_html_turns_around(const char *text, size_t length);
#define TEXT_HTML_TURN 3

#endif
