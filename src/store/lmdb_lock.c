#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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

static int refuse_lock(const char *path, int lock, int failed, struct prn_error *error)
{
	char text[32] = "";
	long pid = pread(lock, text, sizeof text - 1, 0) > 0 ? atol(text) : 0;

	if (failed != EWOULDBLOCK)
		return prn_error_set(error, PRN_E_IO, "%s: cannot lock: %s", path, strerror(failed));
	if (pid > 0)
		return prn_error_set(error, PRN_E_LIMIT,
		                     "%s: process %ld is writing to it; a store has one writer at a time", path, pid);
	return prn_error_set(error, PRN_E_LIMIT,
	                     "%s: another process is writing to it; a store has one writer at a time", path);
}

/* Something else under its name leads to a file that is not of the store. */
static int check_lock_file(const char *path, const char *name, const struct stat *about, struct prn_error *error)
{
	if (S_ISREG(about->st_mode) && about->st_nlink <= 1)
		return 0;
	return prn_error_set(error, PRN_E_IO, "%s/%s: %s: it is not written to; remove it, and it is made anew", path, name,
	                     S_ISLNK(about->st_mode)   ? "is a symbolic link"
	                     : S_ISREG(about->st_mode) ? "has another name, too (a hard link)"
	                                               : "is no regular file");
}

/*
 * Somebody who can write to the folder must not be able to have this process write to another file, or make one.  The name is
 * checked before it is opened, too, because closing a file gives back the locks that this process may have on it.
 */
int prn_lmdb_lock_file(const char *path, const char *name, int *file, int *code, struct prn_error *error)
{
	char *full = prn_lmdb_file(path, name);
	struct stat about;
	int failed = 0;

	*file = -1;
	*code = 0;
	if (!full)
		return prn_error_memory(error);
	if (!lstat(full, &about))
		failed = check_lock_file(path, name, &about, error);
	if (!failed && (*file = open(full, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600)) < 0)
		*code = errno;
	/* Something else may have taken its place since. */
	if (*file >= 0 && !fstat(*file, &about) && (failed = check_lock_file(path, name, &about, error))) {
		close(*file);
		*file = -1;
	}
	free(full);
	return failed;
}

int prn_lmdb_lock(const char *path, double wait_s, int *lock, struct prn_error *error)
{
	int file, code, failed = prn_lmdb_lock_file(path, "writer.lock", &file, &code, error);

	if (failed)
		return failed;
	if (file < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot lock: %s", path, strerror(code));
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
