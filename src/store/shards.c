#include "store/shards.h"

#include "store/shared.h"
#include "store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBER_TEXT 32

size_t prn_shards_lists(size_t count)
{
	return count > PRN_SHARDS_LISTED ? count / PRN_SHARDS_A_LIST : 1;
}

size_t prn_shards_list_size(size_t count)
{
	return count / prn_shards_lists(count);
}

void prn_shard_key(size_t place, char key[PRN_SHARD_KEY_BYTES + 1])
{
	snprintf(key, PRN_SHARD_KEY_BYTES + 1, PRN_SHARD_KEY, place % 0x10000);
}

bool prn_shard_key_read(const void *name, size_t name_bytes, size_t *place)
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
	*place = found;
	return !strcmp(key, again);
}

size_t prn_shard_of(struct prn_host_name host, size_t count)
{
	return count > 1 ? (size_t)(prn_host_number(host) & (count - 1)) : 0;
}

int prn_shards_list(struct prn_store *list, bool *listed, size_t count, struct prn_error *error)
{
	const void *name, *value;
	size_t name_bytes, length, place;
	struct prn_walk *walk = NULL;
	struct prn_view *view;
	int code = prn_view_open(&view, list, error);

	if (code)
		return code;
	memset(listed, 0, count * sizeof *listed);
	code = prn_view_freeze(view, error);
	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_META, error);
	while (!code && (code = prn_walk_side_next(walk, &name, &name_bytes, &value, &length, error)) == 1) {
		code = 0;
		if (prn_shard_key_read(name, name_bytes, &place) && place < count)
			listed[place] = true;
	}
	prn_walk_free(walk);
	prn_view_close(view);
	return code < 0 ? code : 0;
}

char *prn_shards_real_address(const char *address)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(address, &place);

	return kind->real_address ? kind->real_address(place) : strdup(address);
}

static char *beside(const char *root, const char *name)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(root, &place);
	char *its = kind->place_beside ? kind->place_beside(place, name) : NULL, *address = NULL;

	if (its && asprintf(&address, "%.*s%s", (int)(place - root), root, its) < 0)
		address = NULL;
	if (!kind->place_beside && asprintf(&address, "%s.%s", root, name) < 0)
		address = NULL;
	free(its);
	return address;
}

int prn_shards_make_id(char id[PRN_SHARDS_ID_TEXT], struct prn_error *error)
{
	unsigned char bytes[(PRN_SHARDS_ID_TEXT - 1) / 2];

	if (getentropy(bytes, sizeof bytes))
		return prn_error_set(error, PRN_E_IO, "the system gives no random number");
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(id + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int prn_shards_read_text(struct prn_store *store, const char *name, char *text, size_t size, struct prn_error *error)
{
	const void *value;
	size_t length;
	struct prn_view *view;
	int failed = prn_view_open(&view, store, error);

	*text = 0;
	if (failed)
		return failed;
	failed = prn_view_side(view, PRN_SIDE_META, name, strlen(name), &value, &length, error);
	if (!failed)
		snprintf(text, size, "%.*s", length < size ? (int)length : (int)size - 1, (const char *)value);
	prn_view_close(view);
	return failed == PRN_E_NOT_FOUND ? 0 : failed;
}

/* The identity is read once; the first call must be made by one thread alone (prn_shards_count). */
static int read_identity(struct prn_store *root, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT], count[NUMBER_TEXT], both[PRN_SHARDS_ID_TEXT + NUMBER_TEXT] = "";
	int failed = root->identity ? 0 : prn_shards_read_text(root, PRN_SHARDS_ID, id, sizeof id, error);

	if (failed || root->identity)
		return failed;
	failed = prn_shards_read_text(root, PRN_SHARDS_NAME, count, sizeof count, error);
	if (failed)
		return failed;
	if (*id)
		snprintf(both, sizeof both, "%s %s", id, count);
	root->identity = strdup(both);
	return root->identity ? 0 : prn_error_memory(error);
}

int prn_shards_identity(struct prn_store *root, const char **identity, struct prn_error *error)
{
	int failed = read_identity(root, error);

	if (!failed)
		*identity = root->identity;
	return failed;
}

int prn_shards_count(struct prn_store *root, size_t *count, struct prn_error *error)
{
	char text[NUMBER_TEXT];
	unsigned long number;
	char *end = text;
	int failed = prn_shards_read_text(root, PRN_SHARDS_NAME, text, sizeof text, error);

	if (!failed && *text)
		failed = read_identity(root, error);
	if (failed)
		return failed;
	number = *text ? strtoul(text, &end, 10) : 1;
	if (*end || !number || number > PRN_STORE_SHARDS || (number & (number - 1)))
		return prn_error_set(error, PRN_E_DAMAGED, "%s: the store's setting '%s' is '%s'", prn_store_path(root),
		                     PRN_SHARDS_NAME, text);
	*count = number;
	return 0;
}

static void name_shard(size_t shard, char name[NUMBER_TEXT])
{
	snprintf(name, NUMBER_TEXT, "%zu", shard);
}

static void name_list(size_t list, char name[NUMBER_TEXT])
{
	snprintf(name, NUMBER_TEXT, "list-%zu", list);
}

char *prn_shard_address(const char *root, size_t shard)
{
	char name[NUMBER_TEXT];

	name_shard(shard, name);
	return beside(root, name);
}

char *prn_shards_list_address(const char *root, size_t list)
{
	char name[NUMBER_TEXT];

	name_list(list, name);
	return beside(root, name);
}

char *prn_shards_backup_address(const char *root)
{
	return beside(root, PRN_SHARDS_BACKUP);
}

static bool is_taken(const char *address)
{
	struct prn_store *store;
	int found = prn_store_open_one(&store, address, PRN_STORE_READ, 0, NULL);

	if (!found)
		prn_store_free(store);
	return !found || found == PRN_E_DAMAGED || found == PRN_E_TRUNCATED || found == PRN_E_VERSION;
}

/* The shard, or list of shards, that is to be opened. */
struct part {
	struct prn_store *root, *list; /* list: the store that lists it … */
	size_t place;                  /* … at this place */
	char name[NUMBER_TEXT];
	const char *address;
	const char *loss; /* says what is lost if the part was removed */
};

static int is_listed(const struct part *part, bool *listed, struct prn_error *error)
{
	char key[PRN_SHARD_KEY_BYTES + 1];
	const void *value;
	size_t length;
	struct prn_view *view;
	int failed = prn_view_open(&view, part->list, error);

	if (failed)
		return failed;
	prn_shard_key(part->place, key);
	failed = prn_view_side(view, PRN_SIDE_META, key, PRN_SHARD_KEY_BYTES, &value, &length, error);
	prn_view_close(view);
	*listed = !failed;
	return failed == PRN_E_NOT_FOUND ? 0 : failed;
}

/* The entry depends on nothing that others write: all who list the same part at a time write the same entry. */
static int list(const struct part *part, struct prn_error *error)
{
	char key[PRN_SHARD_KEY_BYTES + 1];
	const struct prn_change change = { PRN_TABLE_META, false, { key, PRN_SHARD_KEY_BYTES }, { "1", 1 } };

	prn_shard_key(part->place, key);
	return part->list->tables->kind->write(part->list->tables, &change, 1, error);
}

#define OWN_SETTINGS 3

static int make_whole_of(const struct part *part, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT];
	const struct prn_store_setting settings[] = { { PRN_SHARDS_ID, id }, { PRN_SIBLINGS_NAME, PRN_SIBLINGS_COUNTED } };

	snprintf(id, sizeof id, "%.*s", (int)strcspn(part->root->identity, " "), part->root->identity);
	return prn_store_create_beside(part->root, part->address, settings, 2, error);
}

/* settings[more + OWN_SETTINGS]: the first `more` say what a list lists, and the rest are written here. */
static int make_part_of(const struct part *part, struct prn_store_setting *settings, size_t more, struct prn_error *error)
{
	settings[more] = (struct prn_store_setting){ PRN_SHARD_NAME, part->name };
	settings[more + 1] = (struct prn_store_setting){ PRN_SIBLINGS_NAME, PRN_SIBLINGS_COUNTED };
	settings[more + 2] = (struct prn_store_setting){ PRN_SHARD_OF, part->root->identity };
	return prn_store_create_beside(part->root, part->address, settings, more + (*part->root->identity ? 3 : 2), error);
}

static int make_part(const struct part *part, struct prn_error *error)
{
	struct prn_store_setting settings[OWN_SETTINGS];

	return make_part_of(part, settings, 0, error);
}

/* Whether the part is that of a store of a single shard which is being made: it will be the store itself, and has only its identity. */
static bool is_whole_of(const struct part *part, const char *id)
{
	size_t length = strlen(id);

	return length && !strncmp(part->root->identity, id, length) && !strcmp(part->root->identity + length, " 1");
}

/* Whether the store that was opened is the part that belongs there. */
static int verify(const struct part *part, struct prn_store *store, struct prn_error *error)
{
	char name[NUMBER_TEXT], of[PRN_SHARDS_ID_TEXT + NUMBER_TEXT], id[PRN_SHARDS_ID_TEXT];
	int failed = prn_shards_read_text(store, PRN_SHARD_NAME, name, sizeof name, error);

	if (!failed)
		failed = prn_shards_read_text(store, PRN_SHARD_OF, of, sizeof of, error);
	if (!failed)
		failed = prn_shards_read_text(store, PRN_SHARDS_ID, id, sizeof id, error);
	if (failed)
		return failed;
	if (!*name && is_whole_of(part, id))
		return 0;
	if (!*name)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: is a store by itself, and no shard of %s", part->address,
		                     prn_store_path(part->root));
	if (strcmp(of, part->root->identity) != 0)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: is a shard of another store than %s: move it away", part->address,
		                     prn_store_path(part->root));
	if (strcmp(name, part->name) != 0)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: is shard %s of its store, and stands in the place of shard %s: its name "
		                     "was changed", part->address, name, part->name);
	return 0;
}

static int open_there(struct prn_store **out, const struct part *part, enum prn_store_mode mode, double lock_wait_s,
                      struct prn_error *error)
{
	int failed = prn_store_open_beside(out, part->root, part->address, mode, lock_wait_s, error);

	if (failed)
		return failed;
	failed = verify(part, *out, error);
	if (failed) {
		prn_store_free(*out);
		*out = NULL;
	}
	return failed;
}

int prn_shards_verify(struct prn_store *root, const char *address, bool is_list, size_t number, struct prn_store *store, struct prn_error *error)
{
	struct part part = { .root = root, .address = address };
	int failed = read_identity(root, error);

	if (is_list)
		name_list(number, part.name);
	else
		name_shard(number, part.name);
	return failed ? failed : verify(&part, store, error);
}

int prn_shards_find(struct prn_store *root, const char *address, bool is_list, size_t number, struct prn_error *error)
{
	struct prn_store *store;
	struct prn_error why;
	/* It is not opened beside its root: its engine may be another. */
	int failed = prn_store_open_one(&store, address, PRN_STORE_READ, 0, &why);

	if (!failed) {
		failed = prn_shards_verify(root, address, is_list, number, store, &why);
		prn_store_free(store);
	}
	if (failed && failed != PRN_E_NOT_FOUND && error)
		*error = why;
	return failed;
}

/* If several make it at a time, one of them succeeds; whoever finds it there first puts it on the list. */
static int open_or_make(struct prn_store **out, const struct part *part, double lock_wait_s, struct prn_error *error)
{
	struct prn_error unmade;
	int made = make_part(part, &unmade), failed = made;

	if (!made || made == PRN_E_IO)
		failed = open_there(out, part, PRN_STORE_WRITE, lock_wait_s, error);
	if (made && (failed == made || failed == PRN_E_NOT_FOUND)) {
		*error = unmade;
		return made;
	}
	if (!failed)
		failed = list(part, error);
	if (failed) {
		prn_store_free(*out);
		*out = NULL;
	}
	return failed;
}

static int open_listed(struct prn_store **out, const struct part *part, enum prn_store_mode mode, bool make,
                       double lock_wait_s, struct prn_error *error)
{
	bool listed = false;
	int failed = is_listed(part, &listed, error);

	if (failed)
		return failed;
	if (!listed && make)
		return open_or_make(out, part, lock_wait_s, error);
	failed = open_there(out, part, mode, lock_wait_s, error);
	/* Nobody would find what is written to a part that is on no list. */
	if (!failed && !listed && mode == PRN_STORE_WRITE && (failed = list(part, error))) {
		prn_store_free(*out);
		*out = NULL;
	}
	if (failed == PRN_E_NOT_FOUND && listed)
		return prn_error_set(error, PRN_E_DAMAGED,
		                     "%s: is not there: a store is moved and copied together with all that has its name, a dot and a "
		                     "number; if it was removed, %s", part->address, part->loss);
	return failed;
}

static int open_part(struct prn_store **out, struct part *part, enum prn_store_mode mode, bool make, double lock_wait_s,
                     struct prn_error *error)
{
	char *address = beside(prn_store_path(part->root), part->name);
	struct prn_store *store = NULL;
	struct prn_error why = { 0 };
	int failed = address ? read_identity(part->root, error) : prn_error_memory(error);

	if (failed) {
		free(address);
		return failed;
	}
	part->address = address;
	failed = open_listed(&store, part, mode, make, lock_wait_s, &why);
	free(address);
	if (failed && failed != PRN_E_NOT_FOUND && error)
		*error = why;
	if (!failed)
		*out = store;
	return failed;
}

int prn_shard_open(struct prn_store **out, struct prn_store *root, struct prn_store *list, size_t shard,
                   enum prn_store_mode mode, bool make, double lock_wait_s, struct prn_error *error)
{
	struct part part = { .root = root, .list = list, .place = list == root ? shard : shard % PRN_SHARDS_A_LIST,
		             .loss = "its pages are lost, unless a backup has them" };

	name_shard(shard, part.name);
	return open_part(out, &part, mode, make, lock_wait_s, error);
}

int prn_shards_list_open(struct prn_store **out, struct prn_store *root, size_t list, enum prn_store_mode mode, bool make,
                         double lock_wait_s, struct prn_error *error)
{
	char loss[120];
	struct part part = { .root = root, .list = root, .place = list, .loss = loss };

	snprintf(loss, sizeof loss, "'perennial check --repair --give-up-list=%zu' makes it anew of those of its shards that stand", list);
	name_list(list, part.name);
	return open_part(out, &part, mode, make, lock_wait_s, error);
}

/* Removes what was begun at an address, if code, of opening it, says that it cannot be used.  Returns code, or PRN_E_NOT_FOUND: now nothing is there */
static int clear_begun(const char *address, int code, struct prn_error *error)
{
	enum prn_standing standing;
	int failed;

	if (!prn_store_is_unusable(code))
		return code;
	failed = prn_tables_look(address, true, &standing, error);
	return failed ? failed : standing == PRN_STANDING_TABLES ? code : PRN_E_NOT_FOUND;
}

int prn_shards_part_open(struct prn_store **out, struct prn_store *mark, const char *path, bool is_list, size_t number,
                         struct prn_error *error)
{
	char *address = is_list ? prn_shards_list_address(path, number) : prn_shard_address(path, number);
	struct part part = { .root = mark, .address = address };
	struct prn_error why = { 0 };
	size_t count = 0;
	int failed = address ? prn_shards_count(mark, &count, &why) : prn_error_memory(&why);

	if (!failed) {
		if (is_list)
			name_list(number, part.name);
		else
			name_shard(number, part.name);
		failed = clear_begun(address, open_there(out, &part, PRN_STORE_WRITE, 0, &why), &why);
		if (failed == PRN_E_NOT_FOUND) {
			failed = count == 1 ? make_whole_of(&part, &why) : make_part(&part, &why);
			if (!failed)
				failed = open_there(out, &part, PRN_STORE_WRITE, 0, &why);
		}
	}
	if (failed && error)
		*error = why;
	free(address);
	return failed;
}

int prn_shard_remake(struct prn_store *root, size_t shard, struct prn_error *error)
{
	char *address = prn_shard_address(prn_store_path(root), shard);
	struct part part = { .root = root, .address = address };
	struct prn_error why = { 0 };
	int failed = address ? read_identity(root, error) : prn_error_memory(error);

	if (failed) {
		free(address);
		return failed;
	}
	name_shard(shard, part.name);
	failed = make_part(&part, &why);
	if (failed == PRN_E_IO && is_taken(address))
		failed = prn_error_set(&why, PRN_E_DAMAGED, "%s: something is there that cannot be opened: 'perennial check --repair' may "
		                       "save some of it; else move it away first", address);
	if (failed && error)
		*error = why;
	free(address);
	return failed;
}

/* A shard that is damaged, or another store's, is listed too: whoever goes through the list then reports it. */
static int find_shards(struct prn_store *root, size_t first, bool *stands, size_t size, struct prn_error *error)
{
	int failed = 0;

	for (size_t i = 0; i < size && !failed; i++) {
		char *address = prn_shard_address(prn_store_path(root), first + i);
		struct prn_error why = { 0 };
		struct prn_store *store;

		failed = address ? prn_store_open_beside(&store, root, address, PRN_STORE_READ, 0, &why) : prn_error_memory(&why);
		free(address);
		if (!failed)
			prn_store_free(store);
		stands[i] = !failed || failed == PRN_E_DAMAGED || failed == PRN_E_TRUNCATED || failed == PRN_E_VERSION;
		failed = stands[i] || failed == PRN_E_NOT_FOUND ? 0 : failed;
		if (failed && error)
			*error = why;
	}
	return failed;
}

int prn_shards_list_remake(struct prn_store *root, size_t list, size_t count, size_t *listed, struct prn_error *error)
{
	size_t size = prn_shards_list_size(count), found = 0;
	char *address = prn_shards_list_address(prn_store_path(root), list), (*keys)[PRN_SHARD_KEY_BYTES + 1] = calloc(size, sizeof *keys);
	struct prn_store_setting *settings = calloc(OWN_SETTINGS + size, sizeof *settings);
	bool *stands = calloc(size, sizeof *stands);
	struct part part = { .root = root, .address = address };
	struct prn_error why = { 0 };
	int failed = address && keys && settings && stands ? read_identity(root, &why) : prn_error_memory(&why);

	if (!failed)
		failed = find_shards(root, list * size, stands, size, &why);
	for (size_t i = 0; i < size && !failed; i++) {
		if (!stands[i])
			continue;
		prn_shard_key(i, keys[found]);
		settings[found] = (struct prn_store_setting){ keys[found], "1" };
		found++;
	}
	name_list(list, part.name);
	if (!failed)
		failed = make_part_of(&part, settings, found, &why);
	if (failed == PRN_E_IO && address && is_taken(address))
		failed = prn_error_set(&why, PRN_E_DAMAGED, "%s: something is there that cannot be opened: 'perennial check --repair' may "
		                       "save some of it; else move it away first", address);
	if (failed && error)
		*error = why;
	else if (!failed)
		*listed = found;
	free(address);
	free(keys);
	free(settings);
	free(stands);
	return failed;
}

int prn_shard_version(struct prn_store *root, size_t shard, uint64_t *version, struct prn_error *error)
{
	const struct prn_tables_kind *kind = root->tables->kind;
	char *address = prn_shard_address(prn_store_path(root), shard);
	const char *place;
	int failed;

	if (!address)
		return prn_error_memory(error);
	prn_tables_find(address, &place);
	failed = kind->version_at(root->tables, place, version, error);
	free(address);
	return failed;
}
