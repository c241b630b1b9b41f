#include "perennial/curve.h"

#include "base/root.h"
#include "perennial/error.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Below this λt all but the leading term of a series is lost in rounding. */
#define TINY 1e-17

/* e^-y is a normal number up to this y; beyond it each Poisson weight is computed from its logarithm … */
#define EXP_MAX 700.0

/* … and from this y on every weight that is needed, n <= PRN_CURVE_ITEMS, is 0 as a double. */
#define WEIGHTS_END 1e5

struct prn_curve prn_curve_churn(double share, double rate)
{
	return prn_curve_scroll(share, rate, 1);
}

struct prn_curve prn_curve_scroll(double share, double rate, uint32_t items)
{
	if (items < 1)
		items = 1;
	if (items > PRN_CURVE_ITEMS)
		items = PRN_CURVE_ITEMS;
	return (struct prn_curve){ .form = PRN_CURVE_SCROLL, .items = items, .share = share, .rate = rate };
}

struct prn_curve prn_curve_line(double slope)
{
	return (struct prn_curve){ .form = PRN_CURVE_LINE, .items = 1, .slope = slope };
}

/* Pr[N = n], N ~ Poisson(y), from Pr[N = n-1]; called for n = 0, 1, 2 … */
static inline double next_weight(double y, uint32_t n, double before)
{
	int sign;

	if (y > EXP_MAX)
		return y > WEIGHTS_END ? 0 : exp(n * log(y) - y - lgamma_r(n + 1.0, &sign));
	return n ? before * (y / n) : exp(-y);
}

/*
 * Pr[N > n], given Pr[N = n] and Pr[N <= n]. 1 - Pr[N <= n] loses every digit where the tail is small, so the
 * series, which is short there, is summed.
 */
static double tail_beyond(double y, uint32_t n, double weight, double up_to)
{
	double term = weight, sum = 0;

	if (y > 0.5 * (n + 1.0))
		return fmax(0, 1 - up_to);
	do {
		term *= y / ++n;
		sum += term;
	} while (term > 0.1 * DBL_EPSILON * sum);
	return sum;
}

/* φ_j - φ_{j-1} with φ_j = 2gj/(K + gj), computed without the difference. */
static inline double step(double g, double items, double j)
{
	return 2 * g * items / ((items + g * j) * (items + g * (j - 1)));
}

/* D* at y = λt as E[φ_min(N,K)]: all terms are positive. */
static double scroll_divergence(double g, uint32_t items, double y)
{
	double k = items, weight = 0, up_to = 0, sum = 0, last = 2 * g / (1 + g);

	if (y <= TINY)
		return step(g, k, 1) * y;
	if (items == 1)
		return -last * expm1(-y);
	for (uint32_t n = 0; n < items; n++) {
		weight = next_weight(y, n, weight);
		up_to += weight;
		sum += weight * (2 * g * n / (k + g * n));
	}
	return sum + last * tail_beyond(y, items - 1, weight, up_to);
}

/*
 * λU at y = λt is E[w_min(N-1,K)] with w_j = Σ_{i<=j} i (φ_i - φ_{i-1}) (doc/theory.md §3, summed by parts):
 * again all terms are positive. gain[j] = w_j.
 */
struct scroll_utility {
	uint32_t items;
	double gain[PRN_CURVE_ITEMS + 1];
};

static void utility_init(struct scroll_utility *utility, double g, uint32_t items)
{
	utility->items = items;
	utility->gain[0] = 0;
	for (uint32_t j = 1; j <= items; j++)
		utility->gain[j] = utility->gain[j - 1] + j * step(g, items, j);
}

/* λU, its distance from λU(∞), and d(λU)/dy, in one pass over the Poisson weights. */
struct utility_sample {
	double value, rest, slope;
};

/* The same as below for one item, to the last bit: the only case of change rates, and as short as it is frequent. */
static struct utility_sample utility_of_one(double limit, double y)
{
	double none = next_weight(y, 0, 0), one = next_weight(y, 1, none);

	return (struct utility_sample){ limit * tail_beyond(y, 1, one, none + one), limit * none + limit * one, limit * one };
}

static struct utility_sample utility_at(const struct scroll_utility *utility, double y)
{
	const double *gain = utility->gain;
	uint32_t items = utility->items;
	double limit = gain[items], before = 0, weight = 0, up_to = 0;
	struct utility_sample at = { 0, 0, 0 };

	if (items == 1)
		return utility_of_one(limit, y);
	for (uint32_t n = 0; n <= items; n++) {
		weight = next_weight(y, n, weight);
		up_to += weight;
		at.value += before * weight;
		at.rest += (limit - before) * weight;
		at.slope += (gain[n] - before) * weight;
		before = gain[n];
	}
	at.value += limit * tail_beyond(y, items, weight, up_to);
	return at;
}

double prn_curve_divergence(const struct prn_curve *curve, double t)
{
	if (curve->form == PRN_CURVE_LINE)
		return curve->slope > 0 ? curve->slope * t : 0;
	if (!(curve->rate > 0) || !(curve->share > 0))
		return 0;
	return scroll_divergence(curve->share, curve->items, curve->rate * t);
}

double prn_curve_utility(const struct prn_curve *curve, double t)
{
	struct scroll_utility utility;
	double y = curve->rate * t;

	if (curve->form == PRN_CURVE_LINE)
		return curve->slope > 0 ? curve->slope * t * t / 2 : 0;
	if (!(curve->rate > 0) || !(curve->share > 0))
		return 0;
	if (y <= TINY)
		return step(curve->share, curve->items, 1) * y / 2 * t;
	utility_init(&utility, curve->share, curve->items);
	return utility_at(&utility, y).value / curve->rate;
}

double prn_curve_integral(const struct prn_curve *curve, double t)
{
	double area;

	/* Of a line both are slope t²/2, also where that, or t, has no end. */
	if (curve->form == PRN_CURVE_LINE)
		return prn_curve_utility(curve, t);
	area = t * prn_curve_divergence(curve, t);
	/* U is at most a little over half of t D* where both are small, so no digits are lost. */
	return area > 0 ? area - prn_curve_utility(curve, t) : 0;
}

double prn_curve_utility_limit(const struct prn_curve *curve)
{
	double limit = 0;

	if (curve->form == PRN_CURVE_LINE)
		return curve->slope > 0 ? INFINITY : 0;
	if (!(curve->rate > 0) || !(curve->share > 0))
		return 0;
	for (uint32_t j = 1; j <= curve->items; j++)
		limit += j * step(curve->share, curve->items, j);
	return limit / curve->rate;
}

/*
 * The equation that Newton's method solves.  With q = U/U(∞), sqrt(-log(1 - q)) is nearly linear from end to
 * end, because U grows as t² at first and its rest falls as e^-λt at last.
 */
struct period_equation {
	struct scroll_utility utility;
	double target;
};

static struct prn_root_sample period_at(const void *context, double y)
{
	const struct period_equation *equation = context;
	const struct scroll_utility *utility = &equation->utility;
	double limit = utility->gain[utility->items], root;
	struct utility_sample at = utility_at(utility, y);

	if (at.value < 0.5 * limit)
		root = sqrt(-log1p(-at.value / limit));
	else
		root = sqrt(-log(at.rest / limit));
	return (struct prn_root_sample){ root - equation->target, at.slope / (2 * root * at.rest) };
}

/* y = λt with λU = wanted > 0; INFINITY if there is none. */
static double scroll_period(double g, uint32_t items, double wanted)
{
	double first = step(g, items, 1), limit, start, z;
	struct period_equation equation;

	utility_init(&equation.utility, g, items);
	limit = equation.utility.gain[items];
	if (wanted >= limit)
		return INFINITY;
	/* λU = first y²/2 (1 + O(y)): below this, the next term is lost in rounding. */
	start = sqrt(2 * wanted / first);
	if (start <= TINY)
		return start;
	z = -log1p(-wanted / limit);
	equation.target = sqrt(z);
	/* Exact at both ends for K = 1, where z = y - log(1 + y); close enough for the others. */
	start = sqrt(2 * z * limit / first) + (items == 1 ? z : 0);
	return prn_root_find(period_at, &equation, 0, INFINITY, start);
}

int prn_curve_period(const struct prn_curve *curve, double weight, double threshold, double *period)
{
	double wanted = threshold / weight;

	if (!(weight > 0) || !isfinite(weight) || !(threshold > 0) || !isfinite(threshold))
		return PRN_E_ARGUMENT;
	if (curve->form == PRN_CURVE_LINE)
		*period = curve->slope > 0 ? sqrt(2 * wanted / curve->slope) : INFINITY;
	else if (!(curve->rate > 0) || !(curve->share > 0))
		*period = INFINITY;
	else
		*period = scroll_period(curve->share, curve->items, curve->rate * wanted) / curve->rate;
	return 0;
}
