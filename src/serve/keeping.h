/*
 * Keeps the last bodies of pages for a person to look at.  This never delays or fails a decision.
 */
#ifndef SERVE_KEEPING_H
#define SERVE_KEEPING_H

#include <pthread.h>

#include "keep/keep.h"
#include "perennial/capture.h"
#include "perennial/decider.h"
#include "perennial/feed.h"
#include "perennial/observation.h"

struct serve_daemon;

/*
 * A body is put in its place when its report has become durable; by then its page may have been forgotten.  Pages that are forgotten
 * between _watch and _unwatch of the report are remembered, and their bodies are not kept after all.  A watch of zero bytes is no watch.
 */
struct serve_watch {
	bool open;
	uint64_t since; /* how many times pages had been forgotten when it was opened */
};

/* The notes of what was forgotten while anything was watched for.  They begin as zero bytes, except for lock. */
struct serve_forgotten {
	pthread_mutex_t lock;
	struct serve_forgetting *list; /* [count], the last is number `ended` */
	size_t count, capacity;
	uint64_t ended;   /* how many there were, ever */
	uint64_t dropped; /* of these, the first so many are not in the list */
	size_t watches;   /* open */
};

void serve_keeping_watch(struct serve_daemon *daemon, struct serve_watch *watch);
void serve_keeping_unwatch(struct serve_daemon *daemon, struct serve_watch *watch);

/*
 * A body that cannot be kept is logged and counted (_failed, a keep_failed_fn of the daemon), but its report does not fail.  _draft writes
 * the body of a report that is content, on the thread that read it; _place puts it in its place when the report is durable; and
 * _drop, which may be called after _place, removes it if the report is not.  If no bodies are kept they do nothing; a draft of zero
 * bytes is no draft.
 */
void serve_keeping_draft(struct serve_daemon *daemon, const struct prn_observation *observation, const struct prn_capture *capture,
                         struct keep_draft *draft);
void serve_keeping_place(struct serve_daemon *daemon, const struct serve_watch *watch, struct keep_draft *draft);
void serve_keeping_drop(struct serve_daemon *daemon, struct keep_draft *draft);
void serve_keeping_failed(void *daemon, const struct prn_error *error);

/* Keeps the bodies that a feed delivers, under a watch.  PRN_E_MEMORY: none is kept */
int serve_keeping_place_fed(struct serve_daemon *daemon, const struct serve_watch *watch, const struct prn_fed *fed, size_t count,
                            struct prn_error *error);

/*
 * Removes the bodies of pages that were forgotten, also those still on their way under a watch.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY
 */
int serve_keeping_leave(struct serve_daemon *daemon, enum prn_forget by, const char *what, struct prn_error *error);

void serve_forgotten_release(struct serve_forgotten *forgotten);

/* Keeps the bodies that a feed delivers, once the store has taken their reports.  PRN_E_MEMORY: none is kept */
int serve_keeping_put(struct keep *keep, const struct prn_fed *fed, size_t count, keep_failed_fn *on_failure, void *context,
                      struct prn_error *error);

/* Removes the bodies of the pages that prn_decider_forget has removed.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY */
int serve_keeping_forget(struct keep *keep, enum prn_forget by, const char *what, struct prn_error *error);

#endif
