#include "longevity/scope.h"
#include "base/quantile.h"
#include "longevity/draws.h"
#include "longevity/statistics.h"
#include "longevity/survival_internal.h"

#include <math.h>
#include <stdlib.h>

int prn_scope_open(struct prn_scope *s, const struct prn_part *part, size_t draws)
{
	int code;

	s->rows = part->of > 1 ? s->clusters.rows : s->clusters.count;
	s->sums = calloc(s->rows + 1, PRN_SUMS * sizeof *s->sums);
	s->statistics = calloc(prn_statistics(), sizeof *s->statistics);
	if (!s->sums || !s->statistics)
		return PRN_E_MEMORY;
	code = prn_survival_open(&s->lifetimes, s->clusters.count);
	if (!code)
		code = prn_survival_open(&s->unchanged, s->clusters.count);
	if (!code)
		code = prn_survival_open(&s->k, s->clusters.count);
	for (size_t i = 0; i < PRN_SCOPE_NATURES && !code; i++)
		code = prn_survival_open(&s->scaled[i], 0);
	return code ? code : prn_poisson_init(&s->poisson, draws);
}

void prn_scope_release(struct prn_scope *s)
{
	prn_clusters_release(&s->clusters);
	free(s->sums);
	free(s->statistics);
	prn_survival_free(s->lifetimes);
	prn_survival_free(s->unchanged);
	prn_survival_free(s->k);
	for (size_t i = 0; i < PRN_SCOPE_NATURES; i++)
		prn_survival_free(s->scaled[i]);
	prn_poisson_release(&s->poisson);
}

/* A fragment that is still there counts by the changes that it survived: the one that would end it has not come yet. */
static int add_k(struct prn_scope *s, size_t cluster, const struct prn_lifetime *lifetime)
{
	double survived = lifetime->survived;

	if (lifetime->censoring == PRN_CENSORED_NOT)
		return prn_survival_add(s->k, cluster, survived + 1, PRN_CENSORED_NOT);
	return prn_survival_add(s->k, cluster, survived, lifetime->censoring);
}

static int add_lifetime(struct prn_scope *s, size_t cluster, const struct prn_study_result *page,
                        const struct prn_lifetime *lifetime)
{
	int code = prn_survival_add(s->lifetimes, cluster, lifetime->days, lifetime->censoring);

	if (!code)
		code = add_k(s, cluster, lifetime);
	if (code || (page->nature != PRN_NATURE_CHURN && page->nature != PRN_NATURE_SCROLL))
		return code;
	/* The weights are those of the estimate: lifetimes whose birth was seen. */
	if (page->nature == PRN_NATURE_SCROLL && page->dominant_k &&
	    (lifetime->censoring == PRN_CENSORED_NOT || lifetime->censoring == PRN_CENSORED_RIGHT))
		s->k_weights[page->dominant_k < PRN_CURVE_ITEMS ? page->dominant_k : PRN_CURVE_ITEMS]++;
	return prn_survival_add(s->scaled[page->nature - PRN_NATURE_CHURN], 0, lifetime->days / page->interval_days,
	                        lifetime->censoring);
}

int prn_scope_add(struct prn_scope *s, const struct prn_study *study, const struct prn_poisson *poisson,
                  double poisson_p)
{
	const struct prn_study_result *page = prn_study_result(study);
	size_t cluster = s->clusters.of[s->next++], slot = s->clusters.slot_rows[cluster], count;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(study, &count);
	int code = prn_survival_add(s->unchanged, cluster, page->unchanged_days,
	                            page->unchanged_ended ? PRN_CENSORED_NOT : PRN_CENSORED_RIGHT);

	s->pages++;
	prn_sums_add_page(&s->sums[cluster * PRN_SUMS], page, poisson_p);
	if (slot < s->rows)
		prn_sums_add_page(&s->sums[slot * PRN_SUMS], page, poisson_p);
	prn_poisson_add(&s->poisson, poisson);
	for (size_t i = 0; i < count && !code; i++)
		code = add_lifetime(s, cluster, page, &lifetimes[i]);
	return code;
}

void prn_scope_leave_out(struct prn_scope *s)
{
	s->next++;
	s->left_out++;
}

/* Computes the statistics that are functions of sums, over all clusters or over a resample of them. */
static void sum_clusters(const struct prn_scope *s, const struct prn_draws *draws, const uint32_t *times, double *sums)
{
	for (size_t j = 0; j < PRN_SUMS; j++)
		sums[j] = 0;
	for (size_t c = 0; c < draws->count; c++) {
		const double *cluster = &s->sums[draws->in_use[c] * PRN_SUMS];
		double n = times ? times[c] : 1;

		for (size_t j = 0; j < PRN_SUMS && n > 0; j++)
			sums[j] += n * cluster[j];
	}
}

static int set_intervals(struct prn_scope *s, const struct prn_draws *draws)
{
	size_t count = prn_statistics();
	uint32_t *times = calloc(draws->count, sizeof *times);
	double *values = draws->resamples <= SIZE_MAX / count ? calloc(draws->resamples * count, sizeof *values) : NULL;
	double sums[PRN_SUMS];

	if (times && values) {
		for (size_t r = 0; r < draws->resamples; r++) {
			prn_draws_make(draws, r, times);
			sum_clusters(s, draws, times, sums);
			for (size_t i = 0; i < count; i++)
				if (prn_statistic_kind(i) == PRN_STATISTIC_OF_SUMS)
					values[i * draws->resamples + r] = prn_statistic_value(i, sums);
		}
		for (size_t i = 0; i < count; i++)
			if (prn_statistic_kind(i) == PRN_STATISTIC_OF_SUMS && isfinite(s->statistics[i].value))
				prn_quantile_middle(&values[i * draws->resamples], draws->resamples,
				                    PRN_DRAWS_CONFIDENCE, &s->statistics[i].low,
				                    &s->statistics[i].high);
	}
	free(times);
	free(values);
	return times && values ? 0 : PRN_E_MEMORY;
}

static void set_statistics(struct prn_scope *s, const struct prn_draws *draws)
{
	double sums[PRN_SUMS];

	sum_clusters(s, draws, NULL, sums);
	for (size_t i = 0; i < prn_statistics(); i++) {
		struct prn_interval *statistic = &s->statistics[i];

		*statistic = (struct prn_interval){ NAN, NAN, NAN };
		switch (prn_statistic_kind(i)) {
		case PRN_STATISTIC_COUNT:
		case PRN_STATISTIC_OF_SUMS:
			statistic->value = prn_statistic_value(i, sums);
			break;
		case PRN_STATISTIC_LIFETIME:
			*statistic = prn_survival_median(s->lifetimes);
			break;
		case PRN_STATISTIC_HALF_LIFE:
			*statistic = prn_survival_median(s->unchanged);
			break;
		case PRN_STATISTIC_POISSON:
			statistic->value = prn_poisson_p(&s->poisson);
			break;
		}
	}
}

static int finish_survivals(struct prn_scope *s, const struct prn_draws *draws)
{
	int code = prn_survival_finish(s->lifetimes, draws);

	if (!code)
		code = prn_survival_finish(s->unchanged, draws);
	if (!code)
		code = prn_survival_finish(s->k, draws);
	for (size_t i = 0; i < PRN_SCOPE_NATURES && !code; i++)
		code = prn_survival_finish(s->scaled[i], NULL);
	return code;
}

int prn_scope_finish(struct prn_scope *s, const struct prn_longevity_options *options)
{
	uint32_t *in_use = calloc(s->clusters.count + 1, sizeof *in_use);
	struct prn_draws draws = { .clusters = s->clusters.count, .resamples = options->resamples, .in_use = in_use,
		                   .seed = options->seed };
	int code = in_use ? 0 : PRN_E_MEMORY;

	for (size_t c = 0; c < s->clusters.count && !code; c++)
		if (s->sums[c * PRN_SUMS] > 0)
			in_use[draws.count++] = (uint32_t)c;
	s->resampled = draws.count;
	if (!code)
		code = finish_survivals(s, &draws);
	if (!code)
		code = prn_poisson_bins(&s->poisson, s->change_times);
	if (!code) {
		set_statistics(s, &draws);
		/* One cluster says nothing about others. */
		if (draws.resamples && draws.count > 1)
			code = set_intervals(s, &draws);
	}
	free(in_use);
	return code;
}
