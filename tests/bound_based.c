/*
 * The bound-based policy against doc/theory.md §6 done again by brute force: all profiles whole, visits at whole
 * times, step curves sampled between every two of them.
 */
#include "drive.h"

#include "base/random.h"
#include "tap.h"

#define VISITS 11 /* no profile is full before: nothing is closed or thinned */
#define REACH 4096

/* A page that takes a step of its own at each whole time; D is 1 - e^-(sum of the steps), plus a flicker. */
struct page {
	double steps[REACH], flicker;
};

static double divergence(const void *context, double from, double to)
{
	const struct page *page = context;
	double sum = 0;

	for (int t = (int)from + 1; t <= (int)to; t++)
		sum += page->steps[t % REACH];
	return to > from ? fmin(1, -expm1(-sum) + page->flicker * (((int)to * 7 + (int)from) % 3)) : 0;
}

/* The lower and the upper step curve of the profile based at visit b, over the gap (x-1, x] or at x itself. */
static bool bounds_of(const struct page *page, const double *times, int n, int b, double x, bool at, double *low,
                      double *up)
{
	double most = 0;

	for (int i = b + 1; i < n; i++) {
		double lag = times[i] - times[b], d = divergence(page, times[b], times[i]);

		*low = most;
		*up = most = fmax(most, d);
		if (at && lag == x)
			*low = most;
		if (lag >= x)
			return true;
	}
	return false;
}

/* Averages over the profiles that reach x; bases are the first five visits, or fewer, and all later references. */
static void average(const struct page *page, const double *times, int n, int history, double x, bool at, double *low,
                    double *up)
{
	int count = 0;

	*low = *up = 0;
	for (int b = 0; b < n && b < history; b++) {
		double l, u;

		if (bounds_of(page, times, n, b, x, at, &l, &u)) {
			*low += l;
			*up += u;
			count++;
		}
	}
	*low /= count;
	*up /= count;
}

static void test_brute_force(void)
{
	int histories[] = { 3, 5, 16 }, runs = 0, agreed = 0, shrunk = 0, grown = 0;
	struct prn_random random;

	prn_random_seed(&random, 2, 0);
	for (int trial = 0; trial < 300; trial++) {
		static struct page page;
		char specification[64];
		int history = histories[trial % 3], n = 0;
		double times[VISITS], reference = 0, period = 1, threshold = pow(10, -1.5 + 3 * prn_random_unit(&random));
		struct drive drive;
		bool same = true;

		page.flicker = trial % 2 ? 0.02 : 0;
		for (int t = 0; t < REACH; t++)
			page.steps[t] = prn_random_unit(&random) < 0.3 ? 0.3 * prn_random_unit(&random) : 0;
		snprintf(specification, sizeof specification, "bound-based:history=%d:risk=none", history);
		drive_open(&drive, specification, divergence, &page);
		for (double time = 0; n < VISITS; n++) {
			double length = time - reference, area_low = 0, area_up = 0, low, up;

			times[n] = time;
			for (double x = 1; x <= length; x++) {
				average(&page, times, n + 1, history, x, false, &low, &up);
				area_low += low;
				area_up += up;
			}
			if (n) {
				average(&page, times, n + 1, history, length, true, &low, &up);
				if (length * up - area_low < threshold) {
					period = 2 * length;
					grown++;
				} else if (length * low - area_up >= threshold) {
					period /= 2;
					reference = time;
					shrunk++;
				}
			}
			same &= fabs(drive_visit(&drive, time, 1, threshold) - period) < 1e-9 * period;
			/* the brute force knows the bases of the first visits only: it stops where a reference is later */
			if (reference > 0 && n >= history)
				break;
			time += period < 1 ? 1 : ceil(period);
			if (time > REACH - 1)
				break;
		}
		runs++;
		agreed += same;
		drive_close(&drive);
	}
	ok(agreed == runs, "periods agree with brute force on %d of %d pages", agreed, runs);
	ok(grown > 100 && shrunk > 30,
	   "the periods that agree with brute force doubled %d times and halved %d times", grown, shrunk);
}

/* Nothing differs until a step at time 2, which half of the page takes. */
static double one_step(const void *context, double from, double to)
{
	(void)context;
	return from < 2 && to >= 2 ? 0.5 : 0;
}

/*
 * Visits at 0, 1 and 3.  U_min = 3 D(3) - the upper area: (1/2 + 0) / 2 in the first day, 1/2 in each of the two after
 * it, so 1.5 - 1.25 = 0.25; U_max is 1.5.
 */
static void test_just_reached(void)
{
	const struct { double threshold, period; const char *claim; } cases[] = {
		{ 0.25, 1, "a period is halved when the lower bound of U just reaches T" },
		{ 0.26, 2, "a period stays as it is while T is between the bounds of U" },
		{ 1.5, 2, "a period stays as it is when the upper bound of U just reaches T" },
		{ 1.51, 6, "a period is twice the lag while the upper bound of U is below T" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct drive drive;

		drive_open(&drive, "bound-based:risk=none", one_step, NULL);
		drive_visit(&drive, 0, 1, cases[i].threshold);
		drive_visit(&drive, 1, 1, cases[i].threshold);
		near(drive_visit(&drive, 3, 1, cases[i].threshold), cases[i].period, 0, "%s", cases[i].claim);
		drive_close(&drive);
	}
}

static double by_curve(const void *context, double from, double to)
{
	return prn_curve_divergence(context, to - from);
}

/* However long: on a page with a steady curve the reference moves each time U has reached T. */
static void test_settles(const char *specification, double worst_factor)
{
	struct prn_curve curve = prn_curve_scroll(0.5, 1, 16);

	for (double q = 0.05; q < 0.8; q *= 2) {
		double threshold = q * prn_curve_utility_limit(&curve), time = 0, want, first = 0;
		struct drive drive;
		int n = 0;

		drive_open(&drive, specification, by_curve, &curve);
		for (; n < 400; n++) {
			if (n == 200)
				first = time;
			time += drive_visit(&drive, time, 1, threshold);
		}
		prn_curve_period(&curve, 1, threshold, &want);
		/* bounds from a few points: the period is found by doubling and halving, not better */
		near(log2((time - first) / 200 / want), 0, worst_factor,
		     "%s: at T = %.2f U(∞) the mean period is within 2^%g of the optimum", specification, q, worst_factor);
		drive_close(&drive);
	}
}

static double plateau(const void *context, double from, double to)
{
	(void)context;
	return to > from ? 0.8 : 0;
}

static void test_long(void)
{
	bool finite = true;
	struct drive drive;
	double time = 0;

	/* U stays between the bounds for ever: the reference's profile would grow without end */
	drive_open(&drive, "bound-based:history=1", plateau, NULL);
	for (int n = 0; n < 2000; n++) {
		double period = drive_visit(&drive, time, 1, 0.5);

		finite &= period > 0 && isfinite(period);
		time += period;
	}
	ok(finite, "periods stay finite on a page whose U stays between the bounds and whose profile is thinned");
	ok(drive.decision.keep == -1, "a page whose profile is thinned keeps its reference");
	drive_close(&drive);
}

/* φ at first is what is told. */
static void test_first(void)
{
	struct drive drive;

	drive_open(&drive, "bound-based:first=3:risk=none", plateau, NULL);
	near(drive_visit(&drive, 0, 1, 0.5), 3, 1e-15, "a new page is visited after the first period");
	drive_close(&drive);
	drive_open(&drive, "bound-based:risk=none", plateau, NULL);
	near(drive_visit(&drive, 0, 1, 0.5), 1, 1e-15, "the first period is one clock unit unless told otherwise");
	drive_close(&drive);
}

int main(void)
{
	test_brute_force();
	test_just_reached();
	test_settles("bound-based", 1.5);
	test_settles("bound-based:history=1", 1.5);
	test_long();
	test_first();
	return done();
}
