/*
 * The greedy rule under noisy signals: its period against the value of a crawl, as the model of BF gives it by renewal and reward,
 * and that against the model itself, drawn at random.
 */
#include "base/random.h"
#include "perennial/policy_kind.h"

#include "tap.h"

#include <stdlib.h>

/* Pr[N > n] for N ~ Poisson(x): BF's residual of the exponential series. */
static double residual(int n, double x)
{
	double term = exp(-x), sum = term;

	for (int i = 1; i <= n; i++)
		sum += term *= x / i;
	return 1 - sum;
}

/* The value of a crawl at effective time t: the mean time for which the page was fresh until then, less e^-αt of all of it.   γ signals per unit of time, ν of them false, α changes untold, δ changes. */
static double value(double delta, double recall, double gamma, double t)
{
	double alpha = (1 - recall) * delta, nu = gamma - recall * delta, beta = -log(nu / gamma) / alpha, sum = 0;

	for (int i = 0; i * beta <= t; i++)
		sum += pow(nu, i) / pow(delta + nu, i + 1) * residual(i, (delta + nu) * (t - i * beta)) -
		       exp(-alpha * t) / gamma * residual(i, gamma * (t - i * beta));
	return sum;
}

static double wait_of(struct prn_random *random, double rate)
{
	return -log(1 - prn_random_unit(random)) / rate;
}

/* The same, drawn: signals and changes that nobody tells, until the effective time is over. */
static double drawn_value(double delta, double recall, double gamma, double t)
{
	double alpha = (1 - recall) * delta, nu = gamma - recall * delta, beta = -log(nu / gamma) / alpha, fresh = 0, whole = 0;
	const int cycles = 200000;
	struct prn_random random;

	prn_random_seed(&random, 7, 7);
	for (int i = 0; i < cycles; i++) {
		double now = 0, effective = 0, stale = wait_of(&random, alpha), signal = wait_of(&random, gamma);

		for (; effective + signal - now < t; signal += wait_of(&random, gamma)) {
			effective += signal - now + beta;
			now = signal;
			if (prn_random_unit(&random) > nu / gamma)
				stale = fmin(stale, now);
		}
		now += fmax(t - effective, 0);
		fresh += fmin(stale, now) / cycles;
		whole += now / cycles;
	}
	return fresh - exp(-alpha * t) * whole;
}

int main(void)
{
	struct prn_policy *policy, *cgm;
	union { double align; char bytes[4096]; } state = { 0 }, other = { 0 };
	static const double zero, one = 1;
	struct prn_visit visit = { .weight = 1, .divergence = &zero };
	struct prn_decision decision, plain;
	struct prn_curve curve;

	if (prn_policy_open(&policy, "ncis:estimator=naive:learning=none", NULL, NULL) ||
	    prn_policy_open(&cgm, "cgm:estimator=naive:learning=none", NULL, NULL) ||
	    prn_policy_state_size(policy) > sizeof state)
		abort();
	for (int i = 0; i < 11; i++) {
		visit = (struct prn_visit){ .time = 2 * i, .weight = 1, .threshold = 1, .divergence = i % 2 ? &one : &zero };
		prn_policy_visit(policy, &state, &visit, &decision);
		prn_policy_visit(cgm, &other, &visit, &plain);
	}
	near(decision.period, plain.period, 1e-12, "without signals the rule is that of cgm");
	prn_policy_curve(policy, &state, &curve);
	for (double threshold = 0.1; threshold < 3; threshold *= 2)
		for (double gamma = 0.3; gamma < 4; gamma *= 3) {
			struct prn_hints hints = { .trust = 0.7, .rate = gamma };
			double beta = -log(1 - 0.7 * curve.rate / gamma) / (0.3 * curve.rate);

			visit.threshold = threshold;
			visit.hints = hints;
			prn_policy_decide(policy, &state, &visit, &decision);
			near(value(curve.rate, 0.7, gamma, decision.period) / threshold, 1, 0.02,
			     "T = %g, γ = %g: the period ends where the value of a crawl is T", threshold, gamma);
			visit.hints.count = 1;
			prn_policy_decide(policy, &state, &visit, &plain);
			near(plain.period, fmax(decision.period - beta, 0), 1e-6 * decision.period,
			     "T = %g, γ = %g: a signal is worth β of time", threshold, gamma);
		}
	for (double t = 0.5; t < 5; t *= 3) {
		/* Of 200000 cycles the mean is known to about 0.3 %, the difference of two to a few times that. */
		near(drawn_value(0.4, 0.7, 0.9, t) / value(0.4, 0.7, 0.9, t), 1, 0.03,
		     "the value of a crawl at %g is that of pages drawn at random", t);
	}
	visit.hints = (struct prn_hints){ .trust = 1, .rate = 0.01, .count = 2 };
	prn_policy_decide(policy, &state, &visit, &decision);
	ok(decision.period > 0 && isfinite(decision.period), "signals surer than any can be leave a period");
	prn_policy_free(policy);
	prn_policy_free(cgm);
	return done();
}
