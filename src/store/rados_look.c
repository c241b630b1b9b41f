/* What stands in the place of an object: only what this engine began there and did not finish may be removed unasked. */
#include "store/rados_internal.h"

#include <string.h>

#define LOCK_ATTRIBUTE "lock." PRN_RADOS_LOCK /* in which OSDs keep the lock */

/* Whether the object has neither bytes nor attributes, beside its lock: stores have entries alone. */
static int check_bare(struct prn_rados_view *view, bool *is_bare, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	const struct prn_rados_library *library = &rados->cluster->library;
	rados_read_op_t operation = library->create_read_op();
	rados_xattrs_iter_t attributes = NULL;
	const char *name, *value;
	int of_size = 0, of_attributes = 0, code;
	uint64_t size = 0;
	size_t bytes;
	time_t time;

	if (!operation)
		return prn_error_memory(error);
	library->read_op_stat(operation, &size, &time, &of_size);
	library->read_op_getxattrs(operation, &attributes, &of_attributes);
	code = prn_rados_read_at(view, operation, error);
	if (!code && (of_size < 0 || of_attributes < 0))
		code = prn_rados_fail(rados, "read", of_size < 0 ? of_size : of_attributes, error);
	*is_bare = !size;
	while (!code && attributes && !library->getxattrs_next(attributes, &name, &value, &bytes) && name)
		*is_bare &= !strcmp(name, LOCK_ATTRIBUTE);
	if (attributes)
		library->getxattrs_end(attributes);
	library->release_read_op(operation);
	return code;
}

static bool is_own(const struct prn_rados_entry *entry)
{
	unsigned char key[PRN_TABLE_KEY_BYTES];
	enum prn_table table;
	size_t length;

	return *entry->name == *PRN_RADOS_BEGUN || *entry->name == PRN_RADOS_COUNT ||
	       !prn_rados_name_read((struct prn_bytes){ entry->name, entry->name_bytes }, &table, key, &length);
}

/* Whether all of an object that says it was begun is of this engine's making. */
static int check_own(struct prn_rados_view *view, bool *own, struct prn_error *error)
{
	int code = check_bare(view, own, error);

	if (code || !*own)
		return code;
	code = prn_rados_freeze(&view->head, error);
	/* An entry whose name no program writes. */
	*own = code != PRN_E_DAMAGED;
	if (code)
		return *own ? code : 0;
	for (size_t i = 0; i < view->all_count && *own; i++)
		*own = is_own(&view->all[i]);
	return 0;
}

static int clear_made_by(struct prn_rados_view *view, struct prn_error *error)
{
	struct prn_rados *rados = prn_rados_of(view->head.tables);
	enum prn_standing standing;
	bool is_bare = false;
	int code = prn_rados_marks(view, &standing, error);

	if (code || standing != PRN_STANDING_FOREIGN)
		return code;
	code = check_bare(view, &is_bare, error);
	if (!code && is_bare)
		code = prn_rados_freeze(&view->head, error);
	if (code || !is_bare || view->all_count)
		return code;
	code = prn_rados_remove_after(&view->head, error);
	return code ? code : prn_error_set(error, PRN_E_NOT_FOUND, "rados:%s/%s: another process has just removed it", rados->cluster->address.pool, rados->object);
}

int prn_rados_clear_made(struct prn_rados *rados, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_rados_view_open(&view, &rados->head, error);

	if (code)
		return code;
	code = clear_made_by(prn_rados_view_of(view), error);
	prn_rados_view_close(view);
	return code;
}

static int look_by(struct prn_rados_view *view, bool remove_begun, enum prn_standing *standing, struct prn_error *error)
{
	bool own = true;
	int code = prn_rados_marks(view, standing, error);

	if (code == PRN_E_NOT_FOUND) {
		*standing = PRN_STANDING_NOTHING;
		return 0;
	}
	if (code || *standing != PRN_STANDING_BEGUN)
		return code;
	code = check_own(view, &own, error);
	if (!code && !own)
		*standing = PRN_STANDING_FOREIGN;
	else if (!code && remove_begun)
		code = prn_rados_remove_after(&view->head, error);
	return code;
}

int prn_rados_look(const char *place, bool remove_begun, enum prn_standing *standing, struct prn_error *error)
{
	struct prn_error why = { 0 };
	struct prn_rados *rados;
	struct prn_view *view;
	int code = prn_rados_connect(&rados, place, error);

	if (code)
		return code;
	code = prn_rados_view_open(&view, &rados->head, &why);
	if (!code) {
		code = look_by(prn_rados_view_of(view), remove_begun, standing, &why);
		prn_rados_view_close(view);
	}
	if (!code && *standing == PRN_STANDING_FOREIGN)
		code = prn_rados_refuse(rados, *standing, PRN_E_DAMAGED, &why);
	if (code && error)
		*error = why;
	prn_rados_free(&rados->head);
	return code;
}
