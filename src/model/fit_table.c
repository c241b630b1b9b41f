#include "model/fit_internal.h"

#include "perennial/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parabola in v through D*(τ)/q at the three Chebyshev nodes of [0, PRN_FIT_V_MAX], by divided differences. */
static prn_fit_four tabulate(uint32_t items, double tau)
{
	double nodes[PRN_FIT_TERMS], values[PRN_FIT_TERMS], terms[PRN_FIT_TERMS] = { 0 };

	for (size_t i = 0; i < PRN_FIT_TERMS; i++) {
		struct prn_curve curve;

		nodes[i] = PRN_FIT_V_MAX * (0.5 - 0.5 * cos((2.0 * (double)i + 1) * M_PI / (2 * PRN_FIT_TERMS)));
		curve = prn_curve_scroll(prn_fit_share(nodes[i]), 1, items);
		values[i] = prn_curve_divergence(&curve, tau) / prn_fit_limit(nodes[i]);
	}
	for (size_t order = 1; order < PRN_FIT_TERMS; order++)
		for (size_t i = PRN_FIT_TERMS - 1; i >= order; i--)
			values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
	for (size_t i = PRN_FIT_TERMS; i-- > 0;) {
		for (size_t j = PRN_FIT_TERMS - 1; j > 0; j--)
			terms[j] = terms[j - 1] - nodes[i] * terms[j];
		terms[0] = values[i] - nodes[i] * terms[0];
	}
	return (prn_fit_four){ (float)terms[0], (float)terms[1], (float)terms[2], 0 };
}

int prn_fit_open(struct prn_fit **out)
{
	struct prn_fit *fit = aligned_alloc(_Alignof(struct prn_fit), sizeof *fit);

	if (!fit)
		return PRN_E_MEMORY;
	memset(fit, 0, sizeof *fit);
	for (size_t shape = 0; shape < PRN_FIT_SHAPES; shape++) {
		uint32_t items = prn_fit_items(shape);
		prn_fit_four *row = fit->rows[shape];

		for (size_t i = 0; i < PRN_FIT_CELLS + 2; i++) {
			double s = (double)i / PRN_FIT_CELLS;

			row[i] = tabulate(items, i < PRN_FIT_CELLS ? items * s / (1 - s) : INFINITY);
		}
		for (size_t i = 0; i < PRN_FIT_CELLS + 1; i++)
			for (size_t term = 0; term < PRN_FIT_TERMS; term++) {
				fit->cells[i].terms[term].of[shape] = row[i][term];
				fit->cells[i].rises[term].of[shape] = row[i + 1][term] - row[i][term];
			}
	}
	*out = fit;
	return 0;
}

void prn_fit_free(struct prn_fit *fit)
{
	free(fit);
}
