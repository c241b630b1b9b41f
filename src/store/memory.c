/*
 * Tables in the memory of this process: for tests, and for whoever tries a policy out without a disk.  "memory:NAME" is
 * there from its creation until the process ends.
 *
 * Each table is a treap, a search tree that stays balanced because priorities, the hashes of keys, form a heap.  Nodes
 * never change: a write copies the nodes on the way to a change and shares the others, so a view is a root for each table.
 */
#include "store/tables.h"

#include <pthread.h>
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

struct node {
	atomic_size_t users;
	struct entry *entry;
	struct node *left, *right;
};

/* What a view sees. */
struct forest {
	struct node *trees[PRN_TABLES];
	uint64_t entries[PRN_TABLES], bytes;
};

struct memory {
	char *name;
	struct forest forest;
	bool has_writer;
	struct memory *next;
};

struct opened {
	struct prn_tables head;
	struct memory *memory;
	bool writable;
};

struct view {
	struct prn_view head;
	struct forest forest;
};

struct walk {
	struct prn_walk head;
	const struct node *root;
	struct prn_bytes after; /* the last key handed out, or where to begin */
	bool begun;
	unsigned char from[PRN_TABLE_KEY_BYTES];
};

/*
 * All that were created, and what they hold, under one lock.  The library keeps nothing else of its own: a name must
 * lead to the same tables from wherever in the process it is opened.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory *all;

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

static struct node *use(struct node *node)
{
	if (node)
		node->users++;
	return node;
}

/* Trees are as deep as the logarithm of their size. */
static void drop(struct node *node)
{
	if (!node || --node->users)
		return;
	drop(node->left);
	drop(node->right);
	drop_entry(node->entry);
	free(node);
}

/* Takes what it is given, also when it fails. */
static struct node *make_node(struct entry *entry, struct node *left, struct node *right)
{
	struct node *node = entry ? malloc(sizeof *node) : NULL;

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

/* The nodes of a tree before a key, and those after it, as trees of their own.  Returns false without memory. */
static bool split(struct node *node, struct prn_bytes key, struct node **before, struct node **after)
{
	struct node *inner = NULL;
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

/* One tree of two, all keys of the first being before those of the second; takes both.  *out is NULL also without memory. */
static bool join(struct node *before, struct node *after, struct node **out)
{
	struct node *top, *inner = NULL;
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

static const struct node *find(const struct node *node, struct prn_bytes key)
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
static const struct node *find_next(const struct node *node, struct prn_bytes key, bool at)
{
	const struct node *found = NULL;

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

static size_t bytes_of(const struct node *node)
{
	return node ? sizeof *node + sizeof *node->entry + node->entry->key_length + node->entry->value_length : 0;
}

static int apply(struct forest *forest, const struct prn_change *change)
{
	struct node **root = &forest->trees[change->table], *before, *after, *made = NULL;
	const struct node *old = find(*root, change->key);
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
	/* What join takes is gone when it fails: then the whole forest is. */
	done = join(before, made, &before);
	if (!done) {
		drop(after);
		return PRN_E_MEMORY;
	}
	return join(before, after, root) ? 0 : PRN_E_MEMORY;
}

static void use_forest(struct forest *copy, const struct forest *forest)
{
	*copy = *forest;
	for (size_t i = 0; i < PRN_TABLES; i++)
		use(copy->trees[i]);
}

static void drop_forest(struct forest *forest)
{
	for (size_t i = 0; i < PRN_TABLES; i++)
		drop(forest->trees[i]);
}

/* The forest after changes, which the caller owns; *from stays.  PRN_E_MEMORY, and there is none */
static int next_forest(struct forest *next, const struct forest *from, const struct prn_change *changes, size_t count)
{
	int failed = 0;

	use_forest(next, from);
	for (size_t i = 0; i < count && !failed; i++)
		failed = apply(next, &changes[i]);
	if (failed)
		drop_forest(next);
	return failed;
}

/* Under the lock. */
static struct memory *find_memory(const char *name)
{
	struct memory *memory = all;

	while (memory && strcmp(memory->name, name))
		memory = memory->next;
	return memory;
}

static void free_memory(struct memory *memory)
{
	drop_forest(&memory->forest);
	free(memory->name);
	free(memory);
}

/* Takes a forest under a name that is not there yet. */
static int put_memory(const char *name, struct forest *forest_take, struct prn_error *error)
{
	struct memory *memory = calloc(1, sizeof *memory);
	char *copy = strdup(name);
	bool there;

	if (!memory || !copy) {
		free(memory);
		free(copy);
		drop_forest(forest_take);
		return prn_error_memory(error);
	}
	memory->name = copy;
	memory->forest = *forest_take;
	pthread_mutex_lock(&lock);
	there = find_memory(name);
	if (!there) {
		memory->next = all;
		all = memory;
	}
	pthread_mutex_unlock(&lock);
	if (!there)
		return 0;
	free_memory(memory);
	return prn_error_set(error, PRN_E_IO, "memory:%s: a store is there already", name);
}

static int create(const char *name, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	const struct forest nothing = { 0 };
	struct forest forest;
	int failed = next_forest(&forest, &nothing, changes, count);

	return failed ? prn_error_memory(error) : put_memory(name, &forest, error);
}

static int open_memory(struct prn_tables **out, const char *name, bool writable, double lock_wait_s,
                       struct prn_error *error)
{
	struct opened *opened = calloc(1, sizeof *opened);
	bool taken = false;

	(void)lock_wait_s; /* the other writer is in this process: waiting for it would be waiting for oneself */
	if (!opened)
		return prn_error_memory(error);
	opened->writable = writable;
	pthread_mutex_lock(&lock);
	opened->memory = find_memory(name);
	if (opened->memory && writable) {
		taken = opened->memory->has_writer;
		opened->memory->has_writer = true;
	}
	pthread_mutex_unlock(&lock);
	if (opened->memory && !taken) {
		*out = &opened->head;
		return 0;
	}
	taken = opened->memory != NULL;
	free(opened);
	if (taken)
		return prn_error_set(error, PRN_E_LIMIT, "memory:%s: this process is writing to it; a store has one writer at"
		                     " a time", name);
	return prn_error_set(error, PRN_E_NOT_FOUND, "memory:%s: no store there: it would have to be made in this process",
	                     name);
}

static void close_memory(struct prn_tables *tables)
{
	struct opened *opened = (struct opened *)tables;

	pthread_mutex_lock(&lock);
	if (opened->writable)
		opened->memory->has_writer = false;
	pthread_mutex_unlock(&lock);
	free(opened);
}

static int open_view(struct prn_view **out, struct prn_tables *tables, struct prn_error *error)
{
	struct view *view = malloc(sizeof *view);

	if (!view)
		return prn_error_memory(error);
	view->head.tables = tables;
	pthread_mutex_lock(&lock);
	use_forest(&view->forest, &((struct opened *)tables)->memory->forest);
	pthread_mutex_unlock(&lock);
	*out = &view->head;
	return 0;
}

static void close_view(struct prn_view *view)
{
	drop_forest(&((struct view *)view)->forest);
	free(view);
}

static int get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
               struct prn_error *error)
{
	const struct node *found = find(((struct view *)view)->forest.trees[table], key);

	(void)error;
	if (!found)
		return PRN_E_NOT_FOUND;
	*value = (struct prn_bytes){ found->entry->bytes + found->entry->key_length, found->entry->value_length };
	return 0;
}

static int get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                    struct prn_bytes *values, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (get(view, table, keys[i], &values[i], error))
			values[i] = (struct prn_bytes){ NULL, 0 };
	return 0;
}

static int size(struct prn_view *view, struct prn_tables_size *size, struct prn_error *error)
{
	const struct forest *forest = &((struct view *)view)->forest;

	(void)error;
	memcpy(size->entries, forest->entries, sizeof size->entries);
	size->bytes = forest->bytes;
	size->bytes_free = 0;
	return 0;
}

static int scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                struct prn_error *error)
{
	struct walk *walk = malloc(sizeof *walk);

	if (!walk)
		return prn_error_memory(error);
	walk->head.view = view;
	walk->root = ((struct view *)view)->forest.trees[table];
	walk->begun = false;
	walk->after = (struct prn_bytes){ walk->from, from.length };
	if (from.length)
		memcpy(walk->from, from.data, from.length);
	*out = &walk->head;
	return 0;
}

static int next(struct prn_walk *head, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	struct walk *walk = (struct walk *)head;
	const struct node *found = find_next(walk->root, walk->after, !walk->begun);

	(void)error;
	if (!found)
		return 0;
	walk->begun = true;
	*key = walk->after = key_of(found->entry);
	*value = (struct prn_bytes){ found->entry->bytes + found->entry->key_length, found->entry->value_length };
	return 1;
}

static void end(struct prn_walk *walk)
{
	free(walk);
}

/* The next forest is made beside the present one: readers wait for no more than an assignment. */
static int write_changes(struct prn_tables *tables, const struct prn_change *changes, size_t count,
                         struct prn_error *error)
{
	struct memory *memory = ((struct opened *)tables)->memory;
	struct forest old = memory->forest, made;

	if (next_forest(&made, &old, changes, count))
		return prn_error_memory(error);
	pthread_mutex_lock(&lock);
	memory->forest = made;
	pthread_mutex_unlock(&lock);
	drop_forest(&old);
	return 0;
}

/* What is in memory is not verified: there is no file that could have failed. */
static int copy(struct prn_tables *tables, const char *name, prn_verify_fn *verify, struct prn_error *error)
{
	struct forest forest;

	(void)verify;
	pthread_mutex_lock(&lock);
	use_forest(&forest, &((struct opened *)tables)->memory->forest);
	pthread_mutex_unlock(&lock);
	return put_memory(name, &forest, error);
}

/* Counts the nodes below one, or returns UINT64_MAX: keys or priorities are out of order. */
static uint64_t count_nodes(const struct node *node, const struct entry *low, const struct entry *high,
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

static int check(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults,
                 struct prn_error *error)
{
	const struct forest *forest = &((struct view *)view)->forest;

	(void)error;
	for (size_t i = 0; i < PRN_TABLES; i++) {
		struct prn_error what;

		if (count_nodes(forest->trees[i], NULL, NULL, UINT64_MAX) == forest->entries[i])
			continue;
		++*faults;
		prn_error_set(&what, PRN_E_DAMAGED, "%s: the table of %s is out of order", view->tables->address,
		              prn_table_name((enum prn_table)i));
		if (report)
			report(context, &what);
	}
	return 0;
}

const struct prn_tables_kind prn_tables_memory = {
	.scheme = "memory",
	.create = create,
	.open = open_memory,
	.free = close_memory,
	.view = open_view,
	.close = close_view,
	.get = get,
	.get_many = get_many,
	.size = size,
	.scan = scan,
	.next = next,
	.end = end,
	.write = write_changes,
	.copy = copy,
	.check = check,
};
