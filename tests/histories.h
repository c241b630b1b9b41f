/*
 * Page histories written by hand or drawn by seed, for the tests of the evaluation.
 */
#ifndef TESTS_HISTORIES_H
#define TESTS_HISTORIES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "perennial/page.h"

#define HISTORY_CAPTURES 64
#define HISTORY_FRAGMENTS 64
#define HISTORY_STEP_S 3600

/* A page as the sets of fragments at its captures: what a test checks against. */
struct history {
	size_t captures;
	int64_t times[HISTORY_CAPTURES];
	enum prn_kind kinds[HISTORY_CAPTURES];
	bool has[HISTORY_CAPTURES][HISTORY_FRAGMENTS];
};

/*
 * Reads captures an hour apart, parted by spaces: letters are fragments, "0" is content without any; "=" is
 * same, "!" an error, "-" gone: they keep the fragments before them.
 */
static inline void history_read(struct history *history, const char *text)
{
	*history = (struct history){ 0 };
	while (*text) {
		size_t i = history->captures++;
		bool kept = *text == '=' || *text == '!' || *text == '-';

		history->times[i] = (int64_t)i * HISTORY_STEP_S;
		history->kinds[i] = *text == '=' ? PRN_KIND_SAME
		                    : *text == '!' ? PRN_KIND_ERROR
		                    : *text == '-' ? PRN_KIND_GONE
		                                   : PRN_KIND_CONTENT;
		if (kept && i)
			memcpy(history->has[i], history->has[i - 1], sizeof history->has[i]);
		for (; *text && *text != ' '; text++)
			if (*text >= 'a' && *text <= 'z')
				history->has[i][*text - 'a'] = true;
		text += *text == ' ';
	}
}

/* A page that changes in every way at once: scrolls, churns, flips back, fails; captures at odd times. */
static inline void history_draw(struct history *history, uint64_t seed)
{
	struct prn_random random;
	int64_t time = 1000000;

	*history = (struct history){ 0 };
	prn_random_seed(&random, seed, 7);
	history->captures = 4 + prn_random_below(&random, HISTORY_CAPTURES - 4);
	for (size_t i = 0; i < history->captures; i++) {
		double what = prn_random_unit(&random);

		history->times[i] = time += 1 + (int64_t)prn_random_below(&random, 7200);
		history->kinds[i] = PRN_KIND_CONTENT;
		if (i)
			memcpy(history->has[i], history->has[i - 1], sizeof history->has[i]);
		if (i && what < 0.15) {
			history->kinds[i] = PRN_KIND_ERROR;
			continue;
		}
		if (i > 2 && what < 0.25)
			memcpy(history->has[i], history->has[i - 3], sizeof history->has[i]);
		else if (!i || what < 0.7)
			for (size_t j = 0; j < HISTORY_FRAGMENTS; j++)
				if (!i || prn_random_unit(&random) < 0.1)
					history->has[i][j] = prn_random_unit(&random) < 0.6;
	}
}

/* The hash of fragment j: spread over 64 bits, in an order of its own. */
static inline uint64_t history_hash(size_t j)
{
	uint64_t state = j;

	return prn_random_mix(&state);
}

static inline int history_stripe_order(const void *a, const void *b)
{
	const struct prn_stripe *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Fills an initialised page from a history, which it does not keep. */
static inline void history_page(const struct history *history, const char *url, struct prn_page *page)
{
	struct prn_run *runs = calloc(HISTORY_CAPTURES * HISTORY_FRAGMENTS, sizeof *runs);
	size_t run_count = 0;

	prn_page_release(page);
	page->url = strdup(url);
	page->captures = calloc(HISTORY_CAPTURES, sizeof *page->captures);
	page->stripes = calloc(HISTORY_FRAGMENTS, sizeof *page->stripes);
	page->runs = calloc(HISTORY_CAPTURES * HISTORY_FRAGMENTS, sizeof *runs);
	if (!runs || !page->url || !page->captures || !page->stripes || !page->runs)
		abort();
	page->capture_count = history->captures;
	for (size_t i = 0; i < history->captures; i++)
		page->captures[i] = (struct prn_page_capture){ .time = history->times[i], .modified = PRN_TIME_UNKNOWN, .kind = history->kinds[i] };
	/* Stripes by the start of their first run, then by hash. */
	for (size_t start = 0; start < history->captures; start++) {
		size_t before = page->stripe_count;

		for (size_t j = 0; j < HISTORY_FRAGMENTS; j++) {
			size_t first = 0;

			while (first < history->captures && !history->has[first][j])
				first++;
			if (first == start)
				page->stripes[page->stripe_count++] = (struct prn_stripe){ history_hash(j), (uint32_t)j, 0 };
		}
		qsort(page->stripes + before, page->stripe_count - before, sizeof *page->stripes, history_stripe_order);
	}
	for (size_t s = 0; s < page->stripe_count; s++) {
		size_t j = page->stripes[s].first;

		page->stripes[s].first = (uint32_t)run_count;
		for (size_t i = 0; i < history->captures; i++) {
			if (!history->has[i][j])
				continue;
			if (i && history->has[i - 1][j])
				runs[run_count - 1].to++;
			else
				runs[run_count++] = (struct prn_run){ (uint32_t)i, (uint32_t)i + 1 };
		}
		page->stripes[s].count = (uint32_t)run_count - page->stripes[s].first;
	}
	memcpy(page->runs, runs, run_count * sizeof *runs);
	page->run_count = run_count;
	free(runs);
}

/* 1 - |A ∩ B| / |A ∪ B| by counting. */
static inline double history_divergence(const struct history *history, size_t a, size_t b)
{
	double both = 0, either = 0;

	for (size_t j = 0; j < HISTORY_FRAGMENTS; j++) {
		both += history->has[a][j] && history->has[b][j];
		either += history->has[a][j] || history->has[b][j];
	}
	return either > 0 ? 1 - both / either : 0;
}

#endif
