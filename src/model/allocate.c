#include "perennial/allocate.h"

#include "base/root.h"
#include "perennial/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
	/* Computes (1 - fixed²)/r with 1 - fixed = r (1/2 - age_share), without cancellation at small r. */
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

/* A page is shown from the end of the crawl that fetched it; it was fetched at any moment of the crawl's share of 1/f. */
double prn_shadow_freshness(double rate, double frequency, double share)
{
	if (rate <= 0)
		return 1;
	return frequency > 0 ? fresh_share(share * rate / frequency) * fresh_share(rate / frequency) : 0;
}

/*
 * The mean, over waits a in 0 … share/f and times t in 0 … 1/f, of a + t - (1 - e^-λ(a+t))/λ, composed of
 * shares that do not cancel.
 */
double prn_shadow_age(double rate, double frequency, double share)
{
	double r = rate / frequency, waiting;

	if (rate <= 0)
		return 0;
	if (frequency <= 0 || isinf(r))
		return INFINITY;
	waiting = age_share(share * r);
	return (share * r * (0.5 - waiting) / 2 + share * waiting + fresh_share(share * r) * age_share(r)) / frequency;
}

/*
 * The frequency of one page at multiplier μ, by the objective's condition "marginal value = μ".  With
 * y = λ/f: freshness wants w h(y)/λ = μ, h(y) = 1 - (1 + y) e^-y; age wants w k(y)/λ² = μ, k = y²/2 - h.
 */

/* k(y); its series y³/3 - y⁴/8 + … where the closed form cancels. */
static double late_change(double y)
{
	double e;

	if (y < 0.1)
		return y * y * y *
		       (1.0 / 3 - y * (1.0 / 8 - y * (1.0 / 30 - y * (1.0 / 144 - y * (1.0 / 840 - y / 5760)))));
	e = exp(-y);
	return y * y / 2 - 1 + (1 + y) * e;
}

/* y - log(1+y), by its series where it cancels. */
static double log_excess(double y)
{
	if (y < 0.02)
		return y * y * (0.5 - y * (1.0 / 3 - y * (1.0 / 4 - y * (1.0 / 5 - y * (1.0 / 6 - y / 7)))));
	return y - log1p(y);
}

/* One step of Halley's iteration towards y - log(1+y) = level, which is h(y) = c at level = -log(1-c). */
static double step_two_changes(double y, double level)
{
	double newton = (log_excess(y) - level) * (1 + y) / y;

	return y - newton / (1 - 0.5 * newton / (y * (1 + y)));
}

/* One step of Halley's iteration towards k(y) = c; k' = y (1 - e^-y), k'' = 1 - e^-y + y e^-y. */
static double step_late_change(double y, double c)
{
	double rise = -expm1(-y), newton = (late_change(y) - c) / (y * rise);

	return y - newton / (1 - 0.5 * newton * (rise + y * (1 - rise)) / (y * rise));
}

/* Starts above the root of a convex function or within its basin of attraction, and iterates until y no longer changes. */
static double iterate(double (*step)(double, double), double y, double target)
{
	for (int i = 0; i < 50 && y > 0; i++) {
		double next = step(y, target);

		if (fabs(next - y) <= 1e-15 * y)
			return next;
		y = next;
	}
	return y;
}

static double exact_two_changes(double level)
{
	return iterate(step_two_changes, level + sqrt(2 * level), level);
}

static double exact_late_change(double c)
{
	double start = cbrt(3 * c);

	return iterate(step_late_change, fmin(start + start * start / 8, sqrt(2 * (c + 1))), c);
}

/*
 * Each pass over the pages inverts h or k for every page.  A table over 2^LOW … 2^HIGH, linear between STEPS
 * points per octave, is accurate to 1e-4; one Halley step, which cubes the error, makes that 1e-11.
 */
#define TABLE_LOW (-30)
#define TABLE_HIGH 12
#define TABLE_STEP_BITS 6
#define TABLE_STEPS (1 << TABLE_STEP_BITS)
#define TABLE_PAGES 256 /* from this many pages on, making the table takes less time than it saves */
#define TABLE_SIZE ((TABLE_HIGH - TABLE_LOW) * TABLE_STEPS)

struct inverse {
	double (*exact)(double);
	double (*step)(double, double);
	double values[TABLE_SIZE + 1];
};

static void inverse_init(struct inverse *inverse, double (*exact)(double), double (*step)(double, double))
{
	inverse->exact = exact;
	inverse->step = step;
	for (int i = 0; i <= TABLE_SIZE; i++)
		inverse->values[i] =
			exact(ldexp(1 + (double)(i % TABLE_STEPS) / TABLE_STEPS, TABLE_LOW + i / TABLE_STEPS));
}

/* The exponent and the top bits of the fraction are the index, so no logarithm is needed. */
static double inverse_at(const struct inverse *inverse, double x)
{
	uint64_t bits, rest_bits = 52 - TABLE_STEP_BITS;
	double rest;
	size_t i;

	if (!(x >= ldexp(1, TABLE_LOW) && x < ldexp(1, TABLE_HIGH)))
		return inverse->exact(x);
	memcpy(&bits, &x, sizeof bits);
	i = (size_t)((bits >> rest_bits) - ((uint64_t)(TABLE_LOW + 1023) << TABLE_STEP_BITS));
	rest = ldexp(1, -(int)rest_bits) * (double)(bits & (((uint64_t)1 << rest_bits) - 1));
	return inverse->step(inverse->values[i] + rest * (inverse->values[i + 1] - inverse->values[i]), x);
}

struct problem {
	enum prn_objective objective;
	const double *rates, *weights;
	size_t n;
	double budget;
	enum prn_order order; /* of a freshness objective */
	double freshness;
	const struct inverse *table; /* of h or k; NULL for the randomised objectives, which need none, and for few pages, where it does not pay */
	struct inverse inverse;
};

static double weight_of(const struct problem *problem, size_t i)
{
	return problem->weights ? problem->weights[i] : 1;
}

/*
 * In double precision h(y) equals y²/2 and k(y) equals y³/3 below FEW, and k(y) equals y²/2 above MANY; their
 * powers fit a double.
 */
#define FEW 1e-60
#define MANY 1e30

/* Without inverse (NULL) no table is used.  Inline: a pass over the pages calls this for each page with one objective. */
static inline double frequency_of(enum prn_objective objective, const struct inverse *inverse, double rate, double weight,
                           double multiplier)
{
	double c, frequency;

	if (rate <= 0)
		return 0;
	switch (objective) {
	case PRN_OBJECTIVE_FRESHNESS:
		c = multiplier * rate / weight;
		if (c >= 1)
			return 0;
		if (c < FEW)
			return sqrt(rate) * sqrt(weight) / sqrt(2 * multiplier);
		return rate / (inverse ? inverse_at(inverse, -log1p(-c)) : exact_two_changes(-log1p(-c)));
	case PRN_OBJECTIVE_AGE:
		c = multiplier * rate / weight * rate;
		if (c < FEW)
			return cbrt(rate) * cbrt(weight) / cbrt(3 * multiplier);
		if (c > MANY)
			return sqrt(weight) / sqrt(2 * multiplier);
		return rate / (inverse ? inverse_at(inverse, c) : exact_late_change(c));
	case PRN_OBJECTIVE_BINARY:
		/*
		 * Returns the greater of it and 0 without a branch: about half of the pages get nothing, in an
		 * order that cannot be predicted.
		 */
		frequency = sqrt(weight * rate / multiplier) - rate;
		return 0.5 * (frequency + fabs(frequency));
	case PRN_OBJECTIVE_HARMONIC:
		break;
	}
	/* Computes (-λ + sqrt(λ² + 4wλ/η))/2 without its cancellation at large η. */
	c = 4 * weight * rate / multiplier;
	return 0.5 * c / (rate + sqrt(rate * rate + c));
}

double prn_allocate_one(enum prn_objective objective, double rate, double weight, double multiplier)
{
	return frequency_of(objective, NULL, rate, weight, multiplier);
}

static inline double frequency_at(const struct problem *problem, size_t i, double multiplier)
{
	return frequency_of(problem->objective, problem->table, problem->rates[i], weight_of(problem, i), multiplier);
}

/* Computes log(Σ f / budget) at multiplier e^x.  It decreases in x and is nearly linear, so secants converge fast. */
static double budget_excess(const void *context, double x)
{
	const struct problem *problem = context;
	double sum = 0, multiplier = exp(x);

	for (size_t i = 0; i < problem->n; i++)
		sum += frequency_at(problem, i, multiplier);
	return log(fmax(sum / problem->budget, 1e-300));
}

/*
 * The limit of double precision is 1e-10: the frequency of a page whose w/λ is close to μ goes to 0 like 1/log,
 * so single pages make the sum jump.
 */
#define EXCESS_TOLERANCE 1e-10

/*
 * Finds the multiplier at which excess, which falls with its logarithm, is 0: it grows a bracket from a guess,
 * then finds the root.
 */
static double solve(prn_root_value_fn *excess, const struct problem *problem, double guess)
{
	double low = guess, high = guess, at_low = excess(problem, guess), at_high = at_low;

	/* Beyond e^±700 doubles overflow; rates that far apart share no budget worth dividing. */
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
	return exp(prn_root_between(excess, problem, low, high, at_low, at_high, EXCESS_TOLERANCE));
}

/* Squares and quotients of these stay finite. */
static bool in_range(double number)
{
	return number >= PRN_ALLOCATE_LEAST && number <= PRN_ALLOCATE_MOST;
}

static int check(const struct problem *problem, double *mean_rate, double *mean_weight)
{
	double rates = 0, weights = 0;

	if (!problem->n || !in_range(problem->budget))
		return PRN_E_ARGUMENT;
	for (size_t i = 0; i < problem->n; i++) {
		double rate = problem->rates[i], weight = weight_of(problem, i);

		if (!(rate == 0 || in_range(rate)) || !in_range(weight))
			return PRN_E_ARGUMENT;
		rates += rate;
		weights += weight;
	}
	*mean_rate = rates / (double)problem->n;
	*mean_weight = weights / (double)problem->n;
	return 0;
}

/* Returns the marginal value of the mean page at the mean frequency, a multiplier of about the right size. */
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

/*
 * Freshness of either kind: in double precision a visit of a page that is visited much more seldom than it
 * changes is worth w/λ.  So a budget that is small compared with the rates goes to the pages where that is
 * largest, and the frequency there cannot be computed from the multiplier.  Among the best pages each
 * gets the frequency at which it misses as many changes as the others.
 */
static double give_to_best(const struct problem *problem, double *frequencies)
{
	double best = 0, sum = 0;

	for (size_t i = 0; i < problem->n; i++)
		if (problem->rates[i] > 0)
			best = fmax(best, weight_of(problem, i) / problem->rates[i]);
	for (size_t i = 0; i < problem->n; i++) {
		bool is_best = problem->rates[i] > 0 && weight_of(problem, i) / problem->rates[i] >= best * (1 - 1e-12);

		frequencies[i] = is_best ? problem->rates[i] : 0;
		sum += frequencies[i];
	}
	return sum;
}

static void prepare(struct problem *problem)
{
	if (problem->n < TABLE_PAGES)
		return;
	problem->table = &problem->inverse;
	if (problem->objective == PRN_OBJECTIVE_FRESHNESS)
		inverse_init(&problem->inverse, exact_two_changes, step_two_changes);
	if (problem->objective == PRN_OBJECTIVE_AGE)
		inverse_init(&problem->inverse, exact_late_change, step_late_change);
}

int prn_allocate(enum prn_objective objective, const double *rates, const double *weights, size_t n, double budget,
                 double *frequencies, double *multiplier)
{
	struct problem problem = { .objective = objective, .rates = rates, .weights = weights, .n = n, .budget = budget };
	double mean_rate, mean_weight, guess, found = 0, sum = 0;
	int code = check(&problem, &mean_rate, &mean_weight);

	if (code)
		return code;
	prepare(&problem);
	if (mean_rate > 0) {
		guess = log(guess_multiplier(&problem, mean_rate, mean_weight));
		found = solve(budget_excess, &problem, isfinite(guess) ? guess : 0);
	}
	for (size_t i = 0; i < n; i++) {
		frequencies[i] = found > 0 ? frequency_at(&problem, i, found) : 0;
		sum += frequencies[i];
	}
	if (!(sum > 0) && found > 0 && (objective == PRN_OBJECTIVE_FRESHNESS || objective == PRN_OBJECTIVE_BINARY))
		sum = give_to_best(&problem, frequencies);
	/*
	 * The rest that the tolerance leaves, or what it overspends, is shared in proportion: the loss is of
	 * second order.
	 */
	for (size_t i = 0; i < n && sum > 0; i++)
		frequencies[i] *= budget / sum;
	*multiplier = found;
	return 0;
}

int prn_allocate_price(enum prn_objective objective, const double *rates, const double *weights, size_t n, double price,
                       double *frequencies)
{
	struct problem problem = { .objective = objective, .rates = rates, .weights = weights, .n = n, .budget = price };
	double mean_rate, mean_weight;
	int code = check(&problem, &mean_rate, &mean_weight);

	if (code)
		return code;
	prepare(&problem);
	for (size_t i = 0; i < n; i++)
		frequencies[i] = frequency_at(&problem, i, price);
	return 0;
}

/* The tolerance of freshness, the largest distance of the other multiplier, and the number of steps between the two. */
#define TARGET_NEAR 1e-9
#define TARGET_STEP 1e-6
#define TARGET_HALVINGS 40

/* Computes the mean weighted freshness, less the wanted one, at frequencies share of the way from one multiplier's to another's. */
static double excess_between(const struct problem *problem, double from, double to, double share)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < problem->n; i++) {
		double frequency = frequency_at(problem, i, from);

		if (share > 0)
			frequency += share * (frequency_at(problem, i, to) - frequency);
		sum += weight_of(problem, i) * prn_freshness(problem->order, problem->rates[i], frequency);
		weights += weight_of(problem, i);
	}
	return sum / weights - problem->freshness;
}

/* Computes the excess at multiplier e^x: it falls with x. */
static double freshness_excess(const void *context, double x)
{
	return excess_between(context, exp(x), 0, 0);
}

/*
 * Where a page begins to be refreshed, the derivative of its frequency by the multiplier has no bound: of two
 * adjacent doubles, one may have the page refreshed at a thirtieth of its rate, and the other not at all.  The
 * wanted freshness then lies between the allocations at the two.  Writes the other multiplier and returns the
 * share of the way to it.
 */
static double find_between(const struct problem *problem, double found, double *other)
{
	double excess = excess_between(problem, found, 0, 0), least = 0, most = 1;

	*other = found;
	if (fabs(excess) <= TARGET_NEAR)
		return 0;
	for (double step = DBL_EPSILON; step < TARGET_STEP && *other == found; step *= 2) {
		double next = found * (excess > 0 ? 1 + step : 1 - step);

		if ((excess_between(problem, next, 0, 0) > 0) != (excess > 0))
			*other = next;
	}
	if (*other == found)
		return 0;
	for (int i = 0; i < TARGET_HALVINGS; i++) {
		double middle = (least + most) / 2;

		if ((excess_between(problem, found, *other, middle) > 0) == (excess > 0))
			least = middle;
		else
			most = middle;
	}
	return most;
}

int prn_allocate_target(enum prn_objective objective, enum prn_order order, const double *rates, const double *weights,
                        size_t n, double freshness, double *frequencies, double *multiplier, double *budget)
{
	struct problem problem = { .objective = objective, .rates = rates, .weights = weights, .n = n, .budget = 1,
		                   .order = order, .freshness = freshness };
	double mean_rate, mean_weight, found = 0, other = 0, share = 0, sum = 0;
	int code = freshness > 0 && freshness < 1 ? check(&problem, &mean_rate, &mean_weight) : PRN_E_ARGUMENT;

	if (code)
		return code;
	prepare(&problem);
	/* Beyond this nothing is refreshed. */
	if (mean_rate > 0 && freshness_excess(&problem, 700) < 0)
		found = solve(freshness_excess, &problem, log(mean_weight / mean_rate));
	if (found > 0)
		share = find_between(&problem, found, &other);
	for (size_t i = 0; i < n; i++) {
		frequencies[i] = found > 0 ? frequency_at(&problem, i, found) : 0;
		if (share > 0)
			frequencies[i] += share * (frequency_at(&problem, i, other) - frequencies[i]);
		sum += frequencies[i];
	}
	*multiplier = found;
	*budget = sum;
	return 0;
}
