#include "store/change.h"

#include <stdlib.h>
#include <string.h>

const char *prn_table_name(enum prn_table table)
{
	static const char *const names[PRN_TABLES] = { "pages", "due",   "leases",   "waiting",
		                                         "hosts", "turns", "suspects", "validators",
		                                         "told",  "sources", "siblings", "meta" };

	return names[table];
}

int prn_bytes_compare(struct prn_bytes a, struct prn_bytes b)
{
	size_t shorter = a.length < b.length ? a.length : b.length;
	int order = shorter ? memcmp(a.data, b.data, shorter) : 0;

	return order ? order : (a.length > b.length) - (a.length < b.length);
}

int prn_change_compare(const struct prn_change *a, const struct prn_change *b)
{
	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	return prn_bytes_compare(a->key, b->key);
}

static int compare(const void *a, const void *b)
{
	return prn_change_compare(a, b);
}

void prn_changes_sort(struct prn_change *changes, size_t count)
{
	size_t sorted = 1;

	/* Pages that are added all at once are due all at once, in the order of their keys. */
	while (sorted < count && prn_change_compare(&changes[sorted - 1], &changes[sorted]) <= 0)
		sorted++;
	if (sorted < count)
		qsort(changes, count, sizeof *changes, compare);
}
