/* Views, which show an object at one version. */
#include "store/rados_internal.h"

#include <stdlib.h>

#define FEW_QUESTIONS 32

int prn_rados_view_open(struct prn_view **out, struct prn_tables *tables, struct prn_error *error)
{
	struct prn_rados_view *view = calloc(1, sizeof *view);

	if (!view)
		return prn_error_memory(error);
	view->head.tables = tables;
	*out = &view->head;
	return 0;
}

void prn_rados_view_close(struct prn_view *head)
{
	struct prn_rados_view *view = prn_rados_view_of(head);

	while (view->chunks) {
		struct prn_rados_chunk *next = view->chunks->next;

		free(view->chunks);
		view->chunks = next;
	}
	free(view->known);
	free(view->all);
	free(view);
}

/* Listing all entries takes one request for every thousand. */
int prn_rados_consider_all(struct prn_rados_view *view, struct prn_error *error)
{
	struct prn_tables_size size;
	uint64_t entries = 0;
	int code;

	if (view->is_frozen || !view->version || ++view->questions < FEW_QUESTIONS)
		return 0;
	code = prn_rados_size(&view->head, &size, error);
	for (size_t i = 0; i < PRN_TABLES && !code; i++)
		entries += size.entries[i];
	return !code && view->questions >= FEW_QUESTIONS + entries / 1000 ? prn_rados_freeze(&view->head, error) : code;
}

static int get_entry(struct prn_rados_view *view, enum prn_table table, struct prn_bytes key, const struct prn_rados_entry **entry,
                     struct prn_error *error)
{
	char name[PRN_RADOS_NAME_BYTES];
	size_t length = prn_rados_name(table, key, name);
	int code;

	*entry = prn_rados_find(view, name, length);
	if (*entry)
		return 0;
	code = prn_rados_consider_all(view, error);
	if (!code)
		code = prn_rados_need(view, &(struct prn_rados_entry){ .name = name, .name_bytes = length }, 1, error);
	if (!code)
		*entry = prn_rados_find(view, name, length);
	return code;
}

int prn_rados_get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
                  struct prn_error *error)
{
	const struct prn_rados_entry *entry;
	int code = get_entry(prn_rados_view_of(view), table, key, &entry, error);

	if (code)
		return code;
	if (!entry->value)
		return PRN_E_NOT_FOUND;
	*value = (struct prn_bytes){ entry->value, entry->value_bytes };
	return 0;
}

int prn_rados_want(struct prn_view *head, const struct prn_wanted *wanted, size_t count, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(head);
	struct prn_rados_entry *names;
	char *text;
	size_t used = 0, room = 0;
	int code;

	if (view->is_frozen || !count)
		return 0;
	for (size_t i = 0; i < count; i++)
		room += 1 + 2 * wanted[i].key.length;
	names = calloc(count, sizeof *names);
	text = malloc(room);
	if (!names || !text) {
		free(names);
		free(text);
		return prn_error_memory(error);
	}
	for (size_t i = 0; i < count; i++) {
		names[i].name = text + used;
		names[i].name_bytes = prn_rados_name(wanted[i].table, wanted[i].key, text + used);
		used += names[i].name_bytes;
	}
	code = prn_rados_need(view, names, count, error);
	free(names);
	free(text);
	return code;
}

int prn_rados_get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                       struct prn_bytes *values, struct prn_error *error)
{
	struct prn_wanted *wanted = calloc(count ? count : 1, sizeof *wanted);
	int code = wanted ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < count && !code; i++)
		wanted[i] = (struct prn_wanted){ table, keys[i] };
	if (!code)
		code = prn_rados_want(view, wanted, count, error);
	for (size_t i = 0; i < count && !code; i++) {
		code = prn_rados_get(view, table, keys[i], &values[i], error);
		if (code == PRN_E_NOT_FOUND) {
			values[i] = (struct prn_bytes){ NULL, 0 };
			code = 0;
		}
	}
	free(wanted);
	return code;
}

int prn_rados_size(struct prn_view *head, struct prn_tables_size *size, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(head);
	struct prn_rados_counts counts;
	int code;

	prn_rados_counts_init(&counts);
	code = prn_rados_need(view, counts.entries, PRN_RADOS_COUNTS, error);
	if (!code)
		prn_rados_counts_read(&counts, view, size);
	return code;
}
