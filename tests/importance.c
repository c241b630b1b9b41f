/*
 * Graphs and importance: cases that can be reckoned by hand, properties, and each against the plainest way to compute it on
 * drawn graphs.  (tests/cli/weigh.sh holds the command against another implementation.)
 */
#include "base/random.h"
#include "perennial/importance.h"
#include "perennial/web.h"
#include "tap.h"

#include <stdlib.h>

#define MOST 64

static struct prn_graph graph_of(size_t pages, const size_t *starts, const uint32_t *to)
{
	struct prn_graph graph;

	if (prn_graph_init(&graph, NULL, pages, starts, to))
		abort();
	return graph;
}

static struct prn_importance_reached reached;

static void weigh(enum prn_importance importance, const struct prn_graph *graph, double damping, double *weights)
{
	struct prn_importance_options options = { .damping = damping, .tolerance = 1e-13, .threads = 2 };

	if (prn_importance_weights(importance, graph, &options, weights, &reached, NULL))
		abort();
}

static void graphs(void)
{
	static const size_t starts[] = { 0, 4, 4, 6 }, far[] = { 0, 1 };
	static const uint32_t to[] = { 2, 1, 2, 0, 1, 0 }, beyond[] = { 1 };
	static const uint32_t ends[] = { 1, 2, 0, 1 }, begins[] = { 2, 0, 2, 0 };
	struct prn_graph graph = graph_of(3, starts, to), none;

	ok(graph.link_count == 4 && !memcmp(graph.to, ends, sizeof ends),
	   "links are kept in order, each once, and none of a page to itself");
	ok(graph.to_starts[1] == 2, "the links of a page begin where those of the page before it end");
	ok(!memcmp(graph.from, begins, sizeof begins), "links are told from both ends");
	ok(graph.from_starts[1] == 1, "the links to a page begin where those to the page before it end");
	ok(prn_graph_init(&none, NULL, 1, far, beyond) == PRN_E_ARGUMENT, "a link to a page that there is not is refused");
	prn_graph_release(&graph);
}

static const char *no_url(void *context, size_t i)
{
	(void)context, (void)i;
	return NULL;
}

static int no_page(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	(void)context, (void)i, (void)page, (void)error;
	return 0;
}

static void without_urls(void)
{
	static const size_t starts[] = { 0, 1, 1 };
	static const uint32_t to[] = { 1 };
	const struct prn_importance_options options = { 0 };
	const struct prn_pages pages = { .count = 2, .read = no_page, .url = no_url };
	struct prn_graph graph = graph_of(2, starts, to), none;
	double w[2];

	ok(prn_importance_weights(PRN_IMPORTANCE_LOCATION, &graph, &options, w, &reached, NULL) == PRN_E_ARGUMENT,
	   "without URLs pages have no location");
	ok(prn_importance_weights(PRN_IMPORTANCE_BACKLINKS, &graph, &options, w, &reached, NULL) == 0, "pages without URLs have links");
	ok(prn_graph_of_pages(&none, &pages, 1, NULL) == PRN_E_ARGUMENT, "pages of traces without URLs have no graph");
	prn_graph_release(&graph);
}

/* 0 and 1 link to each other, 2 to 0; 3 links to nothing. */
static void by_hand(void)
{
	static const size_t starts[] = { 0, 1, 2, 3, 3 };
	static const uint32_t to[] = { 1, 0, 0 };
	struct prn_graph graph = graph_of(4, starts, to);
	/* With d = 1/2: r2 = r3 = 1/2 + r3/8, so 4/7; r1 = 4/7 + r0/2; r0 = 4/7 + (r1 + 4/7)/2. */
	const double u = 4.0 / 7, r0 = (u + u / 2 + u / 2) / 0.75;
	double w[4];

	weigh(PRN_IMPORTANCE_PAGERANK, &graph, 0.5, w);
	near(w[0], r0, 1e-12, "PageRank by hand: a page that two link to");
	near(w[1], u + r0 / 2, 1e-12, "PageRank by hand: a page that one links to");
	near(w[2], u, 1e-12, "PageRank by hand: a page that nothing links to");
	near(w[3], u, 1e-12, "PageRank by hand: a page that leads nowhere");
	ok(reached.converged && reached.within <= 1e-13, "PageRank says how near its limit is: %g", reached.within);
	ok(reached.rounds > 10, "PageRank says how many rounds there were: %zu", reached.rounds);
	weigh(PRN_IMPORTANCE_BACKLINKS, &graph, 0.5, w);
	near(w[0], 0.5 + 0.5 * 8 / 3, 1e-15, "backlinks by hand: two of a mean of three quarters");
	near(w[2], 0.5, 1e-15, "backlinks by hand: none");
	/* Hubs 1 and 2 lead to 0 alone, whose authority they make; hub 0 leads to 1, of which in the limit nothing is left. */
	weigh(PRN_IMPORTANCE_HITS, &graph, 0.5, w);
	near(w[0], 0.5 + 0.5 * 4, 1e-12, "HITS by hand: the one authority");
	near(w[1], 0.5, 1e-12, "HITS by hand: a page of another, smaller community");
	weigh(PRN_IMPORTANCE_PAGERANK, &graph, 0, w);
	ok(w[0] == 1 && w[1] == 1, "without damping a page that others link to has the PageRank of any");
	ok(w[3] == 1, "without damping a page that nothing links to has the PageRank of any");
	prn_graph_release(&graph);
}

static void locations(void)
{
	static const char *const urls[] = { "http://a.example/", "http://a.example/b", "http://a.example/b/", "http://u:p@a.example:81/b/c.html?q=/x/y",
		                            "http://a.example/?q", "http://a.example//b//c" };
	static const double want[] = { 1, 1.0 / 2, 1.0 / 2, 1.0 / 4, 1.0 / 2, 1.0 / 3 };
	static const size_t starts[7] = { 0 };
	const double mean = (1 + 0.5 + 0.5 + 0.25 + 0.5 + 1.0 / 3) / 6;
	struct prn_importance_options options = { 0 };
	struct prn_graph graph;
	double w[6];

	if (prn_graph_init(&graph, urls, 6, starts, NULL) ||
	    prn_importance_weights(PRN_IMPORTANCE_LOCATION, &graph, &options, w, &reached, NULL))
		abort();
	for (int i = 0; i < 6; i++)
		near(w[i], want[i] / mean, 1e-15, "the location of %s", urls[i]);
	prn_graph_release(&graph);
}

static void edges(void)
{
	static const size_t starts[] = { 0, 0, 0 };
	struct prn_graph graph = graph_of(2, starts, NULL), empty = graph_of(0, starts, NULL);
	struct prn_importance_options bad = { .damping = 1 }, slow = { .damping = 0.9999, .rounds = 3 };
	struct prn_web web = PRN_WEB_DEFAULT;
	struct prn_graph drawn;
	struct prn_error error;
	double w[2] = { 0 }, *many;
	bool all = true;

	for (int i = 0; i < PRN_IMPORTANCES; i++)
		if (i != PRN_IMPORTANCE_LOCATION) {
			weigh((enum prn_importance)i, &graph, 0.85, w);
			all &= w[0] == 1 && w[1] == 1 && reached.converged;
			weigh((enum prn_importance)i, &empty, 0.85, w);
		}
	ok(all, "without links every page weighs 1");
	ok(prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &graph, &bad, w, &reached, &error) == PRN_E_ARGUMENT, "a damping of 1 is refused");
	web.pages = 1000;
	if (prn_web_draw(&web, &drawn, NULL))
		abort();
	many = calloc(drawn.page_count, sizeof *many);
	ok(!prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &drawn, &slow, many, &reached, NULL),
	   "importance may be asked for in few rounds");
	ok(!reached.converged && reached.rounds == 3, "what does not come near enough in the rounds that it has says so");
	free(many);
	prn_graph_release(&drawn);
	prn_graph_release(&graph);
	prn_graph_release(&empty);
}

/* PageRank as a dense system of equations, by elimination. */
static void solve(const struct prn_graph *graph, double d, double *x)
{
	static double a[MOST][MOST + 1];
	size_t n = graph->page_count;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= n; j++)
			a[i][j] = j == n ? 1 - d : i == j;
	for (size_t q = 0; q < n; q++) {
		size_t links = graph->to_starts[q + 1] - graph->to_starts[q];

		for (size_t i = 0; i < n && !links; i++)
			a[i][q] -= d / (double)n;
		for (size_t k = graph->to_starts[q]; k < graph->to_starts[q + 1]; k++)
			a[graph->to[k]][q] -= d / (double)links;
	}
	for (size_t p = 0; p < n; p++)
		for (size_t i = 0; i < n; i++) {
			double f = i == p ? 0 : a[i][p] / a[p][p];

			for (size_t j = p; j <= n && i != p; j++)
				a[i][j] -= f * a[p][j];
		}
	for (size_t i = 0; i < n; i++)
		x[i] = a[i][n] / a[i][i];
}

static void against_elimination(void)
{
	struct prn_random random;
	double worst = 0, mean_off = 0, told = 0;

	prn_random_seed(&random, 5, 0);
	for (int g = 0; g < 200; g++) {
		size_t n = 1 + prn_random_below(&random, MOST), links = prn_random_below(&random, 4 * n), starts[MOST + 1] = { 0 };
		struct prn_importance_options options = { .damping = 0.85, .tolerance = 1e-9 };
		uint32_t to[4 * MOST];
		double x[MOST], w[MOST], sum = 0, off = 0;
		struct prn_graph graph;

		for (size_t i = 0, k = 0; i < n; i++) {
			size_t more = i + 1 == n ? links - k : prn_random_below(&random, links - k + 1) / (1 + prn_random_below(&random, 3));

			while (more--)
				to[k++] = (uint32_t)prn_random_below(&random, n);
			starts[i + 1] = k;
		}
		graph = graph_of(n, starts, to);
		solve(&graph, 0.85, x);
		weigh(PRN_IMPORTANCE_PAGERANK, &graph, 0.85, w);
		for (size_t i = 0; i < n && graph.link_count; i++) {
			worst = fmax(worst, fabs(w[i] - x[i]));
			sum += w[i] / (double)n;
		}
		mean_off = fmax(mean_off, graph.link_count ? fabs(sum - 1) : 0);
		if (prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &graph, &options, w, &reached, NULL))
			abort();
		for (size_t i = 0; i < n && graph.link_count; i++)
			off += fabs(w[i] - x[i]) / (double)n;
		told = fmax(told, off - reached.within);
		prn_graph_release(&graph);
	}
	ok(worst < 1e-11, "PageRank is the solution of its equations on 200 drawn graphs (%g off)", worst);
	ok(mean_off < 1e-12, "the mean PageRank is 1 (%g off)", mean_off);
	ok(told < 1e-14, "the limit is no farther away than is told (%g)", told);
}

/* A line of pages: what the first lacks comes to each other a round later, by d less, so that the bound is what is missing. */
static void slowest(void)
{
	struct prn_importance_options options = { .damping = 0.85, .tolerance = 0.02 };
	size_t starts[MOST + 1] = { 0 };
	double exact[MOST], w[MOST], off = 0;
	struct prn_graph graph;
	uint32_t to[MOST];

	for (uint32_t i = 0; i < MOST; i++) {
		to[i] = i + 1;
		starts[i + 1] = i + 1 < MOST ? i + 1 : i;
	}
	graph = graph_of(MOST, starts, to);
	solve(&graph, 0.85, exact);
	if (prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &graph, &options, w, &reached, NULL))
		abort();
	for (int i = 0; i < MOST; i++)
		off += fabs(w[i] - exact[i]) / MOST;
	ok(off <= reached.within && off > 0.5 * reached.within, "where ranks come slowest they are off by nearly what is told (%g of %g)", off,
	   reached.within);
	ok(reached.within <= 0.02, "where ranks come slowest they come as near as is asked: %g", reached.within);
	prn_graph_release(&graph);
}

/* A page that leads to n others, of which the first so many lead back: where so many are added up, rounding must not keep it from the limit. */
static void star(size_t n, size_t back, double damping)
{
	struct prn_importance_options options = { .damping = damping };
	size_t *starts = calloc(n + 2, sizeof *starts);
	uint32_t *to = calloc(n + back, sizeof *to);
	double *w = calloc(n + 1, sizeof *w), share, home;
	struct prn_graph graph;

	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)i + 1;
	for (size_t i = 0; i <= n; i++)
		starts[i + 1] = n + (i < back ? i : back);
	graph = graph_of(n + 1, starts, to);
	if (prn_importance_weights(PRN_IMPORTANCE_PAGERANK, &graph, &options, w, &reached, NULL))
		abort();
	ok(reached.converged && reached.rounds < 60 / (1 - damping), "a star of %zu pages, %zu of which lead back, has its ranks after %zu rounds at %g",
	   n, back, reached.rounds, damping);
	/* Leaves have l = s + d h/n, the home h = s + d b l, and all h + n l = n + 1. */
	home = (1 + damping * (double)back) / (1 - damping * damping * (double)back / (double)n);
	share = (double)(n + 1) / (home * (1 + damping) + (double)n);
	home *= share;
	near(w[0] / home, 1, 1e-10,
	     "the middle of a star of %zu pages, %zu of which lead back, has the rank that its equations give at %g", n, back, damping);
	prn_graph_release(&graph);
	free(starts);
	free(to);
	free(w);
}

static void threads(void)
{
	struct prn_web web = PRN_WEB_DEFAULT;
	struct prn_graph graph;
	bool same_bits = true;

	web.pages = 20000;
	web.sites = 300;
	if (prn_web_draw(&web, &graph, NULL))
		abort();
	for (int i = 0; i < PRN_IMPORTANCES; i++) {
		struct prn_importance_options one = { .damping = 0.85, .threads = 1 }, many = { .damping = 0.85, .threads = 5 };
		double *a = calloc(graph.page_count, sizeof *a), *b = calloc(graph.page_count, sizeof *b), sum = 0;

		if (prn_importance_weights((enum prn_importance)i, &graph, &one, a, &reached, NULL) ||
		    prn_importance_weights((enum prn_importance)i, &graph, &many, b, &reached, NULL))
			abort();
		same_bits &= !memcmp(a, b, graph.page_count * sizeof *a);
		for (size_t p = 0; p < graph.page_count; p++)
			sum += a[p];
		near(sum / (double)graph.page_count, 1, 1e-9, "the mean weight by %s is 1", prn_importance_name((enum prn_importance)i));
		ok(reached.converged, "%s comes near its limit, in %zu rounds", prn_importance_name((enum prn_importance)i), reached.rounds);
		free(a);
		free(b);
	}
	ok(same_bits, "weights are the same to the last bit for any number of threads");
	prn_graph_release(&graph);
}

int main(void)
{
	graphs();
	without_urls();
	by_hand();
	locations();
	edges();
	against_elimination();
	slowest();
	star(3000, 3000, 0.85);
	star(100000, 60000, 0.85);
	star(3000, 3000, 0.99);
	star(30000, 30000, 0.995);
	threads();
	return done();
}
