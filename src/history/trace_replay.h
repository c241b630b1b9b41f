/*
 * Replays a page of a trace capture by capture, as an import reads pages: which fragments each capture had, and
 * which body.
 *
 * A trace does not store the digests of bodies.  Those given here are computed from the fragments, the length,
 * and the number among the bodies with both: so they are the same in two traces of the same captures, or of a
 * subset of them.
 */
#ifndef HISTORY_TRACE_REPLAY_H
#define HISTORY_TRACE_REPLAY_H

#include <stdbool.h>

#include "history/digest_numbers.h"
#include "perennial/digest.h"
#include "perennial/page.h"

/*
 * A run, in the lists of those that begin and that end at the same captures.  The first run of a pattern also
 * has the data of the pattern.
 */
struct prn_trace_replayed_run {
	uint32_t next_begun, next_ended; /* 1 + the next of the list; 0: it is the last */
	uint32_t pattern; /* first run of its pattern */
	uint32_t stripes; /* 1 + the last of the pattern's stripes */
	uint32_t place;   /* position in present, while it is there */
};

struct prn_trace_replayed_capture {
	uint32_t begun, ended; /* 1 + the first of the runs that begin, and that end there */
	struct prn_digest content; /* of a capture that was the first with its body: fragments and length … */
	uint32_t ordinal;          /* … and the body's number among those with these, from 1; 0: not known yet */
};

struct prn_trace_replay {
	const struct prn_page *page; /* borrowed */
	size_t replayed; /* captures whose runs are in present, or have ended */
	uint64_t *hashes; /* [count] of the current capture, ascending */
	size_t count, hash_capacity;
	struct prn_trace_replayed_capture *captures; /* [captures + 1] */
	struct prn_trace_replayed_run *runs; /* [runs] */
	uint32_t *stripes; /* [stripes] 1 + the previous stripe of the same pattern; 0: none */
	uint32_t *present; /* [present_count] patterns of the current capture */
	size_t present_count, capture_capacity, run_capacity, stripe_capacity, present_capacity;
	struct prn_digest_numbers contents; /* bodies seen with each */
};

static inline void prn_trace_replay_init(struct prn_trace_replay *replay)
{
	*replay = (struct prn_trace_replay){ 0 };
}

void prn_trace_replay_release(struct prn_trace_replay *replay);

/* Begins a page, which is borrowed until the next.  PRN_E_MEMORY */
int prn_trace_replay_begin(struct prn_trace_replay *replay, const struct prn_page *page);

/*
 * Reads the fragments of a capture with content into replay->hashes; captures must be requested in ascending
 * order.  *again: they are those of the capture requested before.  Time is linear in what changed and in what
 * is present.  PRN_E_MEMORY
 */
int prn_trace_replay_version(struct prn_trace_replay *replay, size_t capture, bool *again);

/* Writes the digest that represents the body of this capture, whose version was read; false: it is unknown. */
bool prn_trace_replay_body(struct prn_trace_replay *replay, size_t capture, struct prn_digest *body);

/* The properties of a body that a trace has: the digest of its fragments (ascending) and of its length. */
struct prn_digest prn_trace_replayed_content(const uint64_t *hashes, size_t count, uint64_t body_bytes);

/* Returns the digest of the first, second, … body of this content. */
struct prn_digest prn_trace_replayed_digest(const struct prn_digest *content, uint32_t ordinal);

#endif
