#include "base/spare.h"

#include <pthread.h>
#include <stdlib.h>

struct prn_spare {
	size_t threads;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t left;  /* the last thread that did a piece has left off */
	unsigned holders;
	prn_spare_wake_fn *wake; /* NULL: it is closed */
	void *wake_context;
	prn_spare_work_fn *work; /* NULL: nothing is offered */
	void *context;
	unsigned busy; /* threads that are doing pieces */
};

struct prn_spare *prn_spare_open(size_t threads, prn_spare_wake_fn *wake, void *context)
{
	struct prn_spare *spare = calloc(1, sizeof *spare);

	if (!spare)
		return NULL;
	pthread_mutex_init(&spare->lock, NULL);
	pthread_cond_init(&spare->left, NULL);
	spare->threads = threads;
	spare->holders = 1;
	spare->wake = wake;
	spare->wake_context = context;
	return spare;
}

struct prn_spare *prn_spare_hold(struct prn_spare *spare)
{
	pthread_mutex_lock(&spare->lock);
	spare->holders++;
	pthread_mutex_unlock(&spare->lock);
	return spare;
}

void prn_spare_drop(struct prn_spare *spare)
{
	bool last;

	if (!spare)
		return;
	pthread_mutex_lock(&spare->lock);
	last = !--spare->holders;
	pthread_mutex_unlock(&spare->lock);
	if (!last)
		return;
	pthread_cond_destroy(&spare->left);
	pthread_mutex_destroy(&spare->lock);
	free(spare);
}

size_t prn_spare_threads(const struct prn_spare *spare)
{
	return spare->threads;
}

void prn_spare_close(struct prn_spare *spare)
{
	pthread_mutex_lock(&spare->lock);
	spare->wake = NULL;
	pthread_mutex_unlock(&spare->lock);
}

bool prn_spare_offer(struct prn_spare *spare, prn_spare_work_fn *work, void *context)
{
	bool taken;

	pthread_mutex_lock(&spare->lock);
	taken = spare->wake && !spare->work;
	if (taken) {
		spare->work = work;
		spare->context = context;
	}
	pthread_mutex_unlock(&spare->lock);
	return taken;
}

void prn_spare_withdraw(struct prn_spare *spare)
{
	pthread_mutex_lock(&spare->lock);
	spare->work = NULL;
	while (spare->busy)
		pthread_cond_wait(&spare->left, &spare->lock);
	pthread_mutex_unlock(&spare->lock);
}

void prn_spare_notify(struct prn_spare *spare)
{
	pthread_mutex_lock(&spare->lock);
	if (spare->wake)
		spare->wake(spare->wake_context);
	pthread_mutex_unlock(&spare->lock);
}

bool prn_spare_use(struct prn_spare *spare)
{
	prn_spare_work_fn *work;
	void *context;
	bool did = false;

	pthread_mutex_lock(&spare->lock);
	work = spare->wake ? spare->work : NULL;
	context = spare->context;
	spare->busy += work != NULL;
	pthread_mutex_unlock(&spare->lock);
	if (!work)
		return false;
	did = work(context);
	pthread_mutex_lock(&spare->lock);
	if (!--spare->busy)
		pthread_cond_broadcast(&spare->left);
	pthread_mutex_unlock(&spare->lock);
	return did;
}
