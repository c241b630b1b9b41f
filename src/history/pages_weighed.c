#include "perennial/pages.h"

#include "history/page_table.h"
#include "history/weights.h"
#include "perennial/url.h"

#include <stdlib.h>

void prn_pages_weighed_release(struct prn_pages_weighed *weighed)
{
	free(weighed->weights);
	*weighed = (struct prn_pages_weighed){ 0 };
}

static const char *weighed_url(void *context, size_t i)
{
	const struct prn_pages_weighed *weighed = context;

	return weighed->whole->url(weighed->whole->context, i);
}

static size_t weighed_corpus(void *context, size_t i)
{
	const struct prn_pages_weighed *weighed = context;

	return weighed->whole->corpus(weighed->whole->context, i);
}

static int weighed_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const struct prn_pages_weighed *weighed = context;
	int code = weighed->whole->read(weighed->whole->context, i, page, error);

	if (code >= 0 && weighed->weights[i] > 0)
		page->weight = weighed->weights[i];
	return code;
}

/* captured counts those that are pages here: a URL may be in several corpora. */
static void look_up(struct prn_page_table *table, const struct prn_pages *whole, double *weights, size_t *known)
{
	*known = 0;
	for (size_t i = 0; i < whole->count; i++) {
		const char *url = whole->url(whole->context, i);
		struct prn_digest key;
		uint32_t entry;

		if (!url)
			continue;
		key = prn_url_key(url);
		if (!prn_page_table_find(table, &key, &entry))
			continue;
		weights[i] = table->entries[entry].weight;
		*known += !table->entries[entry].captured;
		table->entries[entry].captured = true;
	}
}

int prn_pages_weigh(struct prn_pages_weighed *weighed, const struct prn_pages *whole, const char *path, struct prn_pages *pages,
                    struct prn_weights_counts *counts, struct prn_error *error)
{
	const struct prn_part everything = { 0 };
	struct prn_page_table table = { 0 };
	double *weights = calloc(whole->count + 1, sizeof *weights);
	int code;

	*counts = (struct prn_weights_counts){ 0 };
	code = weights ? prn_weights_read(path, &everything, &table, &counts->repeated, error) : prn_error_memory(error);

	if (code) {
		free(weights);
		prn_page_table_release(&table);
		return code;
	}
	counts->urls = table.count;
	look_up(&table, whole, weights, &counts->known);
	prn_page_table_release(&table);
	*weighed = (struct prn_pages_weighed){ whole, weights };
	*pages = *whole;
	pages->context = weighed;
	pages->url = weighed_url;
	pages->corpus = weighed_corpus;
	pages->read = weighed_read;
	return 0;
}
