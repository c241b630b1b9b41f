/*
 * Writing pages that were encoded elsewhere, by other threads say.
 */
#ifndef HISTORY_TRACE_WRITE_H
#define HISTORY_TRACE_WRITE_H

#include <stddef.h>

#include "history/trace_format.h"
#include "perennial/trace.h"

/* The version of a trace about which this is said. */
static inline unsigned prn_trace_written_version(const struct prn_trace_about *about)
{
	return about->media ? PRN_TRACE_MEDIA : about->links ? PRN_TRACE_LINKS : PRN_TRACE_PAYLOADS;
}

/*
 * Has blocks packed on so many threads, eight at most, where it was one; what is written is the same.  Called before anything
 * is added.  That a block cannot be written may be told some blocks later.  PRN_E_MEMORY
 */
int prn_trace_writer_use_threads(struct prn_trace_writer *writer, size_t threads, struct prn_error *error);

/* As prn_trace_writer_add; bytes are what prn_page_encode made of a page that passed prn_page_check,
 * by the version that is written, prn_trace_written_version; it has no links where the trace has none.  PRN_E_LIMIT: too long. */
int prn_trace_writer_add_encoded(struct prn_trace_writer *writer, const char *url, const unsigned char *bytes,
                                 size_t length, struct prn_error *error);

#endif
