/*
 * One page, one policy, one setting: visits at captures, and what they cost and leave stale (theory.md 8).
 */
#ifndef EVALUATE_REPLAY_H
#define EVALUATE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "evaluate/truth.h"
#include "perennial/evaluate.h"
#include "perennial/policy.h"

/*
 * A replay in progress, for whoever decides the visits.  The page is acquired at capture 0, free.
 * Sums are kept for the two halves of the life, [0, ⌊N/2⌋] and [⌊N/2⌋, N].
 */
struct prn_replay {
	const struct prn_truth *truth;
	size_t base;    /* the capture whose content the copy has */
	size_t now;     /* the capture up to which halves are summed */
	size_t differs; /* the first capture after base that differs from it, up to now; 0: none */
	struct prn_replay_half {
		size_t visits;
		double sums[PRN_METRICS]; /* of metric x clock units; age in their squares; changes as they are */
	} halves[2];
};

void prn_replay_begin(struct prn_replay *replay, const struct prn_truth *truth);

/*
 * A visit at capture at > replay->now.  It always costs one; the copy is refreshed, and true returned, only
 * if the capture was taken.
 */
bool prn_replay_visit(struct prn_replay *replay, size_t at);

/* Sums up to the last capture and writes the scores of the three windows. */
void prn_replay_end(struct prn_replay *replay, struct prn_score scores[PRN_WINDOWS]);

/*
 * Lets an online policy choose the visits.  A period ends at the first capture that has come by then.  A
 * visit at a capture that was not taken is not told to the policy: it is made again after the same period,
 * for a site that fails is no reason to call more often.
 *
 * dial is the policy's threshold or period in clock units; matrix is what the policy sees
 * (prn_truth_seen); state is prn_policy_state_size(policy) bytes, overwritten.
 */
void prn_replay_policy(const struct prn_truth *truth, const struct prn_policy *policy, double dial,
                       const double *matrix, void *state, struct prn_score scores[PRN_WINDOWS]);

#endif
