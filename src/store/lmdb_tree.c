/* Trees of pages: looking up, and walking in order. */
#include "store/lmdb_pages.h"

#include "perennial/error.h"

static int damaged(struct prn_tree_walk *walk, size_t number)
{
	walk->damaged = number;
	walk->depth = 0;
	return PRN_E_DAMAGED;
}

/* Whether a page is where it belongs: the branch above says from which key to which. */
static bool is_within(const struct prn_tree_walk *walk, unsigned level)
{
	const struct prn_lmdb_page *page = &walk->path[level];
	struct prn_bytes low = walk->low[level], high = walk->high[level];
	struct prn_node node;

	if ((!low.length && !high.length) || (!page->leaf && page->count == 1))
		return true;
	return prn_lmdb_page_node(walk->pages, page, page->leaf ? 0 : 1, &node) &&
	       (!low.length || prn_lmdb_page_compare(node.key, low, walk->numeric) >= 0) &&
	       prn_lmdb_page_node(walk->pages, page, page->count - 1, &node) &&
	       (!high.length || prn_lmdb_page_compare(node.key, high, walk->numeric) < 0);
}

/*
 * Whether the keys beside the place of the key that was looked for, which the search has read, lie within the bounds of the branch
 * above.  In a page that belongs elsewhere they do not.
 */
static bool fits_here(const struct prn_tree_walk *walk, unsigned level)
{
	const struct prn_lmdb_page *page = &walk->path[level];
	unsigned after = walk->at[level] + !page->leaf;
	struct prn_bytes low = walk->low[level], high = walk->high[level];
	struct prn_node node;

	if (low.length && after > !page->leaf &&
	    (!prn_lmdb_page_node(walk->pages, page, after - 1, &node) || prn_lmdb_page_compare(node.key, low, walk->numeric) < 0))
		return false;
	return !high.length || after >= page->count ||
	       (prn_lmdb_page_node(walk->pages, page, after, &node) && prn_lmdb_page_compare(node.key, high, walk->numeric) < 0);
}

/* Finds a key on the page of a level. */
static bool search(struct prn_tree_walk *walk, unsigned level, struct prn_bytes key)
{
	return prn_lmdb_page_search(walk->pages, &walk->path[level], key, walk->numeric, &walk->at[level]) && fits_here(walk, level);
}

/* Reads the page of a level and finds the key on it; key of length 0: the first node. */
static int enter(struct prn_tree_walk *walk, unsigned level, size_t number, struct prn_bytes key)
{
	struct prn_lmdb_page *page = &walk->path[level];

	walk->at[level] = 0;
	walk->is_checked = false;
	if (!prn_lmdb_page_read(walk->pages, number, page) || page->leaf != (level + 1 == walk->depth) ||
	    !(key.length ? search(walk, level, key) : is_within(walk, level)))
		return damaged(walk, number);
	return 0;
}

/* Goes from the node of a level down to a leaf. */
static int descend(struct prn_tree_walk *walk, unsigned level, struct prn_bytes key)
{
	struct prn_node node, next;
	int code = 0;

	for (; level + 1 < walk->depth && !code; level++) {
		const struct prn_lmdb_page *page = &walk->path[level];
		unsigned at = walk->at[level];
		bool is_last = at + 1 == page->count;

		if (!prn_lmdb_page_node(walk->pages, page, at, &node) ||
		    (!is_last && !prn_lmdb_page_node(walk->pages, page, at + 1, &next)))
			return damaged(walk, page->number);
		walk->low[level + 1] = at ? node.key : walk->low[level];
		walk->high[level + 1] = is_last ? walk->high[level] : next.key;
		code = enter(walk, level + 1, node.page, key);
	}
	return code;
}

static int seek(struct prn_tree_walk *walk, const struct prn_tree *tree, struct prn_bytes key)
{
	int code;

	if (tree->root == PRN_PAGE_NONE)
		return 0;
	if (!tree->depth || tree->depth > PRN_TREE_DEPTH)
		return damaged(walk, tree->root);
	walk->depth = tree->depth;
	walk->low[0] = walk->high[0] = (struct prn_bytes){ NULL, 0 };
	code = enter(walk, 0, tree->root, key);
	return code ? code : descend(walk, 0, key);
}

static void begin(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, bool numeric)
{
	walk->pages = pages;
	walk->numeric = numeric;
	walk->depth = 0;
	walk->before = (struct prn_bytes){ NULL, 0 };
	walk->damaged = 0;
}

int prn_tree_seek(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, const struct prn_tree *tree,
                  struct prn_bytes key)
{
	begin(walk, pages, false);
	return seek(walk, tree, key);
}

int prn_tree_seek_from(struct prn_tree_walk *walk, struct prn_bytes key)
{
	unsigned level = walk->depth - 1;

	/* Only the lowest page of the path whose branch says that the key is below it is searched anew; the root has all keys. */
	while (level && ((walk->low[level].length && prn_lmdb_page_compare(key, walk->low[level], walk->numeric) < 0) ||
	                 (walk->high[level].length && prn_lmdb_page_compare(key, walk->high[level], walk->numeric) >= 0)))
		level--;
	walk->before = (struct prn_bytes){ NULL, 0 };
	if (!search(walk, level, key))
		return damaged(walk, walk->path[level].number);
	return descend(walk, level, key);
}

int prn_tree_seek_free(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, const struct prn_tree *tree)
{
	begin(walk, pages, true);
	return seek(walk, tree, (struct prn_bytes){ NULL, 0 });
}

static int check_from(struct prn_tree_walk *walk, unsigned level)
{
	for (; level < walk->depth; level++)
		if (!prn_lmdb_page_is_sound(walk->pages, &walk->path[level], walk->numeric))
			return damaged(walk, walk->path[level].number);
	walk->is_checked = true;
	return 0;
}

int prn_tree_check_path(struct prn_tree_walk *walk)
{
	return check_from(walk, 0);
}

/* Goes on after the last node of a leaf: up to a branch that has more, and down again.  Returns 1 if there is more. */
static int next_leaf(struct prn_tree_walk *walk)
{
	unsigned level = walk->depth - 1;
	int code;

	do {
		if (!level)
			return 0;
		level--;
	} while (++walk->at[level] >= walk->path[level].count);
	code = descend(walk, level, (struct prn_bytes){ NULL, 0 });
	if (!code)
		code = check_from(walk, level + 1);
	return code ? code : 1;
}

static bool rises(const struct prn_tree_walk *walk, struct prn_bytes key)
{
	return key.length && (!walk->before.length || prn_lmdb_page_compare(walk->before, key, walk->numeric) < 0);
}

int prn_tree_next(struct prn_tree_walk *walk, struct prn_node *node)
{
	unsigned leaf = walk->depth - 1;

	if (!walk->depth)
		return walk->damaged ? PRN_E_DAMAGED : 0;
	if (walk->at[leaf] >= walk->path[leaf].count) {
		int more = next_leaf(walk);

		if (more != 1)
			return more;
	}
	/* Pages that lead to each other would have no end; within one that was looked at, keys are known to rise. */
	if (!prn_lmdb_page_node(walk->pages, &walk->path[leaf], walk->at[leaf], node) ||
	    (!(walk->is_checked && walk->at[leaf]) && !rises(walk, node->key)))
		return damaged(walk, walk->path[leaf].number);
	walk->at[leaf]++;
	walk->before = node->key;
	return 1;
}

int prn_tree_get(struct prn_tree_walk *walk, const struct prn_lmdb_pages *pages, const struct prn_tree *tree,
                 struct prn_bytes key, struct prn_node *node)
{
	unsigned leaf;

	if (!key.length || tree->root == PRN_PAGE_NONE)
		return PRN_E_NOT_FOUND;
	if (walk->depth ? prn_tree_seek_from(walk, key) : prn_tree_seek(walk, pages, tree, key))
		return PRN_E_DAMAGED;
	leaf = walk->depth - 1;
	if (walk->at[leaf] >= walk->path[leaf].count)
		return PRN_E_NOT_FOUND;
	if (!prn_lmdb_page_node(pages, &walk->path[leaf], walk->at[leaf], node))
		return damaged(walk, walk->path[leaf].number);
	return prn_bytes_compare(node->key, key) ? PRN_E_NOT_FOUND : 0;
}
