#include "perennial/life.h"

#include "base/parallel.h"
#include "history/truth.h"

#include <stdlib.h>

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

/* Between each taken capture and the previous taken one. */
static void sum_drift(const struct prn_truth *truth, struct prn_drifted *drift)
{
	size_t before = 0;

	for (size_t at = 1; at < truth->captures; at++) {
		double divergence;

		if (!truth->taken[at])
			continue;
		divergence = prn_truth_divergence(truth, before, at);
		drift->moved += divergence;
		drift->changes += divergence > 0;
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
		return prn_error_set(error, code, "page %zu: %s", item, prn_error_text(code));
	if (!code)
		return 0;
	life->weight = reader->truth.weight;
	life->captures = reader->truth.captures;
	/*
	 * In steps the interval is the unit: exactly 1, so that dials chosen by it are the same for any part of
	 * the pages.
	 */
	life->interval = reading->clock == PRN_CLOCK_STEPS ? 1
	                                                   : reader->truth.time[life->captures - 1] / (double)(life->captures - 1);
	sum_drift(&reader->truth, &life->drift);
	return 0;
}

int prn_lives_read(struct prn_life *lives, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                   struct prn_error *error)
{
	struct reading reading = { .pages = pages, .clock = clock, .lives = lives };
	int code;

	threads = prn_parallel_threads(threads);
	reading.readers = calloc(threads, sizeof *reading.readers);
	if (!reading.readers)
		return prn_error_memory(error);
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
