/*
 * A page of a trace told again capture by capture, as an import hears of pages: which fragments each had, and which bytes.
 *
 * A trace does not keep the digests of bodies.  Those told here are made of the fragments, the length, and which of the bodies with
 * both it was: so they are the same in two traces of the same captures, or of some and of more of them.
 */
#ifndef HISTORY_RETELLING_H
#define HISTORY_RETELLING_H

#include <stdbool.h>

#include "perennial/digest.h"
#include "perennial/page.h"

struct prn_retelling {
	const struct prn_page *page; /* borrowed */
	bool *turns;               /* [captures + 1] some fragment came or went there */
	uint64_t *hashes;          /* [count] of the capture in hand, ascending */
	size_t count, hash_capacity, turn_capacity;
	struct prn_retold_body {
		struct prn_digest content; /* fragments and length */
		uint32_t ordinal;          /* among bodies of this content, from 1; 0: not met yet */
	} *bodies; /* [captures] of those that were first with theirs */
	size_t body_capacity;
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
 * with content.  *again: they are those of the capture before that was asked for.  PRN_E_MEMORY
 */
int prn_retelling_version(struct prn_retelling *retelling, size_t capture, bool *again);

/* The digest that stands for the body of this capture, whose version was read; false: it is not known. */
bool prn_retelling_body(struct prn_retelling *retelling, size_t capture, struct prn_digest *body);

/* What of a body a trace knows: the digest of its fragments (ascending) and of its length. */
struct prn_digest prn_retold_content(const uint64_t *hashes, size_t count, uint64_t body_bytes);

/* The digest of the first, second, … body of this content. */
struct prn_digest prn_retold_digest(const struct prn_digest *content, uint32_t ordinal);

#endif
