#include "perennial/parallel_crawl.h"

#include "base/buffer.h"
#include "base/random.h"
#include "perennial/url.h"

#include <stdlib.h>

const char *prn_crawl_mode_name(enum prn_crawl_mode mode)
{
	static const char *const names[PRN_CRAWL_MODES] = { "firewall", "cross-over", "exchange" };

	return (unsigned)mode < PRN_CRAWL_MODES ? names[mode] : "?";
}

struct queue {
	uint32_t *pages;
	size_t first, count, capacity; /* pages[first] … pages[count - 1] wait */
};

/* Its own pages wait in one queue, those of other crawlers in another; heard has a bit for each page that it has heard of. */
struct crawler {
	struct queue own, others;
	uint64_t *heard;
};

struct crawling {
	const struct prn_graph *graph;
	const struct prn_parallel_crawl *how;
	struct crawler *crawlers;
	uint32_t *owner; /* [pages] */
	bool *fetched;   /* [pages] by anybody */
	size_t reachable, different;
	uint64_t fetches, rounds, exchanged, across;
};

static int put(struct queue *queue, uint32_t page)
{
	uint32_t *pages = prn_array_grow(queue->pages, &queue->capacity, queue->count + 1, sizeof *pages);

	if (!pages)
		return PRN_E_MEMORY;
	queue->pages = pages;
	pages[queue->count++] = page;
	return 0;
}

/* Notes that the crawler hears of a page; returns whether it is the first time. */
static bool hears(struct crawler *crawler, uint32_t page)
{
	uint64_t bit = (uint64_t)1 << page % 64, *word = &crawler->heard[page / 64];
	bool is_new = !(*word & bit);

	*word |= bit;
	return is_new;
}

static int follow(struct crawling *crawling, uint32_t from, uint32_t page)
{
	struct crawler *crawler = &crawling->crawlers[from], *owner = &crawling->crawlers[crawling->owner[page]];

	crawling->across += owner != crawler;
	if (owner != crawler && crawling->how->mode == PRN_CRAWL_FIREWALL)
		return 0;
	if (!hears(crawler, page))
		return 0;
	if (owner == crawler)
		return put(&crawler->own, page);
	if (crawling->how->mode == PRN_CRAWL_CROSS_OVER)
		return put(&crawler->others, page);
	crawling->exchanged++;
	return hears(owner, page) ? put(&owner->own, page) : 0;
}

static int fetch(struct crawling *crawling, uint32_t from, uint32_t page)
{
	const struct prn_graph *graph = crawling->graph;
	int code = 0;

	crawling->fetches++;
	crawling->different += !crawling->fetched[page];
	crawling->fetched[page] = true;
	for (size_t k = graph->to_starts[page]; k < graph->to_starts[page + 1] && !code; k++)
		code = follow(crawling, from, graph->to[k]);
	return code;
}

/* Each crawler that has a page fetches one.  What it hears of waits for the next round.  *idle: no crawler had a page. */
static int do_round(struct crawling *crawling, uint32_t *turn, bool *idle)
{
	uint32_t crawlers = crawling->how->crawlers;
	int code = 0;

	*idle = true;
	for (uint32_t c = 0; c < crawlers; c++) {
		struct crawler *crawler = &crawling->crawlers[c];
		struct queue *queue = crawler->own.first < crawler->own.count ? &crawler->own : &crawler->others;

		turn[c] = queue->first < queue->count ? queue->pages[queue->first++] : UINT32_MAX;
		*idle &= turn[c] == UINT32_MAX;
	}
	for (uint32_t c = 0; c < crawlers && !code; c++)
		if (turn[c] != UINT32_MAX)
			code = fetch(crawling, c, turn[c]);
	crawling->rounds += !*idle;
	return code;
}

static void take_reached(const struct crawling *crawling, struct prn_parallel_reached *reached)
{
	double fetches = (double)crawling->fetches, different = (double)crawling->different;

	*reached = (struct prn_parallel_reached){ .coverage = different / (double)crawling->reachable,
		                                  .overlap = fetches / different - 1,
		                                  .exchanged = (double)crawling->exchanged / fetches,
		                                  .across = (double)crawling->across / fetches,
		                                  .speed = different / (double)crawling->rounds / crawling->how->crawlers,
		                                  .fetched = crawling->fetches,
		                                  .rounds = crawling->rounds };
}

static int crawl_rounds(struct crawling *crawling, const double *coverages, size_t count, struct prn_parallel_reached *reached)
{
	uint32_t *turn = calloc(crawling->how->crawlers, sizeof *turn);
	bool idle = false;
	size_t done = 0;
	int code = turn ? 0 : PRN_E_MEMORY;

	while (!code && !idle && done < count) {
		code = do_round(crawling, turn, &idle);
		for (; !code && done < count && (double)crawling->different >= coverages[done] * (double)crawling->reachable; done++)
			take_reached(crawling, &reached[done]);
	}
	for (; !code && done < count; done++)
		take_reached(crawling, &reached[done]);
	free(turn);
	return code;
}

/* The crawl begins with pages that are drawn without repetition: the first ones of a shuffle. */
static int begin(struct crawling *crawling, uint32_t *starts, size_t count)
{
	size_t pages = crawling->graph->page_count;
	struct prn_random random;
	int code = 0;

	prn_random_seed(&random, crawling->how->seed, 0);
	for (size_t i = 0; i < pages; i++)
		starts[i] = (uint32_t)i;
	for (size_t i = 0; i < count && !code; i++) {
		size_t other = i + prn_random_below(&random, pages - i);
		uint32_t page = starts[other];
		struct crawler *owner = &crawling->crawlers[crawling->owner[page]];

		starts[other] = starts[i];
		starts[i] = page;
		hears(owner, page);
		code = put(&owner->own, page);
	}
	return code;
}

/* Counts the pages that can be reached from these; starts has room for all pages. */
static size_t reach(const struct prn_graph *graph, uint32_t *starts, size_t count, bool *met)
{
	for (size_t i = 0; i < count; i++)
		met[starts[i]] = true;
	for (size_t i = 0; i < count; i++)
		for (size_t k = graph->to_starts[starts[i]]; k < graph->to_starts[starts[i] + 1]; k++)
			if (!met[graph->to[k]]) {
				met[graph->to[k]] = true;
				starts[count++] = graph->to[k];
			}
	return count;
}

static void find_owners(struct crawling *crawling)
{
	for (size_t i = 0; i < crawling->graph->page_count; i++) {
		const char *url = crawling->graph->urls[i];
		struct prn_digest host = prn_host_digest(url);
		uint64_t hash = crawling->how->by_page ? prn_url_key(url).low : prn_host_slot(&host);

		crawling->owner[i] = (uint32_t)(hash % crawling->how->crawlers);
	}
}

static int check(const struct prn_graph *graph, const struct prn_parallel_crawl *crawl, const double *coverages, size_t count,
                 struct prn_error *error)
{
	if (!crawl->crawlers || crawl->crawlers > PRN_CRAWLERS_MOST)
		return prn_error_set(error, PRN_E_ARGUMENT, "there are 1 to %d crawlers", PRN_CRAWLERS_MOST);
	if (!graph->page_count || !crawl->start_pages)
		return prn_error_set(error, PRN_E_ARGUMENT, "a crawl begins with a page at least");
	for (size_t i = 0; i < graph->page_count; i++)
		if (!graph->urls[i])
			return prn_error_set(error, PRN_E_ARGUMENT, "a page without a URL is of no crawler's part");
	for (size_t i = 0; i < count; i++)
		if (!(coverages[i] > 0 && coverages[i] <= 1) || (i && !(coverages[i] > coverages[i - 1])))
			return prn_error_set(error, PRN_E_ARGUMENT, "coverages are numbers above 0 and at most 1, ascending");
	return 0;
}

static int allocate(struct crawling *crawling)
{
	size_t pages = crawling->graph->page_count;

	crawling->crawlers = calloc(crawling->how->crawlers, sizeof *crawling->crawlers);
	crawling->owner = calloc(pages, sizeof *crawling->owner);
	crawling->fetched = calloc(pages, sizeof *crawling->fetched);
	if (!crawling->crawlers || !crawling->owner || !crawling->fetched)
		return PRN_E_MEMORY;
	for (uint32_t c = 0; c < crawling->how->crawlers; c++)
		if (!(crawling->crawlers[c].heard = calloc(pages / 64 + 1, sizeof(uint64_t))))
			return PRN_E_MEMORY;
	return 0;
}

int prn_parallel_crawl(const struct prn_graph *graph, const struct prn_parallel_crawl *crawl, const double *coverages, size_t count,
                       struct prn_parallel_reached *reached, struct prn_error *error)
{
	struct crawling crawling = { .graph = graph, .how = crawl };
	size_t start_pages = crawl->start_pages < graph->page_count ? crawl->start_pages : graph->page_count;
	uint32_t *starts;
	int code = check(graph, crawl, coverages, count, error);

	if (code)
		return code;
	starts = calloc(graph->page_count, sizeof *starts);
	code = starts ? allocate(&crawling) : PRN_E_MEMORY;
	if (!code) {
		find_owners(&crawling);
		code = begin(&crawling, starts, start_pages);
	}
	if (!code) {
		bool *met = calloc(graph->page_count, sizeof *met);

		crawling.reachable = met ? reach(graph, starts, start_pages, met) : 0;
		free(met);
		code = crawling.reachable ? crawl_rounds(&crawling, coverages, count, reached) : PRN_E_MEMORY;
	}
	for (uint32_t c = 0; crawling.crawlers && c < crawl->crawlers; c++) {
		free(crawling.crawlers[c].own.pages);
		free(crawling.crawlers[c].others.pages);
		free(crawling.crawlers[c].heard);
	}
	free(crawling.crawlers);
	free(crawling.owner);
	free(crawling.fetched);
	free(starts);
	return code ? prn_error_memory(error) : 0;
}
