#include "perennial/fit.h"

#include "base/portable.h"
#include "perennial/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * With q = 2g/(1+g), the limit of the curve, and v = q/(1 - q/4), D* = q (c0 + c1 v + c2 v²), where the c
 * depend on K and λt only.  (In v, φ_j/q is nearly linear: the parabola is within 1.5e-4 of it.)  They are
 * tabulated over s = λt/(λt + K), which maps all times into [0, 1) and is the same for all K where λ/K is.  For
 * one λ the sum of squares is then known for every q from ten sums over the points, and only λ remains to be
 * searched.
 */
#define TERMS 3
#define CELLS 512
#define SHAPES 6 /* K = 1, 2, 4, 8, 16, 32 */
#define BEND 0.25

/* The rates tried at first differ by this factor; with a near curve, by the smaller one. */
#define RATE_STEP 1.6
#define NEAR_STEP 1.3

/*
 * Then parabolas close in: first a few steps for every K, to find the best ones, then these for the finalists.
 * Fewer steps or finalists miss the least squares of tests/fit.c noticeably, more gain nothing.
 */
#define FIRST_REFINEMENTS 2
#define REFINEMENTS 4
#define FINALISTS 2

#define STEPS 3 /* steps of Gauss-Newton towards the best share at one rate; a scan takes one */

#define TINY 1e-30f /* divisors below this count as zero */

typedef float four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32), aligned(16)));
typedef int32_t mask __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
typedef double wide __attribute__((vector_size(32), aligned(16)));

/* c0, c1, c2 and 0 for each K, at one s. */
struct cell {
	four terms[SHAPES];
};

struct prn_fit {
	struct cell cells[CELLS + 2]; /* one to spare: rounding may reach s = 1 */
};

static uint32_t shape_items(size_t shape)
{
	return 1u << shape;
}

/* The library's fmin and fmax are function calls. */
static double between(double low, double value, double high)
{
	return value < low ? low : value > high ? high : value;
}

/* q as a function of v, and the share g whose curve tends to it. */
static double limit_of(double v)
{
	return v / (1 + BEND * v);
}

static double share_of(double v)
{
	double q = limit_of(v);

	return q / (2 - q);
}

/* v at q = 1. */
#define V_MAX (1 / (1 - BEND))

/* The parabola in v through D*(τ)/q at the three Chebyshev nodes of [0, V_MAX], by divided differences. */
static four tabulate(uint32_t items, double tau)
{
	double nodes[TERMS], values[TERMS], terms[TERMS] = { 0 };

	for (size_t i = 0; i < TERMS; i++) {
		struct prn_curve curve;

		nodes[i] = V_MAX * (0.5 - 0.5 * cos((2.0 * (double)i + 1) * M_PI / (2 * TERMS)));
		curve = prn_curve_scroll(share_of(nodes[i]), 1, items);
		values[i] = prn_curve_divergence(&curve, tau) / limit_of(nodes[i]);
	}
	for (size_t order = 1; order < TERMS; order++)
		for (size_t i = TERMS - 1; i >= order; i--)
			values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
	for (size_t i = TERMS; i-- > 0;) {
		for (size_t j = TERMS - 1; j > 0; j--)
			terms[j] = terms[j - 1] - nodes[i] * terms[j];
		terms[0] = values[i] - nodes[i] * terms[0];
	}
	return (four){ (float)terms[0], (float)terms[1], (float)terms[2], 0 };
}

int prn_fit_open(struct prn_fit **out)
{
	struct prn_fit *fit = aligned_alloc(_Alignof(struct prn_fit), sizeof *fit);

	if (!fit)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < CELLS + 2; i++)
		for (size_t shape = 0; shape < SHAPES; shape++) {
			double s = (double)i / CELLS, items = shape_items(shape);

			fit->cells[i].terms[shape] =
				tabulate(shape_items(shape), i < CELLS ? items * s / (1 - s) : INFINITY);
		}
	*out = fit;
	return 0;
}

void prn_fit_free(struct prn_fit *fit)
{
	free(fit);
}

struct search {
	const struct prn_fit *fit;
	const struct prn_point *points;
	size_t n;
	double squares; /* Σ d² */
	double lags[PRN_FIT_POINTS]; /* the elements after the last point are 0 */
	float divergences[PRN_FIT_POINTS];
	/* The points as the table sees them at one λ/K: their cells, and their position within them. */
	int32_t cells[PRN_FIT_POINTS];
	float parts[PRN_FIT_POINTS];
};

_Static_assert(PRN_FIT_POINTS % 4 == 0, "points are placed by four");

/* rate is λ/K. */
static inline void place_points(struct search *search, double rate)
{
	for (size_t i = 0; i < search->n; i += 4) {
		wide lag, s;
		mask cell;
		four part;

		memcpy(&lag, &search->lags[i], sizeof lag);
		lag *= rate;
		s = CELLS * (lag / (1 + lag));
		cell = __builtin_convertvector(s, mask);
		part = __builtin_convertvector(s - __builtin_convertvector(cell, wide), four);
		memcpy(&search->cells[i], &cell, sizeof cell);
		memcpy(&search->parts[i], &part, sizeof part);
	}
}

/* With M(v) = c0 + c1 v + c2 v²: Σ M², Σ M d and Σ M'² by the powers of v. */
struct sums {
	double model[2 * TERMS - 1], cross[TERMS], rise[TERMS];
};

/* Sums for one shape at one λ/K.  The final curve is chosen by these. */
static PRN_WIDE struct sums sum_exactly(struct search *search, size_t shape, double rate)
{
	two a0 = { 0 }, b0 = { 0 }, a1 = { 0 }, b1 = { 0 }, b2 = { 0 };

	place_points(search, rate);
	for (size_t i = 0; i < search->n; i++) {
		const struct cell *cell = &search->fit->cells[search->cells[i]];
		four column = cell[0].terms[shape] + search->parts[i] * (cell[1].terms[shape] - cell[0].terms[shape]);
		two a = { (double)column[0], (double)column[1] }, b = { (double)column[2], (double)search->divergences[i] };

		a0 += a[0] * a;
		b0 += a[0] * b;
		a1 += a[1] * a;
		b1 += a[1] * b;
		b2 += b[0] * b;
	}
	return (struct sums){
		.model = { a0[0], 2 * a0[1], 2 * b0[0] + a1[1], 2 * b1[0], b2[0] },
		.cross = { b0[1], b1[1], b2[1] },
		.rise = { a1[1], 4 * b1[0], 4 * b2[0] },
	};
}

static double model_at(const struct sums *sums, double v)
{
	const double *p = sums->model;

	return p[0] + v * (p[1] + v * (p[2] + v * (p[3] + v * p[4])));
}

static double cross_at(const struct sums *sums, double v)
{
	return sums->cross[0] + v * (sums->cross[1] + v * sums->cross[2]);
}

/* Returns the v that Gauss-Newton's step from v leads to. */
static double step_from(const struct sums *sums, double v)
{
	const double *p = sums->model, *r = sums->cross, *m = sums->rise;
	double turn = 1 / (1 + BEND * v), q = v * turn, q_rise = turn * turn;
	double model = model_at(sums, v), half_rise = 0.5 * p[1] + v * (p[2] + v * (1.5 * p[3] + v * 2 * p[4]));
	double cross = cross_at(sums, v), cross_rise = r[1] + 2 * v * r[2];
	double slope = q * (q_rise * model + q * half_rise) - (q_rise * cross + q * cross_rise);
	double curvature = q_rise * (q_rise * model + 2 * q * half_rise) + q * q * (m[0] + v * (m[1] + v * m[2]));

	return curvature > 0 ? between(0, v - slope / curvature, V_MAX) : v;
}

/* A curve that was tried: the best v at one log(λ/K) of one shape. */
struct trial {
	double log_rate, v, squares;
};

/* D* is nearly proportional to q (for churn, shape 0, exactly): a few steps from the straight guess suffice. */
static struct trial try_rate(struct search *search, size_t shape, double log_rate)
{
	struct sums sums = sum_exactly(search, shape, exp(log_rate));
	double q = sums.model[0] > 0 ? between(0, sums.cross[0] / sums.model[0], 1) : 0, v = q / (1 - BEND * q), squares;

	for (int i = 0; shape && i < STEPS; i++)
		v = step_from(&sums, v);
	q = limit_of(v);
	squares = search->squares + q * (q * model_at(&sums, v) - 2 * cross_at(&sums, v)); /* Σ (d - qM)² */
	return (struct trial){ log_rate, v, between(0, squares, INFINITY) };
}

/* A scan needs the position of the minimum only to 1e-6 of Σ d²: it sums floats, two shapes at a time, and tries four. */
static four spread(float value)
{
	return (four){ value, value, value, value };
}

static four larger(four a, four b)
{
	mask is = a > b;

	return (four)(((mask)a & is) | ((mask)b & ~is));
}

static four smaller(four a, four b)
{
	mask is = a < b;

	return (four)(((mask)a & is) | ((mask)b & ~is));
}

/* For one shape Σ c_i c_j and, in the last column, Σ c_i d. */
struct rows {
	four of[TERMS];
};

/* For all shapes, two at a time, at one λ/K. */
static PRN_WIDE void sum_coarsely(struct search *search, double rate, struct rows rows[SHAPES])
{
	place_points(search, rate);
	for (size_t shape = 0; shape < SHAPES; shape += 2) {
		eight first = { 0 }, second = { 0 }, third = { 0 };

		for (size_t i = 0; i < search->n; i++) {
			const struct cell *cell = &search->fit->cells[search->cells[i]];
			float d = search->divergences[i];
			eight low, high, column;

			memcpy(&low, &cell[0].terms[shape], sizeof low);
			memcpy(&high, &cell[1].terms[shape], sizeof high);
			column = low + search->parts[i] * (high - low) + (eight){ 0, 0, 0, d, 0, 0, 0, d };
			first += column * __builtin_shufflevector(column, column, 0, 0, 0, 0, 4, 4, 4, 4);
			second += column * __builtin_shufflevector(column, column, 1, 1, 1, 1, 5, 5, 5, 5);
			third += column * __builtin_shufflevector(column, column, 2, 2, 2, 2, 6, 6, 6, 6);
		}
		rows[shape].of[0] = __builtin_shufflevector(first, first, 0, 1, 2, 3);
		rows[shape].of[1] = __builtin_shufflevector(second, second, 0, 1, 2, 3);
		rows[shape].of[2] = __builtin_shufflevector(third, third, 0, 1, 2, 3);
		rows[shape + 1].of[0] = __builtin_shufflevector(first, first, 4, 5, 6, 7);
		rows[shape + 1].of[1] = __builtin_shufflevector(second, second, 4, 5, 6, 7);
		rows[shape + 1].of[2] = __builtin_shufflevector(third, third, 4, 5, 6, 7);
	}
}

/* One row of four shapes, by columns. */
static void transpose(const struct rows rows[4], size_t row, four columns[4])
{
	four a = rows[0].of[row], b = rows[1].of[row], c = rows[2].of[row], d = rows[3].of[row];
	four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);

	columns[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
	columns[1] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
	ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
	cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
	columns[2] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
	columns[3] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/* As try_rate, for four shapes. */
static void try_rows(const struct search *search, const struct rows rows[4], double log_rate, struct trial trials[4])
{
	four x[4], y[4], z[4], p[2 * TERMS - 1], q, v, turn, rise, model, half_rise, cross, slope, curvature, squares;

	transpose(rows, 0, x);
	transpose(rows, 1, y);
	transpose(rows, 2, z);
	p[0] = x[0], p[1] = 2 * x[1], p[2] = 2 * x[2] + y[1], p[3] = 2 * y[2], p[4] = z[2];
	q = smaller(larger(x[3] / larger(p[0], spread(TINY)), spread(0)), spread(1));
	v = q / (1 - (float)BEND * q);
	turn = 1 / (1 + (float)BEND * v);
	rise = turn * turn;
	model = p[0] + v * (p[1] + v * (p[2] + v * (p[3] + v * p[4])));
	half_rise = 0.5f * p[1] + v * (p[2] + v * (1.5f * p[3] + v * 2 * p[4]));
	cross = x[3] + v * (y[3] + v * z[3]);
	slope = q * (rise * model + q * half_rise) - (rise * cross + q * (y[3] + 2 * v * z[3]));
	curvature = rise * (rise * model + 2 * q * half_rise) + q * q * (y[1] + 4 * v * (y[2] + v * z[2]));
	v = smaller(larger(v - slope / larger(curvature, spread(TINY)), spread(0)), spread((float)V_MAX));
	q = v / (1 + (float)BEND * v);
	model = p[0] + v * (p[1] + v * (p[2] + v * (p[3] + v * p[4])));
	cross = x[3] + v * (y[3] + v * z[3]);
	squares = larger((float)search->squares + q * (q * model - 2 * cross), spread(0));
	for (size_t i = 0; i < 4; i++)
		trials[i] = (struct trial){ log_rate, between(0, (double)v[i], V_MAX), (double)squares[i] };
}

/* The best trial of a shape so far, between its neighbours; if one is missing, the best is at the edge. */
struct bracket {
	struct trial left, best, right;
	bool has_left, has_right;
	size_t shape;
};

/* Trials must come in ascending order of rate. */
static void bracket_add(struct bracket *bracket, const struct trial *trial, const struct trial *before)
{
	if (trial->squares < bracket->best.squares) {
		bracket->has_left = before != NULL;
		if (before)
			bracket->left = *before;
		bracket->best = *trial;
		bracket->has_right = false;
	} else if (!bracket->has_right) {
		bracket->right = *trial;
		bracket->has_right = true;
	}
}

static void scan(struct search *search, double low, double high, double step, struct bracket brackets[SHAPES])
{
	size_t steps = (size_t)ceil((high - low) / log(step));
	struct trial trials[2][SHAPES];
	struct rows rows[SHAPES];

	for (size_t shape = 0; shape < SHAPES; shape++)
		brackets[shape] = (struct bracket){ .shape = shape, .best.squares = INFINITY };
	for (size_t i = 0; i <= steps; i++) {
		struct trial *now = trials[i % 2], *before = i ? trials[1 - i % 2] : NULL;
		double log_rate = low + (high - low) * (double)i / (double)steps;

		/* Two rows of four hold all six shapes, and two of them twice. */
		sum_coarsely(search, exp(log_rate), rows);
		try_rows(search, rows, log_rate, now);
		try_rows(search, rows + SHAPES - 4, log_rate, now + SHAPES - 4);
		for (size_t shape = 0; shape < SHAPES; shape++)
			bracket_add(&brackets[shape], &now[shape], before ? &before[shape] : NULL);
	}
}

/* Returns the lowest point of the parabola through the bracket. */
static double bottom(const struct bracket *bracket)
{
	const struct trial *best = &bracket->best;
	double left = best->log_rate - bracket->left.log_rate, right = bracket->right.log_rate - best->log_rate;
	double before = (bracket->left.squares - best->squares) / left;
	double after = (bracket->right.squares - best->squares) / right, move = 0;

	if (before + after > 0)
		move = 0.5 * (before * right - after * left) / (before + after);
	/* A minimum at the best trial itself brings no new information: try a little towards the wider side. */
	if (fabs(move) < 0.02 * (left + right))
		move = right > left ? 0.1 * right : -0.1 * left;
	return best->log_rate + fmin(fmax(move, -0.7 * left), 0.7 * right);
}

static void refine(struct search *search, struct bracket *bracket, int times)
{
	for (int i = 0; i < times && bracket->has_left && bracket->has_right; i++) {
		struct trial trial = try_rate(search, bracket->shape, bottom(bracket));
		struct trial worse = trial.squares < bracket->best.squares ? bracket->best : trial;

		if (trial.squares < bracket->best.squares)
			bracket->best = trial;
		*(worse.log_rate < bracket->best.log_rate ? &bracket->left : &bracket->right) = worse;
	}
}

/* Moves the best of brackets[from …] to from; of equal ones, that with the smallest K. */
static void select_bracket(struct bracket *brackets, size_t from)
{
	struct bracket swap = brackets[from];
	size_t first = from;

	for (size_t i = from + 1; i < SHAPES; i++)
		if (brackets[i].best.squares < brackets[first].best.squares)
			first = i;
	brackets[from] = brackets[first];
	brackets[first] = swap;
}

/*
 * One point contains no information on the rate.  As where a page was seen to change at every visit (GF §3.3),
 * the mean lifetime is taken to be the lag; the share is then the one that meets the point, as far as possible.
 */
static struct prn_curve one_point_curve(const struct prn_point *point)
{
	double q = fmin((double)point->divergence / -expm1(-1), 1);

	return prn_curve_churn(q / (2 - q), 1 / (double)point->lag);
}

/* The least-squares line through the origin. */
static double fit_line(const struct prn_point *points, size_t n, struct prn_curve *curve)
{
	double cross = 0, inner = 0, squares = 0, slope;

	for (size_t i = 0; i < n; i++) {
		double t = (double)points[i].lag, d = (double)points[i].divergence;

		cross += d * t;
		inner += t * t;
		squares += d * d;
	}
	slope = inner > 0 ? cross / inner : 0;
	*curve = prn_curve_line(slope);
	return fmax(0, squares - slope * cross);
}

/*
 * Scans from the rate at which D* is linear to within 1 % up to the last lag, to the one at which it is
 * constant to within e^-10 from the first.
 */
static void find_brackets(struct search *search, struct bracket brackets[SHAPES])
{
	double low = log(0.02 / (double)search->points[search->n - 1].lag), high = log(10 / (double)search->points[0].lag);

	scan(search, low, high, RATE_STEP, brackets);
	for (size_t i = 0; i < SHAPES; i++)
		refine(search, &brackets[i], FIRST_REFINEMENTS);
	select_bracket(brackets, 0);
}

/* The same, but with three rates around that of near only.  Returns whether the best is between them. */
static bool find_brackets_near(struct search *search, const struct prn_curve *near, struct bracket brackets[SHAPES])
{
	double middle, reach = log(NEAR_STEP);

	if (near->form != PRN_CURVE_SCROLL || !(near->rate > 0))
		return false;
	middle = log(near->rate / near->items);
	/* A step a little longer than the reach, or rounding could make it three steps. */
	scan(search, middle - reach, middle + reach, 1.001 * NEAR_STEP, brackets);
	select_bracket(brackets, 0);
	return brackets[0].has_left && brackets[0].has_right;
}

double prn_fit_curve(const struct prn_fit *fit, const struct prn_point *points, size_t n,
                     const struct prn_curve *near, struct prn_curve *curve)
{
	struct search search = { .fit = fit, .points = points, .n = n };
	struct prn_curve start = near ? *near : prn_curve_line(0); /* near may be the same object as curve */
	struct bracket brackets[SHAPES];
	double least = fit_line(points, n, curve);

	if (curve->slope == 0)
		return least;
	if (n == 1) {
		double missed;

		*curve = one_point_curve(points);
		missed = (double)points->divergence - prn_curve_divergence(curve, (double)points->lag);
		return missed * missed;
	}
	for (size_t i = 0; i < n; i++) {
		search.lags[i] = (double)points[i].lag;
		search.divergences[i] = points[i].divergence;
		search.squares += (double)points[i].divergence * (double)points[i].divergence;
	}
	if (!find_brackets_near(&search, &start, brackets))
		find_brackets(&search, brackets);
	for (size_t i = 0; i < FINALISTS; i++) {
		const struct trial *best = &brackets[i].best;
		uint32_t items;

		if (i)
			select_bracket(brackets, i);
		items = shape_items(brackets[i].shape);
		/* The best of a scan is not exact enough to be compared with the result of a refinement. */
		brackets[i].best = try_rate(&search, brackets[i].shape, brackets[i].best.log_rate);
		refine(&search, &brackets[i], REFINEMENTS);
		if (best->squares < least) {
			least = best->squares;
			*curve = prn_curve_scroll(share_of(best->v), items * exp(best->log_rate), items);
		}
	}
	return least;
}
