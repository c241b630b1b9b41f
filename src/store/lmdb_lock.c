#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define POLL_S 0.02

/* flock has no timeout, so the lock is polled. */
static int lock_within(int lock, double wait_s)
{
	const struct timespec pause = { .tv_nsec = (long)(POLL_S * 1e9) };

	for (double waited = 0; flock(lock, LOCK_EX | LOCK_NB); waited += POLL_S) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK || waited >= wait_s)
			return errno;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/*
 * The process id is written into the file for people; the lock itself is the kernel's, and ends with its process.
 */
static void sign(int lock)
{
	char pid[32];
	int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());

	if (ftruncate(lock, 0) || pwrite(lock, pid, (size_t)length, 0) != length)
		return; /* a full disk: then the error of another writer names no pid */
}

static long signature(int lock)
{
	char pid[32] = "";

	return pread(lock, pid, sizeof pid - 1, 0) > 0 ? atol(pid) : 0;
}

static int refuse_lock(const char *path, int lock, int failed, struct prn_error *error)
{
	long pid = signature(lock);

	if (failed != EWOULDBLOCK)
		return prn_error_set(error, PRN_E_IO, "%s: cannot lock: %s", path, strerror(failed));
	if (pid > 0)
		return prn_error_set(error, PRN_E_LIMIT,
		                     "%s: process %ld is writing to it; a store has one writer at a time", path, pid);
	return prn_error_set(error, PRN_E_LIMIT,
	                     "%s: another process is writing to it; a store has one writer at a time", path);
}

int prn_lmdb_lock(const char *path, double wait_s, int *lock, struct prn_error *error)
{
	char *name;
	int file, failed;

	if (asprintf(&name, "%s/writer.lock", path) < 0)
		return prn_error_memory(error);
	file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	free(name);
	if (file < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot lock: %s", path, strerror(errno));
	failed = lock_within(file, wait_s);
	if (failed) {
		failed = refuse_lock(path, file, failed, error);
		close(file);
		return failed;
	}
	sign(file);
	*lock = file;
	return 0;
}

void prn_lmdb_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
