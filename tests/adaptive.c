/*
 * The schedules of production crawlers, visit by visit against what their sources say, and how their scale
 * works.
 */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

/* A page that is told to have changed at a visit, or not. */
static double told(const void *context, double from, double to)
{
	(void)from;
	(void)to;
	return *(const bool *)context ? 0.2 : 0;
}

struct step {
	bool changed;
	double period; /* wanted, days */
};

/* Visits when the policy says; every period as wanted, at any scale. */
static void follows(const char *specification, const struct step *steps, size_t count)
{
	for (double scale = 0.01; scale < 200; scale *= 10) {
		double time = 5, worst = 0;
		struct drive drive;
		bool changed;

		drive_open(&drive, specification, told, &changed);
		for (size_t i = 0; i < count; i++) {
			double period;

			changed = steps[i].changed;
			period = drive_visit(&drive, time, 1, scale);
			worst = fmax(worst, fabs(period / (scale * steps[i].period) - 1));
			time += period;
		}
		drive_close(&drive);
		/*
		 * Times of some thousand days are rounded to 1e-13 of them, intervals are as short as a
		 * minute.
		 */
		near(worst, 0, 1e-9,
		     "%s at scale %g has the periods that are documented for %zu visits", specification, scale, count);
	}
}

#define FOLLOWS(specification, ...)                                    \
	follows(specification, (const struct step[]){ __VA_ARGS__ },   \
	        sizeof((const struct step[]){ __VA_ARGS__ }) / sizeof(struct step))

static void nutch(void)
{
	/*
	 * xml: 30; unchanged: I = 42, δ = 30, 42 - 9 = 33; unchanged: I = 58.8, δ = 63, so I = 63, 63 - 18.9
	 * = 44.1; changed: I = 50.4, δ = 0.
	 */
	FOLLOWS("nutch", { true, 30 }, { false, 33 }, { false, 44.1 }, { true, 50.4 }, { true, 40.32 });
	/* code: 30; I = 36, δ = 30, 36 - 6; I = 43.2, δ = 60: I = 60, 60 - 12 = 48; changed: 48. */
	FOLLOWS("nutch:preset=code", { true, 30 }, { false, 30 }, { false, 48 }, { true, 48 });
	FOLLOWS("nutch:preset=code:sync=0", { true, 30 }, { false, 36 }, { false, 66 });
	FOLLOWS("nutch:increase=1:decrease=0.5:sync=0.5", { true, 30 }, { true, 15 }, { false, 22.5 });
	/* At most a year, less the share of δ = 30 + 33 + 44.1 …; never less than the shortest. */
	FOLLOWS("nutch:longest=40", { true, 30 }, { false, 40 - 9 }, { false, 40 - 0.3 * 61 }, { false, 40 - 0.3 * 82.7 });
	FOLLOWS("nutch:longest=10:sync=1:shortest=2", { true, 10 }, { false, 2 }, { false, 2 });
	FOLLOWS("nutch:start=0.001", { true, 0.001 }, { true, 0.0008 }, { true, 0.000694444 }, { true, 0.000694444 });
}

/* Nutch believes the server's date of an unchanged page. */
static void nutch_dates(void)
{
	struct prn_policy *policy;
	double state[8] = { 0 }, same = 0;
	struct prn_decision decision;

	if (prn_policy_open(&policy, "nutch", NULL, NULL) || prn_policy_state_size(policy) > sizeof state)
		abort();
	for (int i = 0; i < 2; i++) {
		struct prn_visit visit = { .time = 30 * i, .weight = 1, .threshold = 1, .divergence = &same,
			                   .since_modified = 100 };

		prn_policy_visit(policy, state, &visit, &decision);
		near(decision.period, i ? 100 - 0.3 * 100 : 30, 1e-12,
		     i ? "nutch takes 0.3 off the age of a page that the server says was modified 100 days ago"
		       : "nutch gives a new page its first period, whatever date the server tells");
	}
	prn_policy_free(policy);
}

static void stormcrawler(void)
{
	FOLLOWS("stormcrawler", { true, 1 }, { false, 1.5 }, { false, 2.25 }, { true, (2.25 + 0.0416667) / 2 });
	FOLLOWS("stormcrawler", { true, 1 }, { false, 1.5 }, { false, 2.25 }, { false, 3.375 }, { false, 5.0625 },
	        { false, 7.59375 }, { false, 11.390625 }, { false, 14 }, { false, 14 }, { true, 7 + 0.0416667 / 2 });
	FOLLOWS("stormcrawler:decrease=1:increase=2:start=3", { true, 3 }, { true, 0.0416667 }, { false, 3 * 0.0416667 });
}

static void heritrix1(void)
{
	FOLLOWS("heritrix1", { true, 1 }, { false, 1.5 }, { false, 2.25 }, { true, 1.5 }, { true, 1 }, { true, 1 / 1.5 });
	FOLLOWS("heritrix1:longest=2:shrink=4", { true, 1 }, { false, 1.5 }, { false, 2 }, { false, 2 }, { true, 0.5 },
	        { true, 0.125 }, { true, 0.0416667 }, { true, 0.0416667 });
}

/*
 * A page that changes as a Poisson process of rate 1 a day settles where shrinking and stretching balance:
 * 1.5^(1-2p) = 1 at p = 1/2, so at visits log 2 = 0.69 days apart: a mean of what 1.5 leaves room for, tested
 * within a third.
 */
static double poisson(const void *context, double from, double to)
{
	struct prn_random random;

	(void)context;
	prn_random_seed(&random, 17, (uint64_t)(to * 1e6));
	return prn_random_unit(&random) < -expm1(from - to);
}

static void balance(void)
{
	double time = 0, sum = 0;
	struct drive drive;

	drive_open(&drive, "heritrix1", poisson, NULL);
	for (int i = 0; i < 4000; i++) {
		double period = drive_visit(&drive, time, 1, 1);

		time += period;
		sum += i < 100 ? 0 : log(period) / 3900;
	}
	near(exp(sum) / log(2), 1, 0.33, "heritrix1 sees every second change of a page that changes daily");
	drive_close(&drive);
}

int main(void)
{
	nutch();
	nutch_dates();
	stormcrawler();
	heritrix1();
	balance();
	return done();
}
