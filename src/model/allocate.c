#include "perennial/allocate.h"
#include "perennial/error.h"

#include <math.h>

/*
 * (1 - e^-r)/r, and 1/2 - 1/r + (1 - e^-r)/r², for r > 0.  The second is a difference of large terms for
 * small r; below 0.03 five terms of its series r/6 - r²/24 + r³/120 … are exact to 1e-13.
 */
static double fresh_share(double r)
{
	return r > 0 ? -expm1(-r) / r : 1;
}

static double age_share(double r)
{
	if (r < 0.03)
		return r * (1.0 / 6 - r * (1.0 / 24 - r * (1.0 / 120 - r * (1.0 / 720 - r / 5040))));
	return 0.5 - (1 - fresh_share(r)) / r;
}

double prn_freshness(enum prn_order order, double rate, double frequency)
{
	double r = rate / frequency, fixed;

	if (rate <= 0)
		return 1;
	if (frequency <= 0)
		return 0;
	if (isinf(r))
		return 0;
	if (order == PRN_ORDER_PURELY_RANDOM)
		return 1 / (1 + r);
	fixed = fresh_share(r);
	if (order == PRN_ORDER_FIXED)
		return fixed;
	/* (1 - fixed²)/r with 1 - fixed = r (1/2 - age_share): no cancellation at small r. */
	return (1 + fixed) * (0.5 - age_share(r));
}

/*
 * Random order: 1/3 + (1/2 - 1/r)² - ((1 - e^-r)/r²)².  With a = age_share and F = fresh_share, 1/2 - 1/r is
 * a - F/r and the last square is (F/r)², so the sum is 1/3 + a² - 2aF/r.  That still cancels for small r:
 * below 0.02 five terms of the series are exact to 1e-12.
 */
static double random_age_share(double r)
{
	double a = age_share(r);

	if (r < 0.02)
		return r * (1.0 / 4 - r * (31.0 / 360 - r * (1.0 / 40 - r * (127.0 / 20160 - r * 17 / 12096))));
	return 1.0 / 3 + a * (a - 2 * fresh_share(r) / r);
}

double prn_age(enum prn_order order, double rate, double frequency)
{
	double r = rate / frequency;

	if (rate <= 0)
		return 0;
	if (frequency <= 0 || isinf(r))
		return INFINITY;
	switch (order) {
	case PRN_ORDER_FIXED:
		return age_share(r) / frequency;
	case PRN_ORDER_RANDOM:
		return random_age_share(r) / frequency;
	case PRN_ORDER_PURELY_RANDOM:
		break;
	}
	return r / (1 + r) / frequency;
}

/*
 * The frequency of one page at multiplier μ, by the objective's condition "marginal value = μ".  With
 * y = λ/f: freshness wants w h(y)/λ = μ, h(y) = 1 - (1 + y) e^-y; age wants w k(y)/λ² = μ, k = y²/2 - h.
 */

/* y with h(y) = c, 0 < c < 1: Newton on the convex y - log(1+y) = -log(1-c), which is near y²/2, then near y. */
static double inverse_two_changes(double c)
{
	double level = -log1p(-c), y = level + sqrt(2 * level);

	for (int i = 0; i < 6 && y > 0; i++) {
		double step = (y - log1p(y) - level) * (1 + y) / y;

		y -= step;
		if (fabs(step) <= 1e-14 * y)
			break;
	}
	return y;
}

/* k(y); its series y³/3 - y⁴/8 + … where the closed form cancels. */
static double late_change(double y)
{
	if (y < 0.1)
		return y * y * y *
		       (1.0 / 3 - y * (1.0 / 8 - y * (1.0 / 30 - y * (1.0 / 144 - y * (1.0 / 840 - y / 5760)))));
	return y * y / 2 + expm1(-y) + y * exp(-y);
}

/* y with k(y) = c > 0: Newton on a convex function, from its cubic start or from its quadratic bound above. */
static double inverse_late_change(double c)
{
	double start = cbrt(3 * c), y = fmin(start + start * start / 8, sqrt(2 * (c + 1)));

	for (int i = 0; i < 8 && y > 0; i++) {
		double step = (late_change(y) - c) / (-y * expm1(-y));

		y -= step;
		if (fabs(step) <= 1e-13 * y)
			break;
	}
	return y;
}

static double frequency_at(enum prn_objective objective, double rate, double weight, double multiplier)
{
	double c;

	if (rate <= 0)
		return 0;
	switch (objective) {
	case PRN_OBJECTIVE_FRESHNESS:
		c = multiplier * rate / weight;
		return c < 1 ? rate / inverse_two_changes(c) : 0;
	case PRN_OBJECTIVE_AGE:
		return rate / inverse_late_change(multiplier * rate / weight * rate);
	case PRN_OBJECTIVE_BINARY:
		return fmax(0, sqrt(weight * rate / multiplier) - rate);
	case PRN_OBJECTIVE_HARMONIC:
		break;
	}
	/* (-λ + sqrt(λ² + 4wλ/η))/2 without its cancellation at large η. */
	c = 4 * weight * rate / multiplier;
	return 0.5 * c / (rate + sqrt(rate * rate + c));
}

struct problem {
	enum prn_objective objective;
	const double *rates, *weights;
	size_t n;
	double budget;
};

static double weight_of(const struct problem *problem, size_t i)
{
	return problem->weights ? problem->weights[i] : 1;
}

/* log(Σ f / budget) at multiplier e^x: decreasing in x, and nearly straight, so that secants converge fast. */
static double excess(const struct problem *problem, double x)
{
	double sum = 0, multiplier = exp(x);

	for (size_t i = 0; i < problem->n; i++)
		sum += frequency_at(problem->objective, problem->rates[i], weight_of(problem, i), multiplier);
	return log(fmax(sum / problem->budget, 1e-300));
}

/* Illinois: false position whose stale end counts half, so that both ends move.  at_low >= 0 >= at_high. */
static double bracketed_root(const struct problem *problem, double low, double high, double at_low, double at_high)
{
	for (int i = 0; i < 200 && high - low > 1e-13 * (1 + fabs(low)); i++) {
		double x = low + (high - low) * at_low / (at_low - at_high), at;

		if (!(x > low && x < high))
			x = low + (high - low) / 2;
		at = excess(problem, x);
		if (fabs(at) < 1e-12)
			return x;
		if (at > 0) {
			low = x;
			at_low = at;
			at_high /= 2;
		} else {
			high = x;
			at_high = at;
			at_low /= 2;
		}
	}
	return low + (high - low) / 2;
}

/* The multiplier that spends the budget: a bracket grown from a guess, then root finding on log μ. */
static double solve(const struct problem *problem, double guess)
{
	double low = guess, high = guess, at_low = excess(problem, guess), at_high = at_low;

	/* Beyond e^±700 a double ends; rates that far apart share nothing worth dividing. */
	while (at_low < 0 && low > -700) {
		high = low;
		at_high = at_low;
		low -= 2;
		at_low = excess(problem, low);
	}
	while (at_high > 0 && high < 700) {
		low = high;
		at_low = at_high;
		high += 2;
		at_high = excess(problem, high);
	}
	return exp(bracketed_root(problem, low, high, at_low, at_high));
}

static int check(const struct problem *problem, double *mean_rate, double *mean_weight)
{
	double rates = 0, weights = 0;

	if (!problem->n || !(problem->budget > 0) || !isfinite(problem->budget))
		return PRN_E_RANGE;
	for (size_t i = 0; i < problem->n; i++) {
		double rate = problem->rates[i], weight = weight_of(problem, i);

		if (!(rate >= 0) || !isfinite(rate) || !(weight > 0) || !isfinite(weight))
			return PRN_E_RANGE;
		rates += rate / (double)problem->n;
		weights += weight / (double)problem->n;
	}
	*mean_rate = rates;
	*mean_weight = weights;
	return 0;
}

/* The marginal value of the mean page at the mean frequency: a multiplier of about the right size. */
static double guess_multiplier(const struct problem *problem, double rate, double weight)
{
	double f = problem->budget / (double)problem->n, y = rate / f;

	switch (problem->objective) {
	case PRN_OBJECTIVE_FRESHNESS:
		return weight / rate * (-expm1(-y) - y * exp(-y));
	case PRN_OBJECTIVE_AGE:
		return weight / rate * late_change(y) / rate;
	case PRN_OBJECTIVE_BINARY:
		return weight / (rate + f) * (rate / (rate + f));
	case PRN_OBJECTIVE_HARMONIC:
		break;
	}
	return weight / f * (rate / (rate + f));
}

int prn_allocate(enum prn_objective objective, const double *rates, const double *weights, size_t n, double budget,
                 double *frequencies, double *multiplier)
{
	struct problem problem = { objective, rates, weights, n, budget };
	double mean_rate, mean_weight, guess, found = 0;
	int code = check(&problem, &mean_rate, &mean_weight);

	if (code)
		return code;
	if (mean_rate > 0) {
		guess = log(guess_multiplier(&problem, mean_rate, mean_weight));
		found = solve(&problem, isfinite(guess) ? guess : 0);
	}
	for (size_t i = 0; i < n; i++)
		frequencies[i] = found > 0 ? frequency_at(objective, rates[i], weight_of(&problem, i), found) : 0;
	*multiplier = found;
	return 0;
}
