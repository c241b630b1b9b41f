#include "perennial/graph.h"

#include "base/buffer.h"
#include "base/parallel.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

void prn_graph_release(struct prn_graph *graph)
{
	free(graph->to_starts);
	free(graph->from_starts);
	free(graph->to);
	free(graph->from);
	free(graph->urls);
	free(graph->text);
	*graph = (struct prn_graph){ 0 };
}

/*
 * Sorts links by the page that they lead to.  They are added in the order of the pages that they come from, so these ascend for
 * each page.
 */
static void turn(const size_t *starts, const uint32_t *to, size_t pages, size_t *turned_starts, uint32_t *turned)
{
	for (size_t i = 0; i <= pages; i++)
		turned_starts[i] = 0;
	for (size_t k = 0; k < starts[pages]; k++)
		turned_starts[to[k] + 1]++;
	for (size_t i = 0; i < pages; i++)
		turned_starts[i + 1] += turned_starts[i];
	for (size_t i = 0; i < pages; i++)
		for (size_t k = starts[i]; k < starts[i + 1]; k++)
			turned[turned_starts[to[k]]++] = (uint32_t)i;
	for (size_t i = pages; i; i--)
		turned_starts[i] = turned_starts[i - 1];
	turned_starts[0] = 0;
}

/* Removes links of a page to itself, and repeated ones; links must ascend. */
static void keep_distinct(struct prn_graph *graph)
{
	size_t kept = 0, from = 0;

	for (size_t i = 0; i < graph->page_count; i++) {
		size_t first = kept, end = graph->to_starts[i + 1];

		for (; from < end; from++)
			if (graph->to[from] != i && (kept == first || graph->to[from] != graph->to[kept - 1]))
				graph->to[kept++] = graph->to[from];
		graph->to_starts[i + 1] = kept;
	}
	graph->link_count = kept;
}

static int allocate(struct prn_graph *graph, size_t pages, size_t links)
{
	*graph = (struct prn_graph){ .page_count = pages, .link_count = links };
	graph->to_starts = calloc(pages + 1, sizeof *graph->to_starts);
	graph->from_starts = calloc(pages + 1, sizeof *graph->from_starts);
	graph->to = calloc(links + 1, sizeof *graph->to);
	graph->from = calloc(links + 1, sizeof *graph->from);
	graph->urls = calloc(pages + 1, sizeof *graph->urls);
	return graph->to_starts && graph->from_starts && graph->to && graph->from && graph->urls ? 0 : PRN_E_MEMORY;
}

/* Links that are turned twice are the same as before, but in order. */
static void settle(struct prn_graph *graph, const size_t *starts, const uint32_t *to)
{
	turn(starts, to, graph->page_count, graph->from_starts, graph->from);
	turn(graph->from_starts, graph->from, graph->page_count, graph->to_starts, graph->to);
	keep_distinct(graph);
	turn(graph->to_starts, graph->to, graph->page_count, graph->from_starts, graph->from);
}

int prn_graph_init(struct prn_graph *graph, const char *const *urls, size_t pages, const size_t *starts, const uint32_t *to)
{
	if (pages > UINT32_MAX)
		return PRN_E_LIMIT;
	for (size_t k = 0; k < starts[pages]; k++)
		if (to[k] >= pages)
			return PRN_E_ARGUMENT;
	if (allocate(graph, pages, starts[pages])) {
		prn_graph_release(graph);
		return PRN_E_MEMORY;
	}
	for (size_t i = 0; urls && i < pages; i++)
		graph->urls[i] = urls[i];
	settle(graph, starts, to);
	return 0;
}

/* Finds pages by the halves of keys that links carry. */
struct index {
	struct slot {
		uint64_t key;
		uint32_t page; /* number + 1; 0: none here */
	} *slots;
	size_t mask;
};

/* A reading of pages: for each page, where it leads within the graph. */
struct reading {
	const struct prn_pages *pages;
	struct index index;
	uint32_t *number;      /* [pages->count] the number of each page in the graph */
	struct prn_page *page; /* [threads] */
	struct leads {
		uint32_t *to;
		size_t count, outside;
		bool known;
	} *leads; /* [pages->count] */
};

static struct slot *find(const struct index *index, uint64_t key)
{
	size_t at = (size_t)key & index->mask;

	while (index->slots[at].page && index->slots[at].key != key)
		at = (at + 1) & index->mask;
	return &index->slots[at];
}

/* Numbers pages by their URLs: urls[i] is the i-th different one. */
static int number_pages(struct reading *reading, const char **urls, size_t *count, struct prn_error *error)
{
	const struct prn_pages *pages = reading->pages;
	size_t slots = 16;

	while (slots < 2 * pages->count)
		slots *= 2;
	reading->index = (struct index){ calloc(slots, sizeof *reading->index.slots), slots - 1 };
	if (!reading->index.slots)
		return prn_error_memory(error);
	*count = 0;
	for (size_t i = 0; i < pages->count; i++) {
		const char *url = pages->url(pages->context, i);
		struct slot *slot;
		uint64_t key;

		if (!url)
			return prn_error_set(error, PRN_E_ARGUMENT, "a page without a URL has no place in a graph");
		key = prn_url_key(url).low;
		slot = find(&reading->index, key);
		if (!slot->page) {
			urls[*count] = url;
			*slot = (struct slot){ key, (uint32_t)++*count };
		}
		reading->number[i] = slot->page - 1;
	}
	return 0;
}

static int read_page(void *context, size_t thread, size_t i, struct prn_error *error)
{
	struct reading *reading = context;
	struct prn_page *page = &reading->page[thread];
	struct leads *leads = &reading->leads[i];
	int code = reading->pages->read(reading->pages->context, i, page, error);

	if (code < 0)
		return code;
	leads->known = page->linked;
	leads->to = page->link_count ? malloc(page->link_count * sizeof *leads->to) : NULL;
	if (page->link_count && !leads->to)
		return prn_error_memory(error);
	for (size_t k = 0; k < page->link_count; k++) {
		const struct slot *slot = find(&reading->index, page->links[k]);

		if (slot->page)
			leads->to[leads->count++] = slot->page - 1;
		else
			leads->outside++;
	}
	return 0;
}

/* Puts the links of all pages of a number one after another; starts has room for one more than there are pages. */
static int join(const struct reading *reading, struct prn_graph *graph)
{
	const struct leads *leads = reading->leads;
	size_t *starts = calloc(graph->page_count + 2, sizeof *starts), links = 0;
	uint32_t *to = NULL;

	for (size_t i = 0; starts && i < reading->pages->count; i++) {
		links += leads[i].count;
		starts[reading->number[i] + 2] += leads[i].count;
	}
	to = calloc(links + 1, sizeof *to);
	free(graph->to);
	free(graph->from);
	graph->to = calloc(links + 1, sizeof *graph->to);
	graph->from = calloc(links + 1, sizeof *graph->from);
	if (!starts || !to || !graph->to || !graph->from) {
		free(starts);
		free(to);
		return PRN_E_MEMORY;
	}
	for (size_t i = 0; i < graph->page_count; i++)
		starts[i + 2] += starts[i + 1];
	for (size_t i = 0; i < reading->pages->count; i++) {
		size_t *end = &starts[reading->number[i] + 1];

		if (leads[i].count)
			memcpy(to + *end, leads[i].to, leads[i].count * sizeof *to);
		*end += leads[i].count;
		graph->outside += leads[i].outside;
		graph->unknown += !leads[i].known;
	}
	settle(graph, starts, to);
	free(starts);
	free(to);
	return 0;
}

int prn_graph_of_pages(struct prn_graph *graph, const struct prn_pages *pages, size_t threads, struct prn_error *error)
{
	struct reading reading = { .pages = pages };
	struct prn_graph found = { 0 };
	int code = 0;

	if (pages->count > UINT32_MAX)
		return prn_error_set(error, PRN_E_LIMIT, "there are more pages than 2^32 - 1");
	threads = prn_parallel_threads(threads);
	reading.number = calloc(pages->count + 1, sizeof *reading.number);
	reading.page = calloc(threads, sizeof *reading.page);
	reading.leads = calloc(pages->count + 1, sizeof *reading.leads);
	if (!reading.number || !reading.page || !reading.leads || allocate(&found, pages->count, 0))
		code = prn_error_memory(error);
	if (!code)
		code = number_pages(&reading, found.urls, &found.page_count, error);
	if (!code)
		code = prn_parallel_for(pages->count, threads, read_page, &reading, error);
	if (!code && join(&reading, &found))
		code = prn_error_memory(error);
	for (size_t i = 0; reading.leads && i < pages->count; i++)
		free(reading.leads[i].to);
	for (size_t i = 0; reading.page && i < threads; i++)
		prn_page_release(&reading.page[i]);
	free(reading.index.slots);
	free(reading.number);
	free(reading.page);
	free(reading.leads);
	if (code)
		prn_graph_release(&found);
	else
		*graph = found;
	return code;
}
