#include "perennial/fit.h"

#include "perennial/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * With q = 2g/(1+g), what the curve tends to, D* = q (c0 + c1 q + c2 q² + c3 q³), where the c depend on K and
 * λt only.  They are tabulated over s = λt/(λt + K), which maps all times into [0, 1).  For one λ the sum
 * of squares is then a polynomial in q: 14 sums over the points give it for every q, and what is left
 * is a search over λ alone.  Cubic terms and linear interpolation put the table within 2e-4 of the curve,
 * well below what a divergence is known to.
 */
#define TERMS 4
#define CELLS 512
#define SHAPES 6 /* K = 1, 2, 4, 8, 16, 32 */

/* Rates tried at first differ by this factor; then the best is refined by parabolas. */
#define RATE_STEP 2.0
#define REFINEMENTS 3

struct cell {
	float terms[TERMS];
};

struct prn_fit {
	struct cell cells[SHAPES][CELLS + 2]; /* one to spare: rounding may reach s = 1 */
};

static uint32_t shape_items(size_t shape)
{
	return 1u << shape;
}

/* The share whose curve tends to q. */
static double share_of(double q)
{
	return q / (2 - q);
}

/* The cubic through D*(τ)/q at the four Chebyshev nodes of [0, 1], by divided differences. */
static void tabulate(struct cell *cell, uint32_t items, double tau)
{
	double nodes[TERMS], values[TERMS], terms[TERMS] = { 0 };

	for (size_t i = 0; i < TERMS; i++) {
		struct prn_curve curve;

		nodes[i] = 0.5 - 0.5 * cos((2.0 * (double)i + 1) * M_PI / (2 * TERMS));
		curve = prn_curve_scroll(share_of(nodes[i]), 1, items);
		values[i] = prn_curve_divergence(&curve, tau) / nodes[i];
	}
	for (size_t order = 1; order < TERMS; order++)
		for (size_t i = TERMS - 1; i >= order; i--)
			values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
	for (size_t i = TERMS; i-- > 0;) {
		for (size_t j = TERMS - 1; j > 0; j--)
			terms[j] = terms[j - 1] - nodes[i] * terms[j];
		terms[0] = values[i] - nodes[i] * terms[0];
	}
	for (size_t i = 0; i < TERMS; i++)
		cell->terms[i] = (float)terms[i];
}

int prn_fit_open(struct prn_fit **out)
{
	struct prn_fit *fit = malloc(sizeof *fit);

	if (!fit)
		return PRN_E_MEMORY;
	for (size_t shape = 0; shape < SHAPES; shape++)
		for (size_t i = 0; i < CELLS + 2; i++) {
			double s = (double)i / CELLS, items = shape_items(shape);

			tabulate(&fit->cells[shape][i], shape_items(shape), i < CELLS ? items * s / (1 - s) : INFINITY);
		}
	*out = fit;
	return 0;
}

void prn_fit_free(struct prn_fit *fit)
{
	free(fit);
}

/* Σ d², Σ d c_i and Σ c_i c_j over the points, at one rate. */
struct sums {
	double squares, cross[TERMS], inner[TERMS][TERMS];
};

static void sum_points(const struct cell *cells, double items, double rate, const struct prn_point *points, size_t n,
                       struct sums *sums)
{
	*sums = (struct sums){ 0 };
	for (size_t k = 0; k < n; k++) {
		double tau = rate * (double)points[k].lag, s = CELLS * (tau / (tau + items));
		double d = (double)points[k].divergence, terms[TERMS];
		const struct cell *cell = &cells[(size_t)s];
		double part = s - (double)(size_t)s;

		for (size_t i = 0; i < TERMS; i++)
			terms[i] = (double)cell[0].terms[i] +
			           part * ((double)cell[1].terms[i] - (double)cell[0].terms[i]);
		sums->squares += d * d;
		for (size_t i = 0; i < TERMS; i++) {
			sums->cross[i] += d * terms[i];
			for (size_t j = i; j < TERMS; j++)
				sums->inner[i][j] += terms[i] * terms[j];
		}
	}
}

/* Σ (d - D)² and, for Gauss-Newton's step in q, half its slope and the sum of squared slopes of D. */
struct residual {
	double squares, slope, curvature;
};

static struct residual residual_at(const struct sums *sums, double q)
{
	double power[TERMS], rise[TERMS], model = 0, cross = 0;
	struct residual at = { 0, 0, 0 };

	for (size_t i = 0; i < TERMS; i++) {
		power[i] = i ? power[i - 1] * q : q;
		rise[i] = i ? (double)(i + 1) * power[i - 1] : 1;
	}
	for (size_t i = 0; i < TERMS; i++) {
		cross += power[i] * sums->cross[i];
		at.slope -= rise[i] * sums->cross[i];
		for (size_t j = i; j < TERMS; j++) {
			double inner = sums->inner[i][j] * (i == j ? 0.5 : 1);

			model += 2 * inner * power[i] * power[j];
			at.slope += inner * (power[i] * rise[j] + power[j] * rise[i]);
			at.curvature += 2 * inner * rise[i] * rise[j];
		}
	}
	at.squares = fmax(0, sums->squares - 2 * cross + model);
	return at;
}

/* The curve tried: the best q at one rate of one shape. */
struct trial {
	double log_rate, q, squares;
};

struct search {
	const struct prn_fit *fit;
	const struct prn_point *points;
	size_t n, shape;
};

static struct trial try_rate(const struct search *search, double log_rate)
{
	struct trial trial = { .log_rate = log_rate };
	struct residual at;
	struct sums sums;

	sum_points(search->fit->cells[search->shape], shape_items(search->shape), exp(log_rate), search->points,
	           search->n, &sums);
	/* D* is nearly proportional to q (exactly, for churn): three steps from the straight guess end. */
	trial.q = sums.inner[0][0] > 0 ? sums.cross[0] / sums.inner[0][0] : 0;
	for (int i = 0; i < 3; i++) {
		trial.q = fmin(fmax(trial.q, 0), 1);
		at = residual_at(&sums, trial.q);
		if (search->shape == 0 || !(at.curvature > 0))
			break;
		trial.q -= at.slope / at.curvature;
	}
	trial.q = fmin(fmax(trial.q, 0), 1);
	trial.squares = residual_at(&sums, trial.q).squares;
	return trial;
}

/* Where the parabola through three trials is lowest; the middle of the wider side if it has no bottom. */
static double parabola_bottom(const struct trial *a, const struct trial *b, const struct trial *c)
{
	double left = b->log_rate - a->log_rate, right = c->log_rate - b->log_rate;
	double rise_left = a->squares - b->squares, rise_right = c->squares - b->squares;
	double bend = rise_left * right + rise_right * left, move = 0;

	if (bend > 0)
		move = (rise_left * right * right - rise_right * left * left) / (2 * bend);
	/* A bottom at the best trial itself teaches nothing. */
	if (fabs(move) < 0.02 * (left + right))
		move = right > left ? 0.1 * right : -0.1 * left;
	return b->log_rate + fmin(fmax(move, -0.7 * left), 0.7 * right);
}

static void refine(const struct search *search, struct trial a, struct trial *b, struct trial c)
{
	for (int i = 0; i < REFINEMENTS; i++) {
		struct trial trial = try_rate(search, parabola_bottom(&a, b, &c));
		bool left = trial.log_rate < b->log_rate;

		if (trial.squares < b->squares) {
			*(left ? &c : &a) = *b;
			*b = trial;
		} else {
			*(left ? &a : &c) = trial;
		}
	}
}

/* The best trial of one shape, with log λ in [low, high]. */
static struct trial search_rates(const struct search *search, double low, double high)
{
	size_t steps = (size_t)ceil((high - low) / log(RATE_STEP));
	struct trial before = { 0 }, best = { .squares = INFINITY }, left = { 0 }, right = { 0 };
	bool has_left = false, has_right = false;

	for (size_t i = 0; i <= steps; i++) {
		struct trial trial = try_rate(search, low + (high - low) * (double)i / (double)steps);

		if (trial.squares < best.squares) {
			best = trial;
			left = before;
			has_left = i > 0;
			has_right = false;
		} else if (!has_right) {
			right = trial;
			has_right = true;
		}
		before = trial;
	}
	if (has_left && has_right)
		refine(search, left, &best, right);
	return best;
}

/* D* is straight to within 1 % up to the last lag below low, and level to within e^-7 from the first above high. */
static void rate_range(const struct search *search, double *low, double *high)
{
	double items = shape_items(search->shape);

	*low = log(0.02 * items / (double)search->points[search->n - 1].lag);
	*high = log((3 * items + 7) / (double)search->points[0].lag);
}

static void narrow(const struct search *search, const struct prn_curve *near, double *low, double *high)
{
	/* Scroll curves of different K that are alike have λ/K in common. */
	double middle = log(near->rate * shape_items(search->shape) / near->items), reach = log(8.0);
	double from = fmax(*low, middle - reach), to = fmin(*high, middle + reach);

	if (near->form == PRN_CURVE_SCROLL && near->rate > 0 && to > from + reach) {
		*low = from;
		*high = to;
	}
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

double prn_fit_curve(const struct prn_fit *fit, const struct prn_point *points, size_t n,
                     const struct prn_curve *near, struct prn_curve *curve)
{
	struct search search = { .fit = fit, .points = points, .n = n };
	double least = fit_line(points, n, curve);

	if (n < 2 || curve->slope == 0)
		return least;
	for (search.shape = 0; search.shape < SHAPES; search.shape++) {
		double low, high;
		struct trial trial;

		rate_range(&search, &low, &high);
		if (near)
			narrow(&search, near, &low, &high);
		trial = search_rates(&search, low, high);
		if (trial.squares < least) {
			least = trial.squares;
			*curve = prn_curve_scroll(share_of(trial.q), exp(trial.log_rate), shape_items(search.shape));
		}
	}
	return least;
}
