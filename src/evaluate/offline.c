#include "evaluate/offline.h"
#include "base/buffer.h"
#include "perennial/curve.h"

#include <math.h>
#include <stdlib.h>

void prn_offline_init(struct prn_offline *offline)
{
	*offline = (struct prn_offline){ 0 };
}

void prn_offline_release(struct prn_offline *offline)
{
	free(offline->utility);
	prn_offline_init(offline);
}

/*
 * U of theory.md 7 at each lag of L capture steps: the mean time of such a lag, times the mean divergence over
 * it, minus the mean integral.  The integrals from one base grow capture by capture, so all pairs
 * take one pass; sums of time and divergence are told apart until the end, the means multiply.
 */
static void average_utility(const struct prn_truth *truth, double *utility)
{
	size_t last = truth->captures - 1;

	for (size_t lag = 0; lag <= last; lag++) {
		double time = 0, divergence = 0, pairs = (double)(truth->captures - lag);

		for (size_t base = 0; base + lag <= last; base++) {
			time += truth->time[base + lag] - truth->time[base];
			divergence += prn_truth_divergence(truth, base, base + lag);
		}
		utility[lag] = time / pairs * (divergence / pairs);
	}
	for (size_t base = 0; base <= last; base++) {
		double integral = 0;

		for (size_t to = base + 1; to <= last; to++) {
			integral += prn_truth_integral(truth, base, to - 1, to);
			utility[to - base] -= integral / (double)(truth->captures - (to - base));
		}
	}
}

static size_t changes(const struct prn_truth *truth)
{
	size_t count = 0;

	for (size_t i = 1; i < truth->captures; i++)
		count += prn_truth_divergence(truth, i - 1, i) > 0;
	return count;
}

int prn_offline_study(struct prn_offline *offline, const struct prn_truth *truth)
{
	double *utility = prn_array_grow(offline->utility, &offline->capacity, truth->captures, sizeof *utility);

	if (!utility)
		return PRN_E_MEMORY;
	offline->utility = utility;
	average_utility(truth, utility);
	offline->change_rate = (double)changes(truth) / truth->time[truth->captures - 1];
	return 0;
}

bool prn_offline_is_static(const struct prn_offline *offline)
{
	return offline->change_rate <= 0;
}

static void replay_fragment_static(const struct prn_offline *offline, struct prn_replay *replay, double threshold)
{
	const struct prn_truth *truth = replay->truth;
	size_t lag = 1;

	while (lag < truth->captures && truth->weight * offline->utility[lag] < threshold)
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

/* A yardstick that knows what really happened also knows which captures bring nothing: it leaves them. */
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
		if (!truth->taken[at] || truth->weight * (age * divergence - integral) < threshold)
			continue;
		prn_replay_visit(replay, at);
		integral = 0;
	}
}

void prn_offline_replay(const struct prn_offline *offline, const struct prn_truth *truth, enum prn_yardstick which,
                        double threshold, struct prn_score scores[PRN_WINDOWS])
{
	struct prn_replay replay;

	prn_replay_begin(&replay, truth);
	switch (which) {
	case PRN_YARDSTICK_FS_S:
		replay_fragment_static(offline, &replay, threshold);
		break;
	case PRN_YARDSTICK_HS_S:
		replay_holistic_static(offline, &replay, threshold);
		break;
	case PRN_YARDSTICK_FS_D:
	case PRN_YARDSTICK_HS_D:
		replay_dynamic(&replay, threshold, which == PRN_YARDSTICK_HS_D);
		break;
	}
	prn_replay_end(&replay, scores);
}
