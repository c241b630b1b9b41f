/* Checks the whole file: each page of each tree, each value, and that each page is used once. */
#include "store/lmdb_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORTS_MAX 100

struct checking {
	const struct prn_lmdb_view *view;
	prn_skipped_fn *report;
	void *context;
	uint64_t faults;
	unsigned char *used; /* a bit for each page */

	/* About the present tree. */
	const char *name;
	bool numeric, names_trees;
	struct prn_tree counted;
};

__attribute__((format(printf, 2, 3))) static void fault(struct checking *checking, const char *format, ...)
{
	char text[PRN_ERROR_TEXT / 2];
	struct prn_error what;
	va_list list;

	checking->faults++;
	if (!checking->report || checking->faults > REPORTS_MAX)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	prn_error_set(&what, PRN_E_DAMAGED, "%s: %s", checking->view->head.tables->address, text);
	checking->report(checking->context, &what);
}

/* Marks pages as used; returns whether none of them was. */
static bool use(struct checking *checking, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++) {
		unsigned char *byte = &checking->used[i / 8];
		unsigned bit = 1u << i % 8;

		if (*byte & bit) {
			fault(checking, "page %zu of data.mdb is used twice (%s)", i, checking->name);
			return false;
		}
		*byte = (unsigned char)(*byte | bit);
	}
	return true;
}

static void check_tree(struct checking *checking, const char *name, const struct prn_tree *tree, bool numeric,
                       bool names_trees);

/* Checks the tree whose root is a value; the present tree is put aside meanwhile. */
static void check_subtree(struct checking *checking, const struct prn_node *node)
{
	const struct checking outer = *checking;
	const struct prn_tree tree = prn_tree_read(node->value);
	char name[32];

	snprintf(name, sizeof name, "%.*s", (int)node->key.length, (const char *)node->key.data);
	check_tree(checking, name, &tree, false, false);
	checking->name = outer.name;
	checking->numeric = outer.numeric;
	checking->names_trees = outer.names_trees;
	checking->counted = outer.counted;
}

static void check_free_list(struct checking *checking, struct prn_bytes value, size_t page)
{
	size_t count, before = checking->view->pages.count;
	const unsigned char *numbers;

	if (!prn_free_list_read(value, &count, &numbers)) {
		fault(checking, "page %zu of data.mdb is damaged (%s)", page, checking->name);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t number = prn_free_list_at(numbers, i);

		if (number < 2 || number >= before) {
			fault(checking, "page %zu of data.mdb is damaged (%s)", page, checking->name);
			return;
		}
		before = number;
		use(checking, number, 1);
	}
}

static void check_leaf(struct checking *checking, const struct prn_lmdb_page *page)
{
	struct prn_node node;

	checking->counted.leaves++;
	checking->counted.entries += page->count;
	for (unsigned i = 0; i < page->count; i++) {
		if (!prn_lmdb_page_node(&checking->view->pages, page, i, &node))
			return;
		checking->counted.overflows += node.page_count;
		if (node.page_count && !use(checking, node.page, node.page_count))
			continue;
		if (node.is_tree != checking->names_trees)
			fault(checking, "page %zu of data.mdb is damaged (%s)", page->number, checking->name);
		else if (node.is_tree)
			check_subtree(checking, &node);
		else if (checking->numeric)
			check_free_list(checking, node.value, page->number);
	}
}

/* All keys below the page must be at or after from, and before end (of length 0: there is no such bound). */
static void check_page(struct checking *checking, unsigned levels, size_t number, struct prn_bytes from,
                       struct prn_bytes end)
{
	const struct prn_lmdb_pages *pages = &checking->view->pages;
	struct prn_node first, last;
	struct prn_lmdb_page page;

	if (!prn_lmdb_page_read(pages, number, &page) || page.leaf != (levels == 1) ||
	    !prn_lmdb_page_is_sound(pages, &page, checking->numeric)) {
		fault(checking, "page %zu of data.mdb is damaged (%s)", number, checking->name);
		return;
	}
	if (!use(checking, number, 1))
		return;
	if (prn_lmdb_page_node(pages, &page, page.leaf || page.count == 1 ? 0 : 1, &first) &&
	    prn_lmdb_page_node(pages, &page, page.count - 1, &last) && (page.leaf || page.count > 1) &&
	    ((from.length && prn_lmdb_page_compare(first.key, from, checking->numeric) < 0) ||
	     (end.length && prn_lmdb_page_compare(last.key, end, checking->numeric) >= 0)))
		fault(checking, "page %zu of data.mdb is out of order (%s)", number, checking->name);
	if (page.leaf) {
		check_leaf(checking, &page);
		return;
	}
	checking->counted.branches++;
	for (unsigned i = 0; i < page.count; i++) {
		bool is_last = i + 1 == page.count;

		if (!prn_lmdb_page_node(pages, &page, i, &first) || (!is_last && !prn_lmdb_page_node(pages, &page, i + 1, &last)))
			return;
		check_page(checking, levels - 1, first.page, i ? first.key : from, is_last ? end : last.key);
	}
}

static void check_tree(struct checking *checking, const char *name, const struct prn_tree *tree, bool numeric,
                       bool names_trees)
{
	uint64_t before = checking->faults;
	const struct prn_tree *counted = &checking->counted;
	const struct prn_bytes unbounded = { NULL, 0 };

	checking->name = name;
	checking->numeric = numeric;
	checking->names_trees = names_trees;
	checking->counted = (struct prn_tree){ 0 };
	if (tree->root != PRN_PAGE_NONE && (!tree->depth || tree->depth > PRN_TREE_DEPTH))
		fault(checking, "the root of a table is damaged (%s)", name);
	else if (tree->root != PRN_PAGE_NONE)
		check_page(checking, tree->depth, tree->root, unbounded, unbounded);
	if (checking->faults == before &&
	    (counted->entries != tree->entries || counted->leaves != tree->leaves ||
	     counted->branches != tree->branches || counted->overflows != tree->overflows ||
	     (tree->root == PRN_PAGE_NONE && tree->depth)))
		fault(checking, "the counts of a table are not those of its pages (%s)", name);
}

/* Pages that are neither in a tree nor free can never be used again, and hint at other losses. */
static void check_unused(struct checking *checking)
{
	size_t unused = 0;

	for (size_t i = 2; i < checking->view->pages.count; i++)
		unused += !(checking->used[i / 8] & 1u << i % 8);
	if (unused)
		fault(checking, "%zu pages of data.mdb are neither used nor free", unused);
}

int prn_lmdb_check(struct prn_view *head, prn_skipped_fn *report, void *context, uint64_t *faults,
                   struct prn_error *error)
{
	const struct prn_lmdb_view *view = (const struct prn_lmdb_view *)head;
	struct checking checking = { .view = view, .report = report, .context = context };

	checking.used = calloc(view->pages.count / 8 + 1, 1);
	if (!checking.used)
		return prn_error_memory(error);
	check_tree(&checking, "free pages", &view->file.free, true, false);
	check_tree(&checking, "names of tables", &view->file.tables, false, true);
	if (!checking.faults)
		check_unused(&checking);
	free(checking.used);
	*faults += checking.faults;
	return 0;
}
