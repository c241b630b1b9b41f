/* Extracts the visible text of HTML, without script, style, noscript, template and comments (doc/theory.md §1). */
#ifndef FRAGMENT_HTML_H
#define FRAGMENT_HTML_H

#include "base/buffer.h"
#include "fragment/references.h"

#include <stdbool.h>

/*
 * Appends the visible text of html, UTF-8, to *text, as a browser that runs scripts reads it.  It follows the
 * tokenizer of the standard but builds no tree.  Of the tree it tracks only what is needed to tokenize
 * correctly: elements with raw text, open templates, and open SVG and MathML, where the same names are other
 * elements.  So text stays in the order of the bytes, where a tree would move what a table may not contain to
 * before the table (doc/html.md).
 *
 * is_xhtml: the page was sent as XHTML, in which any element may end in "/>" and text may be a CDATA section.
 * references, unless NULL: the references of the page are appended there; content of templates and raw text has
 * none.
 *
 * PRN_E_MEMORY
 */
int prn_html_text(const unsigned char *html, size_t length, bool is_xhtml, struct prn_buffer *text,
                  struct prn_references *references);

#endif
