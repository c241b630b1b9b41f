/* A copy of a store, which is read through before it is called one. */
#include "store/store_internal.h"

static int verify(struct prn_tables *copy, struct prn_error *error)
{
	struct prn_store store = { .tables = copy };
	struct prn_store_findings found;
	int failed = prn_store_check(&store, NULL, &found, error);
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

int prn_store_backup(struct prn_store *store, const char *path, struct prn_error *error)
{
	const struct prn_tables_kind *kind = store->tables->kind;
	const char *place;
	int failed = prn_tables_check(path, error);

	if (failed)
		return failed;
	if (prn_tables_find(path, &place) != kind)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a copy of %s is kept by the same engine, '%s:'", path,
		                     store->tables->address, kind->scheme);
	return kind->copy(store->tables, place, verify, error);
}
