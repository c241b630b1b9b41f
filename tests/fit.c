/* Least squares: against brute force over every parameter, and on curves that are known. */
#include "perennial/fit.h"

#include "base/random.h"
#include "model/fit_internal.h"
#include "tap.h"

#include <string.h>

static double squares(const struct prn_curve *curve, const struct prn_point *points, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double error = (double)points[i].divergence - prn_curve_divergence(curve, (double)points[i].lag);

		sum += error * error;
	}
	return sum;
}

static double rms(const struct prn_curve *curve, const struct prn_point *points, size_t n)
{
	return sqrt(squares(curve, points, n) / (double)n);
}

/* For one rate, the best share by golden section on the exact curve. */
static double best_share(double rate, uint32_t k, const struct prn_point *points, size_t n, struct prn_curve *curve)
{
	double low = 0, high = 1, golden = 0.3819660112501051;

	while (high - low > 1e-4) {
		struct prn_curve a = prn_curve_scroll(low + golden * (high - low), rate, k);
		struct prn_curve b = prn_curve_scroll(high - golden * (high - low), rate, k);

		if (squares(&a, points, n) < squares(&b, points, n))
			high = b.share;
		else
			low = a.share;
	}
	*curve = prn_curve_scroll((low + high) / 2, rate, k);
	return squares(curve, points, n);
}

/* Every K, rates 8 % apart over the same range as the fit, every share. */
static double brute_force(const struct prn_point *points, size_t n)
{
	double least = INFINITY;

	for (uint32_t k = 1; k <= 32; k *= 2) {
		double high = 10.0 * k / (double)points[0].lag;

		for (double rate = 0.02 * k / (double)points[n - 1].lag; rate < high; rate *= 1.08) {
			struct prn_curve curve;

			least = fmin(least, best_share(rate, k, points, n, &curve));
		}
	}
	return sqrt(least / (double)n);
}

static size_t observe(struct prn_random *random, const struct prn_curve *curve, size_t n, double noise,
                      struct prn_point *points)
{
	double lag = 0;

	for (size_t i = 0; i < n; i++) {
		double error = noise * (2 * prn_random_unit(random) - 1);

		lag += 1 + (double)prn_random_below(random, 3);
		points[i].lag = (float)lag;
		points[i].divergence = (float)fmin(fmax(prn_curve_divergence(curve, lag) + error, 0), 1);
	}
	return n;
}

static struct prn_curve any_curve(struct prn_random *random)
{
	uint32_t k = 1u << prn_random_below(random, 6);

	return prn_curve_scroll(0.05 + 0.95 * prn_random_unit(random), k * pow(10, -2 + 2 * prn_random_unit(random)), k);
}

static void test_brute_force(const struct prn_fit *fit)
{
	double worst = 0, worst_claim = 0, worst_near = 0;
	struct prn_random random;

	prn_random_seed(&random, 1, 0);
	for (int i = 0; i < 24; i++) {
		struct prn_curve truth = any_curve(&random), curve, before;
		struct prn_point points[40];
		size_t n = observe(&random, &truth, 4 + (size_t)(i * 7) % 30, 0.03 * (i % 3), points);
		double claim = sqrt(prn_fit_curve(fit, points, n, NULL, &curve) / (double)n);

		worst = fmax(worst, rms(&curve, points, n) - brute_force(points, n));
		worst_claim = fmax(worst_claim, fabs(claim - rms(&curve, points, n)));
		prn_fit_curve(fit, points, n - 1, NULL, &before);
		prn_fit_curve(fit, points, n, &before, &before);
		worst_near = fmax(worst_near, rms(&before, points, n) - rms(&curve, points, n));
	}
	/* noise is 0 to 0.03; the search ends when no K, share or rate is better by more than this */
	ok(worst < 1e-3, "no curve of a brute-force grid is closer by more than 0.001 in rms (%g)", worst);
	/* the table is within 2e-4 of the curves */
	ok(worst_claim < 2e-4,
	   "the sum of squares that a fit claims is that of its curve (rms differs by %g)", worst_claim);
	ok(worst_near < 3e-3,
	   "a fit that starts near an earlier one loses less than 0.003 in rms (%g)", worst_near);
}

static void test_known(const struct prn_fit *fit)
{
	static const uint32_t items[] = { 1, 2, 8, 32 };

	for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
		/* from 1/3 of an eviction to 4 of them: where K, g and λ are all visible */
		struct prn_curve truth = prn_curve_scroll(0.4, items[i] / 6.0, items[i]), curve;
		struct prn_point points[12];

		for (size_t j = 0; j < 12; j++)
			points[j] = (struct prn_point){ (float)(2 + 2 * j),
				                        (float)prn_curve_divergence(&truth, 2.0 + 2.0 * (double)j) };
		prn_fit_curve(fit, points, 12, NULL, &curve);
		ok(curve.items == items[i], "a fit of exact points of K = %u finds K", items[i]);
		/* tables within 2e-4 of curves that rise to 0.57 */
		near(curve.share, 0.4, 0.004, "a fit of exact points of K = %u finds g", items[i]);
		near(curve.rate / truth.rate, 1, 0.01, "a fit of exact points of K = %u finds λ", items[i]);
	}
}

/* Noise of ±0.05 on 24 points: what matters is the curve, its U and so the period. */
static void test_noise(const struct prn_fit *fit)
{
	double error = 0, bias = 0;
	struct prn_random random;
	int n = 200;

	prn_random_seed(&random, 5, 0);
	for (int i = 0; i < n; i++) {
		struct prn_curve truth = prn_curve_scroll(0.5, 0.5, 1u << (i % 6)), curve;
		struct prn_point points[24];
		double period, want;

		observe(&random, &truth, 24, 0.05, points);
		prn_fit_curve(fit, points, 24, NULL, &curve);
		prn_curve_period(&truth, 1, 0.3 * prn_curve_utility_limit(&truth), &want);
		if (prn_curve_period(&curve, 1, 0.3 * prn_curve_utility_limit(&truth), &period) || isinf(period))
			period = 4 * want;
		error += fabs(log(period / want)) / n;
		bias += log(period / want) / n;
	}
	/* noise of 0.05/sqrt(3) on 24 points of a curve that spans 0.67 is 1 % of it; U's is several times that */
	ok(error < 0.05, "the period of noisy points is off by less than 5 %% on average (%.3f)", error);
	ok(fabs(bias) < 0.02, "the period of noisy points is off to one side by less than 2 %% (%.3f)", bias);
}

static void test_few(const struct prn_fit *fit)
{
	struct prn_point zeros[3] = { { 1, 0 }, { 2, 0 }, { 5, 0 } }, line[3] = { { 1, 0.1f }, { 2, 0.2f }, { 3, 0.3f } };
	struct prn_point ones[3] = { { 1, 1 }, { 2, 1 }, { 5, 1 } }, one = { 4, 0.5f };
	struct prn_curve curve;

	near(prn_fit_curve(fit, &one, 1, NULL, &curve), 0, 1e-15, "a fit of one point meets it");
	ok(curve.items == 1 && curve.rate == 0.25,
	   "a fit of one point is churn whose lifetime is the lag of the point");
	near(prn_curve_divergence(&curve, 4), 0.5, 1e-15, "the curve of one point goes through it");
	one.divergence = 1;
	near(prn_fit_curve(fit, &one, 1, NULL, &curve), exp(-2), 1e-12,
	     "a fit of one point at 1 comes as near as a share of 1 can");
	near(prn_fit_curve(fit, zeros, 3, NULL, &curve), 0, 1e-15, "a fit of points that are all zero meets them");
	ok(prn_curve_divergence(&curve, 100) == 0, "the curve of points that are all zero has no divergence");
	prn_fit_curve(fit, line, 3, NULL, &curve);
	/* in single precision the three points are not quite on a line */
	near(prn_curve_divergence(&curve, 3), 0.3, 1e-6, "a fit of points on a line finds the line");
	prn_fit_curve(fit, ones, 3, NULL, &curve);
	near(prn_curve_divergence(&curve, 1), 1, 1e-3,
	     "the curve of points that are all one is level from the first lag");
	ok(isfinite(prn_curve_utility_limit(&curve)), "the curve of points that are all one has a finite U(∞)");
}

static void test_finite(const struct prn_fit *fit)
{
	struct prn_random random;
	bool finite = true, bounded = true;

	prn_random_seed(&random, 9, 0);
	for (int i = 0; i < 3000; i++) {
		struct prn_point points[PRN_FIT_POINTS];
		size_t n = i % 100 ? 1 + prn_random_below(&random, 12) : PRN_FIT_POINTS;
		double lag = pow(10, -30 + 50 * prn_random_unit(&random)), squared = 0;
		struct prn_curve curve, again;

		for (size_t j = 0; j < n; j++) {
			points[j] = (struct prn_point){ (float)lag, i % 3 ? (float)prn_random_unit(&random)
				                                          : (float)prn_random_below(&random, 2) };
			squared += (double)points[j].divergence * (double)points[j].divergence;
			lag *= 1.001 + (i % 7 ? prn_random_unit(&random) : 0) * (n > 12 ? 0.01 : 1);
		}
		bounded &= prn_fit_curve(fit, points, n, NULL, &curve) <= squared * (1 + 1e-12);
		prn_fit_curve(fit, points, n, &curve, &again);
		finite &= isfinite(curve.rate) && isfinite(curve.share) && isfinite(curve.slope) && curve.share >= 0 &&
		          curve.share <= 1 && curve.rate >= 0 && curve.slope >= 0 && isfinite(again.rate);
	}
	ok(finite, "a fit of any points has finite parameters in their ranges");
	ok(bounded, "a fit of any points is never worse than no curve");
}

/* Both widths of vectors, and the trials of a refinement, on the same points at the same rates. */
static void test_trials(const struct prn_fit *fit)
{
	bool same = true, exact = true;
	double worst = 0;
	struct prn_random random;

	prn_random_seed(&random, 7, 0);
	for (int i = 0; i < 300; i++) {
		struct prn_curve truth = any_curve(&random);
		struct prn_point points[40];
		size_t n = observe(&random, &truth, 2 + (size_t)i % 39, 0.05 * (i % 3), points);
		double log_rate = log(pow(10, -3 + 4 * prn_random_unit(&random)));
		struct prn_fit_sweep wide, narrow;
		static struct prn_fit_data data;

		prn_fit_data_init(&data, fit, points, n);
		prn_fit_try_shapes(&data, log_rate, true, &wide);
		prn_fit_try_shapes(&data, log_rate, false, &narrow);
		same &= !memcmp(&wide, &narrow, sizeof wide);
		for (size_t first = 0; first < PRN_FIT_SHAPES; first++) {
			size_t shapes[2] = { first, (first + (size_t)i) % PRN_FIT_SHAPES };
			struct prn_fit_trial trials[2] = { { .log_rate = log_rate }, { .log_rate = log_rate / 2 } }, alone[2];
			struct prn_curve curve;

			memcpy(alone, trials, sizeof alone);
			alone[1] = alone[0];
			prn_fit_try_pair(&data, shapes, trials);
			curve = prn_curve_scroll(prn_fit_share(trials[0].v), prn_fit_items(first) * exp(log_rate), prn_fit_items(first));
			worst = fmax(worst, fabs(sqrt(trials[0].squares / (double)n) - rms(&curve, points, n)));
			exact &= trials[0].squares <= (double)wide.squares.of[first] + 2e-5 * data.squares;
			shapes[1] = first;
			prn_fit_try_pair(&data, shapes, alone);
			same &= !memcmp(&alone[0], &trials[0], sizeof *alone) && !memcmp(&alone[0], &alone[1], sizeof *alone);
		}
	}
	ok(same, "what is tried at a rate has one result, whatever the vectors and whatever is tried beside it");
	/* the parabola is within 1.5e-4 of the curves, and straight lines from s to s add to that */
	ok(worst < 3e-4, "the sum of squares of a trial is that of its curve, as far as the table is (rms differs by %g)", worst);
	/* a scan sums up to 40 floats of 24 bits, and takes one step where a trial takes three */
	ok(exact, "a trial is as close as a scan thinks that the shape can be at this rate");
}

int main(void)
{
	struct prn_fit *fit;

	if (!ok(!prn_fit_open(&fit), "the tables of the fit are made"))
		return done();
	test_brute_force(fit);
	test_known(fit);
	test_noise(fit);
	test_few(fit);
	test_finite(fit);
	test_trials(fit);
	prn_fit_free(fit);
	prn_fit_free(NULL);
	return done();
}
