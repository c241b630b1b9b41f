/*
 * A line of POST /v1/pages: a page to look after.  "http://a.example/ 2.5" (a URL, then perhaps a space or a tab
 * and its weight), or {"url": "http://a.example/", "weight": 2.5}.
 */
#ifndef SERVE_PAGE_LINE_H
#define SERVE_PAGE_LINE_H

#include <stddef.h>

#include "base/buffer.h"
#include "perennial/error.h"

#define SERVE_PAGE_LINE_BYTES ((size_t)64 << 10) /* of the longest: any URL with every byte escaped, and more */

/*
 * Reads a line without its end.  Returns 1 with the URL as written in *url (cleared first, NUL-terminated) and *weight > 0, or
 * *weight 0 if the line has none; returns 0 for an empty line or one that begins with "#".  The URL is not checked.
 *
 * PRN_E_INPUT	neither form, or longer than SERVE_PAGE_LINE_BYTES; the text says what is wrong
 * PRN_E_MEMORY
 */
int serve_page_line_read(const char *line, size_t length, struct prn_buffer *url, double *weight,
                         struct prn_error *error);

#endif
