/*
 * Reads a file of LMDB 0.9 without trusting it: no content of the file makes a reader look outside of it.
 *
 * LMDB itself believes what its pages say, so that an offset in a damaged page may lead anywhere.  So the engine reads with
 * this, and lets LMDB write only to pages that have been checked here.
 *
 * A file consists of pages of a few kB.  The first two are heads, which commits write in turn.  A head has the roots of two
 * trees: the tree of free pages and the tree of tables, whose entries are the roots of a tree for each table.  The pages of a
 * tree have nodes: in a branch each has a key and a page, in a leaf a key and either a value or the page where a long value
 * begins.
 */
#ifndef STORE_LMDB_PAGES_H
#define STORE_LMDB_PAGES_H

#include "store/change.h"

#include <stdint.h>

#define PRN_TREE_DEPTH 32
#define PRN_PAGE_NONE ((size_t)-1) /* the root of an empty tree */

/* As LMDB has it (MDB_db): in a head, and as the value of a table's name. */
struct prn_tree {
	uint32_t page_bytes; /* set only in a head's first tree */
	uint16_t flags, depth;
	size_t branches, leaves, overflows, entries, root;
};

/* As LMDB has it (MDB_meta). */
struct prn_file_head {
	uint32_t magic, version;
	size_t address, map_bytes;
	struct prn_tree free, tables;
	size_t last; /* page of the file */
	size_t commit;
};

struct prn_lmdb_pages {
	const unsigned char *map;
	size_t page_bytes, count; /* pages that may be looked at: from 2 to count - 1 */
};

struct prn_lmdb_page {
	const unsigned char *bytes;
	size_t number;
	bool leaf;
	unsigned count, first; /* nodes, and where the first byte of one may be */
};

struct prn_node {
	struct prn_bytes key, value; /* value: of a leaf */
	bool is_tree;      /* the value is a struct prn_tree */
	size_t page;       /* of a branch: below it; of a leaf: where a long value begins, or 0 */
	size_t page_count; /* of the long value */
	size_t space;      /* bytes that it takes on its page */
};

/* Reads a head of the file, which also gives page_bytes; false: it is not a head. */
bool prn_file_head_read(const unsigned char *bytes, size_t length, struct prn_file_head *head);

/*
 * Whether the heads of page 0 and page 1 are of successive commits (or of a file that was just begun).  A failed write of a head
 * leaves a page whose number is right and whose other content is not.
 */
bool prn_file_heads_agree(const struct prn_file_head heads[2]);

/* Reads a page's head: false if it is no branch or leaf, or not the page of that number. */
bool prn_lmdb_page_read(const struct prn_lmdb_pages *pages, size_t number, struct prn_lmdb_page *page);

/* A page as a leaf, whatever its head says: its nodes, or all that may be. */
struct prn_lmdb_page prn_lmdb_page_guess(const struct prn_lmdb_pages *pages, size_t number);

/* Reads node i of count: false if it is not within its page, or its long value not within the file. */
bool prn_lmdb_page_node(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, unsigned i, struct prn_node *node);

/*
 * Finds a key on a page.  In a branch, *at is the child in which the key would be: the last one whose own key is not greater.  In
 * a leaf, it is the first node whose key is not less, which may be one after the last.  False if a key on the way is not
 * within the page; values are not looked at.
 */
bool prn_lmdb_page_search(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, struct prn_bytes key, bool numeric,
                     unsigned *at);

/* Whether each node of a page can be read, the keys rise, and the page holds nothing else; numeric: in the tree of free pages. */
bool prn_lmdb_page_is_sound(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, bool numeric);

/* As prn_bytes_compare, or, numeric, of two keys of the tree of free pages. */
int prn_lmdb_page_compare(struct prn_bytes a, struct prn_bytes b, bool numeric);

/* Reads a tree from the value of a node. */
struct prn_tree prn_tree_read(struct prn_bytes value);

/* A place in a tree. */
struct prn_tree_walk {
	const struct prn_lmdb_pages *pages;
	bool numeric;
	unsigned depth; /* of the tree; 0: there is nothing */
	struct prn_lmdb_page path[PRN_TREE_DEPTH];
	unsigned at[PRN_TREE_DEPTH];
	struct prn_bytes low[PRN_TREE_DEPTH], high[PRN_TREE_DEPTH]; /* keys of a page are from low on and before high,
	                                                             * if any */
	struct prn_bytes before; /* the last key that was read */
	bool is_checked;         /* the leaf is known to be sound */
	size_t damaged;          /* the page that could not be read, after PRN_E_DAMAGED */
};

/* Goes to the first entry at or after a key (of length 0: to the first).  PRN_E_DAMAGED */
int prn_tree_seek(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, const struct prn_tree *tree,
                  struct prn_bytes key);

/* As prn_tree_seek, in the same tree and from where the walk is: pages that have the key are not looked up again. */
int prn_tree_seek_from(struct prn_tree_walk *walk, struct prn_bytes key);

/*
 * Checks that all pages on the walk's path are sound; pages that it goes on to are checked on the way.
 * PRN_E_DAMAGED
 */
int prn_tree_check_path(struct prn_tree_walk *walk);

/* The free pages' tree, from its first entry. */
int prn_tree_seek_free(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, const struct prn_tree *tree);

/* Returns 1 with an entry, and goes on to the next one; 0 at the end; PRN_E_DAMAGED, also if keys do not rise. */
int prn_tree_next(struct prn_tree_walk *walk, struct prn_node *node);

/*
 * Reads the entry of a key.  The search starts at the place of the last one in that tree; before the first, walk has depth 0.
 * PRN_E_NOT_FOUND; PRN_E_DAMAGED, and walk->damaged is the page
 */
int prn_tree_get(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, const struct prn_tree *tree,
                 struct prn_bytes key, struct prn_node *node);

/* The list of a free pages' entry: page numbers, falling.  False if it is not one within its value. */
bool prn_free_list_read(struct prn_bytes value, size_t *count, const unsigned char **numbers);

/* Number i of such a list. */
size_t prn_free_list_at(const unsigned char *numbers, size_t i);

#endif
