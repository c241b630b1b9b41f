/*
 * The last bodies of pages, which a person looks at: kept beside what is decided, and never in its way.
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
 * A body comes into its place when its report has become durable, and its page may have been forgotten by then: between _watch and
 * _unwatch of the report what is forgotten is known, and not kept after all.  A watch of zero bytes is none.
 */
struct serve_watch {
	bool open;
	uint64_t since; /* so many forgettings there had been */
};

/* What was forgotten while anything was watched for.  All zero bytes but lock to begin with. */
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
 * What cannot be kept is logged and counted (_tell, a keep_told_fn of the daemon), and no failure of its report.  _draft writes the body of a report that is content,
 * on the thread that read it, _place puts it in its place when the report is durable, and _drop, which may be called after it, takes it
 * away when it is not.  Where no bodies are kept they do nothing; a draft of zero bytes is none.
 */
void serve_keeping_draft(struct serve_daemon *daemon, const struct prn_observation *observation, const struct prn_capture *capture,
                         struct keep_draft *draft);
void serve_keeping_place(struct serve_daemon *daemon, const struct serve_watch *watch, struct keep_draft *draft);
void serve_keeping_drop(struct serve_daemon *daemon, struct keep_draft *draft);
void serve_keeping_tell(void *daemon, const struct prn_error *error);

/* The same of what a feed delivers, under a watch.  PRN_E_MEMORY: none is kept */
int serve_keeping_place_fed(struct serve_daemon *daemon, const struct serve_watch *watch, const struct prn_fed *fed, size_t count,
                            struct prn_error *error);

/*
 * Takes away the bodies of pages that were forgotten, and of those watched for when they come.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY
 */
int serve_keeping_leave(struct serve_daemon *daemon, enum prn_forget by, const char *what, struct prn_error *error);

void serve_forgotten_release(struct serve_forgotten *forgotten);

/* Keeps the bodies of what a feed delivers, of which the store took the report.  PRN_E_MEMORY: none is */
int serve_keeping_put(struct keep *keep, const struct prn_fed *fed, size_t count, keep_told_fn *told, void *context,
                      struct prn_error *error);

/* Takes away the bodies of the pages that prn_decider_forget has taken out.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY */
int serve_keeping_forget(struct keep *keep, enum prn_forget by, const char *what, struct prn_error *error);

#endif
