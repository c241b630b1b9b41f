/*
 * Replays one page with one policy at one setting: visits at captures, their cost, and the staleness that
 * remains (doc/theory.md §8).
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
 * A replay in progress, for callers that decide the visits.  The page is acquired at capture 0, at no cost.
 * Sums are kept for the two halves of the life, [0, ⌊N/2⌋] and [⌊N/2⌋, N].
 */
struct prn_replay {
	const struct prn_truth *truth;
	size_t base;    /* the capture whose content the copy has */
	size_t now;     /* the capture up to which halves are summed */
	size_t differs; /* the first capture after base that differs from it, so far; 0: none */
	double cost;    /* of the last visit, in fetches */
	struct prn_replay_half {
		double cost; /* of visits, in fetches */
		double sums[PRN_METRICS]; /* metrics x clock units; for age their squares; for changes the number */
	} halves[2];
};

void prn_replay_begin(struct prn_replay *replay, const struct prn_truth *truth);

/*
 * Visits at capture at > replay->now.  The visit costs truth->cost, or truth->look_cost times that if the bytes
 * are those of the copy.  The copy is refreshed, and true returned, only if the capture was taken.
 */
bool prn_replay_visit(struct prn_replay *replay, size_t at);

/* Sums up to the last capture and writes the scores of the three windows. */
void prn_replay_end(struct prn_replay *replay, struct prn_score scores[PRN_WINDOWS]);

/*
 * A page under an online policy, which decides the visits.  A period ends at the first capture that is due by
 * then.  The policy does not learn of a visit at a capture that was not taken: it is repeated after the same
 * period, because a failing site must not be visited more often.
 */
struct prn_course {
	struct prn_replay replay;
	double visited; /* time of the last visit that the policy learned of */
	double period;  /* the period it decided then */
	struct prn_looks looks;
	double observed; /* visits that it learned of */
	double price;   /* the learned price of a visit, if the truth has mean_bytes; else 1 */
	uint32_t kept[PRN_POLICY_SLOTS]; /* the captures that its slots contain */
};

/* The inputs of a course, whose dial and whose address may change from one call to the next. */
struct prn_driver {
	struct prn_truth *truth; /* of the same page */
	const struct prn_policy *policy;
	const struct prn_seen *seen; /* the divergences that the policy sees: prn_truth_seen */
	double dial;          /* its threshold, period or scale, in clock units */
	void *state;          /* prn_policy_state_size(policy) bytes */
	struct prn_hints hints; /* the page's hints at a visit or decision; all zero: none */
	struct prn_siblings siblings; /* the same for the other pages of its site */
};

/* Acquires the page; the state is overwritten. */
void prn_course_begin(struct prn_course *course, const struct prn_driver *driver);

/*
 * Makes one visit, at capture at > course->replay.now.  False if the capture was not taken and the policy
 * learned nothing.
 */
bool prn_course_visit(struct prn_course *course, const struct prn_driver *driver, size_t at);

/* Returns the period, from the last visit that the policy learned of, that it decides with the current driver. */
double prn_course_decide(const struct prn_course *course, const struct prn_driver *driver);

/* Returns the interval after that visit at which a visit pays (prn_policy_earning), in the same way. */
double prn_course_earning(const struct prn_course *course, const struct prn_driver *driver);

/* Makes all visits up to a time; INFINITY is the end of the page's life.  A new dial takes effect at the next visit. */
void prn_course_run(struct prn_course *course, const struct prn_driver *driver, double until);

/* Replays a whole course: writes its scores. */
void prn_replay_policy(const struct prn_driver *driver, struct prn_score scores[PRN_WINDOWS]);

#endif
