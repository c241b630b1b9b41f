/*
 * When a connection is given up: each has a moment until which something must have happened, and is shut down
 * after it.  So a client that sends a byte now and then cannot hold its place: bytes put the moment off by what
 * they are worth at the slowest speed we bear, not by the whole time again.
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
 * Something is awaited from now on, for the whole time: a request, or that the client takes an answer of so many bytes.
 * What it takes by TCP extends the deadline as below; of other sockets nobody tells, and bytes give what they are worth
 * at once.
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
