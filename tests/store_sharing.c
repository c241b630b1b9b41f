/* The store among processes and threads: one writer, readers who wait for nobody, a file that grows under them. */
#include "stores.h"

#include "store/lmdb_internal.h"
#include "store/store_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define NEVER PRN_TIME_UNKNOWN

/* Who waits to move the map. */
struct mover {
	struct prn_lmdb_holds holds;
	bool moved;
};

static void *move(void *argument)
{
	struct mover *mover = argument;

	mover->moved = prn_lmdb_move_begin(&mover->holds, true);
	if (mover->moved)
		prn_lmdb_move_end(&mover->holds);
	return NULL;
}

/* Who waits for a thread must not be waited for by that thread, or neither goes on. */
static void holds_of_one_thread(void)
{
	struct mover mover = { .moved = false };
	struct prn_lmdb_hold first, second;
	pthread_t thread;
	bool waits = false;

	prn_lmdb_holds_init(&mover.holds);
	prn_lmdb_hold(&mover.holds, &first);
	pthread_create(&thread, NULL, move, &mover);
	while (!waits) {
		pthread_mutex_lock(&mover.holds.lock);
		waits = mover.holds.waiting > 0;
		pthread_mutex_unlock(&mover.holds.lock);
	}
	prn_lmdb_hold(&mover.holds, &second);
	prn_lmdb_let_go(&mover.holds, &first);
	prn_lmdb_let_go(&mover.holds, &second);
	pthread_join(thread, NULL);
	ok(mover.moved, "a thread that holds the map may hold it once more while another waits to move it, which then can");
	prn_lmdb_holds_destroy(&mover.holds);
}

/* A process that opens the store for writing, says so, and does nothing until it is killed or its pipe closes. */
static pid_t hold_store(const char *path, int *release)
{
	int ready[2], end[2];
	char byte = 0;
	pid_t child;

	must(!pipe(ready) && !pipe(end), "make pipes");
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		struct prn_store *store = open_store(path, PRN_STORE_WRITE);

		close(end[1]);
		byte = write(ready[1], &byte, 1) == 1 && read(end[0], &byte, 1) > 0;
		prn_store_free(store);
		_exit(0);
	}
	close(end[0]);
	must(read(ready[0], &byte, 1) == 1, "hear from a child");
	close(ready[0]), close(ready[1]);
	*release = end[1];
	return child;
}

static void *release_later(void *release)
{
	usleep(200000);
	close(*(int *)release);
	return NULL;
}

static void writers(void)
{
	const char *path = in_scratch("writers");
	struct prn_store *store, *reader;
	struct prn_error error;
	pthread_t thread;
	char pid[32];
	int release;
	pid_t child;

	make_store(path);
	child = hold_store(path, &release);
	snprintf(pid, sizeof pid, "process %ld ", (long)child);
	ok(prn_store_open(&store, path, PRN_STORE_WRITE, 0, &error) == PRN_E_LIMIT && strstr(error.text, pid),
	   "a second writer is told who writes: %s", error.text);
	ok(prn_store_open(&store, path, PRN_STORE_WRITE, 0.1, &error) == PRN_E_LIMIT,
	   "a second writer that has waited in vain is refused");
	ok(!prn_store_open(&reader, path, PRN_STORE_READ, 0, &error),
	   "a reader opens a store that another process writes to");
	prn_store_free(reader);
	must(!pthread_create(&thread, NULL, release_later, &release), "start a thread");
	ok(!prn_store_open(&store, path, PRN_STORE_WRITE, 60, &error),
	   "a writer that waits gets in when the first one has ended");
	pthread_join(thread, NULL);
	prn_store_free(store);
	waitpid(child, NULL, 0);
	child = hold_store(path, &release);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(release);
	ok(!prn_store_open(&store, path, PRN_STORE_WRITE, 0, &error), "a writer that was killed holds nobody up");
	prn_store_free(store);
}

static uint64_t count_pages(struct prn_store *store)
{
	struct prn_view *view = open_view(store);
	struct prn_record page;
	struct prn_walk *walk;
	uint64_t count = 0;

	must(!prn_walk_pages(&walk, view, NULL, NULL), "walk");
	while (prn_walk_pages_next(walk, &page, NULL) == 1)
		count++;
	prn_walk_free(walk);
	prn_view_close(view);
	return count;
}

#define COINS 500
#define LARGE 120000 /* of 100 to 200 bytes: past the first map of 16 MiB */

/* The other process opened the store when it was small and counts what it finds when it is told to. */
static void growth(void)
{
	const char *path = in_scratch("growth");
	int go[2], status;
	struct prn_store *store;
	char byte = 0;
	pid_t child;

	make_store(path);
	must(!pipe(go), "make a pipe");
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		store = open_store(path, PRN_STORE_READ);
		must(count_pages(store) == 0 && read(go[0], &byte, 1) == 1, "wait");
		status = count_pages(store) == LARGE;
		prn_store_free(store);
		_exit(status ? 0 : 1);
	}
	store = open_store(path, PRN_STORE_WRITE);
	fill_store(store, 0, LARGE);
	ok(totals_of(store).bytes > (uint64_t)16 << 20, "a batch larger than the map makes the file grow");
	ok(count_pages(store) == LARGE, "every page of a batch larger than the map is there");
	must(write(go[1], &byte, 1) == 1, "tell a child");
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
	   "a reader of another process, open since before the file grew, reads every page");
	prn_store_free(store);
	store = open_store(path, PRN_STORE_READ);
	ok(count_pages(store) == LARGE, "who opens a store after it grew reads every page");
	prn_store_free(store);
}

/* Opens the store again and again until the pipe closes; how often that failed, at most 100. */
static int open_often(const char *path, int end)
{
	int failures = 0;
	char byte;

	fcntl(end, F_SETFL, O_NONBLOCK);
	while (read(end, &byte, 1) < 0) {
		struct prn_store *store;

		if (prn_store_open(&store, path, PRN_STORE_READ, 0, NULL))
			failures += failures < 100;
		else
			prn_store_free(store);
	}
	return failures;
}

/* A reader may come at any point of a commit, also of one that makes the file longer. */
static void openings(void)
{
	const char *path = in_scratch("openings");
	struct prn_store *store;
	int end[2], status;
	pid_t child;

	make_store(path);
	must(!pipe(end), "make a pipe");
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		close(end[1]);
		_exit(open_often(path, end[0]));
	}
	close(end[0]);
	store = open_store(path, PRN_STORE_WRITE);
	for (unsigned i = 0; i < LARGE; i += 2000)
		fill_store(store, i, i + 2000);
	prn_store_free(store);
	close(end[1]);
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a store opens for reading at any moment of its growth: %d failures",
	   WEXITSTATUS(status));
}

/* A view pins the map where it is. */
static void held_view(void)
{
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_error error;
	struct prn_view *view;

	make_store(in_scratch("held"));
	store = open_store(in_scratch("held"), PRN_STORE_WRITE);
	view = open_view(store);
	batch = open_batch(store);
	for (unsigned i = 0; i < LARGE; i++)
		put_page(batch, i, i, NEVER);
	ok(prn_batch_commit(batch, &error) == PRN_E_LIMIT, "a file cannot grow under a view that stays: %s",
	   error.text);
	ok(prn_batch_changes(batch) == LARGE, "changes that a view kept from being written still wait");
	prn_view_close(view);
	ok(!prn_batch_commit(batch, &error) && count_pages(store) == LARGE,
	   "changes that a view kept from being written are written when it is closed");
	prn_batch_free(batch);
	prn_store_free(store);
}

#define LOOKERS 6

struct looking {
	struct prn_store *store;
	pthread_barrier_t begun;
	atomic_bool stop;
};

/* Each opens its next view (as a thread may) before it closes the last, but does not hold one for ever. */
static void *look_again(void *context)
{
	struct looking *looking = context;
	bool begun = false;

	while (!looking->stop) {
		struct prn_view *view = open_view(looking->store), *second;

		second = open_view(looking->store);
		if (!begun)
			pthread_barrier_wait(&looking->begun);
		begun = true;
		usleep(500);
		prn_view_close(second);
		usleep(500);
		prn_view_close(view);
	}
	return NULL;
}

/* At any moment some view is open, though each only for a moment. */
static void overlapping_views(void)
{
	struct looking looking = { 0 };
	pthread_t threads[LOOKERS];
	struct prn_batch *batch;
	struct prn_error error = { 0 };

	make_store(in_scratch("overlapping"));
	looking.store = open_store(in_scratch("overlapping"), PRN_STORE_WRITE);
	batch = open_batch(looking.store);
	for (unsigned i = 0; i < LARGE; i++)
		put_page(batch, i, i, NEVER);
	must(!pthread_barrier_init(&looking.begun, NULL, LOOKERS + 1), "make a barrier");
	for (unsigned i = 0; i < LOOKERS; i++)
		must(!pthread_create(&threads[i], NULL, look_again, &looking), "start a thread");
	pthread_barrier_wait(&looking.begun);
	ok(!prn_batch_commit(batch, &error), "a file grows among short views of which some are open at any moment %s",
	   error.text);
	looking.stop = true;
	for (unsigned i = 0; i < LOOKERS; i++)
		pthread_join(threads[i], NULL);
	ok(count_pages(looking.store) == LARGE, "what made the file grow among short views is all there");
	pthread_barrier_destroy(&looking.begun);
	prn_batch_free(batch);
	prn_store_free(looking.store);
}

/* A process that looks at the store when it is told to, says so, and waits to be killed. */
static void look_and_wait(const char *path, int go, int ready)
{
	char byte;

	must(read(go, &byte, 1) == 1, "wait");
	open_view(open_store(path, PRN_STORE_READ));
	must(write(ready, &byte, 1) == 1, "tell");
	for (;;)
		pause();
}

/* What it held must be used again by the writer, which has been there all the time. */
static void killed_reader(void)
{
	const char *path = in_scratch("killed");
	uint64_t before = 0, after;
	struct prn_store *store;
	struct prn_batch *batch;
	int go[2], ready[2];
	char byte = 0;
	pid_t child;

	make_store(path);
	must(!pipe(go) && !pipe(ready), "make pipes");
	child = fork();
	must(child >= 0, "fork");
	if (!child)
		look_and_wait(path, go[0], ready[1]);
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	for (unsigned round = 0; round < 100; round++) {
		if (round == 20) {
			must(write(go[1], &byte, 1) == 1 && read(ready[0], &byte, 1) == 1, "have a child look");
			kill(child, SIGKILL);
			waitpid(child, NULL, 0);
			before = totals_of(store).bytes;
		}
		for (unsigned i = 0; i < COINS; i++)
			put_page(batch, i, (int64_t)(i + round), NEVER);
		commit(batch);
	}
	after = totals_of(store).bytes;
	ok(after < before + before / 2, "a reader that was killed keeps no space: %llu kB, then %llu kB",
	   (unsigned long long)before >> 10, (unsigned long long)after >> 10);
	prn_batch_free(batch);
	prn_store_free(store);
}

#define VIEWS 1000

static void many_views(void)
{
	struct prn_store *store = open_store(in_scratch("killed"), PRN_STORE_READ);
	static struct prn_view *views[2 * VIEWS];
	struct prn_error error;
	unsigned count = 0;
	int failed = 0;

	while (count < 2 * VIEWS && !(failed = prn_view_open(&views[count], store, &error)))
		count++;
	ok(count >= VIEWS, "%d views may be open at a time", VIEWS);
	ok(failed == PRN_E_LIMIT, "no more views may be open than the store has places for: %s", error.text);
	while (count)
		prn_view_close(views[--count]);
	prn_store_free(store);
}

#define READERS 3

struct watch {
	struct prn_store *store;
	volatile bool stop;
	unsigned long looks[READERS], wrong[READERS];
};

struct watcher {
	struct watch *watch;
	unsigned number;
};

static unsigned count_queue(struct prn_view *view, enum prn_queue queue)
{
	struct prn_queued entry;
	struct prn_walk *walk;
	unsigned count = 0;

	must(!prn_walk_queue(&walk, view, queue, INT64_MIN, NULL), "walk");
	while (prn_walk_queue_next(walk, &entry, NULL) == 1)
		count++;
	prn_walk_free(walk);
	return count;
}

static void *watch_queues(void *context)
{
	struct watcher *watcher = context;
	struct watch *watch = watcher->watch;

	while (!__atomic_load_n(&watch->stop, __ATOMIC_ACQUIRE)) {
		struct prn_view *view = open_view(watch->store);

		watch->wrong[watcher->number] +=
			count_queue(view, PRN_QUEUE_DUE) + count_queue(view, PRN_QUEUE_LEASES) != COINS;
		watch->looks[watcher->number]++;
		prn_view_close(view);
	}
	return NULL;
}

/* Pages move between the queues; whoever looks must find each in exactly one. */
static void readers(void)
{
	struct watch watch = { 0 };
	struct watcher watchers[READERS];
	pthread_t threads[READERS];
	struct prn_batch *batch;
	struct prn_random random;
	unsigned long looks = 0, wrong = 0;

	make_store(in_scratch("readers"));
	watch.store = open_store(in_scratch("readers"), PRN_STORE_WRITE);
	fill_store(watch.store, 0, COINS);
	for (unsigned i = 0; i < READERS; i++) {
		watchers[i] = (struct watcher){ &watch, i };
		must(!pthread_create(&threads[i], NULL, watch_queues, &watchers[i]), "start a thread");
	}
	batch = open_batch(watch.store);
	prn_random_seed(&random, 6, 0);
	for (unsigned round = 0; round < 150; round++) {
		for (unsigned i = 0; i < 40; i++)
			put_page(batch, (unsigned)prn_random_below(&random, COINS), (int64_t)prn_random_below(&random, 1000),
			         prn_random_below(&random, 2) ? NEVER : (int64_t)prn_random_below(&random, 1000));
		commit(batch);
	}
	__atomic_store_n(&watch.stop, true, __ATOMIC_RELEASE);
	for (unsigned i = 0; i < READERS; i++) {
		pthread_join(threads[i], NULL);
		looks += watch.looks[i];
		wrong += watch.wrong[i];
	}
	ok(looks > READERS && !wrong, "%u readers beside a writer found each page in exactly one queue", READERS);
	prn_batch_free(batch);
	prn_store_free(watch.store);
}

/* Gives every page another time, again and again, so that what nobody looks at is written over. */
static void write_over(struct prn_store *store, unsigned rounds)
{
	struct prn_batch *batch = open_batch(store);

	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < COINS; i++)
			put_page(batch, i, 5000 + (int64_t)round, NEVER);
		commit(batch);
	}
	prn_batch_free(batch);
}

/* The pages in a view that are as fill_store left them; -1: it cannot be read. */
static int count_old(struct prn_view *view)
{
	struct prn_record record;
	struct prn_walk *walk;
	int old = 0, got;

	must(!prn_walk_pages(&walk, view, NULL, NULL), "walk");
	while ((got = prn_walk_pages_next(walk, &record, NULL)) == 1)
		old += record.due < 5000;
	prn_walk_free(walk);
	return got ? -1 : old;
}

/* In a process of its own, as a writer that finds readers by their locks. */
static void write_over_elsewhere(const char *path, unsigned rounds)
{
	pid_t child = fork();
	int status;

	must(child >= 0, "fork");
	if (!child) {
		struct prn_store *store = open_store(path, PRN_STORE_WRITE);

		write_over(store, rounds);
		prn_store_free(store);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && !status, "write in another process");
}

/* LMDB's locks are a process's: who opens a folder a second time, or closes it, must not take them from the first. */
static void opened_twice(void)
{
	const char *path = in_scratch("twice"), *other_path = in_scratch("./twice");
	struct prn_store *first, *second;
	struct prn_view *view;
	struct prn_error error;
	int code;

	make_store(path);
	first = open_store(path, PRN_STORE_WRITE);
	fill_store(first, 0, COINS);
	view = open_view(first);
	second = open_store(other_path, PRN_STORE_READ);
	write_over(first, 8);
	ok(count_old(view) == COINS, "a view is as it was when its process has opened the folder for reading, too, by another spelling");
	prn_view_close(view);
	view = open_view(second);
	ok(count_old(view) == 0, "what is opened second reads what the first has written");
	prn_store_free(first);
	ok(count_old(view) == 0, "what is opened second goes on reading when the first is closed");
	ok(!prn_store_open(&first, path, PRN_STORE_WRITE, 0, NULL), "whose place as the writer is free");
	prn_view_close(view);
	prn_store_free(second);
	fill_store(first, 0, COINS);
	prn_store_free(first);

	first = open_store(path, PRN_STORE_READ);
	view = open_view(first);
	second = open_store(path, PRN_STORE_READ);
	prn_store_free(second);
	write_over_elsewhere(path, 8);
	ok(count_old(view) == COINS, "a view is as it was when its process opens the folder again, and closes it, and another process writes");
	code = prn_store_open(&second, path, PRN_STORE_WRITE, 0, &error);
	ok(code == PRN_E_LIMIT && strstr(error.text, "stay open"), "who reads may not write before the views are closed: %s", error.text);
	ok(count_old(view) == COINS, "views are as they were after their process was refused to write");
	prn_view_close(view);
	second = open_store(path, PRN_STORE_WRITE);
	fill_store(second, 0, COINS);
	view = open_view(first);
	ok(count_old(view) == COINS,
	   "once its views are closed a process that reads may write, and the reader sees what it writes");
	prn_store_free(second);
	prn_view_close(view);
	write_over_elsewhere(path, 8);
	second = open_store(path, PRN_STORE_WRITE);
	fill_store(second, 0, COINS);
	ok(check_store(second, false).pages == COINS, "a writer whose place another process had meanwhile leaves a store without faults");
	prn_store_free(second);
	prn_store_free(first);
}

/* In a child: what it inherits is its parent's, and its own goes on when that is let go. */
static void inherited(void)
{
	const char *path = in_scratch("inherited");
	int release[2], ready[2], status;
	struct prn_store *parents;
	char byte = 0;
	pid_t child;

	make_store(path);
	parents = open_store(path, PRN_STORE_WRITE);
	fill_store(parents, 0, COINS);
	must(!pipe(release) && !pipe(ready), "make pipes");
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		struct prn_store *own = open_store(path, PRN_STORE_READ);
		struct prn_view *view = open_view(own);

		prn_store_free(parents);
		byte = write(ready[1], &byte, 1) == 1 && read(release[0], &byte, 1) == 1;
		_exit(byte && count_old(view) == COINS ? 0 : 1);
	}
	must(read(ready[0], &byte, 1) == 1, "hear from a child");
	write_over(parents, 8);
	must(write(release[1], &byte, 1) == 1 && waitpid(child, &status, 0) == child, "let a child end");
	ok(!status, "a view of a child is as it was when the child has let go what it inherited, and its parent writes");
	prn_store_free(parents);
	close(release[0]), close(release[1]), close(ready[0]), close(ready[1]);
}

struct upgrade {
	const char *path;
	int code;
};

static void *open_to_write(void *context)
{
	struct upgrade *upgrade = context;
	struct prn_store *store;

	upgrade->code = prn_store_open(&store, upgrade->path, PRN_STORE_WRITE, 0, NULL);
	if (!upgrade->code)
		prn_store_free(store);
	return NULL;
}

/* Who waits for the views of one folder keeps nobody from another. */
static void waited_for(void)
{
	const char *path = in_scratch("waited"), *other_path = in_scratch("unrelated");
	struct upgrade upgrade = { path, 1 };
	struct prn_store *reader, *other;
	struct prn_lmdb *file;
	struct prn_view *view;
	pthread_t thread;
	bool waits = false;

	make_store(path);
	make_store(other_path);
	reader = open_store(path, PRN_STORE_READ);
	view = open_view(reader);
	file = prn_lmdb_of(reader->tables);
	must(!pthread_create(&thread, NULL, open_to_write, &upgrade), "start a thread");
	while (!waits) {
		pthread_mutex_lock(&file->holds.lock);
		waits = file->holds.waiting > 0;
		pthread_mutex_unlock(&file->holds.lock);
	}
	other = open_store(other_path, PRN_STORE_READ);
	prn_store_free(other);
	prn_view_close(view);
	pthread_join(thread, NULL);
	ok(!upgrade.code, "a thread that reads a folder which another waits to write to opens a third one, and then lets it write");
	prn_store_free(reader);
}

/* A folder is what it was, by whatever path the process came to it, and wherever it works by now. */
static void moved_about(void)
{
	char before[4096], name[600];
	struct prn_store *reader, *writer;
	struct prn_error error = { 0 };
	const char *here = in_scratch("here");
	struct prn_view *view = NULL;
	char there[1200];

	make_store(here);
	must(getcwd(before, sizeof before) != NULL, "know the working folder");
	snprintf(name, sizeof name, "%s/other", scratch);
	must(!mkdir(name, 0700), "make a folder");
	snprintf(there, sizeof there, "../here");
	must(!chdir(name), "go there");
	reader = open_store(there, PRN_STORE_READ);
	must(!chdir(before), "come back");
	writer = open_store(here, PRN_STORE_WRITE);
	fill_store(writer, 0, COINS);
	ok(totals_of(reader).pages == COINS, "who reads a folder by a path that leads nowhere any more sees what is written by another path");
	prn_store_free(writer);
	snprintf(name, sizeof name, "%s/here.moved", scratch);
	must(!rename(here, name), "move the folder");
	make_store(here);
	writer = open_store(here, PRN_STORE_WRITE);
	fill_store(writer, 0, 3);
	ok(totals_of(reader).pages == COINS && totals_of(writer).pages == 3, "a store that is put in the place of one that is open is another");
	/* As after a write that failed. */
	prn_lmdb_of(reader->tables)->broken = true;
	ok(prn_view_open(&view, reader, &error) == PRN_E_IO,
	   "a store whose place another has taken is not opened again as that: %s", error.text);
	ok(totals_of(writer).pages == 3,
	   "a store that took the place of another is not harmed when that is to be opened again");
	prn_store_free(writer);
	ok(!prn_store_open(&writer, name, PRN_STORE_WRITE, 0, NULL), "a store that was moved is opened where it is");
	fill_store(writer, 0, COINS + 1);
	ok(totals_of(reader).pages == COINS + 1, "a store that was moved is still what its reader has");
	prn_store_free(writer);
	prn_store_free(reader);
}

struct growing {
	struct prn_store *store;
	atomic_bool begun, seen;
	uint64_t pages;
};

static void *count_grown(void *context)
{
	struct growing *growing = context;

	growing->begun = true;
	growing->pages = count_pages(growing->store);
	growing->seen = true;
	return NULL;
}

/* A file that another process made larger is read in a larger map, which is not placed anew under a writer of this process. */
static void grown_elsewhere(void)
{
	const char *path = in_scratch("grown");
	struct growing growing = { 0 };
	struct prn_lmdb *file;
	pthread_t thread;
	pid_t child;
	int status;

	make_store(path);
	growing.store = open_store(path, PRN_STORE_READ);
	file = prn_lmdb_of(growing.store->tables);
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		struct prn_store *store = open_store(path, PRN_STORE_WRITE);

		fill_store(store, 0, LARGE);
		prn_store_free(store);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && !status, "write in another process");
	pthread_mutex_lock(&file->writing);
	must(!pthread_create(&thread, NULL, count_grown, &growing), "start a thread");
	while (!growing.begun)
		usleep(1000);
	usleep(500000);
	ok(!growing.seen, "while something is written the map is not placed anew for who reads");
	pthread_mutex_unlock(&file->writing);
	pthread_join(thread, NULL);
	ok(growing.pages == LARGE, "once nothing is written the map is placed anew for who reads, and all is read");
	prn_store_free(growing.store);
}

static void replace_file(const char *path)
{
	char name[600], copy[600], buffer[4096];
	FILE *from, *to;
	size_t got;

	snprintf(name, sizeof name, "%s/data.mdb", path);
	snprintf(copy, sizeof copy, "%s/data.copy", path);
	from = fopen(name, "rb");
	to = fopen(copy, "wb");
	must(from && to, "open files");
	while ((got = fread(buffer, 1, sizeof buffer, from)) > 0)
		must(fwrite(buffer, 1, got, to) == got, "copy a file");
	must(!fclose(from) && !fclose(to) && !rename(copy, name), "put a copy in the place of a file");
}

/* Files that come to be in a folder one after the other have one lock.mdb: where its process has one of them open, it has that too. */
static void replaced_file(void)
{
	const char *path = in_scratch("replaced");
	struct prn_store_rebuilt rebuilt;
	struct prn_error error = { 0 };
	struct prn_store *first, *second;
	struct prn_view *view;
	int code;

	make_store(path);
	first = open_store(path, PRN_STORE_WRITE);
	fill_store(first, 0, COINS);
	prn_store_free(first);
	first = open_store(path, PRN_STORE_READ);
	view = open_view(first);
	code = prn_store_rebuild(path, 0, &rebuilt, &error);
	ok(code == PRN_E_LIMIT && strstr(error.text, "this process"), "a file is not made anew that the process itself reads: %s", error.text);
	write_over_elsewhere(path, 8);
	ok(count_old(view) == COINS,
	   "a refusal to make a file anew gives back no locks: a view is as it was when another process writes");
	replace_file(path);
	code = prn_store_open(&second, path, PRN_STORE_READ, 0, &error);
	if (!code)
		prn_store_free(second);
	ok(code == PRN_E_IO && strstr(error.text, "closed first"), "what was put in the place of an open file waits until that is closed: %s",
	   error.text);
	prn_view_close(view);
	prn_store_free(first);
	second = open_store(path, PRN_STORE_READ);
	ok(count_pages(second) == COINS, "a store is opened again once who kept it from that has closed it");
	prn_store_free(second);
	ok(!prn_store_rebuild(path, 0, &rebuilt, NULL) && rebuilt.pages == COINS,
	   "a store that is closed is made anew");
}

/* Whether a child that goes on with its parent's store is refused all, and told why. */
static bool is_refused(struct prn_store *store, struct prn_batch *batch)
{
	const char *why = "opened it, and this one is a fork";
	struct prn_store_findings found;
	struct prn_error error = { 0 };
	struct prn_view *view;
	bool refused;

	refused = prn_batch_commit(batch, &error) == PRN_E_ARGUMENT && strstr(error.text, why);
	refused = refused && prn_view_open(&view, store, &error) == PRN_E_ARGUMENT && strstr(error.text, why);
	refused = refused && prn_store_check(store, NULL, &found, &error) == PRN_E_ARGUMENT;
	return refused && prn_store_backup(store, in_scratch("of_a_fork"), &error) == PRN_E_ARGUMENT;
}

/* A child has all that its parent had open: two would write to one store, and neither know of the other. */
static void forked(void)
{
	const char *path = in_scratch("forked");
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_view *view;
	pid_t child;
	int status;

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	fill_store(store, 0, COINS);
	view = open_view(store);
	batch = open_batch(store);
	put_page(batch, 7, 70000, NEVER);
	child = fork();
	must(child >= 0, "fork");
	if (!child) {
		status = !is_refused(store, batch);
		prn_view_close(view);
		prn_batch_free(batch);
		prn_store_free(store);
		_exit(status);
	}
	must(waitpid(child, &status, 0) == child, "let a child end");
	ok(!status, "a child that goes on with its parent's store is refused commits, views, checks and copies, and told why");
	prn_batch_free(batch);
	write_over(store, 8);
	ok(count_old(view) == COINS, "a view is as it was when a child has closed what it inherited of it");
	prn_view_close(view);
	ok(count_pages(store) == COINS, "a parent reads and writes on after its child");
	prn_store_free(store);
}

static void remove_files(const char *path)
{
	static const char *const files[] = { "data.mdb", "lock.mdb", "writer.lock" };
	char name[512];

	for (size_t i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%s/%s", path, files[i]);
		must(!unlink(name), "remove a file");
	}
	must(!rmdir(path), "remove a folder");
}

static int commit_one(struct prn_store *store, unsigned number, struct prn_error *error)
{
	struct prn_batch *batch = open_batch(store);
	int code;

	put_page(batch, number, 5, NEVER);
	code = prn_batch_commit(batch, error);
	prn_batch_free(batch);
	return code;
}

/* What is written to a file without a name is lost with its process. */
static void removed(void)
{
	const char *path = in_scratch("removed"), *elsewhere = in_scratch("renamed");
	struct prn_store *store, *other;
	struct prn_error error = { 0 };

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	must(!commit_one(store, 1, NULL), "commit");
	must(!rename(path, elsewhere), "rename a folder");
	ok(!commit_one(store, 2, &error), "a store whose folder was renamed goes on: %s", error.text);
	remove_files(elsewhere);
	ok(commit_one(store, 3, &error) == PRN_E_IO && strstr(error.text, "was removed"), "a store whose folder was removed acknowledges nothing: %s", error.text);
	make_store(path);
	other = open_store(path, PRN_STORE_WRITE);
	ok(commit_one(store, 4, &error) == PRN_E_IO, "that another store was made there does not change that");
	ok(!commit_one(other, 5, &error) && count_pages(other) == 1, "the other store is written to as any: %s", error.text);
	prn_store_free(store);
	prn_store_free(other);
}

int main(void)
{
	make_scratch();
	forked();
	removed();
	holds_of_one_thread();
	writers();
	growth();
	openings();
	readers();
	killed_reader();
	many_views();
	held_view();
	overlapping_views();
	opened_twice();
	moved_about();
	grown_elsewhere();
	replaced_file();
	inherited();
	waited_for();
	return done();
}
