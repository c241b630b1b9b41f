#include "history/groups.h"

#include "perennial/digest.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

/* A page, and what it has in common with its group. */
struct membership {
	struct prn_digest key;
	size_t first; /* the first page of the group */
	size_t page;
};

const char *prn_grouping_name(enum prn_grouping grouping)
{
	static const char *const names[PRN_GROUPINGS] = { "corpus", "host", "page", "directory" };

	return names[grouping];
}

/* Returns host, port and path of a URL up to the path's last slash; a query or fragment may contain slashes too. */
static const char *directory_of(const char *url, size_t *length)
{
	const char *start = strstr(url, "://");
	size_t path;

	start = start ? start + 3 : url;
	path = strcspn(start, "?#");
	while (path && start[path - 1] != '/')
		path--;
	*length = path;
	return start;
}

char *prn_group_name(const struct prn_pages *pages, size_t page, enum prn_grouping grouping, const char *const *corpora)
{
	const char *url = pages->url(pages->context, page), *name = url;
	size_t length = url ? strlen(url) : 0;

	if (grouping == PRN_GROUPING_CORPUS)
		return strdup(corpora[pages->corpus(pages->context, page)]);
	if (!url)
		return strdup("-");
	if (grouping == PRN_GROUPING_HOST)
		name = prn_url_host(url, &length);
	else if (grouping == PRN_GROUPING_DIRECTORY)
		name = directory_of(url, &length);
	return strndup(name, length);
}

static struct prn_digest key_of(const struct prn_pages *pages, size_t i, enum prn_grouping grouping)
{
	size_t number = grouping == PRN_GROUPING_PAGE ? i : pages->corpus(pages->context, i), length = 0;
	const char *url = pages->url(pages->context, i), *name = "";

	if (grouping != PRN_GROUPING_HOST && grouping != PRN_GROUPING_DIRECTORY)
		return (struct prn_digest){ .low = number };
	if (url)
		name = grouping == PRN_GROUPING_HOST ? prn_url_host(url, &length) : directory_of(url, &length);
	return prn_digest_bytes(name, length);
}

static int key_order(const void *a, const void *b)
{
	const struct membership *x = a, *y = b;
	int order = prn_digest_compare(&x->key, &y->key);

	return order ? order : (x->page > y->page) - (x->page < y->page);
}

static int first_order(const void *a, const void *b)
{
	const struct membership *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->page > y->page) - (x->page < y->page);
}

int prn_groups_find(struct prn_groups *groups, const struct prn_pages *pages, enum prn_grouping grouping)
{
	size_t n = pages->count, count = 0;
	struct membership *list = n < SIZE_MAX ? calloc(n + 1, sizeof *list) : NULL;
	size_t *members = n < SIZE_MAX ? calloc(n + 1, sizeof *members) : NULL;
	size_t *starts = n < SIZE_MAX ? calloc(n + 1, sizeof *starts) : NULL;

	if (!list || !members || !starts) {
		free(list);
		free(members);
		free(starts);
		return PRN_E_MEMORY;
	}
	for (size_t i = 0; i < n; i++)
		list[i] = (struct membership){ .key = key_of(pages, i, grouping), .page = i };
	qsort(list, n, sizeof *list, key_order);
	for (size_t i = 0; i < n; i++)
		list[i].first = i && !prn_digest_compare(&list[i - 1].key, &list[i].key) ? list[i - 1].first : list[i].page;
	qsort(list, n, sizeof *list, first_order);
	for (size_t i = 0; i < n; i++) {
		if (list[i].first == list[i].page)
			starts[count++] = i;
		members[i] = list[i].page;
	}
	starts[count] = n;
	free(list);
	*groups = (struct prn_groups){ members, starts, count };
	return 0;
}

void prn_groups_release(struct prn_groups *groups)
{
	free(groups->members);
	free(groups->starts);
	*groups = (struct prn_groups){ 0 };
}
