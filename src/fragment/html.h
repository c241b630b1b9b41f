/*
 * The visible text of HTML: no script, style, noscript, template, comments (doc/theory.md §1).
 */
#ifndef FRAGMENT_HTML_H
#define FRAGMENT_HTML_H

#include "base/buffer.h"

struct prn_markup;

/*
 * Appends the visible text of html to *text.  html is clean UTF-8 (decode.h), at most INT_MAX
 * bytes. Broken HTML is read as browsers would, roughly; a document nested more than
 * PRN_MARKUP_DEPTH deep, or with hundreds of attributes in one tag, or with more faults than text, is read up to there,
 * and bits of PRN_CUT_* that say so are added to *cut.
 *
 * PRN_E_MEMORY
 */
int prn_html_text(const unsigned char *html, size_t length, struct prn_buffer *text, unsigned *cut);

/* The same within other markup, whose work and cut count on. */
int prn_html_text_within(struct prn_markup *outer, const unsigned char *html, size_t length, struct prn_buffer *text);

#endif
