#include "perennial/web.h"

#include "base/buffer.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#define ANYWHERE (1.0 / 11) /* share of links that lead to any page: the exponent of the power law is (2 - this)/(1 - this) */
#define HOME 0.5            /* share of pages that link to the first page of their site */

/* Targets of the links so far, in the web or in a site: a page that is drawn from them is chosen in proportion to its links. */
struct targets {
	uint32_t *pages;
	size_t count, capacity;
};

struct site {
	struct targets members; /* its pages, the first one first */
	struct targets led_to;
};

struct drawing {
	const struct prn_web *web;
	struct prn_random random;
	struct site *sites;
	uint32_t *site; /* [pages] the site of each page */
	uint32_t *depth; /* [pages] steps from the site's first page, down its tree */
	struct targets led_to;
	uint32_t *from, *to; /* [link_count] */
	size_t link_count, from_capacity, to_capacity;
};

static int add(struct targets *targets, uint32_t page)
{
	uint32_t *pages = prn_array_grow(targets->pages, &targets->capacity, targets->count + 1, sizeof *pages);

	if (!pages)
		return PRN_E_MEMORY;
	targets->pages = pages;
	pages[targets->count++] = page;
	return 0;
}

static uint32_t draw(struct drawing *drawing, const struct targets *targets)
{
	return targets->pages[prn_random_below(&drawing->random, targets->count)];
}

static int add_link(struct drawing *drawing, uint32_t from, uint32_t to)
{
	size_t n = drawing->link_count + 1;
	uint32_t *froms = prn_array_grow(drawing->from, &drawing->from_capacity, n, sizeof *froms), *tos = NULL;

	if (froms) {
		drawing->from = froms;
		tos = prn_array_grow(drawing->to, &drawing->to_capacity, n, sizeof *tos);
	}
	if (!tos)
		return PRN_E_MEMORY;
	drawing->to = tos;
	froms[n - 1] = from;
	tos[n - 1] = to;
	drawing->link_count = n;
	return add(&drawing->led_to, to) || add(&drawing->sites[drawing->site[to]].led_to, to) ? PRN_E_MEMORY : 0;
}

/* Adds the first page of a site, to which the first page of an earlier site links. */
static int add_site(struct drawing *drawing, uint32_t page)
{
	drawing->site[page] = page;
	if (add(&drawing->sites[page].members, page))
		return PRN_E_MEMORY;
	return page ? add_link(drawing, (uint32_t)prn_random_below(&drawing->random, page), page) : 0;
}

/* Adds a page below another of a site; the r-th site has a chance in proportion to log(1 + 1/r), which falls as 1/r. */
static int add_page(struct drawing *drawing, uint32_t page)
{
	double sites = (double)drawing->web->sites, rank = exp(prn_random_unit(&drawing->random) * log(sites + 1));
	uint32_t of = rank < sites ? (uint32_t)rank - 1 : (uint32_t)drawing->web->sites - 1, parent;
	struct site *site = &drawing->sites[of];

	parent = draw(drawing, &site->members);
	drawing->site[page] = of;
	drawing->depth[page] = drawing->depth[parent] + 1;
	if (add(&site->members, page) || add_link(drawing, parent, page))
		return PRN_E_MEMORY;
	return prn_random_unit(&drawing->random) < HOME ? add_link(drawing, page, site->members.pages[0]) : 0;
}

static int draw_pages(struct drawing *drawing)
{
	const struct prn_web *web = drawing->web;
	int code = 0;

	for (uint32_t page = 0; page < web->pages && !code; page++)
		code = page < web->sites ? add_site(drawing, page) : add_page(drawing, page);
	return code;
}

static int draw_link(struct drawing *drawing, uint32_t page)
{
	struct site *site = &drawing->sites[drawing->site[page]];
	bool within = prn_random_unit(&drawing->random) < drawing->web->within;
	bool anywhere = prn_random_unit(&drawing->random) < ANYWHERE;
	const struct targets *led_to = within ? &site->led_to : &drawing->led_to;
	uint32_t to;

	if (!anywhere && led_to->count)
		to = draw(drawing, led_to);
	else
		to = within ? draw(drawing, &site->members) : (uint32_t)prn_random_below(&drawing->random, drawing->web->pages);
	return add_link(drawing, page, to);
}

/* Draws links on pages in random order, so that no page has the early ones; those that make pages reachable count too. */
static int draw_links(struct drawing *drawing)
{
	size_t pages = drawing->web->pages;
	double wanted = (double)pages * drawing->web->links;
	int code = 0;

	while (!code && (double)drawing->link_count < wanted)
		code = draw_link(drawing, (uint32_t)prn_random_below(&drawing->random, pages));
	return code;
}

static int write_urls(const struct drawing *drawing, struct prn_buffer *text, size_t *starts)
{
	for (size_t i = 0; i < drawing->web->pages; i++) {
		uint32_t depth = drawing->depth[i];

		starts[i] = text->length;
		if (prn_buffer_printf(text, "http://s%u.example/", drawing->site[i]))
			return PRN_E_MEMORY;
		for (uint32_t d = 1; d < depth; d++)
			if (prn_buffer_append(text, "d/", 2))
				return PRN_E_MEMORY;
		if ((depth && prn_buffer_printf(text, "p%zu", i)) || prn_buffer_append(text, "", 1))
			return PRN_E_MEMORY;
	}
	return 0;
}

/* Sorts links by the page that they are on; starts has room for one more than there are pages. */
static int make_graph(const struct drawing *drawing, struct prn_graph *graph)
{
	size_t pages = drawing->web->pages, *starts = calloc(pages + 2, sizeof *starts);
	uint32_t *to = calloc(drawing->link_count + 1, sizeof *to);
	struct prn_buffer text = { 0 };
	int code = starts && to ? 0 : PRN_E_MEMORY;

	for (size_t k = 0; k < drawing->link_count && !code; k++)
		starts[drawing->from[k] + 2]++;
	for (size_t i = 0; i < pages && !code; i++)
		starts[i + 2] += starts[i + 1];
	for (size_t k = 0; k < drawing->link_count && !code; k++)
		to[starts[drawing->from[k] + 1]++] = drawing->to[k];
	if (!code)
		code = prn_graph_init(graph, NULL, pages, starts, to);
	if (!code) {
		code = write_urls(drawing, &text, starts);
		graph->text = (char *)text.data;
		for (size_t i = 0; i < pages && !code; i++)
			graph->urls[i] = graph->text + starts[i];
		if (code)
			prn_graph_release(graph);
	}
	free(starts);
	free(to);
	return code;
}

static int check(const struct prn_web *web, struct prn_error *error)
{
	if (!web->pages || web->pages > PRN_WEB_PAGES)
		return prn_error_set(error, PRN_E_ARGUMENT, "a web has 1 to %d pages", PRN_WEB_PAGES);
	if (!web->sites || web->sites > web->pages)
		return prn_error_set(error, PRN_E_ARGUMENT, "a web has from one site to as many as pages");
	if (!(web->links >= 1 && web->links <= PRN_WEB_LINKS))
		return prn_error_set(error, PRN_E_ARGUMENT, "pages have 1 to %d links in the mean", PRN_WEB_LINKS);
	if (!(web->within >= 0 && web->within <= 1))
		return prn_error_set(error, PRN_E_ARGUMENT, "the share of links within their site is from 0 to 1");
	return 0;
}

int prn_web_draw(const struct prn_web *web, struct prn_graph *graph, struct prn_error *error)
{
	struct drawing drawing = { .web = web };
	int code = check(web, error);

	if (code)
		return code;
	prn_random_seed(&drawing.random, web->seed, 0);
	drawing.sites = calloc(web->sites, sizeof *drawing.sites);
	drawing.site = calloc(web->pages, sizeof *drawing.site);
	drawing.depth = calloc(web->pages, sizeof *drawing.depth);
	if (!drawing.sites || !drawing.site || !drawing.depth || draw_pages(&drawing) || draw_links(&drawing) ||
	    make_graph(&drawing, graph))
		code = prn_error_memory(error);
	for (size_t i = 0; drawing.sites && i < web->sites; i++) {
		free(drawing.sites[i].members.pages);
		free(drawing.sites[i].led_to.pages);
	}
	free(drawing.sites);
	free(drawing.site);
	free(drawing.depth);
	free(drawing.led_to.pages);
	free(drawing.from);
	free(drawing.to);
	return code;
}
