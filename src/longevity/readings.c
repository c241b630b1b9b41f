#include "longevity/scope.h"

#include <math.h>

size_t prn_longevity_scopes(const struct prn_longevity *longevity)
{
	return longevity->scope_count;
}

size_t prn_longevity_pages(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].pages;
}

size_t prn_longevity_left_out(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].left_out;
}

size_t prn_longevity_clusters(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].resampled;
}

struct prn_interval prn_longevity_statistic(const struct prn_longevity *longevity, size_t scope, size_t statistic)
{
	return longevity->scopes[scope].statistics[statistic];
}

const struct prn_survival *prn_longevity_lifetimes(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].lifetimes;
}

const struct prn_survival *prn_longevity_unchanged(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].unchanged;
}

const struct prn_survival *prn_longevity_k(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].k;
}

const struct prn_survival *prn_longevity_scaled(const struct prn_longevity *longevity, size_t scope,
                                                enum prn_nature nature)
{
	return longevity->scopes[scope].scaled[nature - PRN_NATURE_CHURN];
}

/* Pr[N < K], N ~ Poisson(x), is how many of K changes are still to come: Σ over K of w_K Pr[N < K]. */
double prn_longevity_scaled_model(const struct prn_longevity *longevity, size_t scope, enum prn_nature nature,
                                  double x)
{
	const double *weights = longevity->scopes[scope].k_weights;
	double heavier = 0, total = 0, survival = 0;

	if (nature == PRN_NATURE_CHURN || x <= 0)
		return exp(-x);
	for (size_t k = 0; k <= PRN_CURVE_ITEMS; k++)
		total += weights[k];
	heavier = total;
	for (size_t k = 0; k < PRN_CURVE_ITEMS && heavier > 0; k++) {
		heavier -= weights[k];
		survival += exp((double)k * log(x) - x - lgamma((double)k + 1)) * heavier;
	}
	return total > 0 ? survival / total : NAN;
}

const struct prn_change_times *prn_longevity_change_times(const struct prn_longevity *longevity, size_t scope)
{
	return longevity->scopes[scope].change_times;
}
