/* Reports on stderr of what a command passes over: the first ones one by one, from any thread. */
#ifndef TERM_SKIPPING_H
#define TERM_SKIPPING_H

#include <pthread.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/source.h"
#include "term/progress.h"

#define TERM_SKIPPING_SHOWN 20 /* the rest is only in the command's counts */

struct term_skipping {
	const char *name;               /* of the command */
	struct term_progress *progress; /* a progress line that may be on the screen; borrowed until _release; NULL: none */
	uint64_t shown;
	pthread_mutex_t lock;
};

void term_skipping_init(struct term_skipping *skipping, const char *name, struct term_progress *progress);
void term_skipping_release(struct term_skipping *skipping);

/* A prn_skipped_fn; context is a struct term_skipping. */
void term_skipping_print(void *context, const struct prn_error *what);

/* Says a count in words unless it is 0, with *before in front, which becomes ", ". */
void term_say_count(const char **before, uint64_t count, const char *one, const char *many);

/*
 * Says on stderr what sources passed over, by kind.  Records that every archive has (requests, metadata) are only mentioned
 * with everything, for when the sources gave nothing.
 */
void term_say_passed(const char *name, const struct prn_source_counts *counts, bool everything);

/* Says as term_say_count does how many times of day had no zone. */
void term_say_zoneless(const char **before, uint64_t count);

/*
 * Says as term_say_count does of how many pages only a part of the markup was read; cut is [PRN_CUTS], by the bits of
 * PRN_CUT_*.
 */
void term_say_cut(const char **before, const uint64_t *cut);

#endif
