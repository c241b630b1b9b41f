/* Writes text as HTML. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

/* Writes length bytes of text as HTML: markup escaped, control characters as spaces, bytes that are not UTF-8 as U+FFFD. */
void report_html_bytes(FILE *out, const char *text, size_t length);

/* The same for a whole string. */
void report_html_text(FILE *out, const char *text);

#endif
