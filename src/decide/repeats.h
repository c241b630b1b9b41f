/*
 * What the revisits of a feed may repeat: the content of its captures that tell a payload digest, found by that.  A revisit says
 * "identical to that capture", which may be of long ago, or of another page: only who knows the content sees whether the page changed.
 *
 * The latest of them are kept, about PRN_REPEATS in all; in memory, of one thread.
 */
#ifndef DECIDE_REPEATS_H
#define DECIDE_REPEATS_H

#include "perennial/observation.h"

#define PRN_REPEATS 65536

struct prn_repeats;

/* limit is m of the summaries, at most PRN_PAGE_HASHES.  Returns PRN_E_MEMORY. */
int prn_repeats_open(struct prn_repeats **out, size_t limit);

/* NULL is fine. */
void prn_repeats_free(struct prn_repeats *repeats);

/*
 * Notes the content of a capture, if it tells its payload digest; of a revisit (repeated), if that is known, what the observation is becomes
 * that of the content, which is summarised unless its body was not read.  Captures come in their order.  Returns PRN_E_MEMORY.
 */
int prn_repeats_take(struct prn_repeats *repeats, const struct prn_capture *capture, struct prn_observation *observation);

#endif
