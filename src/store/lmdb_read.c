#include "store/lmdb_internal.h"

#include <stdlib.h>
#include <unistd.h>

/* More keys than this at once are looked up in their order: neighbours share leaves. */
#define SORTED_FROM 16

struct walk {
	struct prn_walk head;
	struct prn_tree_walk place;
};

static struct prn_lmdb *lmdb_of(const struct prn_view *view)
{
	return prn_lmdb_of(view->tables);
}

/* Makes the map as large as another process has made the file.  `writing` is held, because LMDB's writer must not have begun. */
static int follow_growth(struct prn_lmdb *lmdb, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&lmdb->writing);
	code = prn_lmdb_move_begin(&lmdb->holds, true)
	               ? prn_lmdb_place_map(lmdb, 0, error)
	               : prn_error_set(error, PRN_E_LIMIT, "%s: the store has grown and older reads stay open", lmdb->path);
	pthread_mutex_unlock(&lmdb->writing);
	return code;
}

static int open_again(struct prn_lmdb *lmdb, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&lmdb->writing);
	code = prn_lmdb_reopen(lmdb, error);
	pthread_mutex_unlock(&lmdb->writing);
	return code;
}

/* Begins a read transaction; holds the map when it returns 0. */
static int begin_read(struct prn_lmdb *lmdb, struct prn_lmdb_hold *hold, MDB_txn **txn, struct prn_error *error)
{
	for (;;) {
		int code, failed;

		prn_lmdb_hold(&lmdb->holds, hold);
		code = lmdb->broken ? MDB_PANIC : mdb_txn_begin(lmdb->env, NULL, MDB_RDONLY, txn);
		if (!code)
			return 0;
		/* This is set while the map is held: afterwards, another thread may have opened the file again. */
		if (code == MDB_PANIC)
			lmdb->broken = true;
		prn_lmdb_let_go(&lmdb->holds, hold);
		if (code == MDB_PANIC)
			failed = open_again(lmdb, error);
		else if (code == MDB_MAP_RESIZED)
			failed = follow_growth(lmdb, error);
		else
			failed = prn_lmdb_fail(lmdb->path, "read", code, error);
		if (failed)
			return failed;
	}
}

static void end_read(struct prn_lmdb_view *view)
{
	/* The place among the readers is that of the process that began: a child that gave it back would take it from its parent. */
	if (lmdb_of(&view->head)->process == getpid())
		mdb_txn_abort(view->txn);
	prn_lmdb_let_go(&lmdb_of(&view->head)->holds, &view->hold);
}

int prn_lmdb_view(struct prn_view **out, struct prn_tables *tables, struct prn_error *error)
{
	struct prn_lmdb_view *view = calloc(1, sizeof *view);
	int code;

	if (!view)
		return prn_error_memory(error);
	view->head.tables = tables;
	do {
		view->moved = false;
		code = begin_read(prn_lmdb_of(tables), &view->hold, &view->txn, error);
		if (code)
			break;
		code = prn_lmdb_see(view, error);
		if (code)
			end_read(view);
	} while (view->moved);
	if (code)
		free(view);
	else
		*out = &view->head;
	return code;
}

void prn_lmdb_close(struct prn_view *view)
{
	end_read((struct prn_lmdb_view *)view);
	free(view);
}

int prn_lmdb_get(struct prn_view *head, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
                 struct prn_error *error)
{
	struct prn_lmdb_view *view = (struct prn_lmdb_view *)head;
	struct prn_tree_walk *place = &view->places[table];
	struct prn_node node;
	int code = prn_tree_get(place, &view->pages, &view->trees[table], key, &node);

	if (code == PRN_E_DAMAGED)
		return prn_lmdb_damaged(lmdb_of(head)->path, place->damaged, error);
	if (!code)
		*value = node.value;
	return code;
}

static int compare_keys(const void *a, const void *b)
{
	const struct prn_bytes *const *x = a, *const *y = b;

	return prn_bytes_compare(**x, **y);
}

int prn_lmdb_get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                      struct prn_bytes *values, struct prn_error *error)
{
	const struct prn_bytes **order = calloc(count ? count : 1, sizeof *order);
	int code = order ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < count && !code; i++)
		order[i] = &keys[i];
	if (!code && count >= SORTED_FROM)
		qsort(order, count, sizeof(struct prn_bytes *), compare_keys);
	for (size_t i = 0; i < count && !code; i++) {
		struct prn_bytes *value = &values[order[i] - keys];

		code = prn_lmdb_get(view, table, *order[i], value, error);
		if (code == PRN_E_NOT_FOUND) {
			*value = (struct prn_bytes){ NULL, 0 };
			code = 0;
		}
	}
	free(order);
	return code;
}

/* Counts the pages in LMDB's own list of free pages. */
static int count_free(const struct prn_lmdb_view *view, size_t *pages, struct prn_error *error)
{
	struct prn_tree_walk walk;
	struct prn_node node;
	int got = prn_tree_seek_free(&walk, &view->pages, &view->file.free);

	*pages = 0;
	while (!got && (got = prn_tree_next(&walk, &node)) == 1) {
		const unsigned char *numbers;
		size_t count;

		got = prn_free_list_read(node.value, &count, &numbers) ? 0 : PRN_E_DAMAGED;
		*pages += got ? 0 : count;
	}
	return got ? prn_lmdb_damaged(lmdb_of(&view->head)->path, walk.damaged, error) : 0;
}

int prn_lmdb_size(struct prn_view *head, struct prn_tables_size *size, struct prn_error *error)
{
	const struct prn_lmdb_view *view = (const struct prn_lmdb_view *)head;
	size_t free_pages;
	int code = count_free(view, &free_pages, error);

	if (code)
		return code;
	for (size_t i = 0; i < PRN_TABLES; i++)
		size->entries[i] = view->trees[i].entries;
	size->bytes = (uint64_t)view->pages.count * view->pages.page_bytes;
	size->bytes_free = (uint64_t)free_pages * view->pages.page_bytes;
	return 0;
}

int prn_lmdb_scan(struct prn_walk **out, struct prn_view *head, enum prn_table table, struct prn_bytes from,
                  struct prn_error *error)
{
	struct prn_lmdb_view *view = (struct prn_lmdb_view *)head;
	struct walk *walk = malloc(sizeof *walk);

	if (!walk)
		return prn_error_memory(error);
	walk->head.view = head;
	if (prn_tree_seek(&walk->place, &view->pages, &view->trees[table], from) || prn_tree_check_path(&walk->place)) {
		prn_lmdb_damaged(lmdb_of(head)->path, walk->place.damaged, error);
		free(walk);
		return PRN_E_DAMAGED;
	}
	*out = &walk->head;
	return 0;
}

int prn_lmdb_next(struct prn_walk *head, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	struct walk *walk = (struct walk *)head;
	struct prn_node node;
	int got = prn_tree_next(&walk->place, &node);

	if (got < 0)
		return prn_lmdb_damaged(lmdb_of(head->view)->path, walk->place.damaged, error);
	if (got) {
		*key = node.key;
		*value = node.value;
	}
	return got;
}

void prn_lmdb_end(struct prn_walk *head)
{
	free(head);
}
