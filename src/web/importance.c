#include "perennial/importance.h"

#include "base/parallel.h"
#include "perennial/url.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING (4 * DBL_EPSILON) /* of the score of the mean page, in a round */
#define CHUNK 4096 /* pages that a thread takes at a time: their sums are added in order, whichever thread computed them */

const char *prn_importance_name(enum prn_importance importance)
{
	static const char *const names[PRN_IMPORTANCES] = { "backlinks", "pagerank", "location", "hits" };

	return (unsigned)importance < PRN_IMPORTANCES ? names[importance] : "?";
}

/*
 * A sum with twice the digits (Neumaier 1974): without them the error of a page that very many link to would be larger than that
 * of all others together, and different in each round.
 */
struct sum {
	double high, low;
};

static inline void add(struct sum *sum, double value)
{
	double high = sum->high + value;

	/* No value is below 0, so the sum is the larger one, except at the start, where both are exact. */
	sum->low += sum->high >= value ? sum->high - high + value : value - high + sum->high;
	sum->high = high;
}

/* One round: a page's new score is the sum of what the pages that link to it, or that it links to, give it. */
struct round {
	const size_t *starts;
	const uint32_t *pages;
	size_t count;
	const double *given;
	double damping, share; /* score = share + damping * sum */
	double *scores;
	double *sums, *changes; /* [chunks] of scores, and of their changes */
};

static int gather(void *context, size_t thread, size_t chunk, struct prn_error *error)
{
	const struct round *round = context;
	size_t end = (chunk + 1) * CHUNK < round->count ? (chunk + 1) * CHUNK : round->count;
	double sum = 0, change = 0;

	(void)thread;
	(void)error;
	for (size_t i = chunk * CHUNK; i < end; i++) {
		struct sum all = { 0 };
		double score;

		for (size_t k = round->starts[i]; k < round->starts[i + 1]; k++)
			add(&all, round->given[round->pages[k]]);
		score = round->share + round->damping * (all.high + all.low);
		sum += score;
		change += fabs(score - round->scores[i]);
		round->scores[i] = score;
	}
	round->sums[chunk] = sum;
	round->changes[chunk] = change;
	return 0;
}

static double add_up(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

struct work {
	const struct prn_graph *graph;
	double damping, tolerance;
	size_t rounds, threads, chunks;
	double *given, *sums, *changes;
	double *hubs; /* of HITS */
	struct prn_error *error;
};

/* Does a round, and writes the means of the scores and of their changes.  PRN_E_MEMORY */
static int gather_all(const struct work *work, struct round *round, double *mean, double *change)
{
	double pages = (double)work->graph->page_count;
	int code;

	round->count = work->graph->page_count;
	round->sums = work->sums;
	round->changes = work->changes;
	code = prn_parallel_for(work->chunks, work->threads, gather, round, work->error);
	if (code)
		return code;
	*mean = add_up(work->sums, work->chunks) / pages;
	*change = add_up(work->changes, work->chunks) / pages;
	return 0;
}

/*
 * A round brings any two vectors closer by the factor d, in the sum of their differences: so the limit is at most d/(1 - d) times
 * the last change away.  Changes stop shrinking when a round shortens them by less than rounding adds: they stay at some units in the
 * last place over 1 - d.
 */
static int find_pagerank(const struct work *work, double *ranks, struct prn_importance_reached *reached)
{
	const struct prn_graph *graph = work->graph;
	double pages = (double)graph->page_count, d = work->damping, mean, change;
	double tolerance = fmax(work->tolerance, ROUNDING / (1 - d) * d / (1 - d));
	int code = 0;

	while (!code && !reached->converged && reached->rounds < work->rounds) {
		struct round round = { .starts = graph->from_starts, .pages = graph->from, .given = work->given, .damping = d,
			               .scores = ranks };
		struct sum dangling = { 0 };

		for (size_t i = 0; i < graph->page_count; i++) {
			size_t links = graph->to_starts[i + 1] - graph->to_starts[i];

			work->given[i] = links ? ranks[i] / (double)links : 0;
			if (!links)
				add(&dangling, ranks[i]);
		}
		round.share = 1 - d + d * (dangling.high + dangling.low) / pages;
		code = gather_all(work, &round, &mean, &change);
		if (code)
			break;
		reached->within = d / (1 - d) * change;
		reached->rounds++;
		reached->converged = reached->within <= tolerance;
	}
	return code;
}

static void scale(double *values, size_t count, double factor)
{
	for (size_t i = 0; i < count; i++)
		values[i] *= factor;
}

/* Hubs and authorities are scaled to the mean 1 in each round; otherwise they would grow without bound. */
static int find_authorities(const struct work *work, double *authorities, struct prn_importance_reached *reached)
{
	const struct prn_graph *graph = work->graph;
	struct round authority = { .starts = graph->from_starts, .pages = graph->from, .given = work->hubs, .damping = 1,
		                   .scores = authorities };
	struct round hub = { .starts = graph->to_starts, .pages = graph->to, .given = authorities, .damping = 1, .scores = work->hubs };
	size_t pages = graph->page_count;
	double *before = work->given, mean, change;
	int code = 0;

	for (size_t i = 0; i < pages; i++)
		work->hubs[i] = 1;
	while (!code && !reached->converged && reached->rounds < work->rounds) {
		memcpy(before, authorities, pages * sizeof *before);
		code = gather_all(work, &authority, &mean, &change);
		if (code)
			break;
		scale(authorities, pages, 1 / mean);
		code = gather_all(work, &hub, &mean, &change);
		if (code)
			break;
		scale(work->hubs, pages, 1 / mean);
		reached->within = 0;
		for (size_t i = 0; i < pages; i++)
			reached->within += fabs(authorities[i] - before[i]) / (double)pages;
		reached->rounds++;
		reached->converged = reached->within <= work->tolerance;
	}
	for (size_t i = 0; i < pages; i++)
		authorities[i] = 1 - work->damping + work->damping * authorities[i];
	return code;
}

static void count_backlinks(const struct work *work, double *weights)
{
	const struct prn_graph *graph = work->graph;
	double mean = (double)graph->link_count / (double)graph->page_count, d = work->damping;

	for (size_t i = 0; i < graph->page_count; i++)
		weights[i] = 1 - d + d * (double)(graph->from_starts[i + 1] - graph->from_starts[i]) / mean;
}

/* Returns how many parts the path of a normal form has; a query is one more. */
static size_t depth_of(const char *url)
{
	size_t length, depth = 0;
	const char *host = prn_url_host(url, &length), *path = host + length, *at;

	path += strcspn(path, "/?");
	for (at = path; *at && *at != '?'; at++)
		depth += *at == '/' && at[1] && at[1] != '/' && at[1] != '?';
	return depth + (*at == '?');
}

static int weigh_locations(const struct prn_graph *graph, double *weights, struct prn_error *error)
{
	double sum = 0;

	for (size_t i = 0; i < graph->page_count; i++) {
		if (!graph->urls[i])
			return prn_error_set(error, PRN_E_ARGUMENT, "a page without a URL has no location");
		sum += weights[i] = 1 / (1 + (double)depth_of(graph->urls[i]));
	}
	scale(weights, graph->page_count, (double)graph->page_count / sum);
	return 0;
}

static int check(const struct prn_importance_options *options, struct prn_error *error)
{
	if (!(options->damping >= 0 && options->damping < 1))
		return prn_error_set(error, PRN_E_ARGUMENT, "damping is a number from 0 and below 1");
	if (!(options->tolerance >= 0))
		return prn_error_set(error, PRN_E_ARGUMENT, "tolerance is a number above 0");
	return 0;
}

int prn_importance_weights(enum prn_importance importance, const struct prn_graph *graph, const struct prn_importance_options *options,
                           double *weights, struct prn_importance_reached *reached, struct prn_error *error)
{
	size_t pages = graph->page_count;
	struct work work = { .graph = graph, .error = error, .damping = options->damping, .chunks = (pages + CHUNK - 1) / CHUNK,
		             .tolerance = options->tolerance > 0 ? options->tolerance : PRN_IMPORTANCE_TOLERANCE,
		             .rounds = options->rounds ? options->rounds : PRN_IMPORTANCE_ROUNDS,
		             .threads = prn_parallel_threads(options->threads) };
	bool iterates = importance == PRN_IMPORTANCE_PAGERANK || importance == PRN_IMPORTANCE_HITS;
	int code = check(options, error);

	if (code)
		return code;
	*reached = (struct prn_importance_reached){ .converged = true };
	for (size_t i = 0; i < pages; i++)
		weights[i] = 1;
	if (!pages || (!graph->link_count && importance != PRN_IMPORTANCE_LOCATION))
		return 0;
	work.given = calloc(pages, sizeof *work.given);
	work.hubs = calloc(importance == PRN_IMPORTANCE_HITS ? pages : 1, sizeof *work.hubs);
	work.sums = calloc(work.chunks, sizeof *work.sums);
	work.changes = calloc(work.chunks, sizeof *work.changes);
	reached->converged = !iterates;
	if (!work.given || !work.hubs || !work.sums || !work.changes)
		code = prn_error_memory(error);
	else if (importance == PRN_IMPORTANCE_PAGERANK)
		code = find_pagerank(&work, weights, reached);
	else if (importance == PRN_IMPORTANCE_HITS)
		code = find_authorities(&work, weights, reached);
	else if (importance == PRN_IMPORTANCE_BACKLINKS)
		count_backlinks(&work, weights);
	else
		code = weigh_locations(graph, weights, error);
	free(work.given);
	free(work.hubs);
	free(work.sums);
	free(work.changes);
	return code;
}
