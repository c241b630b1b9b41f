/* Measures weighing a million pages with ten million links: from a trace, which is made first, to the weights. */
#include "bench.h"
#include "scratch.h"

#include "perennial/extractor.h"
#include "perennial/importance.h"
#include "perennial/trace.h"
#include "perennial/url.h"
#include "perennial/web.h"

#include <string.h>

#define PAGES 1000000
#define SITES 20000
#define LINKS 13.0 /* links of a page; without repetitions there are 10.4 million */

static const char *const *urls; /* for qsort */

static int by_url(const void *a, const void *b)
{
	return strcmp(urls[*(const uint32_t *)a], urls[*(const uint32_t *)b]);
}

static int by_key(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Makes a page of one capture and ten fragments. */
static void add_page(struct prn_trace_writer *writer, const struct prn_graph *web, size_t i, const uint64_t *keys)
{
	struct prn_page_capture capture = { .time = 1000000000, .modified = PRN_TIME_UNKNOWN };
	struct prn_run run = { 0, 1 };
	struct prn_stripe stripes[10];
	struct prn_page page = { .url = (char *)web->urls[i], .weight = 1, .captures = &capture, .capture_count = 1, .stripes = stripes,
		                 .stripe_count = 10, .runs = &run, .run_count = 1, .linked = 1 };
	struct prn_error error;
	uint64_t links[PRN_WEB_LINKS];

	for (uint32_t k = 0; k < 10; k++)
		stripes[k] = (struct prn_stripe){ k * 0x123456789abcdefu + i, 0, 1 };
	for (size_t k = web->to_starts[i]; k < web->to_starts[i + 1] && page.link_count < PRN_WEB_LINKS; k++)
		links[page.link_count++] = keys[web->to[k]];
	page.links = links;
	qsort(links, page.link_count, sizeof *links, by_key);
	bench_check(prn_trace_writer_add(writer, &page, &error), &error);
}

static void write_trace(const struct prn_graph *web, const char *path)
{
	struct prn_trace_about about = { .fragment_rule = PRN_FRAGMENT_RULE, .shingle_words = PRN_SHINGLE_WORDS, .links = true };
	uint32_t *order = calloc(web->page_count, sizeof *order);
	uint64_t *keys = calloc(web->page_count, sizeof *keys);
	struct prn_trace_writer *writer;
	struct prn_error error = { 0 };

	if (!order || !keys)
		exit(1);
	for (uint32_t i = 0; i < web->page_count; i++) {
		order[i] = i;
		keys[i] = prn_url_key(web->urls[i]).low;
	}
	urls = web->urls;
	qsort(order, web->page_count, sizeof *order, by_url);
	bench_check(prn_trace_writer_open(&writer, path, &about, &error), &error);
	for (size_t i = 0; i < web->page_count; i++)
		add_page(writer, web, order[i], keys);
	bench_check(prn_trace_writer_close(writer, &error), &error);
	free(order);
	free(keys);
}

int main(void)
{
	struct prn_web web = PRN_WEB_DEFAULT;
	struct prn_graph graph;
	struct prn_error error = { 0 };
	char path[300];
	double start, read;

	web.pages = PAGES;
	web.sites = SITES;
	web.links = LINKS;
	snprintf(path, sizeof path, "%.200s/weigh-%d.trace", scratch_folder(), (int)getpid());
	bench_check(prn_web_draw(&web, &graph, &error), &error);
	write_trace(&graph, path);
	prn_graph_release(&graph);
	for (int i = 0; i < PRN_IMPORTANCES; i++) {
		struct prn_importance_options options = { .damping = PRN_IMPORTANCE_DAMPING };
		struct prn_importance_reached reached;
		const struct prn_trace *traces[1];
		struct prn_trace *trace;
		struct prn_trace_pool pool;
		struct prn_pages pages;
		double *weights = calloc(PAGES, sizeof *weights), seconds;
		char figure[80];

		start = bench_now(BENCH_WALL);
		bench_check(prn_trace_open(&trace, path, &error), &error);
		traces[0] = trace;
		if (!weights || prn_trace_pool_init(&pool, traces, 1, &pages))
			exit(1);
		bench_check(prn_graph_of_pages(&graph, &pages, 0, &error), &error);
		read = bench_now(BENCH_WALL) - start;
		bench_check(prn_importance_weights((enum prn_importance)i, &graph, &options, weights, &reached, &error), &error);
		seconds = bench_now(BENCH_WALL) - start;
		if (!i) {
			printf("# %zu pages, %zu links\n", graph.page_count, graph.link_count);
			bench_row("trace to graph, 10^6 pages, 10^7 links", "", read, "s", 1);
		}
		snprintf(figure, sizeof figure, "weigh by %s, %zu rounds", prn_importance_name((enum prn_importance)i), reached.rounds);
		bench_row(figure, "< 30 s from the trace on", seconds, "s", seconds < 30 && reached.converged);
		free(weights);
		prn_graph_release(&graph);
		prn_trace_pool_release(&pool);
		prn_trace_free(trace);
	}
	unlink(path);
	return 0;
}
