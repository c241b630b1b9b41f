/*
 * What systems have under different names, or not at all.  Each of these has the way of the GNU C library or of Linux where
 * configure finds it, and another that POSIX has everywhere; no other file names what is of one system only.
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
 * A function of vectors of 32 bytes, which is built for processors that have them, too, and chosen when the program starts.  Either
 * does the same operations, each rounded alike: results are the same to the last bit.  (Where memory is watched, what chooses would run
 * before what watches.)
 */
#if defined __x86_64__ && defined __GLIBC__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__ && \
	!defined __SANITIZE_THREAD__ && !defined PRN_FALLBACKS
#define PRN_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PRN_WIDE
#endif

/* The last of length bytes that is byte, or NULL. */
const void *prn_last_byte(const void *bytes, char byte, size_t length);

/*
 * Sorts count items of size bytes: as qsort does, with a context for what compares them.  Of items that compare as equal, any
 * may come first.
 */
void prn_sort_by(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                 void *context);

/* The processors that this process may use, at least 1. */
size_t prn_usable_processors(void);

/*
 * Makes files of an open folder durable, of which this process may write: by one sync of their file system, or each by itself.
 * 0, or an errno, and then none need be.
 */
int prn_sync_files(int folder, const char *const *names, size_t count);

/* Descriptors of which one becomes readable, and stays so, once the other was written to.  They may be the same. */
struct prn_wake {
	int readable, writable;
};

/* 0, or an errno, and then both are -1.  Neither is 0, the standard input, where that is closed. */
int prn_wake_open(struct prn_wake *wake);
/* Closes what was opened; of -1 and -1, nothing. */
void prn_wake_close(struct prn_wake *wake);
/* From any thread. */
void prn_wake_up(const struct prn_wake *wake);

/* The user at the other end of a connected Unix socket; false: it is none, or the system does not tell. */
bool prn_peer_user(int socket, uid_t *user);

/* The bytes that the other end of a TCP connection has acknowledged; false: it is none, or the system does not tell. */
bool prn_bytes_taken(int socket, uint64_t *bytes);

/*
 * The bytes of the object of a loaded program or library that begins at a place; 0: there is no such object; SIZE_MAX: the system
 * does not tell.
 */
size_t prn_object_bytes(const void *place);

/* This process, which parent has begun, is killed when that ends before it; where the system has no such thing, it goes on. */
void prn_die_with(pid_t parent);

/* A condition, and a wait for it up to a time of CLOCK_MONOTONIC, which no change of the system's time makes longer or shorter. */
void prn_condition_init(pthread_cond_t *condition);
/* Of a condition of prn_condition_init: 0, also where nothing happened, or ETIMEDOUT. */
int prn_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);

#endif
