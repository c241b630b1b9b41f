/* Brings shards that are gone back from a copy of their store. */
#include "store/shards.h"

#include "store/schema.h"
#include "store/shared.h"
#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

static int check_itself(struct prn_store *root, struct prn_store *copy, struct prn_error *error)
{
	char *own = prn_shards_real_address(prn_store_path(root)), *its = prn_shards_real_address(prn_store_path(copy));
	int code = 0;

	if (own && its && !strcmp(own, its))
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: is the store itself, and no backup of it", prn_store_path(copy));
	free(own);
	free(its);
	return code;
}

static int check_identity(struct prn_store *root, struct prn_store *copy, struct prn_error *error)
{
	size_t own_count, count;
	const char *own, *its;
	int code = prn_shards_count(root, &own_count, error);

	if (!code)
		code = prn_shards_count(copy, &count, error);
	if (!code)
		code = prn_shards_identity(root, &own, error);
	if (!code)
		code = prn_shards_identity(copy, &its, error);
	if (!code && (own_count != count || strcmp(own, its) != 0))
		code = prn_error_set(error, PRN_E_DAMAGED, "%s: is no backup of %s, but another store", prn_store_path(copy),
		                     prn_store_path(root));
	return code;
}

static int read_changes(struct prn_store *store, char text[PRN_CHANGES_TEXT], bool *changing, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_view_open(&view, store, error);

	if (code)
		return code;
	code = prn_schema_read_changes(view, text, changing, error);
	prn_view_close(view);
	return code;
}

/* Pages from before a change of settings could not be read together with pages from after it. */
static int check_settings(struct prn_store *root, struct prn_store *copy, struct prn_error *error)
{
	char now[PRN_CHANGES_TEXT], then[PRN_CHANGES_TEXT];
	bool changing, changed_there;
	int code = read_changes(root, now, &changing, error);

	if (!code)
		code = read_changes(copy, then, &changed_there, error);
	if (!code && (changing || changed_there || strcmp(now, then) != 0))
		code = prn_error_set(error, PRN_E_VERSION, "%s: its pages follow another policy than those of %s, which was changed "
		                     "('perennial set') since the one was copied from the other", prn_store_path(copy), prn_store_path(root));
	return code;
}

int prn_shards_check_copy(struct prn_store *root, struct prn_store *copy, struct prn_error *error)
{
	int code = check_itself(root, copy, error);

	if (!code)
		code = check_identity(root, copy, error);
	return code ? code : check_settings(root, copy, error);
}

/* A shard that is damaged or half made is not removed unasked, because part of it may be saved. */
int prn_shards_is_gone(struct prn_store *root, bool is_list, size_t number, bool *gone, struct prn_error *error)
{
	const char *path = prn_store_path(root);
	char *address = is_list ? prn_shards_list_address(path, number) : prn_shard_address(path, number);
	struct prn_store *store;
	struct prn_error why;
	int code = address ? prn_store_open_beside(&store, root, address, PRN_STORE_READ, 0, &why) : prn_error_memory(&why);

	free(address);
	if (!code)
		prn_store_free(store);
	*gone = code == PRN_E_NOT_FOUND;
	if (!code || *gone || prn_store_is_unusable(code))
		return 0;
	if (error)
		*error = why;
	return code;
}

int prn_shard_restore(struct prn_store *root, struct prn_store *copy, struct prn_store *list, size_t shard, uint64_t *pages,
                      struct prn_error *error)
{
	char *address = prn_shard_address(prn_store_path(root), shard);
	struct prn_store *from = NULL;
	struct prn_store_totals totals;
	int code = address ? prn_shard_open(&from, copy, list, shard, PRN_STORE_READ, false, 0, error) : prn_error_memory(error);

	if (!code)
		code = prn_store_totals_one(from, &totals, error);
	if (!code)
		code = prn_store_backup_one(from, address, 0, NULL, NULL, error);
	if (!code)
		*pages = totals.pages;
	prn_store_free(from);
	free(address);
	return code;
}
