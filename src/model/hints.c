#include "perennial/hints.h"

#include "base/root.h"
#include "perennial/error.h"

#include <float.h>
#include <math.h>

/* Levels worth more hints than this use the asymptote of renewal theory: the mean area is off by 0.1 % there. */
#define HINTS_EXACT 16

/* A curve is divided into cells of this share of the time scale on which it bends, and into at least so many cells. */
#define CELL_BEND 0.25
#define CELLS_MIN 32

/* Trust this close to 1 leaves no time that passes without a hint. */
#define TRUST_WHOLE (1 - 1e-9)

bool prn_hints_count(const struct prn_hints *hints)
{
	return hints->trust > 0 && hints->rate > 0 && isfinite(hints->rate);
}

/* φ/η: the time that one hint is worth. */
static double worth(const struct prn_hints *hints)
{
	return fmin(hints->trust, 1) / hints->rate;
}

double prn_hints_elapsed(const struct prn_hints *hints, double t)
{
	if (!prn_hints_count(hints))
		return t;
	return (1 - fmin(hints->trust, 1)) * t + worth(hints) * hints->count;
}

/* Pr[N > n] and E(N - n - 1)⁺ for N ~ Poisson(z); the second is the integral of the first from 0 to z. */
static void poisson_tail(double z, unsigned n, double *beyond, double *excess)
{
	double term = exp(-z), up_to = term, tail = 0, sum = 0;

	if (z > 700) {
		*beyond = 1;
		*excess = z - n - 1;
		return;
	}
	for (unsigned i = 1; i <= n; i++) {
		term *= z / i;
		up_to += term;
	}
	if (z > n + 1) {
		*beyond = fmax(0, 1 - up_to);
		*excess = (z - n - 1) * *beyond + z * term;
		return;
	}
	/* Where the tail is small, only a sum of positive terms keeps its digits. */
	for (unsigned j = 0; j < 2 || term * j > 0.1 * DBL_EPSILON * sum; j++) {
		term *= z / (n + 1 + j);
		tail += term;
		sum += j * term;
	}
	*beyond = tail;
	*excess = sum;
}

/*
 * Before x is passed there were n hints at time t < (x - v n)/a, v = φ/η, a = 1 - φ: M(x) = Σ_n Pr[N_n > n]/η
 * with N_n ~ Poisson(η (x - v n)/a).  Beyond x, the jump that passes x passes it by v/2 on average, and jumps
 * are a share φ of the way.
 */
static void mean_time(const struct prn_hints *hints, double x, double *time, double *area)
{
	double trust = hints->trust < TRUST_WHOLE ? hints->trust : 1, left = 1 - trust, eta = hints->rate, v = trust / eta;
	double beyond, excess;

	*time = *area = 0;
	if (x > HINTS_EXACT * v) {
		*time = x + trust * v / 2;
		*area = (x * (x + trust * v) + v * v * (trust * trust / 2 - trust / 3)) / 2;
		return;
	}
	for (unsigned n = 0; n <= HINTS_EXACT && v * n <= x; n++)
		if (left > 0) {
			poisson_tail(eta * (x - v * n) / left, n, &beyond, &excess);
			*time += beyond / eta;
			*area += left * excess / (eta * eta);
		} else {
			*time += 1 / eta;
			*area += (x - v * n) / eta;
		}
}

double prn_hints_mean_time(const struct prn_hints *hints, double x)
{
	double time, area;

	if (!prn_hints_count(hints))
		return x;
	mean_time(hints, x, &time, &area);
	return time;
}

double prn_hints_mean_area(const struct prn_hints *hints, double x)
{
	double time, area;

	if (!prn_hints_count(hints))
		return x * x / 2;
	mean_time(hints, x, &time, &area);
	return area;
}

struct area_equation {
	const struct prn_hints *hints;
	double wanted;
};

static struct prn_root_sample area_at(const void *context, double x)
{
	const struct area_equation *equation = context;
	double time, area;

	mean_time(equation->hints, x, &time, &area);
	return (struct prn_root_sample){ area - equation->wanted, time };
}

/* Finds x with ∫0..x M = wanted > 0.  As M(x) >= x, it is below √(2 wanted), except for the error of the asymptote. */
static double area_level(const struct prn_hints *hints, double wanted)
{
	double high = sqrt(2 * wanted);

	return prn_root_find(area_at, &(struct area_equation){ hints, wanted }, 0, 1.01 * high, high);
}

/* A time by which a scroll curve is within a millionth of its limit. */
static double saturation(const struct prn_curve *curve)
{
	double items = curve->items;

	return (items + 6 * sqrt(items) + 14) / curve->rate;
}

/*
 * Within each cell the curve is linear, and the mean area is exact.  Returns the effective time at which the
 * utility is as wanted, or limit if it is not by the end; *utility is the utility there.
 */
static double walk_scroll(const struct prn_curve *curve, const struct prn_hints *hints, double wanted, double limit,
                          double *utility)
{
	double end = isinf(limit) ? saturation(curve) : limit;
	double bend = CELL_BEND * sqrt((double)curve->items) / curve->rate;
	unsigned cells = (unsigned)fmax(CELLS_MIN, ceil(end / bend));
	double before = 0, area_before = 0;

	*utility = 0;
	for (unsigned i = 1; i <= cells; i++) {
		double x = end * i / cells, divergence = prn_curve_divergence(curve, x);
		double slope = (divergence - before) * cells / end, area = prn_hints_mean_area(hints, x);
		double step = slope * (area - area_before);

		if (*utility + step >= wanted && slope > 0)
			return fmin(x, area_level(hints, area_before + (wanted - *utility) / slope));
		*utility += step;
		before = divergence;
		area_before = area;
	}
	return limit;
}

double prn_hints_level(const struct prn_curve *curve, const struct prn_hints *hints, double wanted)
{
	double limit, utility;

	if (prn_curve_period(curve, 1, wanted, &limit))
		return INFINITY;
	if (!prn_hints_count(hints))
		return limit;
	if (curve->form == PRN_CURVE_LINE)
		return curve->slope > 0 ? fmin(limit, area_level(hints, wanted / curve->slope)) : INFINITY;
	if (!(curve->rate > 0) || !(curve->share > 0))
		return INFINITY;
	return walk_scroll(curve, hints, wanted, limit, &utility);
}

double prn_hints_utility(const struct prn_curve *curve, const struct prn_hints *hints, double x)
{
	double utility = 0;

	if (!prn_hints_count(hints))
		return prn_curve_utility(curve, x);
	if (curve->form == PRN_CURVE_LINE)
		return curve->slope * prn_hints_mean_area(hints, x);
	if (x > 0 && curve->rate > 0 && curve->share > 0)
		walk_scroll(curve, hints, INFINITY, fmin(x, saturation(curve)), &utility);
	return utility;
}

double prn_hints_timer(const struct prn_hints *hints, double level)
{
	double left;

	if (!prn_hints_count(hints) || isinf(level))
		return level;
	left = level - worth(hints) * hints->count;
	if (left <= 0)
		return 0;
	return hints->trust < TRUST_WHOLE ? left / (1 - hints->trust) : INFINITY;
}

double prn_hints_ahead(double ahead, bool was_due, double interval, double earning)
{
	return earning > 0 ? fmin(fmax(ahead + was_due - interval / earning, 0), PRN_HINTS_AHEAD_MOST) : 0;
}

double prn_hints_earliest(const struct prn_hints *hints, double earning)
{
	double over = hints->ahead + 1 - PRN_HINTS_AHEAD_MOST;

	return over > 0 ? over * earning : 0;
}
