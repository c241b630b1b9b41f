#include "evaluate/offline.h"
#include "base/buffer.h"
#include "perennial/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The levels of divergence that are tried, from 1 down to where nearly any change reaches them, in steps of 17 %. */
#define LEVELS 59
#define LEVEL_MIN 1e-4

void prn_offline_init(struct prn_offline *offline)
{
	*offline = (struct prn_offline){ 0 };
}

void prn_offline_release(struct prn_offline *offline)
{
	free(offline->utility);
	free(offline->divergence);
	free(offline->before);
	prn_offline_init(offline);
}

/*
 * Sums over all pairs of captures at each lag: their divergence; the divergence of the first of them from the
 * capture before the second; and the time between them.  The loop runs from one capture to the next, so that no
 * row of divergences is requested twice.
 */
static void sum_pairs(const struct prn_truth *truth, double *divergence, double *before, double *time)
{
	size_t captures = truth->captures;
	const uint32_t *of = truth->versions.of;

	for (size_t lag = 0; lag < captures; lag++)
		divergence[lag] = time[lag] = 0;
	for (size_t base = 0; base < captures; base++) {
		const double *row = prn_truth_row(truth, of[base], of[captures - 1]);
		size_t lags = captures - base;

		/* The last capture precedes none: the sum without it is the one at the next lag. */
		before[lags] = divergence[lags - 1];
		for (size_t lag = 0; lag < lags; lag++) {
			divergence[lag] += row[of[base + lag] - of[base]];
			time[lag] += truth->time[base + lag] - truth->time[base];
		}
	}
}

/*
 * U of doc/theory.md §7 at each lag: t D*(t) - ∫0..t D*, where D* is one curve, the mean over all pairs at that
 * distance, also between captures, where it is the mean of the interpolated divergences.  (The mean of the U of
 * each pair would instead leave the captures near the end out of the integral, but not out of the short lags;
 * pages that calm down after a lively start would then hardly be visited: cost 0.05 on our corpora left .101
 * stale instead of .069.)
 */
static void average(const struct prn_truth *truth, double *utility, double *mean, double *before)
{
	double time = 0, integral = 0;

	sum_pairs(truth, mean, before, utility);
	utility[0] = mean[0] = 0;
	for (size_t lag = 1; lag < truth->captures; lag++) {
		double pairs = (double)(truth->captures - lag), next = utility[lag] / pairs, divergence = mean[lag] / pairs;

		integral += (next - time) * ((1 - truth->eagerness) * (before[lag] / pairs) + truth->eagerness * divergence);
		time = next;
		utility[lag] = time * divergence - integral;
		mean[lag] = divergence;
	}
}

int prn_offline_study(struct prn_offline *offline, const struct prn_truth *truth)
{
	double *utility = prn_array_grow(offline->utility, &offline->capacity, truth->captures, sizeof *utility), *divergence, *before;
	size_t changes = 0;

	if (!utility)
		return PRN_E_MEMORY;
	offline->utility = utility;
	divergence = prn_array_grow(offline->divergence, &offline->divergence_capacity, truth->captures, sizeof *divergence);
	if (!divergence)
		return PRN_E_MEMORY;
	offline->divergence = divergence;
	before = prn_array_grow(offline->before, &offline->before_capacity, truth->captures + 1, sizeof *before);
	if (!before)
		return PRN_E_MEMORY;
	offline->before = before;
	average(truth, utility, divergence, before);
	for (size_t i = 1; i < truth->captures; i++)
		changes += prn_truth_divergence(truth, i - 1, i) > 0;
	offline->change_rate = (double)changes / truth->time[truth->captures - 1];
	return 0;
}

bool prn_offline_is_static(const struct prn_offline *offline)
{
	return offline->change_rate <= 0;
}

/* Visits at the least lag at which the gain, given by lags, is worth it. */
static void replay_fragment_static(const double *gained, struct prn_replay *replay, double threshold)
{
	const struct prn_truth *truth = replay->truth;
	size_t lag = 1;

	while (lag < truth->captures && truth->weight * gained[lag] < threshold)
		lag++;
	while (lag < truth->captures - replay->now)
		prn_replay_visit(replay, replay->now + lag);
}

static void replay_holistic_static(const struct prn_offline *offline, struct prn_replay *replay, double threshold)
{
	const struct prn_truth *truth = replay->truth;
	struct prn_curve curve = prn_curve_churn(1, offline->change_rate);
	double period;

	if (prn_curve_period(&curve, truth->weight, threshold, &period))
		return;
	for (;;) {
		size_t at = prn_truth_capture_at(truth, replay->now + 1, truth->time[replay->now] + period);

		if (at == truth->captures)
			return;
		prn_replay_visit(replay, at);
	}
}

/* A yardstick that knows the whole history also knows which captures bring nothing, and skips them. */
static void replay_dynamic(struct prn_replay *replay, double threshold, bool holistic)
{
	const struct prn_truth *truth = replay->truth;
	double integral = 0;

	for (size_t at = 1; at < truth->captures; at++) {
		double age = truth->time[at] - truth->time[replay->base];
		double divergence = prn_truth_divergence(truth, replay->base, at);

		if (holistic)
			divergence = divergence > 0;
		integral += holistic ? prn_truth_holistic_integral(truth, replay->base, at - 1, at)
		                     : prn_truth_integral(truth, replay->base, at - 1, at);
		if (!truth->taken[at] || truth->weight * (age * divergence - integral) < threshold * truth->cost[at])
			continue;
		prn_replay_visit(replay, at);
		integral = 0;
	}
}

/* Finds the level with the least staleness and cost over the page's life: never, any change, or one of a scale between. */
static void replay_best_level(struct prn_replay *replay, const struct prn_truth *truth, double threshold,
                              struct prn_score scores[PRN_WINDOWS])
{
	double per_capture = threshold / truth->weight * (double)(truth->captures - 1) / truth->time[truth->captures - 1];
	double best = INFINITY;

	for (int i = 0; i <= LEVELS; i++) {
		struct prn_score of_level[PRN_WINDOWS];
		double level = i ? pow(LEVEL_MIN, (i - 1.0) / (LEVELS - 1)) : INFINITY, loss;

		prn_replay_begin(replay, truth);
		for (size_t at = 1; at < truth->captures; at++)
			if (truth->taken[at] && prn_truth_divergence(truth, replay->base, at) >= level)
				prn_replay_visit(replay, at);
		prn_replay_end(replay, of_level);
		loss = of_level[PRN_WINDOW_ALL].staleness + per_capture * of_level[PRN_WINDOW_ALL].cost;
		if (loss < best) {
			best = loss;
			memcpy(scores, of_level, sizeof of_level);
		}
	}
}

void prn_offline_replay(const struct prn_offline *offline, const struct prn_truth *truth, enum prn_yardstick which,
                        double threshold, struct prn_score scores[PRN_WINDOWS])
{
	struct prn_replay replay;

	prn_replay_begin(&replay, truth);
	switch (which) {
	case PRN_YARDSTICK_FS_L:
		replay_best_level(&replay, truth, threshold, scores);
		return;
	case PRN_YARDSTICK_FS_S:
		replay_fragment_static(offline->utility, &replay, threshold * truth->mean_cost);
		break;
	case PRN_YARDSTICK_FS_N:
		replay_fragment_static(offline->divergence, &replay, threshold * truth->mean_cost);
		break;
	case PRN_YARDSTICK_HS_S:
		replay_holistic_static(offline, &replay, threshold * truth->mean_cost);
		break;
	case PRN_YARDSTICK_FS_D:
	case PRN_YARDSTICK_HS_D:
		replay_dynamic(&replay, threshold, which == PRN_YARDSTICK_HS_D);
		break;
	}
	prn_replay_end(&replay, scores);
}
