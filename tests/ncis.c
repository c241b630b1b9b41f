/* The greedy rule under noisy signals: its period against the value function that its authors print. */
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

/* BF's crawl value at effective time t: γ signals per unit of time, ν of them false, α changes untold, δ changes. */
static double value(double delta, double recall, double gamma, double t)
{
	double alpha = (1 - recall) * delta, nu = gamma - recall * delta, beta = -log(nu / gamma) / alpha, sum = 0;

	for (int i = 0; i * beta <= t; i++)
		sum += pow(nu, i) / pow(delta + nu, i + 1) * residual(i, (delta + nu) * (t - i * beta)) -
		       exp(-alpha * t) / gamma * residual(i, gamma * (t - i * beta));
	return sum;
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
			     "T = %g, γ = %g: the period ends where the printed value of a crawl is T", threshold, gamma);
			visit.hints.count = 1;
			prn_policy_decide(policy, &state, &visit, &plain);
			near(plain.period, fmax(decision.period - beta, 0), 1e-6 * decision.period,
			     "T = %g, γ = %g: a signal is worth β of time", threshold, gamma);
		}
	visit.hints = (struct prn_hints){ .trust = 1, .rate = 0.01, .count = 2 };
	prn_policy_decide(policy, &state, &visit, &decision);
	ok(decision.period > 0 && isfinite(decision.period), "signals surer than any can be leave a period");
	prn_policy_free(policy);
	prn_policy_free(cgm);
	return done();
}
