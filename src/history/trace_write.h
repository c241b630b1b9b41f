/*
 * Writing pages that were encoded elsewhere, by other threads say.
 */
#ifndef HISTORY_TRACE_WRITE_H
#define HISTORY_TRACE_WRITE_H

#include <stddef.h>

#include "perennial/trace.h"

/* As prn_trace_writer_add; bytes are what prn_page_encode made of a page that passed prn_page_check.  PRN_E_LIMIT: too long. */
int prn_trace_writer_add_encoded(struct prn_trace_writer *writer, const char *url, const unsigned char *bytes,
                                 size_t length, struct prn_error *error);

#endif
