/* CGM: Cho's optimum from Cho's estimate, inside the learning bound. */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

/* Changes of a Poisson process, drawn once. */
struct changes {
	double at[5000];
	size_t n;
};

static double holistic(const void *context, double from, double to)
{
	const struct changes *changes = context;

	for (size_t i = 0; i < changes->n; i++)
		if (changes->at[i] > from && changes->at[i] <= to)
			return 0.01;
	return 0;
}

static void draw(struct changes *changes, double rate)
{
	struct prn_random random;
	double at = 0;

	prn_random_seed(&random, 3, 0);
	for (changes->n = 0; changes->n < 5000; changes->n++)
		changes->at[changes->n] = at += prn_random_exponential(&random, 1 / rate);
}

static void test_poisson(void)
{
	static struct changes changes;
	struct prn_curve truth = prn_curve_churn(1, 0.25), learned;
	double time = 0, period = 0, want, log_sum = 0;
	struct drive drive;
	int n = 400;

	draw(&changes, 0.25);
	drive_open(&drive, "cgm:learning=1", holistic, &changes);
	for (int i = 0; i < n; i++) {
		period = drive_visit(&drive, time, 2, 3);
		if (i >= n / 2)
			log_sum += log(period) / (n / 2);
		time += period;
	}
	prn_curve_period(&truth, 2, 3, &want);
	/* 400 visits know λ to 5 %, and the period goes by about its root */
	near(exp(log_sum) / want, 1, 0.05, "the period of a page of rate 0.25 tends to Cho's optimum");
	ok(drive.decision.reason == PRN_REASON_RULE,
	   "the period of a page whose rate is learned is decided by the rule");
	if (ok(prn_policy_curve(drive.policy, drive.state, &learned), "cgm has a curve of a page whose rate it learned"))
		ok(learned.items == 1 && learned.share == 1, "the curve of cgm is holistic: churn of the whole page");
	near(learned.rate, 0.25, 0.025, "the curve of cgm has the rate of the page");
	drive_close(&drive);
}

/* A small change at every visit, and a large one whenever a whole week has begun between. */
static double weekly(const void *context, double from, double to)
{
	(void)context;
	return floor(from / 7) < floor(to / 7) ? 0.3 : 0.05;
}

/* The rate of cgm after daily visits for half a year. */
static double rate_of(const char *specification)
{
	struct prn_curve learned = { 0 };
	struct drive drive;

	drive_open(&drive, specification, weekly, NULL);
	for (int day = 0; day < 182; day++)
		drive_visit(&drive, day, 1, 1);
	prn_policy_curve(drive.policy, drive.state, &learned);
	drive_close(&drive);
	return learned.rate;
}

static void test_change(void)
{
	near(rate_of("cgm"), 1, 1e-12, "what moves a little at every visit changes as often, unless told what a change is");
	/* 25 of 181 intervals of a day: 1 - e^-λ = 25/181 */
	near(rate_of("cgm:change=0.1"), -log(1 - 25 / 181.0), 1e-9, "with change=0.1 only larger divergences are changes");
	near(rate_of("cgm:change=0.05"), rate_of("cgm:change=0.1"), 0, "a divergence of δ itself is no change");
	near(rate_of("proportional:change=0.1"), rate_of("cgm:change=0.1"), 0, "the other policies of the change rate have the key too");
}

static void test_start(void)
{
	static struct changes none;
	struct drive drive;

	drive_open(&drive, "cgm:learning=5", holistic, &none);
	ok(prn_policy_curve(drive.policy, drive.state, &(struct prn_curve){ 0 }) == 0,
	   "cgm has no curve before two visits");
	near(drive_visit(&drive, 0, 1, 1), 1, 0, "the first period of cgm is one clock unit");
	near(drive_visit(&drive, 1, 1, 2), 10, 0,
	     "after no change in 1 unit U(∞) = 1 < T = 2, so the period is l n = 10");
	ok(drive.decision.reason == PRN_REASON_LEARNING, "a period of l n is decided by the learning bound");
	near(drive_visit(&drive, 4, 1, 20), 15, 0, "the learning bound grows with each visit");
	drive_close(&drive);

	drive_open(&drive, "cgm:learning=none", holistic, &none);
	drive_visit(&drive, 0, 1, 1);
	ok(isinf(drive_visit(&drive, 1, 1, 2)) && drive.decision.reason == PRN_REASON_NEVER,
	   "a page below T without a learning bound is never worth a visit");
	ok(isfinite(drive_visit(&drive, 1, 1, 0.5)),
	   "a page without a learning bound is worth a visit where T is low");
	drive_close(&drive);
}

/* The learning bound that is tied to T: 2 T / W a visit, but at least 0.3. */
static void test_tied(void)
{
	static struct changes none;
	struct drive drive;

	drive_open(&drive, "cgm:learning=2T", holistic, &none);
	near(drive_visit(&drive, 0, 4, 1), 0.5, 1e-12, "the first period under a learning bound of 2T is 2 T / W");
	drive_close(&drive);
	drive_open(&drive, "cgm:learning=2T", holistic, &none);
	near(drive_visit(&drive, 0, 1, 0.1), 0.3, 1e-12,
	     "a learning bound of 2T is at least 0.3 a visit, however small T is");
	drive_close(&drive);
}

/* An estimator that knows a rate of 0 after two visits. */
static void test_unchanged(void)
{
	static struct changes none;
	struct prn_curve learned;
	struct drive drive;

	drive_open(&drive, "cgm:estimator=naive:learning=none", holistic, &none);
	near(drive_visit(&drive, 0, 1, 0.5), 1, 0, "one visit tells the naive estimator nothing: a page comes again in one clock unit");
	ok(isinf(drive_visit(&drive, 1, 1, 0.5)) && drive.decision.reason == PRN_REASON_NEVER,
	   "a page that two visits saw unchanged is never worth a visit by the naive estimator");
	ok(prn_policy_curve(drive.policy, drive.state, &learned) && learned.rate == 0,
	   "two visits that saw no change make a curve that stays at 0 by the naive estimator");
	drive_close(&drive);
}

/* Visited every 1/4 of the mean time between changes, whatever the policy says: what each estimator then knows. */
static void test_estimator(const char *specification, double want, double tolerance)
{
	static struct changes changes;
	struct prn_curve learned;
	struct drive drive;

	draw(&changes, 0.25);
	drive_open(&drive, specification, holistic, &changes);
	for (int i = 0; i < 2000; i++)
		drive_visit(&drive, i, 1, 1);
	ok(prn_policy_curve(drive.policy, drive.state, &learned),
	   "%s has a curve after its visits", specification);
	near(learned.rate / want, 1, tolerance, "%s learns the rate that it should", specification);
	drive_close(&drive);
}

/* 2000 visits see 440 changes: 4.2 % is a standard error of λ, 12 % three. */
static void test_estimators(void)
{
	double seen = 1 - exp(-0.25);

	test_estimator("cgm:estimator=naive", seen, 0.12);
	test_estimator("cgm:estimator=ratio", 0.25, 0.12);
	test_estimator("cgm:estimator=mle", 0.25, 0.12);
	test_estimator("cgm:estimator=mm", 0.25, 0.12);
	test_estimator("cgm:estimator=prior-mle", 0.25, 0.12);
	/* A prior worth 100000 units of time: 443 changes in them and the 1900 or so that count. */
	test_estimator("cgm:estimator=prior-mle:prior-changed=100:prior-unchanged=1e5", 0.00435, 0.12);
	test_estimator("cgm:estimator=bayes:classes=1/4/16", 0.25, 1e-6);
	test_estimator("cgm:estimator=last-modified", seen, 0.13); /* no dates: a change is as old as it can be */
	/* Regular visits at p = 1: both see p(e^(λ/p) - 1); sa averages over the last 300 visits. */
	test_estimator("cgm:estimator=lln", exp(0.25) - 1, 0.13);
	test_estimator("cgm:estimator=lln:visit-rate=2", 2 * (exp(0.25) - 1), 0.13);
	test_estimator("cgm:estimator=sa", exp(0.25) - 1, 0.35);
}

/* A prior speaks before the second visit, within the learning bound. */
static void test_prior(void)
{
	static struct changes none;
	struct prn_curve learned, prior = prn_curve_churn(1, log(58.0 / 57) * 24);
	struct drive drive;
	double want;

	drive_open(&drive, "cgm:estimator=prior-mle:prior-changed=0.0416666666666667:learning=none", holistic, &none);
	prn_curve_period(&prior, 1, 0.3, &want);
	near(drive_visit(&drive, 0, 1, 0.3), want, 1e-9, "a new page under prior-mle has the period of its prior");
	ok(prn_policy_curve(drive.policy, drive.state, &learned),
	   "a new page under prior-mle has the curve of its prior");
	drive_close(&drive);
}

/* Dated changes: the policy hands the date on to the estimator. */
static void test_dates(void)
{
	struct prn_policy *policy;
	double state[64] = { 0 }, same = 0, other = 0.1;
	struct prn_curve learned;
	struct prn_decision decision;

	if (prn_policy_open(&policy, "cgm:estimator=last-modified", NULL, NULL) ||
	    prn_policy_state_size(policy) > sizeof state)
		abort();
	for (int i = 0; i < 3; i++) {
		struct prn_visit visit = { .time = 2 * i, .weight = 1, .threshold = 1, .since_modified = 0.5,
			                   .divergence = i == 2 ? &same : &other };

		prn_policy_visit(policy, state, &visit, &decision);
	}
	ok(prn_policy_curve(policy, state, &learned),
	   "a dated change and a visit without one give a curve");
	/* X = 1, n = 2: X' = 1/(2 log 2); T = 0.5 + 2 */
	near(learned.rate, 1 / (2 * log(2)) / 2.5, 1e-12, "cgm hands the date of a change on to last-modified");
	prn_policy_free(policy);
}

int main(void)
{
	test_poisson();
	test_estimators();
	test_prior();
	test_dates();
	test_change();
	test_start();
	test_tied();
	test_unchanged();
	return done();
}
