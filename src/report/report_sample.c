#include "report/report.h"
#include "perennial/digest.h"

#include <stdlib.h>
#include <string.h>

struct drawn {
	struct prn_digest key;
	size_t page;
};

static int key_order(const void *a, const void *b)
{
	const struct drawn *x = a, *y = b;
	int order = prn_digest_compare(&x->key, &y->key);

	return order ? order : (x->page > y->page) - (x->page < y->page);
}

static int page_order(const void *a, const void *b)
{
	size_t x = ((const struct drawn *)a)->page, y = ((const struct drawn *)b)->page;

	return (x > y) - (x < y);
}

int report_sample_make(struct report_sample *sample, const struct prn_pages *pages, size_t most, struct prn_error *error)
{
	struct drawn *drawn;

	*sample = (struct report_sample){ .pages = *pages };
	if (pages->count <= most)
		return 0;
	drawn = calloc(pages->count, sizeof *drawn);
	sample->members = calloc(most, sizeof *sample->members);
	if (!drawn || !sample->members) {
		free(drawn);
		return prn_error_memory(error);
	}
	for (size_t i = 0; i < pages->count; i++) {
		const char *url = pages->url(pages->context, i);

		drawn[i] = (struct drawn){ prn_digest_bytes(url, url ? strlen(url) : 0), i };
	}
	qsort(drawn, pages->count, sizeof *drawn, key_order);
	qsort(drawn, most, sizeof *drawn, page_order);
	for (size_t i = 0; i < most; i++)
		sample->members[i] = drawn[i].page;
	free(drawn);
	prn_pages_part_init(&sample->part, pages, sample->members, most, 0, &sample->pages);
	return 0;
}

void report_sample_release(struct report_sample *sample)
{
	free(sample->members);
	*sample = (struct report_sample){ 0 };
}
