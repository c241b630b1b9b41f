#include "perennial/pages.h"

#include "base/parallel.h"
#include "perennial/life.h"

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

	return prn_trace_normal_url(pool->traces[trace], i - pool->starts[trace]);
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

static size_t member(const struct prn_pages_part *part, size_t i)
{
	return part->members ? part->members[i] : i;
}

static const char *part_url(void *context, size_t i)
{
	const struct prn_pages_part *part = context;

	return part->whole->url(part->whole->context, member(part, i));
}

static size_t part_corpus(void *context, size_t i)
{
	const struct prn_pages_part *part = context;

	return part->whole->corpus(part->whole->context, member(part, i));
}

static int part_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const struct prn_pages_part *part = context;
	int code = part->whole->read(part->whole->context, member(part, i), page, error);

	if (code >= 0 && part->later)
		prn_page_start_later(page, part->later);
	return code;
}

void prn_pages_part_init(struct prn_pages_part *part, const struct prn_pages *whole, const size_t *members, size_t count,
                         size_t later, struct prn_pages *pages)
{
	*part = (struct prn_pages_part){ .whole = whole, .members = members, .later = later };
	*pages = (struct prn_pages){ .count = members ? count : whole->count,
		                     .corpora = whole->corpora,
		                     .context = part,
		                     .url = part_url,
		                     .corpus = part_corpus,
		                     .read = part_read,
		                     .hints = whole->hints,
		                     .rates = whole->rates,
		                     .mean_bytes = whole->mean_bytes,
		                     .late = whole->late,
		                     .part = whole->part,
		                     .look_cost = whole->look_cost };
}

int prn_pages_in_part(const struct prn_pages *pages, const struct prn_part *part, size_t **members, size_t *count)
{
	size_t *found = pages->count < SIZE_MAX ? calloc(pages->count + 1, sizeof *found) : NULL, n = 0;

	if (!found)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < pages->count; i++)
		if (prn_part_has(part, pages->url(pages->context, i)))
			found[n++] = i;
	*members = found;
	*count = n;
	return 0;
}

/* One thread's page, and the results for each page. */
struct measuring {
	const struct prn_pages *pages;
	struct prn_page *own;           /* [threads] */
	struct measured {
		double weight, bytes; /* weight 0: left out */
	} *measured;                    /* [pages->count] */
};

/*
 * Returns the mean bytes of a visit to a page whose body sizes are known; 0: it has too few captures, or none
 * is known, as for synthetic pages.
 */
static double mean_of(const struct prn_page *page)
{
	double sum = 0, bodies = 0;
	size_t first, last, known = 0;

	if (prn_page_life(page, &first, &last) || last - first + 1 < PRN_LIFE_CAPTURES)
		return 0;
	for (size_t i = first + 1; i <= last; i++) {
		const struct prn_page_capture *capture = &page->captures[i];

		known += capture->body != 0;
		bodies += (double)capture->body_bytes;
		sum += PRN_PAGES_HEAD_BYTES + (prn_kind_is_observation(capture->kind) ? (double)capture->body_bytes : 0);
	}
	return known == last - first && bodies > 0 ? sum / (double)known : 0;
}

static int measure(void *context, size_t thread, size_t i, struct prn_error *error)
{
	struct measuring *measuring = context;
	struct prn_page *page = &measuring->own[thread];
	int code = measuring->pages->read(measuring->pages->context, i, page, error);
	double bytes = code < 0 ? 0 : mean_of(page);

	measuring->measured[i] = (struct measured){ bytes > 0 ? page->weight : 0, bytes };
	return code < 0 ? code : 0;
}

int prn_pages_mean_bytes(const struct prn_pages *pages, size_t threads, double *mean, struct prn_error *error)
{
	struct measuring measuring = { .pages = pages };
	double weight = 0, bytes = 0;
	int code = 0;

	threads = prn_parallel_threads(threads);
	measuring.own = calloc(threads, sizeof *measuring.own);
	measuring.measured = calloc(pages->count + 1, sizeof *measuring.measured);
	if (!measuring.own || !measuring.measured) {
		code = prn_error_memory(error);
		goto out;
	}
	code = prn_parallel_for(pages->count, threads, measure, &measuring, error);
	for (size_t i = 0; i < pages->count && !code; i++) {
		weight += measuring.measured[i].weight;
		bytes += measuring.measured[i].weight * measuring.measured[i].bytes;
	}
	if (!code && !(weight > 0))
		code = prn_error_set(error, PRN_E_UNSUPPORTED, "of no page with %d captures it is known how many bytes they had: traces that an older "
		                     "program made do not tell it", PRN_LIFE_CAPTURES);
	if (!code)
		*mean = bytes / weight;
out:
	for (size_t i = 0; measuring.own && i < threads; i++)
		prn_page_release(&measuring.own[i]);
	free(measuring.own);
	free(measuring.measured);
	return code;
}
