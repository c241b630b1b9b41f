/* LMDB as an engine of tables: a folder, and what of the other files opens, makes and copies it. */
#include "store/lmdb_internal.h"

#include <stdlib.h>
#include <unistd.h>

static int open_lmdb(struct prn_tables **out, const char *path, bool writable, double lock_wait_s,
                     struct prn_error *error)
{
	struct prn_lmdb_tables *tables;
	int lock = -1, code = prn_lmdb_find(path, NULL, error);

	if (!code && writable)
		code = prn_lmdb_lock(path, lock_wait_s, &lock, error);
	if (!code)
		code = prn_lmdb_open(&tables, path, writable, false, error);
	if (code) {
		prn_lmdb_unlock(lock);
		return code;
	}
	tables->lock = lock;
	*out = &tables->head;
	return 0;
}

static void free_lmdb(struct prn_tables *tables)
{
	prn_lmdb_free((struct prn_lmdb_tables *)tables);
}

struct beginning {
	const struct prn_change *changes;
	size_t count;
};

static int begin_tables(const char *folder, void *context, struct prn_error *error)
{
	const struct beginning *beginning = context;
	struct prn_lmdb_tables *tables;
	int code = prn_lmdb_open(&tables, folder, true, true, error);

	if (code)
		return code;
	code = prn_lmdb_write(&tables->head, beginning->changes, beginning->count, error);
	prn_lmdb_free(tables);
	return code;
}

static int create(const char *path, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	return prn_lmdb_make_folder(path, begin_tables, &(struct beginning){ changes, count }, error);
}

struct copying {
	struct prn_tables *from;
	prn_verify_fn *verify;
	void *context; /* of verify */
};

/* In messages, the copy has the name of what it is a copy of: that is the name which the user knows. */
static int verify_copy(const char *folder, const struct copying *copying, struct prn_error *error)
{
	char *lock = prn_lmdb_file(folder, "lock.mdb");
	struct prn_lmdb_tables *copy;
	int code = lock ? prn_lmdb_open(&copy, folder, false, false, error) : prn_error_memory(error);

	if (!code) {
		copy->head.kind = &prn_tables_lmdb;
		copy->head.address = copying->from->address;
		code = copying->verify(copying->context, &copy->head, error);
		prn_lmdb_free(copy);
		unlink(lock);
	}
	free(lock);
	return code;
}

static int fill_copy(const char *folder, void *context, struct prn_error *error)
{
	struct copying *copying = context;
	int code = prn_lmdb_copy(copying->from, folder, error);

	return code ? code : verify_copy(folder, copying, error);
}

static int copy_tables(struct prn_tables *tables, const char *path, prn_verify_fn *verify, void *context,
                       struct prn_error *error)
{
	return prn_lmdb_make_folder(path, fill_copy, &(struct copying){ tables, verify, context }, error);
}

/* Called with the writer's lock held, which goes with the folder. */
static int remove_locked(const char *path, struct prn_error *error)
{
	prn_lmdb_remove_folder(path);
	return !prn_lmdb_find(path, NULL, NULL) ? prn_error_set(error, PRN_E_IO, "%s: cannot be removed", path) : 0;
}

static int remove_tables(const char *path, struct prn_error *error)
{
	int lock, code = prn_lmdb_find(path, NULL, error);

	if (!code)
		code = prn_lmdb_lock(path, 0, &lock, error);
	if (code)
		return code;
	code = remove_locked(path, error);
	prn_lmdb_unlock(lock);
	return code;
}

static int remove_open(struct prn_tables *tables, struct prn_error *error)
{
	int code = remove_locked(prn_lmdb_of(tables)->place, error);

	free_lmdb(tables);
	return code;
}

static int rebuild(const char *path, double lock_wait_s, const struct prn_salvage *salvage,
                   struct prn_salvaged *salvaged, struct prn_error *error)
{
	return prn_lmdb_rebuild(&prn_tables_lmdb, path, lock_wait_s, salvage, salvaged, error);
}

const struct prn_tables_kind prn_tables_lmdb = {
	.scheme = "lmdb",
	.in_folder = true,
	.real_address = prn_lmdb_real_address,
	.place_beside = prn_lmdb_place_beside,
	.create = create,
	.open = open_lmdb,
	.free = free_lmdb,
	.view = prn_lmdb_view,
	.close = prn_lmdb_close,
	.get = prn_lmdb_get,
	.get_many = prn_lmdb_get_many,
	.version = prn_lmdb_version,
	.version_at = prn_lmdb_version_at,
	.size = prn_lmdb_size,
	.scan = prn_lmdb_scan,
	.next = prn_lmdb_next,
	.end = prn_lmdb_end,
	.write = prn_lmdb_write,
	.copy = copy_tables,
	.remove = remove_tables,
	.remove_take = remove_open,
	.check_place = prn_lmdb_check_place,
	.leftovers = prn_lmdb_leftovers,
	.rebuild = rebuild,
	.check = prn_lmdb_check,
};
