/* All entries of an object as they are at one moment. */
#include "store/rados_internal.h"

#include "base/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The entries in a part of a compound request, and the most parts; a part is small, so that it may have grown meanwhile. */
#define PART 512
#define PARTS 8192
#define TRIES 5

/* Listings go on from the last name, which librados takes as a C string. */
static bool can_be_listed(const char *name, size_t name_bytes)
{
	return name_bytes && name_bytes <= PRN_RADOS_NAME_BYTES && !memchr(name, 0, name_bytes);
}

static int refuse_name(struct prn_rados *rados, struct prn_error *error)
{
	const char *pool = rados->cluster->address.pool, *object = rados->object;

	return prn_error_set(error, PRN_E_DAMAGED, "rados:%s/%s: it has an entry that is none of a store's: its name is too long, or has a byte 0: "
	                     "'rados -p %s listomapkeys %s' shows it, 'rmomapkey' removes it", pool, object, pool, object);
}

int prn_rados_take(struct prn_rados_view *view, rados_omap_iter_t answers, struct prn_rados_entry **entries, size_t *count,
                        size_t *capacity, struct prn_error *error)
{
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->cluster->library;
	char *name, *value;
	size_t name_bytes, value_bytes;

	while (!library->omap_get_next2(answers, &name, &value, &name_bytes, &value_bytes) && name) {
		struct prn_rados_entry *grown = prn_array_grow(*entries, capacity, *count + 1, sizeof *grown);
		struct prn_rados_entry entry = { .name_bytes = name_bytes, .value_bytes = value_bytes };

		if (!grown)
			return prn_error_memory(error);
		*entries = grown;
		if (!can_be_listed(name, name_bytes))
			return refuse_name(prn_rados_of(view->head.tables), error);
		entry.name = prn_rados_keep(view, name, name_bytes);
		entry.value = prn_rados_keep(view, value, value_bytes);
		if (!entry.name || !entry.value)
			return prn_error_memory(error);
		grown[(*count)++] = entry;
	}
	return 0;
}

/* Lists all entries, one request at a time; *even: they are all of one version. */
static int list_all(struct prn_rados_view *view, bool *even, uint64_t *version, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	const struct prn_rados_library *library = &rados->cluster->library;
	char after[PRN_RADOS_NAME_BYTES + 1] = "";
	unsigned char more = 1;
	int code = 0;

	*even = true;
	view->all_count = 0;
	*version = 0;
	while (more && !code) {
		rados_omap_iter_t list = NULL;
		rados_read_op_t operation = library->create_read_op();
		uint64_t now = 0;
		int answer, inner = 0;

		if (!operation)
			return prn_error_memory(error);
		library->read_op_omap_get_vals2(operation, after, "", PRN_RADOS_ENTRIES, &list, &more, &inner);
		answer = prn_rados_read(rados, operation, &now);
		if (!answer && inner < 0)
			answer = inner;
		code = answer ? prn_rados_fail(rados, "read", answer, error)
		              : prn_rados_take(view, list, &view->all, &view->all_count, &view->all_capacity, error);
		if (!code && view->all_count) {
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
	return code;
}

/* A part of a compound request: the entries after one name, up to another. */
struct part {
	char *after; /* NUL-terminated */
	size_t after_bytes;
	rados_omap_iter_t list;
	unsigned char more;
	int answer;
};

/* Keeps the entries of a part up to where the next part begins; false: the part has more entries than came. */
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

/* Divides the listed entries into parts, [*count]; NULL: no memory. */
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

/* Asks for all parts in one request, which the OSD answers at one moment; *whole: no part had grown too much. */
static int ask_parts(struct prn_rados_view *view, struct part *parts, size_t count, bool *whole, uint64_t *version,
                     struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	const struct prn_rados_library *library = &rados->cluster->library;
	rados_read_op_t operation = library->create_read_op();
	int answer, code = 0;

	if (!operation)
		return prn_error_memory(error);
	for (size_t i = 0; i < count; i++)
		library->read_op_omap_get_vals2(operation, parts[i].after, "", PRN_RADOS_ENTRIES, &parts[i].list, &parts[i].more,
		                                &parts[i].answer);
	answer = prn_rados_read(rados, operation, version);
	view->all_count = 0;
	*whole = true;
	for (size_t i = 0; i < count; i++) {
		if (!answer && parts[i].answer < 0)
			answer = parts[i].answer;
		if (!answer && !code)
			code = prn_rados_take(view, parts[i].list, &view->all, &view->all_count, &view->all_capacity, error);
		if (!answer && !code)
			*whole &= cut_part(view, &parts[i], i + 1 < count ? &parts[i + 1] : NULL);
		if (parts[i].list)
			library->omap_get_end(parts[i].list);
	}
	library->release_read_op(operation);
	return answer ? prn_rados_fail(rados, "read", answer, error) : code;
}

/*
 * A listing takes many requests, between which others may write.  If they do, the listed names say where to divide the
 * entries for one compound request.
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
		         : count > PARTS ? prn_error_set(error, PRN_E_LIMIT, "%s: there are too many entries to be read at one moment",
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
