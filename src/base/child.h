/*
 * A program that runs beside this one and writes to it, and perhaps reads from it: never through a shell.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PRN_CHILD_SAID 300 /* bytes that are kept of what it writes to its standard error */

struct prn_child {
	pid_t pid;     /* 0: none runs, or it was waited for */
	int out;       /* what it writes; where it is also read from, that is written here.  -1: closed */
	int said_fd;   /* its standard error, or -1 */
	size_t said;   /* bytes kept of that, */
	char text[PRN_CHILD_SAID + 1]; /* … the first ones, as a string */
	unsigned patience;             /* its program's */
	bool is_silent;                /* … is over: nothing came for so long */
};

/* What it is to be. */
struct prn_program {
	const char *const *arguments;   /* the program, looked for in $PATH, and what it is told; ends with NULL */
	const char *unset;              /* variables of this program's environment that begin so are not in its own, … */
	const char *const *environment; /* … and these are, "NAME=value"; ends with NULL */
	bool is_told;                   /* it reads what is sent to it; else its standard input is empty */
	unsigned patience;              /* seconds that are waited for it to write, say or end anything; 0: as long as it takes */
};

/*
 * Starts a program, with the signals that it would have if it was started by hand, in a process group of its own: a terminal's
 * interrupt is for who started it.  The caller's descriptors may be 0 to 2 or not, and are not in it.
 *
 * PRN_E_NOT_FOUND	there is no such program
 * PRN_E_IO		the system refused
 * PRN_E_MEMORY
 */
int prn_child_start(struct prn_child *child, const struct prn_program *program, struct prn_error *error);

/*
 * Reads up to room (> 0) bytes of what it writes: *got of them, 0 at the end.  wake as of sources (source.h).
 *
 * PRN_E_IO		also of one that is silent for longer than its program's patience: it is to be stopped
 * PRN_E_CANCELLED	wake became readable
 */
int prn_child_read(struct prn_child *child, void *to, size_t room, size_t *got, int wake, struct prn_error *error);

/* Sends all of it, which must be short beside what has not been read.  PRN_E_IO: nobody reads any more. */
int prn_child_send(struct prn_child *child, const void *bytes, size_t length, struct prn_error *error);

/* After its output has ended: waits for it and for what it says, and tells whether it ended as it should. */
bool prn_child_end(struct prn_child *child, int wake);

/* Ends it, wherever it stands.  A process that is all zero bytes, or over, is fine. */
void prn_child_stop(struct prn_child *child);

#endif
