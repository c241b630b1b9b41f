/*
 * Measures the bookkeeping of a million shards in one process: its memory, and how long prn_decider_due takes.  The stores
 * are in memory, so that this is the cost of the process itself; what a cluster takes for each question comes in addition.
 * There are SHARDS_HOSTS hosts (default 200,000) with a page each, so that about a fifth of the shards are made, in all of
 * the lists.
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#include "perennial/decider.h"
#include "perennial/due.h"

#include <malloc.h>

#define SHARDS PRN_SHARDS_MOST
#define HOSTS 200000
#define START 1767225600 /* 2026-01-01 */
#define PLACE "memory:shards"
#define LIMIT 1000
#define CALLS 9

struct work {
	struct prn_decider *decider;
	struct prn_due_list list;
	int64_t now;
	size_t given;
};

static void open_decider(struct work *work)
{
	struct prn_error error = { 0 };

	bench_check(prn_decider_open(&work->decider, PLACE, PRN_STORE_WRITE, NULL, &error), &error);
}

static void add(struct work *work, size_t first, size_t count)
{
	struct prn_error error = { 0 };

	for (size_t i = first; i < first + count; i++) {
		enum prn_added added;
		char url[64];

		snprintf(url, sizeof url, "http://www.h%zu.example/", i);
		bench_check(prn_decider_add(work->decider, url, 1, START, &added, &error), &error);
	}
	bench_check(prn_decider_commit(work->decider, &error), &error);
}

/* Leases the next LIMIT pages. */
static void ask(void *context)
{
	const struct prn_due_request request = { .now = ((struct work *)context)->now, .limit = LIMIT, .lease_s = 86400 };
	struct work *work = context;
	struct prn_error error = { 0 };

	bench_check(prn_decider_due(work->decider, &request, &work->list, &error), &error);
	work->given += work->list.count;
	work->now += 1;
}

static double median_of(struct work *work)
{
	double seconds[CALLS];

	for (size_t i = 0; i < CALLS; i++)
		seconds[i] = bench_seconds(BENCH_WALL, ask, work);
	return bench_median(seconds, CALLS);
}

int main(void)
{
	const struct prn_decider_settings settings = { .budget_per_day = 1e9, .shards = SHARDS };
	struct work work = { .now = START };
	struct prn_error error = { 0 };
	const char *given = getenv("SHARDS_HOSTS");
	size_t hosts = given ? strtoul(given, NULL, 10) : HOSTS;
	double before, seconds = bench_now(BENCH_WALL);

	if (hosts < 2 * CALLS * LIMIT)
		hosts = 2 * CALLS * LIMIT;
	prn_due_list_init(&work.list);
	bench_check(prn_decider_create(PLACE, &settings, &error), &error);
	open_decider(&work);
	for (size_t i = 0; i < hosts; i += LIMIT)
		add(&work, i, LIMIT);
	bench_row("a million shards: pages added, each of another host", "-", (double)hosts / (bench_now(BENCH_WALL) - seconds), "1/s", 1);
	prn_decider_free(work.decider);
	open_decider(&work);
	seconds = bench_seconds(BENCH_WALL, ask, &work);
	bench_row("  due, 1000, the first call", "< 1 s", 1e3 * seconds, "ms", seconds < 1 && work.given == LIMIT);
	seconds = median_of(&work);
	bench_row("  due, 1000, all being due", "< 1 s", 1e3 * seconds, "ms", seconds < 1 && work.given == (CALLS + 1) * LIMIT);
	/* By now all hosts that were asked are leased; for the others the lists know what is due. */
	while (work.list.count)
		ask(&work);
	seconds = median_of(&work);
	bench_row("  due, when nothing is", "< 1 s", 1e3 * seconds, "ms", seconds < 1 && work.given == hosts);
	before = scratch_memory();
	prn_decider_free(work.decider);
	malloc_trim(0);
	before -= scratch_memory();
	bench_row("  memory for deciders, which their end frees", "< 500 MB", before, "MB", before < 500);
	prn_due_list_release(&work.list);
	return 0;
}
