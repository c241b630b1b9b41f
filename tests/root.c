/* Roots: found to the last digits, from any start, also where Newton alone would fail. */
#include "base/root.h"
#include "tap.h"

static int calls;

static struct prn_root_sample power(const void *context, double x)
{
	double p = *(const double *)context;

	calls++;
	return (struct prn_root_sample){ pow(x, p) - 2, p * pow(x, p - 1) };
}

static struct prn_root_sample flat_slope(const void *context, double x)
{
	(void)context;
	calls++;
	return (struct prn_root_sample){ x < 3 ? x - 3 : exp(x) - exp(3), 0 };
}

/* Newton overshoots on arctan from |x - root| > 1.39 and on a step it sees no slope at all. */
static struct prn_root_sample bent(const void *context, double x)
{
	(void)context;
	calls++;
	return (struct prn_root_sample){ atan(x - 50), 1 / (1 + (x - 50) * (x - 50)) };
}

static double falls(const void *context, double x)
{
	calls++;
	return 1 - pow(x, *(const double *)context);
}

/* A jump: no x has the value 0. */
static double jumps(const void *context, double x)
{
	(void)context;
	calls++;
	return x < 0.3 ? 1 : -1e-3;
}

static void between(void)
{
	static const double powers[] = { 0.1, 0.5, 1, 2, 7, 40 };
	double worst = 0;
	int most = 0;

	for (size_t i = 0; i < 6; i++) {
		double error;

		calls = 0;
		error = fabs(prn_root_between(falls, &powers[i], 0, 3, 1, falls(&powers[i], 3), 1e-12) - 1);
		worst = fmax(worst, error * fmin(powers[i], 1));
		most = calls > most ? calls : most;
	}
	near(worst, 0, 2e-12, "false position solves 1 - x^p for p from 0.1 to 40: within the tolerance");
	ok(most < PRN_ROOT_STEPS,
	   "false position solves 1 - x^p in less than %d calls (%d)", PRN_ROOT_STEPS, most);
	calls = 0;
	near(prn_root_between(jumps, NULL, 0, 1, 1, -1e-3, 1e-9), 0.3, 1e-9,
	     "false position finds a jump over 0");
	ok(calls <= PRN_ROOT_STEPS, "false position at a jump over 0 ends (%d calls)", calls);
}

int main(void)
{
	static const double powers[] = { 0.1, 0.5, 1, 2, 7 }, starts[] = { 1e-6, 0.3, 1.5, 40, 1e5 };
	double worst = 0, p = 2;
	int most = 0;

	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 5; j++) {
			double want = pow(2, 1 / powers[i]), error;

			calls = 0;
			error = fabs(prn_root_find(power, &powers[i], 0, INFINITY, starts[j]) - want) / want;
			worst = error > worst ? error : worst;
			most = calls > most ? calls : most;
		}
	/* 1e-13 is the header's word; rounding in pow() itself is far below. */
	near(worst, 0, 1e-13, "x^p = 2 is solved for p from 0.1 to 7, from starts 11 decades apart");
	ok(most <= 60, "x^p = 2 is solved in at most 60 calls (%d)", most);

	calls = 0;
	near(prn_root_find(power, &p, 0, INFINITY, 1.4), sqrt(2), 1e-15, "x^2 = 2 is solved from a near start");
	ok(calls <= 4,
	   "x^2 = 2 is solved from a near start in at most 4 calls (%d): steps are Newton's", calls);

	calls = 0;
	near(prn_root_find(flat_slope, NULL, 0, 100, 90), 3, 1e-12,
	     "a slope of 0 leaves bisection, which finds the root");
	ok(calls <= PRN_ROOT_STEPS, "bisection at a slope of 0 ends (%d calls)", calls);
	near(prn_root_find(bent, NULL, 0, INFINITY, 1), 50, 1e-11, "arctan is solved from far off");
	near(prn_root_find(power, &p, 0, 1.5, 1), sqrt(2), 1e-15, "x^2 = 2 is solved in a finite bracket");
	between();
	return done();
}
