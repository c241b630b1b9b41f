/* Change processes: how many changes, and when, by the closed forms of each; and how they are written. */
#include "perennial/process.h"
#include "tap.h"

#include <stdlib.h>

#define PAGES 20000

static struct prn_process process_of(const char *specification)
{
	struct prn_process process;

	if (prn_process_init(&process, specification, NULL))
		abort();
	return process;
}

/* Mean and variance over pages of how many changes fall into from < t <= to. */
struct counted {
	double mean, variance;
};

static struct counted count(const char *specification, double rate, double from, double to)
{
	struct prn_process process = process_of(specification);
	double sum = 0, squares = 0;

	for (uint64_t i = 0; i < PAGES; i++) {
		struct prn_process_page page;
		double n = 0;

		prn_process_begin(&process, rate, 7, i, &page);
		for (; prn_process_next(&page) <= to; prn_process_change(&process, &page))
			n += prn_process_next(&page) > from;
		sum += n;
		squares += n * n;
	}
	return (struct counted){ sum / PAGES, squares / PAGES - sum / PAGES * (sum / PAGES) };
}

/* Four standard errors of a mean over the pages. */
static double four(struct counted counted)
{
	return 4 * sqrt(counted.variance / PAGES);
}

static void poisson(void)
{
	struct counted counted = count("poisson", 0.7, 2, 5);

	near(counted.mean, 2.1, four(counted), "a Poisson process of rate .7 changes 2.1 times in a time of 3");
	/* The variance of a Poisson variable's sample variance is (m + 2 m²) / n. */
	near(counted.variance, 2.1, 4 * sqrt((2.1 + 2 * 2.1 * 2.1) / PAGES),
	     "the changes of a Poisson process have their mean as their variance");
}

/* A renewal process that has gone on for ever changes λt times in every t, whatever its times are like. */
static void gamma_times(void)
{
	static const char *const shapes[] = { "gamma:shape=0.2", "gamma", "gamma:shape=1", "gamma:shape=4" };

	for (size_t i = 0; i < 4; i++) {
		struct counted early = count(shapes[i], 2, 0, 0.1), late = count(shapes[i], 2, 3, 5);

		near(early.mean, 0.2, four(early), "%s of rate 2 changes .2 times in the first .1", shapes[i]);
		near(late.mean, 4, four(late), "%s of rate 2 changes 4 times from 3 to 5", shapes[i]);
	}
	near(count("gamma:shape=1", 2, 0, 3).variance, 6, 4 * sqrt((6 + 2 * 36.0) / PAGES),
	     "gamma of shape 1 has the variance of a Poisson process");
	near(count("gamma:shape=1000000", 1, 0, 5).variance, 0, 0.01, "gamma of a large shape changes at regular times");
}

/* Over many changes of one page: mean 1/λ, variance 1/(shape λ²). */
static void gamma_variance(void)
{
	const double shape = 0.5, rate = 4;
	struct prn_process process = process_of("gamma:shape=0.5");
	struct prn_process_page page;
	double last, sum = 0, squares = 0;
	const int n = 200000;

	prn_process_begin(&process, rate, 1, 1, &page);
	last = prn_process_next(&page);
	for (int i = 0; i < n; i++) {
		double between;

		prn_process_change(&process, &page);
		between = prn_process_next(&page) - last;
		last = prn_process_next(&page);
		sum += between;
		squares += between * between;
	}
	near(sum / n, 1 / rate, 4 * sqrt(1 / (shape * rate * rate) / n), "times between gamma changes have mean 1/λ");
	/* The kurtosis of gamma is 3 + 6/shape. */
	near(squares / n - sum / n * (sum / n), 1 / (shape * rate * rate), 4 * sqrt((2 + 6 / shape) / n) / (shape * rate * rate),
	     "times between gamma changes have variance 1/(shape λ²)");
}

static void others(void)
{
	struct counted before = count("shift:factor=8:at=2", 0.5, 0, 2), after = count("shift:factor=8:at=2", 0.5, 2, 4);
	struct counted mixed = count("mixture:factors=0.5/4:shares=3/1", 1, 0, 1);
	struct counted fast = count("two-speed:fast=9", 0.2, 0, 5);
	struct prn_process two = process_of("two-speed:share=0.25:fast=9"), shift = process_of("shift:factor=8:at=2");
	struct prn_process_page page;
	int fast_changes = 0;

	near(before.mean, 1, four(before), "before a shift the rate is λ");
	near(after.mean, 8, four(after), "after a shift by 8 the rate is 8 λ");
	near(mixed.mean, 0.75 * 0.5 + 0.25 * 4, four(mixed), "a mixture has the mean rate of its classes, by their shares");
	/* Var = E[rate] + Var[rate]: pages keep their classes.  The bound is that of a sample variance of kurtosis 8. */
	near(mixed.variance, 1.375 + 0.75 * 0.25 * 3.5 * 3.5, 4 * 3.67 * sqrt(7.0 / PAGES),
	     "a mixture has the variance of its classes' rates beside that of their changes");
	near(fast.mean, 10, four(fast), "two-speed changes λ (1 + fast) times");
	prn_process_begin(&two, 1, 2, 3, &page);
	for (int i = 0; i < 10000; i++)
		fast_changes += prn_process_change(&two, &page) == 1;
	near(fast_changes, 9000, 4 * sqrt(10000 * 0.9 * 0.1),
	     "nine tenths of the changes of a page of two speeds are of its fast region");
	near(prn_process_share(&two, 0), 0.75, 1e-15,
	     "three quarters of a page of two speeds are not in its fast region");
	near(prn_process_share(&two, 1), 0.25, 1e-15, "a quarter of a page of two speeds is in its fast region");
	near(prn_process_rate(&two, &page, 0), 10, 1e-12,
	     "the true rate of a page of two speeds is that of both regions");
	prn_process_begin(&shift, 0.5, 2, 3, &page);
	near(prn_process_rate(&shift, &page, 1.99), 0.5, 1e-15, "the true rate before a shift is λ");
	near(prn_process_rate(&shift, &page, 2), 4, 1e-15, "the true rate after it is another");
}

static void sequences(void)
{
	struct prn_process process = process_of("gamma");
	struct prn_process_page a, b, copy, other;
	bool alike = true;

	prn_process_begin(&process, 1, 5, 9, &a);
	prn_process_begin(&process, 1, 5, 9, &b);
	prn_process_begin(&process, 1, 5, 10, &other);
	ok(prn_process_next(&a) < prn_process_next(&other) || prn_process_next(&a) > prn_process_next(&other),
	   "a process makes another page of another number");
	for (int i = 0; i < 5; i++)
		prn_process_change(&process, &a);
	copy = a;
	for (int i = 0; i < 5; i++)
		prn_process_change(&process, &b);
	for (int i = 0; i < 20; i++) {
		alike &= !memcmp(&copy.next, &a.next, sizeof a.next) && !memcmp(&b.next, &a.next, sizeof a.next);
		prn_process_change(&process, &a);
		prn_process_change(&process, &b);
		prn_process_change(&process, &copy);
	}
	ok(alike, "the same seed and number make the same page, and a copy of a page goes on as it does");
}

static void written(void)
{
	static const struct {
		const char *text;
		int code;
		const char *says;
	} bad[] = {
		{ "pareto", PRN_E_NOT_FOUND, "no process 'pareto': there is poisson, gamma, mixture, shift, two-speed" },
		{ "", PRN_E_NOT_FOUND, "no process '': there is poisson, gamma, mixture, shift, two-speed" },
		{ "gamma:rate=2", PRN_E_NOT_FOUND, "process 'gamma' has no key 'rate': it has shape" },
		{ "poisson:shape=2", PRN_E_NOT_FOUND, "process 'poisson' has no key 'shape': it has none" },
		{ "gamma:shape=0", PRN_E_ARGUMENT, "key 'shape' takes a number from 0.01 to 1000000, not '0'" },
		{ "gamma:shape", PRN_E_ARGUMENT, "key 'shape' takes a number from 0.01 to 1000000, not ''" },
		{ "gamma:shape=nan", PRN_E_ARGUMENT, "key 'shape' takes a number from 0.01 to 1000000, not 'nan'" },
		{ "mixture:factors=1/2", PRN_E_ARGUMENT, "2 factors, and 3 shares: as many of both" },
		{ "mixture:factors=1/2/3/4/5/6/7/8/9", PRN_E_ARGUMENT,
		  "key 'factors' takes numbers from 1e-9 to 1e9 with '/' between them, at most 8, not '1/2/3/4/5/6/7/8/9'" },
		{ "mixture:shares=1//2", PRN_E_ARGUMENT,
		  "key 'shares' takes numbers from 1e-9 to 1e9 with '/' between them, at most 8, not '1//2'" },
	};
	struct prn_process process = process_of("gamma:shape=3");

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct prn_error error;
		int code = prn_process_init(&process, bad[i].text, &error);

		ok(code == bad[i].code, "'%s' is refused", bad[i].text);
		same(error.text, bad[i].says, "who gives a process that is refused is told why: %s", bad[i].says);
	}
	near(process.shape, 3, 0, "what is refused leaves the process as it was");
	process = process_of("mixture:shares=1/2:factors=3/4");
	ok(process.factor_count == 2 && process.share_count == 2, "a list has as many numbers as are given");
	near(process.factors[1], 4, 0, "numbers of a list are in their order");
	process = process_of("mixture:factors=1/2/3/4/5/6/7/8:shares=1/1/1/1/1/1/1/9");
	ok(process.factor_count == 8 && process.shares[7] == 9, "a list of eight numbers is taken");
	process = process_of("shift:at=7");
	near(process.factor, 20, 0, "a key that is left out has its fallback");
}

int main(void)
{
	poisson();
	gamma_times();
	gamma_variance();
	others();
	sequences();
	written();
	return done();
}
