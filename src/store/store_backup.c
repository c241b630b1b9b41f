/* Copies a store.  The copy is read through before it is put in its place. */
#include "store/schema.h"
#include "store/shards.h"
#include "store/shared.h"
#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

#define ACROSS_MOST 200000 /* pages */

/* What the check of a copy needs, before the copy is put in its place. */
struct verifying {
	struct prn_store *from;
	size_t places;
	prn_store_fill_fn *fill;
	void *context;
};

static int check_copy(struct prn_tables *copy, struct prn_error *error)
{
	struct prn_store store = { .tables = copy };
	struct prn_store_findings found;
	int code = prn_store_check_one(&store, NULL, &found, error);
	uint64_t faults;

	if (code)
		return code;
	faults = prn_store_faults(&found);
	if (!faults)
		return 0;
	return prn_error_set(error, PRN_E_DAMAGED,
	                     "%s: has faults that a copy would have too (%llu), and was not copied: 'perennial check' tells "
	                     "them, with --repair it mends them", copy->address, (unsigned long long)faults);
}

static int fill_by(const struct verifying *verifying, struct prn_tables *copy, struct prn_error *error)
{
	bool *listed = calloc(verifying->places, sizeof *listed);
	struct prn_store store = { .tables = copy };
	int code = listed ? prn_shards_list(&store, listed, verifying->places, error) : prn_error_memory(error);

	if (!code)
		code = verifying->fill(verifying->context, listed, error);
	free(listed);
	return code;
}

/*
 * Checks that all pages of a copy follow the same settings: that no change was under way in what was copied and, unless that is of
 * one moment, that none was made until the last page was copied.
 */
static int check_changes(const struct verifying *verifying, struct prn_view *copied, bool of_one_moment, struct prn_error *error)
{
	const char *address = verifying->from->tables->address;
	char then[PRN_CHANGES_TEXT], now[PRN_CHANGES_TEXT] = "";
	struct prn_view *view = NULL;
	bool changing = false;
	int code = prn_schema_read_changes(copied, then, &changing, error);

	if (!code && !changing && !of_one_moment) {
		code = prn_view_open(&view, verifying->from, error);
		if (!code)
			code = prn_schema_read_changes(view, now, &changing, error);
		prn_view_close(view);
	}
	if (code)
		return code;
	if (changing)
		return prn_error_set(error, PRN_E_BUSY, "%s: its policy is being changed, and was not copied: to be copied when 'perennial set' is done",
		                     address);
	return of_one_moment || !strcmp(then, now)
	               ? 0
	               : prn_error_set(error, PRN_E_BUSY, "%s: its policy was changed while it was copied: to be copied anew", address);
}

static int verify(void *context, struct prn_tables *copy, struct prn_error *error)
{
	const struct verifying *verifying = context;
	struct prn_store store = { .tables = copy };
	struct prn_view *view = NULL;
	int code = check_copy(copy, error);

	if (!code && verifying->fill)
		code = fill_by(verifying, copy, error);
	if (!code)
		code = prn_view_open(&view, &store, error);
	if (!code)
		code = check_changes(verifying, view, !verifying->fill, error);
	prn_view_close(view);
	return code;
}

/* Does what fill_by does for a copy that is still in memory. */
static int fill_of(const struct verifying *verifying, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	bool *listed = calloc(verifying->places, sizeof *listed);
	size_t place;
	int code;

	if (!listed)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		if (changes[i].table == PRN_TABLE_META && prn_shard_key_read(changes[i].key.data, changes[i].key.length, &place) &&
		    place < verifying->places)
			listed[place] = true;
	code = verifying->fill(verifying->context, listed, error);
	free(listed);
	return code;
}

/*
 * Copies from a cluster or into one.  All entries, as they are at one moment, pass through memory, which is no more than one
 * object of a cluster has room for.
 */
static int copy_across(struct prn_store *store, const struct prn_tables_kind *to, const char *place,
                       const struct verifying *verifying, struct prn_error *error)
{
	struct prn_change *changes = NULL;
	struct prn_store_totals totals;
	struct prn_view *view = NULL;
	size_t count = 0;
	int code = prn_store_totals_one(store, &totals, error);

	if (!code && totals.pages > ACROSS_MOST)
		code = prn_error_set(error, PRN_E_LIMIT, "%s: has %llu pages; one object of a cluster has room for %d",
		                     prn_store_path(store), (unsigned long long)totals.pages, ACROSS_MOST);
	if (!code)
		code = check_copy(store->tables, error);
	if (!code)
		code = prn_view_open(&view, store, error);
	if (!code)
		code = prn_tables_read_all(view, &changes, &count, error);
	if (!code && verifying->fill)
		code = fill_of(verifying, changes, count, error);
	if (!code)
		code = check_changes(verifying, view, false, error);
	if (!code)
		code = to->create(place, changes, count, error);
	free(changes);
	prn_view_close(view);
	return code;
}

int prn_store_backup_check(struct prn_store *store, const char *path, struct prn_error *error)
{
	const struct prn_tables_kind *kind = store->tables->kind, *to;
	const char *place;
	int code = prn_tables_check(path, error);

	if (code)
		return code;
	to = prn_tables_find(path, &place);
	if (to != kind && !kind->in_cluster && !to->in_cluster)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a copy of %s is kept by the same engine, '%s:'; 'perennial reshard' and prn_reshard make "
		                     "a store of another", path, store->tables->address, kind->scheme);
	return 0;
}

int prn_store_backup_one(struct prn_store *store, const char *path, size_t places, prn_store_fill_fn *fill, void *context,
                         struct prn_error *error)
{
	struct verifying verifying = { store, places, fill, context };
	const struct prn_tables_kind *kind = store->tables->kind, *to;
	const char *place;
	int code = prn_tables_check_process(store->tables, error);

	if (!code)
		code = prn_store_backup_check(store, path, error);
	if (code)
		return code;
	to = prn_tables_find(path, &place);
	/* Where a copy is made in its final place, the shards that it lists must be copied before it. */
	if (to != kind || (fill && kind->in_cluster))
		return copy_across(store, to, place, &verifying, error);
	return kind->copy(store->tables, place, verify, &verifying, error);
}
