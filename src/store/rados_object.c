/* An object of a pool, and operations on it. */
#include "store/rados_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void prn_rados_free(struct prn_tables *tables)
{
	struct prn_rados *rados = prn_rados_of(tables);

	if (rados->cluster)
		prn_rados_cluster_leave(rados->cluster);
	free(rados->object);
	free(rados);
}

/* beside: its connection is taken; NULL: that of the address. */
static int open_object(struct prn_rados **out, const struct prn_rados *beside, const char *place, struct prn_error *error)
{
	struct prn_rados *rados = calloc(1, sizeof *rados);
	struct prn_rados_address address = { 0 };
	int code;

	if (!rados)
		return prn_error_memory(error);
	code = prn_rados_address_read(&address, place, error);
	if (!code && !(rados->object = strdup(address.object)))
		code = prn_error_memory(error);
	if (!code && !beside) {
		code = prn_rados_cluster_join(&rados->cluster, &address, error);
	} else {
		free(address.copy);
		if (!code)
			prn_rados_cluster_stay(rados->cluster = beside->cluster);
	}
	if (code)
		prn_rados_free(&rados->head);
	else
		*out = rados;
	return code;
}

int prn_rados_connect(struct prn_rados **out, const char *place, struct prn_error *error)
{
	return open_object(out, NULL, place, error);
}

int prn_rados_beside(struct prn_rados **out, struct prn_rados *rados, const char *place, struct prn_error *error)
{
	return open_object(out, rados, place, error);
}

int prn_rados_fail(const struct prn_rados *rados, const char *what, int answer, struct prn_error *error)
{
	const char *pool = rados->cluster->address.pool, *object = rados->object;

	switch (answer) {
	case -ENOMEM:
		return prn_error_memory(error);
	case -ERANGE:
	case -EOVERFLOW:
		return prn_error_set(error, PRN_E_CONFLICT, "rados:%s/%s: another wrote first", pool, object);
	case -ENOENT:
		/* For a store that was open the same answer means something else. */
		if (rados->is_open)
			return prn_error_set(error, PRN_E_DAMAGED, "rados:%s/%s: the store was removed", pool, object);
		return prn_error_set(error, PRN_E_NOT_FOUND, "rados:%s/%s: there is no store: the pool has no such object", pool, object);
	case -ENOSPC:
	case -EDQUOT:
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: cannot %s: the pool is full: %s", pool, object, what,
		                     strerror(ENOSPC));
	case -ETIMEDOUT:
		return prn_error_set(error, PRN_E_BUSY, "rados:%s/%s: cannot %s: the cluster did not answer in time%s; 'ceph -s' "
		                     "tells its health", pool, object, what,
		                     strcmp(what, "read") ? ": it may be full, or have too few OSDs" : "");
	case -ESHUTDOWN:
	case -ENOTCONN:
		return prn_error_set(error, PRN_E_BUSY, "rados:%s/%s: cannot %s: the cluster has shut this client out", pool, object,
		                     what);
	default:
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: cannot %s: %s", pool, object, what, strerror(-answer));
	}
}

/* Takes the answer of an operation if answer 0 says that it was begun.  After a failure *version is as it was. */
static int finish(struct prn_rados_cluster *cluster, rados_completion_t completion, int answer, uint64_t *version)
{
	const struct prn_rados_library *library = &cluster->library;

	if (!answer) {
		library->aio_wait_for_complete(completion);
		answer = library->aio_get_return_value(completion);
		if (answer >= 0)
			*version = library->aio_get_version(completion);
	}
	library->aio_release(completion);
	if (answer == -ESHUTDOWN || answer == -ENOTCONN)
		cluster->is_shut = true;
	return answer < 0 ? answer : 0;
}

int prn_rados_read(struct prn_rados *rados, rados_read_op_t operation, uint64_t *version)
{
	struct prn_rados_cluster *cluster = rados->cluster;
	const struct prn_rados_library *library = &cluster->library;
	struct prn_rados_question question;
	rados_completion_t completion;
	int answer;

	if (!prn_rados_may_ask(cluster->reads, cluster, rados->object, &question))
		return -ETIMEDOUT;
	answer = library->aio_create_completion2(NULL, NULL, &completion) ? -ENOMEM : 0;
	if (!answer)
		answer = finish(cluster, completion, library->aio_read_op_operate(operation, cluster->pool, completion, rados->object, 0), version);
	prn_rados_heard(cluster->reads, &question, answer);
	return answer;
}

/*
 * A full pool does not answer until there is room.  With LIBRADOS_OPERATION_FULL_TRY it would answer at once, but OSDs would
 * accept omap entries, which they do not count, until they are beyond repair.
 */
int prn_rados_write_take(struct prn_rados *rados, rados_write_op_t operation, uint64_t *version)
{
	struct prn_rados_cluster *cluster = rados->cluster;
	const struct prn_rados_library *library = &cluster->library;
	struct prn_rados_question question;
	rados_completion_t completion;
	int answer = -ETIMEDOUT;

	if (prn_rados_may_ask(cluster->writes, cluster, rados->object, &question)) {
		answer = library->aio_create_completion2(NULL, NULL, &completion) ? -ENOMEM : 0;
		if (!answer)
			answer = finish(cluster, completion,
			                library->aio_write_op_operate(operation, cluster->pool, completion, rados->object, NULL, 0), version);
		prn_rados_heard(cluster->writes, &question, answer);
	}
	library->release_write_op(operation);
	return answer;
}
