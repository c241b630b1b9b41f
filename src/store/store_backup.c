/* A copy of a store, which is read through before it is called one. */
#include "store/shared.h"
#include "store/store_internal.h"

#include <stdlib.h>

#define ACROSS_MOST 200000 /* pages */

static int verify(struct prn_tables *copy, struct prn_error *error)
{
	struct prn_store store = { .tables = copy };
	struct prn_store_findings found;
	int failed = prn_store_check_one(&store, NULL, &found, error);
	uint64_t faults;

	if (failed)
		return failed;
	faults = prn_store_faults(&found);
	if (!faults)
		return 0;
	return prn_error_set(error, PRN_E_DAMAGED,
	                     "%s: has faults that a copy would have too (%llu), and was not copied: 'perennial check' tells "
	                     "them, with --repair it mends them", copy->address, (unsigned long long)faults);
}

/*
 * From a cluster or into one: all that there is goes through memory, as it is at one moment, which is what one object of a
 * cluster has room for.
 */
static int copy_across(struct prn_store *store, const struct prn_tables_kind *to, const char *place, struct prn_error *error)
{
	struct prn_change *changes = NULL;
	struct prn_store_totals totals;
	struct prn_view *view = NULL;
	size_t count = 0;
	int failed = prn_store_totals_one(store, &totals, error);

	if (!failed && totals.pages > ACROSS_MOST)
		failed = prn_error_set(error, PRN_E_LIMIT, "%s: has %llu pages; one object of a cluster has room for %d",
		                       prn_store_path(store), (unsigned long long)totals.pages, ACROSS_MOST);
	if (!failed)
		failed = verify(store->tables, error);
	if (!failed)
		failed = prn_view_open(&view, store, error);
	if (!failed)
		failed = prn_tables_read_all(view, &changes, &count, error);
	if (!failed)
		failed = to->create(place, changes, count, error);
	free(changes);
	prn_view_close(view);
	return failed;
}

int prn_store_backup_one(struct prn_store *store, const char *path, struct prn_error *error)
{
	const struct prn_tables_kind *kind = store->tables->kind, *to;
	const char *place;
	int failed = prn_tables_check(path, error);

	if (failed)
		return failed;
	to = prn_tables_find(path, &place);
	if (to != kind && (kind == &prn_tables_rados || to == &prn_tables_rados))
		return copy_across(store, to, place, error);
	if (to != kind)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a copy of %s is kept by the same engine, '%s:'", path,
		                     store->tables->address, kind->scheme);
	return kind->copy(store->tables, place, verify, error);
}
