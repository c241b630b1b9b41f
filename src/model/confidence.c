#include "model/confidence.h"

#include <math.h>

/* Rates are searched within the range that intervals may have (estimator_internal.h), and beyond it. */
#define RATE_MIN 1e-70
#define RATE_MAX 1e70

double prn_confidence_z(double confidence)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct search {
	prn_log_likelihood *log_likelihood;
	const void *context;
	double floor;
};

static int is_possible(const struct search *search, double rate)
{
	return search->log_likelihood(search->context, rate) >= search->floor;
}

/* Searches from a possible rate by growing factors, downwards (step < 1) or upwards; then bisects in the logarithm. */
static double end_of(const struct search *search, double from, double step)
{
	double inside = from, outside = from;

	do {
		inside = outside;
		outside *= step;
		step *= step;
		if (outside < RATE_MIN || outside > RATE_MAX) {
			outside = step < 1 ? RATE_MIN : RATE_MAX;
			if (is_possible(search, outside))
				return step < 1 ? 0 : INFINITY;
			break;
		}
	} while (is_possible(search, outside));
	for (int i = 0; i < 200 && fabs(outside / inside - 1) > 1e-12; i++) {
		double middle = sqrt(inside) * sqrt(outside);

		if (is_possible(search, middle))
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

void prn_confidence_find(prn_log_likelihood *log_likelihood, const void *context, double best, double scale, double z,
                         double *low, double *high)
{
	double top = !(best > 0) ? RATE_MIN : best < RATE_MAX ? best : RATE_MAX;
	struct search search = { log_likelihood, context, log_likelihood(context, top) - z * z / 2 };
	double from = best > 0 && best < RATE_MAX ? best : scale;

	/* The rate of the scale counts as possible only if it is. */
	while (!is_possible(&search, from))
		from = best > 0 ? from * 2 : from / 2;
	*low = best > 0 ? end_of(&search, from, 0.5) : 0;
	*high = best < RATE_MAX ? end_of(&search, from, 2) : INFINITY;
}

struct binomial {
	double x, n, t;
};

static double binomial_likelihood(const void *context, double rate)
{
	const struct binomial *seen = context;

	return (seen->x > 0 ? seen->x * log(-expm1(-rate * seen->t)) : 0) - (seen->n - seen->x) * rate * seen->t;
}

void prn_confidence_binomial(double x, double n, double t, double confidence, double *low, double *high)
{
	const struct binomial seen = { x, n, t };

	if (n > 0)
		prn_confidence_find(binomial_likelihood, &seen, x < n ? -log1p(-x / n) / t : INFINITY, 1 / t,
		                    prn_confidence_z(confidence), low, high);
}
