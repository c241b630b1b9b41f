/*
 * Pieces of HTML, appended to a buffer.  PRN_E_MEMORY wherever int is returned.
 */
#ifndef SERVE_HTML_H
#define SERVE_HTML_H

#include "base/buffer.h"

/*
 * Text as text, whatever is in it: <, >, &, quotes escaped, and what would turn other text around, or not be seen, as
 * base/visible.h shows it.
 */
int serve_html_text(struct prn_buffer *out, const char *text);

/* Text as the value of an attribute, as it was typed: <, >, &, quotes escaped, bytes that are not UTF-8 replaced by U+FFFD. */
int serve_html_value(struct prn_buffer *out, const char *text);

/* Text as the value of a query parameter inside an attribute: percent-encoded. */
int serve_html_query(struct prn_buffer *out, const char *text);

#endif
