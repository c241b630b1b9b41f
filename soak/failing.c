/*
 * Loaded before a command (LD_PRELOAD), this makes one of its calls of the system fail: FAILING says which kind, memory,
 * write, sync, pages (maps of files), rename, lock (of a file, fcntl's) or nap (nanosleep, as if by a signal), and FAILING_AT which of
 * them, from 1 on; 0 only counts.  FAILING_COUNT is a file of 8 bytes that all processes of a command count in.
 */
#include <errno.h>
#include <fcntl.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static unsigned long *counter, at;
static char kind; /* the first letter of FAILING */

__attribute__((constructor)) static void begin(void)
{
	const char *what = getenv("FAILING"), *number = getenv("FAILING_AT"), *name = getenv("FAILING_COUNT");
	int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
	void *map;

	if (!what || !number || file < 0)
		return;
	map = (void *)syscall(SYS_mmap, NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (map == MAP_FAILED)
		return;
	at = strtoul(number, NULL, 10);
	kind = what[0];
	counter = map;
}

static bool fails_with(char which, int code)
{
	if (!counter || which != kind || __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST) != at)
		return false;
	errno = code;
	return true;
}

void *malloc(size_t size)
{
	return fails_with('m', ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails_with('m', ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails_with('m', ENOMEM) ? NULL : __libc_realloc(old, size);
}

/* The function of the system, which the one here replaces. */
#define REAL(name) (*(__typeof__(&name) *)&(void *){ dlsym(RTLD_NEXT, #name) })

ssize_t write(int file, const void *bytes, size_t count)
{
	return fails_with('w', ENOSPC) ? -1 : REAL(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
	return fails_with('w', ENOSPC) ? -1 : REAL(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
	return fails_with('w', ENOSPC) ? -1 : REAL(pwrite64)(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
	return fails_with('w', ENOSPC) ? -1 : REAL(writev)(file, parts, count);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset)
{
	return fails_with('w', ENOSPC) ? -1 : REAL(pwritev)(file, parts, count, offset);
}

int fsync(int file)
{
	return fails_with('s', EIO) ? -1 : REAL(fsync)(file);
}

int syncfs(int file)
{
	return fails_with('s', EIO) ? -1 : REAL(syncfs)(file);
}

int fdatasync(int file)
{
	return fails_with('s', EIO) ? -1 : REAL(fdatasync)(file);
}

int ftruncate(int file, off_t length)
{
	return fails_with('s', EIO) ? -1 : REAL(ftruncate)(file, length);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
	return file >= 0 && fails_with('p', ENOMEM) ? MAP_FAILED
	                                           : REAL(mmap)(address, length, protection, flags, file, offset);
}

int rename(const char *from, const char *to)
{
	return fails_with('r', EIO) ? -1 : REAL(rename)(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	return fails_with('r', EIO) ? -1 : REAL(renameat)(from_folder, from, to_folder, to);
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	return fails_with('n', EINTR) ? -1 : REAL(nanosleep)(wanted, left);
}

/* All commands of fcntl take one argument of at most the size of a pointer. */
static int control(const char *name, int file, int command, void *argument)
{
	if (command == F_SETLK && fails_with('l', ENOLCK))
		return -1;
	return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, name))(file, command, argument);
}

#undef fcntl
int fcntl(int file, int command, ...);
int fcntl64(int file, int command, ...);

int fcntl(int file, int command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return control("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return control("fcntl64", file, command, argument);
}
