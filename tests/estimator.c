/* The interface of the estimators: worked examples, edges, keys; finite on every history. */
#include "base/random.h"
#include "learner.h"
#include "tap.h"

/* The estimate after n regular visits of which the first x saw a change. */
static double regular(const char *specification, int n, int x)
{
	struct learner learner;

	learner_start(&learner, specification);
	for (int i = 0; i < n; i++)
		learner_visit(&learner, 1, i < x, 0);
	return learner_rate(&learner);
}

/* doc/theory.md §9. */
static void worked(void)
{
	double each[PRN_ESTIMATOR_CLASSES];
	struct learner learner;

	near(regular("naive", 10, 6), 0.6, 1e-15,
	     "naive makes 0.6 a day of 6 changes in 10 daily visits (Cho §6.4.1)");
	near(regular("ratio", 10, 6), 0.847, 5e-4,
	     "ratio makes 0.847 a day of 6 changes in 10 daily visits (Cho §6.4.2)");
	learner_start(&learner, "bayes");
	learner_visit(&learner, 5, true, 0);
	ok(prn_estimator_probabilities(&learner.estimator, learner.state, each) == 2,
	   "bayes has classes of 7 and 30 days (Cho §6.6)");
	near(each[0], 0.769, 5e-4, "a change after 5 days gives 0.769 to the class of 7 days");
	near(each[1], 0.231, 5e-4, "a change after 5 days gives 0.231 to the class of 30 days");
	near(learner_rate(&learner), each[0] / 7 + each[1] / 30, 1e-15,
	     "the rate of bayes is the mean of 1/Δ over its classes");
	learner_start(&learner, "empirical");
	learner_visit(&learner, 5, true, 0);
	near(1 / learner_rate(&learner), 7 * each[0] + 30 * each[1], 1e-13,
	     "1/λ of empirical is the mean of Δ over the same classes (GF §4.3)");
	learner_start(&learner, "mle");
	ok(!prn_estimator_probabilities(&learner.estimator, learner.state, each), "mle has no classes");
}

/* Bayes' rule in one go: the product of the likelihoods, straight. */
static void bayes_of_many(void)
{
	static const double classes[] = { 0.5, 3, 40 };
	double straight[3] = { 1, 1, 1 }, each[PRN_ESTIMATOR_CLASSES], sum = 0, worst = 0;
	struct prn_random random;
	struct learner learner;

	prn_random_seed(&random, 3, 0);
	learner_start(&learner, "bayes:classes=0.5/3/40");
	for (int i = 0; i < 40; i++) {
		double t = 3 * prn_random_unit(&random);
		bool changed = i % 4 == 0;

		learner_visit(&learner, t, changed, 0);
		for (int c = 0; c < 3; c++)
			straight[c] *= changed ? 1 - exp(-t / classes[c]) : exp(-t / classes[c]);
	}
	prn_estimator_probabilities(&learner.estimator, learner.state, each);
	for (int c = 0; c < 3; c++)
		sum += straight[c];
	for (int c = 0; c < 3; c++)
		worst = fmax(worst, fabs(each[c] - straight[c] / sum));
	near(worst, 0, 1e-12,
	     "bayes after 40 visits is the product of their likelihoods (to the rounding of 40 factors)");
}

/* doc/theory.md §9: one never changed in two visits of 5 and 7, one that always did in three of 5, 2 and 7. */
static void edges(void)
{
	static const struct {
		const char *name;
		double never, always;
	} want[] = {
		{ "naive", 0, 3.0 / 14 },
		{ "mle", 1.0 / 12, 1.0 / 2 }, /* GF §3.3: 1/λ = Σ t; 1/λ = min t */
		{ "mm", 0, 1.0 / 2 },
		{ "last-modified", 0, 2.0 / 14 }, /* X' = n - 1; a change not dated is as old as its interval */
		{ "lln", 0, 3.0 / 14 * 3 / 1 },
	};
	struct learner learner;

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		learner_start(&learner, want[i].name);
		ok(learner_rate(&learner) == 0, "%s without visits has a rate of 0", want[i].name);
		learner_visit(&learner, 5, false, 0);
		learner_visit(&learner, 7, false, 0);
		near(learner_rate(&learner), want[i].never, 1e-15,
		     "%s where no change was seen has the rate of doc/theory.md §9", want[i].name);
		learner_start(&learner, want[i].name);
		learner_visit(&learner, 5, true, 0);
		learner_visit(&learner, 2, true, 0);
		learner_visit(&learner, 7, true, 0);
		near(learner_rate(&learner), want[i].always, 1e-15,
		     "%s where every visit saw a change has the rate of doc/theory.md §9",
		     want[i].name);
	}
	near(regular("ratio", 7, 0), 0, 0, "ratio where no change was seen in daily visits has a rate of 0");
	near(regular("ratio", 7, 7), -log(0.5 / 7.5), 1e-14,
	     "ratio where all of seven daily visits saw a change is -log(0.5/7.5)");
	near(regular("last-modified", 1, 1), 1, 0,
	     "1/λ of last-modified at a first visit that saw a change is the interval");
	near(regular("last-modified", 1, 0), 0, 0,
	     "last-modified at a first visit that saw no change has a rate of 0");
	near(regular("sa:visit-rate=3", 0, 0), 3, 0, "sa without visits has the visit rate p");
	near(regular("sa:visit-rate=3", 1, 1), 6, 0, "the first step of sa is a whole one: y + p after a change");
	near(regular("sa:visit-rate=3", 1, 0), 0, 0, "the first step of sa without a change leads to 0");
	near(regular("lln:visit-rate=3:damping=0.5:growth=0.5", 4, 1), 3 / (3 + 0.5 * 2), 1e-15, "α of lln grows with a power of the visits");
	near(regular("lln:visit-rate=3:damping=0.5:growth=log", 4, 1), 3 / (3 + 0.5 * log(5)), 1e-15,
	     "α of lln grows with the logarithm of the visits");
	near(regular("lln:visit-rate=3:damping=0.5:growth=0", 4, 1), 3 / 3.5, 1e-15, "a growth of 0 leaves α of lln as it is");
	near(regular("sa:visit-rate=3:exponent=1", 2, 2), 7.5, 1e-15, "the second step of sa is half a one");
	near(regular("bayes", 0, 0), (1.0 / 7 + 1.0 / 30) / 2, 1e-15,
	     "bayes without visits has its classes alike");
	near(regular("lln:visit-rate=3:damping=0.5", 2, 1), 3 / 1.5, 1e-15,
	     "lln with its parameters has the rate p Î/(k + α - Î)");
}

/* X'/T with times since modification (Cho §6.5.2), at values worked by hand. */
static void last_modified(void)
{
	struct learner learner;
	double worst = 0;

	learner_start(&learner, "last-modified");
	learner_visit(&learner, 2, true, 0.5);
	learner_visit(&learner, 3, false, 9); /* what it says of an older change is not asked */
	learner_visit(&learner, 4, true, 1);
	/* X = 2, n = 3: X' = 1 + 2/(3 log 3); T = 0.5 + 3 + 1 */
	near(learner_rate(&learner), (1 + -2 / (3 * log(1.0 / 3))) / 4.5, 1e-15,
	     "last-modified counts dated changes with their age");
	learner_start(&learner, "last-modified");
	learner_visit(&learner, 2, true, 50);
	learner_visit(&learner, 2, true, 1);
	near(learner_rate(&learner), 1.0 / 3, 1e-15,
	     "last-modified cuts a date before the last visit to the interval");
	learner_start(&learner, "last-modified");
	for (int i = 0; i < 3; i++)
		learner_visit(&learner, 2, true, 1e-300);
	worst = learner_rate(&learner);
	ok(isfinite(worst) && worst > 1e6,
	   "changes dated at the visit itself give last-modified a high rate that is finite");
}

/* A visit k before the last weighs γ^k: by sums written out, and the root of the weighted likelihood by bisection. */
static void forgetting(void)
{
	static const double intervals[] = { 2, 1, 3, 1, 2, 4, 1, 2, 3, 1 };
	static const bool changed[] = { 1, 1, 0, 1, 0, 0, 0, 1, 0, 1 };
	static const char *const names[] = { "naive", "ratio", "mle", "last-modified-naive", "mm", "lln" };
	const int n = sizeof intervals / sizeof *intervals;
	double x = 0, visits = 0, time = 0, since = 0, low = 1e-6, high = 100, moments_low = 1e-6, moments_high = 100, want[6];

	for (int i = 0; i < n; i++) {
		double weight = pow(0.8, n - 1 - i);

		x += weight * changed[i];
		visits += weight;
		time += weight * intervals[i];
		since += weight * (changed[i] ? 0.5 : intervals[i]);
	}
	for (int step = 0; step < 100; step++) {
		double rate = (low + high) / 2, moment = (moments_low + moments_high) / 2, slope = 0, excess = x - visits;

		for (int i = 0; i < n; i++) {
			double weight = pow(0.8, n - 1 - i);

			slope += weight * (changed[i] ? intervals[i] / expm1(rate * intervals[i]) : -intervals[i]);
			excess += weight * exp(-moment * intervals[i]);
		}
		*(slope > 0 ? &low : &high) = rate;
		*(excess > 0 ? &moments_low : &moments_high) = moment;
	}
	want[0] = x / time;
	want[1] = -log((visits - x + 0.5) / (visits + 0.5)) * visits / time;
	want[2] = low;
	want[3] = x / since;
	want[4] = moments_low;
	want[5] = visits / time * x / (visits + 1 - x);
	for (size_t i = 0; i < 6; i++) {
		char specification[64];
		struct learner learner;

		snprintf(specification, sizeof specification, "%s:forgetting=0.8", names[i]);
		learner_start(&learner, specification);
		for (int k = 0; k < n; k++)
			learner_visit(&learner, intervals[k], changed[k], changed[k] ? 0.5 : 0);
		near(learner_rate(&learner), want[i], 1e-9 * want[i], "%s weighs older visits less", specification);
	}
}

/* Cho §6.7: after 100 visits without forgetting a new rate is not seen for long; with it, it is. */
static void changing(void)
{
	static const char *const names[] = { "mle", "prior-mle", "mm", "ratio", "lln", "naive", "last-modified", "bayes:classes=0.5/10" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char specification[64];
		struct learner all, some;

		snprintf(specification, sizeof specification, "%s:forgetting=0.9", names[i]);
		learner_start(&all, names[i]);
		learner_start(&some, specification);
		for (int k = 0; k < 120; k++) {
			bool changed = k < 100 ? k % 10 == 0 : k % 5 != 0;

			learner_visit(&all, 1, changed, 0);
			learner_visit(&some, 1, changed, 0);
		}
		ok(learner_rate(&some) > 0.55 && (learner_rate(&all) < 0.3 || strstr(names[i], "bayes")),
		   "%s has noticed after 20 visits that a page changes more often: %.2f (without forgetting %.2f)", specification,
		   learner_rate(&some), learner_rate(&all));
	}
}

static double kept_interval(struct prn_random *random, int mode)
{
	switch (mode % 4) {
	case 0:
		return 1;
	case 1:
		return pow(10, 40 * prn_random_unit(random) - 20);
	case 2:
		return pow(10, 600 * prn_random_unit(random) - 300);
	}
	return (double[]){ 0, -1, 5e-324, 1.7e308, INFINITY, (double)NAN }[prn_random_below(random, 6)];
}

/* Every history: no changes to all changes, equal, wild and impossible intervals, true and false dates. */
static void stays_finite(const char *name)
{
	struct prn_random random;
	bool fine = true, copied = true, multiple = true;

	prn_random_seed(&random, 8, 0);
	for (int page = 0; page < 1000; page++) {
		struct learner learner, copy;
		double share = page % 5 / 4.0;

		learner_start(&learner, name);
		multiple &= prn_estimator_state_size(&learner.estimator) % sizeof(double) == 0;
		fine &= isfinite(learner_rate(&learner)) && learner_rate(&learner) >= 0;
		for (int i = 0; i < 60; i++) {
			double t = kept_interval(&random, page / 5),
			       since = i % 3 ? t * prn_random_unit(&random) : -t, rate;

			learner_visit(&learner, t, prn_random_unit(&random) < share, since);
			rate = learner_rate(&learner);
			fine &= isfinite(rate) && rate >= 0;
			if (i == 30) {
				learner_start(&copy, name);
				memcpy(copy.state, learner.state, prn_estimator_state_size(&learner.estimator));
				copied &= learner_rate(&copy) == rate;
			}
		}
	}
	ok(fine, "%s is finite and not negative on every history", name);
	ok(multiple && copied, "the state of %s is an array of double, and a copy of it is as good", name);
}

static double made_up(struct prn_random *random)
{
	return (double[]){ (double)NAN, -1, 0, 1, 2.5, 1e30, INFINITY, 3 }[prn_random_below(random, 8)];
}

/*
 * A state whose numbers are rounded to single precision, as a store may keep them, is one; of random numbers those
 * that pass can be added to and stay finite.
 */
static void valid(const char *name)
{
	struct prn_random random;
	bool own = true, holds = true;
	size_t passed = 0, n;
	struct learner learner;

	prn_random_seed(&random, 9, 0);
	for (int page = 0; page < 400; page++) {
		learner_start(&learner, name);
		n = prn_estimator_state_size(&learner.estimator) / sizeof(double);
		for (int i = 0; i < 40; i++) {
			double t = kept_interval(&random, page);

			learner_visit(&learner, t, prn_random_unit(&random) < page % 5 / 4.0,
			              t * prn_random_unit(&random));
			for (size_t k = 0; k < n; k++)
				learner.state[k] = (double)(float)learner.state[k];
			own &= prn_estimator_valid(&learner.estimator, learner.state);
		}
		for (int trial = 0; trial < 20; trial++) {
			struct learner other = learner;

			for (uint64_t k = prn_random_below(&random, 3) + 1; k; k--)
				other.state[prn_random_below(&random, n)] = made_up(&random);
			if (!prn_estimator_valid(&other.estimator, other.state))
				continue;
			passed++;
			for (int i = 0; i < 5; i++) {
				learner_visit(&other, 1 + i, i % 2, 0);
				holds &= isfinite(learner_rate(&other)) && learner_rate(&other) >= 0;
			}
		}
	}
	ok(own, "the states of %s are valid, in single precision too", name);
	ok(holds, "made-up states of %s that are valid go on: %zu", name, passed);
}

/* Bounded memory: what AV and Cho claim for these is a state that does not grow. */
static void small(void)
{
	static const char *const names[] = { "naive", "ratio", "last-modified", "last-modified-naive", "lln", "sa", "bayes", "empirical" };
	struct learner learner;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		learner_start(&learner, names[i]);
		ok(prn_estimator_state_size(&learner.estimator) <= 4 * sizeof(double),
		   "%s keeps at most four numbers of a page", names[i]);
	}
}

/* What a caller reserves for a page: the bound that estimator.h states. */
static void bounds(void)
{
	char specification[256], classes[128] = "";
	struct prn_estimator estimator;
	const struct prn_estimator_info *info;

	for (int i = 1; i <= PRN_ESTIMATOR_CLASSES; i++)
		snprintf(classes + strlen(classes), sizeof classes - strlen(classes), "%s%d", i > 1 ? "/" : ":classes=", i);
	for (size_t i = 0; (info = prn_estimator_info(i)); i++) {
		bool has_classes = false, has_lengths = false;
		size_t most;

		for (const char *const *key = info->keys; *key; key++) {
			has_classes |= !strcmp(*key, "classes");
			has_lengths |= !strcmp(*key, "lengths");
		}
		snprintf(specification, sizeof specification, "%s%s", info->name, has_classes ? classes : "");
		if (prn_estimator_init(&estimator, specification, NULL)) {
			ok(false, "%s is an estimator", specification);
			continue;
		}
		most = has_lengths ? 16 * (estimator.lengths + 3) : has_classes ? 8 * PRN_ESTIMATOR_CLASSES : 64;
		ok(prn_estimator_state_size(&estimator) <= most, "a state of %s has at most %zu bytes", specification, most);
	}
}

static int error_code(const char *specification, struct prn_error *error)
{
	struct prn_estimator estimator = { .damping = 77 };
	int code = prn_estimator_init(&estimator, specification, error);

	ok(!code || estimator.damping == 77, "%s that is refused writes nothing", specification);
	return code;
}

static void specifications(void)
{
	struct prn_estimator estimator;
	struct prn_error error;

	ok(!prn_estimator_init(&estimator, "lln:visit-rate=3:damping=2", &error),
	   "a specification with two keys is taken");
	ok(estimator.visit_rate == 3 && estimator.damping == 2, "keys of a specification are set");
	ok(estimator.lengths == 8, "a key that a specification leaves out has its fallback");
	same(prn_estimator_about(&estimator)->name, "lln", "an estimator knows its name");
	ok(error_code("mean", &error) == PRN_E_NOT_FOUND, "an estimator of an unknown name is not found");
	same(error.text,
	     "no estimator 'mean': there is naive, ratio, mle, last-modified-naive, last-modified, bayes, empirical, prior-mle, mm, lln, sa",
	     "an unknown name is told with all names there are");
	ok(error_code("sa:gain=2", &error) == PRN_E_NOT_FOUND, "an unknown key of an estimator is not found");
	same(error.text, "estimator 'sa' has no key 'gain': it has visit-rate, exponent",
	     "an unknown key is told with the keys there are");
	ok(error_code("naive:lengths=3", &error) == PRN_E_NOT_FOUND, "a key of another estimator is not found");
	same(error.text, "estimator 'naive' has no key 'lengths': it has forgetting",
	     "a key of another estimator is told with the keys there are");
	ok(error_code("sa:exponent=0", &error) == PRN_E_ARGUMENT, "a value out of range is refused");
	same(error.text, "key 'exponent' takes a number above 0, at most 1, not '0'",
	     "a value out of range is told with what fits");
	ok(error_code("bayes:classes=7//30", &error) == PRN_E_ARGUMENT, "a class that is missing is refused");
	ok(error_code("bayes:classes=1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", &error) == PRN_E_ARGUMENT, "17 classes are refused");
	ok(error_code("mle:lengths", &error) == PRN_E_ARGUMENT, "a key without a value is refused");
	ok(error_code("mle:lengths=2.5", &error) == PRN_E_ARGUMENT,
	   "a number of lengths that is not whole is refused");
	ok(error_code("lln:growth=1", &error) == PRN_E_ARGUMENT, "an α that grows as fast as visits do is refused");
	same(error.text, "key 'growth' takes a number from 0 and below 1, or 'log', not '1'", "what fits a growth is told");
	ok(error_code("lln:visit-rate=1e300", &error) == PRN_E_ARGUMENT, "a rate beyond all clocks is refused");
	ok(error_code("", &error) == PRN_E_NOT_FOUND, "a specification without a name is not found");
}

/* What is listed is all there is, and each key of each estimator can be set to its fallback. */
static void lists(void)
{
	char specification[200];
	bool fine = true;

	for (size_t i = 0; prn_estimator_info(i); i++)
		for (const char *const *name = prn_estimator_info(i)->keys; *name; name++) {
			const struct prn_estimator_key *key = NULL;
			struct prn_estimator estimator;
			size_t k = 0;

			while ((key = prn_estimator_key(k)) && strcmp(key->name, *name))
				k++;
			fine &= key != NULL;
			snprintf(specification, sizeof specification, "%s:%s=%s", prn_estimator_info(i)->name,
			         *name, key ? key->fallback : "");
			fine &= !prn_estimator_init(&estimator, specification, NULL);
		}
	ok(fine, "every key of every estimator takes the fallback that is listed for it");
}

/* A page that changed once, and then is visited in vain until next to nothing of that change is remembered. */
static void forgotten(const char *name)
{
	static const double kept[] = { 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.05 };
	bool own = true, falls = true;

	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
		char specification[64];
		struct learner learner;
		double before;

		snprintf(specification, sizeof specification, "%s:forgetting=%g", name, kept[k]);
		learner_start(&learner, specification);
		learner_visit(&learner, 1, false, 5);
		learner_visit(&learner, 1, true, 0.5);
		before = INFINITY;
		for (int i = 0; i < 2000; i++) {
			double rate;

			learner_visit(&learner, 1, false, 1.5 + i);
			rate = learner_rate(&learner);
			own &= prn_estimator_valid(&learner.estimator, learner.state);
			falls &= rate >= 0 && rate <= before * (1 + 1e-9);
			before = rate;
		}
	}
	ok(own, "however far a change is forgotten, the states of %s are valid", name);
	ok(falls, "the further a change is forgotten, the lower is the rate by %s, and never below 0", name);
}

/* A page that did not change once, and then does at every visit until next to nothing of that one is remembered. */
static void always(const char *name)
{
	static const double kept[] = { 0.99, 0.9, 0.8, 0.5, 0.2, 0.05 };
	bool own = true, rises = true, bounded = true, alike = true, inside = true;

	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
		char specification[64];
		struct learner once, never;
		double before = 0;

		snprintf(specification, sizeof specification, "%s:forgetting=%g", name, kept[k]);
		learner_start(&once, specification);
		learner_start(&never, specification);
		learner_visit(&once, 1, false, 0);
		for (int i = 0; i < 4000; i++) {
			double rate, low, high;

			learner_visit(&once, 1, true, 0);
			learner_visit(&never, 1, true, 0);
			rate = learner_rate(&once);
			prn_estimator_interval(&once.estimator, once.state, 0.1, &low, &high);
			own &= prn_estimator_valid(&once.estimator, once.state);
			rises &= rate >= before * (1 - 1e-9);
			bounded &= rate <= log1p(2 / (1 - kept[k])) * (1 + 1e-9);
			inside &= low <= rate && rate <= high;
			before = rate;
		}
		alike &= fabs(before / learner_rate(&never) - 1) <= 1e-9;
	}
	ok(own, "however far a visit without a change is forgotten, the states of %s are valid", name);
	ok(rises, "the further a visit without a change is forgotten, the higher is the rate by %s", name);
	ok(bounded, "%s, which remembers so many visits, has no rate above what half a visit without a change among them makes", name);
	ok(alike, "a visit without a change that is forgotten leaves %s as if it had not been", name);
	ok(inside, "the rate by %s is within its interval, however far a visit without a change is forgotten", name);
}

/* At regular visits mle's half a visit is that of ratio (Cho §6.4.2); at others it is half the mean of those with a change. */
static void half_a_visit(void)
{
	struct learner learner, other;
	double low = 1e-6, high = 100;

	learner_start(&learner, "mle:forgetting=0.9");
	learner_start(&other, "ratio:forgetting=0.9");
	for (int i = 0; i < 60; i++) {
		learner_visit(&learner, 3, true, 0);
		learner_visit(&other, 3, true, 0);
	}
	near(learner_rate(&learner), learner_rate(&other), 1e-12,
	     "where every regular visit that is remembered saw a change, mle that forgets has the rate of ratio");
	learner_start(&learner, "mle:forgetting=0.5");
	learner_visit(&learner, 2, true, 0);
	learner_visit(&learner, 8, true, 0);
	for (int step = 0; step < 100; step++) {
		double rate = (low + high) / 2;

		*(1 / expm1(2 * rate) + 8 / expm1(8 * rate) > 3 ? &low : &high) = rate;
	}
	near(learner_rate(&learner), low, 1e-9, "visits of several lengths that all saw a change have half their mean length beside them");
	learner_start(&learner, "mm:forgetting=0.9");
	for (int i = 0; i < 400; i++)
		learner_visit(&learner, 2, true, 0);
	near(learner_rate(&learner), log(20) / 2, 1e-12, "where every visit that is remembered saw a change, mm that forgets has half a one that did not");
}

int main(void)
{
	worked();
	bayes_of_many();
	edges();
	last_modified();
	forgetting();
	changing();
	small();
	bounds();
	for (size_t i = 0; prn_estimator_info(i); i++) {
		stays_finite(prn_estimator_info(i)->name);
		valid(prn_estimator_info(i)->name);
	}
	stays_finite("mle:lengths=1");
	stays_finite("mm:lengths=1");
	stays_finite("mm:lengths=60");
	stays_finite("bayes:classes=1e-30/1/1e30");
	stays_finite("lln:visit-rate=1e30:damping=1e-30");
	stays_finite("lln:growth=log:damping=1e-30");
	stays_finite("lln:growth=0.99:damping=1e30");
	stays_finite("sa:visit-rate=1e-30:exponent=0.500001");
	stays_finite("prior-mle:prior-changed=1e-30:prior-unchanged=1e30");
	stays_finite("prior-mle:prior-changed=1e30:prior-unchanged=1e-30");
	for (size_t i = 0; prn_estimator_info(i); i++) {
		char specification[64];

		if (!strcmp(prn_estimator_info(i)->name, "sa"))
			continue;
		snprintf(specification, sizeof specification, "%s:forgetting=0.3", prn_estimator_info(i)->name);
		stays_finite(specification);
		valid(specification);
		forgotten(prn_estimator_info(i)->name);
	}
	always("mle");
	always("mm");
	half_a_visit();
	specifications();
	lists();
	return done();
}
