/*
 * Ford, Grimes and Tassone: the interval of least cost, where a page costs C_s for each unit of time that its
 * copy is stale and C_c for each crawl.  The rate is learned with two pseudo-intervals as prior.  They also
 * want a bound on Pr[stale for longer than s], but give no formula: ours is in doc/theory.md §9.  C_s is the
 * page's weight, C_c the threshold.
 */
#include "policy/rate.h"

#include "model/posterior.h"

#include <math.h>

struct parameters {
	struct prn_rate_parameters rate;
	double very_stale; /* s, clock units; INFINITY: no bound */
	double epsilon;    /* in (0, 1) */
	double most;       /* clock units */
};

static int init(void *bytes, struct prn_error *error)
{
	struct parameters *parameters = bytes;

	return prn_estimator_choose(&parameters->rate.estimator, "prior-mle", error);
}

/*
 * Returns the longest wait after which the page is stale for longer than s with a probability of at most ε,
 * given all that is known.
 */
static double longest_wait(const struct parameters *parameters, const struct prn_rate_state *state)
{
	struct prn_posterior posterior;

	prn_posterior_make(&posterior, (const struct prn_likelihood *)state->learned,
	                   parameters->rate.estimator.prior_changed, parameters->rate.estimator.prior_unchanged,
	                   parameters->most);
	return parameters->very_stale + prn_posterior_until(&posterior, parameters->epsilon);
}

/* e^r = (1 + r) / (1 - C_c/(C_s Δ)), r = t/Δ, is U(t) = C_c/C_s on the holistic curve. */
static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct parameters *own = parameters;
	struct prn_curve learned;
	double period;

	prn_rate_curve(own, state, &learned); /* the prior gives one from the first visit on */
	if (prn_curve_period(&learned, now->weight, now->threshold, &period))
		period = INFINITY;
	if (isfinite(own->very_stale))
		period = fmin(period, longest_wait(own, state));
	prn_bounds_decide(&own->rate.bounds, period, prn_rate_visits(state), now, decision);
}

static const struct prn_policy_key keys[] = {
	{ .name = "very-stale", .fallback = "optimum",
	  .help = "s: longer is very stale; \"optimum\": as long as the period, so no bound",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, very_stale), .above = true, .word = "optimum" },
	{ .name = "epsilon", .fallback = "0.05", .help = "how probable that may be, ε", .type = PRN_KEY_TYPE_NUMBER,
	  .offset = offsetof(struct parameters, epsilon), .above = true, .most = 1, .below = true },
	/* Limited to the intervals that estimators accept. */
	{ .name = "most", .fallback = "1000", .help = "the largest mean time between changes held possible, for ε",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, most), .least = 1e-30, .most = 1e30,
	  .fits = "a number above 0" },
	PRN_KEY_OF_RATE(PRN_KEY_PRIOR_CHANGED),
	PRN_KEY_OF_RATE(PRN_KEY_PRIOR_UNCHANGED),
	PRN_KEY_OF_RATE(PRN_KEY_LENGTHS),
	PRN_KEY_OF_RATE(PRN_KEY_FORGETTING),
	PRN_KEY_LEARNING(struct parameters, rate.bounds, "2T"),
	PRN_KEY_RISK(struct parameters, rate.bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_fgt = {
	PRN_KIND_OF_RATE,
	.info = { .name = "fgt",
	          .title = "least cost of crawls and stale time, with a prior",
	          .source = "FGT; GF §4.4",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct parameters),
	.init = init,
	.decide = decide,
	.price = prn_rate_price_freshness,
};
