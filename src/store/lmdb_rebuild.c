/*
 * A damaged file is read without LMDB.  Its whole entries go into a new file, which takes its place once that has itself been
 * found whole.
 *
 * First come the entries to which the tables lead.  Then come pages to which nothing leads, because a page above them is damaged,
 * and nodes of pages that are themselves damaged.  Neither their table nor whether they are up to date is known, so they are
 * taken last, and their own content must show what they are.  Free pages are left alone, because they hold old records.
 */
#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNKNOWN, USED, FREE, CONTESTED, BROKEN }; /* CONTESTED: free, and a table leads there */

struct rebuilding {
	const struct prn_tables_kind *kind;
	const char *path;
	const struct prn_salvage *salvage;
	struct prn_salvaged *salvaged;
	struct prn_tables *into;
	struct prn_lmdb_pages pages;
	struct prn_file_head head;
	unsigned char *state; /* [pages.count] */
	bool knows_free;
	int failed; /* the error of taking an entry */
	struct prn_error *error;
};

/*
 * No process may have the store open: LMDB's readers hold a lock on the first byte of this file.  The locks of this process itself
 * would not stop it, and would be given back.
 */
static int lock_readers_out(const char *path, int *lock, struct prn_error *error)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int file, code, failed = prn_lmdb_lock_file(path, "lock.mdb", &file, &code, error);

	if (failed)
		return failed;
	if (file < 0)
		failed = prn_lmdb_fail(path, "lock it", code, error);
	else if (fcntl(file, F_SETLK, &whole))
		failed = errno != EACCES && errno != EAGAIN
		                 ? prn_lmdb_fail(path, "lock it", errno, error)
		                 : prn_error_set(error, PRN_E_LIMIT, "%s: another process reads it: its file cannot be "
		                                 "replaced before that has ended", path);
	if (failed && file >= 0)
		close(file);
	else
		*lock = file;
	return failed;
}

static int map_file(struct rebuilding *rebuilding, size_t *bytes)
{
	char *name = prn_lmdb_file(rebuilding->path, "data.mdb");
	int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1, code = 0;
	struct stat about;
	void *map = MAP_FAILED;

	if (!name)
		return prn_error_memory(rebuilding->error);
	if (file < 0 || fstat(file, &about))
		code = prn_lmdb_fail(rebuilding->path, "read", errno, rebuilding->error);
	else if (about.st_size)
		map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
	if (!code && map == MAP_FAILED)
		code = about.st_size ? prn_lmdb_fail(rebuilding->path, "read", errno, rebuilding->error)
		                     : prn_error_set(rebuilding->error, PRN_E_TRUNCATED,
		                                     "%s: data.mdb is empty: restore a backup", rebuilding->path);
	if (!code) {
		rebuilding->pages.map = map;
		*bytes = (size_t)about.st_size;
	}
	if (file >= 0)
		close(file);
	free(name);
	return code;
}

/* The head's own commit number may be damaged; the last commit in its tree of freed pages is mostly the same. */
static size_t true_commit(const struct prn_lmdb_pages *pages, const struct prn_file_head *head)
{
	struct prn_tree_walk walk;
	struct prn_node node;
	size_t last = 0;
	int got = prn_tree_seek_free(&walk, pages, &head->free);

	while (!got && (got = prn_tree_next(&walk, &node)) == 1) {
		if (node.key.length == sizeof last)
			memcpy(&last, node.key.data, sizeof last);
		got = 0;
	}
	return got || !last ? head->commit : last;
}

/* The names of the tables stand on one page: without it a head leads nowhere. */
static bool has_names(const struct prn_lmdb_pages *pages, const struct prn_file_head *head)
{
	struct prn_lmdb_page page;

	return head->tables.root >= 2 && head->tables.root < pages->count &&
	       (prn_lmdb_page_read(pages, head->tables.root, &page) ||
	        (page = prn_lmdb_page_guess(pages, head->tables.root), prn_lmdb_page_is_sound(pages, &page, false)));
}

/* The better one of two heads is the one that has names or, if both or neither have, the one of the later commit. */
static bool is_better(const struct prn_lmdb_pages *pages, const struct prn_file_head *head, const struct prn_file_head *than)
{
	bool names = has_names(pages, head), other_names = has_names(pages, than);

	return names != other_names ? names : true_commit(pages, head) > true_commit(pages, than);
}

/* One head is at the beginning of the file, the other on the next page; the size of pages may not be known. */
static bool find_head(struct rebuilding *rebuilding, size_t bytes)
{
	struct prn_lmdb_pages *pages = &rebuilding->pages;
	struct prn_file_head second;
	size_t size = 256;
	bool has_first = prn_file_head_read(pages->map, bytes, &rebuilding->head), has_second = false;

	if (has_first)
		size = rebuilding->head.free.page_bytes;
	for (; size <= 0x8000 && size < bytes && !has_second; size *= 2) {
		has_second = prn_file_head_read(pages->map + size, bytes - size, &second) &&
		             second.free.page_bytes == size;
		if (has_first)
			break;
	}
	if (!has_first && !has_second)
		return false;
	pages->page_bytes = has_first ? rebuilding->head.free.page_bytes : second.free.page_bytes;
	pages->count = bytes / pages->page_bytes;
	if (has_second && (!has_first || is_better(pages, &second, &rebuilding->head)))
		rebuilding->head = second;
	return true;
}

/* Whether the list of free pages is whole; marks them. */
static bool mark_free(struct rebuilding *rebuilding)
{
	const struct prn_lmdb_pages *pages = &rebuilding->pages;
	struct prn_tree_walk walk;
	struct prn_node node;
	int got = prn_tree_seek_free(&walk, pages, &rebuilding->head.free);

	while (!got && (got = prn_tree_next(&walk, &node)) == 1) {
		const unsigned char *numbers;
		size_t count, before = pages->count;

		got = prn_free_list_read(node.value, &count, &numbers) ? 0 : -1;
		for (size_t i = 0; !got && i < count; i++) {
			size_t number = prn_free_list_at(numbers, i);

			got = number >= 2 && number < before ? 0 : -1;
			if (!got)
				rebuilding->state[before = number] = FREE;
		}
		for (size_t i = 0; !got && i < node.page_count; i++)
			rebuilding->state[node.page + i] = USED;
		for (unsigned level = 0; !got && level < walk.depth; level++)
			rebuilding->state[walk.path[level].number] = USED;
	}
	return !got;
}

static void take_loose(struct rebuilding *rebuilding, size_t number)
{
	const struct prn_salvage *salvage = rebuilding->salvage;
	struct prn_lmdb_page page = prn_lmdb_page_guess(&rebuilding->pages, number);
	struct prn_node node;

	for (unsigned i = 0; i < page.count && !rebuilding->failed; i++)
		if (prn_lmdb_page_node(&rebuilding->pages, &page, i, &node) && !node.is_tree)
			rebuilding->failed = salvage->take_loose(salvage->context, rebuilding->into, node.key,
			                                         node.value, rebuilding->error);
}

/* Marks a page as used, if it may be: each page may be used once. */
static bool claim(struct rebuilding *rebuilding, size_t number)
{
	unsigned char *state;

	if (number < 2 || number >= rebuilding->pages.count)
		return false;
	state = &rebuilding->state[number];
	if (*state == FREE)
		*state = CONTESTED;
	if (*state != UNKNOWN)
		return false;
	*state = USED;
	return true;
}

static bool is_within(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, struct prn_bytes from,
                      struct prn_bytes end)
{
	struct prn_node first, last;

	if (!page->leaf && page->count == 1)
		return true;
	return prn_lmdb_page_node(pages, page, page->leaf ? 0 : 1, &first) &&
	       prn_lmdb_page_node(pages, page, page->count - 1, &last) && prn_bytes_compare(first.key, from) >= 0 &&
	       (!end.length || prn_bytes_compare(last.key, end) < 0);
}

/* Takes the entries to which a table leads, in the order of keys, from `from` to before end (of length 0: there is no such bound). */
static void walk_page(struct rebuilding *rebuilding, enum prn_table table, unsigned depth, size_t number,
                      struct prn_bytes from, struct prn_bytes end)
{
	const struct prn_lmdb_pages *pages = &rebuilding->pages;
	const struct prn_salvage *salvage = rebuilding->salvage;
	struct prn_node node, next;
	struct prn_lmdb_page page;

	if (!claim(rebuilding, number)) {
		rebuilding->salvaged->damaged_pages++;
		return;
	}
	/* If only the head of a leaf is damaged, its nodes show that the rest is whole. */
	if (!prn_lmdb_page_read(pages, number, &page))
		page = prn_lmdb_page_guess(pages, number);
	if (depth > PRN_TREE_DEPTH || !prn_lmdb_page_is_sound(pages, &page, false) ||
	    !is_within(pages, &page, from, end)) {
		rebuilding->state[number] = BROKEN;
		rebuilding->salvaged->damaged_pages++;
		return;
	}
	for (unsigned i = 0; i < page.count && !rebuilding->failed; i++) {
		bool is_last = i + 1 == page.count;

		prn_lmdb_page_node(pages, &page, i, &node);
		for (size_t k = 0; k < node.page_count; k++)
			rebuilding->state[node.page + k] = USED;
		if (page.leaf)
			rebuilding->failed = salvage->take(salvage->context, rebuilding->into, table, node.key, node.value,
			                                   rebuilding->error);
		else if (is_last || prn_lmdb_page_node(pages, &page, i + 1, &next))
			walk_page(rebuilding, table, depth + 1, node.page, i ? node.key : from,
			          is_last ? end : next.key);
	}
}

/* The names of the tables stand on one page. */
static void walk_tables(struct rebuilding *rebuilding)
{
	const struct prn_lmdb_pages *pages = &rebuilding->pages;
	const struct prn_bytes unbounded = { NULL, 0 };
	struct prn_lmdb_page page;

	if (!claim(rebuilding, rebuilding->head.tables.root)) {
		rebuilding->salvaged->damaged_pages++;
		return;
	}
	if (!prn_lmdb_page_read(pages, rebuilding->head.tables.root, &page) || !page.leaf) {
		page = prn_lmdb_page_guess(pages, rebuilding->head.tables.root);
		rebuilding->salvaged->damaged_pages++;
	}
	for (size_t i = 0; i < PRN_TABLES; i++) {
		const char *name = prn_table_name((enum prn_table)i);
		struct prn_node node;
		struct prn_tree tree;

		for (unsigned at = 0; at < page.count; at++) {
			if (!prn_lmdb_page_node(pages, &page, at, &node) || !node.is_tree ||
			    prn_bytes_compare(node.key, (struct prn_bytes){ name, strlen(name) }))
				continue;
			tree = prn_tree_read(node.value);
			rebuilding->salvaged->entries[i] = tree.entries;
			if (tree.root != PRN_PAGE_NONE)
				walk_page(rebuilding, (enum prn_table)i, 0, tree.root, unbounded, unbounded);
			break;
		}
	}
}

/* Without the list of free pages, any page may be an old one. */
static void take_rest(struct rebuilding *rebuilding)
{
	static const unsigned char order[] = { BROKEN, UNKNOWN, CONTESTED };

	for (size_t turn = 0; turn < sizeof order; turn++)
		for (size_t i = 2; i < rebuilding->pages.count && i <= rebuilding->head.last; i++)
			if (rebuilding->state[i] == order[turn] && (order[turn] == BROKEN || rebuilding->knows_free))
				take_loose(rebuilding, i);
}

static int read_out(struct rebuilding *rebuilding)
{
	const struct prn_salvage *salvage = rebuilding->salvage;
	size_t bytes = 0;
	int code = map_file(rebuilding, &bytes);

	if (code)
		return code;
	if (!find_head(rebuilding, bytes)) {
		code = prn_error_set(rebuilding->error, PRN_E_DAMAGED,
		                     "%s: data.mdb is not a store, or both its heads are damaged: restore a backup",
		                     rebuilding->path);
		goto out;
	}
	rebuilding->state = calloc(rebuilding->pages.count + 1, 1);
	if (!rebuilding->state) {
		code = prn_error_memory(rebuilding->error);
		goto out;
	}
	rebuilding->knows_free = mark_free(rebuilding);
	/* A list that breaks off says nothing about the remaining pages. */
	if (!rebuilding->knows_free) {
		memset(rebuilding->state, UNKNOWN, rebuilding->pages.count);
		rebuilding->salvaged->damaged_pages++;
	}
	walk_tables(rebuilding);
	take_rest(rebuilding);
	code = rebuilding->failed;
	if (!code)
		code = salvage->finish(salvage->context, rebuilding->into, rebuilding->error);
	free(rebuilding->state);
out:
	munmap((void *)(uintptr_t)rebuilding->pages.map, bytes);
	return code;
}

static int fill(const char *folder, struct rebuilding *rebuilding)
{
	struct prn_lmdb_tables *tables;
	int code = prn_lmdb_open(&tables, folder, true, true, rebuilding->error);

	if (code)
		return code;
	tables->head.kind = rebuilding->kind;
	tables->head.address = (char *)(uintptr_t)rebuilding->path; /* what messages call it */
	tables->head.writable = true;
	rebuilding->into = &tables->head;
	code = read_out(rebuilding);
	rebuilding->salvage->end(rebuilding->salvage->context, &tables->head);
	prn_lmdb_free(tables);
	return code;
}

/* The old file gets a second name, and the new one takes its first: at any moment there is a file of that name. */
static int exchange(const char *folder, struct rebuilding *rebuilding)
{
	char *from = prn_lmdb_file(folder, "data.mdb"), *to = prn_lmdb_file(rebuilding->path, "data.mdb"), *kept = NULL;
	int failed = from && to ? 0 : ENOMEM, taken = EEXIST, unsafe = 0;

	for (unsigned i = 1; !failed && taken == EEXIST; i++) {
		free(kept);
		kept = NULL;
		if ((i == 1 ? asprintf(&kept, "%s.damaged", to) : asprintf(&kept, "%s.damaged.%u", to, i)) < 0)
			failed = ENOMEM;
		else
			taken = link(to, kept) ? errno : 0;
	}
	if (!failed)
		failed = taken;
	if (!failed && rename(from, to)) {
		failed = errno;
		unlink(kept);
	}
	if (!failed && (unsafe = prn_lmdb_sync_folder(rebuilding->path)))
		prn_error_set(
			rebuilding->error, PRN_E_IO,
			"%s: data.mdb is made anew, and the damaged file kept as %s, but the folder cannot be synced "
			"(%s): if the machine stops now, the damaged file may be back, and is to be repaired again",
			rebuilding->path, kept, strerror(unsafe));
	if (!failed)
		snprintf(rebuilding->salvaged->kept, sizeof rebuilding->salvaged->kept, "%s", kept);
	free(from);
	free(to);
	free(kept);
	if (unsafe)
		return PRN_E_IO;
	return failed ? prn_lmdb_fail(rebuilding->path, "replace data.mdb", failed, rebuilding->error) : 0;
}

int prn_lmdb_rebuild(const struct prn_tables_kind *kind, const char *path, double lock_wait_s,
                     const struct prn_salvage *salvage, struct prn_salvaged *salvaged, struct prn_error *error)
{
	struct rebuilding rebuilding = {
		.kind = kind, .path = path, .salvage = salvage, .salvaged = salvaged, .error = error
	};
	char *folder = NULL;
	int writer = -1, readers = -1, code = prn_lmdb_find(path, NULL, error);

	if (!code)
		code = prn_lmdb_lock(path, lock_wait_s, &writer, error);
	if (!code)
		code = prn_lmdb_check_closed(path, error);
	if (!code)
		code = lock_readers_out(path, &readers, error);
	if (!code) {
		folder = prn_lmdb_file(path, "repair.part");
		code = folder ? 0 : prn_error_memory(error);
	}
	if (code)
		goto out;
	/* A process that was killed may have left it. */
	prn_lmdb_remove_folder(folder);
	code = mkdir(folder, 0777)
	               ? prn_error_set(error, PRN_E_IO, "%s: cannot make a folder: %s", folder, strerror(errno))
	               : fill(folder, &rebuilding);
	if (!code)
		code = exchange(folder, &rebuilding);
	prn_lmdb_remove_folder(folder);
out:
	free(folder);
	if (readers >= 0)
		close(readers);
	prn_lmdb_unlock(writer);
	return code;
}
