/*
 * Pieces of HTML, appended to a buffer.  PRN_E_MEMORY wherever int is returned.
 */
#ifndef SERVE_HTML_H
#define SERVE_HTML_H

#include "base/buffer.h"

/*
 * Appends any text: <, >, & and quotes are escaped, and characters that cannot be seen, or would change the direction of other
 * text, stand as base/visible.h shows them.
 */
int serve_html_text(struct prn_buffer *out, const char *text);

/* Appends text as it was typed, as the value of an attribute: <, >, & and quotes are escaped, bytes that are not UTF-8 become U+FFFD. */
int serve_html_value(struct prn_buffer *out, const char *text);

/* Appends text, percent-encoded, as the value of a query parameter inside an attribute. */
int serve_html_query(struct prn_buffer *out, const char *text);

#endif
