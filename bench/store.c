/*
 * Measures the store on a disk, with states of 128 bytes.  Times are wall-clock times, because the disk is what is measured.
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#include "base/random.h"
#include "perennial/store.h"
#include "perennial/time.h"
#include "perennial/url.h"

#define START 1767225600 /* 2026-01-01 */
#define SPREAD_S (30 * PRN_DAY_S)
#define BATCH 1000
#define BATCHES 60
#define STATE_BYTES 128

struct work {
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_random random;
	struct prn_queued due[BATCH];
	size_t pages;
	uint64_t url_bytes;
	unsigned char state[STATE_BYTES];
};

static void put(struct work *work, const struct prn_digest *key, const char *url, int64_t after)
{
	struct prn_record record = { .key = *key, .url = url, .weight = 1, .lease = PRN_TIME_UNKNOWN, .state = work->state,
		                     .state_bytes = STATE_BYTES };
	struct prn_error error;

	record.due = after + (int64_t)prn_random_below(&work->random, SPREAD_S);
	work->state[prn_random_below(&work->random, STATE_BYTES)]++;
	bench_check(prn_batch_put(work->batch, &record, &error), &error);
}

static void commit(struct work *work)
{
	struct prn_error error;

	bench_check(prn_batch_commit(work->batch, &error), &error);
}

static void fill(struct work *work)
{
	for (size_t i = 0; i < work->pages; i++) {
		char url[64];
		struct prn_digest key;

		work->url_bytes += (uint64_t)snprintf(url, sizeof url, "http://www.h%zu.example/section/%zu.html", i % 9973, i) + 1;
		key = prn_url_key(url);
		put(work, &key, url, START);
		if (i % (work->pages / SCRATCH_COMMITS) == 0)
			commit(work);
	}
	commit(work);
}

static void next_due(void *context)
{
	struct work *work = context;
	struct prn_error error;
	struct prn_view *view;
	struct prn_walk *walk;

	bench_check(prn_view_open(&view, work->store, &error), &error);
	bench_check(prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, &error), &error);
	for (size_t i = 0; i < BATCH; i++)
		if (prn_walk_queue_next(walk, &work->due[i], &error) != 1)
			bench_check(-1, &error);
	prn_walk_free(walk);
	prn_view_close(view);
}

/* Reads the pages that are due next, changes their states, queues them elsewhere, and writes them to the disk. */
static void observe(void *context)
{
	struct work *work = context;
	struct prn_error error;

	next_due(work);
	for (size_t i = 0; i < BATCH; i++) {
		struct prn_record record;

		bench_check(prn_batch_get(work->batch, &work->due[i].key, &record, &error), &error);
		put(work, &record.key, record.url, START);
	}
	commit(work);
}

static void measure(struct work *work, double fill_s)
{
	struct prn_store_totals totals;
	struct prn_error error;
	double sum = 0, slowest = 0, bytes, due_s;

	for (size_t i = 0; i < BATCHES; i++) {
		double seconds = bench_seconds(BENCH_WALL, observe, work);

		sum += seconds;
		slowest = seconds > slowest ? seconds : slowest;
	}
	due_s = bench_time(BENCH_WALL, next_due, work);
	bench_check(prn_store_totals(work->store, &totals, &error), &error);
	bytes = (double)(totals.bytes - work->url_bytes) / (double)work->pages;
	bench_row("store: pages added, in 400 commits", "", (double)work->pages / fill_s, "pages/s", 1);
	bench_row("store: durable page states, by 1000", ">= 6000 a second", BATCHES * BATCH / sum, "states/s",
	          BATCHES * BATCH / sum >= 6000);
	bench_row("store: the slowest of these commits", "", 1e3 * slowest, "ms", 1);
	bench_row("store: next 1000 due", "<= 0.2 ms", 1e3 * due_s, "ms", due_s <= 0.2e-3);
	bench_row("store: disk for a page of 128 bytes, URL apart", "<= 400 B", bytes, "B", bytes <= 400);
	bench_row("store: memory of the process, file apart", "", scratch_memory(), "MB", 1);
}

int main(void)
{
	struct work work = { .pages = scratch_pages() };
	struct prn_error error;
	char path[256];
	double start;

	if (!scratch_fits("store", work.pages))
		return 0;
	scratch_path(path);
	prn_random_seed(&work.random, 1, 0);
	bench_check(prn_store_create(path, NULL, 0, &error), &error);
	bench_check(prn_store_open(&work.store, path, PRN_STORE_WRITE, 0, &error), &error);
	bench_check(prn_batch_open(&work.batch, work.store, &error), &error);
	start = bench_now(BENCH_WALL);
	fill(&work);
	measure(&work, bench_now(BENCH_WALL) - start);
	prn_batch_free(work.batch);
	prn_store_free(work.store);
	scratch_remove(path);
	return 0;
}
