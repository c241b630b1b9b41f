#include "store/store_internal.h"
#include "store/writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA_NAME "schema"
#define TEXT_OF(number) TEXT(number)
#define TEXT(number) #number

enum prn_table prn_side_table(enum prn_side side)
{
	static const enum prn_table tables[] = {
		[PRN_SIDE_META] = PRN_TABLE_META,
		[PRN_SIDE_HOSTS] = PRN_TABLE_HOSTS,
		[PRN_SIDE_SUSPECTS] = PRN_TABLE_SUSPECTS,
	};

	return tables[side];
}

int prn_store_decode(const struct prn_store *store, const struct prn_digest *key, struct prn_bytes bytes,
                     struct prn_record *record, struct prn_error *error)
{
	if (!prn_record_decode(key, bytes, record))
		return 0;
	return prn_error_set(error, PRN_E_INPUT,
	                     "%s: the record of page %016llx%016llx is damaged: 'perennial check --repair' takes it out",
	                     store->path, (unsigned long long)key->high, (unsigned long long)key->low);
}

/* The files of a store's folder; a folder that is given up loses them. */
static void remove_folder(const char *path)
{
	static const char *const names[] = { "data.mdb", "lock.mdb", "writer.lock" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *name;

		if (asprintf(&name, "%s/%s", path, names[i]) < 0)
			return;
		unlink(name);
		free(name);
	}
	rmdir(path);
}

static int sync_folder(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed;

	if (folder < 0)
		return errno;
	failed = fsync(folder) ? errno : 0;
	close(folder);
	return failed;
}

/* The folder that holds path, to be freed. */
static char *folder_of(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	while (length && path[length - 1] != '/')
		length--;
	while (length > 1 && path[length - 1] == '/')
		length--;
	return length ? strndup(path, length) : strdup(".");
}

static int place(const char *part, const char *path, struct prn_error *error)
{
	char *parent = folder_of(path);
	int failed = parent ? sync_folder(part) : ENOMEM;

	if (!failed && rename(part, path))
		failed = errno;
	if (!failed)
		failed = sync_folder(parent);
	free(parent);
	if (failed == ENOTEMPTY || failed == EEXIST || failed == ENOTDIR)
		return prn_error_set(error, PRN_E_IO, "%s: something is there already", path);
	return failed ? prn_error_set(error, PRN_E_IO, "%s: cannot write: %s", path, strerror(failed)) : 0;
}

typedef int fill_fn(const char *part, void *context, struct prn_error *error);

/* Makes a folder beside path, has it filled, and puts it there whole. */
static int make_folder(const char *path, fill_fn *fill, void *context, struct prn_error *error)
{
	size_t length = strlen(path);
	char *part;
	int failed;

	if (!prn_tables_find(path, NULL))
		return prn_error_set(error, PRN_E_IO, "%s: a store is there already", path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (asprintf(&part, "%.*s.%ld.part", (int)length, path, (long)getpid()) < 0)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	failed = mkdir(part, 0777) ? prn_error_set(error, PRN_E_IO, "%s: cannot make a folder: %s", part, strerror(errno))
	                           : fill(part, context, error);
	if (!failed)
		failed = place(part, path, error);
	if (failed)
		remove_folder(part);
	free(part);
	return failed;
}

struct settings {
	const struct prn_store_setting *settings;
	size_t count;
};

static struct prn_bytes text_bytes(const char *text)
{
	return (struct prn_bytes){ text, strlen(text) };
}

static int order_changes(const void *a, const void *b)
{
	return prn_change_compare(a, b);
}

static int write_settings(struct prn_tables *tables, const struct settings *settings, struct prn_error *error)
{
	struct prn_change *changes = calloc(settings->count + 1, sizeof *changes);
	int failed;

	if (!changes)
		return prn_error_memory(error);
	for (size_t i = 0; i <= settings->count; i++)
		changes[i].table = PRN_TABLE_META;
	for (size_t i = 0; i < settings->count; i++) {
		changes[i].key = text_bytes(settings->settings[i].key);
		changes[i].value = text_bytes(settings->settings[i].value);
	}
	changes[settings->count].key = text_bytes(SCHEMA_NAME);
	changes[settings->count].value = text_bytes(TEXT_OF(PRN_STORE_SCHEMA));
	qsort(changes, settings->count + 1, sizeof *changes, order_changes);
	failed = prn_tables_write(tables, changes, settings->count + 1, error);
	free(changes);
	return failed;
}

static int fill_new(const char *part, void *context, struct prn_error *error)
{
	struct prn_tables *tables;
	int failed = prn_tables_create(part, error);

	if (!failed)
		failed = prn_tables_open(&tables, part, true, error);
	if (failed)
		return failed;
	failed = write_settings(tables, context, error);
	prn_tables_free(tables);
	return failed;
}

int prn_store_create(const char *path, const struct prn_store_setting *settings, size_t count, struct prn_error *error)
{
	struct settings all = { settings, count };

	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(settings[i].key);

		if (!length || length > PRN_TABLE_KEY_BYTES || !strcmp(settings[i].key, SCHEMA_NAME))
			return prn_error_set(error, PRN_E_RANGE, "'%s' is no name for a setting", settings[i].key);
	}
	return make_folder(path, fill_new, &all, error);
}

static int fill_copy(const char *part, void *context, struct prn_error *error)
{
	return prn_tables_copy(context, part, error);
}

int prn_store_backup(struct prn_store *store, const char *path, struct prn_error *error)
{
	return make_folder(path, fill_copy, store->tables, error);
}

static int check_schema(struct prn_store *store, struct prn_error *error)
{
	struct prn_table_view *view;
	struct prn_bytes value;
	char text[16] = "";
	int failed = prn_table_view_open(&view, store->tables, error);

	if (failed)
		return failed;
	failed = prn_table_view_get(view, PRN_TABLE_META, text_bytes(SCHEMA_NAME), &value, error);
	if (!failed)
		snprintf(text, sizeof text, "%.*s", (int)value.length, (const char *)value.data);
	prn_table_view_close(view);
	if (failed && failed != PRN_E_NOT_FOUND)
		return failed;
	if (atol(text) > PRN_STORE_SCHEMA)
		return prn_error_set(error, PRN_E_VERSION,
		                     "%s: a store of schema %s; this perennial knows schemas up to %d: use a newer one",
		                     store->path, text, PRN_STORE_SCHEMA);
	return atol(text) == PRN_STORE_SCHEMA
	               ? 0
	               : prn_error_set(error, PRN_E_INPUT, "%s: damaged: no schema that was ever written", store->path);
}

static int open_all(struct prn_store *store, enum prn_store_mode mode, double lock_wait_s, struct prn_error *error)
{
	bool write = mode == PRN_STORE_WRITE;
	int failed = prn_tables_find(store->path, error);

	if (!failed && write)
		failed = prn_writer_lock(store->path, lock_wait_s, &store->lock, error);
	if (!failed)
		failed = prn_tables_open(&store->tables, store->path, write, error);
	return failed ? failed : check_schema(store, error);
}

int prn_store_open(struct prn_store **out, const char *path, enum prn_store_mode mode, double lock_wait_s,
                   struct prn_error *error)
{
	struct prn_store *store = calloc(1, sizeof *store);
	int failed;

	if (!store)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	store->lock = -1;
	store->path = strdup(path);
	failed = store->path ? open_all(store, mode, lock_wait_s, error)
	                     : prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	if (failed)
		prn_store_free(store);
	else
		*out = store;
	return failed;
}

/* The lock goes last: the next writer must find the file closed. */
void prn_store_free(struct prn_store *store)
{
	if (!store)
		return;
	prn_tables_free(store->tables);
	if (store->lock >= 0)
		close(store->lock);
	free(store->path);
	free(store);
}

const char *prn_store_path(const struct prn_store *store)
{
	return store->path;
}

int prn_store_totals(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error)
{
	struct prn_table_view *view;
	struct prn_tables_size size;
	int failed = prn_table_view_open(&view, store->tables, error);

	if (failed)
		return failed;
	failed = prn_table_view_size(view, &size, error);
	prn_table_view_close(view);
	if (failed)
		return failed;
	*totals = (struct prn_store_totals){
		.pages = size.entries[PRN_TABLE_PAGES],
		.due = size.entries[PRN_TABLE_DUE],
		.leased = size.entries[PRN_TABLE_LEASES],
		.hosts = size.entries[PRN_TABLE_HOSTS],
		.suspects = size.entries[PRN_TABLE_SUSPECTS],
		.bytes = size.bytes,
		.bytes_free = size.bytes_free,
	};
	return 0;
}
