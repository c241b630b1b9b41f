/*
 * Captures on their way to a decider: one thread reads them from their sources, several make them small
 * (observation.h), and they are handed out in the order in which they were read.  Memory is bounded: reading waits
 * while 64 MiB of bodies are on their way.
 */
#ifndef CLI_CAPTURES_H
#define CLI_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cli/rules.h"
#include "term/skipping.h"
#include "perennial/observation.h"

struct cli_captures_options {
	struct prn_decider *decider; /* whose rule and summaries are made; known bodies are not read again */
	const struct cli_rules *rules;
	char *const *paths; /* [count] sources (source.h), read one after another */
	size_t count;
	bool has_time;
	int64_t time; /* if has_time: of every capture */
	size_t body_bytes_max;
	size_t threads; /* that make captures small, >= 1 */
	struct term_skipping *skipping;
};

/* What was passed over; each was told. */
struct cli_captures_counts {
	uint64_t damaged;  /* records and lines */
	uint64_t unread;   /* bodies that could not be read: their captures are errors of their pages */
	uint64_t cut;      /* bodies cut at body_bytes_max; these are not told */
	uint64_t ended;    /* sources that end early */
	uint64_t unopened; /* sources that cannot be opened */
};

struct cli_captures;

/* What options point to is borrowed until _free.  PRN_E_MEMORY */
int cli_captures_open(struct cli_captures **out, const struct cli_captures_options *options);

/*
 * Waits for the next capture: 1 with *observation, which stays until the next call; 0 when the deadline
 * (CLOCK_MONOTONIC; NULL: none) has passed before one came; PRN_E_CANCELLED at the end.
 *
 * Errors of prn_decider_body and prn_observation_make; PRN_E_MEMORY
 */
int cli_captures_next(struct cli_captures *captures, const struct timespec *deadline,
                      const struct prn_observation **observation, struct prn_error *error);

/* Makes the last one again, whatever body is known.  Errors as above. */
int cli_captures_again(struct cli_captures *captures, struct prn_error *error);

/* Final after the end. */
struct cli_captures_counts cli_captures_counts(struct cli_captures *captures);

/* Only after the end: before it, threads may wait for input that never comes. */
void cli_captures_free(struct cli_captures *captures);

#endif
