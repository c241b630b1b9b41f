/*
 * Measures a store in a cluster: durable observations per second, for different numbers at a time; beside a bare loop over
 * librados that reads and writes the same entries, and the same on LMDB.  PERENNIAL_RADOS is where the store may be made,
 * "rados:POOL/NAME?conf=FILE"; without it there are no rows.  Times are wall-clock times.
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#include "base/random.h"
#include "perennial/store.h"
#include "perennial/url.h"
#include "store/rados_internal.h"
#include "store/record.h"
#include "store/shared.h"

#include <string.h>

#define PAGES 50000
#define START 1767225600 /* 2026-01-01 */
#define SPREAD_S 2592000
#define STATE_BYTES 128
#define MOST 1024
#define SECONDS 3.0 /* the least time of a row */
#define ENOUGH 0.6  /* the goal, as a share of the bare loop */

struct work {
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_rados *bare;
	struct prn_random random;
	struct prn_digest keys[MOST];
	size_t count; /* observations at a time */
	size_t filled; /* entries of the bare object before anything is measured */
	unsigned char state[STATE_BYTES];
};

static void page_url(size_t number, char url[64])
{
	snprintf(url, 64, "http://www.h%zu.example/section/%zu.html", number % 997, number);
}

static struct prn_record make_record(struct work *work, const char *url)
{
	work->state[prn_random_below(&work->random, STATE_BYTES)]++;
	return (struct prn_record){ .key = prn_url_key(url), .url = url, .weight = 1, .lease = PRN_TIME_UNKNOWN,
		                    .due = START + (int64_t)prn_random_below(&work->random, SPREAD_S),
		                    .state = work->state, .state_bytes = STATE_BYTES };
}

static void fill(struct work *work)
{
	struct prn_error error;

	for (size_t i = 0; i < PAGES; i++) {
		char url[64];
		struct prn_record record;

		page_url(i, url);
		record = make_record(work, url);
		bench_check(prn_batch_put(work->batch, &record, &error), &error);
		if (i % 1000 == 999)
			bench_check(prn_batch_commit(work->batch, &error), &error);
	}
	bench_check(prn_batch_commit(work->batch, &error), &error);
}

/* Draws pages of one part of the store, so that none is in two. */
static void draw(struct work *work)
{
	bool fills = work->bare && work->filled < PAGES;
	size_t first = fills ? work->filled : (size_t)prn_random_below(&work->random, PAGES), stride = fills ? 1 : 37;

	work->filled += fills ? work->count : 0;
	for (size_t i = 0; i < work->count; i++) {
		char url[64];

		page_url((first + i * stride) % PAGES, url);
		work->keys[i] = prn_url_key(url);
	}
}

static void observe(void *context)
{
	struct work *work = context;
	unsigned char names[MOST][PRN_KEY_BYTES];
	struct prn_wanted wanted[MOST];
	struct prn_error error;

	draw(work);
	for (size_t i = 0; i < work->count; i++) {
		prn_key_bytes(&work->keys[i], names[i]);
		wanted[i] = (struct prn_wanted){ PRN_TABLE_PAGES, { names[i], PRN_KEY_BYTES } };
	}
	bench_check(prn_batch_want(work->batch, wanted, work->count, &error), &error);
	for (size_t i = 0; i < work->count; i++) {
		struct prn_record record, changed;

		bench_check(prn_batch_get(work->batch, &work->keys[i], &record, &error), &error);
		changed = make_record(work, record.url);
		bench_check(prn_batch_put(work->batch, &changed, &error), &error);
	}
	bench_check(prn_batch_commit(work->batch, &error), &error);
}

/* Reads and writes what the engine does for the same pages: records, and two names of queues for each. */
static void loop_bare(void *context)
{
	static char texts[3 * MOST][PRN_RADOS_NAME_BYTES];
	static unsigned char value[200];
	struct work *work = context;
	struct prn_rados *rados = work->bare;
	const struct prn_rados_library *library = &rados->cluster->library;
	const char *names[3 * MOST], *values[3 * MOST];
	size_t lengths[3 * MOST], value_lengths[3 * MOST], n = work->count;
	rados_read_op_t read = library->create_read_op();
	rados_write_op_t write = library->create_write_op();
	rados_omap_iter_t answers = NULL;
	uint64_t version = 0;
	int answer = 0;

	draw(work);
	for (size_t i = 0; i < 3 * n; i++) {
		unsigned char key[PRN_QUEUE_KEY_BYTES] = { 0 };
		size_t length = i < n ? PRN_KEY_BYTES : PRN_QUEUE_KEY_BYTES;

		prn_key_bytes(&work->keys[i % n], key + length - PRN_KEY_BYTES);
		if (i >= n)
			key[0] = 0x80, key[7] = (unsigned char)prn_random_below(&work->random, 256);
		lengths[i] = prn_rados_name(i < n ? PRN_TABLE_PAGES : PRN_TABLE_DUE, (struct prn_bytes){ key, length }, texts[i]);
		names[i] = texts[i];
		values[i] = (const char *)value;
		value_lengths[i] = i < n ? sizeof value : 0;
	}
	library->read_op_omap_get_vals_by_keys2(read, names, n, lengths, &answers, &answer);
	if (prn_rados_read(rados, read, &version) || answer)
		bench_check(-1, &(struct prn_error){ .text = "bare loop: cannot read" });
	library->omap_get_end(answers);
	library->release_read_op(read);
	library->write_op_assert_version(write, version);
	library->write_op_omap_set2(write, names, values, lengths, value_lengths, 2 * n);
	library->write_op_omap_rm_keys2(write, names + 2 * n, lengths + 2 * n, n);
	if (prn_rados_write_take(rados, write, &version))
		bench_check(-1, &(struct prn_error){ .text = "bare loop: cannot write" });
}

/* Returns the observations per second; run and base are timed in turn, so that both have the same conditions. */
static void measure(struct work *work, bench_fn *run, bench_fn *base, double *rate, double *base_rate)
{
	double seconds = 0, base_seconds = 0;
	size_t rounds = 0;

	run(work);
	for (; seconds + base_seconds < 2 * SECONDS; rounds++) {
		seconds += bench_seconds(BENCH_WALL, run, work);
		base_seconds += base ? bench_seconds(BENCH_WALL, base, work) : 0;
	}
	*rate = (double)(rounds * work->count) / seconds;
	if (base)
		*base_rate = (double)(rounds * work->count) / base_seconds;
}

static void next_due(void *context)
{
	struct work *work = context;
	struct prn_queued queued;
	struct prn_error error;
	struct prn_view *view;
	struct prn_walk *walk;

	bench_check(prn_view_open(&view, work->store, &error), &error);
	bench_check(prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, &error), &error);
	for (size_t i = 0; i < 1000; i++)
		if (prn_walk_queue_next(walk, &queued, &error) != 1)
			bench_check(-1, &error);
	prn_walk_free(walk);
	prn_view_close(view);
}

static void measure_store(struct work *work, const char *engine)
{
	static const size_t counts[] = { 1, 16, 256, MOST };
	struct prn_store_totals totals;
	struct prn_error error;
	char figure[80];

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		double rate, bare = 0;

		work->count = counts[i];
		measure(work, observe, work->bare ? loop_bare : NULL, &rate, &bare);
		snprintf(figure, sizeof figure, "%s: durable page states, by %zu", engine, counts[i]);
		bench_row(figure, "", rate, "states/s", 1);
		if (!work->bare)
			continue;
		snprintf(figure, sizeof figure, "%s: of a bare loop over librados, by %zu", engine, counts[i]);
		bench_row(figure, ">= 0.6", rate / bare, "", rate / bare >= ENOUGH);
	}
	snprintf(figure, sizeof figure, "%s: next 1000 due", engine);
	bench_row(figure, "", 1e3 * bench_time(BENCH_WALL, next_due, work), "ms", 1);
	bench_check(prn_store_totals(work->store, &totals, &error), &error);
	snprintf(figure, sizeof figure, "%s: bytes of a page, its URL and queue", engine);
	bench_row(figure, "", (double)totals.bytes / PAGES, "B", 1);
}

static void open_and_fill(struct work *work, const char *address)
{
	struct prn_error error;

	prn_random_seed(&work->random, 1, 0);
	bench_check(prn_store_create(address, NULL, 0, &error), &error);
	bench_check(prn_store_open(&work->store, address, PRN_STORE_WRITE, 0, &error), &error);
	bench_check(prn_batch_open(&work->batch, work->store, &error), &error);
	fill(work);
}

static void close_all(struct work *work)
{
	prn_batch_free(work->batch);
	prn_store_free(work->store);
	if (work->bare) {
		work->bare->cluster->library.remove(work->bare->cluster->pool, work->bare->object);
		prn_rados_free(&work->bare->head);
	}
}

int main(void)
{
	const char *place = getenv("PERENNIAL_RADOS"), *end = place ? strchr(place, '?') : NULL;
	struct work far_away = { 0 }, here = { 0 };
	char address[600], path[256];
	struct prn_error error;

	if (!end) {
		printf("# rados: no rows: PERENNIAL_RADOS=rados:POOL/NAME?conf=FILE is where a store may be made\n");
		return 0;
	}
	snprintf(address, sizeof address, "%.*s.%ld%s", (int)(end - place), place, (long)getpid(), end);
	open_and_fill(&far_away, address);
	snprintf(address, sizeof address, "%.*s.%ld.bare%s", (int)(end - place), place, (long)getpid(), end);
	bench_check(prn_store_create(address, NULL, 0, &error), &error);
	bench_check(prn_rados_connect(&far_away.bare, address + strlen("rados:"), &error), &error);
	far_away.count = MOST;
	while (far_away.filled < PAGES)
		loop_bare(&far_away);
	measure_store(&far_away, "rados");
	close_all(&far_away);
	scratch_path(path);
	open_and_fill(&here, path);
	measure_store(&here, "lmdb");
	close_all(&here);
	scratch_remove(path);
	return 0;
}
