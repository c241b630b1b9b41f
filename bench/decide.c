/*
 * Measures what it costs to decide: observations of bodies as large as front pages, from the WARC file to the disk; and
 * observations of single lines, which leave the cost of the decider and its store, among many pages that have all been
 * visited.
 *
 * 	bench/decide FILE.warc.gz…	measures the first on your own files, in order of time
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#include "base/random.h"
#include "perennial/due.h"
#include "perennial/observation.h"
#include "perennial/outcome.h"
#include "perennial/synth.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <string.h>

#define START 1767225600 /* 2026-01-01 */
#define BATCH 1000
#define BATCHES 60
#define GROUP 4000 /* observations in a commit of perennial observe */
#define GROUPS (BATCHES * BATCH / GROUP)

struct work {
	struct prn_decider *decider;
	struct prn_extractor *extractor;
	struct prn_observation observation;
	struct prn_random random;
	char path[256];
	size_t pages, visits;
	size_t batch; /* observations to a commit */
	size_t waiting; /* observed since the last one */
};

static void open_work(struct work *work)
{
	const struct prn_decider_settings settings = { 0 };
	struct prn_decider_options options;
	struct prn_error error = { .text = "out of memory" };

	/* With the default limits for hosts, a thousand pages would never be due at once. */
	prn_decider_options_init(&options);
	options.host_limit = 0;
	options.host_delay_s = 0;
	scratch_path(work->path);
	bench_check(prn_decider_create(work->path, &settings, &error), &error);
	bench_check(prn_decider_open(&work->decider, work->path, PRN_STORE_WRITE, &options, &error), &error);
	bench_check(prn_extractor_open(&work->extractor, 0, prn_decider_summary(work->decider)), &error);
	prn_observation_init(&work->observation);
	prn_random_seed(&work->random, 1, 0);
	work->batch = BATCH;
}

static void close_work(struct work *work)
{
	prn_observation_release(&work->observation);
	prn_extractor_free(work->extractor);
	prn_decider_free(work->decider);
	scratch_remove(work->path);
}

static void commit(struct work *work)
{
	struct prn_error error;

	bench_check(prn_decider_commit(work->decider, &error), &error);
	work->waiting = 0;
}

static void observe(struct work *work, const struct prn_capture *capture)
{
	struct prn_digest key = prn_url_key(capture->normal_url);
	struct prn_outcome outcome;
	struct prn_error error;
	uint64_t body;

	bench_check(prn_decider_body_staged(work->decider, &key, &body, &error), &error);
	bench_check(prn_observation_make(&work->observation, capture, prn_decider_summary(work->decider), work->extractor,
	                                 body, &error),
	            &error);
	bench_check(prn_decider_observe(work->decider, &work->observation, capture->time, &outcome, &error), &error);
	if (++work->waiting >= work->batch)
		commit(work);
}

/* --- bodies --- */

struct bodies {
	struct work work;
	char **paths;
	size_t path_count;
	uint64_t captures, bytes;
};

/* Reads all captures, and observes them if there is a decider. */
static void read_all(void *context)
{
	struct bodies *bodies = context;
	struct prn_capture capture;
	struct prn_source *source;
	struct prn_error error;

	bodies->captures = bodies->bytes = 0;
	for (size_t i = 0; i < bodies->path_count; i++) {
		bench_check(prn_source_open(&source, bodies->paths[i], NULL, &error), &error);
		while (prn_source_next(source, &capture, &error) == 1) {
			bodies->captures++;
			bodies->bytes += capture.body_bytes;
			if (bodies->work.decider)
				observe(&bodies->work, &capture);
		}
		prn_source_free(source);
	}
	if (bodies->work.decider)
		commit(&bodies->work);
}

static void measure_bodies(char **paths, size_t count)
{
	struct bodies bodies = { .paths = paths, .path_count = count };
	double reading = bench_seconds(BENCH_CPU, read_all, &bodies), all;

	open_work(&bodies.work);
	all = bench_seconds(BENCH_CPU, read_all, &bodies);
	close_work(&bodies.work);
	bench_row("observe: bodies in all", "", 1e-6 * (double)bodies.bytes, "MB", 1);
	bench_row("observe: from the WARC file to the disk", "", (double)bodies.captures / all, "pages/s/core", 1);
	bench_row("observe: of it, reading WARC", "", 100 * reading / all, "%", 1);
	bench_row("observe: reading apart", "", 1e-6 * (double)bodies.bytes / (all - reading), "MB/s/core", 1);
}

static void make_warc(const char *path)
{
	struct prn_synth_options options;
	struct prn_synth *synth;
	struct prn_error error;

	prn_synth_defaults(&options);
	options.pages = 40;
	options.captures = 12;
	options.fragments = 4000;
	options.static_share = 0.5;
	options.items = 32;
	options.rate_per_day = 2;
	bench_check(prn_synth_open(&synth, &options, &error), &error);
	bench_check(prn_synth_warc(synth, path, &error), &error);
	prn_synth_free(synth);
}

/* --- many pages --- */

/* Observes a page: a line of words, some of which are new each time. */
static void visit(struct work *work, size_t page, int64_t time)
{
	char url[64], body[256];
	struct prn_capture capture = { .url = url, .normal_url = url, .kind = PRN_KIND_CONTENT, .status = 200,
		                       .content_type = "text/plain", .body = (unsigned char *)body,
		                       .modified = PRN_TIME_UNKNOWN, .retry_after_s = PRN_TIME_UNKNOWN };

	snprintf(url, sizeof url, "http://www.h%zu.example/section/%zu.html", page % 9973, page);
	capture.body_bytes = (size_t)snprintf(
		body, sizeof body, "of page %zu these words will stay for ever and a day as they always have but not %llu", page,
		(unsigned long long)prn_random_bits(&work->random));
	capture.time = time;
	observe(work, &capture);
}

static void visit_batch(void *context)
{
	struct work *work = context;

	for (size_t i = 0; i < work->batch; i++)
		visit(work, prn_random_below(&work->random, work->pages), START + 2 * PRN_DAY_S + (int64_t)work->visits++);
	commit(work);
}

/* Returns the observations per second, if batch of them become durable together. */
static double visit_rate(struct work *work, size_t batch, size_t batches)
{
	double sum = 0;

	work->batch = batch;
	for (size_t i = 0; i < batches; i++)
		sum += bench_seconds(BENCH_WALL, visit_batch, work);
	return (double)(batch * batches) / sum;
}

/* Asks for pages as a fetcher does, long after, when nearly all are due. */
static void give(struct work *work, double lease_s)
{
	const struct prn_due_request request = { .now = START + 400 * PRN_DAY_S, .limit = BATCH, .lease_s = lease_s };
	struct prn_due_list list;
	struct prn_error error;

	prn_due_list_init(&list);
	bench_check(prn_decider_due(work->decider, &request, &list, &error), &error);
	if (list.count != BATCH) {
		fprintf(stderr, "bench: %zu pages are due\n", list.count);
		exit(1);
	}
	prn_due_list_release(&list);
}

static void look(void *context)
{
	give(context, 0);
}

static void lease(void *context)
{
	give(context, 3600);
}

/* The command is run while this process has the store open, as a daemon has. */
static void measure_export(const struct work *work)
{
	char option[300];
	const char *const words[] = { "export", option, NULL };
	double rate;

	snprintf(option, sizeof option, "--state=%s", work->path);
	rate = (double)work->pages / scratch_run(words);
	bench_row("export: pages that were visited", ">= 500000 a second", rate, "pages/s", rate >= 500000);
}

static void measure_pages(void)
{
	struct work work = { .pages = scratch_pages() };
	struct prn_store_totals totals;
	struct prn_error error;
	double rate;

	if (!scratch_fits("observe", work.pages))
		return;
	open_work(&work);
	/* Every page has been visited once before anything is timed. */
	work.batch = work.pages / SCRATCH_COMMITS;
	for (size_t i = 0; i < work.pages; i++)
		visit(&work, i, START + (int64_t)prn_random_below(&work.random, PRN_DAY_S));
	commit(&work);
	rate = visit_rate(&work, BATCH, BATCHES);
	bench_check(prn_store_totals(prn_decider_store(work.decider), &totals, &error), &error);
	bench_row("observe: pages in the store", "", (double)totals.pages, "pages", 1);
	bench_row("observe: lines of text, durable, by 1000", ">= 6000 a second", rate, "a second", rate >= 6000);
	rate = visit_rate(&work, GROUP, GROUPS);
	bench_row("observe: lines of text, durable, by 4000", ">= 6000 a second", rate, "a second", rate >= 6000);
	bench_row("due: the next 1000 by value, looked at", "", 1e3 * bench_time(BENCH_WALL, look, &work), "ms", 1);
	bench_row("due: the next 1000 by value, leased", "", 1e3 * bench_time(BENCH_WALL, lease, &work), "ms", 1);
	measure_export(&work);
	bench_row("decider: memory of the process, file apart", "", scratch_memory(), "MB", 1);
	close_work(&work);
}

int main(int argc, char **argv)
{
	char warc[64];
	char *paths[] = { warc };

	if (argc > 1) {
		measure_bodies(argv + 1, (size_t)argc - 1);
		return 0;
	}
	snprintf(warc, sizeof warc, "/tmp/perennial-bench-%ld.warc.gz", (long)getpid());
	make_warc(warc);
	measure_bodies(paths, 1);
	unlink(warc);
	measure_pages();
	return 0;
}
