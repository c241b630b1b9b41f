/* Encodes a page as in a block of a trace (trace_format.h "Page").  The URL is not part of it: it is in the index. */
#ifndef HISTORY_PAGE_CODEC_H
#define HISTORY_PAGE_CODEC_H

#include <stddef.h>

#include "base/buffer.h"
#include "perennial/error.h"
#include "perennial/page.h"

/*
 * Appends a page that passed prn_page_check.  The bytes depend on the content of the page only, not on how its
 * stripes share runs. version is that of the trace: PRN_TRACE_PAYLOADS, which has neither links nor media
 * types, or later.
 *
 * PRN_E_MEMORY
 */
int prn_page_encode(const struct prn_page *page, unsigned version, struct prn_buffer *out);

/*
 * Decodes a page of a trace of this version; it must fill bytes exactly.  Every bound is checked, and memory is
 * at most a fixed multiple of length, whatever the bytes say; the result passes prn_page_check. page->url is
 * unchanged.
 *
 * PRN_E_INPUT	not a page: page has no captures then
 * PRN_E_MEMORY
 */
int prn_page_decode(const unsigned char *bytes, size_t length, unsigned version, struct prn_page *page);

#endif
