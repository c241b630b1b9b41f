/*
 * Spare time: threads that have nothing else to do lend it, and one who is going to need something lets them do it ahead.
 *
 * Who has the threads opens it, has them call prn_spare_use when they would wait, and closes it.  Who has work offers it, one at a
 * time, and withdraws it again.  Each holds it as long as it needs it, so that neither need end before the other.
 */
#ifndef BASE_SPARE_H
#define BASE_SPARE_H

#include <stdbool.h>
#include <stddef.h>

struct prn_spare;

/* Wakes one of the threads: there may be a piece of work.  Called under the lock of the spare time. */
typedef void prn_spare_wake_fn(void *context);

/* Does one piece, on any thread, several at a time; false: there is none now. */
typedef bool prn_spare_work_fn(void *context);

/* Of so many threads; who opens it holds it.  NULL without memory.  context is borrowed until it is closed. */
struct prn_spare *prn_spare_open(size_t threads, prn_spare_wake_fn *wake, void *context);

/* From here on nobody is woken, and no piece is begun. */
void prn_spare_close(struct prn_spare *spare);

struct prn_spare *prn_spare_hold(struct prn_spare *spare);
/* NULL is fine. */
void prn_spare_drop(struct prn_spare *spare);

size_t prn_spare_threads(const struct prn_spare *spare);

/* False: it is closed, or somebody else has offered something.  context is borrowed until it is withdrawn. */
bool prn_spare_offer(struct prn_spare *spare, prn_spare_work_fn *work, void *context);

/* Waits until nobody does a piece any more. */
void prn_spare_withdraw(struct prn_spare *spare);

/* There is a piece more; one thread is woken for it. */
void prn_spare_tell(struct prn_spare *spare);

/* A thread that would wait: whether it did a piece instead. */
bool prn_spare_use(struct prn_spare *spare);

#endif
