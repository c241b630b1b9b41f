#include "history/page_keys.h"

#include "perennial/error.h"
#include "perennial/url.h"

#include <stdlib.h>

static int order(const void *a, const void *b)
{
	return prn_digest_compare(a, b);
}

int prn_page_keys_init(struct prn_page_keys *keys, const struct prn_pages *pages)
{
	*keys = (struct prn_page_keys){ .keys = calloc(pages->count ? pages->count : 1, sizeof *keys->keys) };
	if (!keys->keys)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < pages->count; i++) {
		const char *url = pages->url(pages->context, i);

		if (url)
			keys->keys[keys->count++] = prn_url_key(url);
	}
	qsort(keys->keys, keys->count, sizeof *keys->keys, order);
	return 0;
}

void prn_page_keys_release(struct prn_page_keys *keys)
{
	free(keys->keys);
	*keys = (struct prn_page_keys){ 0 };
}

bool prn_page_keys_have(const struct prn_page_keys *keys, const struct prn_digest *key)
{
	return keys->count && bsearch(key, keys->keys, keys->count, sizeof *keys->keys, order);
}

int prn_page_keys_match(const struct prn_pages *pages, const struct prn_digest *first, size_t count, size_t stride, size_t *known)
{
	struct prn_page_keys here;
	int code = prn_page_keys_init(&here, pages);

	if (code)
		return code;
	*known = 0;
	for (size_t i = 0; i < count; i++)
		*known += prn_page_keys_have(&here, (const struct prn_digest *)((const char *)first + i * stride));
	prn_page_keys_release(&here);
	return 0;
}
