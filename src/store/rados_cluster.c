/*
 * The connection to a cluster.  "rados:POOL/NAME" is the object NAME of a pool; "?conf=FILE" and "?id=USER" say how the cluster
 * is found, otherwise librados looks for it.
 */
#include "store/rados_internal.h"

#include "base/number.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The time that the cluster has for an answer, unless its configuration says otherwise, so that nothing waits without end. */
#define ANSWER_S "10"

/*
 * After so long without an answer librados asks for a newer map of the cluster.  By itself it does so after as long as a question is
 * given up, so that a program that asks one question at a time never would: it went on asking OSDs that were no longer to be asked.
 */
#define MAP_S "3"
#define MAP_LOOKED_AT_S "1"

#define NAME_BYTES 200

/* POOL/NAME?conf=FILE&id=USER, taken apart; all in one copy. */
struct address {
	char *copy;
	const char *pool, *object, *conf, *user;
};

static int refuse(const char *place, const char *why, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_ARGUMENT, "rados:%.300s: %s", place, why);
}

static int read_options(struct address *address, const char *place, char *options, struct prn_error *error)
{
	char *rest = NULL;

	for (char *option = strtok_r(options, "&", &rest); option; option = strtok_r(NULL, "&", &rest)) {
		if (!strncmp(option, "conf=", 5) && option[5])
			address->conf = option + 5;
		else if (!strncmp(option, "id=", 3) && option[3])
			address->user = option + 3;
		else
			return refuse(place, "after '?' stand conf=FILE and id=USER, with '&' between them", error);
	}
	return 0;
}

static int read_address(struct address *address, const char *place, struct prn_error *error)
{
	char *slash, *options;

	*address = (struct address){ .copy = strdup(place) };
	if (!address->copy)
		return prn_error_memory(error);
	options = strchr(address->copy, '?');
	if (options)
		*options++ = 0;
	slash = strchr(address->copy, '/');
	if (!slash || slash == address->copy || !slash[1])
		return refuse(place, "a store in RADOS is called rados:POOL/NAME", error);
	*slash = 0;
	address->pool = address->copy;
	address->object = slash + 1;
	if (strspn(address->object, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
	            strlen(address->object) ||
	    strlen(address->object) > NAME_BYTES)
		return refuse(place, "the name of a store has letters, digits, '.', '_' and '-', 200 at most", error);
	return options ? read_options(address, place, options, error) : 0;
}

/* Sets an option whose default has the program wait for ever, or for minutes. */
static void bound(const struct prn_rados *rados, const char *option, double least_s)
{
	char value[64];

	if (rados->library.conf_get(rados->cluster, option, value, sizeof value) || prn_number_scan(value, NULL) == least_s)
		rados->library.conf_set(rados->cluster, option, ANSWER_S);
}

/* librados would wait for whoever writes to a pipe, and read a device without end. */
static int check_configuration(const struct prn_rados *rados, struct prn_error *error)
{
	struct stat file;

	if (!rados->conf || stat(rados->conf, &file) || S_ISREG(file.st_mode))
		return 0;
	return prn_error_set(error, PRN_E_IO, "rados:%s/%s: the cluster's configuration %s is not a file", rados->pool_name, rados->object,
	                     rados->conf);
}

static int configure(struct prn_rados *rados, const char *user, struct prn_error *error)
{
	const struct prn_rados_library *library = &rados->library;
	int answer = library->create2(&rados->cluster, "ceph", user, 0);

	/* The user's name is written with its kind. */
	if (answer)
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: librados does not start: %s", rados->pool_name, rados->object,
		                     strerror(-answer));
	answer = library->conf_read_file(rados->cluster, rados->conf);
	if (answer)
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: cannot read the cluster's configuration%s%s: %s", rados->pool_name,
		                     rados->object, rados->conf ? " " : ", which ?conf=FILE names, or else CEPH_CONF or /etc/ceph/ceph.conf is", rados->conf ? rados->conf : "",
		                     strerror(-answer));
	library->conf_parse_env(rados->cluster, NULL);
	library->conf_set(rados->cluster, "log_to_stderr", "false");
	library->conf_set(rados->cluster, "err_to_stderr", "false");
	library->conf_set(rados->cluster, "objecter_timeout", MAP_S);
	library->conf_set(rados->cluster, "objecter_tick_interval", MAP_LOOKED_AT_S);
	bound(rados, "rados_osd_op_timeout", 0);
	bound(rados, "rados_mon_op_timeout", 0);
	bound(rados, "client_mount_timeout", 300);
	return 0;
}

static int join(struct prn_rados *rados, struct prn_error *error)
{
	int answer = rados->library.connect(rados->cluster);

	if (answer) {
		int code = answer == -ETIMEDOUT ? PRN_E_BUSY : PRN_E_IO;

		return prn_error_set(error, code, "rados:%s/%s: cannot reach the cluster: %s", rados->pool_name, rados->object,
		                     strerror(-answer));
	}
	answer = rados->library.ioctx_create(rados->cluster, rados->pool_name, &rados->pool);
	if (answer == -ENOENT)
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: the cluster has no pool '%s': 'ceph osd pool create %s' "
		                     "makes it", rados->pool_name, rados->object, rados->pool_name, rados->pool_name);
	return answer ? prn_rados_fail(rados, "open the pool", answer, error) : 0;
}

static int take_names(struct prn_rados *rados, const struct address *address, struct prn_error *error)
{
	rados->pool_name = strdup(address->pool);
	rados->object = strdup(address->object);
	rados->conf = address->conf ? strdup(address->conf) : NULL;
	return rados->pool_name && rados->object && (rados->conf || !address->conf) ? 0 : prn_error_memory(error);
}

static int remember_silence(struct prn_rados *rados, struct prn_error *error)
{
	rados->reads = prn_rados_silence_make(false);
	rados->writes = prn_rados_silence_make(true);
	return rados->reads && rados->writes ? 0 : prn_error_memory(error);
}

static void disconnect(struct prn_rados *rados)
{
	prn_rados_silence_free(rados->reads, rados);
	prn_rados_silence_free(rados->writes, rados);
	if (rados->pool)
		rados->library.ioctx_destroy(rados->pool);
	if (rados->cluster)
		rados->library.shutdown(rados->cluster);
	prn_rados_library_close(&rados->library);
}

void prn_rados_free(struct prn_tables *tables)
{
	struct prn_rados *rados = prn_rados_of(tables);

	if (!rados->owner)
		disconnect(rados);
	free(rados->pool_name);
	free(rados->object);
	free(rados->conf);
	free(rados);
}

int prn_rados_connect(struct prn_rados **out, const char *place, struct prn_error *error)
{
	struct prn_rados *rados = calloc(1, sizeof *rados);
	struct address address = { 0 };
	char user[NAME_BYTES + 16] = "client.admin";
	int code;

	if (!rados)
		return prn_error_memory(error);
	code = read_address(&address, place, error);
	if (!code && address.user && strlen(address.user) > NAME_BYTES)
		code = refuse(place, "the user's name is too long", error);
	if (!code && address.user)
		strcpy(user + strlen("client."), address.user);
	if (!code)
		code = take_names(rados, &address, error);
	if (!code)
		code = remember_silence(rados, error);
	if (!code)
		code = prn_rados_library_open(&rados->library, error);
	if (!code)
		code = check_configuration(rados, error);
	if (!code)
		code = configure(rados, user, error);
	if (!code)
		code = join(rados, error);
	free(address.copy);
	if (code)
		prn_rados_free(&rados->head);
	else
		*out = rados;
	return code;
}

int prn_rados_beside(struct prn_rados **out, struct prn_rados *rados, const char *place, struct prn_error *error)
{
	struct prn_rados *owner = rados->owner ? rados->owner : rados, *other = calloc(1, sizeof *other);
	struct address address = { 0 };
	int code;

	if (!other)
		return prn_error_memory(error);
	other->owner = owner;
	other->library = owner->library;
	other->cluster = owner->cluster;
	other->pool = owner->pool;
	other->reads = owner->reads;
	other->writes = owner->writes;
	code = read_address(&address, place, error);
	if (!code)
		code = take_names(other, &address, error);
	free(address.copy);
	if (code)
		prn_rados_free(&other->head);
	else
		*out = other;
	return code;
}

int prn_rados_fail(const struct prn_rados *rados, const char *what, int answer, struct prn_error *error)
{
	const char *pool = rados->pool_name, *object = rados->object;

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

/* Waits for the operation, if answer 0 says that it was begun.  After a failure *version is as it was. */
static int finish(const struct prn_rados_library *library, rados_completion_t completion, int answer, uint64_t *version)
{
	if (!answer) {
		library->aio_wait_for_complete(completion);
		answer = library->aio_get_return_value(completion);
		if (answer >= 0)
			*version = library->aio_get_version(completion);
	}
	library->aio_release(completion);
	return answer < 0 ? answer : 0;
}

int prn_rados_read(struct prn_rados *rados, rados_read_op_t operation, uint64_t *version)
{
	const struct prn_rados_library *library = &rados->library;
	struct prn_rados_question question;
	rados_completion_t completion;
	int answer;

	if (!prn_rados_may_ask(rados->reads, rados, &question))
		return -ETIMEDOUT;
	answer = library->aio_create_completion2(NULL, NULL, &completion) ? -ENOMEM : 0;
	if (!answer)
		answer = finish(library, completion, library->aio_read_op_operate(operation, rados->pool, completion, rados->object, 0), version);
	prn_rados_heard(rados->reads, &question, answer);
	return answer;
}

/*
 * A full pool does not answer until there is room.  With LIBRADOS_OPERATION_FULL_TRY it would answer at once, but OSDs would
 * accept omap entries, which they do not count, until they are beyond repair.
 */
int prn_rados_write_take(struct prn_rados *rados, rados_write_op_t operation, uint64_t *version)
{
	const struct prn_rados_library *library = &rados->library;
	struct prn_rados_question question;
	rados_completion_t completion;
	int answer = -ETIMEDOUT;

	if (prn_rados_may_ask(rados->writes, rados, &question)) {
		answer = library->aio_create_completion2(NULL, NULL, &completion) ? -ENOMEM : 0;
		if (!answer)
			answer = finish(library, completion,
			                library->aio_write_op_operate(operation, rados->pool, completion, rados->object, NULL, 0), version);
		prn_rados_heard(rados->writes, &question, answer);
	}
	library->release_write_op(operation);
	return answer;
}
