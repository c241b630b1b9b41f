/* Drawn webs: they are of the numbers asked for, links follow a power law, and every page is reached. */
#include "perennial/url.h"
#include "perennial/web.h"
#include "tap.h"

#include <stdlib.h>

static struct prn_graph draw(struct prn_web web)
{
	struct prn_graph graph;
	struct prn_error error = { 0 };

	if (prn_web_draw(&web, &graph, &error)) {
		printf("# %s\n", error.text);
		abort();
	}
	return graph;
}

static size_t reach(const struct prn_graph *graph)
{
	uint32_t *queue = calloc(graph->page_count, sizeof *queue);
	bool *seen = calloc(graph->page_count, sizeof *seen);
	size_t count = 1;

	seen[0] = true;
	for (size_t at = 0; at < count; at++)
		for (size_t k = graph->to_starts[queue[at]]; k < graph->to_starts[queue[at] + 1]; k++)
			if (!seen[graph->to[k]]) {
				seen[graph->to[k]] = true;
				queue[count++] = graph->to[k];
			}
	free(queue);
	free(seen);
	return count;
}

static bool same_host(const char *a, const char *b)
{
	size_t m, n;
	const char *x = prn_url_host(a, &m), *y = prn_url_host(b, &n);

	return m == n && !memcmp(x, y, n);
}

/* Pages that at least k link to; a power law of k^-2.1 has the share of these fall as k^-1.1. */
static double tail(const struct prn_graph *graph, size_t k)
{
	size_t count = 0;

	for (size_t i = 0; i < graph->page_count; i++)
		count += graph->from_starts[i + 1] - graph->from_starts[i] >= k;
	return (double)count;
}

int main(void)
{
	struct prn_web web = PRN_WEB_DEFAULT;
	struct prn_graph graph, again;
	size_t within = 0, sites = 0, normal = 0;
	double slope;
	char form[PRN_URL_BYTES + 1];

	web.pages = 50000;
	web.sites = 2000;
	graph = draw(web);
	again = draw(web);
	ok(graph.page_count == 50000, "a web has the pages asked for");
	ok(graph.link_count == again.link_count && !memcmp(graph.to, again.to, graph.link_count * sizeof *graph.to),
	   "the same numbers draw the same web");
	same(graph.urls[777], again.urls[777], "the same numbers draw the same URLs");
	prn_graph_release(&again);
	web.seed++;
	again = draw(web);
	ok(graph.link_count != again.link_count || memcmp(graph.to, again.to, graph.link_count * sizeof *graph.to),
	   "another seed draws another web");
	for (size_t i = 0; i < graph.page_count; i++) {
		sites += strlen(strchr(graph.urls[i] + 7, '/')) == 1;
		normal += !prn_url_normalize(graph.urls[i], SIZE_MAX, form, sizeof form) && !strcmp(form, graph.urls[i]);
		for (size_t k = graph.to_starts[i]; k < graph.to_starts[i + 1]; k++)
			within += same_host(graph.urls[i], graph.urls[graph.to[k]]);
	}
	ok(sites == 2000, "a web has the sites asked for");
	ok(normal == graph.page_count, "URLs are normal forms");
	ok(reach(&graph) == graph.page_count, "every page can be reached from the first");
	/* Links that are told twice, most within small sites, count once. */
	ok(graph.link_count > 350000 && graph.link_count <= 500000, "there are %zu links of 500,000, each once", graph.link_count);
	near((double)within / (double)graph.link_count, 0.75, 0.06, "three of four links stay within their site");
	slope = log(tail(&graph, 30) / tail(&graph, 300)) / log(10);
	near(slope, 1.1, 0.25, "the links that pages get follow the power law of the web");
	prn_graph_release(&graph);
	prn_graph_release(&again);
	web.within = 0;
	graph = draw(web);
	within = 0;
	for (size_t i = 0; i < graph.page_count; i++)
		for (size_t k = graph.to_starts[i]; k < graph.to_starts[i + 1]; k++)
			within += same_host(graph.urls[i], graph.urls[graph.to[k]]);
	/* Trees and links home are 1.46 of 10 links; of the others some 1 in 100 come upon their own site. */
	near((double)within / (double)graph.link_count, 0.16, 0.03, "where no link is to stay within its site few do");
	prn_graph_release(&graph);
	web.within = 0.75;
	web = (struct prn_web){ 1, 1, 1, 0, 1 };
	graph = draw(web);
	ok(graph.page_count == 1 && !graph.link_count, "a web may be one page");
	same(graph.urls[0], "http://s0.example/", "the page of a web of one is the front page of its site");
	prn_graph_release(&graph);
	web.sites = 2;
	ok(prn_web_draw(&web, &graph, NULL) == PRN_E_ARGUMENT, "more sites than pages are refused");
	return done();
}
