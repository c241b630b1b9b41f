/*
 * Processes that are killed while they write a data base: of LMDB's commits, the write of the page that makes each durable.
 */
#ifndef TESTS_KILLED_H
#define TESTS_KILLED_H

#include <dlfcn.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

/* The process is killed at that write of a data base; 0: never. */
static int kill_at;

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at);
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off64_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
	if (kill_at && !--kill_at)
		kill(getpid(), SIGKILL);
	return real(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
	return pwrite64(file, bytes, count, at);
}

#endif
