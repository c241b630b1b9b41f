#include "perennial/priors.h"

#include "base/buffer.h"
#include "base/digest_search.h"
#include "base/number.h"
#include "base/parallel.h"
#include "perennial/url.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prn_priors {
	const struct prn_pages *pages;
	size_t threads;
	struct prn_life *lives; /* [pages->count] */
};

int prn_priors_open(struct prn_priors **out, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                    struct prn_error *error)
{
	struct prn_priors *priors = calloc(1, sizeof *priors);
	int code;

	if (!priors)
		return prn_error_memory(error);
	priors->pages = pages;
	priors->threads = prn_parallel_threads(threads);
	priors->lives = calloc(pages->count ? pages->count : 1, sizeof *priors->lives);
	code = priors->lives ? prn_lives_read(priors->lives, pages, clock, priors->threads, error) : prn_error_memory(error);
	if (code) {
		prn_priors_free(priors);
		return code;
	}
	*out = priors;
	return 0;
}

void prn_priors_free(struct prn_priors *priors)
{
	if (!priors)
		return;
	free(priors->lives);
	free(priors);
}

/* The pages under test by URL. */
struct tested {
	struct prn_digest key;
	size_t page;
};

/* A page, and the sum of the hashes of its fragments at each capture, which identifies contents. */
struct contents {
	struct prn_page page;
	uint64_t *sums; /* [page.capture_count + 1] */
	size_t capacity;
};

/* A search for training pages that are also under test. */
struct search {
	const struct prn_priors *priors;
	const struct prn_pages *under_test;
	struct tested *tested; /* [count] in the order of their keys */
	size_t count;
	struct reader {
		struct contents learned, tested;
	} *readers;  /* [threads] */
	bool *found; /* [priors->pages->count] */
};

/* A trace has the first spelling that was seen: two traces may differ in it for the same page. */
static int key_of(const struct prn_pages *pages, size_t page, struct prn_digest *key, struct prn_error *error)
{
	const char *url = pages->url(pages->context, page);
	char normal[PRN_URL_BYTES + 1];

	if (!url)
		return prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "page %zu has no URL: whether a prior has seen it cannot be known", page);
	*key = prn_url_key(prn_url_normalize(url, SIZE_MAX, normal, sizeof normal) ? url : normal);
	return 0;
}

static int key_order(const void *a, const void *b)
{
	const struct tested *x = a, *y = b;
	int order = prn_digest_compare(&x->key, &y->key);

	return order ? order : (x->page > y->page) - (x->page < y->page);
}

static int read_contents(const struct prn_pages *pages, size_t i, struct contents *contents, struct prn_error *error)
{
	struct prn_page *page = &contents->page;
	int code = pages->read(pages->context, i, page, error);
	uint64_t *sums, sum = 0;

	if (code < 0)
		return code;
	sums = prn_array_grow(contents->sums, &contents->capacity, page->capture_count + 1, sizeof *sums);
	if (!sums)
		return prn_error_memory(error);
	contents->sums = sums;
	memset(sums, 0, (page->capture_count + 1) * sizeof *sums);
	for (size_t stripe = 0; stripe < page->stripe_count; stripe++) {
		const struct prn_run *runs = &page->runs[page->stripes[stripe].first];

		for (size_t run = 0; run < page->stripes[stripe].count; run++) {
			sums[runs[run].from] += page->stripes[stripe].hash;
			sums[runs[run].to] -= page->stripes[stripe].hash;
		}
	}
	for (size_t at = 0; at < page->capture_count; at++) {
		sum += sums[at];
		sums[at] = sum;
	}
	return 0;
}

/* Tells whether the two pages had the same content at the same second. */
static bool share_a_capture(const struct contents *a, const struct contents *b)
{
	size_t i = 0, j = 0;

	while (i < a->page.capture_count && j < b->page.capture_count) {
		int64_t x = a->page.captures[i].time, y = b->page.captures[j].time;

		if (x == y && a->sums[i] == b->sums[j])
			return true;
		i += x <= y;
		j += y <= x;
	}
	return false;
}

static int look_for(void *context, size_t thread, size_t page, struct prn_error *error)
{
	struct search *search = context;
	struct reader *reader = &search->readers[thread];
	const struct prn_pages *pages = search->priors->pages, *under_test = search->under_test;
	bool read = false;
	struct prn_digest key;
	int code;

	if (!search->priors->lives[page].captures)
		return 0;
	code = key_of(pages, page, &key, error);
	if (code)
		return code;
	for (size_t i = prn_digest_first(search->tested, search->count, sizeof *search->tested, &key);
	     i < search->count && !search->found[page]; i++) {
		if (prn_digest_compare(&search->tested[i].key, &key))
			break;
		if (!read)
			code = read_contents(pages, page, &reader->learned, error);
		if (!code)
			code = read_contents(under_test, search->tested[i].page, &reader->tested, error);
		if (code)
			return code;
		read = true;
		search->found[page] = share_a_capture(&reader->learned, &reader->tested);
	}
	return 0;
}

static int list_tested(struct search *search, size_t corpus, struct prn_error *error)
{
	const struct prn_pages *pages = search->under_test;
	int code = 0;

	for (size_t i = 0; i < pages->count && !code; i++) {
		if (pages->corpus(pages->context, i) != corpus)
			continue;
		search->tested[search->count].page = i;
		code = key_of(pages, i, &search->tested[search->count++].key, error);
	}
	qsort(search->tested, search->count, sizeof *search->tested, key_order);
	return code;
}

/* Sets found [priors->pages->count] for pages that are also in the corpus under test. */
static int find_tested(const struct prn_priors *priors, const struct prn_pages *under_test, size_t corpus, bool *found,
                       struct prn_error *error)
{
	struct search search = { .priors = priors, .under_test = under_test, .found = found };
	int code;

	search.tested = calloc(under_test->count ? under_test->count : 1, sizeof *search.tested);
	search.readers = calloc(priors->threads, sizeof *search.readers);
	if (!search.tested || !search.readers) {
		code = prn_error_memory(error);
		goto out;
	}
	for (size_t i = 0; i < priors->threads; i++) {
		prn_page_init(&search.readers[i].learned.page);
		prn_page_init(&search.readers[i].tested.page);
	}
	code = list_tested(&search, corpus, error);
	if (!code)
		code = prn_parallel_for(priors->pages->count, priors->threads, look_for, &search, error);
	for (size_t i = 0; i < priors->threads; i++) {
		prn_page_release(&search.readers[i].learned.page);
		prn_page_release(&search.readers[i].tested.page);
		free(search.readers[i].learned.sums);
		free(search.readers[i].tested.sums);
	}
out:
	free(search.tested);
	free(search.readers);
	return code;
}

int prn_priors_learn(const struct prn_priors *priors, const struct prn_pages *under_test, size_t corpus,
                     struct prn_learned_prior *learned, struct prn_error *error)
{
	size_t count = priors->pages->count, left_out = 0;
	struct prn_drifted *drift = calloc(count ? count : 1, sizeof *drift);
	bool *found = calloc(count ? count : 1, sizeof *found);
	struct prn_learned_prior out = { .pages = 0 };
	int code = 0;

	if (!drift || !found)
		code = prn_error_memory(error);
	else if (under_test && corpus >= under_test->corpora)
		code = prn_error_set(error, PRN_E_ARGUMENT, "there is no corpus %zu among the %zu under test", corpus, under_test->corpora);
	else if (under_test)
		code = find_tested(priors, under_test, corpus, found, error);
	if (code)
		goto out;
	for (size_t i = 0; i < count; i++) {
		if (!(priors->lives[i].drift.time > 0))
			continue;
		if (found[i])
			left_out++;
		else
			drift[out.pages++] = priors->lives[i].drift;
	}
	if (!out.pages && left_out) {
		code = prn_error_set(error, PRN_E_NOT_FOUND,
		                     "all %zu pages to learn a prior from are under test themselves, in corpus %zu",
		                     left_out, corpus);
		goto out;
	}
	code = prn_prior_learn(drift, out.pages, &out.prior);
	if (code)
		prn_error_set(error, code, "a prior cannot be learned from %zu pages", out.pages);
	else
		*learned = out;
out:
	free(drift);
	free(found);
	return code;
}

char *prn_prior_defaults(const struct prn_prior *prior, char text[PRN_PRIOR_DEFAULTS])
{
	prn_number_print(text, PRN_PRIOR_DEFAULTS, "alpha=%.17g:beta=%.17g", prior->alpha, prior->beta);
	return text;
}
