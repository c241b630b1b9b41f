/*
 * The method of moments (AV §3.3): finds the λ at which the expected number of visits without a change equals
 * the observed one, Σ e^(-λ t) = n - X.  Without any change λ is 0.  Nothing but changes has no root: GF's edge
 * is used, or, where visits are forgotten, half a visit without a change (ours).
 */
#include "base/root.h"
#include "model/confidence.h"
#include "model/likelihood.h"

#include <math.h>

struct moments {
	double visits, changes, time;
	double shortest; /* interval */
	double used;
	struct prn_length lengths[]; /* [estimator->lengths] of all intervals */
};

static size_t state_size(const struct prn_estimator *estimator)
{
	return sizeof(struct moments) + estimator->lengths * sizeof(struct prn_length);
}

static void add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	struct moments *moments = state;

	if (!(moments->visits > 0) || visit->interval < moments->shortest)
		moments->shortest = visit->interval;
	moments->visits++;
	moments->changes += visit->changed;
	moments->time += visit->interval;
	prn_lengths_add(moments->lengths, &moments->used, estimator->lengths, visit->interval);
}

struct equation {
	const struct moments *moments;
	double still; /* n - X, but at least half a visit */
};

/* log of n - X less log of the sum: rising and concave in λ, so Newton from below is safe. */
static struct prn_root_sample balance_at(const void *context, double rate)
{
	const struct equation *equation = context;
	const struct moments *moments = equation->moments;
	double sum = 0, fall = 0;

	for (size_t i = 0; i < (size_t)moments->used; i++) {
		double t = moments->lengths[i].length, term = moments->lengths[i].count * exp(-rate * t);

		sum += term;
		fall += term * t;
	}
	return (struct prn_root_sample){ log(equation->still / sum), fall / sum };
}

/* Returns the rate at which so many of the visits, and fewer than all, are expected to see a change. */
static double root(const struct moments *moments, double changes)
{
	const struct equation equation = { moments, moments->visits - changes };
	/* The bounds if all intervals were the mean one (Jensen), or the shortest. */
	double level = -log1p(-changes / moments->visits), low = level * moments->visits / moments->time, high = level / moments->shortest;

	if (!(high > low * (1 + 1e-12)))
		return low;
	return prn_root_find(balance_at, &equation, low * (1 - 1e-9), high, low + 1e-10 * (high - low));
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct moments *moments = state;
	double changes = moments->changes;

	if (prn_estimator_forgets(estimator))
		changes = fmin(changes, moments->visits - PRN_ESTIMATOR_UNCHANGED_LEAST);
	if (changes <= 0)
		return 0;
	if (changes >= moments->visits)
		return prn_likelihood_edge(changes, 0, moments->shortest);
	return root(moments, changes);
}

static void fade(const struct prn_estimator *estimator, void *state, double kept)
{
	struct moments *moments = state;

	(void)estimator;
	moments->visits *= kept;
	moments->changes *= kept;
	moments->time *= kept;
	prn_lengths_fade(moments->lengths, moments->used, kept);
}

/*
 * The deviation of the observed number from the expected one at a rate, in squared standard deviations, as a
 * log-likelihood.
 */
static double score(const void *context, double rate)
{
	const struct moments *moments = context;
	double off = moments->changes - moments->visits, variance = 0;

	for (size_t i = 0; i < (size_t)moments->used; i++) {
		double still = exp(-rate * moments->lengths[i].length);

		off += moments->lengths[i].count * still;
		variance += moments->lengths[i].count * still * -expm1(-rate * moments->lengths[i].length);
	}
	if (off * off <= 0)
		return 0;
	return variance > 0 ? -off * off / variance / 2 : -HUGE_VAL;
}

static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	const struct moments *moments = state;
	double best = INFINITY;

	(void)estimator;
	if (!(moments->visits > 0))
		return;
	if (moments->changes < moments->visits)
		best = moments->changes > 0 ? root(moments, moments->changes) : 0;
	prn_confidence_find(score, moments, best, moments->visits / moments->time, prn_confidence_z(confidence), low, high);
}

static bool valid(const struct prn_estimator *estimator, const void *state)
{
	const struct moments *moments = state;

	return moments->changes <= moments->visits &&
	       prn_lengths_valid(moments->lengths, moments->used, estimator->lengths,
	                         estimator->forgetting < 1 ? PRN_LENGTHS_LEAST / 2 : 1);
}

static const char *const keys[] = { "lengths", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_mm = {
	.info = { "mm", "method of moments; irregular visits", "AV §3.3", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
	.fade = fade,
	.interval = interval,
	.valid = valid,
};
