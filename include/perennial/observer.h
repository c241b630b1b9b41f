/*
 * Makes observations for a decider, in any number of threads: a pool of extractors, and the knowledge of the bodies in the
 * store, which are not read again.  A feed (feed.h) has one; a program that takes single pages, as a server does, opens one
 * itself.
 */
#ifndef PERENNIAL_OBSERVER_H
#define PERENNIAL_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/capture.h"
#include "perennial/decider.h"
#include "perennial/error.h"
#include "perennial/observation.h"
#include "perennial/outcome.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_observer;

/*
 * The decider is borrowed until _free.
 *
 * PRN_E_VERSION	the store's fragments are of an older rule (prn_decider_take_rule)
 * PRN_E_MEMORY
 */
int prn_observer_open(struct prn_observer **out, struct prn_decider *decider, struct prn_error *error);

/* Must be called when no thread uses it any more.  NULL is fine. */
void prn_observer_free(struct prn_observer *observer);

/*
 * Called for each observation of a capture with a body, with the time that it took, by the thread that made it and so by
 * several at a time.  The time is that of a stop watch (CLOCK_MONOTONIC), which does not depend on what time it is.
 */
typedef void prn_observer_made_fn(void *context, double seconds);

/* Must be called before more than one thread uses the observer.  context is borrowed until _free. */
void prn_observer_watch(struct prn_observer *observer, prn_observer_made_fn *made, void *context);

/*
 * Makes the observation of a capture, from any thread.  The body is read only if it differs from the page's last one in the
 * store, or if afresh is set.
 *
 * Errors of prn_decider_body and of prn_observation_make
 */
int prn_observer_make(struct prn_observer *observer, const struct prn_capture *capture, bool afresh,
                      struct prn_observation *observation, struct prn_error *error);

/*
 * Called on the thread that writes: stages the observation as prn_decider_observe does.  If its body was not read, and the
 * page has another one by now, the observation is first made again from its capture; so the outcome is never STALE.  The
 * capture is ignored when the observation is summarised.
 *
 * Errors of prn_decider_observe, and as above; nothing is staged then
 */
int prn_observer_decide(struct prn_observer *observer, struct prn_observation *observation,
                        const struct prn_capture *capture, int64_t now, struct prn_outcome *outcome,
                        struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
