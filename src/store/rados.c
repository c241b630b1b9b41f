/* The engine RADOS: stores in a Ceph cluster, each an object. */
#include "store/rados_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <xxhash.h>

/* Makes a store of what was connected, and frees that. */
static int create_connected(struct prn_rados *rados, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	int code = prn_rados_make(rados, changes, count, NULL, NULL, error);

	prn_rados_free(&rados->head);
	return code;
}

static int create(const char *place, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	struct prn_rados *rados;
	int code = prn_rados_connect(&rados, place, error);

	return code ? code : create_connected(rados, changes, count, error);
}

static int create_beside(struct prn_tables *tables, const char *place, const struct prn_change *changes, size_t count,
                         struct prn_error *error)
{
	struct prn_rados *rados;
	int code = prn_rados_beside(&rados, prn_rados_of(tables), place, error);

	return code ? code : create_connected(rados, changes, count, error);
}

static int check_mark(struct prn_rados *rados, struct prn_error *error)
{
	enum prn_standing standing;
	struct prn_view *view;
	int code = prn_rados_view_open(&view, &rados->head, error);

	if (code)
		return code;
	code = prn_rados_marks(prn_rados_view_of(view), &standing, error);
	if (!code && standing != PRN_STANDING_TABLES)
		code = prn_rados_refuse(rados, standing, PRN_E_DAMAGED, error);
	prn_rados_view_close(view);
	return code;
}

/* Takes what was connected, or frees it. */
static int open_connected(struct prn_tables **out, struct prn_rados *rados, struct prn_error *error)
{
	int code = check_mark(rados, error);

	rados->is_open = !code;
	if (code)
		prn_rados_free(&rados->head);
	else
		*out = &rados->head;
	return code;
}

static int open_rados(struct prn_tables **out, const char *place, bool writable, double lock_wait_s,
                      struct prn_error *error)
{
	struct prn_rados *rados;
	int code = prn_rados_connect(&rados, place, error);

	(void)writable;
	(void)lock_wait_s; /* nobody waits for another: each looks whether another was faster */
	return code ? code : open_connected(out, rados, error);
}

static int open_beside(struct prn_tables **out, struct prn_tables *tables, const char *place, bool writable,
                       struct prn_error *error)
{
	struct prn_rados *rados;
	int code = prn_rados_beside(&rados, prn_rados_of(tables), place, error);

	(void)writable;
	return code ? code : open_connected(out, rados, error);
}

/* A copy of everything as it is at one moment. */
static int copy(struct prn_tables *tables, const char *place, prn_verify_fn *verify, void *context,
                struct prn_error *error)
{
	struct prn_change *changes = NULL;
	struct prn_rados *to = NULL;
	struct prn_view *view;
	size_t count = 0;
	int code = prn_rados_view_open(&view, tables, error);

	if (code)
		return code;
	code = prn_tables_read_all(view, &changes, &count, error);
	if (!code)
		code = prn_rados_connect(&to, place, error);
	if (!code) {
		to->head.kind = &prn_tables_rados;
		to->head.address = to->object;
		code = prn_rados_make(to, changes, count, verify, context, error);
	}
	if (to)
		prn_rados_free(&to->head);
	free(changes);
	prn_rados_view_close(view);
	return code;
}

/* The versions of an object's name go on when it is made anew; each name has its own versions. */
static uint64_t version_of(const struct prn_rados *rados, uint64_t version)
{
	return version ? XXH3_64bits_withSeed(rados->object, strlen(rados->object), version) : 0;
}

static uint64_t version(struct prn_view *view)
{
	return version_of(prn_rados_of(view->tables), prn_rados_view_of(view)->version);
}

static int version_at(struct prn_tables *tables, const char *place, uint64_t *version, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(tables)->cluster->library;
	rados_read_op_t operation = library->create_read_op();
	struct prn_rados *rados = NULL;
	uint64_t found = 0, size;
	time_t time;
	int inner = 0, answer, code = operation ? prn_rados_beside(&rados, prn_rados_of(tables), place, error) : prn_error_memory(error);

	if (code) {
		if (operation)
			library->release_read_op(operation);
		return code;
	}
	library->read_op_stat(operation, &size, &time, &inner);
	answer = prn_rados_read(rados, operation, &found);
	library->release_read_op(operation);
	if (!answer && inner < 0)
		answer = inner;
	if (answer)
		code = prn_rados_fail(rados, "read", answer, error);
	else
		*version = version_of(rados, found);
	prn_rados_free(&rados->head);
	return code;
}

#define LOCK_S 30

/* The lock's cookie is the address of the structure that asks, which is unique within its client. */
static void name_lock(const struct prn_rados *rados, char cookie[32])
{
	snprintf(cookie, 32, "%p", (const void *)rados);
}

static int hold(struct prn_tables *tables, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(tables);
	struct timeval duration = { .tv_sec = LOCK_S };
	char cookie[32];
	bool was_held;
	int code;

	name_lock(rados, cookie);
	/* If the lock has run out and the object is gone, taking the lock anew would make the object anew. */
	code = rados->cluster->library.lock_exclusive(rados->cluster->pool, rados->object, PRN_RADOS_LOCK, cookie, "", &duration,
	                                     rados->is_held ? LIBRADOS_LOCK_FLAG_MUST_RENEW : 0);
	if (code == -ENOENT && rados->is_held)
		return prn_error_set(error, PRN_E_LIMIT, "%s: was not held for half a minute: another process may have been at work on it",
		                     tables->address);
	if (code == -EBUSY || code == -EEXIST)
		return prn_error_set(error, PRN_E_LIMIT, "%s: another process is at work on it, or was killed within half a minute",
		                     tables->address);
	if (code < 0)
		return prn_rados_fail(rados, "lock", code, error);
	was_held = rados->is_held;
	rados->is_held = true;
	/* If another has just removed the object, the lock has made it anew, with nothing in it. */
	code = was_held ? 0 : prn_rados_clear_made(rados, error);
	if (code == PRN_E_NOT_FOUND)
		rados->is_held = false;
	return code;
}

static void free_rados(struct prn_tables *tables)
{
	struct prn_rados *rados = prn_rados_of(tables);
	char cookie[32];

	if (rados->is_held) {
		name_lock(rados, cookie);
		rados->cluster->library.unlock(rados->cluster->pool, rados->object, PRN_RADOS_LOCK, cookie);
	}
	prn_rados_free(tables);
}

static int remove_connected(struct prn_rados *rados, struct prn_error *error)
{
	int code = rados->cluster->library.remove(rados->cluster->pool, rados->object);

	if (code == -ENOENT)
		return prn_error_set(error, PRN_E_NOT_FOUND, "rados:%s/%s: there is no store", rados->cluster->address.pool, rados->object);
	return code < 0 ? prn_rados_fail(rados, "remove", code, error) : 0;
}

/* An unfinished object is removed too. */
static int remove_object(const char *place, struct prn_error *error)
{
	struct prn_rados *rados;
	int code = prn_rados_connect(&rados, place, error);

	if (code)
		return code;
	code = remove_connected(rados, error);
	prn_rados_free(&rados->head);
	return code;
}

/* Its lock, if it has one, goes with it. */
static int remove_open(struct prn_tables *tables, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(tables);
	int code = remove_connected(rados, error);

	if (!code)
		rados->is_held = false;
	free_rados(tables);
	return code;
}

struct telling {
	const struct prn_view *view;
	prn_skipped_fn *report;
	void *context;
	uint64_t *faults;
};

static void tell(const struct telling *telling, const struct prn_error *what)
{
	if (telling->report && *telling->faults < 100)
		telling->report(telling->context, what);
	++*telling->faults;
}

/* Bytes of a name that are no letters are told as 'rados listomapkeys' and shells write them. */
static void tell_stray(const struct telling *telling, const struct prn_rados_entry *entry)
{
	char name[4 * 40 + 1] = "";
	struct prn_error what;
	size_t used = 0;

	for (size_t i = 0; i < entry->name_bytes && i < 40; i++) {
		unsigned char byte = (unsigned char)entry->name[i];

		used += (size_t)snprintf(name + used, sizeof name - used, byte > ' ' && byte < 127 && byte != '\\' ? "%c" : "\\x%02x", byte);
	}
	prn_error_set(&what, PRN_E_DAMAGED, "%s: the object has an entry that is of no table: '%s'%s", telling->view->tables->address, name,
	              entry->name_bytes > 40 ? ", and so on" : "");
	tell(telling, &what);
}

static void tell_counts(const struct telling *telling, const struct prn_tables_size *counted, const struct prn_tables_size *found)
{
	struct prn_error what;

	for (size_t i = 0; i < PRN_TABLES; i++) {
		if (found->entries[i] == counted->entries[i])
			continue;
		prn_error_set(&what, PRN_E_DAMAGED, "%s: the object has %" PRIu64 " entries in the table \"%s\", and counts %" PRIu64,
		              telling->view->tables->address, found->entries[i], prn_table_name((enum prn_table)i), counted->entries[i]);
		tell(telling, &what);
	}
	if (found->bytes == counted->bytes)
		return;
	prn_error_set(&what, PRN_E_DAMAGED, "%s: the object has %" PRIu64 " bytes in its entries, and counts %" PRIu64,
	              telling->view->tables->address, found->bytes, counted->bytes);
	tell(telling, &what);
}

static int check(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults, struct prn_error *error)
{
	const struct telling telling = { view, report, context, faults };
	struct prn_rados_view *own = prn_rados_view_of(view);
	struct prn_tables_size counted, found = { 0 };
	int failed = prn_rados_freeze(view, error);

	if (!failed)
		failed = prn_rados_size(view, &counted, error);
	for (size_t i = 0; !failed && i < own->all_count; i++) {
		const struct prn_rados_entry *entry = &own->all[i];
		unsigned char key[PRN_TABLE_KEY_BYTES];
		enum prn_table table;
		size_t length;

		switch (prn_rados_entry_kind(entry, &table, key, &length)) {
		case PRN_RADOS_ENTRY_OF_TABLE:
			found.entries[table]++;
			found.bytes += entry->name_bytes + entry->value_bytes;
			break;
		case PRN_RADOS_ENTRY_NEWER:
			found.bytes += entry->name_bytes + entry->value_bytes;
			break;
		case PRN_RADOS_ENTRY_STRAY:
			tell_stray(&telling, entry);
			break;
		case PRN_RADOS_ENTRY_OWN:
			break;
		}
	}
	if (failed)
		return failed;
	tell_counts(&telling, &counted, &found);
	own->passes_strays = true;
	return 0;
}

/* What follows '?' only says how the cluster is reached. */
static char *real_address(const char *place)
{
	char *address;

	return asprintf(&address, "rados:%.*s", (int)strcspn(place, "?"), place) < 0 ? NULL : address;
}

static char *place_beside(const char *place, const char *name)
{
	int end = (int)strcspn(place, "?");
	char *beside;

	return asprintf(&beside, "%.*s.%s%s", end, place, name, place + end) < 0 ? NULL : beside;
}

static int rebuild(const char *place, double lock_wait_s, const struct prn_salvage *salvage, struct prn_salvaged *salvaged,
                   struct prn_error *error)
{
	char *address = real_address(place);
	struct prn_tables *tables = NULL;
	struct prn_view *view = NULL;
	int code = address ? open_rados(&tables, place, true, lock_wait_s, error) : prn_error_memory(error);

	if (!code) {
		tables->kind = &prn_tables_rados;
		tables->address = address;
		tables->writable = true;
		code = prn_rados_view_open(&view, tables, error);
	}
	if (!code) {
		code = prn_rados_rebuild(view, salvage, salvaged, error);
		prn_rados_view_close(view);
	}
	if (tables)
		free_rados(tables);
	free(address);
	return code;
}

const struct prn_tables_kind prn_tables_rados = {
	.scheme = "rados",
	.in_cluster = true,
	.real_address = real_address,
	.place_beside = place_beside,
	.create = create,
	.open = open_rados,
	.create_beside = create_beside,
	.open_beside = open_beside,
	.free = free_rados,
	.view = prn_rados_view_open,
	.close = prn_rados_view_close,
	.get = prn_rados_get,
	.get_many = prn_rados_get_many,
	.want = prn_rados_want,
	.freeze = prn_rados_freeze,
	.version = version,
	.version_at = version_at,
	.size = prn_rados_size,
	.scan = prn_rados_scan,
	.next = prn_rados_next,
	.end = prn_rados_end,
	.write = prn_rados_write,
	.write_after = prn_rados_write_after,
	.copy = copy,
	.remove = remove_object,
	.remove_take = remove_open,
	.remove_after = prn_rados_remove_after,
	.hold = hold,
	.look = prn_rados_look,
	.rebuild = rebuild,
	.reads_on = true,
	.check = check,
};
