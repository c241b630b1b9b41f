/*
 * One page, one policy, one setting: visits at captures, and what they cost and leave stale (doc/theory.md §8).
 */
#ifndef EVALUATE_REPLAY_H
#define EVALUATE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "history/truth.h"
#include "perennial/contender.h"
#include "perennial/score.h"
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
		double cost; /* of visits, in fetches */
		double sums[PRN_METRICS]; /* of metric x clock units; age in their squares; changes as they are */
	} halves[2];
};

void prn_replay_begin(struct prn_replay *replay, const struct prn_truth *truth);

/*
 * A visit at capture at > replay->now.  It costs truth->cost, or truth->look_cost of that where the bytes are those of the copy; the copy is refreshed, and true returned, only
 * if the capture was taken.
 */
bool prn_replay_visit(struct prn_replay *replay, size_t at);

/* Sums up to the last capture and writes the scores of the three windows. */
void prn_replay_end(struct prn_replay *replay, struct prn_score scores[PRN_WINDOWS]);

/*
 * A page under an online policy, which chooses the visits.  A period ends at the first capture that has come
 * by then.  A visit at a capture that was not taken is not told to the policy: it is made again after the
 * same period, for a site that fails is no reason to call more often.
 */
struct prn_course {
	struct prn_replay replay;
	double visited; /* time of the last visit that was told to the policy */
	double period;  /* what it decided then */
	struct prn_looks looks;
	double observed; /* visits that were told to it */
	double price;   /* what it learned that a visit costs, with the truth's mean_bytes; else 1 */
	uint32_t kept[PRN_POLICY_SLOTS]; /* the captures that its slots refer to */
};

/*
 * What a course goes by, which may differ from one call to the next in its dial, and in where it lies in
 * memory.
 */
struct prn_driver {
	struct prn_truth *truth; /* of the same page */
	const struct prn_policy *policy;
	const struct prn_seen *seen; /* what the policy sees: prn_truth_seen */
	double dial;          /* its threshold, period or scale, in clock units */
	void *state;          /* prn_policy_state_size(policy) bytes */
	struct prn_hints hints; /* what is heard of the page as it is told or decided; all zero: nothing */
	struct prn_siblings siblings; /* likewise of the other pages of its site */
};

/* The page's acquisition; the state is overwritten. */
void prn_course_begin(struct prn_course *course, const struct prn_driver *driver);

/*
 * One visit, at capture at > course->replay.now.  False where the capture was not taken, and the policy was told nothing.
 */
bool prn_course_visit(struct prn_course *course, const struct prn_driver *driver, size_t at);

/* The period, from the visit that was told last, that the policy decides by the driver as it is now. */
double prn_course_decide(const struct prn_course *course, const struct prn_driver *driver);

/* The interval after it that earns the page a visit (prn_policy_earning), likewise. */
double prn_course_earning(const struct prn_course *course, const struct prn_driver *driver);

/* All visits up to a time; INFINITY is the end of the page's life.  A new dial takes effect at the next visit. */
void prn_course_run(struct prn_course *course, const struct prn_driver *driver, double until);

/* A whole course: writes its scores. */
void prn_replay_policy(const struct prn_driver *driver, struct prn_score scores[PRN_WINDOWS]);

#endif
