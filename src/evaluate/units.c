#include "evaluate/units.h"

#include "perennial/digest.h"
#include "perennial/url.h"

#include <stdint.h>
#include <stdlib.h>

struct place {
	struct prn_digest host;
	size_t corpus, page;
	size_t first; /* its page within the unit */
};

static int host_order(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = prn_digest_compare(&x->host, &y->host);

	if (x->corpus != y->corpus)
		return x->corpus < y->corpus ? -1 : 1;
	return order ? order : (x->page > y->page) - (x->page < y->page);
}

static int unit_order(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->page > y->page) - (x->page < y->page);
}

/* A page without a URL has no host, so it gets a place of its own. */
static struct place place_of(const struct prn_pages *pages, size_t i)
{
	const char *url = pages->url(pages->context, i), *host;
	struct place place = { .corpus = pages->corpus(pages->context, i), .page = i };
	size_t length;

	if (!url) {
		place.host.low = i;
		return place;
	}
	host = prn_url_host(url, &length);
	place.host = prn_digest_bytes(host, length);
	return place;
}

/* places must be ordered by host: finds where units begin, and reorders places by that. */
static void cut(struct place *places, size_t count)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++) {
		bool joins = i && places[i - 1].corpus == places[i].corpus && length < PRN_UNIT_PAGES &&
		             !prn_digest_compare(&places[i - 1].host, &places[i].host);

		length = joins ? length + 1 : 1;
		places[i].first = joins ? places[i - 1].first : places[i].page;
	}
	qsort(places, count, sizeof *places, unit_order);
}

int prn_units_find(struct prn_units *units, const struct prn_pages *pages, bool by_host)
{
	size_t n = pages->count;
	struct place *places = n < SIZE_MAX ? calloc(n + 1, sizeof *places) : NULL;

	*units = (struct prn_units){ 0 };
	units->pages = n < SIZE_MAX ? calloc(n + 1, sizeof *units->pages) : NULL;
	units->starts = n < SIZE_MAX ? calloc(n + 1, sizeof *units->starts) : NULL;
	if (!places || !units->pages || !units->starts) {
		free(places);
		prn_units_release(units);
		return PRN_E_MEMORY;
	}
	for (size_t i = 0; i < n; i++) {
		places[i] = by_host ? place_of(pages, i) : (struct place){ .page = i };
		places[i].first = i;
	}
	if (by_host) {
		qsort(places, n, sizeof *places, host_order);
		cut(places, n);
	}
	for (size_t i = 0; i < n; i++) {
		units->pages[i] = places[i].page;
		if (places[i].first == places[i].page)
			units->starts[units->count++] = i;
		if (i + 1 - units->starts[units->count - 1] > units->most)
			units->most = i + 1 - units->starts[units->count - 1];
	}
	units->starts[units->count] = n;
	free(places);
	return 0;
}

void prn_units_release(struct prn_units *units)
{
	free(units->pages);
	free(units->starts);
	*units = (struct prn_units){ 0 };
}
