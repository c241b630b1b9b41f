/*
 * Tables in the memory of this process, for tests and for trying a policy out without a disk.  "memory:NAME" lasts
 * from its creation until the process ends.  A view is an owner of the forest at the time when it was opened.
 */
#include "store/forest.h"
#include "store/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct memory {
	char *name;
	struct prn_forest forest;
	bool has_writer;
	size_t opened; /* how often */
	uint64_t version; /* of what it holds: a number of its own among all */
	struct memory *next;
};

struct opened {
	struct prn_tables head;
	struct memory *memory;
	bool writable;
};

struct view {
	struct prn_view head;
	struct prn_forest forest;
	uint64_t version;
};

struct walk {
	struct prn_walk head;
	enum prn_table table;
	struct prn_bytes after; /* the last key handed out, or where to begin */
	bool begun;
	unsigned char from[PRN_TABLE_KEY_BYTES];
};

/*
 * One lock protects all memories that were created, and their content.  The library has no other state of its own; this is needed
 * because a name must lead to the same tables wherever in the process it is opened.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Threads that write take turns, as they do in a file: shards that are opened at a time are listed in one root. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
#define BUCKETS 16384 /* a power of two */
static struct memory *all[BUCKETS];
static uint64_t versions;

static struct memory **bucket_of(const char *name)
{
	return &all[XXH3_64bits(name, strlen(name)) & (BUCKETS - 1)];
}

/* Under the lock. */
static struct memory *find_memory(const char *name)
{
	struct memory *memory = *bucket_of(name);

	while (memory && strcmp(memory->name, name))
		memory = memory->next;
	return memory;
}

static void free_memory(struct memory *memory)
{
	prn_forest_release(&memory->forest);
	free(memory->name);
	free(memory);
}

/* Takes a forest under a name that is not there yet. */
static int put_memory(const char *name, struct prn_forest *forest_take, struct prn_error *error)
{
	struct memory *memory = calloc(1, sizeof *memory);
	char *copy = strdup(name);
	bool there;

	if (!memory || !copy) {
		free(memory);
		free(copy);
		prn_forest_release(forest_take);
		return prn_error_memory(error);
	}
	memory->name = copy;
	memory->forest = *forest_take;
	pthread_mutex_lock(&lock);
	there = find_memory(name);
	if (!there) {
		struct memory **bucket = bucket_of(name);

		memory->version = ++versions;
		memory->next = *bucket;
		*bucket = memory;
	}
	pthread_mutex_unlock(&lock);
	if (!there)
		return 0;
	free_memory(memory);
	return prn_error_set(error, PRN_E_IO, "memory:%s: a store is there already", name);
}

static int create(const char *name, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	const struct prn_forest nothing = { 0 };
	struct prn_forest forest;
	int code = prn_forest_change(&nothing, changes, count, &forest);

	return code ? prn_error_memory(error) : put_memory(name, &forest, error);
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
	if (opened->memory && !taken)
		opened->memory->opened++;
	pthread_mutex_unlock(&lock);
	if (opened->memory && !taken) {
		*out = &opened->head;
		return 0;
	}
	taken = opened->memory != NULL;
	free(opened);
	if (taken)
		return prn_error_set(error, PRN_E_LIMIT,
		                     "memory:%s: this process is writing to it; a store has one writer at"
		                     " a time",
		                     name);
	return prn_error_set(error, PRN_E_NOT_FOUND,
	                     "memory:%s: there is no store: it would have to be made in this process", name);
}

static void close_memory(struct prn_tables *tables)
{
	struct opened *opened = (struct opened *)tables;

	pthread_mutex_lock(&lock);
	if (opened->writable)
		opened->memory->has_writer = false;
	opened->memory->opened--;
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
	prn_forest_use(&((struct opened *)tables)->memory->forest, &view->forest);
	view->version = ((struct opened *)tables)->memory->version;
	pthread_mutex_unlock(&lock);
	*out = &view->head;
	return 0;
}

static void close_view(struct prn_view *view)
{
	prn_forest_release(&((struct view *)view)->forest);
	free(view);
}

static int get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
               struct prn_error *error)
{
	(void)error;
	return prn_forest_get(&((struct view *)view)->forest, table, key, value) ? 0 : PRN_E_NOT_FOUND;
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
	const struct prn_forest *forest = &((struct view *)view)->forest;

	(void)error;
	memcpy(size->entries, forest->entries, sizeof size->entries);
	size->bytes = forest->bytes;
	size->bytes_free = 0;
	return 0;
}

static uint64_t version(struct prn_view *view)
{
	return ((struct view *)view)->version;
}

static int version_at(struct prn_tables *tables, const char *name, uint64_t *version, struct prn_error *error)
{
	const struct memory *memory;

	(void)tables;
	pthread_mutex_lock(&lock);
	memory = find_memory(name);
	if (memory)
		*version = memory->version;
	pthread_mutex_unlock(&lock);
	return memory ? 0 : prn_error_set(error, PRN_E_NOT_FOUND, "memory:%s: there is no store", name);
}

static int scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                struct prn_error *error)
{
	struct walk *walk = malloc(sizeof *walk);

	if (!walk)
		return prn_error_memory(error);
	walk->head.view = view;
	walk->table = table;
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

	(void)error;
	if (!prn_forest_next(&((struct view *)head->view)->forest, walk->table, walk->after, !walk->begun, key, value))
		return 0;
	walk->begun = true;
	walk->after = *key;
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
	struct prn_forest old, made;
	int failed;

	pthread_mutex_lock(&writing);
	old = memory->forest;
	failed = prn_forest_change(&old, changes, count, &made);
	if (!failed) {
		pthread_mutex_lock(&lock);
		memory->forest = made;
		memory->version = ++versions;
		pthread_mutex_unlock(&lock);
		prn_forest_release(&old);
	}
	pthread_mutex_unlock(&writing);
	return failed ? prn_error_memory(error) : 0;
}

static int copy_tables(struct prn_tables *tables, const char *name, prn_verify_fn *verify, void *context,
                       struct prn_error *error)
{
	struct memory copy = { 0 };
	struct opened opened = { { &prn_tables_memory, tables->address, false, 0 }, &copy, false };
	int code;

	pthread_mutex_lock(&lock);
	prn_forest_use(&((struct opened *)tables)->memory->forest, &copy.forest);
	pthread_mutex_unlock(&lock);
	code = verify(context, &opened.head, error);
	if (!code)
		return put_memory(name, &copy.forest, error);
	prn_forest_release(&copy.forest);
	return code;
}

/* Removes a memory from the list, with the lock held, if nobody has it open; true: the caller then frees it. */
static bool take_out(struct memory *memory)
{
	struct memory **place = bucket_of(memory->name);

	if (memory->opened)
		return false;
	while (*place != memory)
		place = &(*place)->next;
	*place = memory->next;
	return true;
}

static int in_use(const char *name, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_LIMIT, "memory:%s: this process has it open", name);
}

static int remove_tables(const char *name, struct prn_error *error)
{
	struct memory *memory;
	bool is_out;

	pthread_mutex_lock(&lock);
	memory = find_memory(name);
	is_out = memory && take_out(memory);
	pthread_mutex_unlock(&lock);
	if (!memory)
		return prn_error_set(error, PRN_E_NOT_FOUND, "memory:%s: there is no store", name);
	if (!is_out)
		return in_use(name, error);
	free_memory(memory);
	return 0;
}

static int remove_open(struct prn_tables *tables, struct prn_error *error)
{
	struct opened *opened = (struct opened *)tables;
	struct memory *memory = opened->memory;
	int code = 0;

	pthread_mutex_lock(&lock);
	memory->has_writer = false;
	memory->opened--;
	if (!take_out(memory)) {
		code = in_use(memory->name, error);
		memory = NULL;
	}
	pthread_mutex_unlock(&lock);
	free(opened);
	if (memory)
		free_memory(memory);
	return code;
}

static int check_tables(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults,
                        struct prn_error *error)
{
	const struct prn_forest *forest = &((struct view *)view)->forest;

	(void)error;
	for (size_t i = 0; i < PRN_TABLES; i++) {
		struct prn_error what;

		if (prn_forest_is_sound(forest, (enum prn_table)i))
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
	.in_process = true,
	.create = create,
	.open = open_memory,
	.free = close_memory,
	.view = open_view,
	.close = close_view,
	.get = get,
	.get_many = get_many,
	.version = version,
	.version_at = version_at,
	.size = size,
	.scan = scan,
	.next = next,
	.end = end,
	.write = write_changes,
	.copy = copy_tables,
	.remove = remove_tables,
	.remove_take = remove_open,
	.check = check_tables,
};
