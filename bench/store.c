/*
 * The store's rows of design.md's table, on a disk: STORE_PAGES pages (2 million unless the environment says) with
 * states of 128 bytes in STORE_FOLDER (the current one).  Times are of the wall: the disk is what is measured.
 */
#include "bench/bench.h"

#include "base/random.h"
#include "perennial/store.h"
#include "perennial/url.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define DAY_S 86400
#define START 1767225600 /* 2026-01-01 */
#define SPREAD_S (30 * DAY_S)
#define FILLS 400 /* fewer are faster and leave more of the file free, as a commit keeps what it replaces */
#define BATCH 1000
#define BATCHES 60
#define STATE_BYTES 128
#define DISK_BYTES_PER_PAGE 700.0 /* wanted free: the store itself and what a commit needs beside it */

struct work {
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_random random;
	struct prn_queued due[BATCH];
	size_t pages;
	uint64_t url_bytes;
	unsigned char state[STATE_BYTES];
};

static void check(int failed, const struct prn_error *error)
{
	if (!failed)
		return;
	fprintf(stderr, "bench/store: %s\n", error->text);
	exit(1);
}

static void put(struct work *work, const struct prn_digest *key, const char *url, int64_t after)
{
	struct prn_record record = { .key = *key, .url = url, .weight = 1, .lease = PRN_TIME_UNKNOWN, .state = work->state,
		                     .state_bytes = STATE_BYTES };
	struct prn_error error;

	record.due = after + (int64_t)prn_random_below(&work->random, SPREAD_S);
	work->state[prn_random_below(&work->random, STATE_BYTES)]++;
	check(prn_batch_put(work->batch, &record, &error), &error);
}

static void commit(struct work *work)
{
	struct prn_error error;

	check(prn_batch_commit(work->batch, &error), &error);
}

static void fill(struct work *work)
{
	for (size_t i = 0; i < work->pages; i++) {
		char url[64];
		struct prn_digest key;

		work->url_bytes += (uint64_t)snprintf(url, sizeof url, "http://www.h%zu.example/section/%zu.html", i % 9973, i) + 1;
		key = prn_url_key(url);
		put(work, &key, url, START);
		if (i % (work->pages / FILLS) == 0)
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

	check(prn_view_open(&view, work->store, &error), &error);
	check(prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, &error), &error);
	for (size_t i = 0; i < BATCH; i++)
		if (prn_walk_queue_next(walk, &work->due[i], &error) != 1)
			check(-1, &error);
	prn_walk_free(walk);
	prn_view_close(view);
}

/* What is due next is read, has its state changed, is queued elsewhere, and is on the disk. */
static void observe(void *context)
{
	struct work *work = context;
	struct prn_error error;

	next_due(work);
	for (size_t i = 0; i < BATCH; i++) {
		struct prn_record record;

		check(prn_batch_get(work->batch, &work->due[i].key, &record, &error), &error);
		put(work, &record.key, record.url, START);
	}
	commit(work);
}

static double memory_mb(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	double kb = 0;

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "RssAnon: %lf kB", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb / 1024;
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
	check(prn_store_totals(work->store, &totals, &error), &error);
	bytes = (double)(totals.bytes - work->url_bytes) / (double)work->pages;
	bench_row("store: pages added, in 400 commits", "", (double)work->pages / fill_s, "pages/s", 1);
	bench_row("store: durable page states, by 1000", ">= 6000 a second", BATCHES * BATCH / sum, "states/s",
	          BATCHES * BATCH / sum >= 6000);
	bench_row("store: the slowest of these commits", "", 1e3 * slowest, "ms", 1);
	bench_row("store: next 1000 due", "<= 0.2 ms", 1e3 * due_s, "ms", due_s <= 0.2e-3);
	bench_row("store: disk for a page of 128 bytes, URL apart", "<= 400 B", bytes, "B", bytes <= 400);
	bench_row("store: memory of the process, file apart", "", memory_mb(), "MB", 1);
}

static bool has_room(const char *folder, size_t pages)
{
	struct statvfs about;

	return !statvfs(folder, &about) &&
	       (double)about.f_bavail * (double)about.f_frsize > DISK_BYTES_PER_PAGE * (double)pages;
}

static void remove_store(const char *path)
{
	static const char *const names[] = { "data.mdb", "lock.mdb", "writer.lock" };
	char name[512];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(name, sizeof name, "%s/%s", path, names[i]);
		unlink(name);
	}
	rmdir(path);
}

int main(void)
{
	const char *pages = getenv("STORE_PAGES"), *folder = getenv("STORE_FOLDER");
	struct work work = { .pages = pages ? strtoul(pages, NULL, 10) : 2000000 };
	struct prn_error error;
	char path[256];
	double start;

	snprintf(path, sizeof path, "%s/bench-store-%ld", folder ? folder : ".", (long)getpid());
	if (work.pages < 2 * BATCH || !has_room(folder ? folder : ".", work.pages)) {
		printf("store: skipped: %zu pages want %.1f GB of disk\n", work.pages,
		       DISK_BYTES_PER_PAGE * (double)work.pages * 1e-9);
		return 0;
	}
	prn_random_seed(&work.random, 1, 0);
	check(prn_store_create(path, NULL, 0, &error), &error);
	check(prn_store_open(&work.store, path, PRN_STORE_WRITE, 0, &error), &error);
	check(prn_batch_open(&work.batch, work.store, &error), &error);
	start = bench_now(BENCH_WALL);
	fill(&work);
	measure(&work, bench_now(BENCH_WALL) - start);
	prn_batch_free(work.batch);
	prn_store_free(work.store);
	remove_store(path);
	return 0;
}
