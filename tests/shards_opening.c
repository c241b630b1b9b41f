/*
 * Shards of a cluster (in memory) that are opened and closed by several threads: who opens one keeps nobody from the others, and nobody
 * opens it a second time.
 */
#include "desk.h"
#include "librados.h"

#include "decide/shards.h"

#include <sched.h>

#define STORE "rados:pool/opening?conf=none"
#define SHARDS 16
#define PATIENCE_S 20

/* A thread that has a gate waits before its first operation of the cluster until the gate is open. */
struct gate {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	bool is_reached, is_open;
};

/* One thread that asks for something, and what came of it. */
struct asker {
	pthread_t thread;
	struct gate *gate;
	struct prn_decider *root;
	size_t place;
	struct prn_decider *got;
	int code;
	bool is_done;
};

static struct gate gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false };
static _Thread_local struct gate *own;
static _Thread_local bool counts;
static unsigned counted;          /* operations of threads that count theirs */
static bool is_closing, was_closing; /* a shard is being closed, and was when one of those came */

static void wait_for(pthread_cond_t *moved, pthread_mutex_t *lock, const bool *event)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE_S;
	while (!*event && !pthread_cond_timedwait(moved, lock, &end))
		;
}

static void pass(struct gate *at)
{
	pthread_mutex_lock(&at->lock);
	at->is_reached = true;
	pthread_cond_broadcast(&at->moved);
	wait_for(&at->moved, &at->lock, &at->is_open);
	pthread_mutex_unlock(&at->lock);
}

static void before_operation(void)
{
	struct gate *at = own;

	own = NULL;
	if (at)
		pass(at);
	if (!counts)
		return;
	pthread_mutex_lock(&gate.lock);
	counted++;
	was_closing |= is_closing;
	pthread_mutex_unlock(&gate.lock);
}

static void shut(void)
{
	gate.is_reached = gate.is_open = is_closing = was_closing = false;
	counted = 0;
}

static void await_gate(void)
{
	pthread_mutex_lock(&gate.lock);
	wait_for(&gate.moved, &gate.lock, &gate.is_reached);
	must(gate.is_reached, "come to the gate");
	pthread_mutex_unlock(&gate.lock);
}

static void open_gate(void)
{
	pthread_mutex_lock(&gate.lock);
	gate.is_open = true;
	pthread_cond_broadcast(&gate.moved);
	pthread_mutex_unlock(&gate.lock);
}

/* The decider's closing, which a thread with a gate does not come to the end of either. */
void __real_prn_decider_free_alone(struct prn_decider *decider);
void __wrap_prn_decider_free_alone(struct prn_decider *decider);

void __wrap_prn_decider_free_alone(struct prn_decider *decider)
{
	struct gate *at = own;

	own = NULL;
	if (at) {
		is_closing = true;
		pass(at);
	}
	__real_prn_decider_free_alone(decider);
	if (at)
		is_closing = false;
}

static void finish(struct asker *asker)
{
	pthread_mutex_lock(&gate.lock);
	asker->is_done = true;
	pthread_cond_broadcast(&gate.moved);
	pthread_mutex_unlock(&gate.lock);
}

static void *ask_shard(void *context)
{
	struct asker *asker = context;

	own = asker->gate;
	counts = !asker->gate;
	asker->code = prn_shards_get(asker->root, asker->place, true, &asker->got, NULL);
	finish(asker);
	return NULL;
}

static void *ask_price(void *context)
{
	struct asker *asker = context;
	struct prn_price price;

	own = asker->gate;
	counts = !asker->gate;
	asker->code = prn_shards_price(asker->root, &price, NULL);
	finish(asker);
	return NULL;
}

static void *end_use(void *context)
{
	struct asker *asker = context;

	own = asker->gate;
	prn_shards_done(asker->got);
	finish(asker);
	return NULL;
}

static void begin(struct asker *asker, void *run(void *), struct prn_decider *root, size_t place, struct gate *at)
{
	*asker = (struct asker){ .gate = at, .root = root, .place = place };
	must(!pthread_create(&asker->thread, NULL, run, asker), "start a thread");
}

/* Whether it ends before the gate is open. */
static bool ends(struct asker *asker)
{
	bool done;

	pthread_mutex_lock(&gate.lock);
	wait_for(&gate.moved, &gate.lock, &asker->is_done);
	done = asker->is_done;
	pthread_mutex_unlock(&gate.lock);
	return done;
}

static void join(struct asker *asker)
{
	must(!pthread_join(asker->thread, NULL), "join a thread");
}

/* Gives other threads the time to do what they should not. */
static void linger(void)
{
	const struct timespec pause = { .tv_nsec = 50000000 };

	nanosleep(&pause, NULL);
}

static struct prn_decider *open_root(struct desk *desk)
{
	const struct prn_decider_settings settings = { .threshold = 0.05, .shards = SHARDS };

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, STORE);
	desk_create(desk, &settings);
	return desk->decider;
}

static void test_others(struct prn_decider *root)
{
	struct prn_decider_options options = root->options;
	struct asker slow, same[2], other;

	shut();
	begin(&slow, ask_shard, root, 0, &gate);
	await_gate();
	begin(&other, ask_shard, root, 1, NULL);
	ok(ends(&other), "while one shard is opened another can be");
	for (unsigned i = 0; i < 2; i++)
		begin(&same[i], ask_shard, root, 0, NULL);
	options.host_delay_s = 77;
	must(!prn_decider_set_options(root, &options, NULL), "set options");
	linger();
	open_gate();
	join(&slow);
	join(&other);
	join(&same[0]);
	join(&same[1]);
	ok(!slow.code && !other.code,
	   "who waits for a shard that is opened slowly, and who asks for another, have theirs in the end");
	ok(!same[0].code && !same[1].code, "all who ask for a shard that is being opened have it in the end");
	ok(slow.got == same[0].got && slow.got == same[1].got, "who asks for a shard that is being opened is given that one");
	near(slow.got->options.host_delay_s, 77, 0, "options that are set while a shard is opened are its own");
	prn_shards_done(slow.got);
	prn_shards_done(other.got);
	prn_shards_done(same[0].got);
	prn_shards_done(same[1].got);
}

static void test_closing(struct desk *desk)
{
	struct prn_decider *root;
	struct asker closer, again;

	desk_reopen(desk);
	root = desk->decider;
	shut();
	root->shards->most = 0;
	closer = (struct asker){ .gate = &gate, .root = root };
	must(!prn_shards_get(root, 2, true, &closer.got, NULL), "open a shard");
	must(!pthread_create(&closer.thread, NULL, end_use, &closer), "start a thread");
	await_gate();
	begin(&again, ask_shard, root, 2, NULL);
	linger();
	open_gate();
	join(&closer);
	join(&again);
	ok(!again.code && counted > 0, "a shard that was being closed is opened again for who asks for it");
	ok(!was_closing, "a shard is not opened while it is still being closed");
	prn_shards_done(again.got);
}

static void test_price(struct prn_decider *root)
{
	struct asker slow, other, second;
	struct prn_price price;

	shut();
	prn_shards_price_changed(root);
	begin(&slow, ask_price, root, 0, &gate);
	await_gate();
	begin(&other, ask_shard, root, 0, NULL);
	ok(ends(&other), "while the root's threshold is read, shards are had");
	prn_shards_done(other.got);
	counted = 0;
	begin(&second, ask_price, root, 0, NULL);
	linger();
	open_gate();
	join(&slow);
	join(&other);
	join(&second);
	ok(!slow.code && !second.code, "all who ask for the root's threshold at a time are told it");
	ok(!counted, "the root's threshold is read by one of those that ask for it at a time");
	shut();
	prn_shards_price_changed(root);
	begin(&slow, ask_price, root, 0, &gate);
	await_gate();
	prn_shards_price_changed(root);
	open_gate();
	join(&slow);
	counts = true;
	must(!prn_shards_price(root, &price, NULL), "read the threshold");
	counts = false;
	ok(counted > 0, "what was read while it changed is read again");
}

/* Many threads, and room for two: each has the shard that it asked for. */
static unsigned wrong;

static void *hurry(void *context)
{
	struct prn_decider *root = context, *shard;
	uint64_t state = (uint64_t)pthread_self() | 1;

	for (unsigned i = 0; i < 400; i++) {
		size_t place;

		state = state * 6364136223846793005u + 1442695040888963407u;
		place = (size_t)(state >> 40) % SHARDS;
		if (prn_shards_get(root, place, true, &shard, NULL) || shard->shard != place || root->shards->at[place] != shard)
			__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
		else {
			sched_yield();
			prn_shards_done(shard);
		}
	}
	return NULL;
}

static void test_many(struct prn_decider *root)
{
	pthread_t threads[4];

	root->shards->most = 2;
	for (unsigned i = 0; i < 4; i++)
		must(!pthread_create(&threads[i], NULL, hurry, root), "start a thread");
	for (unsigned i = 0; i < 4; i++)
		must(!pthread_join(threads[i], NULL), "join a thread");
	ok(!wrong, "four threads have the shards that they ask for, and room for two of sixteen: %u wrong", wrong);
	ok(root->shards->open_count <= 2, "no more than two stay open (%zu)", root->shards->open_count);
}

int main(void)
{
	struct prn_decider *root;
	struct desk desk;

	make_scratch();
	cluster_before = before_operation;
	root = open_root(&desk);
	test_others(root);
	test_price(root);
	test_closing(&desk);
	root = desk.decider;
	test_many(root);
	desk_release(&desk);
	cluster_release();
	done();
}
