/* A random page, well-formed: shared by the tests of the trace and of its codec. */
#ifndef TESTS_RANDOM_PAGE_H
#define TESTS_RANDOM_PAGE_H

#include "base/random.h"
#include "perennial/page.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local const struct prn_run *random_page_runs;

static inline int random_page_order(const void *a, const void *b)
{
	const struct prn_stripe *x = a, *y = b;
	uint32_t from = random_page_runs[x->first].from, other = random_page_runs[y->first].from;

	if (from != other)
		return from < other ? -1 : 1;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Appends the runs of a fragment that comes or goes at captures with content; returns how many. */
static inline uint32_t random_page_add_runs(struct prn_random *random, struct prn_page *page)
{
	uint32_t first = (uint32_t)page->run_count;
	bool there = false;

	for (uint32_t i = 0; i < page->capture_count; i++) {
		enum prn_kind kind = page->captures[i].kind;

		if ((kind != PRN_KIND_CONTENT && kind != PRN_KIND_REDIRECT) || prn_random_below(random, 3))
			continue;
		if (!there)
			page->runs[page->run_count++].from = i;
		else
			page->runs[page->run_count - 1].to = i;
		there = !there;
	}
	if (there)
		page->runs[page->run_count - 1].to = (uint32_t)page->capture_count;
	return (uint32_t)page->run_count - first;
}

/* Where content comes, a new body, that of a capture before, or the same again. */
static inline void random_page_add_bodies(struct prn_random *random, struct prn_page *page)
{
	for (uint32_t i = 0; i < page->capture_count; i++) {
		struct prn_page_capture *captures = page->captures;
		uint64_t which = prn_random_below(random, 3);
		size_t from = which == 1 && i ? prn_random_below(random, i) : i - (i > 0);

		captures[i].body = i ? captures[from].body : 0;
		captures[i].body_bytes = i ? captures[from].body_bytes : 0;
		if (captures[i].kind != PRN_KIND_CONTENT && captures[i].kind != PRN_KIND_REDIRECT) {
			captures[i].body = i ? captures[i - 1].body : 0;
			captures[i].body_bytes = i ? captures[i - 1].body_bytes : 0;
		} else if (!which || !captures[i].body) {
			captures[i].body = i + 1;
			captures[i].body_bytes = prn_random_below(random, (uint64_t)1 << prn_random_below(random, 33));
			if (prn_random_below(random, 2))
				captures[i].payload = (struct prn_digest){ prn_random_bits(random), 1 };
		}
	}
}

/* Links of one of the captures with content, or none that are known. */
static inline void random_page_add_links(struct prn_random *random, struct prn_page *page)
{
	uint64_t key = 0;

	for (uint32_t i = 0; i < page->capture_count; i++)
		if ((page->captures[i].kind == PRN_KIND_CONTENT || page->captures[i].kind == PRN_KIND_REDIRECT) && prn_random_below(random, 2))
			page->linked = i + 1;
	page->links = calloc(20, sizeof *page->links);
	page->link_count = page->linked ? prn_random_below(random, 20) : 0;
	for (size_t i = 0; i < page->link_count; i++)
		page->links[i] = key += 1 + prn_random_bits(random) / 32;
}

/* Content of no, one or several types. */
static inline void random_page_add_media(struct prn_random *random, struct prn_page *page)
{
	static const char types[] = "application/json\0text/html\0text/x";
	static const uint32_t places[] = { 0, 1, 18, 28 };
	uint64_t several = prn_random_below(random, 4);

	if (!several)
		return;
	page->media = malloc(sizeof types);
	page->media_length = sizeof types;
	memcpy(page->media, types, sizeof types);
	for (size_t i = 0; i < page->capture_count; i++)
		if (page->captures[i].kind == PRN_KIND_CONTENT)
			page->captures[i].media = places[several == 1 ? 2 : prn_random_below(random, 4)];
}

/* Fills an initialised page; up to captures captures and patterns * 20 fragments.  Its stripes share runs. */
static inline void random_page(struct prn_random *random, size_t captures, size_t patterns, struct prn_page *page)
{
	int64_t time = (int64_t)prn_random_below(random, 2000000000);

	page->capture_count = prn_random_below(random, captures + 1);
	page->captures = calloc(captures + 1, sizeof *page->captures);
	page->runs = calloc((captures + 1) * patterns + 1, sizeof *page->runs);
	page->stripes = calloc(20 * patterns + 1, sizeof *page->stripes);
	page->weight = prn_random_below(random, 2) ? 1 : 0.001 + 10 * prn_random_unit(random);
	for (size_t i = 0; i < page->capture_count; i++) {
		time += 1 + (int64_t)prn_random_below(random, 100000);
		page->captures[i] = (struct prn_page_capture){ .time = time, .modified = PRN_TIME_UNKNOWN };
		if (!prn_random_below(random, 3))
			page->captures[i].kind = (enum prn_kind)prn_random_below(random, PRN_KINDS);
		if (!prn_random_below(random, 4))
			page->captures[i].modified = time + 1000 - (int64_t)prn_random_below(random, 1000000);
	}
	if (prn_random_below(random, 4))
		random_page_add_bodies(random, page);
	for (size_t i = 0; i < patterns; i++) {
		size_t first = page->run_count;
		uint32_t count = random_page_add_runs(random, page);

		for (uint64_t n = count ? 1 + prn_random_below(random, 20) : 0; n; n--)
			page->stripes[page->stripe_count++] =
				(struct prn_stripe){ prn_random_bits(random), (uint32_t)first, count };
	}
	random_page_add_links(random, page);
	random_page_add_media(random, page);
	random_page_runs = page->runs;
	qsort(page->stripes, page->stripe_count, sizeof *page->stripes, random_page_order);
}

/* Whether two pages say the same, however they share runs; URLs apart. */
static inline bool same_page(const struct prn_page *a, const struct prn_page *b)
{
	if (a->capture_count != b->capture_count || a->stripe_count != b->stripe_count ||
	    a->weight < b->weight || a->weight > b->weight || a->linked != b->linked || a->link_count != b->link_count ||
	    (a->link_count && memcmp(a->links, b->links, a->link_count * sizeof *a->links) != 0) ||
	    a->media_length != b->media_length || (a->media_length && memcmp(a->media, b->media, a->media_length) != 0))
		return false;
	for (size_t i = 0; i < a->capture_count; i++)
		if (a->captures[i].time != b->captures[i].time || a->captures[i].kind != b->captures[i].kind ||
		    a->captures[i].modified != b->captures[i].modified || a->captures[i].body != b->captures[i].body ||
		    a->captures[i].body_bytes != b->captures[i].body_bytes || a->captures[i].media != b->captures[i].media ||
		    prn_digest_compare(&a->captures[i].payload, &b->captures[i].payload))
			return false;
	for (size_t i = 0; i < a->stripe_count; i++)
		if (a->stripes[i].hash != b->stripes[i].hash || a->stripes[i].count != b->stripes[i].count ||
		    memcmp(a->runs + a->stripes[i].first, b->runs + b->stripes[i].first,
		           a->stripes[i].count * sizeof *a->runs) != 0)
			return false;
	return true;
}

#endif
