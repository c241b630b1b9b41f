#include "serve/guard.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "base/portable.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLIENTS 64       /* clients that are remembered; the one that was silent longest makes room for another */
#define FORGOTTEN_S 60.0 /* a client that sent no wrong token for so long begins anew */
#define FIRST_S 0.1
#define NAME_BYTES 64

struct client {
	char name[NAME_BYTES]; /* "": a free place */
	unsigned wrong;        /* in a row */
	uint64_t unlogged;
	double last, logged;     /* monotonic seconds */
};

struct waiting {
	struct serve_request *request; /* NULL: a free place */
	void (*answer)(struct serve_request *request);
	double until;
};

struct serve_guard {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	serve_wrong_fn *tell;
	void *context;
	struct client clients[CLIENTS];
	bool ending;
	size_t most;
	struct waiting waiting[]; /* [most] */
};

/* Answers one whose time has come.  False: none; *next is when the first of those that wait is due. */
static bool answer_one(struct serve_guard *guard, double now, double *next)
{
	*next = INFINITY;
	for (size_t i = 0; i < guard->most; i++) {
		struct waiting one = guard->waiting[i];

		if (!one.request)
			continue;
		if (!guard->ending && one.until > now) {
			*next = fmin(*next, one.until);
			continue;
		}
		guard->waiting[i].request = NULL;
		pthread_mutex_unlock(&guard->lock);
		one.answer(one.request);
		pthread_mutex_lock(&guard->lock);
		return true;
	}
	return false;
}

static void *answer_late(void *argument)
{
	struct serve_guard *guard = argument;
	double next;

	pthread_mutex_lock(&guard->lock);
	for (;;) {
		if (answer_one(guard, prn_monotonic(), &next))
			continue;
		if (guard->ending)
			break;
		if (isinf(next)) {
			pthread_cond_wait(&guard->changed, &guard->lock);
		} else {
			struct timespec wake = prn_monotonic_timespec(next);

			prn_condition_wait_until(&guard->changed, &guard->lock, &wake);
		}
	}
	pthread_mutex_unlock(&guard->lock);
	return NULL;
}

int serve_guard_open(struct serve_guard **out, size_t most, serve_wrong_fn *tell, void *context,
                     struct prn_error *error)
{
	struct serve_guard *guard = calloc(1, sizeof *guard + most * sizeof *guard->waiting);

	if (!guard)
		return prn_error_memory(error);
	guard->most = most;
	guard->tell = tell;
	guard->context = context;
	pthread_mutex_init(&guard->lock, NULL);
	prn_condition_init(&guard->changed);
	if (pthread_create(&guard->thread, NULL, answer_late, guard)) {
		guard->ending = true;
		serve_guard_free(guard);
		return prn_thread_refused(error);
	}
	*out = guard;
	return 0;
}

/* Finds the place of a client; a new one gets a free place, or that of the client that was silent longest. */
static struct client *find_client(struct serve_guard *guard, const char *name, double now)
{
	struct client *found = &guard->clients[0];

	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *client = &guard->clients[i];

		if (!strcmp(client->name, name))
			return client;
		if (*found->name && (!*client->name || client->last < found->last))
			found = client;
	}
	*found = (struct client){ .last = now, .logged = -INFINITY };
	strcpy(found->name, name);
	return found;
}

double serve_guard_count(struct serve_guard *guard, const char *client, double now)
{
	char name[NAME_BYTES] = "";
	struct client *found;
	uint64_t tell = 0;
	double seconds;

	strncat(name, *client ? client : "?", sizeof name - 1);
	pthread_mutex_lock(&guard->lock);
	found = find_client(guard, name, now);
	if (now - found->last > FORGOTTEN_S)
		found->wrong = 0;
	found->last = now;
	seconds = fmin(ldexp(FIRST_S, (int)found->wrong), SERVE_GUARD_MOST_S);
	found->wrong += seconds < SERVE_GUARD_MOST_S;
	found->unlogged++;
	if (now - found->logged >= 1) {
		tell = found->unlogged;
		found->unlogged = 0;
		found->logged = now;
	}
	pthread_mutex_unlock(&guard->lock);
	if (tell && guard->tell)
		guard->tell(guard->context, name, tell);
	return seconds;
}

bool serve_guard_hold(struct serve_guard *guard, struct serve_request *request, double seconds,
                      void (*answer)(struct serve_request *request))
{
	bool held = false;

	pthread_mutex_lock(&guard->lock);
	for (size_t i = 0; i < guard->most && !held && !guard->ending; i++) {
		if (guard->waiting[i].request)
			continue;
		guard->waiting[i] = (struct waiting){ request, answer, prn_monotonic() + seconds };
		held = true;
	}
	pthread_cond_signal(&guard->changed);
	pthread_mutex_unlock(&guard->lock);
	return held;
}

void serve_guard_end(struct serve_guard *guard)
{
	bool running;

	pthread_mutex_lock(&guard->lock);
	running = !guard->ending;
	guard->ending = true;
	pthread_cond_signal(&guard->changed);
	pthread_mutex_unlock(&guard->lock);
	if (running)
		pthread_join(guard->thread, NULL);
}

void serve_guard_free(struct serve_guard *guard)
{
	if (!guard)
		return;
	serve_guard_end(guard);
	pthread_cond_destroy(&guard->changed);
	pthread_mutex_destroy(&guard->lock);
	free(guard);
}
