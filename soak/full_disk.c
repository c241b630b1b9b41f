/*
 * Fills disks of many sizes, so that the end comes at many places.  The commit that does not fit must say so, nothing that
 * was committed before may be lost, the store must open again, and the same commit must succeed when there is room.  The
 * disks are file systems in memory, mounted where only this process sees them.
 */
#include "perennial/store.h"
#include "perennial/url.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#define SMALLEST_KB 400
#define STEP_KB 52
#define SIZES 60
#define ROOM "size=64M"
#define BATCH 200

static unsigned long full, reopened, refused, bad;

#define MUST(holds, ...)                                                                                               \
	do {                                                                                                           \
		if (!(holds)) {                                                                                        \
			bad++;                                                                                         \
			printf(__VA_ARGS__);                                                                           \
			putchar('\n');                                                                                 \
		}                                                                                                      \
	} while (0)

static void put(struct prn_batch *batch, unsigned page)
{
	static const unsigned char state[100];
	char url[64];
	struct prn_record record = { .url = url, .weight = 1, .due = page, .lease = PRN_TIME_UNKNOWN, .state = state,
		                     .state_bytes = sizeof state };
	struct prn_error error;

	snprintf(url, sizeof url, "http://a.example/%u", page);
	record.key = prn_url_key(url);
	if (prn_batch_put(batch, &record, &error)) {
		fprintf(stderr, "soak/full_disk: %s\n", error.text);
		exit(1);
	}
}

/* Commits batches until one does not fit, which is left waiting; returns how many pages are committed. */
static unsigned fill(struct prn_batch *batch, struct prn_error *error)
{
	unsigned page = 0;

	for (;;) {
		for (unsigned i = 0; i < BATCH; i++)
			put(batch, page + i);
		if (prn_batch_commit(batch, error))
			return page;
		page += BATCH;
	}
}

static void check_store(struct prn_store *store, unsigned pages, const char *when)
{
	struct prn_store_findings found = { 0 };
	struct prn_error error = { .text = "" };
	int failed = prn_store_check(store, NULL, &found, &error);

	MUST(!failed && found.pages == pages && found.queued == pages && !(found.unreadable + found.unqueued + found.stray),
	     "%s: %llu of %u pages, %llu queued %s", when, (unsigned long long)found.pages, pages,
	     (unsigned long long)found.queued, error.text);
}

/* Opens the store on the disk that is still full: readers and writers get in or are refused, and nothing crashes. */
static void reopen(const char *path, unsigned pages)
{
	static const enum prn_store_mode modes[] = { PRN_STORE_READ, PRN_STORE_WRITE };

	for (size_t i = 0; i < 2; i++) {
		struct prn_store *store;
		struct prn_error error;

		if (prn_store_open(&store, path, modes[i], 0, &error)) {
			refused++;
			MUST(error.code == PRN_E_IO, "opened again: %s", error.text);
			continue;
		}
		reopened++;
		check_store(store, pages, "opened again");
		prn_store_free(store);
	}
}

static void second_store(const char *path)
{
	struct prn_error error;

	if (!prn_store_create(path, NULL, 0, &error))
		return;
	MUST(error.code == PRN_E_IO && strstr(error.text, "full"), "a second store: %s", error.text);
	MUST(access(path, F_OK), "half a store is left");
}

static void make_room(const char *folder)
{
	MUST(!mount("none", folder, "tmpfs", MS_REMOUNT, ROOM), "cannot make room: %s", strerror(errno));
}

static void open_batch(const char *path, struct prn_store **store, struct prn_batch **batch)
{
	struct prn_error error = { 0 };

	if (!prn_store_open(store, path, PRN_STORE_WRITE, 0, &error) && !prn_batch_open(batch, *store, &error))
		return;
	fprintf(stderr, "soak/full_disk: %s\n", error.text);
	exit(1);
}

/* Fills a disk of this size; then either tries the last commit again with room, or closes the store on the full disk. */
static void fill_disk(const char *folder, unsigned kb, bool close_full)
{
	char size[32], path[64], second[64];
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_error error = { 0 };
	unsigned pages;

	snprintf(size, sizeof size, "size=%uk", kb);
	snprintf(path, sizeof path, "%s/store", folder);
	snprintf(second, sizeof second, "%s/second", folder);
	if (mount("none", folder, "tmpfs", 0, size) || prn_store_create(path, NULL, 0, &error)) {
		fprintf(stderr, "soak/full_disk: %s%s\n", error.text, error.code ? "" : strerror(errno));
		exit(1);
	}
	open_batch(path, &store, &batch);
	pages = fill(batch, &error);
	full++;
	MUST(error.code == PRN_E_IO && strstr(error.text, "full"), "%u kB: the commit that did not fit: %s", kb, error.text);
	MUST(prn_batch_changes(batch) == BATCH, "%u kB: the changes that did not fit are gone", kb);
	check_store(store, pages, "beside the commit that did not fit");
	if (!close_full) {
		make_room(folder);
		MUST(!prn_batch_commit(batch, &error), "with room for it: %s", error.text);
		check_store(store, pages + BATCH, "with room");
	}
	prn_batch_free(batch);
	prn_store_free(store);
	if (close_full) {
		reopen(path, pages);
		second_store(second);
		make_room(folder);
		open_batch(path, &store, &batch);
		put(batch, pages);
		MUST(!prn_batch_commit(batch, &error), "opened again with room: %s", error.text);
		prn_batch_free(batch);
		prn_store_free(store);
	}
	umount2(folder, MNT_DETACH);
}

int main(void)
{
	char folder[] = "/tmp/perennial-full-XXXXXX";

	if (unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		printf("full disk: skipped: no file system may be mounted here: %s\n", strerror(errno));
		return 0;
	}
	if (!mkdtemp(folder)) {
		fprintf(stderr, "soak/full_disk: %s: %s\n", folder, strerror(errno));
		return 1;
	}
	for (unsigned i = 0; i < SIZES; i++)
		fill_disk(folder, SMALLEST_KB + i * STEP_KB, i % 2);
	rmdir(folder);
	MUST(full == SIZES && reopened, "too little was done to show anything: %lu of %d disks were filled", full, SIZES);
	printf("full disk: %lu disks filled, %lu times opened again on the full disk, %lu times refused, %lu faults\n", full,
	       reopened, refused, bad);
	return bad ? 1 : 0;
}
