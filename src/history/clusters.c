#include "history/clusters.h"
#include "perennial/digest.h"
#include "perennial/url.h"

#include <stdlib.h>

struct host {
	struct prn_digest digest;
	size_t page;
};

static int host_order(const void *a, const void *b)
{
	const struct host *x = a, *y = b;
	int order = prn_digest_compare(&x->digest, &y->digest);

	return order ? order : (x->page > y->page) - (x->page < y->page);
}

static struct prn_digest host_of(const struct prn_pages *pages, size_t i)
{
	const char *url = pages->url(pages->context, i), *host;
	size_t length;

	if (!url)
		return (struct prn_digest){ 0 };
	host = prn_url_host(url, &length);
	return prn_digest_bytes(host, length);
}

int prn_clusters_find(const struct prn_pages *pages, uint32_t *cluster_of, size_t *clusters)
{
	struct host *hosts = calloc(pages->count ? pages->count : 1, sizeof *hosts);
	size_t count = 0;

	if (!hosts)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < pages->count; i++)
		hosts[i] = (struct host){ .digest = host_of(pages, i), .page = i };
	qsort(hosts, pages->count, sizeof *hosts, host_order);
	for (size_t i = 0; i < pages->count; i++) {
		if (i && prn_digest_compare(&hosts[i - 1].digest, &hosts[i].digest))
			count++;
		cluster_of[hosts[i].page] = (uint32_t)(count % PRN_CLUSTERS);
	}
	count++;
	if (count == 1) {
		count = pages->count;
		for (size_t i = 0; i < pages->count; i++)
			cluster_of[i] = (uint32_t)(i % PRN_CLUSTERS);
	}
	*clusters = count < PRN_CLUSTERS ? count : PRN_CLUSTERS;
	free(hosts);
	return 0;
}
