#include "base/portable.h"

#ifdef PRN_FALLBACKS
#undef HAVE_MEMRCHR
#undef HAVE_QSORT_R
#undef HAVE_SCHED_GETAFFINITY
#undef HAVE_EVENTFD
#undef HAVE_LINUX_TCP_H
#undef HAVE_DLADDR1
#undef HAVE_PTHREAD_CONDATTR_SETCLOCK
#undef HAVE_SYNCFS
#undef HAVE_PRLIMIT
#undef HAVE_PIPE2
#undef HAVE_POSIX_FADVISE
#undef HAVE_SYS_PRCTL_H
#endif

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_PRLIMIT
#include <sys/resource.h>
#endif
#include <sys/socket.h>
#include <unistd.h>

void prn_bound_memory(pid_t process, uint64_t bytes)
{
#ifdef HAVE_PRLIMIT
	const struct rlimit bound = { (rlim_t)bytes, (rlim_t)bytes };

	(void)prlimit(process, RLIMIT_DATA, &bound, NULL);
#else
	(void)process, (void)bytes;
#endif
}

const void *prn_last_byte(const void *bytes, char byte, size_t length)
{
#ifdef HAVE_MEMRCHR
	return length ? memrchr(bytes, byte, length) : NULL;
#else
	const char *at = bytes;

	while (length)
		if (at[--length] == byte)
			return at + length;
	return NULL;
#endif
}

#ifdef HAVE_QSORT_R
void prn_sort_by(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
	if (count)
		qsort_r(items, count, size, compare, context);
}
#else
static void exchange(unsigned char *a, unsigned char *b, size_t size)
{
	while (size--) {
		unsigned char held = *a;

		*a++ = *b;
		*b++ = held;
	}
}

struct heap {
	unsigned char *items;
	size_t size;
	int (*compare)(const void *, const void *, void *);
	void *context;
};

/* Moves item i down until none of its two children, of count items, is greater. */
static void sift(const struct heap *heap, size_t i, size_t count)
{
	while (i < count / 2) {
		size_t child = 2 * i + 1;
		unsigned char *at = heap->items + i * heap->size, *other = heap->items + child * heap->size;

		if (child + 1 < count && heap->compare(other, other + heap->size, heap->context) < 0) {
			child++;
			other += heap->size;
		}
		if (heap->compare(at, other, heap->context) >= 0)
			return;
		exchange(at, other, heap->size);
		i = child;
	}
}

/* Heapsort needs no memory, and no order of the items makes it slow. */
void prn_sort_by(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
	struct heap heap = { items, size, compare, context };

	for (size_t i = count / 2; i-- > 0;)
		sift(&heap, i, count);
	for (size_t left = count; left > 1; left--) {
		exchange(heap.items, heap.items + (left - 1) * size, size);
		sift(&heap, 0, left - 1);
	}
}
#endif

#ifdef HAVE_SCHED_GETAFFINITY
#include <sched.h>

size_t prn_usable_processors(void)
{
	cpu_set_t set;
	int count;

	if (sched_getaffinity(0, sizeof set, &set))
		return 1;
	count = CPU_COUNT(&set);
	return count > 0 ? (size_t)count : 1;
}
#else
size_t prn_usable_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (size_t)count : 1;
}
#endif

#ifdef HAVE_SYNCFS
int prn_sync_files(int folder, const char *const *names, size_t count)
{
	(void)names;
	return count && syncfs(folder) ? errno : 0;
}
#else
/* sync() would be one call as well, but may return before anything is written (POSIX), and reports no error. */
int prn_sync_files(int folder, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int file = openat(folder, names[i], O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		int failed = file < 0 || fsync(file) ? errno : 0;

		if (file >= 0 && close(file) && !failed)
			failed = errno;
		if (failed)
			return failed;
	}
	return 0;
}
#endif

/* Moves a descriptor whose number is 0 to another number. */
static int beside_input(int descriptor)
{
	int moved;

	if (descriptor)
		return descriptor;
	moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
	close(descriptor);
	return moved;
}

#ifdef HAVE_EVENTFD
#include <sys/eventfd.h>

int prn_wake_open(struct prn_wake *wake)
{
	int opened = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (!opened)
		opened = beside_input(opened);
	*wake = (struct prn_wake){ opened, opened };
	return opened < 0 ? errno : 0;
}

void prn_wake_up(const struct prn_wake *wake)
{
	eventfd_write(wake->writable, 1);
}
#else
int prn_wake_open(struct prn_wake *wake)
{
	int ends[2], failed = 0;

	*wake = (struct prn_wake){ -1, -1 };
	if (pipe(ends))
		return errno;
	for (int i = 0; i < 2 && !failed; i++) {
		ends[i] = beside_input(ends[i]);
		if (ends[i] < 0 || fcntl(ends[i], F_SETFD, FD_CLOEXEC) || fcntl(ends[i], F_SETFL, O_NONBLOCK))
			failed = errno;
	}
	*wake = (struct prn_wake){ ends[0], ends[1] };
	if (failed)
		prn_wake_close(wake);
	return failed;
}

/* A pipe that is full is readable already. */
void prn_wake_up(const struct prn_wake *wake)
{
	ssize_t written = write(wake->writable, "", 1);

	(void)written;
}
#endif

#if defined SOCK_CLOEXEC && defined SOCK_NONBLOCK && !defined PRN_FALLBACKS
int prn_socket(int domain, int type, bool waits)
{
	return socket(domain, type | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
}

int prn_socket_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}
#else
int prn_socket(int domain, int type, bool waits)
{
	int opened = socket(domain, type, 0);

	if (opened >= 0 && (fcntl(opened, F_SETFD, FD_CLOEXEC) || (!waits && fcntl(opened, F_SETFL, O_NONBLOCK)))) {
		int failed = errno;

		close(opened);
		errno = failed;
		return -1;
	}
	return opened;
}

int prn_socket_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC) ? -1 : 0;
}
#endif

int prn_pipe(int ends[2])
{
#ifdef HAVE_PIPE2
	return pipe2(ends, O_CLOEXEC);
#else
	return pipe(ends) || fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC) ? -1 : 0;
#endif
}

ssize_t prn_send(int socket, const void *bytes, size_t length, int flags)
{
#ifdef MSG_NOSIGNAL
	return send(socket, bytes, length, flags | MSG_NOSIGNAL);
#else
	int yes = 1;

	return setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes) ? -1 : send(socket, bytes, length, flags);
#endif
}

void prn_reads_through(int file)
{
#ifdef HAVE_POSIX_FADVISE
	(void)posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
	(void)file;
#endif
}

void prn_wake_close(struct prn_wake *wake)
{
	if (wake->writable != wake->readable && wake->writable >= 0)
		close(wake->writable);
	if (wake->readable >= 0)
		close(wake->readable);
	*wake = (struct prn_wake){ -1, -1 };
}

bool prn_peer_user(int socket, uid_t *user)
{
#ifdef SO_PEERCRED
	struct ucred peer;
	socklen_t length = sizeof peer;
	/* For a socket of another kind Linux gives the user -1. */
	bool known = !getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) && peer.uid != (uid_t)-1;

	if (known)
		*user = peer.uid;
	return known;
#elif defined HAVE_GETPEEREID
	gid_t group;

	return !getpeereid(socket, user, &group);
#else
	(void)socket;
	(void)user;
	return false;
#endif
}

#ifdef HAVE_LINUX_TCP_H
#include <linux/tcp.h>

bool prn_bytes_taken(int socket, uint64_t *bytes)
{
	struct tcp_info info;
	socklen_t length = sizeof info;

	if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) ||
	    length < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked)
		return false;
	*bytes = info.tcpi_bytes_acked;
	return true;
}
#else
bool prn_bytes_taken(int socket, uint64_t *bytes)
{
	(void)socket;
	(void)bytes;
	return false;
}
#endif

#ifdef HAVE_DLADDR1
#include <dlfcn.h>
#include <link.h>

size_t prn_object_bytes(const void *place)
{
	ElfW(Sym) *symbol = NULL;
	Dl_info about;

	if (!place || !dladdr1(place, &about, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || about.dli_saddr != place ||
	    (symbol->st_info & 0xf) != STT_OBJECT)
		return 0;
	return symbol->st_size;
}
#else
size_t prn_object_bytes(const void *place)
{
	return place ? SIZE_MAX : 0;
}
#endif

#ifdef HAVE_SYS_PRCTL_H
#include <signal.h>
#include <sys/prctl.h>

/* The signal is for deaths from now on: if the parent is another one by now, the first has ended already. */
void prn_die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}
#else
void prn_die_with(pid_t parent)
{
	(void)parent;
}
#endif

#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
void prn_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

int prn_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
{
	return pthread_cond_timedwait(condition, lock, until);
}
#else
#define SECOND 1000000000
#define LONGEST_WAIT (60 * (int64_t)SECOND)

static int64_t left_until(const struct timespec *until)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (until->tv_sec > now.tv_sec + LONGEST_WAIT / SECOND)
		return LONGEST_WAIT;
	return (int64_t)(until->tv_sec - now.tv_sec) * SECOND + (until->tv_nsec - now.tv_nsec);
}

void prn_condition_init(pthread_cond_t *condition)
{
	pthread_cond_init(condition, NULL);
}

/*
 * Waits by the system's clock, for a minute at most.  If the clock is set, the wait ends too early, and the caller waits again, or it
 * lasts longer by that step.
 */
int prn_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
{
	int64_t left = left_until(until);
	struct timespec at;
	int code;

	if (left <= 0)
		return ETIMEDOUT;
	left = left < LONGEST_WAIT ? left : LONGEST_WAIT;
	clock_gettime(CLOCK_REALTIME, &at);
	left += at.tv_nsec;
	at.tv_sec += (time_t)(left / SECOND);
	at.tv_nsec = (long)(left % SECOND);
	code = pthread_cond_timedwait(condition, lock, &at);
	return code == ETIMEDOUT && left_until(until) > 0 ? 0 : code;
}
#endif
