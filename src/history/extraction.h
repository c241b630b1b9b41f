/*
 * Turns bodies into fragment sets on several threads: the thread that reads captures adds each body and goes on
 * reading.
 *
 * With threads = n, n - 1 threads work for it, and the caller's thread works too whenever enough bodies wait:
 * so memory is bounded, and no processor is idle.
 */
#ifndef HISTORY_EXTRACTION_H
#define HISTORY_EXTRACTION_H

#include <stddef.h>

#include "base/buffer.h"
#include "history/capture_record.h"
#include "history/spool.h"
#include "perennial/error.h"

/*
 * Receives a record whose body has been processed and which has its set.  Called from any thread, one at a
 * time.  A negative code ends the work.
 */
typedef int prn_extraction_done_fn(void *context, const struct prn_capture_record *record, struct prn_error *error);

struct prn_extraction;

/* spool, which receives the sets, and context are borrowed until _free.  PRN_E_ARGUMENT (k), PRN_E_MEMORY */
int prn_extraction_open(struct prn_extraction **out, size_t threads, unsigned shingle_words, struct prn_spool *spool,
                        prn_extraction_done_fn *done, void *context, struct prn_error *error);

/* Ends the threads; bodies that were not processed yet are dropped. */
void prn_extraction_free(struct prn_extraction *extraction);

/* The spare time of its threads (base/spare.h), borrowed; NULL: it has none. */
struct prn_spare *prn_extraction_spare(const struct prn_extraction *extraction);

/*
 * Adds a capture's body, which is copied, as is content_type (may be NULL).  held, unless it is NULL, is a buffer whose first
 * bytes are the body: instead of a copy the body is taken out of it, and it has other memory in its place, if that is of use.
 * url, the page's normal URL, is borrowed until the body is done: its links are extracted; NULL: they are not.  The code may be
 * that of any earlier body: PRN_E_IO, PRN_E_MEMORY, PRN_E_LIMIT, or the value that done returned.
 */
int prn_extraction_add(struct prn_extraction *extraction, const struct prn_capture_record *record, const void *body,
                       size_t length, struct prn_buffer *held, const char *content_type, const char *url,
                       struct prn_error *error);

/*
 * Returns the number by which the spool knows a body: if links are extracted, what its references mean depends
 * on the page.
 */
uint64_t prn_extraction_media(const struct prn_capture_record *record, const char *url);

/* Works until all bodies are done.  Codes as _add. */
int prn_extraction_wait(struct prn_extraction *extraction, struct prn_error *error);

#endif
