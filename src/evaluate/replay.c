#include "evaluate/replay.h"

#include <string.h>

/* ⌊N/2⌋: where warm-up ends and the steady state begins. */
static size_t half_of(const struct prn_truth *truth)
{
	return (truth->captures - 1) / 2;
}

void prn_replay_begin(struct prn_replay *replay, const struct prn_truth *truth)
{
	*replay = (struct prn_replay){ .truth = truth };
}

/* Leaves the copy as it is until capture `to`. */
static void stay(struct prn_replay *replay, size_t to)
{
	size_t half = half_of(replay->truth), from = replay->now;

	if (from < half) {
		size_t end = to < half ? to : half;

		replay->stale[0] += prn_truth_integral(replay->truth, replay->base, from, end);
		from = end;
	}
	if (from < to)
		replay->stale[1] += prn_truth_integral(replay->truth, replay->base, from, to);
	replay->now = to;
}

bool prn_replay_visit(struct prn_replay *replay, size_t at)
{
	stay(replay, at);
	replay->visits[at > half_of(replay->truth)]++;
	if (!replay->truth->taken[at])
		return false;
	replay->base = at;
	return true;
}

static struct prn_score score(const struct prn_truth *truth, size_t visits, double stale, size_t from, size_t to)
{
	return (struct prn_score){ .cost = (double)visits / (double)(to - from),
		                   .staleness = stale / (truth->time[to] - truth->time[from]) };
}

void prn_replay_end(struct prn_replay *replay, struct prn_score scores[PRN_WINDOWS])
{
	const struct prn_truth *truth = replay->truth;
	size_t half = half_of(truth), last = truth->captures - 1;

	stay(replay, last);
	scores[PRN_WINDOW_WARM_UP] = score(truth, replay->visits[0], replay->stale[0], 0, half);
	scores[PRN_WINDOW_STEADY] = score(truth, replay->visits[1], replay->stale[1], half, last);
	scores[PRN_WINDOW_ALL] = score(truth, replay->visits[0] + replay->visits[1],
	                               replay->stale[0] + replay->stale[1], 0, last);
}

/* A policy at work on one page: its parameters, its state, and the captures that its slots refer to. */
struct driver {
	const struct prn_truth *truth;
	const struct prn_policy *policy;
	const double *matrix;
	void *state;
	double dial;
	size_t slots;
	size_t kept[PRN_POLICY_SLOTS];
	double divergence[PRN_POLICY_SLOTS];
};

/* Tells the policy of the content at a capture; returns the period it wants. */
static double tell(struct driver *driver, size_t at)
{
	const struct prn_truth *truth = driver->truth;
	const uint32_t *of = truth->versions.of;
	const double *row = &driver->matrix[of[at] * truth->versions.count];
	struct prn_visit visit = { .time = truth->time[at],
		                   .weight = truth->weight,
		                   .threshold = driver->dial,
		                   .divergence = driver->divergence,
		                   .since_modified = truth->since_modified[at],
		                   .page = truth->page };
	struct prn_decision decision;

	for (size_t i = 0; i < driver->slots; i++)
		driver->divergence[i] = row[of[driver->kept[i]]];
	prn_policy_visit(driver->policy, driver->state, &visit, &decision);
	if (decision.keep >= 0)
		driver->kept[decision.keep] = at;
	return decision.period;
}

void prn_replay_policy(const struct prn_truth *truth, const struct prn_policy *policy, double dial,
                       const double *matrix, void *state, struct prn_score scores[PRN_WINDOWS])
{
	struct driver driver = { .truth = truth, .policy = policy, .matrix = matrix, .state = state, .dial = dial,
		                 .slots = prn_policy_slots(policy) };
	struct prn_replay replay;
	double period;

	memset(state, 0, prn_policy_state_size(policy));
	prn_replay_begin(&replay, truth);
	period = tell(&driver, 0);
	for (;;) {
		size_t at = prn_truth_capture_at(truth, replay.now + 1, truth->time[replay.now] + period);

		if (at == truth->captures)
			break;
		if (prn_replay_visit(&replay, at))
			period = tell(&driver, at);
	}
	prn_replay_end(&replay, scores);
}
