#include "base/parallel.h"
#include "evaluate/truth.h"
#include "perennial/evaluate.h"

#include <stdlib.h>
#include <string.h>

static size_t trace_of(const struct prn_trace_pool *pool, size_t i)
{
	size_t low = 0, high = pool->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (pool->starts[middle] <= i)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static const char *pool_url(void *context, size_t i)
{
	const struct prn_trace_pool *pool = context;
	size_t trace = trace_of(pool, i);

	return prn_trace_url(pool->traces[trace], i - pool->starts[trace]);
}

static size_t pool_corpus(void *context, size_t i)
{
	return trace_of(context, i);
}

static int pool_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const struct prn_trace_pool *pool = context;
	size_t trace = trace_of(pool, i);

	return prn_trace_page(pool->traces[trace], i - pool->starts[trace], page, error);
}

int prn_trace_pool_init(struct prn_trace_pool *pool, const struct prn_trace *const *traces, size_t count,
                        struct prn_pages *pages)
{
	size_t *starts = count < SIZE_MAX ? calloc(count + 1, sizeof *starts) : NULL;

	if (!starts)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < count; i++) {
		size_t n = prn_trace_pages(traces[i]);

		if (n > SIZE_MAX - starts[i]) {
			free(starts);
			return PRN_E_LIMIT;
		}
		starts[i + 1] = starts[i] + n;
	}
	*pool = (struct prn_trace_pool){ .traces = traces, .starts = starts, .count = count };
	*pages = (struct prn_pages){ .count = starts[count],
		                     .corpora = count,
		                     .context = pool,
		                     .url = pool_url,
		                     .corpus = pool_corpus,
		                     .read = pool_read };
	return 0;
}

void prn_trace_pool_release(struct prn_trace_pool *pool)
{
	free(pool->starts);
	*pool = (struct prn_trace_pool){ 0 };
}

struct reader {
	struct prn_page page;
	struct prn_truth truth;
};

struct reading {
	const struct prn_pages *pages;
	enum prn_clock clock;
	struct reader *readers; /* one a thread */
	struct prn_life *lives;
};

/* Between each taken capture and the one taken before it. */
static void sum_drift(const struct prn_truth *truth, struct prn_drifted *drift)
{
	size_t before = 0;

	for (size_t at = 1; at < truth->captures; at++) {
		double divergence;

		if (!truth->taken[at])
			continue;
		divergence = prn_truth_divergence(truth, before, at);
		drift->moved += divergence;
		drift->squared += divergence * divergence;
		drift->time += truth->time[at] - truth->time[before];
		before = at;
	}
}

static int read_life(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct reading *reading = context;
	struct reader *reader = &reading->readers[thread];
	struct prn_life *life = &reading->lives[item];
	int code = reading->pages->read(reading->pages->context, item, &reader->page, error);

	*life = (struct prn_life){ 0 };
	if (code < 0)
		return code;
	code = prn_truth_read(&reader->truth, &reader->page, reading->clock);
	if (code < 0)
		return prn_error_set(error, code, "no memory for page %zu", item);
	if (!code)
		return 0;
	life->weight = reader->truth.weight;
	life->captures = reader->truth.captures;
	life->interval = reader->truth.time[life->captures - 1] / (double)(life->captures - 1);
	sum_drift(&reader->truth, &life->drift);
	return 0;
}

int prn_lives_read(struct prn_life *lives, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                   struct prn_error *error)
{
	struct reading reading = { .pages = pages, .clock = clock, .lives = lives };
	int code;

	reading.readers = calloc(threads, sizeof *reading.readers);
	if (!reading.readers)
		return prn_error_set(error, PRN_E_MEMORY, "no memory for %zu threads", threads);
	for (size_t i = 0; i < threads; i++) {
		prn_page_init(&reading.readers[i].page);
		prn_truth_init(&reading.readers[i].truth);
	}
	code = prn_parallel_for(pages->count, threads, read_life, &reading, error);
	for (size_t i = 0; i < threads; i++) {
		prn_page_release(&reading.readers[i].page);
		prn_truth_release(&reading.readers[i].truth);
	}
	free(reading.readers);
	return code;
}
