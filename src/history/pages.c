#include "perennial/pages.h"

#include <stdlib.h>

static size_t trace_of(const struct prn_trace_pool *pool, size_t i)
{
	size_t low = 0, high = pool->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (pool->starts[middle] <= i)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static const char *pool_url(void *context, size_t i)
{
	const struct prn_trace_pool *pool = context;
	size_t trace = trace_of(pool, i);

	return prn_trace_url(pool->traces[trace], i - pool->starts[trace]);
}

static size_t pool_corpus(void *context, size_t i)
{
	return trace_of(context, i);
}

static int pool_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const struct prn_trace_pool *pool = context;
	size_t trace = trace_of(pool, i);

	return prn_trace_page(pool->traces[trace], i - pool->starts[trace], page, error);
}

int prn_trace_pool_init(struct prn_trace_pool *pool, const struct prn_trace *const *traces, size_t count,
                        struct prn_pages *pages)
{
	size_t *starts = count < SIZE_MAX ? calloc(count + 1, sizeof *starts) : NULL;

	if (!starts)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < count; i++) {
		size_t n = prn_trace_pages(traces[i]);

		if (n > SIZE_MAX - starts[i]) {
			free(starts);
			return PRN_E_LIMIT;
		}
		starts[i + 1] = starts[i] + n;
	}
	*pool = (struct prn_trace_pool){ .traces = traces, .starts = starts, .count = count };
	*pages = (struct prn_pages){ .count = starts[count],
		                     .corpora = count,
		                     .context = pool,
		                     .url = pool_url,
		                     .corpus = pool_corpus,
		                     .read = pool_read };
	return 0;
}

void prn_trace_pool_release(struct prn_trace_pool *pool)
{
	free(pool->starts);
	*pool = (struct prn_trace_pool){ 0 };
}
