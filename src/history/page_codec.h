/*
 * One page as bytes, as it stands in a block of a trace (trace_format.h "Page").  The URL is not among
 * them: it stands in the index.
 */
#ifndef HISTORY_PAGE_CODEC_H
#define HISTORY_PAGE_CODEC_H

#include <stddef.h>

#include "base/buffer.h"
#include "perennial/error.h"
#include "perennial/page.h"

/*
 * Appends a page that passed prn_page_check.  The bytes are a function of what the page says, not of
 * how its stripes share runs, in this version of traces, PRN_TRACE_PAYLOADS, which has neither
 * links nor media types, or later.
 *
 * PRN_E_MEMORY
 */
int prn_page_encode(const struct prn_page *page, unsigned version, struct prn_buffer *out);

/*
 * Reads a page of a trace of this version that fills bytes exactly.  Every bound is checked and memory is at most a fixed multiple
 * of length, whatever the bytes say; what is read passes prn_page_check.  page->url is untouched.
 *
 * PRN_E_INPUT	not a page: page has no captures then
 * PRN_E_MEMORY
 */
int prn_page_decode(const unsigned char *bytes, size_t length, unsigned version, struct prn_page *page);

#endif
