#include "store/shared.h"
#include "store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) TEXT(number)
#define TEXT(number) #number

static struct prn_bytes text_bytes(const char *text)
{
	return (struct prn_bytes){ text, strlen(text) };
}

static int check_settings(const struct prn_store_setting *settings, size_t count, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(settings[i].key);

		if (!length || length > PRN_TABLE_KEY_BYTES || !strcmp(settings[i].key, PRN_SCHEMA_NAME) ||
		    !strcmp(settings[i].key, PRN_MOVING_NAME))
			return prn_error_set(error, PRN_E_ARGUMENT, "'%s' is no name for a setting", settings[i].key);
	}
	return 0;
}

/* root NULL: by itself. */
static int create(struct prn_store *root, const char *path, const struct prn_store_setting *settings, size_t count,
                  struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);
	struct prn_change *changes;
	int code = prn_tables_check(path, error);

	if (!code)
		code = check_settings(settings, count, error);
	if (code)
		return code;
	changes = calloc(count + 1, sizeof *changes);
	if (!changes)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		changes[i] = (struct prn_change){ PRN_TABLE_META, false, text_bytes(settings[i].key),
			                          text_bytes(settings[i].value) };
	changes[count] = (struct prn_change){ PRN_TABLE_META, false, text_bytes(PRN_SCHEMA_NAME),
		                              text_bytes(TEXT_OF(PRN_STORE_SCHEMA)) };
	prn_changes_sort(changes, count + 1);
	code = root ? prn_tables_create_beside(root->tables, path, changes, count + 1, error)
	            : kind->create(place, changes, count + 1, error);
	free(changes);
	return code;
}

int prn_store_create_one(const char *path, const struct prn_store_setting *settings, size_t count, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);
	uint64_t left = 0;
	int code = kind->leftovers ? kind->leftovers(place, true, NULL, NULL, &left, error) : 0;

	return code ? code : create(NULL, path, settings, count, error);
}

int prn_store_create_beside(struct prn_store *root, const char *path, const struct prn_store_setting *settings, size_t count,
                            struct prn_error *error)
{
	return create(root, path, settings, count, error);
}

/* An older program would take records of this schema for damaged: it must not find the number that it knows. */
static int put_schema(struct prn_store *store, const char *older, struct prn_error *error)
{
	struct prn_change changes[] = {
		{ PRN_TABLE_META, false, text_bytes(PRN_SCHEMA_NAME), text_bytes(TEXT_OF(PRN_STORE_SCHEMA)) },
		{ PRN_TABLE_META, false, text_bytes(PRN_MOVING_NAME), text_bytes(older) },
	};

	prn_changes_sort(changes, 2);
	return store->tables->kind->write(store->tables, changes, 2, error);
}

/* The first bytes of a text; "" where there is none. */
static int read_begin(struct prn_view *view, const char *name, char *text, size_t room, struct prn_error *error)
{
	const void *value;
	size_t length;
	int code = prn_view_side(view, PRN_SIDE_META, name, strlen(name), &value, &length, error);

	*text = 0;
	if (!code)
		snprintf(text, room, "%.*s", length < room - 1 ? (int)length : (int)room - 1, (const char *)value);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static int read_text(struct prn_view *view, const char *name, char text[16], struct prn_error *error)
{
	return read_begin(view, name, text, 16, error);
}

int prn_schema_read_changes(struct prn_view *view, char text[PRN_CHANGES_TEXT], bool *changing, struct prn_error *error)
{
	char change[16];
	int code = read_begin(view, PRN_CHANGES_NAME, text, PRN_CHANGES_TEXT, error);

	if (!code)
		code = read_text(view, PRN_CHANGE_NAME, change, error);
	*changing = !code && *change;
	return code;
}

int prn_schema_is_older(struct prn_view *view, bool *older, struct prn_error *error)
{
	char schema[16], moving[16];
	int code = read_text(view, PRN_SCHEMA_NAME, schema, error);

	if (!code)
		code = read_text(view, PRN_MOVING_NAME, moving, error);
	if (!code)
		*older = atol(schema) < PRN_STORE_SCHEMA || *moving;
	return code;
}

/* Reads the schema's number, and its text. */
static int read_schema(struct prn_store *store, long *number, char text[16], struct prn_error *error)
{
	const char *address = store->tables->address;
	struct prn_view *view;
	int code = prn_view_open(&view, store, error);

	if (code)
		return code;
	code = read_text(view, PRN_SCHEMA_NAME, text, error);
	prn_view_close(view);
	if (code)
		return code;
	*number = atol(text);
	if (*number > PRN_STORE_SCHEMA)
		return prn_error_set(error, PRN_E_VERSION,
		                     "%s: a store of schema %s; this perennial knows schemas up to %d: use a newer one",
		                     address, text, PRN_STORE_SCHEMA);
	if (*number < 1)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: damaged: its schema number was never in use", address);
	return 0;
}

int prn_store_check_schema(struct prn_store *store, struct prn_error *error)
{
	char text[16];
	long number;

	return read_schema(store, &number, text, error);
}

/* root NULL: by itself. */
static int open_store(struct prn_store **out, struct prn_store *root, const char *path, enum prn_store_mode mode,
                      double lock_wait_s, struct prn_error *error)
{
	struct prn_store *store = calloc(1, sizeof *store);
	bool writable = mode == PRN_STORE_WRITE;
	char schema[16];
	long number;
	int code;

	if (!store)
		return prn_error_memory(error);
	code = root ? prn_tables_open_beside(&store->tables, root->tables, path, writable, lock_wait_s, error)
	            : prn_tables_open(&store->tables, path, writable, lock_wait_s, error);
	if (!code)
		code = read_schema(store, &number, schema, error);
	if (!code && writable && number < PRN_STORE_SCHEMA)
		code = put_schema(store, schema, error);
	if (code)
		prn_store_free(store);
	else
		*out = store;
	return code;
}

int prn_store_open_one(struct prn_store **out, const char *path, enum prn_store_mode mode, double lock_wait_s,
                       struct prn_error *error)
{
	return open_store(out, NULL, path, mode, lock_wait_s, error);
}

int prn_store_open_beside(struct prn_store **out, struct prn_store *root, const char *path, enum prn_store_mode mode,
                          double lock_wait_s, struct prn_error *error)
{
	return open_store(out, root, path, mode, lock_wait_s, error);
}

bool prn_store_is_unusable(int code)
{
	return code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED || code == PRN_E_VERSION;
}

void prn_store_free(struct prn_store *store)
{
	if (!store)
		return;
	prn_tables_free(store->tables);
	free(store->identity);
	free(store);
}

int prn_store_hold(const struct prn_store *store, struct prn_error *error)
{
	const struct prn_tables_kind *kind = store->tables->kind;

	return kind->hold ? kind->hold(store->tables, error) : 0;
}

int prn_store_remove_take(struct prn_store *store, struct prn_error *error)
{
	struct prn_tables *tables = store->tables;
	char *address = tables->address;
	int code = tables->kind->remove_take(tables, error);

	free(address);
	free(store->identity);
	free(store);
	return code;
}

int prn_store_remove_after_take(struct prn_store *store, struct prn_view *view, struct prn_error *error)
{
	const struct prn_tables_kind *kind = store->tables->kind;
	int code = kind->remove_after ? kind->remove_after(view, error) : 0;

	prn_view_close(view);
	if (!kind->remove_after)
		return prn_store_remove_take(store, error);
	prn_store_free(store);
	return code;
}

const char *prn_store_folder(const char *address)
{
	const char *place;

	return prn_tables_find(address, &place)->in_folder ? place : NULL;
}

bool prn_store_ends_with_process(const char *address)
{
	const char *place;

	return prn_tables_find(address, &place)->in_process;
}

const char *prn_store_path(const struct prn_store *store)
{
	return store->tables->address;
}

bool prn_store_is_shared(const struct prn_store *store)
{
	return prn_tables_is_shared(store->tables);
}

int prn_view_count_pages(struct prn_view *view, uint64_t *pages, struct prn_error *error)
{
	struct prn_tables_size size;
	int code = view->tables->kind->size(view, &size, error);

	*pages = code ? 0 : size.entries[PRN_TABLE_PAGES];
	return code;
}

int prn_store_totals_one(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error)
{
	struct prn_view *view;
	struct prn_tables_size size;
	int code = prn_view_open(&view, store, error);

	if (code)
		return code;
	code = store->tables->kind->size(view, &size, error);
	prn_view_close(view);
	if (code)
		return code;
	*totals = (struct prn_store_totals){
		.pages = size.entries[PRN_TABLE_PAGES],
		.due = size.entries[PRN_TABLE_DUE] + size.entries[PRN_TABLE_WAITING],
		.waiting = size.entries[PRN_TABLE_WAITING],
		.leased = size.entries[PRN_TABLE_LEASES],
		.hosts = size.entries[PRN_TABLE_HOSTS],
		.suspects = size.entries[PRN_TABLE_SUSPECTS],
		.bytes = size.bytes,
		.bytes_free = size.bytes_free,
	};
	return 0;
}
