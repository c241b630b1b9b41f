/*
 * Orderings of a crawl: on a web small enough to follow by hand, against the plainest way to choose the next page on drawn ones,
 * and what they are for.
 */
#include "perennial/importance.h"
#include "perennial/ordering.h"
#include "perennial/web.h"
#include "tap.h"

#include <stdlib.h>

static struct prn_graph graph_of(const char *const *urls, size_t pages, const size_t *starts, const uint32_t *to)
{
	struct prn_graph graph;

	if (prn_graph_init(&graph, urls, pages, starts, to))
		abort();
	return graph;
}

static const char *crawl(enum prn_ordering ordering, const struct prn_graph *graph, const double *importance, size_t start)
{
	static char told[100];
	uint32_t order[20];
	size_t begun;

	if (prn_ordering_crawl(ordering, graph, importance, start, 1, order, &begun))
		abort();
	for (size_t i = 0; i < graph->page_count; i++)
		told[i] = (char)('0' + order[i]);
	snprintf(told + graph->page_count, 20, " %zu", begun);
	return told;
}

/*
 * 0 leads to 1, 2 and 3; 1 to 4; 2 to 5 and 4; 3 to 5, 4 to 5, 5 to 6; 7 is led to by nothing and leads to 0.
 */
static void by_hand(void)
{
	static const char *const urls[] = { "http://a.example/", "http://a.example/b/c", "http://a.example/b/c/d", "http://a.example/b",
		                            "http://b.example/", "http://b.example/b", "http://b.example/?q", "http://c.example/" };
	static const size_t starts[] = { 0, 3, 4, 6, 7, 8, 9, 9, 10 };
	static const uint32_t to[] = { 1, 2, 3, 4, 5, 4, 5, 5, 6, 0 };
	static const double importance[] = { 1, 2, 3, 4, 4, 9, 1, 8 };
	struct prn_graph graph = graph_of(urls, 8, starts, to);
	uint32_t order[8] = { 5, 0, 7, 3, 1, 2, 4, 6 };
	double stop, threshold;

	same(crawl(PRN_ORDERING_BREADTH, &graph, NULL, 0), "01234567 2", "breadth takes pages as it hears of them, and begins anew for what is left");
	same(crawl(PRN_ORDERING_BREADTH, &graph, NULL, 7), "70123456 1", "a crawl begins where it is told to");
	/* After 0, 1 and 2 there are two links to 4, and one each to 3 and 5. */
	same(crawl(PRN_ORDERING_BACKLINK, &graph, NULL, 0), "01245367 2", "backlink takes the page that most of those taken link to");
	same(crawl(PRN_ORDERING_LOCATION, &graph, NULL, 0), "03561427 2", "location takes what stands highest of what it has heard of");
	same(crawl(PRN_ORDERING_IDEAL, &graph, importance, 0), "57342106 0", "the ideal takes the most important page first");
	ok(prn_ordering_crawl(PRN_ORDERING_BREADTH, &graph, NULL, 8, 1, order, NULL) == PRN_E_ARGUMENT, "a start that is no page is refused");
	ok(!prn_ordering_score(order, importance, 8, 3, 2, &stop, &threshold), "a crawl is judged");
	near(stop, 2.0 / 3, 1e-15, "of the first three two are as important as the third most important page");
	near(threshold, 1, 1e-15, "of the first three pages of a crawl both hot ones are there");
	ok(!prn_ordering_score(order, importance, 8, 3, 3, &stop, &threshold), "a crawl is judged by a lower threshold of hot pages too");
	near(threshold, 2.0 / 4, 1e-15, "pages as important as the last hot one are hot too");
	ok(!prn_ordering_score((const uint32_t[]){ 5, 3, 7 }, importance, 8, 3, 2, &stop, &threshold) && stop >= 1,
	   "as important as the third most important page is that page too, and another like it");
	ok(prn_ordering_score(order, importance, 8, 0, 2, &stop, &threshold) == PRN_E_ARGUMENT &&
	           prn_ordering_score(order, importance, 8, 8, 9, &stop, &threshold) == PRN_E_ARGUMENT,
	   "no page, and more than there are, are refused");
	prn_graph_release(&graph);
}

/* Looks at all pages heard of, each time; heard[] and links[] counted anew from all pages taken. */
static void plainly(enum prn_ordering ordering, const struct prn_graph *graph, const double *location, uint32_t *order)
{
	size_t n = graph->page_count, taken = 0, hearing = 1;
	size_t *heard = calloc(n, sizeof *heard);
	bool *done = calloc(n, sizeof *done);

	heard[0] = hearing++;
	while (taken < n) {
		size_t best = n;
		double best_value = 0;

		for (size_t p = 0; p < n; p++) {
			double value = 0;

			if (!heard[p] || done[p])
				continue;
			for (size_t q = 0; q < taken && ordering == PRN_ORDERING_BACKLINK; q++)
				for (size_t k = graph->to_starts[order[q]]; k < graph->to_starts[order[q] + 1]; k++)
					value += graph->to[k] == p;
			value = ordering == PRN_ORDERING_LOCATION ? location[p] : value;
			if (best == n || value > best_value || (value >= best_value && heard[p] < heard[best])) {
				best = p;
				best_value = value;
			}
		}
		done[best] = true;
		order[taken++] = (uint32_t)best;
		for (size_t k = graph->to_starts[best]; k < graph->to_starts[best + 1]; k++)
			if (!heard[graph->to[k]])
				heard[graph->to[k]] = hearing++;
	}
	free(heard);
	free(done);
}

static void against_plain(void)
{
	static const enum prn_ordering orderings[] = { PRN_ORDERING_BREADTH, PRN_ORDERING_BACKLINK, PRN_ORDERING_LOCATION };
	size_t right[3] = { 0 };

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct prn_web web = { 150, 12, 5, 0.7, seed };
		struct prn_importance_options options = { 0 };
		struct prn_importance_reached reached;
		uint32_t ours[150], plain[150];
		double location[150];
		struct prn_graph graph;
		size_t begun;

		if (prn_web_draw(&web, &graph, NULL) ||
		    prn_importance_weights(PRN_IMPORTANCE_LOCATION, &graph, &options, location, &reached, NULL))
			abort();
		for (int i = 0; i < 3; i++) {
			plainly(orderings[i], &graph, location, plain);
			right[i] += !prn_ordering_crawl(orderings[i], &graph, NULL, 0, 1, ours, &begun) && begun == 1 &&
			            !memcmp(ours, plain, sizeof ours);
		}
		prn_graph_release(&graph);
	}
	for (int i = 0; i < 3; i++)
		ok(right[i] == 20, "%s is what choosing among all pages heard of is, on 20 drawn webs", prn_ordering_name(orderings[i]));
}

/* The exact PageRanks of the pages heard of, by the links of those taken: [page], 0 of others. */
static void rank_known(const struct prn_graph *graph, const uint32_t *order, size_t taken, double *ranks)
{
	struct prn_importance_options options = { .damping = 0.85 };
	struct prn_importance_reached reached;
	size_t n = graph->page_count, known = 0, starts[101] = { 0 };
	uint32_t number[100], page[100], to[2000], links = 0;
	struct prn_graph part;
	double found[100];

	for (size_t i = 0; i < n; i++)
		number[i] = UINT32_MAX;
	for (size_t i = 0; i < taken; i++) {
		page[known] = order[i];
		number[order[i]] = (uint32_t)known++;
	}
	for (size_t i = 0; i < taken; i++) {
		for (size_t k = graph->to_starts[order[i]]; k < graph->to_starts[order[i] + 1]; k++) {
			if (number[graph->to[k]] == UINT32_MAX) {
				page[known] = graph->to[k];
				number[graph->to[k]] = (uint32_t)known++;
			}
			to[links++] = number[graph->to[k]];
		}
		starts[i + 1] = links;
	}
	for (size_t i = taken; i < known; i++)
		starts[i + 1] = links;
	part = graph_of(NULL, known, starts, to);
	if (prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &part, &options, found, &reached, NULL))
		abort();
	for (size_t i = 0; i < n; i++)
		ranks[i] = 0;
	for (size_t i = 0; i < known; i++)
		ranks[page[i]] = found[i];
	prn_graph_release(&part);
}

/* Of fewer than 100 pages ranks are computed after each: the next is always the best, as near as ranks are computed. */
static void by_rank(void)
{
	size_t best = 0, steps = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct prn_web web = { 90, 8, 6, 0.6, seed };
		uint32_t order[90];
		double ranks[90];
		struct prn_graph graph;

		if (prn_web_draw(&web, &graph, NULL) || prn_ordering_crawl(PRN_ORDERING_PAGERANK, &graph, NULL, 0, 1, order, NULL))
			abort();
		for (size_t taken = 1; taken < 90; taken++, steps++) {
			double most = 0;

			rank_known(&graph, order, taken, ranks);
			for (size_t i = taken; i < 90; i++)
				most = fmax(most, ranks[order[i]]);
			best += ranks[order[taken]] > most - 0.01;
		}
		prn_graph_release(&graph);
	}
	ok(best == steps, "PageRank takes the page of the highest rank in %zu of %zu steps", best, steps);
}

/* What each is for, on a drawn web of 20,000 pages: hot are the tenth with the highest PageRank. */
static void purpose(void)
{
	struct prn_web web = { 20000, 400, 10, 0.75, 3 };
	struct prn_importance_options options = { .damping = 0.85 };
	struct prn_importance_reached reached;
	uint32_t *order = calloc(web.pages, sizeof *order), *again = calloc(web.pages, sizeof *again);
	double *importance = calloc(web.pages, sizeof *importance), found[PRN_ORDERINGS], stop;
	bool *met = calloc(web.pages, sizeof *met), all = true;
	struct prn_graph graph;

	if (prn_web_draw(&web, &graph, NULL) ||
	    prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &graph, &options, importance, &reached, NULL))
		abort();
	for (int i = 0; i < PRN_ORDERINGS; i++) {
		if (prn_ordering_crawl((enum prn_ordering)i, &graph, importance, 0, 7, order, NULL) ||
		    prn_ordering_score(order, importance, web.pages, 4000, 2000, &stop, &found[i]))
			abort();
		memset(met, 0, web.pages * sizeof *met);
		for (size_t p = 0; p < web.pages; p++) {
			all &= !met[order[p]];
			met[order[p]] = true;
		}
		printf("# %s: after a fifth of the pages %.3f of the hot ones, %.3f as good as the ideal's\n",
		       prn_ordering_name((enum prn_ordering)i), found[i], stop);
	}
	ok(all, "every crawl takes each page once");
	ok(found[PRN_ORDERING_IDEAL] >= 1, "the ideal has all hot pages after twice as many");
	ok(found[PRN_ORDERING_PAGERANK] > found[PRN_ORDERING_BREADTH] && found[PRN_ORDERING_BACKLINK] > found[PRN_ORDERING_RANDOM],
	   "orderings by links find hot pages earlier than those that do not look at them");
	if (prn_ordering_crawl(PRN_ORDERING_RANDOM, &graph, NULL, 0, 7, order, NULL) ||
	    prn_ordering_crawl(PRN_ORDERING_RANDOM, &graph, NULL, 0, 7, again, NULL))
		abort();
	ok(!memcmp(order, again, web.pages * sizeof *order), "the same seed draws the same order");
	if (prn_ordering_crawl(PRN_ORDERING_RANDOM, &graph, NULL, 0, 8, again, NULL))
		abort();
	ok(memcmp(order, again, web.pages * sizeof *order) != 0, "another seed draws another order");
	prn_graph_release(&graph);
	free(order);
	free(again);
	free(importance);
	free(met);
}

int main(void)
{
	by_hand();
	against_plain();
	by_rank();
	purpose();
	return done();
}
