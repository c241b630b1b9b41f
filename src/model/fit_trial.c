#include "model/fit_internal.h"

#include "base/portable.h"

#include <math.h>
#include <string.h>

#define STEPS 3 /* steps of Gauss-Newton towards the best share at one rate; a scan takes one */

#define TINY 1e-30 /* divisors below this count as zero */

typedef double two __attribute__((vector_size(16)));
typedef prn_fit_four four;
typedef prn_fit_eight eight;
typedef int64_t two_int __attribute__((vector_size(16)));
typedef int32_t four_int __attribute__((vector_size(16)));
typedef int32_t eight_int __attribute__((vector_size(32), aligned(16)));
typedef double four_doubles __attribute__((vector_size(32), aligned(16)));

_Static_assert(PRN_FIT_POINTS % 4 == 0, "points are placed by four");

void prn_fit_data_init(struct prn_fit_data *data, const struct prn_fit *fit, const struct prn_point *points, size_t n)
{
	double squares = 0, cross = 0, inner = 0;

	for (size_t i = 0; i < n; i++) {
		double t = (double)points[i].lag, d = (double)points[i].divergence;

		data->lags[i] = t;
		data->divergences[i] = points[i].divergence;
		squares += d * d;
		cross += d * t;
		inner += t * t;
	}
	for (size_t i = n; i % 4; i++)
		data->lags[i] = 0;
	data->fit = fit;
	data->n = n;
	data->squares = squares;
	data->cross = cross;
	data->inner = inner;
}

/* Four at a time: what the table is asked for after the last point is s = 0. */
static PRN_WIDE void place_points(const struct prn_fit_data *data, double log_rate, struct prn_fit_places *places)
{
	double rate = exp(log_rate);

	for (size_t i = 0; i < data->n; i += 4) {
		four_doubles lag, s;
		four_int cell;
		four part;

		memcpy(&lag, &data->lags[i], sizeof lag);
		lag *= rate;
		s = PRN_FIT_CELLS * (lag / (1 + lag));
		cell = __builtin_convertvector(s, four_int);
		part = __builtin_convertvector(s - __builtin_convertvector(cell, four_doubles), four);
		memcpy(&places->cells[i], &cell, sizeof cell);
		memcpy(&places->parts[i], &part, sizeof part);
	}
}

/* Two trials: of each the row of its shape, and the places of the points. */
struct two_source {
	const four *rows[2];
	const struct prn_fit_places *places;
};

static inline void two_read(const struct two_source *source, size_t i, two *a, two *b, two *c)
{
	const four *first = &source->rows[0][source->places[0].cells[i]];
	const four *second = &source->rows[1][source->places[1].cells[i]];
	four x = first[0] + source->places[0].parts[i] * (first[1] - first[0]);
	four y = second[0] + source->places[1].parts[i] * (second[1] - second[0]);

	*a = (two){ (double)x[0], (double)y[0] };
	*b = (two){ (double)x[1], (double)y[1] };
	*c = (two){ (double)x[2], (double)y[2] };
}

#define LANES two
#define NUMBER double
#include "model/fit_lanes.h"
#undef LANES
#undef NUMBER

/* One rate, with half of the shapes. */
struct four_source {
	const struct prn_fit_cell *cells;
	const struct prn_fit_places *places;
	size_t half;
};

static inline void four_read(const struct four_source *source, size_t i, four *a, four *b, four *c)
{
	const struct prn_fit_cell *cell = &source->cells[source->places->cells[i]];
	float part = source->places->parts[i];
	size_t half = source->half;

	*a = cell->terms[0].halves[half] + part * cell->rises[0].halves[half];
	*b = cell->terms[1].halves[half] + part * cell->rises[1].halves[half];
	*c = cell->terms[2].halves[half] + part * cell->rises[2].halves[half];
}

/* One rate, with all shapes. */
struct eight_source {
	const struct prn_fit_cell *cells;
	const struct prn_fit_places *places;
};

static inline void eight_read(const struct eight_source *source, size_t i, eight *a, eight *b, eight *c)
{
	const struct prn_fit_cell *cell = &source->cells[source->places->cells[i]];
	float part = source->places->parts[i];

	*a = cell->terms[0].all + part * cell->rises[0].all;
	*b = cell->terms[1].all + part * cell->rises[1].all;
	*c = cell->terms[2].all + part * cell->rises[2].all;
}

#define NUMBER float
#define LANES four
#include "model/fit_lanes.h"
#undef LANES
#define LANES eight
#include "model/fit_lanes.h"
#undef LANES
#undef NUMBER

/* The steps of one trial wait for each other; those of two go on side by side. */
PRN_WIDE void prn_fit_try_pair(struct prn_fit_data *data, const size_t shapes[2], struct prn_fit_trial trials[2])
{
	struct two_source source = { { data->fit->rows[shapes[0]], data->fit->rows[shapes[1]] }, data->places };
	two q, v, straight, misfit;
	struct two_sums sums;

	for (size_t k = 0; k < 2; k++)
		place_points(data, trials[k].log_rate, &data->places[k]);
	two_sum(data, &source, &sums);
	two_guess(&sums, &q, &straight);
	v = straight;
	for (int i = 0; i < STEPS; i++) {
		q = v * (1 / (1 + PRN_FIT_BEND * v)); /* a quotient that the step needs too */
		two_step(&sums, &q, &v);
	}
	for (size_t k = 0; k < 2; k++)
		if (prn_fit_items(shapes[k]) == 1) /* churn */
			v[k] = straight[k];
	two_misfit(&sums, data->squares, &v, &misfit);
	for (size_t k = 0; k < 2; k++) {
		trials[k].v = v[k];
		trials[k].squares = misfit[k];
	}
}

static PRN_WIDE void try_half(const struct prn_fit_data *data, size_t half, struct prn_fit_sweep *sweep)
{
	struct four_source source = { data->fit->cells, data->places, half };
	four *v = &sweep->v.halves[half], q;
	struct four_sums sums;

	four_sum(data, &source, &sums);
	four_guess(&sums, &q, v);
	four_step(&sums, &q, v);
	four_misfit(&sums, (float)data->squares, v, &sweep->squares.halves[half]);
}

static PRN_WIDE void try_all(const struct prn_fit_data *data, struct prn_fit_sweep *sweep)
{
	struct eight_source source = { data->fit->cells, data->places };
	struct eight_sums sums;
	eight *v = &sweep->v.all, q;

	eight_sum(data, &source, &sums);
	eight_guess(&sums, &q, v);
	eight_step(&sums, &q, v);
	eight_misfit(&sums, (float)data->squares, v, &sweep->squares.all);
}

/* A compiler makes two vectors of 16 bytes of one of 32, where that is not to be had, but the code takes twice as long. */
void prn_fit_try_shapes(struct prn_fit_data *data, double log_rate, bool wide, struct prn_fit_sweep *sweep)
{
	place_points(data, log_rate, &data->places[0]);
	if (wide) {
		try_all(data, sweep);
	} else {
		try_half(data, 0, sweep);
		try_half(data, 1, sweep);
	}
}
