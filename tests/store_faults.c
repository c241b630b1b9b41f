/* A disk that fails for a while: the store says so, loses nothing, and goes on when the disk does. */
#include "stores.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#define NEVER PRN_TIME_UNKNOWN
#define HEAD_BYTES 8192 /* LMDB's two pages that say what the last commit is */

/* Stands before the system's: writes of the file's head fail while this is set. */
static volatile bool fail_head;

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at);
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off64_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
	if (fail_head && at < HEAD_BYTES) {
		errno = EIO;
		return -1;
	}
	return real(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
	return pwrite64(file, bytes, count, at);
}

static void one_failure(void)
{
	struct prn_store *store, *reader;
	struct prn_batch *batch;
	struct prn_view *view;
	struct prn_record got;
	struct prn_error error = { 0 };
	struct prn_digest first = make_page(1, 0, 0).key, second = make_page(2, 0, 0).key;

	make_store(in_scratch("store"));
	store = open_store(in_scratch("store"), PRN_STORE_WRITE);
	batch = open_batch(store);
	put_page(batch, 1, 1, NEVER);
	commit(batch);
	put_page(batch, 2, 2, NEVER);
	fail_head = true;
	ok(prn_batch_commit(batch, &error) == PRN_E_IO, "a commit whose head cannot be written fails: %s", error.text);
	ok(prn_batch_commit(batch, &error) == PRN_E_IO,
	   "a commit fails for as long as the disk does: %s", error.text);
	fail_head = false;
	ok(prn_batch_changes(batch) > 0, "changes whose commit failed still wait");
	ok(!prn_store_backup(store, in_scratch("copy"), &error),
	   "a store whose head could not be written is copied before anything else reads it: %s", error.text);
	view = open_view(store);
	ok(!prn_view_get(view, &first, &got, NULL), "the store can be read after a head that could not be written");
	ok(prn_view_get(view, &second, &got, NULL) == PRN_E_NOT_FOUND,
	   "a page whose commit failed is not seen");
	prn_view_close(view);
	ok(!prn_batch_commit(batch, &error),
	   "a commit that failed is done when the disk works again: %s", error.text);
	reader = open_store(in_scratch("store"), PRN_STORE_READ);
	view = open_view(reader);
	ok(!prn_view_get(view, &first, &got, NULL), "a page that was acknowledged before the failure is there");
	ok(!prn_view_get(view, &second, &got, NULL), "a page that was acknowledged after the failure is there");
	prn_view_close(view);
	prn_store_free(reader);
	for (unsigned i = 3; i < 200; i++) {
		put_page(batch, i, i, NEVER);
		commit(batch);
	}
	prn_batch_free(batch);
	struct prn_store_findings findings = check_store(store, false);
	ok(!faults_of(&findings) && findings.pages == 199, "a store whose disk failed once takes more commits, without a fault");
	prn_store_free(store);
}

/* After a failed head the file is opened again: that may fail too, and succeed later. */
static void cannot_reopen(void)
{
	const char *path = in_scratch("moved"), *data = in_scratch("moved/data.mdb"), *away = in_scratch("moved/away.mdb");
	struct prn_digest key = make_page(2, 0, 0).key;
	struct prn_error error = { 0 };
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_view *view = NULL;
	struct prn_record got;

	make_store(path);
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	put_page(batch, 1, 1, NEVER);
	commit(batch);
	put_page(batch, 2, 2, NEVER);
	fail_head = true;
	must(prn_batch_commit(batch, NULL) == PRN_E_IO, "fail");
	fail_head = false;
	must(!rename(data, away), "move a file");
	ok(prn_batch_commit(batch, &error) == PRN_E_NOT_FOUND, "a store whose head failed and whose file is gone says so: %s",
	   error.text);
	ok(prn_view_open(&view, store, &error) == PRN_E_NOT_FOUND,
	   "a store whose file is gone cannot be read: %s", error.text);
	ok(prn_store_backup(store, in_scratch("moved-copy"), &error) == PRN_E_NOT_FOUND,
	   "a store whose file is gone cannot be copied: %s", error.text);
	ok(prn_batch_commit(batch, &error) == PRN_E_NOT_FOUND,
	   "a store whose file is gone cannot be written to: %s", error.text);
	must(!rename(away, data), "move a file back");
	ok(!prn_batch_commit(batch, &error), "what waited is committed when the file is there again: %s", error.text);
	view = open_view(store);
	ok(!prn_view_get(view, &key, &got, NULL),
	   "a page that waited for the file to come back can be read then");
	prn_view_close(view);
	prn_batch_free(batch);
	prn_store_free(store);
}

struct readers {
	struct prn_store *store;
	volatile bool stop;
	unsigned long looks, failures;
};

static void *read_on(void *context)
{
	struct readers *readers = context;

	while (!readers->stop) {
		struct prn_view *view;

		if (prn_view_open(&view, readers->store, NULL)) {
			readers->failures++;
			continue;
		}
		readers->looks++;
		prn_view_close(view);
	}
	return NULL;
}

/* Heads fail now and then while a thread reads; what was acknowledged must be there at the end. */
static void failures_among_readers(void)
{
	struct readers readers = { 0 };
	bool acknowledged[600] = { false };
	struct prn_batch *batch;
	struct prn_random random;
	unsigned refused = 0, lost = 0;
	struct prn_view *view;
	struct prn_record got;
	pthread_t thread;

	make_store(in_scratch("beside"));
	readers.store = open_store(in_scratch("beside"), PRN_STORE_WRITE);
	batch = open_batch(readers.store);
	prn_random_seed(&random, 11, 0);
	must(!pthread_create(&thread, NULL, read_on, &readers), "start a thread");
	for (unsigned i = 0; i < 600; i++) {
		fail_head = prn_random_below(&random, 4) == 0;
		put_page(batch, i, i, NEVER);
		acknowledged[i] = !prn_batch_commit(batch, NULL);
		refused += !acknowledged[i];
		if (!acknowledged[i])
			prn_batch_abandon(batch);
	}
	fail_head = false;
	readers.stop = true;
	pthread_join(thread, NULL);
	view = open_view(readers.store);
	for (unsigned i = 0; i < 600; i++) {
		struct prn_digest key = make_page(i, 0, 0).key;

		lost += acknowledged[i] != !prn_view_get(view, &key, &got, NULL);
	}
	prn_view_close(view);
	ok(refused > 50, "%u of 600 commits failed beside a reader", refused);
	ok(!lost, "every page that was acknowledged is there and none that was refused: %u differ", lost);
	ok(readers.looks > 0, "a reader reads on while commits fail beside it");
	prn_batch_free(batch);
	prn_store_free(readers.store);
}

int main(void)
{
	make_scratch();
	one_failure();
	cannot_reopen();
	failures_among_readers();
	return done();
}
