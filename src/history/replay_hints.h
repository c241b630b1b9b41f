/* The hints for one page, in its own time. */
#ifndef HISTORY_REPLAY_HINTS_H
#define HISTORY_REPLAY_HINTS_H

#include <stddef.h>
#include <stdint.h>

#include "history/truth.h"
#include "perennial/hint_log.h"

struct prn_replay_hint {
	double time; /* clock units since the page's acquisition, > 0 */
	uint32_t source;
};

/* In the order of time.  The list is owned and reused for one page after another. */
struct prn_replay_hints {
	struct prn_replay_hint *list;
	size_t count, capacity;
};

void prn_replay_hints_init(struct prn_replay_hints *hearing);
void prn_replay_hints_release(struct prn_replay_hints *hearing);

/* The number of sources, at least 1; they are numbered from 0. */
size_t prn_hint_log_sources(const struct prn_hint_log *log);

/*
 * Lists the hints for the page that truth was read from, up to its last capture. url is its normal form, or
 * NULL.  PRN_E_MEMORY
 */
int prn_replay_hints_read(struct prn_replay_hints *hearing, const struct prn_hint_log *log, const struct prn_truth *truth,
                     const char *url);

#endif
