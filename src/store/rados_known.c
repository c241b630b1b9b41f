/* The entries of an object that were read at one version: each is asked for once, and kept. */
#include "store/rados_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define CHUNK_BYTES 65536
#define FEWEST 64

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

/* Puts the values that came into the entries that were asked for. */
static int take_answers(struct prn_rados_view *view, rados_omap_iter_t answers, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->cluster->library;
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

/* Entries that could not be read are forgotten: they must not pass for entries that are not there. */
static void forget(struct prn_rados_view *view)
{
	view->known_count = view->capacity = 0;
	free(view->known);
	view->known = NULL;
}

static int ask(struct prn_rados_view *view, const char *const *names, const size_t *lengths, size_t count, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->cluster->library;
	rados_read_op_t operation = library->create_read_op();
	rados_omap_iter_t answers = NULL;
	int answer = 0, code;

	if (!operation)
		return prn_error_memory(error);
	library->read_op_omap_get_vals_by_keys2(operation, names, count, lengths, &answers, &answer);
	code = prn_rados_read_at(view, operation, error);
	if (!code && answer < 0)
		code = prn_rados_fail(prn_rados_of(view->head.tables), "read", answer, error);
	if (!code)
		code = take_answers(view, answers, error);
	if (answers)
		library->omap_get_end(answers);
	library->release_read_op(operation);
	if (code)
		forget(view);
	return code;
}

int prn_rados_need(struct prn_rados_view *view, const struct prn_rados_entry *names, size_t count, struct prn_error *error)
{
	const char **texts = NULL;
	size_t *lengths = NULL, asked = 0;
	int code = 0;

	if (view->is_frozen || !count)
		return 0;
	texts = calloc(count, sizeof *texts);
	lengths = calloc(count, sizeof *lengths);
	if (!texts || !lengths || make_room(view, count))
		code = prn_error_memory(error);
	for (size_t i = 0; i < count && !code; i++) {
		struct prn_rados_entry *entry = place_of(view->known, view->capacity, names[i].name, names[i].name_bytes);

		if (entry->name)
			continue;
		texts[asked] = prn_rados_keep(view, names[i].name, names[i].name_bytes);
		if (!texts[asked]) {
			code = prn_error_memory(error);
			forget(view);
			break;
		}
		*entry = (struct prn_rados_entry){ .name = texts[asked], .name_bytes = names[i].name_bytes };
		lengths[asked++] = names[i].name_bytes;
		view->known_count++;
	}
	if (!code && asked)
		code = ask(view, texts, lengths, asked, error);
	free(texts);
	free(lengths);
	return code;
}

