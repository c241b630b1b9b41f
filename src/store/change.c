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

/* Pages that are added all at once are due all at once, in the order of their keys. */
static bool are_sorted(const struct prn_change *changes, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (prn_change_compare(&changes[i - 1], &changes[i]) > 0)
			return false;
	return true;
}

void prn_changes_sort(struct prn_change *changes, size_t count)
{
	if (!are_sorted(changes, count))
		qsort(changes, count, sizeof *changes, compare);
}
