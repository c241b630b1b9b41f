/*
 * Functions that systems have under different names, or not at all.  Each uses the GNU C library or Linux if configure finds what it
 * needs there, and otherwise what POSIX has everywhere.  No other file uses what only one system has.
 * PRN_FALLBACKS takes the other way throughout: tests/portable_fallbacks is built so, and tests/machines.sh has it with another C library.
 */
#ifndef BASE_PORTABLE_H
#define BASE_PORTABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/*
 * Marks a function that is also built for processors with vectors of 32 bytes; one of the two is chosen when the program starts.  Both
 * do the same operations with the same rounding, so results are the same to the last bit.  (With a sanitizer, the choice would be made
 * before the sanitizer is ready.)  PRN_WIDE_HERE tells which runs: written for vectors of 32 bytes, code is slow with others.
 */
#if defined __x86_64__ && defined __GLIBC__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__ && \
	!defined __SANITIZE_THREAD__ && !defined PRN_FALLBACKS
#define PRN_WIDE __attribute__((target_clones("avx2", "default")))
#define PRN_WIDE_HERE (__builtin_cpu_supports("avx2") != 0)
#else
#define PRN_WIDE
#ifdef __AVX2__
#define PRN_WIDE_HERE true
#else
#define PRN_WIDE_HERE false
#endif
#endif

/* The last of length bytes that is byte, or NULL. */
const void *prn_last_byte(const void *bytes, char byte, size_t length);

/*
 * Sorts count items of size bytes as qsort does, with a context for compare.  Items that compare as equal may come in any order.
 */
void prn_sort_by(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                 void *context);

/*
 * Bounds the memory that a process has for itself, to so many bytes: what it asks for beyond is refused.  Where the system has no way to,
 * nothing is bounded.
 */
void prn_bound_memory(pid_t process, uint64_t bytes);

/* The processors that this process may use, at least 1. */
size_t prn_usable_processors(void);

/*
 * Makes files of an open folder, which this process may write, durable: by one sync of their file system, or each by itself.
 * Returns 0, or an errno: then perhaps none of them is durable.
 */
int prn_sync_files(int folder, const char *const *names, size_t count);

/* Descriptors of which one becomes readable, and stays so, once the other was written to.  They may be the same. */
struct prn_wake {
	int readable, writable;
};

/* Returns 0, or an errno, and then both are -1.  Neither has the number of the standard input, even if that is closed. */
int prn_wake_open(struct prn_wake *wake);
/* Closes both; -1 is fine. */
void prn_wake_close(struct prn_wake *wake);
/* May be called from any thread. */
void prn_wake_up(const struct prn_wake *wake);

/*
 * As socket, socketpair of Unix streams, and pipe: a program that is started does not inherit them.  waits: whether calls on it wait.
 * They return -1, or not 0, with errno.
 */
int prn_socket(int domain, int type, bool waits);
int prn_socket_pair(int ends[2]);
int prn_pipe(int ends[2]);

/* As send, but for the signal where nobody reads: then it is EPIPE. */
ssize_t prn_send(int socket, const void *bytes, size_t length, int flags);

/* Tells the system, where it listens, that a file is read from its start to its end. */
void prn_reads_through(int file);

/* The user at the other end of a connected Unix socket; false: it is none, or the system does not tell. */
bool prn_peer_user(int socket, uid_t *user);

/* The bytes that the other end of a TCP connection has acknowledged; false: it is none, or the system does not tell. */
bool prn_bytes_taken(int socket, uint64_t *bytes);

/*
 * The bytes of the object of a loaded program or library that begins at a place; 0: there is no such object; SIZE_MAX: the system
 * does not tell.
 */
size_t prn_object_bytes(const void *place);

/* Has the system kill this process when its parent ends; does nothing where the system cannot do that. */
void prn_die_with(pid_t parent);

/* A condition on which a thread can wait until a time of CLOCK_MONOTONIC: setting the system's clock makes no wait longer or shorter. */
void prn_condition_init(pthread_cond_t *condition);
/* The condition must be one of prn_condition_init.  Returns 0, also if nothing happened, or ETIMEDOUT. */
int prn_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);

#endif
