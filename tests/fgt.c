/*
 * Ford, Grimes and Tassone's policy: its cost curve by simulation, where its least is, and the bound on very
 * stale copies.
 */
#include "drive.h"

#include "base/random.h"
#include "perennial/curve.h"
#include "tap.h"

/* r = t/Δ of least cost. */
static double best_ratio(double crawl_cost, double interval)
{
	struct prn_curve curve = prn_curve_churn(1, 1 / interval);
	double period = 0;

	prn_curve_period(&curve, 1, crawl_cost, &period);
	return period / interval;
}

/* FGT's cost per unit of time, C_s = 1. */
static double analytic_cost(double crawl_cost, double interval, double r)
{
	return 1 - -expm1(-r) / r + crawl_cost / (r * interval);
}

static void published(void)
{
	double worst = 0, rounding = 0;

	near(best_ratio(1, 24), 0.3208, 5e-5, "r is .3208 where Δ is 24 h and a crawl costs an hour of staleness");
	ok(isinf(best_ratio(24, 24)), "no crawl is worth it where it costs Δ");
	for (double interval = 10; interval < 1e6; interval *= 1.7) {
		double r = best_ratio(1, interval), least = sqrt(2 / interval);

		/* r = sqrt(2c) (1 + sqrt(2c)/3 + …): next to the law stands a third of r. */
		worst = fmax(worst, fabs(r / least - 1) / least);
		rounding = fmax(rounding, fabs(exp(r) * (1 - 1 / interval) / (1 + r) - 1));
	}
	ok(worst < 0.5, "r falls as sqrt(2 C_c / (C_s Δ)): off by %.2f of itself at most", worst);
	/* The equation loses half of the digits where r² is small. */
	near(rounding, 0, 1e-12, "r solves e^r = (1 + r)/(1 - C_c/(C_s Δ))");
}

/* A page of known Δ crawled every t: stale from its first change after each crawl on. */
static double simulated_cost(double crawl_cost, double interval, double r, double *error)
{
	const int crawls = 40000;
	double t = r * interval, sum = 0, squares = 0;
	struct prn_random random;

	prn_random_seed(&random, 8, 0);
	for (int i = 0; i < crawls; i++) {
		double stale = fmax(0, t - prn_random_exponential(&random, interval)) / t;

		sum += stale / crawls;
		squares += stale * stale / crawls;
	}
	*error = sqrt((squares - sum * sum) / crawls);
	return sum + crawl_cost / t;
}

static void cost_curve(void)
{
	double least = INFINITY, at = 0, want = best_ratio(1, 24);
	bool close = true;

	for (double r = want / 4; r < 4 * want; r *= 1.05) {
		double error, cost = simulated_cost(1, 24, r, &error);

		close &= fabs(cost - analytic_cost(1, 24, r)) < 4 * error;
		if (cost < least) {
			least = cost;
			at = r;
		}
	}
	ok(close, "the cost simulated with known Δ is the analytic one, to four standard errors, at 57 intervals");
	/* Around its least the cost is flat: 15 % away it is 1 % more, which is what chance can hide. */
	near(at / want, 1, 0.15, "the simulated cost is least at the predicted r");
	near(least / analytic_cost(1, 24, want), 1, 0.02, "the least simulated cost is the predicted one");
}

/* Changes of a Poisson process, drawn once. */
static double changes[20000];

static double holistic(const void *context, double from, double to)
{
	(void)context;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		if (changes[i] > from)
			return changes[i] <= to ? 0.3 : 0;
	return 0;
}

/* The policy itself learns Δ = 24 and then pays what is least, C_s being the weight. */
static void learns(void)
{
	double time = 0, stale = 0, at = 0, cost;
	struct prn_random random;
	struct drive drive;
	size_t next = 0;
	int visits = 3000;

	prn_random_seed(&random, 9, 0);
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		changes[i] = at += prn_random_exponential(&random, 24);
	drive_open(&drive, "fgt:prior-changed=1:prior-unchanged=57:learning=none", holistic, NULL);
	near(drive_visit(&drive, 0, 2, 2), best_ratio(1, 1 / log(58.0 / 57)) / log(58.0 / 57), 1e-9,
	     "a new page has the period of the prior, Δ = 57.5 h");
	for (int i = 0; i < visits; i++) {
		double period = drive.decision.period;

		while (changes[next] <= time)
			next++;
		stale += fmax(0, time + period - changes[next]);
		time += period;
		drive_visit(&drive, time, 2, 2);
	}
	cost = (stale + visits) / time;
	/* 3000 visits, 800 changes: chance moves the stale time by 4 %. */
	near(cost / analytic_cost(1, 24, best_ratio(1, 24)), 1, 0.05, "3000 visits cost what is least for the true Δ");
	drive_close(&drive);
}

static double never(const void *context, double from, double to)
{
	(void)context;
	(void)from;
	(void)to;
	return 0;
}

static double first_period(const char *specification, double threshold)
{
	struct drive drive;
	double period;

	drive_open(&drive, specification, never, NULL);
	drive_visit(&drive, 0, 1, threshold);
	period = drive_visit(&drive, 5, 1, threshold);
	drive_close(&drive);
	return period;
}

static void bound(void)
{
	double free_of_it = first_period("fgt:learning=none", 3), tight = first_period("fgt:learning=none:very-stale=1", 3);
	double tighter = first_period("fgt:learning=none:very-stale=1:epsilon=0.01", 3);

	ok(1 < tighter && tighter < tight, "a tighter bound on very stale copies makes periods shorter: %.3f < %.3f", tighter, tight);
	ok(tight < free_of_it, "a bound on very stale copies makes periods shorter: %.3f < %.3f", tight, free_of_it);
	near(first_period("fgt:learning=none:very-stale=1:epsilon=0.999", 3), free_of_it, 0,
	     "a bound on very stale copies that is kept anyway leaves the period as it is");
	near(first_period("fgt:learning=none:very-stale=50", 3) , free_of_it, 0,
	     "a bound on copies staler than the period is long leaves the period as it is");
	near(tight - 1, 5 * (tighter - 1), 0.15 * tight, "the wait beyond s goes as ε where ε is small");
	ok(isfinite(first_period("fgt:learning=none:very-stale=1", 1e6)),
	   "the bound on very stale copies holds where no crawl is worth its cost");
}

int main(void)
{
	published();
	cost_curve();
	learns();
	bound();
	return done();
}
