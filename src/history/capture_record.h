/*
 * What import keeps of a capture until it writes the trace: plain numbers that go through sorters.  Padding is
 * spelled out, so that equal records are equal bytes.
 */
#ifndef HISTORY_CAPTURE_RECORD_H
#define HISTORY_CAPTURE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "history/spool.h"
#include "perennial/capture.h"
#include "perennial/digest.h"
#include "perennial/time.h"

/* A capture either has what it says, or seeks it in another capture. */
enum prn_record_role {
	PRN_RECORD_HOLDER,
	PRN_RECORD_SEEKER,
};

struct prn_capture_record {
	int64_t time, modified;
	struct prn_digest body;    /* of what was fetched; zero without content */
	struct prn_digest payload; /* WARC-Payload-Digest, if has_payload */
	struct prn_digest refers;  /* a seeker: key of the URL that it refers to, if has_refers */
	int64_t refers_time;
	uint64_t media;            /* XXH3-64 of Content-Type; 0 without one */
	uint64_t type;             /* of content: the hash of its name (media_types.h); 0 without one */
	uint64_t body_bytes;       /* of body */
	uint64_t set_offset;
	uint32_t set_count;
	uint32_t page;
	uint32_t refers_page;      /* once the key has been looked up */
	uint8_t kind;              /* enum prn_kind */
	uint8_t role;
	bool has_payload, has_refers;
	bool has_set;
	bool any_kind;             /* a seeker without a status of its own: it is of the kind it finds */
	bool outside;              /* before the time asked for: there only for revisits that refer to it */
	uint8_t cut;               /* bits of PRN_CUT_*: why its markup was read in part */
	bool retold;               /* by a trace: body stands for what it was (retelling.h) */
	bool no_body;              /* and not even that is known, though it has a set */
	bool has_links;            /* behind its set */
	uint8_t zero[1];
};

_Static_assert(sizeof(struct prn_capture_record) == 128, "no hidden padding");

/*
 * By page, then time; among those of one page and time the one to keep comes first: content, then the other kinds
 * in their order, then what has links, then the smaller body digest; what follows only makes the choice definite.
 */
int prn_record_by_page(const void *a, const void *b);

/* By payload digest, those without one at the end; holders before seekers; then by content. */
int prn_record_by_payload(const void *a, const void *b);

/* By the page and time that seekers refer to, refers_page being known. */
int prn_record_by_reference(const void *a, const void *b);

#endif
