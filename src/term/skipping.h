/*
 * What a command passes over, in words on stderr: the first of them one by one, from any thread.
 */
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
	struct term_progress *progress; /* whose line may stand on stderr; borrowed until _release; NULL: none */
	uint64_t shown;
	pthread_mutex_t lock;
};

void term_skipping_init(struct term_skipping *skipping, const char *name, struct term_progress *progress);
void term_skipping_release(struct term_skipping *skipping);

/* A prn_skipped_fn; context is a struct term_skipping. */
void term_skipping_tell(void *context, const struct prn_error *what);

/* Says a count in words unless it is 0, with *before before it, which becomes ", ". */
void term_say_count(const char **before, uint64_t count, const char *one, const char *many);

/*
 * Lines on stderr that tell what sources passed over for what it is; of records that any archive has (requests, metadata) only
 * if everything is to be told, for nothing came of the sources.
 */
void term_say_passed(const char *name, const struct prn_source_counts *counts, bool everything);

/* The same for times of day without a zone. */
void term_say_zoneless(const char **before, uint64_t count);

/* The same for pages of which markup was read in part, [PRN_CUTS] by the bits of PRN_CUT_*. */
void term_say_cut(const char **before, const uint64_t *cut);

#endif
