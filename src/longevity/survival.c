#include "longevity/survival_internal.h"
#include "base/buffer.h"
#include "base/quantile.h"
#include "longevity/draws.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define BINS_PER_OCTAVE 64
#define LEAST_OCTAVE (-20) /* in days, under a tenth of a second */
#define OCTAVES 44
#define BINS (OCTAVES * BINS_PER_OCTAVE)

/*
 * A bin lies within one octave, so that its durations are whole numbers of the octave's last binary place: their sum is exact.
 * Only below the least bin and beyond the last they are rounded.
 */
#define UNIT_BITS 53
__extension__ typedef unsigned __int128 prn_wide;

/* The lives of one cluster whose birth was seen. */
struct cluster {
	uint32_t ended[BINS], cut[BINS];
};

struct prn_survival {
	uint64_t counts[BINS][PRN_CENSORINGS];
	prn_wide sum[BINS]; /* of the durations, in units of their bin: the same in any order */
	struct cluster **clusters; /* [cluster_count]; NULL: nothing was added */
	size_t cluster_count;

	struct prn_survival_point *points; /* one a bin in use */
	uint32_t *bins;                    /* [point_count] */
	size_t point_count;
	uint64_t totals[PRN_CENSORINGS];
	struct prn_interval median;
};

const char *prn_censoring_name(enum prn_censoring censoring)
{
	static const char *const names[PRN_CENSORINGS] = { "not", "right", "left", "both" };

	return (unsigned)censoring < PRN_CENSORINGS ? names[censoring] : "?";
}

int prn_survival_open(struct prn_survival **out, size_t clusters)
{
	struct prn_survival *survival = calloc(1, sizeof *survival);

	if (!survival)
		return PRN_E_MEMORY;
	survival->cluster_count = clusters;
	survival->clusters = calloc(clusters ? clusters : 1, sizeof(struct cluster *));
	if (!survival->clusters) {
		free(survival);
		return PRN_E_MEMORY;
	}
	*out = survival;
	return 0;
}

void prn_survival_free(struct prn_survival *survival)
{
	if (!survival)
		return;
	for (size_t i = 0; i < survival->cluster_count; i++)
		free(survival->clusters[i]);
	free(survival->clusters);
	free(survival->points);
	free(survival->bins);
	free(survival);
}

static size_t bin_of(double duration)
{
	double bin = floor((log2(duration) - LEAST_OCTAVE) * BINS_PER_OCTAVE);

	return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : (size_t)bin;
}

static double unit_of(size_t bin)
{
	return ldexp(1, LEAST_OCTAVE + (int)(bin / BINS_PER_OCTAVE) - UNIT_BITS);
}

/* Converts to units of the bin.  Durations far beyond the last bin count as 1024 times as long as it. */
static prn_wide units_of(double duration, size_t bin)
{
	return (uint64_t)rint(fmin(duration / unit_of(bin), 0x1p63));
}

static double sum_of(const struct prn_survival *survival, size_t bin)
{
	return (double)survival->sum[bin] * unit_of(bin);
}

int prn_survival_add(struct prn_survival *survival, size_t cluster, double duration, enum prn_censoring censoring)
{
	size_t bin;

	if (!(duration > 0))
		return 0;
	bin = bin_of(duration);
	survival->counts[bin][censoring]++;
	survival->sum[bin] += units_of(duration, bin);
	survival->totals[censoring]++;
	if (!survival->cluster_count || (censoring != PRN_CENSORED_NOT && censoring != PRN_CENSORED_RIGHT))
		return 0;
	if (!survival->clusters[cluster])
		survival->clusters[cluster] = calloc(1, sizeof(struct cluster));
	if (!survival->clusters[cluster])
		return PRN_E_MEMORY;
	if (censoring == PRN_CENSORED_NOT)
		survival->clusters[cluster]->ended[bin] += survival->clusters[cluster]->ended[bin] < UINT32_MAX;
	else
		survival->clusters[cluster]->cut[bin] += survival->clusters[cluster]->cut[bin] < UINT32_MAX;
	return 0;
}

/* Computes S after each of [count] points from their ends and cuts; within a point ends come before cuts. */
static void kaplan_meier(const double *ended, const double *cut, size_t count, double *at_risk, double *survival)
{
	double there = 0, share = 1;

	for (size_t i = count; i-- > 0;)
		at_risk[i] = there += ended[i] + cut[i];
	for (size_t i = 0; i < count; i++) {
		if (at_risk[i] > 0)
			share *= 1 - ended[i] / at_risk[i];
		survival[i] = share;
	}
}

static double median_of(const struct prn_survival_point *points, const double *survival, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (survival[i] <= 0.5)
			return points[i].duration;
	return NAN;
}

/* Columns of numbers that finishing uses, with one number for each point. */
struct work {
	double *ended, *cut, *at_risk, *survival;
	double *resampled; /* [points + 1][resamples] S at each point, and the median */
	uint32_t *times;
};

static void work_release(struct work *work)
{
	free(work->ended);
	free(work->resampled);
	free(work->times);
}

static int work_open(struct work *work, size_t points, const struct prn_draws *draws)
{
	size_t resamples = draws ? draws->resamples : 0;

	*work = (struct work){ 0 };
	work->ended = calloc(points + 1, 4 * sizeof *work->ended);
	if (!work->ended)
		return PRN_E_MEMORY;
	work->cut = work->ended + points;
	work->at_risk = work->cut + points;
	work->survival = work->at_risk + points;
	if (!resamples)
		return 0;
	work->times = calloc(draws->count + 1, sizeof *work->times);
	if (resamples <= SIZE_MAX / (points + 1))
		work->resampled = calloc(resamples * (points + 1), sizeof *work->resampled);
	return work->times && work->resampled ? 0 : PRN_E_MEMORY;
}

static void resample(const struct prn_survival *survival, const struct prn_draws *draws, size_t r, struct work *work)
{
	size_t points = survival->point_count;

	prn_draws_make(draws, r, work->times);
	for (size_t i = 0; i < points; i++)
		work->ended[i] = work->cut[i] = 0;
	for (size_t c = 0; c < draws->count; c++) {
		const struct cluster *cluster = survival->clusters[draws->in_use[c]];
		double times = work->times[c];

		if (!cluster || times <= 0)
			continue;
		for (size_t i = 0; i < points; i++) {
			work->ended[i] += times * cluster->ended[survival->bins[i]];
			work->cut[i] += times * cluster->cut[survival->bins[i]];
		}
	}
	kaplan_meier(work->ended, work->cut, points, work->at_risk, work->survival);
	for (size_t i = 0; i < points; i++)
		work->resampled[i * draws->resamples + r] = work->survival[i];
	work->resampled[points * draws->resamples + r] = median_of(survival->points, work->survival, points);
}

static void set_intervals(struct prn_survival *survival, const struct prn_draws *draws, struct work *work)
{
	size_t points = survival->point_count;

	for (size_t r = 0; r < draws->resamples; r++)
		resample(survival, draws, r, work);
	for (size_t i = 0; i <= points; i++) {
		struct prn_interval *interval = i < points ? &survival->points[i].survival : &survival->median;

		if (isfinite(interval->value))
			prn_quantile_middle(&work->resampled[i * draws->resamples], draws->resamples,
			                    PRN_DRAWS_CONFIDENCE, &interval->low, &interval->high);
	}
}

static void set_point(struct prn_survival *survival, size_t i, const struct work *work, uint64_t *known_left)
{
	struct prn_survival_point *point = &survival->points[i];
	uint64_t known = survival->totals[PRN_CENSORED_NOT];

	*known_left -= point->counts[PRN_CENSORED_NOT];
	point->at_risk = (uint64_t)work->at_risk[i];
	point->survival = (struct prn_interval){ work->survival[i], NAN, NAN };
	point->known_only = known ? (double)*known_left / (double)known : NAN;
}

static bool in_use(const struct prn_survival *survival, size_t bin)
{
	return survival->counts[bin][PRN_CENSORED_NOT] || survival->counts[bin][PRN_CENSORED_RIGHT] ||
	       survival->counts[bin][PRN_CENSORED_LEFT] || survival->counts[bin][PRN_CENSORED_BOTH];
}

static int open_points(struct prn_survival *survival)
{
	size_t n = 0;

	for (size_t bin = 0; bin < BINS; bin++)
		n += in_use(survival, bin);
	survival->points = calloc(n + 1, sizeof *survival->points);
	survival->bins = calloc(n + 1, sizeof *survival->bins);
	if (!survival->points || !survival->bins)
		return PRN_E_MEMORY;
	for (size_t bin = 0; bin < BINS; bin++) {
		struct prn_survival_point *point = &survival->points[survival->point_count];
		uint64_t count = 0;

		if (!in_use(survival, bin))
			continue;
		for (int kind = 0; kind < PRN_CENSORINGS; kind++)
			count += point->counts[kind] = survival->counts[bin][kind];
		point->duration = sum_of(survival, bin) / (double)count;
		survival->bins[survival->point_count++] = (uint32_t)bin;
	}
	return 0;
}

int prn_survival_finish(struct prn_survival *survival, const struct prn_draws *draws)
{
	uint64_t known_left = survival->totals[PRN_CENSORED_NOT];
	struct work work = { 0 };
	int code = open_points(survival);

	if (!code)
		code = work_open(&work, survival->point_count, draws);
	if (code)
		goto out;
	for (size_t i = 0; i < survival->point_count; i++) {
		work.ended[i] = (double)survival->points[i].counts[PRN_CENSORED_NOT];
		work.cut[i] = (double)survival->points[i].counts[PRN_CENSORED_RIGHT];
	}
	kaplan_meier(work.ended, work.cut, survival->point_count, work.at_risk, work.survival);
	for (size_t i = 0; i < survival->point_count; i++)
		set_point(survival, i, &work, &known_left);
	survival->median = (struct prn_interval){ median_of(survival->points, work.survival, survival->point_count),
		                                  NAN, NAN };
	if (draws && draws->resamples && draws->count > 1 && survival->cluster_count)
		set_intervals(survival, draws, &work);
out:
	work_release(&work);
	return code;
}

static int write_bins(const struct cluster *cluster, struct prn_buffer *out)
{
	size_t used = 0, before = 0;
	int failed;

	for (size_t bin = 0; bin < BINS && cluster; bin++)
		used += cluster->ended[bin] || cluster->cut[bin];
	failed = prn_buffer_append_varint(out, used);
	for (size_t bin = 0; bin < BINS && used && !failed; bin++) {
		if (!cluster->ended[bin] && !cluster->cut[bin])
			continue;
		failed = prn_buffer_append_varint(out, bin - before) || prn_buffer_append_varint(out, cluster->ended[bin]) ||
		         prn_buffer_append_varint(out, cluster->cut[bin]);
		before = bin;
	}
	return failed;
}

int prn_survival_write(const struct prn_survival *survival, struct prn_buffer *out)
{
	size_t used = 0, before = 0;
	int failed;

	for (size_t bin = 0; bin < BINS; bin++)
		used += in_use(survival, bin);
	failed = prn_buffer_append_varint(out, used);
	for (size_t bin = 0; bin < BINS && !failed; bin++) {
		if (!in_use(survival, bin))
			continue;
		failed = prn_buffer_append_varint(out, bin - before) ||
		         prn_buffer_append_u64(out, (uint64_t)survival->sum[bin]) ||
		         prn_buffer_append_u64(out, (uint64_t)(survival->sum[bin] >> 64));
		for (int kind = 0; kind < PRN_CENSORINGS && !failed; kind++)
			failed = prn_buffer_append_varint(out, survival->counts[bin][kind]);
		before = bin;
	}
	for (size_t i = 0; i < survival->cluster_count && !failed; i++)
		failed = write_bins(survival->clusters[i], out);
	return failed ? PRN_E_MEMORY : 0;
}

/* Reads the next bin in use, which must come after the previous one. */
static bool read_bin(struct prn_cursor *in, bool first, size_t *bin)
{
	uint64_t step;

	if (prn_cursor_varint(in, &step) || step >= BINS - *bin || (!step && !first))
		return false;
	*bin += (size_t)step;
	return true;
}

static uint32_t add_bounded(uint32_t a, uint64_t b)
{
	return b < UINT32_MAX - a ? a + (uint32_t)b : UINT32_MAX;
}

static int add_bins(struct prn_survival *survival, size_t to, struct prn_cursor *in)
{
	struct cluster **cluster = &survival->clusters[to];
	uint64_t used, ended, cut;
	size_t bin = 0;

	if (prn_cursor_varint(in, &used) || used > BINS)
		return PRN_E_INPUT;
	if (used && !*cluster)
		*cluster = calloc(1, sizeof **cluster);
	if (used && !*cluster)
		return PRN_E_MEMORY;
	for (uint64_t i = 0; i < used; i++) {
		if (!read_bin(in, !i, &bin) || prn_cursor_varint(in, &ended) || prn_cursor_varint(in, &cut))
			return PRN_E_INPUT;
		(*cluster)->ended[bin] = add_bounded((*cluster)->ended[bin], ended);
		(*cluster)->cut[bin] = add_bounded((*cluster)->cut[bin], cut);
	}
	return 0;
}

/* Reads a count of lives, which must be small enough that the sums over all parts cannot overflow. */
static bool read_count(struct prn_cursor *in, uint64_t *count)
{
	return !prn_cursor_varint(in, count) && *count <= UINT64_MAX >> 14;
}

int prn_survival_add_written(struct prn_survival *survival, const uint32_t *to, size_t clusters, struct prn_cursor *in)
{
	uint64_t used, low = 0, high = 0, count;
	size_t bin = 0;
	int code = 0;

	if (prn_cursor_varint(in, &used) || used > BINS)
		return PRN_E_INPUT;
	for (uint64_t i = 0; i < used; i++) {
		if (!read_bin(in, !i, &bin) || prn_cursor_u64(in, &low) || prn_cursor_u64(in, &high) || high > UINT64_MAX >> 14)
			return PRN_E_INPUT;
		survival->sum[bin] += (prn_wide)high << 64 | low;
		for (int kind = 0; kind < PRN_CENSORINGS; kind++) {
			if (!read_count(in, &count))
				return PRN_E_INPUT;
			survival->counts[bin][kind] += count;
			survival->totals[kind] += count;
		}
		if (!in_use(survival, bin))
			return PRN_E_INPUT;
	}
	for (size_t i = 0; i < clusters && survival->cluster_count && !code; i++)
		code = add_bins(survival, to[i], in);
	return code;
}

size_t prn_survival_count(const struct prn_survival *survival)
{
	return survival->point_count;
}

const struct prn_survival_point *prn_survival_points(const struct prn_survival *survival)
{
	return survival->points;
}

uint64_t prn_survival_total(const struct prn_survival *survival, enum prn_censoring censoring)
{
	return survival->totals[censoring];
}

struct prn_interval prn_survival_median(const struct prn_survival *survival)
{
	return survival->median;
}
