#include "history/links.h"

#include "base/buffer.h"
#include "perennial/error.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

void prn_links_release(struct prn_links *links)
{
	free(links->keys);
	*links = (struct prn_links){ 0 };
}

int prn_links_reserve(struct prn_links *links, size_t count)
{
	uint64_t *keys = prn_array_grow(links->keys, &links->capacity, count + 1, sizeof *keys);

	if (!keys)
		return PRN_E_MEMORY;
	links->keys = keys;
	return 0;
}

/* There must be room for it. */
static int add_link(const char *base, const char *reference, struct prn_links *links)
{
	char normal[PRN_URL_BYTES + 1];
	int error = prn_url_resolve(base, reference, normal, sizeof normal);

	if (!error)
		links->keys[links->count++] = prn_url_key(normal).low;
	return error == PRN_E_MEMORY ? error : 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void settle(const char *url, struct prn_links *links)
{
	uint64_t own = prn_url_key(url).low;
	size_t kept = 0;

	qsort(links->keys, links->count, sizeof *links->keys, compare);
	for (size_t i = 0; i < links->count; i++)
		if (links->keys[i] != own && (!kept || links->keys[i] != links->keys[kept - 1]))
			links->keys[kept++] = links->keys[i];
	links->count = kept;
}

int prn_links_resolve(const char *url, const struct prn_references *references, struct prn_links *links)
{
	const char *at = (const char *)references->text.data;
	char base[PRN_URL_BYTES + 1];
	int error = prn_links_reserve(links, references->count);

	links->count = 0;
	if (error)
		return error;
	if (references->has_base)
		error = prn_url_resolve(url, (const char *)references->base.data, base, sizeof base);
	if (error == PRN_E_MEMORY)
		return error;
	if (error || !references->has_base)
		strcpy(base, url);
	error = 0;
	for (size_t i = 0; i < references->count && !error; i++, at += strlen(at) + 1)
		error = add_link(base, at, links);
	settle(url, links);
	return error;
}

int prn_links_redirect(const char *url, const void *location, size_t length, struct prn_links *links)
{
	char *reference = strndup(location, length);
	int error = reference ? prn_links_reserve(links, 1) : PRN_E_MEMORY;

	links->count = 0;
	if (!error)
		error = add_link(url, reference, links);
	if (!error)
		settle(url, links);
	free(reference);
	return error;
}
