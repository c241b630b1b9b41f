/* What an object was at one version: each entry is asked for once, and kept. */
#include "store/rados_internal.h"

#include "base/buffer.h"
#include "store/big_endian.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define CHUNK_BYTES 65536
#define FEWEST 64
#define FEW_QUESTIONS 32

struct prn_rados_chunk {
	struct prn_rados_chunk *next;
	size_t used, size;
	unsigned char bytes[];
};

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

void *prn_rados_keep(struct prn_rados_view *view, const void *bytes, size_t count)
{
	struct prn_rados_chunk *chunk = view->chunks;
	unsigned char *kept;

	if (!chunk || chunk->size - chunk->used < count) {
		size_t size = count > CHUNK_BYTES / 4 ? count : CHUNK_BYTES;

		chunk = malloc(sizeof *chunk + size);
		if (!chunk)
			return NULL;
		*chunk = (struct prn_rados_chunk){ .next = view->chunks, .size = size };
		view->chunks = chunk;
	}
	kept = chunk->bytes + chunk->used;
	if (count)
		memcpy(kept, bytes, count);
	chunk->used += count;
	return kept;
}

static struct prn_rados_entry *place_of(struct prn_rados_entry *known, size_t capacity, const char *name, size_t name_bytes)
{
	size_t at = XXH3_64bits(name, name_bytes) & (capacity - 1);

	while (known[at].name && (known[at].name_bytes != name_bytes || memcmp(known[at].name, name, name_bytes)))
		at = (at + 1) & (capacity - 1);
	return &known[at];
}

static int make_room(struct prn_rados_view *view, size_t more)
{
	size_t capacity = view->capacity ? view->capacity : FEWEST;
	struct prn_rados_entry *known;

	while (2 * (view->known_count + more) > capacity)
		capacity *= 2;
	if (capacity == view->capacity)
		return 0;
	known = calloc(capacity, sizeof *known);
	if (!known)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < view->capacity; i++)
		if (view->known[i].name)
			*place_of(known, capacity, view->known[i].name, view->known[i].name_bytes) = view->known[i];
	free(view->known);
	view->known = known;
	view->capacity = capacity;
	return 0;
}

static const struct prn_rados_entry *find_frozen(const struct prn_rados_view *view, const char *name, size_t name_bytes)
{
	static const struct prn_rados_entry nothing = { 0 };
	size_t low = 0, high = view->all_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct prn_rados_entry *entry = &view->all[middle];
		int order = prn_bytes_compare((struct prn_bytes){ entry->name, entry->name_bytes },
		                              (struct prn_bytes){ name, name_bytes });

		if (!order)
			return entry;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return &nothing;
}

const struct prn_rados_entry *prn_rados_find(const struct prn_rados_view *view, const char *name, size_t name_bytes)
{
	const struct prn_rados_entry *entry;

	if (view->is_frozen)
		return find_frozen(view, name, name_bytes);
	if (!view->capacity)
		return NULL;
	entry = place_of(view->known, view->capacity, name, name_bytes);
	return entry->name ? entry : NULL;
}

int prn_rados_read_at(struct prn_rados_view *view, rados_read_op_t operation, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	uint64_t version = 0;
	int answer = prn_rados_read(rados, operation, &version);

	if (answer)
		return prn_rados_fail(rados, "read", answer, error);
	if (view->version && version != view->version)
		return prn_rados_fail(rados, "read", -ERANGE, error);
	view->version = version;
	return 0;
}

/* Puts what came into the places of what was asked for. */
static int take_answers(struct prn_rados_view *view, rados_omap_iter_t answers, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->library;
	char *name, *value;
	size_t name_bytes, value_bytes;

	for (;;) {
		struct prn_rados_entry *entry;

		if (library->omap_get_next2(answers, &name, &value, &name_bytes, &value_bytes) || !name)
			return 0;
		entry = place_of(view->known, view->capacity, name, name_bytes);
		entry->value = prn_rados_keep(view, value, value_bytes);
		entry->value_bytes = value_bytes;
		if (!entry->value)
			return prn_error_memory(error);
	}
}

/* What could not be read is not known: it must not pass for what is not there. */
static void forget(struct prn_rados_view *view)
{
	view->known_count = view->capacity = 0;
	free(view->known);
	view->known = NULL;
}

static int ask(struct prn_rados_view *view, const char *const *names, const size_t *lengths, size_t count, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->library;
	rados_read_op_t operation = library->create_read_op();
	rados_omap_iter_t answers = NULL;
	int answer = 0, failed;

	if (!operation)
		return prn_error_memory(error);
	library->read_op_omap_get_vals_by_keys2(operation, names, count, lengths, &answers, &answer);
	failed = prn_rados_read_at(view, operation, error);
	if (!failed && answer < 0)
		failed = prn_rados_fail(prn_rados_of(view->head.tables), "read", answer, error);
	if (!failed)
		failed = take_answers(view, answers, error);
	if (answers)
		library->omap_get_end(answers);
	library->release_read_op(operation);
	if (failed)
		forget(view);
	return failed;
}

int prn_rados_need(struct prn_rados_view *view, const struct prn_rados_entry *names, size_t count, struct prn_error *error)
{
	const char **texts = NULL;
	size_t *lengths = NULL, asked = 0;
	int failed = 0;

	if (view->is_frozen || !count)
		return 0;
	texts = calloc(count, sizeof *texts);
	lengths = calloc(count, sizeof *lengths);
	if (!texts || !lengths || make_room(view, count))
		failed = prn_error_memory(error);
	for (size_t i = 0; i < count && !failed; i++) {
		struct prn_rados_entry *entry = place_of(view->known, view->capacity, names[i].name, names[i].name_bytes);

		if (entry->name)
			continue;
		texts[asked] = prn_rados_keep(view, names[i].name, names[i].name_bytes);
		if (!texts[asked]) {
			failed = prn_error_memory(error);
			forget(view);
			break;
		}
		*entry = (struct prn_rados_entry){ .name = texts[asked], .name_bytes = names[i].name_bytes };
		lengths[asked++] = names[i].name_bytes;
		view->known_count++;
	}
	if (!failed && asked)
		failed = ask(view, texts, lengths, asked, error);
	free(texts);
	free(lengths);
	return failed;
}

/* Listing all takes a question for a thousand entries. */
int prn_rados_consider_all(struct prn_rados_view *view, struct prn_error *error)
{
	struct prn_tables_size size;
	uint64_t entries = 0;
	int failed;

	if (view->is_frozen || !view->version || ++view->questions < FEW_QUESTIONS)
		return 0;
	failed = prn_rados_size(&view->head, &size, error);
	for (size_t i = 0; i < PRN_TABLES && !failed; i++)
		entries += size.entries[i];
	return !failed && view->questions >= FEW_QUESTIONS + entries / 1000 ? prn_rados_freeze(&view->head, error) : failed;
}

static int get_entry(struct prn_rados_view *view, enum prn_table table, struct prn_bytes key, const struct prn_rados_entry **entry,
                     struct prn_error *error)
{
	char name[PRN_RADOS_NAME_BYTES];
	size_t length = prn_rados_name(table, key, name);
	int failed;

	*entry = prn_rados_find(view, name, length);
	if (*entry)
		return 0;
	failed = prn_rados_consider_all(view, error);
	if (!failed)
		failed = prn_rados_need(view, &(struct prn_rados_entry){ .name = name, .name_bytes = length }, 1, error);
	if (!failed)
		*entry = prn_rados_find(view, name, length);
	return failed;
}

int prn_rados_get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
                  struct prn_error *error)
{
	const struct prn_rados_entry *entry;
	int failed = get_entry(prn_rados_view_of(view), table, key, &entry, error);

	if (failed)
		return failed;
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
	int failed;

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
	failed = prn_rados_need(view, names, count, error);
	free(names);
	free(text);
	return failed;
}

int prn_rados_get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                       struct prn_bytes *values, struct prn_error *error)
{
	struct prn_wanted *wanted = calloc(count ? count : 1, sizeof *wanted);
	int failed = wanted ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < count && !failed; i++)
		wanted[i] = (struct prn_wanted){ table, keys[i] };
	if (!failed)
		failed = prn_rados_want(view, wanted, count, error);
	for (size_t i = 0; i < count && !failed; i++) {
		failed = prn_rados_get(view, table, keys[i], &values[i], error);
		if (failed == PRN_E_NOT_FOUND) {
			values[i] = (struct prn_bytes){ NULL, 0 };
			failed = 0;
		}
	}
	free(wanted);
	return failed;
}

void prn_rados_counts_put(const struct prn_tables_size *size, unsigned char bytes[PRN_RADOS_COUNTS_BYTES])
{
	unsigned char *at = bytes;

	prn_big_put(&at, 8, size->bytes);
	for (size_t i = 0; i < PRN_TABLES; i++)
		prn_big_put(&at, 8, size->entries[i]);
}

/* A program that knows more tables finds nothing of the others. */
void prn_rados_counts_read(const struct prn_rados_entry *entry, struct prn_tables_size *size)
{
	const unsigned char *at = entry->value;

	*size = (struct prn_tables_size){ 0 };
	if (!at || entry->value_bytes < 8)
		return;
	size->bytes = prn_big_take(&at, 8);
	for (size_t i = 0; i < PRN_TABLES && (i + 2) * 8 <= entry->value_bytes; i++)
		size->entries[i] = prn_big_take(&at, 8);
}

int prn_rados_size(struct prn_view *head, struct prn_tables_size *size, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(head);
	const struct prn_rados_entry counts = { .name = PRN_RADOS_COUNTS, .name_bytes = 1 };
	int failed = prn_rados_need(view, &counts, 1, error);

	if (!failed)
		prn_rados_counts_read(prn_rados_find(view, counts.name, 1), size);
	return failed;
}
