/*
 * A page of a trace told again capture by capture, as an import hears of pages: which fragments each had, and which bytes.
 *
 * A trace does not keep the digests of bodies.  Those told here are made of the fragments, the length, and which of the bodies with
 * both it was: so they are the same in two traces of the same captures, or of some and of more of them.
 */
#ifndef HISTORY_RETELLING_H
#define HISTORY_RETELLING_H

#include <stdbool.h>

#include "history/digest_numbers.h"
#include "perennial/digest.h"
#include "perennial/page.h"

/* A run, in the lists of those that begin and that end where it does; and of the first run of a pattern, what is of the pattern. */
struct prn_retold_run {
	uint32_t next_begun, next_ended; /* 1 + the next of the list; 0: the last */
	uint32_t pattern; /* its first run */
	uint32_t stripes; /* 1 + the last of its stripes */
	uint32_t place;   /* in present, while it is there */
};

struct prn_retold_capture {
	uint32_t begun, ended; /* 1 + the first of the runs that begin, and that end there */
	struct prn_digest content; /* of a capture that was first with its body: fragments and length … */
	uint32_t ordinal;          /* … and which of the bodies with these it is, from 1; 0: not met yet */
};

struct prn_retelling {
	const struct prn_page *page; /* borrowed */
	size_t told; /* captures whose runs are in present, or have ended */
	uint64_t *hashes; /* [count] of the capture in hand, ascending */
	size_t count, hash_capacity;
	struct prn_retold_capture *captures; /* [captures + 1] */
	struct prn_retold_run *runs; /* [runs] */
	uint32_t *stripes; /* [stripes] 1 + the stripe before of the same pattern; 0: none */
	uint32_t *present; /* [present_count] patterns that the capture in hand has */
	size_t present_count, capture_capacity, run_capacity, stripe_capacity, present_capacity;
	struct prn_digest_numbers contents; /* bodies met with each */
};

static inline void prn_retelling_init(struct prn_retelling *retelling)
{
	*retelling = (struct prn_retelling){ 0 };
}

void prn_retelling_release(struct prn_retelling *retelling);

/* Takes up a page, which is borrowed until the next.  PRN_E_MEMORY */
int prn_retelling_begin(struct prn_retelling *retelling, const struct prn_page *page);

/*
 * Reads the fragments that a capture had into retelling->hashes; captures are asked for in ascending order, from the first, and each
 * with content.  *again: they are those of the capture before that was asked for.  It takes as long as what came and what is there.
 * PRN_E_MEMORY
 */
int prn_retelling_version(struct prn_retelling *retelling, size_t capture, bool *again);

/* The digest that stands for the body of this capture, whose version was read; false: it is not known. */
bool prn_retelling_body(struct prn_retelling *retelling, size_t capture, struct prn_digest *body);

/* What of a body a trace knows: the digest of its fragments (ascending) and of its length. */
struct prn_digest prn_retold_content(const uint64_t *hashes, size_t count, uint64_t body_bytes);

/* The digest of the first, second, … body of this content. */
struct prn_digest prn_retold_digest(const struct prn_digest *content, uint32_t ordinal);

#endif
