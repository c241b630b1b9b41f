/*
 * Delays the answers to wrong tokens.  Those of each client are counted, and each answer is later than the one before.  An answer
 * that waits costs no thread, only its connection.  Only so many may wait that other connections are left; any more are answered
 * at once, as right tokens always are.
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

/* Called from any thread when a client has sent wrong tokens, once a second at most; count: those since the last call. */
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
