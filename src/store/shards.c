#include "store/shards.h"

#include "store/shared.h"
#include "store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT 32

void prn_shard_key(size_t shard, char key[PRN_SHARD_KEY_BYTES + 1])
{
	snprintf(key, PRN_SHARD_KEY_BYTES + 1, PRN_SHARD_KEY, shard % 0x10000);
}

bool prn_shard_key_read(const void *name, size_t name_bytes, size_t *shard)
{
	char key[PRN_SHARD_KEY_BYTES + 1], again[PRN_SHARD_KEY_BYTES + 1];
	size_t found;

	if (name_bytes != PRN_SHARD_KEY_BYTES)
		return false;
	memcpy(key, name, name_bytes);
	key[name_bytes] = 0;
	if (sscanf(key, "shard/%4zx", &found) != 1)
		return false;
	prn_shard_key(found, again);
	*shard = found;
	return !strcmp(key, again);
}

size_t prn_shard_of(struct prn_host_name host, size_t count)
{
	return count > 1 ? (size_t)(prn_host_number(host) & (count - 1)) : 0;
}

int prn_shards_count(struct prn_store *root, size_t *count, struct prn_error *error)
{
	char text[NUMBER_TEXT] = "";
	const void *value;
	unsigned long number;
	size_t length;
	struct prn_view *view;
	int failed = prn_view_open(&view, root, error);

	if (failed)
		return failed;
	failed = prn_view_side(view, PRN_SIDE_META, PRN_SHARDS_NAME, strlen(PRN_SHARDS_NAME), &value, &length, error);
	if (!failed)
		snprintf(text, sizeof text, "%.*s", length < NUMBER_TEXT ? (int)length : NUMBER_TEXT - 1,
		         (const char *)value);
	prn_view_close(view);
	if (failed && failed != PRN_E_NOT_FOUND)
		return failed;
	number = failed ? 1 : strtoul(text, NULL, 10);
	if (!number || number > PRN_STORE_SHARDS || (number & (number - 1)))
		return prn_error_set(error, PRN_E_DAMAGED, "%s: the store's setting '%s' is '%s'", prn_store_path(root),
		                     PRN_SHARDS_NAME, text);
	*count = number;
	return 0;
}

int prn_shards_list(struct prn_store *root, bool *listed, size_t count, struct prn_error *error)
{
	const void *name, *value;
	size_t name_bytes, length, shard;
	struct prn_walk *walk = NULL;
	struct prn_view *view;
	int code = prn_view_open(&view, root, error);

	if (code)
		return code;
	memset(listed, 0, count * sizeof *listed);
	code = prn_view_freeze(view, error);
	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_META, error);
	while (!code && (code = prn_walk_side_next(walk, &name, &name_bytes, &value, &length, error)) == 1) {
		code = 0;
		if (prn_shard_key_read(name, name_bytes, &shard) && shard < count)
			listed[shard] = true;
	}
	prn_walk_free(walk);
	prn_view_close(view);
	return code < 0 ? code : 0;
}

char *prn_shard_address(const char *root, size_t shard)
{
	size_t place = strcspn(root, "?"), bytes = strlen(root) + NUMBER_TEXT;
	char *address = malloc(bytes);

	if (address)
		snprintf(address, bytes, "%.*s.%zu%s", (int)place, root, shard, root + place);
	return address;
}

static int is_listed(struct prn_store *root, size_t shard, bool *listed, struct prn_error *error)
{
	char key[PRN_SHARD_KEY_BYTES + 1];
	const void *value;
	size_t length;
	struct prn_view *view;
	int failed = prn_view_open(&view, root, error);

	if (failed)
		return failed;
	prn_shard_key(shard, key);
	failed = prn_view_side(view, PRN_SIDE_META, key, PRN_SHARD_KEY_BYTES, &value, &length, error);
	prn_view_close(view);
	*listed = !failed;
	return failed == PRN_E_NOT_FOUND ? 0 : failed;
}

/* It follows from nothing that others write: who lists the same shard at a time writes the same. */
static int list(struct prn_store *root, size_t shard, struct prn_error *error)
{
	char key[PRN_SHARD_KEY_BYTES + 1];
	const struct prn_change change = { PRN_TABLE_META, false, { key, PRN_SHARD_KEY_BYTES }, { "1", 1 } };

	prn_shard_key(shard, key);
	return root->tables->kind->write(root->tables, &change, 1, error);
}

static int make_shard(struct prn_store *root, const char *address, size_t shard, struct prn_error *error)
{
	char number[NUMBER_TEXT];
	const struct prn_store_setting settings[] = {{PRN_SHARD_NAME, number},
	                                             {PRN_SIBLINGS_NAME, PRN_SIBLINGS_COUNTED}};

	snprintf(number, sizeof number, "%zu", shard);
	return prn_store_create_beside(root, address, settings, 2, error);
}

/* Of several that make it at a time one does, and it is put on the list by whoever finds it there first. */
static int open_or_make(struct prn_store **out, struct prn_store *root, const char *address, size_t shard,
                        double lock_wait_s, struct prn_error *error)
{
	struct prn_error unmade;
	int made = make_shard(root, address, shard, &unmade), failed = made;

	if (!made || made == PRN_E_IO)
		failed = prn_store_open_beside(out, root, address, PRN_STORE_WRITE, lock_wait_s, error);
	if (made && (failed == made || failed == PRN_E_NOT_FOUND)) {
		*error = unmade;
		return made;
	}
	if (!failed)
		failed = list(root, shard, error);
	if (failed) {
		prn_store_free(*out);
		*out = NULL;
	}
	return failed;
}

static int open_at(struct prn_store **out, struct prn_store *root, const char *address, size_t shard,
                   enum prn_store_mode mode, bool make, double lock_wait_s, struct prn_error *error)
{
	bool listed = false;
	int failed = is_listed(root, shard, &listed, error);

	if (failed)
		return failed;
	if (!listed && make)
		return open_or_make(out, root, address, shard, lock_wait_s, error);
	failed = prn_store_open_beside(out, root, address, mode, lock_wait_s, error);
	if (failed == PRN_E_NOT_FOUND && listed)
		return prn_error_set(error, PRN_E_DAMAGED,
		                     "%s: the shard was removed: its pages are lost, unless a backup has them",
		                     address);
	return failed;
}

int prn_shard_open(struct prn_store **out, struct prn_store *root, size_t shard, enum prn_store_mode mode, bool make,
                   double lock_wait_s, struct prn_error *error)
{
	char *address = prn_shard_address(prn_store_path(root), shard);
	struct prn_store *store = NULL;
	struct prn_error why = { 0 };
	int failed;

	if (!address)
		return prn_error_memory(error);
	failed = open_at(&store, root, address, shard, mode, make, lock_wait_s, &why);
	free(address);
	if (failed && failed != PRN_E_NOT_FOUND && error)
		*error = why;
	if (!failed)
		*out = store;
	return failed;
}
