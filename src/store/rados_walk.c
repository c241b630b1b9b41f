/* Entries of an object in order: some at a time, or all as they are at one moment. */
#include "store/rados_internal.h"

#include "base/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries that are asked for at a time: few at first, and at most as many as an OSD gives to one question. */
#define FIRST 128
#define MOST 1024

/* Of a compound question, so that each part may have grown meanwhile. */
#define PART 512
#define PARTS 8192
#define TRIES 5

struct walk {
	struct prn_walk head;
	enum prn_table table;
	char after[PRN_RADOS_NAME_BYTES + 1]; /* the last name that was read, or where to begin; NUL-terminated */
	size_t after_bytes;
	bool at;      /* the one of that name is wanted too */
	bool is_last; /* there are no more behind page */
	size_t most;  /* to be asked for next */
	struct prn_rados_entry *page; /* [count], of which next is the next */
	size_t count, next, capacity;
	bool in_all;  /* next is a place in all of the view, which was frozen, perhaps on the way */
};

int prn_rados_scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                   struct prn_error *error)
{
	struct walk *walk = calloc(1, sizeof *walk);

	if (!walk)
		return prn_error_memory(error);
	walk->head.view = view;
	walk->table = table;
	walk->after_bytes = prn_rados_name(table, from, walk->after);
	walk->at = true;
	walk->most = FIRST;
	*out = &walk->head;
	return 0;
}

void prn_rados_end(struct prn_walk *head)
{
	struct walk *walk = (struct walk *)head;

	free(walk->page);
	free(walk);
}

/* Appends what came to an array; of after, those behind it alone. */
static int take_entries(struct prn_rados_view *view, rados_omap_iter_t answers, struct prn_rados_entry **entries, size_t *count,
                        size_t *capacity, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->library;
	char *name, *value;
	size_t name_bytes, value_bytes;

	while (!library->omap_get_next2(answers, &name, &value, &name_bytes, &value_bytes) && name) {
		struct prn_rados_entry *grown = prn_array_grow(*entries, capacity, *count + 1, sizeof *grown);
		struct prn_rados_entry entry = { .name_bytes = name_bytes, .value_bytes = value_bytes };

		if (!grown)
			return prn_error_memory(error);
		*entries = grown;
		entry.name = prn_rados_keep(view, name, name_bytes);
		entry.value = prn_rados_keep(view, value, value_bytes);
		if (!entry.name || !entry.value)
			return prn_error_memory(error);
		grown[(*count)++] = entry;
	}
	return 0;
}

/* The next entries of the table; in the same question the one where the walk begins, which a listing leaves out. */
static int read_page(struct walk *walk, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(walk->head.view);
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->library;
	const char *first = walk->after, prefix[] = { PRN_RADOS_TABLE(walk->table), 0 };
	rados_omap_iter_t one = NULL, list = NULL;
	int one_answer = 0, list_answer = 0, failed;
	unsigned char more = 0;
	rados_read_op_t operation = library->create_read_op();

	if (!operation)
		return prn_error_memory(error);
	walk->count = walk->next = 0;
	if (walk->at)
		library->read_op_omap_get_vals_by_keys2(operation, &first, 1, &walk->after_bytes, &one, &one_answer);
	library->read_op_omap_get_vals2(operation, walk->after, prefix, walk->most, &list, &more, &list_answer);
	failed = prn_rados_read_at(view, operation, error);
	if (!failed && (one_answer < 0 || list_answer < 0))
		failed = prn_rados_fail(prn_rados_of(view->head.tables), "read", one_answer < 0 ? one_answer : list_answer, error);
	if (!failed && one)
		failed = take_entries(view, one, &walk->page, &walk->count, &walk->capacity, error);
	if (!failed)
		failed = take_entries(view, list, &walk->page, &walk->count, &walk->capacity, error);
	if (one)
		library->omap_get_end(one);
	if (list)
		library->omap_get_end(list);
	library->release_read_op(operation);
	walk->is_last = !more;
	walk->at = false;
	walk->most = MOST;
	return failed;
}

/* From what is frozen: the first at or behind where the walk begins, or behind what it has handed out. */
static void take_frozen(struct walk *walk)
{
	const struct prn_rados_view *view = prn_rados_view_of(walk->head.view);
	const struct prn_bytes from = { walk->after, walk->after_bytes };
	size_t low = 0, high = view->all_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct prn_rados_entry *entry = &view->all[middle];
		int order = prn_bytes_compare((struct prn_bytes){ entry->name, entry->name_bytes }, from);

		if (order < 0 || (!order && !walk->at))
			low = middle + 1;
		else
			high = middle;
	}
	walk->next = low;
	walk->in_all = true;
}

static const struct prn_rados_entry *next_frozen(struct walk *walk)
{
	const struct prn_rados_view *view = prn_rados_view_of(walk->head.view);
	const struct prn_rados_entry *entry;

	if (!walk->in_all)
		take_frozen(walk);
	if (walk->next == view->all_count)
		return NULL;
	entry = &view->all[walk->next++];
	return *entry->name == PRN_RADOS_TABLE(walk->table) ? entry : NULL;
}

/* *entry NULL at the end. */
static int next_entry(struct walk *walk, const struct prn_rados_entry **entry, struct prn_error *error)
{
	int failed = 0;

	if (prn_rados_view_of(walk->head.view)->is_frozen) {
		*entry = next_frozen(walk);
		return 0;
	}
	while (!failed && walk->next == walk->count && !walk->is_last) {
		failed = prn_rados_consider_all(prn_rados_view_of(walk->head.view), error);
		if (!failed && prn_rados_view_of(walk->head.view)->is_frozen)
			return next_entry(walk, entry, error);
		if (!failed)
			failed = read_page(walk, error);
	}
	*entry = failed || walk->next == walk->count ? NULL : &walk->page[walk->next++];
	if (*entry) {
		walk->after_bytes = (*entry)->name_bytes;
		memcpy(walk->after, (*entry)->name, walk->after_bytes);
		walk->after[walk->after_bytes] = 0;
	}
	return failed;
}

int prn_rados_next(struct prn_walk *head, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	struct walk *walk = (struct walk *)head;
	unsigned char bytes[PRN_TABLE_KEY_BYTES];
	const struct prn_rados_entry *entry;
	enum prn_table table;
	size_t length;
	int failed = next_entry(walk, &entry, error);

	if (failed || !entry)
		return failed;
	if (prn_rados_name_read((struct prn_bytes){ entry->name, entry->name_bytes }, &table, bytes, &length))
		return prn_error_set(error, PRN_E_DAMAGED, "%s: the object has an entry that is of no table",
		                     head->view->tables->address);
	key->data = prn_rados_keep(prn_rados_view_of(head->view), bytes, length);
	key->length = length;
	*value = (struct prn_bytes){ entry->value, entry->value_bytes };
	return key->data ? 1 : prn_error_memory(error);
}

/* All entries, a question at a time; *even: they are of one version. */
static int list_all(struct prn_rados_view *view, bool *even, uint64_t *version, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	const struct prn_rados_library *library = &rados->library;
	char after[PRN_RADOS_NAME_BYTES + 1] = "";
	unsigned char more = 1;
	int failed = 0;

	*even = true;
	view->all_count = 0;
	*version = 0;
	while (more && !failed) {
		rados_omap_iter_t list = NULL;
		rados_read_op_t operation = library->create_read_op();
		uint64_t now = 0;
		int answer, inner = 0;

		if (!operation)
			return prn_error_memory(error);
		library->read_op_omap_get_vals2(operation, after, "", MOST, &list, &more, &inner);
		answer = prn_rados_read(rados, operation, &now);
		if (!answer && inner < 0)
			answer = inner;
		failed = answer ? prn_rados_fail(rados, "read", answer, error)
		                : take_entries(view, list, &view->all, &view->all_count, &view->all_capacity, error);
		if (!failed && view->all_count) {
			const struct prn_rados_entry *last = &view->all[view->all_count - 1];

			memcpy(after, last->name, last->name_bytes);
			after[last->name_bytes] = 0;
		}
		*even &= !*version || now == *version;
		*version = now;
		if (list)
			library->omap_get_end(list);
		library->release_read_op(operation);
	}
	return failed;
}

/* A part of a compound question: what is behind one name, up to another. */
struct part {
	char *after; /* NUL-terminated */
	size_t after_bytes;
	rados_omap_iter_t list;
	unsigned char more;
	int answer;
};

/* Keeps what a part has up to where the next one begins; false: there is more of it than came. */
static bool cut_part(struct prn_rados_view *view, const struct part *part, const struct part *next)
{
	size_t before = view->all_count;
	bool beyond = !part->more;

	while (next && view->all_count &&
	       prn_bytes_compare((struct prn_bytes){ view->all[view->all_count - 1].name, view->all[view->all_count - 1].name_bytes },
	                         (struct prn_bytes){ next->after, next->after_bytes }) > 0) {
		view->all_count--;
		beyond = true;
	}
	if (next && !beyond && before && view->all_count == before)
		beyond = view->all[before - 1].name_bytes == next->after_bytes &&
		         !memcmp(view->all[before - 1].name, next->after, next->after_bytes);
	return beyond;
}

/* The parts of what was listed, [*count]; NULL without memory. */
static struct part *divide(struct prn_rados_view *view, size_t *count)
{
	struct part *parts;

	*count = view->all_count / PART + 1;
	parts = calloc(*count, sizeof *parts);
	for (size_t i = 0; parts && i < *count; i++) {
		const struct prn_rados_entry *entry = i ? &view->all[i * PART - 1] : NULL;

		parts[i].after_bytes = entry ? entry->name_bytes : 0;
		parts[i].after = prn_rados_keep(view, entry ? entry->name : "", parts[i].after_bytes + 1);
		if (!parts[i].after) {
			free(parts);
			return NULL;
		}
		parts[i].after[parts[i].after_bytes] = 0;
	}
	return parts;
}

/* Asks for all parts in one question, which the OSD answers at one moment; *whole: none had grown too much. */
static int ask_parts(struct prn_rados_view *view, struct part *parts, size_t count, bool *whole, uint64_t *version,
                     struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	const struct prn_rados_library *library = &rados->library;
	rados_read_op_t operation = library->create_read_op();
	int answer, failed = 0;

	if (!operation)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		library->read_op_omap_get_vals2(operation, parts[i].after, "", MOST, &parts[i].list, &parts[i].more,
		                                &parts[i].answer);
	answer = prn_rados_read(rados, operation, version);
	view->all_count = 0;
	*whole = true;
	for (size_t i = 0; i < count; i++) {
		if (!answer && parts[i].answer < 0)
			answer = parts[i].answer;
		if (!answer && !failed)
			failed = take_entries(view, parts[i].list, &view->all, &view->all_count, &view->all_capacity, error);
		if (!answer && !failed)
			*whole &= cut_part(view, &parts[i], i + 1 < count ? &parts[i + 1] : NULL);
		if (parts[i].list)
			library->omap_get_end(parts[i].list);
	}
	library->release_read_op(operation);
	return answer ? prn_rados_fail(rados, "read", answer, error) : failed;
}

/*
 * A listing takes many questions, between which others write.  Where they do, what came says where to divide the names for
 * one compound question.
 */
int prn_rados_freeze(struct prn_view *head, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(head);
	uint64_t version;
	bool whole;
	int failed = 0;

	if (view->is_frozen)
		return 0;
	failed = list_all(view, &whole, &version, error);
	for (int i = 0; !failed && !whole && i < TRIES; i++) {
		size_t count;
		struct part *parts = divide(view, &count);

		failed = !parts          ? prn_error_memory(error)
		         : count > PARTS ? prn_error_set(error, PRN_E_LIMIT, "%s: too many entries to be read at one moment",
		                                         head->tables->address)
		                         : ask_parts(view, parts, count, &whole, &version, error);
		free(parts);
	}
	if (!failed && (!whole || (view->version && version != view->version)))
		failed = prn_rados_fail(prn_rados_of(head->tables), "read", -ERANGE, error);
	if (failed)
		return failed;
	view->version = version;
	view->is_frozen = true;
	return 0;
}
