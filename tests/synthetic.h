/*
 * A synthetic stationary corpus: pages of 20 static fragments and 10 that scroll, one item an update, at a
 * Poisson rate of the page's own.  Page i has the same history whenever it is read.
 */
#ifndef TESTS_SYNTHETIC_H
#define TESTS_SYNTHETIC_H

#include "histories.h"
#include "perennial/comparison.h"
#include "perennial/evaluation.h"

struct synthetic {
	size_t pages;
	size_t hosts; /* page i is of host i % hosts */
	char (*urls)[80];
	size_t start; /* the first page drawn */
};

#define WINDOW_ITEMS 10

static inline void draw_scroll(struct history *history, size_t i)
{
	struct prn_random random;
	double rate, next;
	size_t head = 0;

	*history = (struct history){ 0 };
	prn_random_seed(&random, 42, i);
	rate = 0.02 * pow(100, prn_random_unit(&random));
	next = prn_random_exponential(&random, 1 / rate);
	history->captures = 41;
	for (size_t at = 0; at < history->captures; at++) {
		history->times[at] = (int64_t)at * HISTORY_STEP_S;
		for (; next < (double)at; next += prn_random_exponential(&random, 1 / rate))
			head++;
		for (size_t j = 0; j < 20; j++)
			history->has[at][j] = true;
		for (size_t j = 0; j < WINDOW_ITEMS; j++)
			history->has[at][20 + (head + j) % (HISTORY_FRAGMENTS - 20)] = true;
	}
}

static inline const char *synthetic_url(void *context, size_t i)
{
	return ((struct synthetic *)context)->urls[i];
}

static inline size_t synthetic_corpus(void *context, size_t i)
{
	(void)context;
	(void)i;
	return 0;
}

/* Every tenth page has too few captures; every third weighs 3. */
static inline int synthetic_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct synthetic *synthetic = context;
	struct history history;

	(void)error;
	draw_scroll(&history, synthetic->start + i);
	if (i % 10 == 9)
		history.captures = 3;
	history_page(&history, synthetic->urls[i], page);
	page->weight = i % 3 ? 1 : 3;
	return 0;
}

static inline struct prn_pages synthetic_pages(struct synthetic *synthetic)
{
	synthetic->urls = calloc(synthetic->pages, sizeof *synthetic->urls);
	if (!synthetic->urls)
		abort();
	for (size_t i = 0; i < synthetic->pages; i++)
		snprintf(synthetic->urls[i], sizeof *synthetic->urls, "http://h%zu.example/%zu", i % synthetic->hosts, i);
	return (struct prn_pages){ .count = synthetic->pages, .corpora = 1, .context = synthetic, .url = synthetic_url,
	                           .corpus = synthetic_corpus, .read = synthetic_read };
}

/* Whether all scores are the same, bit for bit: of so many contenders, with so many settings each. */
static inline bool same_scores(const struct prn_evaluation *a, const struct prn_evaluation *b, size_t contenders, size_t settings)
{
	for (size_t i = 0; i < contenders; i++)
		for (size_t j = 0; j < settings; j++)
			for (int window = 0; window < PRN_WINDOWS; window++) {
				struct prn_score x = prn_evaluation_score(a, i, j, (enum prn_window)window);
				struct prn_score y = prn_evaluation_score(b, i, j, (enum prn_window)window);

				if (memcmp(&x, &y, sizeof x))
					return false;
			}
	return true;
}

#endif
