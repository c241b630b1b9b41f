/* What holds for every policy on every history: periods are positive, slots exist, states are plain numbers. */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

/* Beside every policy with its defaults: others that come to their limits. */
static const char *const specifications[] = {
	"cgm:learning=none",
	"cgm:learning=0.3:risk=1",
	"age",
	"proportional:learning=1:estimator=naive",
	"fgt:very-stale=0.5:epsilon=0.01:learning=none:most=1e-20",
	"fgt:very-stale=1e-9:epsilon=0.999:most=1e30",
	"azar:learning=none:risk=2:estimator=lln",
	"lambdacrawl:learning=none:estimator=sa:seed=9",
	"ncis:estimator=naive",
	"curve-fitting:history=1",
	"curve-fitting:history=32:learning=none",
	"curve-fitting:history=2:risk=2",
	"bound-based:history=1:risk=none",
	"bound-based:history=32:risk=1",
	"nutch:preset=code:sync=1",
	"stormcrawler:decrease=1:shortest=1e-300",
	"heritrix1:longest=1e300:stretch=1e9",
	"drift:forgetting=1:alpha=1e-9:beta=1e-9",
	"drift:forgetting=0.01:kappa=1e9:risk=5",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Every policy by its name, then the specifications above; NULL past the end. */
static const char *specification_at(size_t i)
{
	size_t policies = 0;

	while (prn_policy_info(policies))
		policies++;
	if (i < policies)
		return prn_policy_info(i)->name;
	return i - policies < COUNT(specifications) ? specifications[i - policies] : NULL;
}

/* What the versions of a page may look like from a policy's slots; the last kinds are no metric at all. */
enum world {
	ALL_ZERO,
	ALL_ONE,
	RANDOM,
	RARE,
	GROWING,
	FLIPPING, /* between two versions */
	TINY,
	WORLDS,
};

static double look(const void *context, double from, double to)
{
	struct prn_random random;
	double unit;

	prn_random_seed(&random, (uint64_t)(fabs(from) * 1000) ^ ((uint64_t)(fabs(to) * 1000) << 20), 5);
	unit = prn_random_unit(&random);
	switch (*(const enum world *)context) {
	case ALL_ZERO:
		return 0;
	case ALL_ONE:
		return 1;
	case RARE:
		return unit < 0.03 ? unit : 0;
	case GROWING:
		return fmin(1, 0.01 * (to - from));
	case FLIPPING:
		return ((long)from + (long)to) % 2 ? 0.7 : 0;
	case TINY:
		return 1e-300 * unit;
	default:
		return unit;
	}
}

/* How visits fall: as decided, early, late, all equal, or over many decades. */
enum rhythm {
	AS_DECIDED,
	EQUAL,
	JITTERED,
	HUGE_STEPS,
	TINY_STEPS,
	DECADES,
	RHYTHMS,
};

static double step(enum rhythm rhythm, double period, struct prn_random *random)
{
	double unit = prn_random_unit(random);

	switch (rhythm) {
	case AS_DECIDED:
		return fmin(period, 1e6);
	case EQUAL:
		return 1;
	case HUGE_STEPS:
		return 1e12 * (1 + unit);
	case TINY_STEPS:
		return 1e-6 * (1 + unit);
	case DECADES:
		return pow(10, -6 + 14 * unit);
	default:
		return fmin(period, 100) * (0.1 + 2 * unit);
	}
}

static bool sound(const struct drive *drive)
{
	const struct prn_decision *decision = &drive->decision;
	bool never = isinf(decision->period);
	struct prn_curve curve;

	if (prn_policy_curve(drive->policy, drive->state, &curve) &&
	    !(isfinite(curve.rate) && isfinite(curve.slope) && curve.share >= 0 && curve.share <= 1 && curve.rate >= 0 &&
	      curve.slope >= 0 && curve.items >= 1))
		return false;
	return decision->period > 0 && decision->expected > 0 && never == (decision->reason == PRN_REASON_NEVER) && decision->keep >= -1 &&
	       decision->keep < (int)prn_policy_slots(drive->policy);
}

static bool sound_throughout(const char *specification, enum world world, enum rhythm rhythm, double threshold,
                             int visits)
{
	struct prn_random random;
	struct drive drive;
	bool all = true;
	double time = 0;

	if (!drive_open(&drive, specification, look, &world))
		return false;
	prn_random_seed(&random, 1, (uint64_t)rhythm);
	for (int i = 0; i < visits; i++) {
		double period = drive_visit(&drive, time, 1 + i % 3, threshold);

		all &= sound(&drive);
		time += step(rhythm, period, &random);
	}
	drive_close(&drive);
	return all;
}

static void test_sound(void)
{
	static const double thresholds[] = { 0.2, 1e-9, 50, 1e12 };
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		bool all = true;

		for (int world = 0; world < WORLDS; world++)
			for (int rhythm = 0; rhythm < RHYTHMS; rhythm++)
				for (size_t j = 0; j < COUNT(thresholds); j++)
					all &= sound_throughout(specification, (enum world)world, (enum rhythm)rhythm,
					                        thresholds[j], 40);
		ok(all, "%s: periods > 0, never NaN, slots and curves in range, on every kind of page", specification);
	}
}

static void test_long(void)
{
	for (size_t i = 0; prn_policy_info(i); i++)
		ok(sound_throughout(prn_policy_info(i)->name, RARE, EQUAL, 0.5, 100000),
		   "%s: periods, slots and curves are sound after 100000 visits",
		   prn_policy_info(i)->name);
}

/* A state copied by memcpy goes on as the original does. */
static void test_copy(void)
{
	const char *specification;

	for (size_t i = 0; (specification = specification_at(i)); i++) {
		enum world world = RANDOM;
		struct drive drive, copy;
		size_t size;
		bool same = true;
		double time = 0;

		drive_open(&drive, specification, look, &world);
		size = prn_policy_state_size(drive.policy);
		for (int n = 0; n < 30; n++)
			time += fmin(drive_visit(&drive, time, 1, 0.3), 50);
		copy = drive;
		copy.state = malloc(size);
		memcpy(copy.state, drive.state, size);
		for (int n = 0; n < 30; n++) {
			double period = drive_visit(&drive, time, 1, 0.3);

			same &= drive_visit(&copy, time, 1, 0.3) == period && copy.decision.keep == drive.decision.keep;
			time += fmin(period, 50);
		}
		ok(same && !memcmp(copy.state, drive.state, size), "%s: a copied state goes on alike", specification);
		free(copy.state);
		drive_close(&drive);
	}
}

/* Whether a page of weight 8 is visited at heavy_dial as one of weight 1 at 0.5. */
static bool weighs(const char *name, double heavy_dial)
{
	enum world world = RANDOM;
	struct drive light, heavy;
	bool same = true;
	double time = 0;

	drive_open(&light, name, look, &world);
	drive_open(&heavy, name, look, &world);
	for (int n = 0; n < 40; n++) {
		double period = drive_visit(&light, time, 1, 0.5);

		same &= drive_visit(&heavy, time, 4, heavy_dial) == period;
		time += fmin(period, 20);
	}
	drive_close(&light);
	drive_close(&heavy);
	return same;
}

/* T for a page of weight W is T/W for one of weight 1 (doc/theory.md §2); but some policies know no weights. */
static void test_weight(void)
{
	const struct prn_policy_info *info;

	for (size_t i = 0; (info = prn_policy_info(i)); i++)
		if (info->knows_weights)
			ok(weighs(info->name, 2), "%s: weight 4 at T = 2 is weight 1 at T = 0.5", info->name);
		else if (!strcmp(info->name, "age"))
			ok(weighs(info->name, 1), "age, whose T is squared: weight 4 at T = 1 is weight 1 at T = 0.5");
		else
			ok(weighs(info->name, 0.5), "%s, which knows no weights: weight 4 is as weight 1", info->name);
}

int main(void)
{
	test_sound();
	test_long();
	test_copy();
	test_weight();
	return done();
}
