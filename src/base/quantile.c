#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>

static int number_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double prn_quantile(const double *sorted, size_t count, double q)
{
	double at = q * (double)(count - 1);
	size_t below = (size_t)at;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

void prn_quantile_middle(double *values, size_t count, double share, double *low, double *high)
{
	size_t finite = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i]))
			values[finite++] = values[i];
	if (!finite || (double)finite < share * (double)count)
		return;
	qsort(values, finite, sizeof *values, number_order);
	*low = prn_quantile(values, finite, (1 - share) / 2);
	*high = prn_quantile(values, finite, (1 + share) / 2);
}
