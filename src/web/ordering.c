#include "perennial/ordering.h"

#include "base/buffer.h"
#include "base/random.h"
#include "perennial/importance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DAMPING PRN_IMPORTANCE_DAMPING
#define RANK_ROUNDS 100
#define RANK_CHANGE 1e-4 /* mean change of a page's rank in a round at which ranking stops: new pages change ranks by more before they are used */
#define RANK_SHARE 100   /* ranks are computed anew after one in so many pages */

const char *prn_ordering_name(enum prn_ordering ordering)
{
	static const char *const names[PRN_ORDERINGS] = { "breadth", "random", "backlink", "pagerank", "location", "ideal" };

	return (unsigned)ordering < PRN_ORDERINGS ? names[ordering] : "?";
}

/* A page that was heard of, with its priority when the entry was made. */
struct entry {
	double priority;
	uint32_t heard; /* how many were heard of before */
	uint32_t page;
};

/* An entry whose page was taken, or has another priority by now, stays in the heap until it comes up. */
struct crawl {
	enum prn_ordering ordering;
	const struct prn_graph *graph;
	struct prn_random random;
	struct entry *heap; /* the first is the next to take; for RANDOM in any order */
	size_t count, capacity;
	double *priority; /* [pages] */
	uint32_t *heard;  /* [pages] 1 + how many were heard of before; 0: not heard of */
	bool *taken;      /* [pages] */
	uint32_t heard_count;
	uint32_t *order;
	size_t taken_count, ranked_at;
	double *ranks; /* for PAGERANK: those of the next round */
};

static bool precedes(const struct entry *a, const struct entry *b)
{
	if (a->priority > b->priority || a->priority < b->priority)
		return a->priority > b->priority;
	return a->heard < b->heard;
}

static void sift_up(struct entry *heap, size_t at)
{
	struct entry entry = heap[at];

	for (; at && precedes(&entry, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = entry;
}

static void sift_down(struct entry *heap, size_t count, size_t at)
{
	struct entry entry = heap[at];

	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && precedes(&heap[child + 1], &heap[child]))
			child++;
		if (!precedes(&heap[child], &entry))
			break;
		heap[at] = heap[child];
	}
	heap[at] = entry;
}

static int put(struct crawl *crawl, uint32_t page)
{
	struct entry *heap = prn_array_grow(crawl->heap, &crawl->capacity, crawl->count + 1, sizeof *heap);

	if (!heap)
		return PRN_E_MEMORY;
	crawl->heap = heap;
	heap[crawl->count] = (struct entry){ crawl->priority[page], crawl->heard[page] - 1, page };
	if (crawl->ordering != PRN_ORDERING_RANDOM)
		sift_up(heap, crawl->count);
	crawl->count++;
	return 0;
}

static struct entry take_first(struct crawl *crawl)
{
	size_t at = crawl->ordering == PRN_ORDERING_RANDOM ? prn_random_below(&crawl->random, crawl->count) : 0;
	struct entry first = crawl->heap[at];

	crawl->heap[at] = crawl->heap[--crawl->count];
	if (crawl->ordering != PRN_ORDERING_RANDOM && crawl->count)
		sift_down(crawl->heap, crawl->count, 0);
	return first;
}

static int hear(struct crawl *crawl, uint32_t page)
{
	bool again = crawl->heard[page];

	if (!again)
		crawl->heard[page] = ++crawl->heard_count;
	if (crawl->ordering == PRN_ORDERING_BACKLINK)
		crawl->priority[page]++;
	else if (again)
		return 0;
	return crawl->taken[page] ? 0 : put(crawl, page);
}

/* Ranking goes on from the previous ranks, because few links have become known since. */
static void rank(struct crawl *crawl)
{
	const struct prn_graph *graph = crawl->graph;
	double *ranks = crawl->priority, *next = crawl->ranks, change = INFINITY, pages = crawl->heard_count;

	for (int round = 0; round < RANK_ROUNDS && change > RANK_CHANGE * pages; round++) {
		double dangling = 0, share;

		for (size_t i = 0; i < graph->page_count; i++) {
			next[i] = 0;
			dangling += crawl->heard[i] && (!crawl->taken[i] || graph->to_starts[i] == graph->to_starts[i + 1]) ? ranks[i] : 0;
		}
		for (size_t n = 0; n < crawl->taken_count; n++) {
			uint32_t page = crawl->order[n];
			size_t from = graph->to_starts[page], end = graph->to_starts[page + 1];

			for (size_t k = from; k < end; k++)
				next[graph->to[k]] += DAMPING * ranks[page] / (double)(end - from);
		}
		share = 1 - DAMPING + DAMPING * dangling / pages;
		change = 0;
		for (size_t i = 0; i < graph->page_count; i++)
			if (crawl->heard[i]) {
				change += fabs(share + next[i] - ranks[i]);
				ranks[i] = share + next[i];
			}
	}
}

static void rank_anew(struct crawl *crawl)
{
	size_t kept = 0;

	rank(crawl);
	for (size_t i = 0; i < crawl->count; i++) {
		struct entry entry = crawl->heap[i];

		entry.priority = crawl->priority[entry.page];
		if (!crawl->taken[entry.page])
			crawl->heap[kept++] = entry;
	}
	crawl->count = kept;
	for (size_t i = kept / 2; i--;)
		sift_down(crawl->heap, kept, i);
	crawl->ranked_at = crawl->taken_count;
}

static bool is_time_to_rank(const struct crawl *crawl)
{
	size_t since = crawl->taken_count - crawl->ranked_at;

	return crawl->ordering == PRN_ORDERING_PAGERANK && crawl->taken_count &&
	       (since >= crawl->ranked_at || since >= crawl->graph->page_count / RANK_SHARE + 1);
}

static int fetch_page(struct crawl *crawl, uint32_t page)
{
	const struct prn_graph *graph = crawl->graph;
	int code = 0;

	crawl->taken[page] = true;
	crawl->order[crawl->taken_count++] = page;
	for (size_t k = graph->to_starts[page]; k < graph->to_starts[page + 1] && !code; k++)
		code = hear(crawl, graph->to[k]);
	return code;
}

/* Takes all pages that can be reached from those heard of. */
static int exhaust(struct crawl *crawl)
{
	int code = 0;

	while (crawl->count && !code) {
		struct entry first;

		if (is_time_to_rank(crawl))
			rank_anew(crawl);
		if (!crawl->count)
			break;
		first = take_first(crawl);
		if (crawl->taken[first.page] || first.priority < crawl->priority[first.page])
			continue;
		code = fetch_page(crawl, first.page);
	}
	return code;
}

static int crawl_all(struct crawl *crawl, size_t start, size_t *begun)
{
	size_t next = 0;
	int code = 0;

	while (crawl->taken_count < crawl->graph->page_count && !code) {
		size_t page = *begun ? next : start;

		if (*begun && crawl->taken[page]) {
			next++;
			continue;
		}
		++*begun;
		code = hear(crawl, (uint32_t)page);
		code = code ? code : exhaust(crawl);
	}
	return code;
}

struct ranked {
	double importance;
	uint32_t page;
};

static int by_importance(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->importance > y->importance || x->importance < y->importance)
		return x->importance > y->importance ? -1 : 1;
	return (x->page > y->page) - (x->page < y->page);
}

/* Returns all pages, the most important one first; NULL without memory. */
static struct ranked *sort(const double *importance, size_t pages)
{
	struct ranked *ranked = calloc(pages + 1, sizeof *ranked);

	for (size_t i = 0; ranked && i < pages; i++)
		ranked[i] = (struct ranked){ importance[i], (uint32_t)i };
	if (ranked)
		qsort(ranked, pages, sizeof *ranked, by_importance);
	return ranked;
}

static int order_ideally(const double *importance, size_t pages, uint32_t *order)
{
	struct ranked *ranked = sort(importance, pages);

	for (size_t i = 0; ranked && i < pages; i++)
		order[i] = ranked[i].page;
	free(ranked);
	return ranked ? 0 : PRN_E_MEMORY;
}

/* Sets the priority that each page has before anything else is known of it. */
static int set_priorities(struct crawl *crawl)
{
	const struct prn_importance_options options = { .threads = 1 };
	struct prn_importance_reached reached;

	if (crawl->ordering == PRN_ORDERING_LOCATION)
		return prn_importance_weights(PRN_IMPORTANCE_LOCATION, crawl->graph, &options, crawl->priority, &reached, NULL);
	for (size_t i = 0; i < crawl->graph->page_count; i++)
		crawl->priority[i] = crawl->ordering == PRN_ORDERING_PAGERANK ? 1 - DAMPING : 0;
	return 0;
}

int prn_ordering_crawl(enum prn_ordering ordering, const struct prn_graph *graph, const double *importance, size_t start, uint64_t seed,
                       uint32_t *order, size_t *begun)
{
	struct crawl crawl = { .ordering = ordering, .graph = graph, .order = order };
	size_t pages = graph->page_count, times = 0;
	int code = 0;

	if (start >= pages)
		return PRN_E_ARGUMENT;
	if (begun)
		*begun = 0;
	if (ordering == PRN_ORDERING_IDEAL)
		return order_ideally(importance, pages, order);
	prn_random_seed(&crawl.random, seed, 0);
	crawl.priority = calloc(pages, sizeof *crawl.priority);
	crawl.heard = calloc(pages, sizeof *crawl.heard);
	crawl.taken = calloc(pages, sizeof *crawl.taken);
	crawl.ranks = calloc(ordering == PRN_ORDERING_PAGERANK ? pages : 1, sizeof *crawl.ranks);
	if (!crawl.priority || !crawl.heard || !crawl.taken || !crawl.ranks)
		code = PRN_E_MEMORY;
	if (!code)
		code = set_priorities(&crawl);
	if (!code)
		code = crawl_all(&crawl, start, &times);
	if (!code && begun)
		*begun = times;
	free(crawl.heap);
	free(crawl.priority);
	free(crawl.heard);
	free(crawl.taken);
	free(crawl.ranks);
	return code;
}

int prn_ordering_score(const uint32_t *order, const double *importance, size_t pages, size_t k, size_t hot, double *stop,
                       double *threshold)
{
	struct ranked *ranked;
	size_t as_good = 0, found = 0, hot_pages = 0;

	if (!k || k > pages || !hot || hot > pages)
		return PRN_E_ARGUMENT;
	ranked = sort(importance, pages);
	if (!ranked)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < k; i++) {
		as_good += importance[order[i]] >= ranked[k - 1].importance;
		found += importance[order[i]] >= ranked[hot - 1].importance;
	}
	while (hot_pages < pages && ranked[hot_pages].importance >= ranked[hot - 1].importance)
		hot_pages++;
	free(ranked);
	*stop = (double)as_good / (double)k;
	*threshold = (double)found / (double)hot_pages;
	return 0;
}
