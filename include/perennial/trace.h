/*
 * The trace file: many pages' histories as stripes, hashes only.  (The bytes are laid out in
 * src/history/trace_format.h.)
 *
 * Whole pages in zstd blocks with XXH3 checksums, an index at the end, a versioned header: one page can be read without
 * reading the others.
 */
#ifndef PERENNIAL_TRACE_H
#define PERENNIAL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/page.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_trace_about {
	uint32_t fragment_rule; /* PRN_FRAGMENT_RULE of who made the fragments, this one or an older one */
	uint32_t shingle_words; /* k */
	char tool[32];          /* "perennial 0.1.0" */
	bool links;             /* pages may have links (page.h) */
	bool media;             /* captures have the media types that were told of them (page.h) */
	char *provenance;       /* one line: the parameters and seed it was made with; owned by the trace */
};

/*
 * Reading.  A trace is opened once and shared: all calls on an open trace may run in parallel.
 */
struct prn_trace;

/*
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	not a trace, or damaged (a checksum or a bound does not hold)
 * PRN_E_TRUNCATED	cut off: the writing did not end
 * PRN_E_VERSION	written by a newer version or under a newer fragment rule
 * PRN_E_MEMORY
 */
int prn_trace_open(struct prn_trace **out, const char *path, struct prn_error *error);
void prn_trace_free(struct prn_trace *trace);

const struct prn_trace_about *prn_trace_about(const struct prn_trace *trace);

/* Pages stand in the order of their normal URLs. */
size_t prn_trace_pages(const struct prn_trace *trace);

/* The URL of page i, as it is spelled or in its normal form, without reading the page; valid until the trace is freed. */
const char *prn_trace_url(const struct prn_trace *trace, size_t i);
const char *prn_trace_normal_url(const struct prn_trace *trace, size_t i);

/* The index of the page with this normal URL.  PRN_E_NOT_FOUND */
int prn_trace_find(const struct prn_trace *trace, const char *normal_url, size_t *i);

/* Reads page i into *page (initialised; its memory is used again).  Errors as prn_trace_open; PRN_E_ARGUMENT: no page i. */
int prn_trace_page(const struct prn_trace *trace, size_t i, struct prn_page *page, struct prn_error *error);

/*
 * Writing: pages in ascending order of normal URL.  Nothing stands at path until prn_trace_writer_close
 * succeeds: it writes beside it and renames.
 */
struct prn_trace_writer;

/*
 * about->tool is ignored (this library names itself); strings are borrowed for the call.  Without about->links the links of pages
 * are left out, and without about->media their media types.
 */
int prn_trace_writer_open(struct prn_trace_writer **out, const char *path, const struct prn_trace_about *about,
                          struct prn_error *error);

/* PRN_E_ARGUMENT: the page is not well-formed as page.h says, or is out of order.  PRN_E_IO, PRN_E_LIMIT (1 GiB a page), PRN_E_MEMORY. */
int prn_trace_writer_add(struct prn_trace_writer *writer, const struct prn_page *page, struct prn_error *error);

/* Writes the index and puts the file in place; frees the writer whether it succeeds or not. */
int prn_trace_writer_close(struct prn_trace_writer *writer, struct prn_error *error);

/* Gives up: removes what was written and frees.  NULL is fine. */
void prn_trace_writer_free(struct prn_trace_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
