/*
 * What ends a wait, or long work, before its time: a question that is asked now and then, and a descriptor.  What one of them has
 * said stays said, so that whoever hears it first may leave it to somebody else to report.
 */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include "perennial/error.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct prn_interrupt {
	bool (*cancelled)(void *context); /* true: it is to end; NULL: nothing is asked */
	void *context;
	int wake;  /* > 0: a descriptor; once it is readable, waits end */
	bool said; /* either said that it is to end */
};

/* Asks the question; of NULL there is none.  PRN_E_CANCELLED: it is to end */
int prn_interrupt_ask(struct prn_interrupt *interrupt, struct prn_error *error);

#define PRN_AWAITED 2 /* the most descriptors that are waited for at once */

/*
 * Waits until one of ready[count] has something, for at most patience_s seconds (0: without limit): 1, or 0 if none has.  The
 * question is asked first, and then as long as the wait lasts.  interrupt may be NULL:
 * nothing ends the wait.
 *
 * PRN_E_CANCELLED	it is to end
 * PRN_E_IO	the system cannot wait for them
 */
int prn_interrupt_await(struct prn_interrupt *interrupt, struct pollfd *ready, size_t count, unsigned patience_s, struct prn_error *error);

#endif
