/* Checks what stands at and around the place of a new store: shards without their root, a copy that was begun, a root beside it. */
#include "store/shards.h"

#include "store/store_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT 32
#define LOOKED_AT 16

/* Reads which part a store says that it is; "" if it is no part, or cannot be read. */
static void read_part(const char *address, char name[NUMBER_TEXT])
{
	struct prn_store *store;

	*name = 0;
	if (prn_store_open_one(&store, address, PRN_STORE_READ, 0, NULL))
		return;
	if (prn_shards_read_text(store, PRN_SHARD_NAME, name, NUMBER_TEXT, NULL))
		*name = 0;
	prn_store_free(store);
}

/* The command that is making the copy of a mark. */
static const char *maker_of(const char *address)
{
	char text[NUMBER_TEXT] = "";
	struct prn_store *store;

	if (prn_store_open_one(&store, address, PRN_STORE_READ, 0, NULL))
		return "backup";
	if (prn_shards_read_text(store, PRN_SHARDS_RESHARD, text, sizeof text, NULL))
		*text = 0;
	prn_store_free(store);
	return *text ? "reshard" : "backup";
}

static int find_mark(const char *path, struct prn_error *error)
{
	char *address = prn_shards_backup_address(path), name[NUMBER_TEXT] = "";
	int code = 0;
	bool marked;

	if (!address)
		return prn_error_memory(error);
	read_part(address, name);
	marked = !strcmp(name, PRN_SHARDS_BACKUP);
	if (marked)
		code = prn_error_set(error, PRN_E_IO, "%s: this is no store, but a copy of one that was not finished: 'perennial %s' goes "
		                     "on with it (--resume), or removes it (--discard)", path, maker_of(address));
	free(address);
	return code;
}

/* Each number that is not there costs a look at a folder; in a cluster it would cost a request, so there none is looked for. */
static int find_orphan(const char *path, struct prn_error *error)
{
	const char *place;
	size_t most = prn_tables_find(path, &place)->want ? 0 : 2 * PRN_SHARDS_LISTED;
	int code = 0;

	for (size_t i = 0; i < most && !code; i++) {
		char *address = i % 2 ? prn_shards_list_address(path, i / 2) : prn_shard_address(path, i / 2), name[NUMBER_TEXT] = "";

		if (!address)
			return prn_error_memory(error);
		read_part(address, name);
		if (*name && strcmp(name, PRN_SHARDS_BACKUP) != 0)
			code = prn_error_set(error, PRN_E_IO, "%s: this is no store, but shards of one whose root is not there (%s): copy the root back "
			                     "from a backup, or move them all away", path, address);
		free(address);
	}
	return code;
}

int prn_shards_check_place(const char *path, struct prn_error *error)
{
	struct prn_store *root;
	int code = prn_store_open_one(&root, path, PRN_STORE_READ, 0, NULL);

	if (!code)
		prn_store_free(root);
	if (code != PRN_E_NOT_FOUND)
		return 0;
	code = find_mark(path, error);
	return code ? code : find_orphan(path, error);
}

/* Only a store that is there for certain is an obstacle: if the place cannot be reached, making the store says so. */
int prn_shards_check_free(const char *root, size_t count, struct prn_error *error)
{
	int code = prn_shards_check_place(root, error);

	if (code)
		return code;
	for (size_t i = 0; i <= LOOKED_AT && i <= count; i++) {
		char *address = i < LOOKED_AT && i < count ? prn_shard_address(root, i) : prn_shards_list_address(root, 0);
		struct prn_error why;
		struct prn_store *store;
		int found = address ? prn_store_open_one(&store, address, PRN_STORE_READ, 0, &why) : prn_error_memory(error);

		bool taken = !found || prn_store_is_unusable(found);

		if (!found)
			prn_store_free(store);
		if (taken)
			found = prn_error_set(error, PRN_E_IO, "%s: is there already, left of another store: move it away, and all others of "
			                      "that name with another number", address);
		free(address);
		if (taken || !address)
			return found;
		if (found != PRN_E_NOT_FOUND)
			return 0;
	}
	return 0;
}

/* The part that an address names, if there is a store of several shards at root. */
struct part_name {
	char *root;
	bool is_list, is_mark;
	size_t number;
};

static bool read_number(const char *text, size_t length, size_t *number)
{
	if (!length || length > 7 || (*text == '0' && length > 1))
		return false;
	*number = 0;
	for (size_t i = 0; i < length; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
		*number = 10 * *number + (size_t)(text[i] - '0');
	}
	return true;
}

/* Takes an address of a part apart; root NULL: it is not the name of a part or, if *failed is set, there is no memory. */
static bool read_part_name(const char *path, struct part_name *name, bool *failed)
{
	size_t options = strcspn(path, "?"), end = options, dot;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (dot = end; dot && path[dot - 1] != '.' && path[dot - 1] != '/';)
		dot--;
	*failed = false;
	if (dot < 2 || path[dot - 1] != '.' || path[dot - 2] == '/')
		return false;
	*name = (struct part_name){ .is_mark = end - dot == strlen(PRN_SHARDS_BACKUP) && !strncmp(path + dot, PRN_SHARDS_BACKUP, end - dot),
		                    .is_list = end - dot > 5 && !strncmp(path + dot, "list-", 5) };
	if (!name->is_mark && !read_number(path + dot + 5 * name->is_list, end - dot - 5 * name->is_list, &name->number))
		return false;
	*failed = asprintf(&name->root, "%.*s%s", (int)dot - 1, path, path + options) < 0;
	return !*failed;
}

/* Reads the number of shards from a root, or from the mark of a copy that was begun there.  PRN_E_NOT_FOUND: neither is there */
static int count_at(const char *root, size_t *count, struct prn_error *error)
{
	char *mark = prn_shards_backup_address(root), name[NUMBER_TEXT];
	struct prn_store *store;
	int code = mark ? prn_store_open_one(&store, root, PRN_STORE_READ, 0, error) : prn_error_memory(error);

	if (code == PRN_E_NOT_FOUND) {
		read_part(mark, name);
		if (!strcmp(name, PRN_SHARDS_BACKUP))
			code = prn_store_open_one(&store, mark, PRN_STORE_READ, 0, error);
	}
	free(mark);
	if (code)
		return code;
	code = prn_shards_count(store, count, error);
	prn_store_free(store);
	return code;
}

int prn_shards_check_target(const char *path, struct prn_error *error)
{
	struct part_name name;
	struct prn_error why = { 0 };
	bool no_memory, is_part;
	size_t count = 1;
	int code;

	if (!read_part_name(path, &name, &no_memory))
		return no_memory ? prn_error_memory(error) : 0;
	code = count_at(name.root, &count, &why);
	is_part = count > 1 && (name.is_mark || (name.is_list ? prn_shards_lists(count) > 1 && name.number < prn_shards_lists(count)
	                                                      : name.number < count));
	if (code == PRN_E_NOT_FOUND)
		code = 0;
	else if (code)
		code = prn_error_set(error, code, "%.300s: has the name of a shard of %.300s, of which it is not known whether it has any: %s",
		                     path, name.root, why.text);
	else if (is_part)
		code = prn_error_set(error, PRN_E_IO, "%s: is where %s of %s, a store of %zu shards, stands or is to stand: choose another "
		                     "name", path, name.is_mark ? "the mark" : name.is_list ? "a list" : "a shard", name.root, count);
	free(name.root);
	return code;
}
