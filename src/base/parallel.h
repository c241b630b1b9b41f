/*
 * A loop whose items are spread over threads.  Items are handed out in ascending order; each may write only
 * to its own place (or to its thread's scratch), so that results do not depend on the number of threads.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

#include "perennial/error.h"

/*
 * Does one item.  thread < the number of threads names scratch memory that no other item uses at the same
 * time.  A negative code ends the loop; *error is this thread's own.
 */
typedef int prn_parallel_fn(void *context, size_t thread, size_t item, struct prn_error *error);

/* Processors that this process may use, at least 1. */
size_t prn_parallel_processors(void);

/* How many threads somebody wants who asks for so many: 0 stands for all processors, in every public function. */
size_t prn_parallel_threads(size_t threads);

/*
 * Calls run for items 0 … items-1 on at most threads >= 1 threads (the caller's is one of them) and
 * returns when all are done.  Runs on fewer threads when the system gives no more.
 *
 * When items fail, no new ones are begun; the code and *error (may be NULL) are those of the lowest item
 * that failed, whatever the number of threads.  PRN_E_MEMORY
 */
int prn_parallel_for(size_t items, size_t threads, prn_parallel_fn *run, void *context,
                     struct prn_error *error);

/* Returns PRN_E_MEMORY, with its text: the system did not start a thread without which the caller cannot do. */
int prn_thread_refused(struct prn_error *error);

#endif
