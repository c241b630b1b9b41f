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
	return about->links ? PRN_TRACE_LINKS : PRN_TRACE_PAYLOADS;
}

/* As prn_trace_writer_add; bytes are what prn_page_encode made of a page that passed prn_page_check,
 * by the version that is written: prn_trace_written_version.  PRN_E_LIMIT: too long. */
int prn_trace_writer_add_encoded(struct prn_trace_writer *writer, const char *url, const unsigned char *bytes,
                                 size_t length, struct prn_error *error);

#endif
