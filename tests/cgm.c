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
	near(exp(log_sum) / want, 1, 0.05, "a page of rate 0.25: the period tends to Cho's optimum");
	ok(drive.decision.reason == PRN_REASON_RULE, "by the rule");
	ok(prn_policy_curve(drive.policy, drive.state, &learned) && learned.items == 1 && learned.share == 1,
	   "the curve is holistic: churn of the whole page");
	near(learned.rate, 0.25, 0.025, "with the rate");
	drive_close(&drive);
}

static void test_start(void)
{
	static struct changes none;
	struct drive drive;

	drive_open(&drive, "cgm:learning=5", holistic, &none);
	ok(prn_policy_curve(drive.policy, drive.state, &(struct prn_curve){ 0 }) == 0, "no curve before two visits");
	near(drive_visit(&drive, 0, 1, 1), 1, 0, "the first period is one clock unit");
	near(drive_visit(&drive, 1, 1, 2), 10, 0, "no change seen in 1 unit: U(∞) = 1 < T = 2, so l n = 10");
	ok(drive.decision.reason == PRN_REASON_LEARNING, "which is the learning bound");
	near(drive_visit(&drive, 4, 1, 20), 15, 0, "and grows with each visit");
	drive_close(&drive);

	drive_open(&drive, "cgm:learning=none", holistic, &none);
	drive_visit(&drive, 0, 1, 1);
	ok(isinf(drive_visit(&drive, 1, 1, 2)) && drive.decision.reason == PRN_REASON_NEVER,
	   "with no bound at all the page is never worth a visit");
	ok(isfinite(drive_visit(&drive, 1, 1, 0.5)), "unless T is low");
	drive_close(&drive);
}

int main(void)
{
	test_poisson();
	test_start();
	return done();
}
