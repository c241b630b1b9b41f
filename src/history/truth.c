#include "history/truth.h"
#include "base/buffer.h"
#include "perennial/digest.h"
#include "perennial/pages.h"
#include "perennial/summary.h"
#include "perennial/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_S 0.5

void prn_truth_init(struct prn_truth *truth)
{
	*truth = (struct prn_truth){ 0 };
	prn_versions_init(&truth->versions);
	prn_rows_init(&truth->rows);
	truth->exact = (struct prn_seen){ .m = PRN_SUMMARY_ALL, .rows = &truth->rows };
	truth->whole = PRN_TRUTH_WHOLE;
}

static void release_seen(struct prn_seen *seen)
{
	prn_sketches_release(&seen->sketches);
	free(seen->room);
}

void prn_truth_release(struct prn_truth *truth)
{
	for (size_t i = 0; i < truth->estimate_count; i++) {
		release_seen(truth->estimates[i]);
		free(truth->estimates[i]);
	}
	free(truth->estimates);
	free(truth->time);
	free(truth->cost);
	free(truth->taken);
	free(truth->body);
	free(truth->since_modified);
	release_seen(&truth->exact);
	prn_rows_release(&truth->rows);
	free(truth->harmonic);
	prn_versions_release(&truth->versions);
	prn_truth_init(truth);
}

static int see_all(struct prn_truth *truth, const struct prn_page *page, struct prn_seen *seen)
{
	size_t versions = truth->versions.count;
	double *room = prn_array_grow(seen->room, &seen->capacity, versions * versions, sizeof *room);
	int code;

	if (!room)
		return PRN_E_MEMORY;
	seen->room = room;
	code = seen->m == PRN_SUMMARY_ALL ? prn_versions_exact(&truth->versions, page, room)
	                                  : prn_versions_estimate(&truth->versions, page, seen->m, room);
	seen->matrix = room;
	return code;
}

/* A page captured every few minutes for a year has so many versions that no machine has memory for all pairs. */
static int see(struct prn_truth *truth, const struct prn_page *page, struct prn_seen *seen)
{
	seen->matrix = NULL;
	seen->versions = truth->versions.count;
	if (seen->versions <= truth->whole)
		return see_all(truth, page, seen);
	return seen->m == PRN_SUMMARY_ALL ? prn_rows_read(seen->rows, &truth->versions, page)
	                                  : prn_versions_sketch(&truth->versions, page, seen->m, &seen->sketches);
}

double prn_seen_pair(const struct prn_seen *seen, uint32_t a, uint32_t b)
{
	if (seen->m != PRN_SUMMARY_ALL)
		return prn_sketches_divergence(&seen->sketches, a, b);
	return a < b ? prn_rows_get(seen->rows, a, b)[b - a] : prn_rows_get(seen->rows, b, a)[a - b];
}

static int sum_harmonic(struct prn_truth *truth)
{
	size_t versions = truth->versions.count;
	double *harmonic = prn_array_grow(truth->harmonic, &truth->harmonic_capacity, versions, sizeof *harmonic);

	if (!harmonic)
		return PRN_E_MEMORY;
	truth->harmonic = harmonic;
	harmonic[0] = 0;
	for (size_t n = 1; n < versions; n++)
		harmonic[n] = harmonic[n - 1] + 1 / (double)n;
	return 0;
}

/* A page whose Last-Modified is the time of its capture, or later, only reports its clock: it is ignored. */
static double since_modified(const struct prn_page_capture *capture, double unit_s)
{
	if (capture->modified == PRN_TIME_UNKNOWN || capture->modified >= capture->time)
		return 0;
	return ((double)capture->time - (double)capture->modified) / unit_s;
}

static int read_times(struct prn_truth *truth, const struct prn_page *page, size_t first, enum prn_clock clock)
{
	size_t n = truth->captures;
	const struct prn_page_capture *captures = &page->captures[first];
	double *time = prn_array_grow(truth->time, &truth->time_capacity, n, sizeof *time);
	double *modified;
	bool *taken;

	if (!time)
		return PRN_E_MEMORY;
	truth->time = time;
	taken = prn_array_grow(truth->taken, &truth->taken_capacity, n, sizeof *taken);
	if (!taken)
		return PRN_E_MEMORY;
	truth->taken = taken;
	modified = prn_array_grow(truth->since_modified, &truth->modified_capacity, n, sizeof *modified);
	if (!modified)
		return PRN_E_MEMORY;
	truth->since_modified = modified;
	truth->unit_s = clock == PRN_CLOCK_DAYS
		                ? PRN_DAY_S
		                : ((double)captures[n - 1].time - (double)captures[0].time) / (double)(n - 1);
	truth->start_s = (double)captures[0].time;
	for (size_t i = 0; i < n; i++) {
		time[i] = ((double)captures[i].time - (double)captures[0].time) / truth->unit_s;
		taken[i] = prn_kind_is_observation(captures[i].kind);
		modified[i] = since_modified(&captures[i], truth->unit_s);
	}
	return 0;
}

static int read_bodies(struct prn_truth *truth, const struct prn_page *page, size_t first)
{
	const struct prn_page_capture *captures = &page->captures[first];
	uint32_t *body = prn_array_grow(truth->body, &truth->body_capacity, truth->captures, sizeof *body);

	if (!body)
		return PRN_E_MEMORY;
	truth->body = body;
	for (size_t i = 0; i < truth->captures; i++)
		body[i] = captures[0].body ? captures[i].body : truth->versions.of[i];
	return 0;
}

static int read_costs(struct prn_truth *truth, const struct prn_page *page, size_t first)
{
	size_t n = truth->captures;
	double *cost = prn_array_grow(truth->cost, &truth->cost_capacity, n, sizeof *cost), sum = 0;

	if (!cost)
		return PRN_E_MEMORY;
	truth->cost = cost;
	for (size_t i = 0; i < n; i++) {
		const struct prn_page_capture *capture = &page->captures[first + i];

		cost[i] = 1;
		if (truth->mean_bytes > 0 && capture->body)
			cost[i] = (PRN_PAGES_HEAD_BYTES + (truth->taken[i] ? (double)capture->body_bytes : 0)) / truth->mean_bytes;
	}
	for (size_t i = 1; i < n; i++)
		sum += cost[i];
	truth->mean_cost = sum / (double)(n - 1);
	return 0;
}

/* The mean, over triples of consecutive taken captures that differ, of the share of the difference that came first. */
static double eagerness(const struct prn_truth *truth, bool holistic)
{
	double sum = 0;
	size_t triples = 0;

	for (size_t i = 0; i + 2 < truth->captures; i++) {
		double whole = prn_truth_divergence(truth, i, i + 2);
		double part = prn_truth_divergence(truth, i, i + 1);

		if (!truth->taken[i] || !truth->taken[i + 1] || !truth->taken[i + 2] || whole <= 0)
			continue;
		sum += holistic ? part > 0 : fmin(1, part / whole);
		triples++;
	}
	return triples ? sum / (double)triples : 0.5;
}

int prn_truth_read(struct prn_truth *truth, const struct prn_page *page, enum prn_clock clock)
{
	size_t first, last;
	int code;

	if (prn_page_life(page, &first, &last) || last - first + 1 < PRN_LIFE_CAPTURES)
		return 0;
	truth->captures = last - first + 1;
	truth->weight = page->weight;
	truth->page = prn_digest_bytes(page->url, page->url ? strlen(page->url) : 0).low;
	for (size_t i = 0; i < truth->estimate_count; i++)
		truth->estimates[i]->ready = false;
	code = read_times(truth, page, first, clock);
	if (!code)
		code = prn_versions_find(&truth->versions, page, first, last);
	if (!code)
		code = read_bodies(truth, page, first);
	if (!code)
		code = read_costs(truth, page, first);
	if (!code)
		code = see(truth, page, &truth->exact);
	if (!code)
		code = sum_harmonic(truth);
	if (code)
		return code;
	truth->eagerness = eagerness(truth, false);
	truth->holistic_eagerness = eagerness(truth, true);
	return 1;
}

static struct prn_seen *find_estimate(struct prn_truth *truth, size_t m)
{
	struct prn_seen **estimates;

	for (size_t i = 0; i < truth->estimate_count; i++)
		if (truth->estimates[i]->m == m)
			return truth->estimates[i];
	estimates = prn_array_grow(truth->estimates, &truth->estimate_capacity, truth->estimate_count + 1,
	                           sizeof *estimates);
	if (!estimates)
		return NULL;
	truth->estimates = estimates;
	estimates[truth->estimate_count] = calloc(1, sizeof **estimates);
	if (!estimates[truth->estimate_count])
		return NULL;
	estimates[truth->estimate_count]->m = m;
	return estimates[truth->estimate_count++];
}

int prn_truth_seen(struct prn_truth *truth, const struct prn_page *page, size_t m, const struct prn_seen **seen)
{
	struct prn_seen *estimate;
	int code = 0;

	*seen = &truth->exact;
	if (m == PRN_SUMMARY_ALL)
		return 0;
	estimate = find_estimate(truth, m);
	if (!estimate)
		return PRN_E_MEMORY;
	if (!estimate->ready)
		code = see(truth, page, estimate);
	if (code)
		return code;
	estimate->ready = true;
	*seen = estimate;
	return 0;
}

double prn_truth_integral(const struct prn_truth *truth, size_t base, size_t from, size_t to)
{
	const uint32_t *of = truth->versions.of, first = of[base];
	const double *row = prn_truth_row(truth, first, of[to]), *time = truth->time;
	double early = truth->eagerness, late = 1 - early, sum = 0;

	for (size_t i = from; i < to; i++)
		sum += (time[i + 1] - time[i]) * (late * row[of[i] - first] + early * row[of[i + 1] - first]);
	return sum;
}

double prn_truth_holistic_integral(const struct prn_truth *truth, size_t base, size_t from, size_t to)
{
	const uint32_t *of = truth->versions.of, first = of[base];
	const double *row = prn_truth_row(truth, first, of[to]), *time = truth->time;
	double early = truth->holistic_eagerness, late = 1 - early, sum = 0;

	for (size_t i = from; i < to; i++)
		sum += (time[i + 1] - time[i]) * (late * (row[of[i] - first] > 0) + early * (row[of[i + 1] - first] > 0));
	return sum;
}

size_t prn_truth_capture_at(const struct prn_truth *truth, size_t from, double time)
{
	size_t at = from;

	while (at < truth->captures && truth->time[at] + GRACE_S / truth->unit_s < time)
		at++;
	return at;
}
