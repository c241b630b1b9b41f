/* Makes a store anew only where a decider can open what was saved of it. */
#include "decide/decider_internal.h"

#include "store/schema.h"
#include "store/shards.h"
#include "store/shared.h"

#include <stdlib.h>
#include <string.h>

/* The schema's entries are the store's own. */
static bool is_setting(const void *name, size_t length)
{
	return (length != strlen(PRN_SCHEMA_NAME) || memcmp(name, PRN_SCHEMA_NAME, length)) &&
	       (length != strlen(PRN_MOVING_NAME) || memcmp(name, PRN_MOVING_NAME, length));
}

static int has_settings(struct prn_view *view, bool *has, struct prn_error *error)
{
	const void *name, *value;
	size_t length, count;
	struct prn_walk *walk = NULL;
	int got = 1, code = prn_walk_side(&walk, view, PRN_SIDE_META, error);

	*has = false;
	while (!code && !*has && (got = prn_walk_side_next(walk, &name, &length, &value, &count, error)) == 1)
		*has = is_setting(name, length);
	prn_walk_free(walk);
	return code ? code : got < 0 ? got : 0;
}

/* Without the number of its shards, a root that lists some would be a store that has no pages. */
static int check_root(struct prn_store *saved, struct prn_error *error)
{
	bool listed[PRN_SHARDS_LISTED], lists_any = false;
	size_t shards = 1;
	int code = prn_shards_count(saved, &shards, error);

	if (!code && shards == 1)
		code = prn_shards_list(saved, listed, PRN_SHARDS_LISTED, error);
	if (code || shards > 1)
		return code;
	for (size_t i = 0; i < PRN_SHARDS_LISTED; i++)
		lists_any |= listed[i];
	return lists_any ? prn_error_set(error, PRN_E_DAMAGED, "the store lists shards, and has no setting '%s'", PRN_SHARDS_NAME) : 0;
}

/* A policy or a fragment rule that is not known here is no damage: a newer program, or one with the plugin, may know it. */
static int read_settings(struct prn_store *saved, struct prn_view *view, struct prn_error *error)
{
	struct prn_decider decider = { .store = saved };
	int code = prn_decider_read_settings(&decider, &(struct prn_store_reader){ .view = view }, error);

	prn_policy_free(decider.policy);
	free(decider.specification);
	return code == PRN_E_VERSION || code == PRN_E_ARGUMENT ? 0 : code;
}

static int look(void *context, struct prn_store *saved, struct prn_error *error)
{
	struct prn_view *view;
	bool has;
	int code = prn_view_open(&view, saved, error);

	(void)context;
	if (code)
		return code;
	code = has_settings(view, &has, error);
	if (!code && has)
		code = read_settings(saved, view, error);
	prn_view_close(view);
	return code || !has ? code : check_root(saved, error);
}

int prn_decider_rebuild(const char *path, double lock_wait_s, struct prn_store_rebuilt *rebuilt, struct prn_error *error)
{
	return prn_store_rebuild_proved(path, lock_wait_s, &(struct prn_store_proof){ look, NULL }, rebuilt, error);
}
