/* Spare time: who offers work has it done by others while they have nothing else to do, and gets it back. */
#include "base/spare.h"

#include "base/pipeline.h"
#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define PIECES 100

/* What is to be done: so many pieces, and how many were. */
struct pieces {
	atomic_int left, done, inside;
	atomic_bool held; /* pieces that were begun do not end */
};

static bool do_piece(void *context)
{
	struct pieces *pieces = context;

	if (atomic_fetch_sub(&pieces->left, 1) <= 0)
		return false;
	pieces->inside++;
	while (pieces->held)
		usleep(100);
	pieces->done++;
	pieces->inside--;
	return true;
}

static void count_wake(void *context)
{
	++*(int *)context;
}

/* Whether *value becomes what is wanted: it is waited for as long as it takes, up to a minute. */
static bool becomes(atomic_int *value, int wanted)
{
	for (int i = 0; i < 60000 && *value != wanted; i++)
		usleep(1000);
	return *value == wanted;
}

static void test_offer(void)
{
	struct pieces one = { .left = 1 }, other = { .left = 1 };
	int woken = 0;
	struct prn_spare *spare = prn_spare_open(3, count_wake, &woken);

	ok(prn_spare_threads(spare) == 3, "who offers learns how many threads there are");
	ok(!prn_spare_use(spare), "where nothing is offered nothing is done");
	ok(prn_spare_offer(spare, do_piece, &one), "what is offered first is taken up");
	ok(!prn_spare_offer(spare, do_piece, &other), "what is offered while there is something is not taken up");
	prn_spare_notify(spare);
	ok(woken == 1, "a thread is woken for each piece that is told of");
	ok(prn_spare_use(spare) && one.done == 1, "a thread does a piece of what was taken up");
	ok(!other.done, "nothing is done of what was not taken up");
	ok(!prn_spare_use(spare), "a thread is told that there is no piece left");
	prn_spare_withdraw(spare);
	ok(!prn_spare_use(spare), "what was withdrawn is not done");
	ok(prn_spare_offer(spare, do_piece, &other), "what is offered once the first is withdrawn is taken up");
	ok(prn_spare_use(spare) && other.done == 1, "a thread does a piece of what was taken up after the first");
	prn_spare_hold(spare);
	prn_spare_close(spare);
	prn_spare_drop(spare);
	prn_spare_notify(spare);
	ok(woken == 1, "nobody is woken once the spare threads are closed, though somebody holds them");
	other.left = 1;
	ok(!prn_spare_use(spare) && other.done == 1, "no piece is begun once it is closed");
	prn_spare_withdraw(spare);
	ok(!prn_spare_offer(spare, do_piece, &one), "nothing is taken up once it is closed");
	prn_spare_drop(spare);
}

static size_t no_work(void *context, size_t thread, struct prn_pipeline_item *item)
{
	(void)context, (void)thread, (void)item;
	return 0;
}

static void *withdraw(void *argument)
{
	prn_spare_withdraw(argument);
	return NULL;
}

static struct prn_pipeline *start(size_t threads)
{
	const struct prn_pipeline_options options = { .threads = threads, .queued_most = 1, .bytes_most = 1, .work = no_work };
	struct prn_pipeline *pipeline;

	if (prn_pipeline_open(&pipeline, &options) || prn_pipeline_threads(pipeline) != threads) {
		printf("Bail out! cannot start a pipeline\n");
		exit(1);
	}
	return pipeline;
}

static void test_pipeline(void)
{
	struct prn_pipeline *pipeline = start(2);
	struct prn_spare *spare = prn_spare_hold(prn_pipeline_spare(pipeline));
	struct pieces pieces = { .left = PIECES };
	pthread_t thread;

	prn_spare_offer(spare, do_piece, &pieces);
	prn_spare_notify(spare);
	ok(becomes(&pieces.done, PIECES), "a pipeline's threads do all pieces there are, though they were told of one");
	pieces.held = true;
	pieces.left = 2;
	prn_spare_notify(spare);
	prn_spare_notify(spare);
	ok(becomes(&pieces.inside, 2), "two threads that were told of a piece each do them at the same time");
	pthread_create(&thread, NULL, withdraw, spare);
	usleep(2000);
	ok(pieces.inside == 2, "who withdraws leaves what was begun alone");
	pieces.held = false;
	pthread_join(thread, NULL);
	ok(!pieces.inside && pieces.done == PIECES + 2, "who has withdrawn has waited for all that was begun");
	prn_spare_offer(spare, do_piece, &pieces);
	prn_pipeline_free(pipeline);
	pieces.left = 1;
	prn_spare_notify(spare);
	prn_spare_withdraw(spare);
	ok(pieces.done == PIECES + 2, "a pipeline may be freed before what is offered to it is withdrawn");
	prn_spare_drop(spare);
}

static void test_no_threads(void)
{
	struct prn_pipeline *pipeline = start(0);

	ok(!prn_pipeline_spare(pipeline), "a pipeline without threads has no time to spare");
	prn_pipeline_free(pipeline);
}

int main(void)
{
	test_offer();
	test_pipeline();
	test_no_threads();
	done();
}
