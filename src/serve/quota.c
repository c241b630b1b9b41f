#include "serve/quota.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A client that has uploads on their way: there are no more of them than connections. */
struct client {
	struct client *next;
	uint64_t bytes; /* > 0 */
	char name[SERVE_CLIENT_BYTES];
};

struct serve_quota {
	pthread_mutex_t lock;
	uint64_t total, client_most;
	uint64_t bytes, refused;
	struct client *clients;
};

int serve_quota_open(struct serve_quota **out, uint64_t total, uint64_t client)
{
	struct serve_quota *quota = calloc(1, sizeof *quota);

	if (!quota)
		return PRN_E_MEMORY;
	pthread_mutex_init(&quota->lock, NULL);
	quota->total = total;
	quota->client_most = client < total ? client : total;
	*out = quota;
	return 0;
}

void serve_quota_free(struct serve_quota *quota)
{
	if (!quota)
		return;
	pthread_mutex_destroy(&quota->lock);
	free(quota);
}

/* Returns the pointer that points to the client, or the one that ends the list. */
static struct client **find_client(struct serve_quota *quota, const char *name)
{
	struct client **at = &quota->clients;

	while (*at && strcmp((*at)->name, name))
		at = &(*at)->next;
	return at;
}

static int judge_room(const struct serve_quota *quota, uint64_t client_bytes, uint64_t bytes, struct prn_error *error)
{
	if (bytes > quota->client_most || client_bytes > quota->client_most - bytes)
		return prn_error_set(
			error, PRN_E_IO,
			"this client's uploads on their way may take %llu bytes together, and %llu are taken: send "
			"again when one is answered, or less at a time (--max-client-spool)",
			(unsigned long long)quota->client_most, (unsigned long long)client_bytes);
	if (bytes > quota->total || quota->bytes > quota->total - bytes)
		return prn_error_set(
			error, PRN_E_IO,
			"all uploads on their way may take %llu bytes together, and %llu are taken: send again "
			"later (--max-spool)",
			(unsigned long long)quota->total, (unsigned long long)quota->bytes);
	return 0;
}

/* Under the lock. */
static int take_bytes(struct serve_quota *quota, const char *name, uint64_t bytes, struct prn_error *error)
{
	struct client **at = find_client(quota, name);
	int code = judge_room(quota, *at ? (*at)->bytes : 0, bytes, error);

	if (code || !bytes)
		return code;
	if (!*at) {
		*at = calloc(1, sizeof **at);
		if (!*at)
			return prn_error_memory(error);
		strncpy((*at)->name, name, sizeof(*at)->name - 1);
	}
	(*at)->bytes += bytes;
	quota->bytes += bytes;
	return 0;
}

int serve_quota_take(struct serve_quota *quota, const char *client, uint64_t bytes, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&quota->lock);
	code = take_bytes(quota, client, bytes, error);
	quota->refused += code != 0;
	pthread_mutex_unlock(&quota->lock);
	return code;
}

void serve_quota_give(struct serve_quota *quota, const char *client, uint64_t bytes)
{
	struct client **at, *gone = NULL;

	pthread_mutex_lock(&quota->lock);
	at = find_client(quota, client);
	if (*at && bytes) {
		quota->bytes -= bytes;
		(*at)->bytes -= bytes;
		gone = (*at)->bytes ? NULL : *at;
	}
	if (gone)
		*at = gone->next;
	pthread_mutex_unlock(&quota->lock);
	free(gone);
}

uint64_t serve_quota_most(const struct serve_quota *quota)
{
	return quota->client_most;
}

void serve_quota_count(struct serve_quota *quota, uint64_t *bytes, uint64_t *refused)
{
	pthread_mutex_lock(&quota->lock);
	*bytes = quota->bytes;
	*refused = quota->refused;
	pthread_mutex_unlock(&quota->lock);
}
