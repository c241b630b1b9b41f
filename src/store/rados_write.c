/* Changes of an object: one operation, which the cluster does whole or not at all, and only at the version they follow from. */
#include "store/rados_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* This much of a new object is written in one operation: OSDs take no more than 90 MB. */
#define PORTION_BYTES 16000000

#define MORE (PRN_RADOS_COUNTS + 1) /* entries that are set besides the changes: the counts, and one that says whether the object is whole */

#define TRIES 100 /* of a write that follows from nothing that was read */

/* What an operation is made of; arrays of one capacity, and the names as one run of bytes. */
struct writing {
	const char **set_names, **set_values, **removed_names;
	size_t *set_name_bytes, *set_value_bytes, *removed_bytes;
	size_t set_count, removed_count;
	struct prn_rados_entry *names; /* [count], of the changes, and those of counts */
	char *text;
	struct prn_rados_counts counts;
};

static void release(struct writing *writing)
{
	free(writing->set_names);
	free(writing->set_values);
	free(writing->removed_names);
	free(writing->set_name_bytes);
	free(writing->set_value_bytes);
	free(writing->removed_bytes);
	free(writing->names);
	free(writing->text);
}

static int prepare(struct writing *writing, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	size_t bytes = 1, used = 0;

	*writing = (struct writing){ 0 };
	prn_rados_counts_init(&writing->counts);
	for (size_t i = 0; i < count; i++)
		bytes += 1 + 2 * changes[i].key.length;
	writing->set_names = calloc(count + MORE, sizeof *writing->set_names);
	writing->set_values = calloc(count + MORE, sizeof *writing->set_values);
	writing->removed_names = calloc(count + 1, sizeof *writing->removed_names);
	writing->set_name_bytes = calloc(count + MORE, sizeof *writing->set_name_bytes);
	writing->set_value_bytes = calloc(count + MORE, sizeof *writing->set_value_bytes);
	writing->removed_bytes = calloc(count + 1, sizeof *writing->removed_bytes);
	writing->names = calloc(count + MORE, sizeof *writing->names);
	writing->text = malloc(bytes);
	if (!writing->set_names || !writing->set_values || !writing->removed_names || !writing->set_name_bytes ||
	    !writing->set_value_bytes || !writing->removed_bytes || !writing->names || !writing->text) {
		release(writing);
		return prn_error_memory(error);
	}
	for (size_t i = 0; i < count; i++) {
		writing->names[i].name = writing->text + used;
		writing->names[i].name_bytes = prn_rados_name(changes[i].table, changes[i].key, writing->text + used);
		used += writing->names[i].name_bytes;
	}
	return 0;
}

/* Prepares a write and makes its operation, which prn_rados_write_take releases. */
static int begin(const struct prn_rados *rados, struct writing *writing, const struct prn_change *changes, size_t count,
                 rados_write_op_t *operation, struct prn_error *error)
{
	int code = prepare(writing, changes, count, error);

	if (code)
		return code;
	*operation = rados->cluster->library.create_write_op();
	if (*operation)
		return 0;
	release(writing);
	return prn_error_memory(error);
}

static void set(struct writing *writing, const char *name, size_t name_bytes, const void *value, size_t value_bytes)
{
	size_t at = writing->set_count++;

	writing->set_names[at] = name;
	writing->set_name_bytes[at] = name_bytes;
	writing->set_values[at] = value_bytes ? value : "";
	writing->set_value_bytes[at] = value_bytes;
}

static void set_counts(struct writing *writing, const struct prn_tables_size *size)
{
	prn_rados_counts_set(&writing->counts, size);
	for (size_t i = 0; i < PRN_RADOS_COUNTS; i++) {
		const struct prn_rados_entry *entry = &writing->counts.entries[i];

		set(writing, entry->name, entry->name_bytes, entry->value, entry->value_bytes);
	}
}

static void set_mark(struct writing *writing, bool whole)
{
	if (whole)
		set(writing, PRN_RADOS_MARK, 1, "1", 1);
	else
		set(writing, PRN_RADOS_BEGUN, 1, PRN_RADOS_BEGUN_VALUE, strlen(PRN_RADOS_BEGUN_VALUE));
}

static void drop(struct writing *writing, const char *name, size_t name_bytes)
{
	writing->removed_names[writing->removed_count] = name;
	writing->removed_bytes[writing->removed_count++] = name_bytes;
}

static void add(struct writing *writing, const struct prn_change *change, const struct prn_rados_entry *name)
{
	if (change->removed)
		drop(writing, name->name, name->name_bytes);
	else
		set(writing, name->name, name->name_bytes, change->value.data, change->value.length);
}

/* Counts the entries and bytes of the tables after changes.  The entries that they change must be known to the view. */
static void count_changes(const struct prn_rados_view *view, const struct writing *writing, const struct prn_change *changes,
                          size_t count, struct prn_tables_size *size)
{
	for (size_t i = 0; i < count; i++) {
		const struct prn_rados_entry *name = &writing->names[i];
		const struct prn_rados_entry *before = view ? prn_rados_find(view, name->name, name->name_bytes) : NULL;

		if (before && before->value) {
			size->entries[changes[i].table]--;
			size->bytes -= name->name_bytes + before->value_bytes;
		}
		if (!changes[i].removed) {
			size->entries[changes[i].table]++;
			size->bytes += name->name_bytes + changes[i].value.length;
		}
	}
}

static int add_all(struct prn_rados_view *view, struct writing *writing, const struct prn_change *changes, size_t count,
                   struct prn_error *error)
{
	struct prn_tables_size size;
	int code;

	memcpy(writing->names + count, writing->counts.entries, sizeof writing->counts.entries);
	code = prn_rados_need(view, writing->names, count + PRN_RADOS_COUNTS, error);
	if (code)
		return code;
	prn_rados_counts_read(&writing->counts, view, &size);
	count_changes(view, writing, changes, count, &size);
	for (size_t i = 0; i < count; i++)
		add(writing, &changes[i], &writing->names[i]);
	set_counts(writing, &size);
	return 0;
}

static void put_all(const struct prn_rados *rados, rados_write_op_t operation, const struct writing *writing)
{
	rados->cluster->library.write_op_omap_set2(operation, writing->set_names, writing->set_values, writing->set_name_bytes,
	                                  writing->set_value_bytes, writing->set_count);
	if (writing->removed_count)
		rados->cluster->library.write_op_omap_rm_keys2(operation, writing->removed_names, writing->removed_bytes,
		                                      writing->removed_count);
}

int prn_rados_write_after(struct prn_view *head, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(head);
	struct prn_rados *rados = prn_rados_of(head->tables);
	struct writing writing;
	rados_write_op_t operation;
	uint64_t version;
	int answer, code = begin(rados, &writing, changes, count, &operation, error);

	if (code)
		return code;
	code = add_all(view, &writing, changes, count, error);
	if (code) {
		rados->cluster->library.release_write_op(operation);
	} else {
		rados->cluster->library.write_op_assert_version(operation, view->version);
		put_all(rados, operation, &writing);
		answer = prn_rados_write_take(rados, operation, &version);
		code = answer ? prn_rados_fail(rados, "write", answer, error) : 0;
	}
	release(&writing);
	return code;
}

/* This write follows from nothing that was read, so it does not matter if others write meanwhile. */
int prn_rados_write(struct prn_tables *tables, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	int code = PRN_E_CONFLICT;

	for (int i = 0; code == PRN_E_CONFLICT && i < TRIES; i++) {
		struct prn_view *view;

		code = prn_rados_view_open(&view, tables, error);
		if (code)
			return code;
		code = prn_rados_write_after(view, changes, count, error);
		prn_rados_view_close(view);
	}
	return code;
}

/* Returns how many changes, from the first on, one operation takes. */
static size_t portion(const struct prn_change *changes, size_t count)
{
	size_t bytes = 0, taken = 0;

	while (taken < count && bytes < PORTION_BYTES)
		bytes += changes[taken].key.length + changes[taken].value.length + 64, taken++;
	return taken;
}

/* Says what is in the way of a new object. */
static int refuse_taken(struct prn_rados *rados, struct prn_error *error)
{
	enum prn_standing standing = PRN_STANDING_TABLES;
	struct prn_view *view;

	if (!prn_rados_view_open(&view, &rados->head, NULL)) {
		prn_rados_marks(prn_rados_view_of(view), &standing, NULL);
		prn_rados_view_close(view);
	}
	return prn_rados_refuse(rados, standing, PRN_E_IO, error);
}

/*
 * *version 0: the object is made; otherwise it must be as the last portion left it, because after a long pause another may have removed
 * it, or made it anew.  counts: those of the whole store; NULL: more portions will come.  marked: the object is a store from now on; until
 * then it says that it was begun.
 */
static int put_portion(struct prn_rados *rados, const struct prn_change *changes, size_t count, uint64_t *version,
                       const struct prn_tables_size *counts, bool marked, struct prn_error *error)
{
	struct writing writing;
	rados_write_op_t operation;
	int answer, code = begin(rados, &writing, changes, count, &operation, error);

	if (code)
		return code;
	if (*version)
		rados->cluster->library.write_op_assert_version(operation, *version);
	else
		rados->cluster->library.write_op_create(operation, LIBRADOS_CREATE_EXCLUSIVE, NULL);
	for (size_t i = 0; i < count; i++)
		add(&writing, &changes[i], &writing.names[i]);
	if (counts)
		set_counts(&writing, counts);
	if (marked || !*version)
		set_mark(&writing, marked);
	if (marked && *version)
		drop(&writing, PRN_RADOS_BEGUN, 1);
	put_all(rados, operation, &writing);
	answer = prn_rados_write_take(rados, operation, version);
	release(&writing);
	if (answer == -EEXIST)
		code = refuse_taken(rados, error);
	else if (answer)
		code = prn_rados_fail(rados, rados->is_open ? "write" : "make a store", answer, error);
	return code;
}

/* The last portion of changes, with the counts; names that no table has are no changes, and go in the same operation. */
static int put_last(struct prn_rados *rados, const struct prn_change *changes, size_t count, const struct prn_rados_entry *strays,
                    size_t stray_count, uint64_t after, const struct prn_tables_size *size, struct prn_error *error)
{
	const char **names = calloc(stray_count + 1, sizeof *names);
	size_t *lengths = calloc(stray_count + 1, sizeof *lengths);
	struct writing writing;
	rados_write_op_t operation;
	int answer = 0, code = names && lengths ? begin(rados, &writing, changes, count, &operation, error) : prn_error_memory(error);

	if (!code) {
		for (size_t i = 0; i < stray_count; i++) {
			names[i] = strays[i].name;
			lengths[i] = strays[i].name_bytes;
		}
		for (size_t i = 0; i < count; i++)
			add(&writing, &changes[i], &writing.names[i]);
		set_counts(&writing, size);
		rados->cluster->library.write_op_assert_version(operation, after);
		if (stray_count)
			rados->cluster->library.write_op_omap_rm_keys2(operation, names, lengths, stray_count);
		put_all(rados, operation, &writing);
		answer = prn_rados_write_take(rados, operation, &after);
		release(&writing);
	}
	free(names);
	free(lengths);
	return answer ? prn_rados_fail(rados, "write", answer, error) : code;
}

int prn_rados_put_in_order(struct prn_view *view, const struct prn_change *changes, size_t count, const struct prn_rados_entry *strays,
                           size_t stray_count, const struct prn_tables_size *size, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->tables);
	uint64_t version = prn_rados_view_of(view)->version;
	size_t done = 0;
	int code = 0;

	/* There may be no changes, but strays and counts. */
	while (!code && count && done + portion(changes + done, count - done) < count) {
		size_t taken = portion(changes + done, count - done);

		code = put_portion(rados, changes + done, taken, &version, NULL, false, error);
		done += taken;
	}
	return code ? code : put_last(rados, done ? changes + done : changes, count - done, strays, stray_count, version, size, error);
}

/* Removes the object, unless another has written to it, or made it anew, since it had this version. */
static int take_away(struct prn_rados *rados, uint64_t version, struct prn_error *error)
{
	rados_write_op_t operation = rados->cluster->library.create_write_op();
	int answer;

	if (!operation)
		return prn_error_memory(error);
	rados->cluster->library.write_op_assert_version(operation, version);
	rados->cluster->library.write_op_remove(operation);
	answer = prn_rados_write_take(rados, operation, &version);
	return answer ? prn_rados_fail(rados, "remove", answer, error) : 0;
}

int prn_rados_remove_after(struct prn_view *view, struct prn_error *error)
{
	return take_away(prn_rados_of(view->tables), prn_rados_view_of(view)->version, error);
}

int prn_rados_make(struct prn_rados *rados, const struct prn_change *changes, size_t count, prn_verify_fn *verify,
                   void *context, struct prn_error *error)
{
	struct prn_tables_size size = { 0 };
	struct writing names;
	uint64_t version = 0;
	size_t done = 0;
	int code = prepare(&names, changes, count, error);

	if (code)
		return code;
	count_changes(NULL, &names, changes, count, &size);
	release(&names);
	do {
		size_t taken = portion(changes + done, count - done);
		bool last = done + taken == count;

		code = put_portion(rados, changes + done, taken, &version, last ? &size : NULL, last && !verify, error);
		/* The object that is there was made by another. */
		if (code && !done)
			return code;
		done += taken;
	} while (!code && done < count);
	if (!code && verify) {
		code = verify(context, &rados->head, error);
		if (!code)
			code = put_portion(rados, NULL, 0, &version, NULL, true, error);
	}
	if (code)
		take_away(rados, version, NULL);
	return code;
}
