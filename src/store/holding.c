#include "store/holding.h"

#include "base/monotonic.h"
#include "base/portable.h"

#include <pthread.h>
#include <stdlib.h>

struct prn_holding {
	const struct prn_store *store;
	double every_s;
	pthread_t thread;
	bool has_thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool ends;
	int lost; /* PRN_E_LIMIT: whoever had it may have changed what is made */
	struct prn_error why;
};

/* Called with the lock held.  If no answer comes, the next time may bring one. */
static int ask(struct prn_holding *holding, struct prn_error *error)
{
	int code = holding->lost;

	if (!code) {
		code = prn_store_hold(holding->store, &holding->why);
		holding->lost = code == PRN_E_LIMIT ? code : 0;
	}
	if (code && error)
		*error = holding->why;
	return code;
}

static void *renew(void *context)
{
	struct prn_holding *holding = context;

	pthread_mutex_lock(&holding->lock);
	while (!holding->ends && !holding->lost) {
		struct timespec until = prn_monotonic_timespec(prn_monotonic() + holding->every_s);
		int late = 0;

		while (!holding->ends && !late)
			late = prn_condition_wait_until(&holding->ended, &holding->lock, &until);
		if (!holding->ends)
			ask(holding, NULL);
	}
	pthread_mutex_unlock(&holding->lock);
	return NULL;
}

int prn_holding_begin(struct prn_holding **out, const struct prn_store *store, double every_s, struct prn_error *error)
{
	struct prn_holding *holding = calloc(1, sizeof *holding);
	int code;

	if (!holding)
		return prn_error_memory(error);
	holding->store = store;
	holding->every_s = every_s;
	pthread_mutex_init(&holding->lock, NULL);
	prn_condition_init(&holding->ended);
	code = ask(holding, error);
	/* A writer that is alone anyway asks for nothing. */
	if (!code && store->tables->kind->hold) {
		holding->has_thread = !pthread_create(&holding->thread, NULL, renew, holding);
		code = holding->has_thread ? 0 : prn_error_memory(error);
	}
	if (code)
		prn_holding_end(holding);
	else
		*out = holding;
	return code;
}

int prn_holding_check(struct prn_holding *holding, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&holding->lock);
	code = ask(holding, error);
	pthread_mutex_unlock(&holding->lock);
	return code;
}

void prn_holding_end(struct prn_holding *holding)
{
	if (!holding)
		return;
	pthread_mutex_lock(&holding->lock);
	holding->ends = true;
	pthread_cond_signal(&holding->ended);
	pthread_mutex_unlock(&holding->lock);
	if (holding->has_thread)
		pthread_join(holding->thread, NULL);
	pthread_cond_destroy(&holding->ended);
	pthread_mutex_destroy(&holding->lock);
	free(holding);
}
