#include "evaluate/replay.h"
#include "perennial/pages.h"
#include "perennial/time.h"

#include <math.h>
#include <string.h>

_Static_assert(PRN_ROWS > PRN_POLICY_SLOTS + 1, "the rows of what a policy keeps and of the copy are there together");

#define FADE 0.1 /* of the learned price of a visit */

/* ⌊N/2⌋: where warm-up ends and the steady state begins. */
static size_t half_of(const struct prn_truth *truth)
{
	return (truth->captures - 1) / 2;
}

void prn_replay_begin(struct prn_replay *replay, const struct prn_truth *truth)
{
	*replay = (struct prn_replay){ .truth = truth };
}

/*
 * Computes the integral of the copy's age over the gap after capture i.  With eagerness E the first change came
 * at the start of its gap, with 1 - E at the end: `since` is the mean of the two, and within that gap only the
 * first case has an age.
 */
static double age_area(const struct prn_replay *replay, size_t i, double stale)
{
	const struct prn_truth *truth = replay->truth;
	const double *time = truth->time;
	double early = truth->holistic_eagerness, gap = time[i + 1] - time[i], since;

	if (!replay->differs)
		return 0;
	if (replay->differs == i + 1)
		return early * gap * gap / 2;
	since = early * time[replay->differs - 1] + (1 - early) * time[replay->differs];
	return stale * gap * ((time[i] + time[i + 1]) / 2 - since);
}

/*
 * Adds all metrics of time over the gap after capture i, in which the copy does not change; row: prn_truth_row
 * of its version.
 */
static void stay_gap(struct prn_replay *replay, const double *row, size_t i, double *sums)
{
	const struct prn_truth *truth = replay->truth;
	const uint32_t *of = truth->versions.of, base = of[replay->base];
	double early = truth->eagerness, early_change = truth->holistic_eagerness;
	double now = row[of[i] - base], next = row[of[i + 1] - base], gap = truth->time[i + 1] - truth->time[i];
	double stale = (1 - early_change) * (now > 0) + early_change * (next > 0);

	if (next > 0 && !replay->differs)
		replay->differs = i + 1;
	sums[PRN_METRIC_FRAGMENT] += gap * ((1 - early) * now + early * next);
	sums[PRN_METRIC_HOLISTIC] += gap * stale;
	sums[PRN_METRIC_AGE] += age_area(replay, i, stale);
	sums[PRN_METRIC_HARMONIC] += gap * ((1 - early_change) * truth->harmonic[of[i] - base] +
	                                    early_change * truth->harmonic[of[i + 1] - base]);
}

/* Keeps the copy unchanged until capture `to`. */
static void stay(struct prn_replay *replay, size_t to)
{
	size_t half = half_of(replay->truth);
	const uint32_t *of = replay->truth->versions.of;
	const double *row = prn_truth_row(replay->truth, of[replay->base], of[to]);

	for (size_t i = replay->now; i < to; i++)
		stay_gap(replay, row, i, replay->halves[i >= half].sums);
	replay->now = to;
}

/* Tells whether a conditional request would have returned other bytes than the copy's. */
static bool is_other(const struct prn_replay *replay, size_t at)
{
	return replay->truth->body[at] != replay->truth->body[replay->base];
}

static double visit_cost(const struct prn_replay *replay, size_t at)
{
	const struct prn_truth *truth = replay->truth;
	double cost = truth->cost[at];

	if (!(truth->look_cost > 0) || !truth->taken[at] || is_other(replay, at))
		return cost;
	/* Even the shortest response has a head. */
	return fmax(truth->look_cost * cost, truth->mean_bytes > 0 ? fmin(cost, PRN_PAGES_HEAD_BYTES / truth->mean_bytes) : 0);
}

bool prn_replay_visit(struct prn_replay *replay, size_t at)
{
	struct prn_replay_half *half = &replay->halves[at > half_of(replay->truth)];

	stay(replay, at);
	replay->cost = visit_cost(replay, at);
	half->cost += replay->cost;
	if (!replay->truth->taken[at])
		return false;
	half->sums[PRN_METRIC_CHANGES] += prn_truth_divergence(replay->truth, replay->base, at) > 0;
	replay->base = at;
	replay->differs = 0;
	return true;
}

static struct prn_score score(const struct prn_truth *truth, const struct prn_replay_half *half, size_t from, size_t to)
{
	struct prn_score score = { .cost = half->cost / (double)(to - from) };
	double time = truth->time[to] - truth->time[from];

	for (int metric = 0; metric < PRN_METRICS; metric++)
		score.metrics[metric] = half->sums[metric] / time;
	score.metrics[PRN_METRIC_AGE] *= truth->unit_s / PRN_DAY_S;
	score.metrics[PRN_METRIC_CHANGES] = half->sums[PRN_METRIC_CHANGES];
	return score;
}

void prn_replay_end(struct prn_replay *replay, struct prn_score scores[PRN_WINDOWS])
{
	const struct prn_truth *truth = replay->truth;
	size_t half = half_of(truth), last = truth->captures - 1;
	struct prn_replay_half all;

	stay(replay, last);
	all.cost = replay->halves[0].cost + replay->halves[1].cost;
	for (int metric = 0; metric < PRN_METRICS; metric++)
		all.sums[metric] = replay->halves[0].sums[metric] + replay->halves[1].sums[metric];
	scores[PRN_WINDOW_WARM_UP] = score(truth, &replay->halves[0], 0, half);
	scores[PRN_WINDOW_STEADY] = score(truth, &replay->halves[1], half, last);
	scores[PRN_WINDOW_ALL] = score(truth, &all, 0, last);
}

/* What a look costs, as the visits so far tell it. */
static struct prn_look look_of(const struct prn_course *course, const struct prn_truth *truth)
{
	struct prn_look look = { .cost = truth->look_cost };

	/* Where every look costs a fetch, nobody asks for the rate, and its logarithm would be a tenth of a replay. */
	if (look.cost > 0)
		look.rate = prn_looks_rate(&course->looks);
	return look;
}

/* Gives the policy the content at a capture, with the cost of the visit. */
static void observe(struct prn_course *course, const struct prn_driver *driver, size_t at, double cost)
{
	const struct prn_truth *truth = driver->truth;
	const uint32_t *of = truth->versions.of;
	double divergence[PRN_POLICY_SLOTS];
	struct prn_visit visit = { .time = truth->time[at],
		                   .threshold = driver->dial,
		                   .divergence = divergence,
		                   .since_modified = truth->since_modified[at],
		                   .page = truth->page,
		                   .hints = driver->hints,
		                   .siblings = driver->siblings,
		                   .look = look_of(course, truth),
		                   .said = truth->said };
	struct prn_decision decision;
	size_t slots = prn_policy_slots(driver->policy);

	/* The price is learned as by a store that counts bytes. */
	course->observed++;
	if (truth->mean_bytes > 0)
		course->price += fmax(FADE, 1 / course->observed) * (cost - course->price);
	visit.weight = truth->weight / course->price;
	for (size_t i = 0; i < slots; i++)
		divergence[i] = prn_seen_divergence(driver->seen, of[at], of[course->kept[i]]);
	prn_policy_visit(driver->policy, driver->state, &visit, &decision);
	if (decision.keep >= 0)
		course->kept[decision.keep] = (uint32_t)at;
	course->visited = visit.time;
	course->period = decision.period;
}

void prn_course_begin(struct prn_course *course, const struct prn_driver *driver)
{
	*course = (struct prn_course){ 0 };
	memset(driver->state, 0, prn_policy_state_size(driver->policy));
	prn_replay_begin(&course->replay, driver->truth);
	course->price = 1;
	observe(course, driver, 0, driver->truth->cost[0]);
}

bool prn_course_visit(struct prn_course *course, const struct prn_driver *driver, size_t at)
{
	bool other;

	course->replay.truth = driver->truth;
	other = is_other(&course->replay, at);
	if (!prn_replay_visit(&course->replay, at))
		return false;
	prn_looks_add(&course->looks, driver->truth->time[at] - course->visited, other);
	observe(course, driver, at, course->replay.cost);
	return true;
}

static struct prn_visit last_visit(const struct prn_course *course, const struct prn_driver *driver)
{
	return (struct prn_visit){ .time = course->visited,
		                   .weight = driver->truth->weight / course->price,
		                   .threshold = driver->dial,
		                   .page = driver->truth->page,
		                   .hints = driver->hints,
		                   .look = look_of(course, driver->truth) };
}

double prn_course_earning(const struct prn_course *course, const struct prn_driver *driver)
{
	const struct prn_visit last = last_visit(course, driver);

	return prn_policy_earning(driver->policy, driver->state, &last);
}

double prn_course_decide(const struct prn_course *course, const struct prn_driver *driver)
{
	const struct prn_visit last = last_visit(course, driver);
	struct prn_decision decision;

	prn_policy_decide(driver->policy, driver->state, &last, &decision);
	return decision.period;
}

void prn_course_run(struct prn_course *course, const struct prn_driver *driver, double until)
{
	const struct prn_truth *truth = driver->truth;
	struct prn_replay *replay = &course->replay;

	replay->truth = truth;
	for (;;) {
		size_t at = prn_truth_capture_at(truth, replay->now + 1, truth->time[replay->now] + course->period);

		if (at == truth->captures || truth->time[at] > until)
			return;
		prn_course_visit(course, driver, at);
	}
}

void prn_replay_policy(const struct prn_driver *driver, struct prn_score scores[PRN_WINDOWS])
{
	struct prn_course course;

	prn_course_begin(&course, driver);
	prn_course_run(&course, driver, INFINITY);
	prn_replay_end(&course.replay, scores);
}
