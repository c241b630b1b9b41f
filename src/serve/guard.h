/*
 * Wrong tokens: who sends one is counted, and its answer is late, later with each.  An answer that waits costs no
 * thread, only its connection, of which so many may wait that others are left: who sends more is answered at once,
 * as who sends the right one always is.
 */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#define SERVE_GUARD_MOST_S 5.0 /* the longest that an answer waits */

struct serve_request;
struct serve_guard;

/* Called from any thread for wrong tokens of a client, once a second at most: how many came since it was told last. */
typedef void serve_wrong_fn(void *context, const char *client, uint64_t count);

/* most: answers that may wait at a time.  tell may be NULL.  PRN_E_MEMORY: no memory, or no thread */
int serve_guard_open(struct serve_guard **out, size_t most, serve_wrong_fn *tell, void *context,
                     struct prn_error *error);

/*
 * Counts a wrong token that a client sent at now, monotonic seconds, and returns for how many the answer is to wait:
 * from 0.1 on, doubling with each up to SERVE_GUARD_MOST_S; a client that sent none for a minute begins anew.
 */
double serve_guard_count(struct serve_guard *guard, const char *client, double now);

/* Has answer called with a parked request after so many seconds, or when the guard ends.  False: too many wait. */
bool serve_guard_hold(struct serve_guard *guard, struct serve_request *request, double seconds,
                      void (*answer)(struct serve_request *request));

/* Answers all that wait, and holds no more. */
void serve_guard_end(struct serve_guard *guard);
void serve_guard_free(struct serve_guard *guard); /* NULL is fine */

#endif
