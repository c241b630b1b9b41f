/* Writes pages that were encoded elsewhere, for instance by other threads. */
#ifndef HISTORY_TRACE_WRITE_H
#define HISTORY_TRACE_WRITE_H

#include <stddef.h>

#include "history/trace_format.h"
#include "perennial/trace.h"

/* Returns the version of a trace with these properties. */
static inline unsigned prn_trace_written_version(const struct prn_trace_about *about)
{
	return about->media ? PRN_TRACE_MEDIA : about->links ? PRN_TRACE_LINKS : PRN_TRACE_PAYLOADS;
}

/*
 * Compresses blocks on so many threads, eight at most, in place of one; the output is the same.  Must be called
 * before anything is added.  The failure to write a block may be reported some blocks later.  PRN_E_MEMORY
 */
int prn_trace_writer_use_threads(struct prn_trace_writer *writer, size_t threads, struct prn_error *error);

/*
 * As prn_trace_writer_add. bytes are the output of prn_page_encode for a page that passed prn_page_check, with
 * version prn_trace_written_version; it has no links if the trace has none.  PRN_E_LIMIT: too long.
 */
int prn_trace_writer_add_encoded(struct prn_trace_writer *writer, const char *url, const unsigned char *bytes,
                                 size_t length, struct prn_error *error);

#endif
