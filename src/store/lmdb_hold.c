/*
 * A lock for the map under which a stream of short reads cannot starve a thread that waits to move the map: while somebody waits,
 * a thread that holds nothing queues behind.  A thread that holds the map already is let in, because the one that waits is waiting
 * for it; so holds are kept in a list, with the threads that took them.  A thread that waits gives up in the end, which also lets
 * in a thread whose hold was taken by another.
 */
#include "store/lmdb_internal.h"

#include "base/portable.h"

#include <time.h>

#define MOVE_WAIT_S 3

void prn_lmdb_holds_init(struct prn_lmdb_holds *holds)
{
	*holds = (struct prn_lmdb_holds){ 0 };
	pthread_mutex_init(&holds->lock, NULL);
	prn_condition_init(&holds->freed);
}

void prn_lmdb_holds_destroy(struct prn_lmdb_holds *holds)
{
	pthread_cond_destroy(&holds->freed);
	pthread_mutex_destroy(&holds->lock);
}

static bool holds_already(const struct prn_lmdb_holds *holds, pthread_t thread)
{
	for (const struct prn_lmdb_hold *hold = holds->first; hold; hold = hold->next)
		if (pthread_equal(hold->thread, thread))
			return true;
	return false;
}

void prn_lmdb_hold(struct prn_lmdb_holds *holds, struct prn_lmdb_hold *hold)
{
	pthread_mutex_lock(&holds->lock);
	*hold = (struct prn_lmdb_hold){ .thread = pthread_self() };
	while (holds->moving || (holds->waiting && !holds_already(holds, hold->thread)))
		pthread_cond_wait(&holds->freed, &holds->lock);
	hold->next = holds->first;
	if (hold->next)
		hold->next->before = hold;
	holds->first = hold;
	pthread_mutex_unlock(&holds->lock);
}

void prn_lmdb_let_go(struct prn_lmdb_holds *holds, struct prn_lmdb_hold *hold)
{
	pthread_mutex_lock(&holds->lock);
	if (hold->before)
		hold->before->next = hold->next;
	else
		holds->first = hold->next;
	if (hold->next)
		hold->next->before = hold->before;
	if (!holds->first)
		pthread_cond_broadcast(&holds->freed);
	pthread_mutex_unlock(&holds->lock);
}

bool prn_lmdb_move_begin(struct prn_lmdb_holds *holds, bool wait)
{
	struct timespec until;
	int late = wait ? 0 : 1;
	bool begun;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += MOVE_WAIT_S;
	pthread_mutex_lock(&holds->lock);
	holds->waiting++;
	while ((holds->first || holds->moving) && !late)
		late = prn_condition_wait_until(&holds->freed, &holds->lock, &until);
	holds->waiting--;
	begun = !holds->first && !holds->moving;
	if (begun)
		holds->moving = true;
	else
		pthread_cond_broadcast(&holds->freed);
	pthread_mutex_unlock(&holds->lock);
	return begun;
}

void prn_lmdb_move_end(struct prn_lmdb_holds *holds)
{
	pthread_mutex_lock(&holds->lock);
	holds->moving = false;
	pthread_cond_broadcast(&holds->freed);
	pthread_mutex_unlock(&holds->lock);
}
