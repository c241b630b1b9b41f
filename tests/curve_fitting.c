/* Curve fitting: learns the curve of a page that has one, and never gives a quiet page up. */
#include "drive.h"

#include "tap.h"

/* A page whose divergence is its curve exactly. */
static double by_curve(const void *context, double from, double to)
{
	return prn_curve_divergence(context, to - from);
}

static void test_learns(const char *specification)
{
	static const struct prn_curve curves[] = {
		{ PRN_CURVE_SCROLL, 1, 0.3, 0.4, 0 },
		{ PRN_CURVE_SCROLL, 8, 0.6, 1.5, 0 },
		{ PRN_CURVE_SCROLL, 32, 0.2, 2, 0 },
	};

	for (size_t i = 0; i < 3; i++) {
		double threshold = 0.4 * prn_curve_utility_limit(&curves[i]), time = 0, period = 0, want;
		struct drive drive;

		drive_open(&drive, specification, by_curve, &curves[i]);
		for (int n = 0; n < 40; n++) {
			period = drive_visit(&drive, time, 1, threshold);
			time += period < 1 ? 1 : floor(period);
		}
		prn_curve_period(&curves[i], 1, threshold, &want);
		/* the fit is within 0.001 in rms of points that cover the period; U is a few times as sensitive */
		near(period / want, 1, 0.1, "%s: a page of K = %u gets the period of its curve", specification,
		     curves[i].items);
		ok(drive.decision.reason == PRN_REASON_RULE,
		   "the period of a fitted curve is decided by the rule");
		drive_close(&drive);
	}
}

static void test_quiet(void)
{
	struct prn_curve still = prn_curve_churn(0, 0), curve;
	double time = 0, period, before = 0;
	bool finite = true, grows = true;
	struct drive drive;

	drive_open(&drive, "curve-fitting:learning=none", by_curve, &still);
	near(drive_visit(&drive, 0, 1, 1), 1, 0, "the first period of curve fitting is one clock unit");
	time = 1;
	for (int n = 0; n < 100; n++) {
		period = drive_visit(&drive, time, 1, 1);
		finite &= isfinite(period) && drive.decision.reason == PRN_REASON_RULE;
		grows &= period >= before;
		before = period;
		time += period;
	}
	ok(finite, "a page that never changes is never given up, not even without a learning bound");
	ok(grows, "the periods of a page that never changes grow");
	prn_policy_curve(drive.policy, drive.state, &curve);
	/* the prior's α over all the time since the acquisition, before the last period was added */
	near(curve.slope, 0.03 / (time - before + 3), 1e-12,
	     "the slope of a page that never changes is the prior's drift, shrunk by the quiet time");
	drive_close(&drive);
}

/* What a clock shows when a page is acquired says nothing about the page, and a change ends the quiet time before it. */
static double changes_at_100(const void *context, double from, double to)
{
	(void)context;
	return from < 1100 && to >= 1100 ? 0.5 : 0;
}

static void test_quiet_since(void)
{
	struct prn_curve curve;
	struct drive drive;

	drive_open(&drive, "curve-fitting:learning=none:history=1", changes_at_100, NULL);
	drive_visit(&drive, 1000, 1, 1);
	drive_visit(&drive, 1020, 1, 1);
	prn_policy_curve(drive.policy, drive.state, &curve);
	near(curve.slope, 0.03 / (20 + 3), 1e-12, "the quiet time of a page begins with its first visit, whatever the clock shows then");
	drive_close(&drive);
}

static void test_bounds(void)
{
	struct prn_curve fast = prn_curve_churn(1, 50);
	struct drive drive;

	drive_open(&drive, "curve-fitting:learning=2:risk=3", by_curve, &fast);
	for (int n = 0; n < 5; n++)
		drive_visit(&drive, n, 1, 10);
	near(drive_visit(&drive, 5, 1, 10), 12, 0, "a page that is all churn waits for l n = 2 x 6");
	ok(drive.decision.reason == PRN_REASON_LEARNING, "a period of l n is decided by the learning bound");
	near(drive_visit(&drive, 6, 4, 10), 7.5, 1e-12, "a page that is all churn waits for ρT/W = 3 x 10 / 4");
	ok(drive.decision.reason == PRN_REASON_RISK, "a period of ρT/W is decided by the risk bound");
	drive_close(&drive);

	drive_open(&drive, "curve-fitting:learning=2T", by_curve, &fast);
	near(drive_visit(&drive, 0, 1, 0.01), 0.3, 1e-12, "l tied to T is never below 0.3");
	drive_close(&drive);
	drive_open(&drive, "curve-fitting:learning=2T", by_curve, &fast);
	for (int n = 0; n < 4; n++)
		drive_visit(&drive, n, 1, 5);
	near(drive_visit(&drive, 4, 2, 5), 2 * 2.5 * 5, 1e-12, "l tied to T is 2T/W above 0.3");
	drive_close(&drive);
}

int main(void)
{
	test_learns("curve-fitting");
	test_learns("curve-fitting:history=1");
	test_quiet();
	test_quiet_since();
	test_bounds();
	return done();
}
