/*
 * A child process whose output this process reads, and which may be sent something.  No shell is involved.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/interrupt.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PRN_CHILD_SAID 300 /* how many bytes of its standard error are kept */

struct prn_child {
	pid_t pid;     /* 0: none was started, or it was waited for */
	int out;       /* its output and, if it is sent anything, its input; -1: closed */
	int said_fd;   /* its standard error, or -1 */
	size_t said;   /* how many bytes of that are kept … */
	char text[PRN_CHILD_SAID + 1]; /* … the first ones, as a string */
	unsigned patience;             /* the patience of its program … */
	bool is_silent;                /* … and whether nothing came for that long */
};

/* The program to start. */
struct prn_program {
	const char *const *arguments;   /* the program, looked for in $PATH, and its arguments; ends with NULL */
	const char *unset;              /* variables of this process that begin with this are left out of its environment … */
	const char *const *environment; /* … and these are added, "NAME=value"; ends with NULL */
	bool has_input;                 /* it reads what is sent to it; otherwise its standard input is empty */
	uint64_t memory;                /* bytes that it may have for itself, where the system can see to that; 0: no limit */
	unsigned patience;              /* seconds to wait for it to write or end anything; 0: no limit */
};

/*
 * Starts a program with the signals that it would have if it was started by hand, in a process group of its own, so that a
 * terminal's interrupt does not reach it.  It inherits none of the caller's descriptors, which may have the numbers 0 to 2.
 *
 * PRN_E_NOT_FOUND	there is no such program
 * PRN_E_IO		the system refused
 * PRN_E_MEMORY
 */
int prn_child_start(struct prn_child *child, const struct prn_program *program, struct prn_error *error);

/*
 * Reads up to room (> 0) bytes of its output and writes their number to *got, 0 at the end.  interrupt, NULL or what ends the wait.
 *
 * PRN_E_IO		also if it was silent for longer than its patience: then it is to be stopped
 * PRN_E_CANCELLED	the interrupt says so
 */
int prn_child_read(struct prn_child *child, void *to, size_t room, size_t *got, struct prn_interrupt *interrupt, struct prn_error *error);

/* Sends all bytes.  They must be few, because its output is not read meanwhile.  PRN_E_IO: it reads no more */
int prn_child_send(struct prn_child *child, const void *bytes, size_t length, struct prn_error *error);

/* Called when its output has ended: waits for the end of its standard error and of the process; returns whether it ended well. */
bool prn_child_end(struct prn_child *child, struct prn_interrupt *interrupt);

/* Kills the process if it still runs.  A child of zero bytes, or one that has ended, is fine. */
void prn_child_stop(struct prn_child *child);

#endif
