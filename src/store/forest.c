/*
 * Each table is a treap, a search tree that stays balanced because priorities, the hashes of keys, form a heap.  Nodes
 * never change: a write copies the nodes on the way to a change and shares the others.
 */
#include "store/forest.h"

#include "perennial/error.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A key and its value, shared by all copies of a node. */
struct entry {
	atomic_size_t users;
	uint64_t priority;
	size_t key_length, value_length;
	unsigned char bytes[]; /* of the key, then of the value */
};

struct prn_forest_node {
	atomic_size_t users;
	struct entry *entry;
	struct prn_forest_node *left, *right;
};

static struct prn_bytes key_of(const struct entry *entry)
{
	return (struct prn_bytes){ entry->bytes, entry->key_length };
}

static struct entry *make_entry(struct prn_bytes key, struct prn_bytes value)
{
	struct entry *entry = malloc(sizeof *entry + key.length + value.length);

	if (!entry)
		return NULL;
	atomic_init(&entry->users, 1);
	entry->priority = XXH3_64bits(key.data, key.length);
	entry->key_length = key.length;
	entry->value_length = value.length;
	memcpy(entry->bytes, key.data, key.length);
	if (value.length)
		memcpy(entry->bytes + key.length, value.data, value.length);
	return entry;
}

static struct entry *use_entry(struct entry *entry)
{
	entry->users++;
	return entry;
}

static void drop_entry(struct entry *entry)
{
	if (entry && --entry->users == 0)
		free(entry);
}

static struct prn_forest_node *use(struct prn_forest_node *node)
{
	if (node)
		node->users++;
	return node;
}

/* Trees are as deep as the logarithm of their size. */
static void drop(struct prn_forest_node *node)
{
	if (!node || --node->users)
		return;
	drop(node->left);
	drop(node->right);
	drop_entry(node->entry);
	free(node);
}

/* Takes over its arguments, also when it fails. */
static struct prn_forest_node *make_node(struct entry *entry, struct prn_forest_node *left, struct prn_forest_node *right)
{
	struct prn_forest_node *node = entry ? malloc(sizeof *node) : NULL;

	if (!node) {
		drop_entry(entry);
		drop(left);
		drop(right);
		return NULL;
	}
	atomic_init(&node->users, 1);
	node->entry = entry;
	node->left = left;
	node->right = right;
	return node;
}

/* Splits a tree into one of the nodes before a key and one of those after it.  Returns false without memory. */
static bool split(struct prn_forest_node *node, struct prn_bytes key, struct prn_forest_node **before, struct prn_forest_node **after)
{
	struct prn_forest_node *inner = NULL;
	int order;

	*before = *after = NULL;
	if (!node)
		return true;
	order = prn_bytes_compare(key_of(node->entry), key);
	if (!order) {
		*before = use(node->left);
		*after = use(node->right);
		return true;
	}
	if (!split(order < 0 ? node->right : node->left, key, order < 0 ? &inner : before, order < 0 ? after : &inner))
		return false;
	if (order < 0)
		*before = make_node(use_entry(node->entry), use(node->left), inner);
	else
		*after = make_node(use_entry(node->entry), inner, use(node->right));
	if (order < 0 ? *before != NULL : *after != NULL)
		return true;
	drop(order < 0 ? *after : *before);
	*before = *after = NULL;
	return false;
}

/*
 * Joins two trees into one and takes over both; all keys of the first must be before those of the second.  *out is NULL also
 * without memory.
 */
static bool join(struct prn_forest_node *before, struct prn_forest_node *after, struct prn_forest_node **out)
{
	struct prn_forest_node *top, *inner = NULL;
	bool done;

	*out = before ? before : after;
	if (!before || !after)
		return true;
	if (before->entry->priority > after->entry->priority) {
		top = before;
		done = join(use(top->right), after, &inner);
		*out = done ? make_node(use_entry(top->entry), use(top->left), inner) : NULL;
	} else {
		top = after;
		done = join(before, use(top->left), &inner);
		*out = done ? make_node(use_entry(top->entry), inner, use(top->right)) : NULL;
	}
	drop(top);
	return *out != NULL;
}

static const struct prn_forest_node *find_node(const struct prn_forest_node *node, struct prn_bytes key)
{
	while (node) {
		int order = prn_bytes_compare(key, key_of(node->entry));

		if (!order)
			return node;
		node = order < 0 ? node->left : node->right;
	}
	return NULL;
}

/* The first entry after a key, or at it. */
static const struct prn_forest_node *find_next(const struct prn_forest_node *node, struct prn_bytes key, bool at)
{
	const struct prn_forest_node *found = NULL;

	while (node) {
		int order = prn_bytes_compare(key_of(node->entry), key);

		if (order > 0 || (!order && at)) {
			found = node;
			node = node->left;
		} else {
			node = node->right;
		}
	}
	return found;
}

static size_t bytes_of(const struct prn_forest_node *node)
{
	return node ? sizeof *node + sizeof *node->entry + node->entry->key_length + node->entry->value_length : 0;
}

static int apply(struct prn_forest *forest, const struct prn_change *change)
{
	struct prn_forest_node **root = &forest->trees[change->table], *before, *after, *made = NULL;
	const struct prn_forest_node *old = find_node(*root, change->key);
	size_t old_bytes = bytes_of(old);
	bool done;

	if (change->removed && !old)
		return 0;
	if (!split(*root, change->key, &before, &after))
		return PRN_E_MEMORY;
	if (!change->removed) {
		made = make_node(make_entry(change->key, change->value), NULL, NULL);
		if (!made) {
			drop(before);
			drop(after);
			return PRN_E_MEMORY;
		}
		forest->bytes += bytes_of(made);
	}
	forest->bytes -= old_bytes;
	forest->entries[change->table] += (uint64_t)!change->removed - (old != NULL);
	drop(*root);
	*root = NULL;
	/* A join that fails has dropped its trees: then the whole forest is gone. */
	done = join(before, made, &before);
	if (!done) {
		drop(after);
		return PRN_E_MEMORY;
	}
	return join(before, after, root) ? 0 : PRN_E_MEMORY;
}

void prn_forest_use(const struct prn_forest *forest, struct prn_forest *copy)
{
	*copy = *forest;
	for (size_t i = 0; i < PRN_TABLES; i++)
		use(copy->trees[i]);
}

void prn_forest_release(struct prn_forest *forest)
{
	for (size_t i = 0; i < PRN_TABLES; i++)
		drop(forest->trees[i]);
}

int prn_forest_change(const struct prn_forest *forest, const struct prn_change *changes, size_t count,
                      struct prn_forest *changed)
{
	struct prn_forest next;
	int code = 0;

	prn_forest_use(forest, &next);
	for (size_t i = 0; i < count && !code; i++)
		code = apply(&next, &changes[i]);
	if (code)
		prn_forest_release(&next);
	else
		*changed = next;
	return code;
}

static struct prn_bytes value_of(const struct entry *entry)
{
	return (struct prn_bytes){ entry->bytes + entry->key_length, entry->value_length };
}

bool prn_forest_get(const struct prn_forest *forest, enum prn_table table, struct prn_bytes key,
                    struct prn_bytes *value)
{
	const struct prn_forest_node *found = find_node(forest->trees[table], key);

	if (found)
		*value = value_of(found->entry);
	return found;
}

bool prn_forest_next(const struct prn_forest *forest, enum prn_table table, struct prn_bytes from, bool at,
                     struct prn_bytes *key, struct prn_bytes *value)
{
	const struct prn_forest_node *found = find_next(forest->trees[table], from, at);

	if (found) {
		*key = key_of(found->entry);
		*value = value_of(found->entry);
	}
	return found;
}

/* Counts the nodes below one, or returns UINT64_MAX: keys or priorities are out of order. */
static uint64_t count_nodes(const struct prn_forest_node *node, const struct entry *low, const struct entry *high,
                            uint64_t priority)
{
	uint64_t left, right;

	if (!node)
		return 0;
	if (node->entry->priority > priority || (low && prn_bytes_compare(key_of(low), key_of(node->entry)) >= 0) ||
	    (high && prn_bytes_compare(key_of(node->entry), key_of(high)) >= 0))
		return UINT64_MAX;
	left = count_nodes(node->left, low, node->entry, node->entry->priority);
	right = count_nodes(node->right, node->entry, high, node->entry->priority);
	return left == UINT64_MAX || right == UINT64_MAX ? UINT64_MAX : left + right + 1;
}

bool prn_forest_is_sound(const struct prn_forest *forest, enum prn_table table)
{
	return count_nodes(forest->trees[table], NULL, NULL, UINT64_MAX) == forest->entries[table];
}
