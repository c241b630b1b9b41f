/*
 * The functions of librados that the engine calls, found when a store in a cluster is opened: the library and the command
 * also run where librados is not installed.
 */
#ifndef STORE_RADOS_LIBRARY_H
#define STORE_RADOS_LIBRARY_H

#include <rados/librados.h>

#include "perennial/error.h"

#define PRN_RADOS_FUNCTIONS(F) \
	F(create2) F(conf_read_file) F(conf_parse_env) F(conf_get) F(conf_set) F(connect) F(shutdown) \
	F(ioctx_create) F(ioctx_destroy) F(remove) F(lock_exclusive) F(unlock) \
	F(aio_create_completion2) F(aio_wait_for_complete) F(aio_is_complete) F(aio_cancel) F(aio_get_return_value) F(aio_get_version) F(aio_release) \
	F(create_read_op) F(release_read_op) F(aio_read_op_operate) F(read_op_assert_version) F(read_op_stat) \
	F(read_op_getxattrs) F(getxattrs_next) F(getxattrs_end) \
	F(read_op_omap_get_vals2) F(read_op_omap_get_vals_by_keys2) F(omap_get_next2) F(omap_get_end) \
	F(create_write_op) F(release_write_op) F(aio_write_op_operate) F(write_op_create) F(write_op_assert_version) F(write_op_remove) \
	F(write_op_omap_set2) F(write_op_omap_rm_keys2)

struct prn_rados_library {
	void *object;
#define DECLARE(name) __typeof__(rados_##name) *name;
	PRN_RADOS_FUNCTIONS(DECLARE)
#undef DECLARE
};

/* PRN_E_UNSUPPORTED: not installed here, or too old; the text says what to install. */
int prn_rados_library_open(struct prn_rados_library *library, struct prn_error *error);
void prn_rados_library_close(struct prn_rados_library *library);

#endif
