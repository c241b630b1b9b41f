/* Drift: its sums against their definition over whole histories, and what it makes of typical pages. */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

#define VISITS 60

/* Any two versions have a divergence that only their times determine. */
static double scrambled(const void *context, double from, double to)
{
	struct prn_random random;

	prn_random_seed(&random, *(const uint64_t *)context, (uint64_t)(from * 1e6) * 31 + (uint64_t)(to * 1e6));
	return prn_random_unit(&random);
}

static double unchanged(const void *context, double from, double to)
{
	(void)context;
	(void)from;
	(void)to;
	return 0;
}

static double churn(const void *context, double from, double to)
{
	(void)from;
	(void)to;
	return *(const double *)context;
}

static double steady(const void *context, double from, double to)
{
	return fmin(1, *(const double *)context * (to - from));
}

/* doc/theory.md §13 word for word, over the whole history; i counts visits from 0. */
static double slope_by_definition(const double *times, size_t n, const uint64_t *page)
{
	double alpha = 0.03, beta = 3, kappa = 2, fade = 0.9, d = 0, tau = 0, e = 0, tau_e = 0, s1, s;

	for (size_t i = 1; i < n; i++) {
		double share = pow(fade, (double)(n - 1 - i)), interval = times[i] - times[i - 1];

		d += share * scrambled(page, times[i - 1], times[i]);
		tau += share * interval;
		if (i < 2)
			continue;
		e += share * (scrambled(page, times[i - 2], times[i]) - scrambled(page, times[i - 2], times[i - 1]));
		tau_e += share * interval;
	}
	s1 = (d + alpha) / (tau + beta);
	s = (fmax(e, 0) + kappa * beta * s1) / (tau_e + kappa * beta);
	return fmin(s, s1);
}

static void test_definition(void)
{
	double worst = 0, worst_curve = 0;
	struct prn_random random;

	prn_random_seed(&random, 1, 0);
	for (uint64_t page = 0; page < 20; page++) {
		double times[VISITS], time = 0;
		struct drive drive;

		drive_open(&drive, "drift", scrambled, &page);
		for (size_t n = 0; n < VISITS; n++) {
			double period = drive_visit(&drive, time, 3, 0.7), slope;
			struct prn_curve curve;

			times[n] = time;
			slope = slope_by_definition(times, n + 1, &page);
			worst = fmax(worst, fabs(period / sqrt(2 * 0.7 / (3 * slope)) - 1));
			prn_policy_curve(drive.policy, drive.state, &curve);
			worst_curve = fmax(worst_curve, fabs(curve.slope / slope - 1));
			time += 0.1 + 5 * prn_random_unit(&random);
		}
		drive_close(&drive);
	}
	/* sums of at most 60 terms, rounded in another order */
	near(worst, 0, 1e-12,
	     "the period of drift is sqrt(2 T/(W s)), s by its definition over the whole history");
	near(worst_curve, 0, 1e-12, "the curve of drift is the line of slope s");
}

static void test_first(void)
{
	struct drive drive;

	drive_open(&drive, "drift:alpha=0.2:beta=10", unchanged, NULL);
	ok(prn_policy_curve(drive.policy, drive.state, &(struct prn_curve){ 0 }) == 0,
	   "drift has no curve before the first visit");
	near(drive_visit(&drive, 100, 1, 0.5), sqrt(2 * 0.5 / 0.02), 1e-12,
	     "the first visit of drift uses s = α/β");
	drive_close(&drive);
}

/*
 * Never seen to change: s = κβ α/((Στ + β)(Στ' + κβ)), so that in the long run the period is c Στ with
 * c = sqrt(2T/(W α κ β)), and Στ, which fades by 0.9, grows by 0.9 + c a visit (doc/theory.md §13).
 */
static void test_unchanged(double threshold)
{
	double time = 0, period = 0, before = 0;
	struct drive drive;

	drive_open(&drive, "drift", unchanged, NULL);
	for (int i = 0; i < 60; i++) {
		before = period;
		period = drive_visit(&drive, time, 1, threshold);
		time += period;
	}
	/* β and κβ are lost beside Στ by then */
	near(period / before, 0.9 + sqrt(2 * threshold / (0.03 * 2 * 3)), 1e-6,
	     "at T = %g the periods of a page never seen to change grow by %.1f a visit", threshold, period / before);
	drive_close(&drive);
}

static void test_lasting(void)
{
	double share = 0.5, slope = 0.01, time = 0;
	struct drive ephemeral, lasting;
	double churned = 0, drifted = 0;

	drive_open(&ephemeral, "drift", churn, &share);
	drive_open(&lasting, "drift", steady, &slope);
	for (int i = 0; i < 50; i++, time += 1) {
		churned = drive_visit(&ephemeral, time, 1, 0.2);
		drifted = drive_visit(&lasting, time, 1, 0.2);
	}
	/* s1 is near 0.5 a unit of time, but none of it lasts: s tends to κβ s1/(Στ' + κβ), with Στ' = 10 */
	near(churned, sqrt(2 * 0.2 / (0.5 * 6 / 16)), 0.3, "churn that replaces churn counts for a part only");
	/* s1 and s are shrunk to each other and to 0.01, the default prior's mean */
	near(drifted, sqrt(2 * 0.2 / 0.01), 0.02, "steady drift gives the period of its slope");
	drive_close(&ephemeral);
	drive_close(&lasting);
}

int main(void)
{
	test_definition();
	test_first();
	test_unchanged(0.044);
	test_unchanged(0.2);
	test_lasting();
	return done();
}
