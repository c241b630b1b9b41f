/*
 * Deadlines of connections.  Each connection has a moment until which something must have happened, and is shut down after it.
 * A client that sends a byte now and then cannot hold its place: bytes extend the deadline by the time that they take at the
 * slowest speed we bear, not by the whole time again.
 */
#ifndef SERVE_DEADLINES_H
#define SERVE_DEADLINES_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#define SERVE_SLOWEST 4096.0 /* bytes a second that a client must send or take */

struct serve_deadlines;
struct serve_deadline; /* of one connection */

/* seconds > 0: time for a request's head, for the first bytes of its body, and between requests.  PRN_E_MEMORY */
int serve_deadlines_open(struct serve_deadlines **out, double seconds, struct prn_error *error);

/* All of its connections must have been removed. */
void serve_deadlines_free(struct serve_deadlines *deadlines);

/* A connection comes and goes; fd is borrowed until _remove.  NULL without memory; NULL may be removed. */
struct serve_deadline *serve_deadlines_add(struct serve_deadlines *deadlines, int fd);
void serve_deadlines_remove(struct serve_deadlines *deadlines, struct serve_deadline *deadline);

/*
 * Begins the whole time for something that is awaited: a request, or that the client takes an answer of so many bytes.  Over TCP,
 * the bytes that the client takes extend the deadline as below.  Other sockets do not tell what was taken, so there the answer's
 * bytes extend it at once.
 */
void serve_deadline_begin(struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes);

/* Bytes have arrived: extends the deadline by what they are worth, to at most the whole time from now. */
void serve_deadline_extend(struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes);

/* The client waits for this server: there is no deadline. */
void serve_deadline_suspend(struct serve_deadlines *deadlines, struct serve_deadline *deadline);

/* Shuts all connections down now. */
void serve_deadlines_expire(struct serve_deadlines *deadlines);

size_t serve_deadlines_count(struct serve_deadlines *deadlines); /* connections */

#endif
