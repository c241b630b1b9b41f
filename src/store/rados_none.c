/* Takes the place of the engine if the program was built without librados. */
#include "store/tables.h"

static int refuse(const char *place, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_UNSUPPORTED, "rados:%s: this program was built without RADOS: build it where "
	                     "librados-dev is installed, or --with-rados", place);
}

static int create(const char *place, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	(void)changes;
	(void)count;
	return refuse(place, error);
}

static int open_none(struct prn_tables **out, const char *place, bool writable, double lock_wait_s, struct prn_error *error)
{
	(void)out;
	(void)writable;
	(void)lock_wait_s;
	return refuse(place, error);
}

/* The rest is asked of tables that are open. */
const struct prn_tables_kind prn_tables_rados = {
	.scheme = "rados", .in_cluster = true, .create = create, .open = open_none,
};
