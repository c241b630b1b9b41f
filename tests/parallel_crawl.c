/*
 * A crawl by many crawlers: each mode followed by hand on four pages, what must hold for any web, and what can be reckoned from the
 * graph alone.
 */
#include "perennial/parallel_crawl.h"
#include "perennial/url.h"
#include "perennial/web.h"
#include "tap.h"

#include <stdlib.h>

static const double whole[] = { 1 };

static struct prn_parallel_reached crawl(const struct prn_graph *graph, enum prn_crawl_mode mode, uint32_t crawlers, bool by_page,
                                         size_t starts)
{
	struct prn_parallel_crawl how = { mode, crawlers, by_page, starts, 1 };
	struct prn_parallel_reached reached;
	struct prn_error error = { 0 };

	if (prn_parallel_crawl(graph, &how, whole, 1, &reached, &error)) {
		printf("# %s\n", error.text);
		abort();
	}
	return reached;
}

/* Two hosts in the first part of two, and in the second, found by their digests. */
static const char *host_in(uint32_t part, unsigned number)
{
	static char urls[8][64];
	static unsigned used;
	char *url = urls[used++ % 8];

	for (unsigned i = 0;; i++) {
		struct prn_digest host;

		snprintf(url, sizeof urls[0], "http://h%u.example/", i);
		host = prn_host_digest(url);
		if (prn_host_slot(&host) % 2 == part && !number--)
			return url;
	}
}

/* The crawl begins with all four: 0 and 1 are the first crawler's, 2 and 3 the second's.  0 leads to 1 and 2, 2 to 1 and 3. */
static void by_hand(void)
{
	const char *urls[] = { host_in(0, 0), host_in(0, 1), host_in(1, 0), host_in(1, 1) };
	static const size_t starts[] = { 0, 2, 2, 4, 4 };
	static const uint32_t to[] = { 1, 2, 1, 3 };
	struct prn_parallel_reached r;
	struct prn_graph graph;

	if (prn_graph_init(&graph, urls, 4, starts, to))
		abort();
	r = crawl(&graph, PRN_CRAWL_FIREWALL, 2, false, 4);
	ok(r.fetched == 4 && r.coverage >= 1, "two crawlers fetch all four pages of theirs");
	ok(r.rounds == 2, "two crawlers fetch four pages in two rounds");
	near(r.across, 0.5, 1e-15, "of four links two lead to the other crawler's part");
	near(r.exchanged, 0, 0, "crawlers behind a firewall tell each other nothing");
	near(r.speed, 1, 1e-15, "two crawlers with as many pages each are never idle");
	r = crawl(&graph, PRN_CRAWL_EXCHANGE, 2, false, 4);
	near(r.exchanged, 0.5, 1e-15, "crawlers that exchange URLs send two URLs for four pages");
	near(r.overlap, 0, 0, "crawlers that exchange URLs fetch nothing twice");
	prn_graph_release(&graph);
}

static void any_web(void)
{
	static const uint32_t numbers[] = { 1, 2, 7, 64 };
	struct prn_web web = { 5000, 300, 8, 0.75, 2 };
	struct prn_graph graph;
	double before = 2;
	bool covers = true, apart = true, silent = true, falls = true, over = true, owns = true;

	if (prn_web_draw(&web, &graph, NULL))
		abort();
	for (int i = 0; i < 4; i++) {
		struct prn_parallel_reached firewall = crawl(&graph, PRN_CRAWL_FIREWALL, numbers[i], false, 64);
		struct prn_parallel_reached exchange = crawl(&graph, PRN_CRAWL_EXCHANGE, numbers[i], false, 64);
		struct prn_parallel_reached cross = crawl(&graph, PRN_CRAWL_CROSS_OVER, numbers[i], false, 64);

		printf("# %u: firewall covers %.3f, cross-over %.3f with overlap %.3f, exchange tells %.3f of %.3f\n", numbers[i],
		       firewall.coverage, cross.coverage, cross.overlap, exchange.exchanged, exchange.across);
		covers &= exchange.coverage >= 1 && cross.coverage >= 1;
		apart &= firewall.overlap <= 0 && exchange.overlap <= 0;
		silent &= firewall.exchanged <= 0 && cross.exchanged <= 0;
		falls &= firewall.coverage < before;
		over &= numbers[i] == 1 ? cross.overlap <= 0 : cross.overlap > 0 && cross.overlap <= numbers[i] - 1;
		owns &= exchange.exchanged <= exchange.across;
		before = firewall.coverage;
	}
	ok(covers, "exchange and cross-over have every page in the end");
	ok(apart, "behind a firewall and in exchange no page is fetched twice");
	ok(over, "cross-over fetches pages twice, and at most once by each crawler");
	ok(silent, "only in exchange URLs are told");
	ok(falls, "behind a firewall the more crawlers, the less they have");
	ok(owns, "no more URLs are told than there are links across");
	prn_graph_release(&graph);
}

/* With every page fetched once, links across are those of the graph; by pages' hashes they are all but one in n. */
static void reckoned(void)
{
	struct prn_web web = { 5000, 300, 8, 0.75, 4 };
	struct prn_parallel_reached by_host, by_page;
	struct prn_graph graph;
	size_t across = 0;
	double links;

	if (prn_web_draw(&web, &graph, NULL))
		abort();
	by_host = crawl(&graph, PRN_CRAWL_EXCHANGE, 8, false, 5000);
	by_page = crawl(&graph, PRN_CRAWL_EXCHANGE, 8, true, 5000);
	for (size_t i = 0; i < graph.page_count; i++)
		for (size_t k = graph.to_starts[i]; k < graph.to_starts[i + 1]; k++) {
			struct prn_digest a = prn_host_digest(graph.urls[i]), b = prn_host_digest(graph.urls[graph.to[k]]);

			across += prn_host_slot(&a) % 8 != prn_host_slot(&b) % 8;
		}
	links = (double)graph.link_count / 5000;
	near(by_host.across, (double)across / 5000, 1e-12, "links across parts of hosts are those of the graph");
	/* Where a page falls is as good as drawn, but pages that many link to weigh: a few per cent. */
	near(by_page.across / links, 7.0 / 8, 0.04, "of eight parts of pages all but an eighth of the links lead to another");
	ok(by_host.across < by_page.across / 2, "parts of hosts have less than half of that");
	prn_graph_release(&graph);
}

static void coverages(void)
{
	static const double some[] = { 0.25, 0.5, 1 }, falling[] = { 0.5, 0.25 };
	struct prn_web web = { 5000, 300, 8, 0.75, 2 };
	struct prn_parallel_crawl how = { PRN_CRAWL_CROSS_OVER, 4, false, 16, 1 }, none = { PRN_CRAWL_FIREWALL, 0, false, 16, 1 };
	struct prn_parallel_reached r[3], again[1];
	struct prn_graph graph;

	if (prn_web_draw(&web, &graph, NULL) || prn_parallel_crawl(&graph, &how, some, 3, r, NULL) ||
	    prn_parallel_crawl(&graph, &how, some + 1, 1, again, NULL))
		abort();
	for (int i = 0; i < 2; i++)
		ok(r[i].coverage >= some[i] && r[i].coverage < some[i] + 0.001,
		   "the figures of a coverage of %g are of when it is reached", some[i]);
	ok(r[0].overlap < 0.01, "cross-over leaves others' pages alone while there are own ones (%g in vain)", r[0].overlap);
	ok(r[0].overlap <= r[1].overlap && r[1].overlap < r[2].overlap, "cross-over has the more overlap, the more it covers");
	ok(!memcmp(&r[1], again, sizeof *again), "the figures of a coverage do not depend on other coverages");
	ok(prn_parallel_crawl(&graph, &how, falling, 2, r, NULL) == PRN_E_ARGUMENT, "coverages that do not ascend are refused");
	ok(prn_parallel_crawl(&graph, &none, some, 1, r, NULL) == PRN_E_ARGUMENT, "no crawlers are refused");
	prn_graph_release(&graph);
}

static void without_urls(void)
{
	static const double all[] = { 1 };
	static const size_t starts[] = { 0, 1, 1 };
	static const uint32_t to[] = { 1 };
	const struct prn_parallel_crawl how = { PRN_CRAWL_EXCHANGE, 2, false, 1, 1 };
	struct prn_parallel_reached r;
	struct prn_graph graph;

	if (prn_graph_init(&graph, NULL, 2, starts, to))
		abort();
	ok(prn_parallel_crawl(&graph, &how, all, 1, &r, NULL) == PRN_E_ARGUMENT, "pages without URLs are refused: they are of nobody's part");
	prn_graph_release(&graph);
}

int main(void)
{
	by_hand();
	any_web();
	reckoned();
	coverages();
	without_urls();
	return done();
}
