/*
 * What fit.c searches with: the curves' shapes in tables, and the trial of a rate.
 *
 * With q = 2g/(1+g), the limit of the curve, and v = q/(1 - q/4), D* = q M(v), M(v) = c0 + c1 v + c2 v², where the c
 * depend on K and λt only.  (In v, φ_j/q is nearly linear: the parabola is within 1.5e-4 of it.)  They are
 * tabulated over s = λt/(λt + K), which maps all times into [0, 1) and is the same for all K where λ/K is.  For
 * one λ the sum of squares is then known for every q from ten sums over the points, and only λ remains to be
 * searched.
 */
#ifndef MODEL_FIT_INTERNAL_H
#define MODEL_FIT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/fit.h"

#define PRN_FIT_SHAPES 6 /* K = 1, 2, 4, 8, 16, 32 */
#define PRN_FIT_TERMS 3
#define PRN_FIT_CELLS 512
#define PRN_FIT_BEND 0.25
#define PRN_FIT_V_MAX (1 / (1 - PRN_FIT_BEND)) /* v at q = 1 */

typedef float prn_fit_four __attribute__((vector_size(16)));
typedef float prn_fit_eight __attribute__((vector_size(32), aligned(16)));

/* A number for each shape, and two zeros. */
union prn_fit_lanes {
	float of[8];
	prn_fit_four halves[2];
	prn_fit_eight all;
};

/* c0, c1, c2 at one s, and how much more they are at the next s. */
struct prn_fit_cell {
	_Alignas(64) union prn_fit_lanes terms[PRN_FIT_TERMS];
	union prn_fit_lanes rises[PRN_FIT_TERMS];
};

/* The same numbers twice, each time as they are read: a scan tries all shapes at one rate, a refinement one shape at many. */
struct prn_fit {
	struct prn_fit_cell cells[PRN_FIT_CELLS + 1];         /* one to spare: rounding may reach s = 1 */
	prn_fit_four rows[PRN_FIT_SHAPES][PRN_FIT_CELLS + 2]; /* c0, c1, c2 and 0 */
};

/* K. */
static inline uint32_t prn_fit_items(size_t shape)
{
	return 1u << shape;
}

/* q as a function of v, and the share g whose curve tends to it. */
static inline double prn_fit_limit(double v)
{
	return v / (1 + PRN_FIT_BEND * v);
}

static inline double prn_fit_share(double v)
{
	double q = prn_fit_limit(v);

	return q / (2 - q);
}

/* Where the table has the points at one λ/K: their cells, and their position within them. */
struct prn_fit_places {
	int32_t cells[PRN_FIT_POINTS];
	float parts[PRN_FIT_POINTS];
};

/* The points of one fit. */
struct prn_fit_data {
	const struct prn_fit *fit;
	size_t n;
	double squares, cross, inner; /* Σ d², Σ d t, Σ t² */
	double lags[PRN_FIT_POINTS];  /* 0 after the last point, up to a multiple of four */
	float divergences[PRN_FIT_POINTS];
	struct prn_fit_places places[2]; /* of the two trials of a pair; a scan uses the first */
};

/* fit is borrowed as long as data is used; points are not. */
void prn_fit_data_init(struct prn_fit_data *data, const struct prn_fit *fit, const struct prn_point *points, size_t n);

/* A curve that was tried: the best v at one log(λ/K) of one shape, and Σ (d - D*)². */
struct prn_fit_trial {
	double log_rate, v, squares;
};

/* Tries two rates, each with one shape: reads their log_rate and writes the rest.  The final curve is chosen by these. */
void prn_fit_try_pair(struct prn_fit_data *data, const size_t shapes[2], struct prn_fit_trial trials[2]);

/* For each shape, a v that is nearly the best at one rate, and its Σ (d - D*)². */
struct prn_fit_sweep {
	union prn_fit_lanes v, squares;
};

/*
 * Tries one rate with all shapes.  A scan needs the position of the minimum only to 1e-6 of Σ d²: this sums floats, by vectors
 * of 32 bytes if wide (PRN_WIDE_HERE), else by those of 16; what comes out is the same to the last bit.
 */
void prn_fit_try_shapes(struct prn_fit_data *data, double log_rate, bool wide, struct prn_fit_sweep *sweep);

#endif
