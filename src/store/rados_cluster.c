/*
 * Connections to clusters.  What is opened, made, looked at or removed in one pool by one user has one connection, as long as the process
 * has any of it open: to connect takes longer than all that is done with an object.
 */
#include "store/rados_internal.h"

#include "base/number.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list, and of the numbers of users */
static struct prn_rados_cluster *clusters;

/* Sets an option whose default has the program wait for ever, or for minutes. */
static void bound(const struct prn_rados_cluster *cluster, const char *option, double least_s)
{
	char value[64];

	if (cluster->library.conf_get(cluster->client, option, value, sizeof value) || prn_number_scan(value, NULL) == least_s)
		cluster->library.conf_set(cluster->client, option, ANSWER_S);
}

/* librados would wait for whoever writes to a pipe, and read a device without end. */
static int check_configuration(const struct prn_rados_address *address, struct prn_error *error)
{
	struct stat file;

	if (!address->conf || stat(address->conf, &file) || S_ISREG(file.st_mode))
		return 0;
	return prn_error_set(error, PRN_E_IO, "rados:%s/%s: the cluster's configuration %s is not a file", address->pool, address->object,
	                     address->conf);
}

static int configure(struct prn_rados_cluster *cluster, const struct prn_rados_address *address, struct prn_error *error)
{
	const struct prn_rados_library *library = &cluster->library;
	char user[sizeof "client." + PRN_RADOS_NAME];
	int answer;

	/* The user's name is written with its kind. */
	snprintf(user, sizeof user, "client.%s", address->user);
	answer = library->create2(&cluster->client, "ceph", user, 0);
	if (answer)
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: librados does not start: %s", address->pool, address->object,
		                     strerror(-answer));
	answer = library->conf_read_file(cluster->client, address->conf);
	if (answer)
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: cannot read the cluster's configuration%s%s: %s", address->pool,
		                     address->object, address->conf ? " " : ", which ?conf=FILE names, or else CEPH_CONF or /etc/ceph/ceph.conf is", address->conf ? address->conf : "",
		                     strerror(-answer));
	library->conf_parse_env(cluster->client, NULL);
	library->conf_set(cluster->client, "log_to_stderr", "false");
	library->conf_set(cluster->client, "err_to_stderr", "false");
	library->conf_set(cluster->client, "objecter_timeout", MAP_S);
	library->conf_set(cluster->client, "objecter_tick_interval", MAP_LOOKED_AT_S);
	bound(cluster, "rados_osd_op_timeout", 0);
	bound(cluster, "rados_mon_op_timeout", 0);
	bound(cluster, "client_mount_timeout", 300);
	return 0;
}

static int join(struct prn_rados_cluster *cluster, const struct prn_rados_address *address, struct prn_error *error)
{
	int answer = cluster->library.connect(cluster->client);

	if (answer) {
		int code = answer == -ETIMEDOUT ? PRN_E_BUSY : PRN_E_IO;

		return prn_error_set(error, code, "rados:%s/%s: cannot reach the cluster: %s", address->pool, address->object,
		                     strerror(-answer));
	}
	answer = cluster->library.ioctx_create(cluster->client, address->pool, &cluster->pool);
	if (answer == -ENOENT)
		return prn_error_set(error, PRN_E_IO, "rados:%s/%s: the cluster has no pool '%s': 'ceph osd pool create %s' "
		                     "makes it", address->pool, address->object, address->pool, address->pool);
	if (answer)
		return prn_error_set(error, answer == -ETIMEDOUT ? PRN_E_BUSY : PRN_E_IO, "rados:%s/%s: cannot open the pool: %s", address->pool,
		                     address->object, strerror(-answer));
	return 0;
}

/* What a cluster is found by. */
static bool is_same(const struct prn_rados_address *a, const struct prn_rados_address *b)
{
	return !strcmp(a->pool, b->pool) && !strcmp(a->user, b->user) && !strcmp(a->conf ? a->conf : "", b->conf ? b->conf : "");
}

static struct prn_rados_cluster *find(const struct prn_rados_address *address)
{
	struct prn_rados_cluster *found = NULL;

	pthread_mutex_lock(&lock);
	for (struct prn_rados_cluster *cluster = clusters; cluster && !found; cluster = cluster->next)
		if (!cluster->is_shut && is_same(&cluster->address, address))
			found = cluster;
	if (found)
		found->users++;
	pthread_mutex_unlock(&lock);
	return found;
}

static void list(struct prn_rados_cluster *cluster)
{
	pthread_mutex_lock(&lock);
	cluster->next = clusters;
	clusters = cluster;
	pthread_mutex_unlock(&lock);
}

/* Returns whether that was the last user; then it is no longer listed. */
static bool leave(struct prn_rados_cluster *cluster)
{
	bool last;

	pthread_mutex_lock(&lock);
	last = !--cluster->users;
	for (struct prn_rados_cluster **at = &clusters; last && *at; at = &(*at)->next)
		if (*at == cluster) {
			*at = cluster->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	return last;
}

void prn_rados_cluster_leave(struct prn_rados_cluster *cluster)
{
	if (!leave(cluster))
		return;
	prn_rados_silence_free(cluster->reads, cluster);
	prn_rados_silence_free(cluster->writes, cluster);
	if (cluster->pool)
		cluster->library.ioctx_destroy(cluster->pool);
	if (cluster->client)
		cluster->library.shutdown(cluster->client);
	prn_rados_library_close(&cluster->library);
	free(cluster->address.copy);
	free(cluster);
}

void prn_rados_cluster_stay(struct prn_rados_cluster *cluster)
{
	pthread_mutex_lock(&lock);
	cluster->users++;
	pthread_mutex_unlock(&lock);
}

static int connect_to(struct prn_rados_cluster *cluster, struct prn_error *error)
{
	const struct prn_rados_address *address = &cluster->address;
	int code;

	cluster->reads = prn_rados_silence_make(false);
	cluster->writes = prn_rados_silence_make(true);
	code = cluster->reads && cluster->writes ? 0 : prn_error_memory(error);
	if (!code)
		code = prn_rados_library_open(&cluster->library, error);
	if (!code)
		code = check_configuration(address, error);
	if (!code)
		code = configure(cluster, address, error);
	return code ? code : join(cluster, address, error);
}

/* Two threads that connect at a time have a connection each, which is no harm. */
int prn_rados_cluster_join(struct prn_rados_cluster **out, const struct prn_rados_address *address, struct prn_error *error)
{
	struct prn_rados_cluster *cluster = find(address);
	int code;

	if (cluster || !(cluster = calloc(1, sizeof *cluster))) {
		free(address->copy);
		*out = cluster;
		return cluster ? 0 : prn_error_memory(error);
	}
	cluster->users = 1;
	cluster->address = *address;
	code = connect_to(cluster, error);
	if (code) {
		prn_rados_cluster_leave(cluster);
		return code;
	}
	list(cluster);
	*out = cluster;
	return 0;
}
