/*
 * Checks the pages that a write will touch.  LMDB goes from the root of a table to the leaf of each change, to the neighbours on
 * that path if something is removed, and through the tree of free pages; a damaged page there would crash it.  Each page
 * is checked once: what is written later is LMDB's own.
 */
#include "store/lmdb_internal.h"

#include <stdlib.h>
#include <string.h>

/* Where the last change was looked at: its neighbours mostly share its leaf. */
struct looking {
	struct prn_lmdb *lmdb;
	const struct prn_lmdb_view *view;
	struct prn_tree_walk walk;
	enum prn_table table; /* PRN_TABLES: none yet */
	bool beside;          /* the neighbours, too */
	size_t damaged;
};

static int make_room_for(struct prn_lmdb *lmdb, size_t pages, struct prn_error *error)
{
	size_t bytes = pages / 4 + 1, old = lmdb->sound ? lmdb->sound_pages / 4 + 1 : 0;
	unsigned char *grown;

	if (bytes <= old)
		return 0;
	grown = realloc(lmdb->sound, bytes);
	if (!grown)
		return prn_error_memory(error);
	memset(grown + old, 0, bytes - old);
	lmdb->sound = grown;
	lmdb->sound_pages = pages;
	return 0;
}

enum { SOUND = 1, SEEN_AS_LEAF = 2 };

/* Returns the byte that has, shifted by *shift, what is known of a page. */
static unsigned char *known_of(const struct looking *looking, size_t number, unsigned *shift)
{
	*shift = (unsigned)(number % 4 * 2);
	return &looking->lmdb->sound[number / 4];
}

static bool is_sound(struct looking *looking, const struct prn_lmdb_page *page, bool numeric)
{
	unsigned shift;
	unsigned char *known = known_of(looking, page->number, &shift);

	if (!(*known >> shift & SOUND) && !prn_lmdb_page_is_sound(&looking->view->pages, page, numeric)) {
		looking->damaged = page->number;
		return false;
	}
	*known = (unsigned char)((*known & ~(SEEN_AS_LEAF << shift)) | (SOUND | (page->leaf ? SEEN_AS_LEAF : 0)) << shift);
	return true;
}

/* Touching a page costs more than everything else here, so a page that is known to be sound, and of that kind, is not touched. */
static bool is_known_as(const struct looking *looking, size_t number, bool leaf)
{
	unsigned shift;

	return number < looking->view->pages.count &&
	       (*known_of(looking, number, &shift) >> shift & (SOUND | SEEN_AS_LEAF)) == (leaf ? SOUND | SEEN_AS_LEAF : SOUND);
}

/* A neighbour below the same branch, if there is one there. */
static bool neighbour_is_sound(struct looking *looking, unsigned level, bool after)
{
	const struct prn_lmdb_page *branch = &looking->walk.path[level - 1];
	unsigned at = looking->walk.at[level - 1];
	bool leaf = looking->walk.path[level].leaf;
	struct prn_lmdb_page page;
	struct prn_node node;

	if (after ? at + 1 >= branch->count : !at)
		return true;
	if (!prn_lmdb_page_node(&looking->view->pages, branch, after ? at + 1 : at - 1, &node))
		return false;
	if (is_known_as(looking, node.page, leaf))
		return true;
	looking->damaged = node.page;
	return prn_lmdb_page_read(&looking->view->pages, node.page, &page) && page.leaf == leaf && is_sound(looking, &page, false);
}

static bool path_is_sound(struct looking *looking, bool beside)
{
	for (unsigned level = 0; level < looking->walk.depth; level++)
		if (!is_sound(looking, &looking->walk.path[level], looking->walk.numeric) ||
		    (beside && level && (!neighbour_is_sound(looking, level, false) ||
		                         !neighbour_is_sound(looking, level, true))))
			return false;
	return true;
}

/* Whether a key, which comes after the last one, is on the same leaf. */
static bool is_on_same_leaf(const struct looking *looking, struct prn_bytes key)
{
	const struct prn_tree_walk *walk = &looking->walk;
	struct prn_bytes end = walk->depth ? walk->high[walk->depth - 1] : key;

	return walk->depth && (!end.length || prn_bytes_compare(key, end) < 0);
}

static bool change_is_safe(struct looking *looking, const struct prn_change *change)
{
	bool is_same_table = change->table == looking->table;
	int code;

	if (is_same_table && (looking->beside || !change->removed) && is_on_same_leaf(looking, change->key))
		return true;
	looking->table = change->table;
	looking->beside = change->removed;
	code = is_same_table && looking->walk.depth
	               ? prn_tree_seek_from(&looking->walk, change->key)
	               : prn_tree_seek(&looking->walk, &looking->view->pages, &looking->view->trees[change->table], change->key);
	if (code)
		looking->damaged = looking->walk.damaged;
	return !code && path_is_sound(looking, change->removed);
}

/* Page numbers of a list fall, and lie in the file. */
static bool list_is_sound(const struct prn_lmdb_pages *pages, struct prn_bytes value)
{
	const unsigned char *numbers;
	size_t count, before = pages->count;

	if (!prn_free_list_read(value, &count, &numbers))
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t number = prn_free_list_at(numbers, i);

		if (number < 2 || number >= before)
			return false;
		before = number;
	}
	return true;
}

/* Checks the tree of free pages or, with names, that of the tables' names, which LMDB reads when it opens them and writes with each commit. */
static bool tree_is_sound(struct looking *looking, bool names)
{
	const struct prn_lmdb_pages *pages = &looking->view->pages;
	struct prn_node node;
	int got = names ? prn_tree_seek(&looking->walk, pages, &looking->view->file.tables, (struct prn_bytes){ NULL, 0 })
	                : prn_tree_seek_free(&looking->walk, pages, &looking->view->file.free);

	while (!got && path_is_sound(looking, names) && (got = prn_tree_next(&looking->walk, &node)) == 1) {
		looking->damaged = looking->walk.path[looking->walk.depth - 1].number;
		if (names ? !node.is_tree : !list_is_sound(pages, node.value))
			return false;
		got = 0;
		looking->damaged = 0;
	}
	if (got < 0)
		looking->damaged = looking->walk.damaged;
	return !got && !looking->damaged;
}

static int look_at_changes(struct looking *looking, const struct prn_change *changes, size_t count,
                           struct prn_error *error)
{
	struct prn_lmdb *lmdb = looking->lmdb;
	int code = make_room_for(lmdb, looking->view->pages.count, error);
	bool sound = true;

	if (!code && !lmdb->free_sound)
		sound = lmdb->free_sound = tree_is_sound(looking, false) && tree_is_sound(looking, true);
	for (size_t i = 0; i < count && !code && sound; i++)
		sound = change_is_safe(looking, &changes[i]);
	return code || sound ? code : prn_lmdb_damaged(lmdb->path, looking->damaged, error);
}

/* The writer needs no hold: nobody else moves the map. */
int prn_lmdb_look_ahead(struct prn_lmdb *lmdb, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	struct prn_lmdb_tables tables = { .lmdb = lmdb };
	struct prn_lmdb_view view = { .head.tables = &tables.head };
	struct looking looking = { .lmdb = lmdb, .view = &view, .table = PRN_TABLES };
	int code = mdb_txn_begin(lmdb->env, NULL, MDB_RDONLY, &view.txn), failed;

	if (code)
		return code == MDB_PANIC ? 0 : prn_lmdb_fail(lmdb->path, "read", code, error);
	failed = prn_lmdb_see(&view, error);
	if (!failed)
		failed = look_at_changes(&looking, changes, count, error);
	mdb_txn_abort(view.txn);
	return failed;
}
