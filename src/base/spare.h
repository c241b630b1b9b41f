/*
 * Spare time: threads that have nothing else to do work ahead for somebody who will need the results.
 *
 * The owner of the threads opens it, has them call prn_spare_use when they would wait, and closes it.  Whoever has work offers it, one
 * at a time, and withdraws it again.  Both hold it as long as they need it, so that either may end first.
 */
#ifndef BASE_SPARE_H
#define BASE_SPARE_H

#include <stdbool.h>
#include <stddef.h>

struct prn_spare;

/* Wakes one of the threads: there may be a piece of work.  Called under the lock of the spare time. */
typedef void prn_spare_wake_fn(void *context);

/* Does one piece of the work; called from any thread, by several at a time.  False: there is no piece now. */
typedef bool prn_spare_work_fn(void *context);

/* threads: how many lend their time.  The caller holds it.  NULL: no memory.  context is borrowed until _close. */
struct prn_spare *prn_spare_open(size_t threads, prn_spare_wake_fn *wake, void *context);

/* From now on no thread is woken, and no piece is begun. */
void prn_spare_close(struct prn_spare *spare);

struct prn_spare *prn_spare_hold(struct prn_spare *spare);
/* NULL is fine. */
void prn_spare_drop(struct prn_spare *spare);

size_t prn_spare_threads(const struct prn_spare *spare);

/* Offers work.  False: it is closed, or somebody else has offered something.  context is borrowed until _withdraw. */
bool prn_spare_offer(struct prn_spare *spare, prn_spare_work_fn *work, void *context);

/* Takes the offer back, and waits until nobody does a piece of it any more. */
void prn_spare_withdraw(struct prn_spare *spare);

/* Says that there is another piece, and wakes one thread for it. */
void prn_spare_notify(struct prn_spare *spare);

/* Called by a thread that would wait; returns whether it did a piece instead. */
bool prn_spare_use(struct prn_spare *spare);

#endif
