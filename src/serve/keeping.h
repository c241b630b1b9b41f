/*
 * The last bodies of pages, which a person looks at: kept beside what is decided, and never in its way.
 */
#ifndef SERVE_KEEPING_H
#define SERVE_KEEPING_H

#include "keep/keep.h"
#include "perennial/capture.h"
#include "perennial/decider.h"
#include "perennial/feed.h"
#include "perennial/observation.h"

struct serve_daemon;

/*
 * What cannot be kept is logged and counted (_tell, a keep_told_fn of the daemon), and no failure of its report.  _draft writes the body of a report that is content,
 * on the thread that read it, _place puts it in its place when the report is durable, and _drop, which may be called after it, takes it
 * away when it is not.  Where no bodies are kept they do nothing; a draft of zero bytes is none.
 */
void serve_keeping_draft(struct serve_daemon *daemon, const struct prn_observation *observation, const struct prn_capture *capture,
                         struct keep_draft *draft);
void serve_keeping_place(struct serve_daemon *daemon, struct keep_draft *draft);
void serve_keeping_drop(struct serve_daemon *daemon, struct keep_draft *draft);
void serve_keeping_tell(void *daemon, const struct prn_error *error);

/* Keeps the bodies of what a feed delivers, of which the store took the report.  PRN_E_MEMORY: none is */
int serve_keeping_put(struct keep *keep, const struct prn_fed *fed, size_t count, keep_told_fn *told, void *context,
                      struct prn_error *error);

/* Takes away the bodies of the pages that prn_decider_forget has taken out.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY */
int serve_keeping_forget(struct keep *keep, enum prn_forget by, const char *what, struct prn_error *error);

#endif
