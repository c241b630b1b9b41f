#include "perennial/fit.h"

#include "base/portable.h"
#include "model/fit_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rates tried at first differ by this factor; with a near curve, by the smaller one. */
#define RATE_STEP 1.6
#define NEAR_STEP 1.3

/*
 * Then parabolas close in: first a few steps for every K, to find the best ones, then these for the finalists.
 * Fewer steps or finalists miss the least squares of tests/fit.c noticeably, more gain nothing.
 */
#define FIRST_REFINEMENTS 2
#define REFINEMENTS 4
#define FINALISTS 2 /* a pair of trials */

/* The best trial of a shape so far, between its neighbours; if one is missing, and then is not read, the best is at the edge. */
struct bracket {
	struct prn_fit_trial left, best, right;
	bool has_left, has_right;
	bool exact; /* the best is not of a scan */
	size_t shape;
};

/* The library's fmin and fmax are function calls.  As with them, what is not a number becomes low. */
static double between(double low, double value, double high)
{
	return !(value > low) ? low : value < high ? value : high;
}

static double scan_rate(double low, double high, size_t step, size_t steps)
{
	return low + (high - low) * (double)step / (double)steps;
}

/* The best trial of a scan so far: its step, and the sums of squares at the steps before and after it. */
struct lowest {
	size_t step;
	float v, squares, before, after;
};

/* Adds the trials of a step; last has those of the step before, if there was one. */
static void lowest_add(struct lowest lowest[PRN_FIT_SHAPES], size_t step, const struct prn_fit_sweep *now,
                       const struct prn_fit_sweep *last)
{
	for (size_t shape = 0; shape < PRN_FIT_SHAPES; shape++) {
		struct lowest *best = &lowest[shape];
		float squares = now->squares.of[shape];

		if (!last || squares < best->squares)
			*best = (struct lowest){ step, now->v.of[shape], squares, last ? last->squares.of[shape] : 0, 0 };
		else if (step == best->step + 1)
			best->after = squares;
	}
}

static void scan(struct prn_fit_data *data, double low, double high, double factor, struct bracket brackets[PRN_FIT_SHAPES])
{
	size_t steps = (size_t)ceil((high - low) / log(factor));
	struct lowest lowest[PRN_FIT_SHAPES];
	struct prn_fit_sweep sweeps[2];
	bool wide = PRN_WIDE_HERE;

	for (size_t step = 0; step <= steps; step++) {
		struct prn_fit_sweep *now = &sweeps[step % 2], *last = step ? &sweeps[1 - step % 2] : NULL;

		prn_fit_try_shapes(data, scan_rate(low, high, step, steps), wide, now);
		lowest_add(lowest, step, now, last);
	}
	for (size_t shape = 0; shape < PRN_FIT_SHAPES; shape++) {
		const struct lowest *best = &lowest[shape];
		struct bracket *bracket = &brackets[shape];

		/* Member by member: the copy of a struct that has just been put together waits until all of it is stored. */
		bracket->left.log_rate = scan_rate(low, high, best->step - 1, steps);
		bracket->left.squares = (double)best->before;
		bracket->best.log_rate = scan_rate(low, high, best->step, steps);
		bracket->best.v = between(0, (double)best->v, PRN_FIT_V_MAX);
		bracket->best.squares = (double)best->squares;
		bracket->right.log_rate = scan_rate(low, high, best->step + 1, steps);
		bracket->right.squares = (double)best->after;
		bracket->has_left = best->step > 0;
		bracket->has_right = best->step < steps;
		bracket->exact = false;
		bracket->shape = shape;
	}
}

/* Returns the lowest point of the parabola through the bracket. */
static double bottom(const struct bracket *bracket)
{
	const struct prn_fit_trial *best = &bracket->best;
	double left = best->log_rate - bracket->left.log_rate, right = bracket->right.log_rate - best->log_rate;
	double before = (bracket->left.squares - best->squares) / left;
	double after = (bracket->right.squares - best->squares) / right, move = 0;

	if (before + after > 0)
		move = 0.5 * (before * right - after * left) / (before + after);
	/* A minimum at the best trial itself brings no new information: try a little towards the wider side. */
	if (fabs(move) < 0.02 * (left + right))
		move = right > left ? 0.1 * right : -0.1 * left;
	return best->log_rate + between(-0.7 * left, move, 0.7 * right);
}

/* Adds a trial between the neighbours of the best. */
static void narrow(struct bracket *bracket, const struct prn_fit_trial *trial)
{
	struct prn_fit_trial worse = *trial;

	if (trial->squares < bracket->best.squares) {
		worse = bracket->best;
		bracket->best = *trial;
		bracket->exact = true;
	}
	*(worse.log_rate < bracket->best.log_rate ? &bracket->left : &bracket->right) = worse;
}

/* Closes in on the minima of brackets that have both sides, two at a time; if their number is odd, the last goes with itself. */
static void refine(struct prn_fit_data *data, struct bracket *brackets, size_t count, int times)
{
	struct bracket *closed[PRN_FIT_SHAPES + 1];
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (brackets[i].has_left && brackets[i].has_right)
			closed[n++] = &brackets[i];
	if (n % 2)
		closed[n] = closed[n - 1];
	for (size_t i = 0; i < n; i += 2) {
		struct bracket *first = closed[i], *second = closed[i + 1];
		size_t shapes[2] = { first->shape, second->shape };

		for (int j = 0; j < times; j++) {
			struct prn_fit_trial trials[2] = { { .log_rate = bottom(first) }, { .log_rate = bottom(second) } };

			prn_fit_try_pair(data, shapes, trials);
			narrow(first, &trials[0]);
			if (second != first)
				narrow(second, &trials[1]);
		}
	}
}

/* Moves the best of brackets[from …] to from; of equal ones, that with the smallest K. */
static void select_bracket(struct bracket *brackets, size_t from)
{
	struct bracket swap = brackets[from];
	size_t first = from;

	for (size_t i = from + 1; i < PRN_FIT_SHAPES; i++)
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
static double fit_line(const struct prn_fit_data *data, struct prn_curve *curve)
{
	double slope = data->inner > 0 ? data->cross / data->inner : 0;

	*curve = prn_curve_line(slope);
	return between(0, data->squares - slope * data->cross, INFINITY);
}

/*
 * Scans from the rate at which D* is linear to within 1 % up to the last lag, to the one at which it is
 * constant to within e^-10 from the first.
 */
static void find_brackets(struct prn_fit_data *data, struct bracket brackets[PRN_FIT_SHAPES])
{
	double low = log(0.02 / data->lags[data->n - 1]), high = log(10 / data->lags[0]);

	scan(data, low, high, RATE_STEP, brackets);
	refine(data, brackets, PRN_FIT_SHAPES, FIRST_REFINEMENTS);
	select_bracket(brackets, 0);
}

/* The same, but with three rates around that of near only.  Returns whether the best is between them. */
static bool find_brackets_near(struct prn_fit_data *data, const struct prn_curve *near, struct bracket brackets[PRN_FIT_SHAPES])
{
	double middle, reach = log(NEAR_STEP);

	if (near->form != PRN_CURVE_SCROLL || !(near->rate > 0))
		return false;
	middle = log(near->rate / near->items);
	/* A step a little longer than the reach, or rounding could make it three steps. */
	scan(data, middle - reach, middle + reach, 1.001 * NEAR_STEP, brackets);
	select_bracket(brackets, 0);
	return brackets[0].has_left && brackets[0].has_right;
}

/* The best of a scan is not exact enough to be compared with the result of a refinement: tries it again. */
static void try_again(struct prn_fit_data *data, struct bracket brackets[FINALISTS])
{
	size_t shapes[FINALISTS] = { brackets[0].shape, brackets[1].shape };
	struct prn_fit_trial trials[FINALISTS] = { brackets[0].best, brackets[1].best };

	if (brackets[0].exact && brackets[1].exact)
		return;
	prn_fit_try_pair(data, shapes, trials);
	for (size_t i = 0; i < FINALISTS; i++)
		brackets[i].best = trials[i];
}

double prn_fit_curve(const struct prn_fit *fit, const struct prn_point *points, size_t n,
                     const struct prn_curve *near, struct prn_curve *curve)
{
	struct prn_curve start = near ? *near : prn_curve_line(0); /* near may be the same object as curve */
	struct bracket brackets[PRN_FIT_SHAPES];
	const struct bracket *finalist;
	struct prn_fit_data data;
	double least;

	prn_fit_data_init(&data, fit, points, n);
	least = fit_line(&data, curve);
	if (curve->slope == 0)
		return least;
	if (n == 1) {
		double missed;

		*curve = one_point_curve(points);
		missed = (double)points->divergence - prn_curve_divergence(curve, (double)points->lag);
		return missed * missed;
	}
	if (!find_brackets_near(&data, &start, brackets))
		find_brackets(&data, brackets);
	select_bracket(brackets, 1);
	try_again(&data, brackets);
	refine(&data, brackets, FINALISTS, REFINEMENTS);
	finalist = &brackets[brackets[1].best.squares < brackets[0].best.squares];
	if (finalist->best.squares < least) {
		uint32_t items = prn_fit_items(finalist->shape);

		least = finalist->best.squares;
		*curve = prn_curve_scroll(prn_fit_share(finalist->best.v), items * exp(finalist->best.log_rate), items);
	}
	return least;
}
