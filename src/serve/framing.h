/*
 * Checks that a request's head is unambiguous about where the request goes and where it ends (RFC 9112 3.2, 5.1, 6.3).  The HTTP
 * library takes the first of several values; a proxy before it may take another, and what one of them reads as a body the
 * other reads as a request that nobody sent.
 */
#ifndef SERVE_FRAMING_H
#define SERVE_FRAMING_H

#include <microhttpd.h>

/* NULL, or what is wrong (static).  The connection is to be closed then: where the next request begins is not known. */
const char *serve_framing_fault(struct MHD_Connection *connection);

#endif
