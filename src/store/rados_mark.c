/* The entries of an object that say what it is. */
#include "store/rados_internal.h"

#include <string.h>

static bool has_value(const struct prn_rados_entry *entry, const char *value)
{
	return entry->value && entry->value_bytes == strlen(value) && !memcmp(entry->value, value, entry->value_bytes);
}

int prn_rados_marks(struct prn_rados_view *view, enum prn_standing *standing, struct prn_error *error)
{
	const struct prn_rados_entry marks[] = { { .name = PRN_RADOS_MARK, .name_bytes = 1 }, { .name = PRN_RADOS_BEGUN, .name_bytes = 1 } };
	int code = prn_rados_need(view, marks, 2, error);

	if (!code)
		*standing = prn_rados_find(view, PRN_RADOS_MARK, 1)->value                                ? PRN_STANDING_TABLES
		            : has_value(prn_rados_find(view, PRN_RADOS_BEGUN, 1), PRN_RADOS_BEGUN_VALUE) ? PRN_STANDING_BEGUN
		                                                                                         : PRN_STANDING_FOREIGN;
	return code;
}

int prn_rados_refuse(const struct prn_rados *rados, enum prn_standing standing, int code, struct prn_error *error)
{
	const char *pool = rados->cluster->address.pool, *object = rados->object;

	if (standing == PRN_STANDING_BEGUN)
		return prn_error_set(error, code, "rados:%s/%s: this is not a store, but one that is being made, or whose making was cut off: "
		                     "'rados -p %s rm %s' removes it", pool, object, pool, object);
	if (standing == PRN_STANDING_FOREIGN)
		return prn_error_set(error, code, "rados:%s/%s: this is not a store, but something else's object, or was begun by an older program; it is "
		                     "left as it is: take another name, or, if nobody needs it, remove it yourself: 'rados -p %s rm %s'",
		                     pool, object, pool, object);
	return prn_error_set(error, code, "rados:%s/%s: a store is there already", pool, object);
}
