/*
 * The map of the file that the engine reads, and what a view sees of it.  Readers have a map of their own, because LMDB does not say
 * where its map is, and its reads go wherever damaged pages lead them.  A writer's pages are read by both, the engine first.  With two
 * maps each page would be brought in twice, which took a fifth of a writer's time; so a writer uses LMDB's map, and finds it by where
 * LMDB has an entry that the engine has read, too.
 */
#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define TRIES 100

/* Reads both heads; the second one stands where the first one says that pages end. */
static bool read_heads(int file, struct prn_file_head heads[2])
{
	unsigned char bytes[512];

	return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
	       prn_file_head_read(bytes, sizeof bytes, &heads[0]) &&
	       pread(file, bytes, sizeof bytes, heads[0].free.page_bytes) == (ssize_t)sizeof bytes &&
	       prn_file_head_read(bytes, sizeof bytes, &heads[1]) && prn_file_heads_agree(heads);
}

/* A file that was copied or made anew has other versions, even with the same commit number. */
static uint64_t version_of(int file, size_t commit)
{
	struct stat about;
	uint64_t numbers[4];

	if (fstat(file, &about))
		return 0;
	numbers[0] = commit;
	numbers[1] = about.st_ino;
	numbers[2] = about.st_dev;
	numbers[3] = 0;
	return XXH3_64bits(numbers, sizeof numbers);
}

uint64_t prn_lmdb_version(struct prn_view *head)
{
	const struct prn_lmdb_view *view = (const struct prn_lmdb_view *)head;
	mdb_filehandle_t file;

	mdb_env_get_fd(prn_lmdb_of(head->tables)->env, &file);
	return version_of(file, view->file.commit);
}

int prn_lmdb_version_at(struct prn_tables *tables, const char *path, uint64_t *version, struct prn_error *error)
{
	char *name = prn_lmdb_file(path, "data.mdb");
	int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1, code = 0;
	struct prn_file_head heads[2];

	(void)tables;
	if (!name)
		return prn_error_memory(error);
	free(name);
	if (file < 0)
		return prn_lmdb_fail(path, "open", errno, error);
	/* While a head is being written, nobody has seen its version yet. */
	if (read_heads(file, heads))
		*version = version_of(file, heads[0].commit > heads[1].commit ? heads[0].commit : heads[1].commit);
	else
		code = prn_lmdb_fail(path, "read", MDB_INVALID, error);
	close(file);
	return code;
}

/* A writer of another process may be writing a head just now, so several tries are made: a damaged head stays damaged. */
int prn_lmdb_check_heads(const char *path, struct prn_error *error)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	char *name = prn_lmdb_file(path, "data.mdb");
	int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1, code = 0;
	struct prn_file_head heads[2];
	bool agree = false;

	if (!name)
		return prn_error_memory(error);
	if (file < 0)
		code = prn_lmdb_fail(path, "open", errno, error);
	for (unsigned i = 0; i < TRIES && !code && !agree; i++) {
		agree = read_heads(file, heads);
		if (!agree)
			nanosleep(&pause, NULL);
	}
	if (!code && !agree)
		code = prn_lmdb_fail(path, "open", MDB_INVALID, error);
	if (file >= 0)
		close(file);
	free(name);
	return code;
}

void prn_lmdb_unmap(struct prn_lmdb *lmdb)
{
	if (lmdb->map && !lmdb->map_is_lmdbs)
		munmap((void *)(uintptr_t)lmdb->map, lmdb->map_bytes);
	lmdb->map = NULL;
	lmdb->map_is_lmdbs = false;
}

/* The first table's entry as the engine sees it, on pages of which LMDB can read it, too. */
static bool find_entry(const struct prn_lmdb *lmdb, MDB_txn *txn, struct prn_node *entry)
{
	struct prn_lmdb_tables tables = { .lmdb = (struct prn_lmdb *)(uintptr_t)lmdb };
	struct prn_lmdb_view view = { .head.tables = &tables.head, .txn = txn };
	struct prn_tree_walk walk;

	return !prn_lmdb_see(&view, NULL) &&
	       !prn_tree_seek(&walk, &view.pages, &view.file.tables, (struct prn_bytes){ NULL, 0 }) &&
	       !prn_tree_check_path(&walk) && prn_tree_next(&walk, entry) == 1;
}

/* Finds where LMDB has its map; NULL if that cannot be found out, as in a file that has no tables yet. */
static const unsigned char *find_map(const struct prn_lmdb *lmdb)
{
	const unsigned char *found = NULL;
	struct prn_node entry;
	MDB_txn *txn;
	MDB_dbi names;

	if (mdb_txn_begin(lmdb->env, NULL, MDB_RDONLY, &txn))
		return NULL;
	if (find_entry(lmdb, txn, &entry) && !mdb_dbi_open(txn, NULL, 0, &names)) {
		MDB_val key = prn_lmdb_value(entry.key), value;

		if (!mdb_get(txn, names, &key, &value))
			found = (const unsigned char *)value.mv_data - ((const unsigned char *)entry.value.data - lmdb->map);
	}
	mdb_txn_abort(txn);
	return found;
}

int prn_lmdb_map(struct prn_lmdb *lmdb, struct prn_error *error)
{
	mdb_filehandle_t file;
	MDB_envinfo info;
	void *map;

	prn_lmdb_unmap(lmdb);
	mdb_env_info(lmdb->env, &info);
	mdb_env_get_fd(lmdb->env, &file);
	map = mmap(NULL, info.me_mapsize, PROT_READ, MAP_SHARED, file, 0);
	if (map == MAP_FAILED)
		return prn_error_set(error, PRN_E_MEMORY, "%s: cannot map data.mdb: %s", lmdb->path, strerror(errno));
	posix_madvise(map, info.me_mapsize, POSIX_MADV_RANDOM);
	lmdb->map = map;
	lmdb->map_bytes = info.me_mapsize;
	map = lmdb->writable ? (void *)(uintptr_t)find_map(lmdb) : NULL;
	if (map) {
		prn_lmdb_unmap(lmdb);
		lmdb->map = map;
		lmdb->map_is_lmdbs = true;
	}
	return 0;
}

static bool read_head(const struct prn_lmdb *lmdb, size_t commit, struct prn_file_head *head)
{
	MDB_stat stat;

	mdb_env_stat(lmdb->env, &stat);
	return prn_file_head_read(lmdb->map + (commit & 1) * stat.ms_psize, stat.ms_psize, head) &&
	       head->commit == commit;
}

static int find_tables(struct prn_lmdb_view *view, struct prn_error *error)
{
	const struct prn_lmdb *lmdb = prn_lmdb_of(view->head.tables);
	struct prn_tree_walk place;

	place.depth = 0;
	for (size_t i = 0; i < PRN_TABLES; i++) {
		const char *name = prn_table_name((enum prn_table)i);
		struct prn_node node;
		int code = prn_tree_get(&place, &view->pages, &view->file.tables, (struct prn_bytes){ name, strlen(name) }, &node);

		view->trees[i] = (struct prn_tree){ .root = PRN_PAGE_NONE };
		if (code == PRN_E_NOT_FOUND && prn_lmdb_came_later(i))
			continue;
		if (code == PRN_E_NOT_FOUND || (!code && !node.is_tree))
			return prn_error_set(error, PRN_E_DAMAGED, "%s: an LMDB file, but not of a store", lmdb->path);
		if (code)
			return prn_lmdb_damaged(lmdb->path, place.damaged, error);
		view->trees[i] = prn_tree_read(node.value);
	}
	return 0;
}

/*
 * The commit after the next overwrites the head of a commit, and begins when the next one is done; so a head that was read
 * before there was a next one is whole.  LMDB counts a commit as done some time after its head can be seen.
 */
static int read_whole_head(struct prn_lmdb_view *view, struct prn_error *error)
{
	const struct prn_lmdb *lmdb = prn_lmdb_of(view->head.tables);

	for (unsigned i = 0; i < TRIES; i++) {
		size_t commit = mdb_txn_id(view->txn);
		bool read = read_head(lmdb, commit, &view->file);
		struct prn_file_head next;
		int code;

		/* The head of the next commit must be looked for after this one was read. */
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (read && !read_head(lmdb, commit + 1, &next))
			return 0;
		mdb_txn_reset(view->txn);
		code = mdb_txn_renew(view->txn);
		view->moved = code == MDB_MAP_RESIZED;
		if (code)
			return prn_lmdb_fail(lmdb->path, "read", code, error);
		if (read && mdb_txn_id(view->txn) == commit)
			return 0;
	}
	return prn_lmdb_fail(lmdb->path, "read", MDB_INVALID, error);
}

int prn_lmdb_see(struct prn_lmdb_view *view, struct prn_error *error)
{
	const struct prn_lmdb *lmdb = prn_lmdb_of(view->head.tables);
	int code = read_whole_head(view, error);

	if (code)
		return code;
	view->pages = (struct prn_lmdb_pages){ .map = lmdb->map, .page_bytes = view->file.free.page_bytes,
		                          .count = view->file.last + 1 };
	if (view->pages.count > lmdb->map_bytes / view->pages.page_bytes)
		return prn_lmdb_fail(lmdb->path, "read", MDB_INVALID, error);
	return find_tables(view, error);
}
