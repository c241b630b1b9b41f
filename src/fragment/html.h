/*
 * The visible text of HTML: no script, style, noscript, template, comments (doc/theory.md §1).
 */
#ifndef FRAGMENT_HTML_H
#define FRAGMENT_HTML_H

#include "base/buffer.h"
#include "fragment/references.h"

#include <stdbool.h>

/*
 * Appends the visible text of html, UTF-8, to *text, as a browser reads it that runs scripts: the standard's tokens,
 * without its tree.  Of the tree it knows as much as it takes to read tokens right: which elements hold raw text, what is
 * open of templates, and of SVG and MathML, where the same names are other elements.  So text stays in the order of the
 * bytes, where a tree would move what a table may not hold to before the table (doc/html.md).
 *
 * is_xhtml: it was sent as XHTML, in which any element may end in "/>" and text may be a CDATA section.
 * references, unless NULL: those of the page are appended there; what stands in a template or is read as text has none.
 *
 * PRN_E_MEMORY
 */
int prn_html_text(const unsigned char *html, size_t length, bool is_xhtml, struct prn_buffer *text,
                  struct prn_references *references);

#endif
