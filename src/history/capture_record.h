/*
 * What an import keeps of a capture until it writes the trace: plain numbers that go through sorters.  Padding
 * is explicit, so that equal records are equal bytes.
 */
#ifndef HISTORY_CAPTURE_RECORD_H
#define HISTORY_CAPTURE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "history/spool.h"
#include "perennial/capture.h"
#include "perennial/digest.h"
#include "perennial/time.h"

/* A capture either has its own content or seeks it in another capture. */
enum prn_record_role {
	PRN_RECORD_HOLDER,
	PRN_RECORD_SEEKER,
};

struct prn_capture_record {
	int64_t time, modified;
	struct prn_digest body;    /* digest of the fetched body; zero without content */
	struct prn_digest payload; /* WARC-Payload-Digest, if has_payload */
	struct prn_digest refers;  /* of a seeker: key of the URL that it refers to, if has_refers */
	int64_t refers_time;
	uint64_t media;            /* XXH3-64 of Content-Type; 0 without one */
	uint64_t type;             /* of content: the hash of its media type's name (media_types.h); 0 without one */
	uint64_t body_bytes;       /* length of body */
	uint64_t set_offset;
	uint32_t set_count;
	uint32_t page;
	uint32_t refers_page;      /* number of the page with that key, once it has been looked up */
	uint8_t kind;              /* enum prn_kind */
	uint8_t role;
	bool has_payload, has_refers;
	bool has_set;
	bool any_kind;             /* of a seeker without a status of its own: it takes the kind of the capture it finds */
	bool outside;              /* before the requested time: used only for revisits that refer to it */
	uint8_t cut;               /* bits of PRN_CUT_*: why only a part of its markup was read */
	bool from_trace;           /* it comes from a trace: body is a substitute for the real digest */
	bool no_body;              /* and even that is unknown, though it has a set */
	bool has_links;            /* links stand behind its set */
	bool is_digest;            /* content that is known by its digest alone, if it does not come from a trace */
};

_Static_assert(sizeof(struct prn_capture_record) == 128, "no hidden padding");

/*
 * Orders by page, then time; of records of one page and time the one to keep comes first: content, then the
 * other kinds in their order, then one with links, then the smaller body digest; further members only make the
 * order total.
 */
int prn_record_by_page(const void *a, const void *b);

/* Orders by payload digest, those without one last; holders before seekers; then by content. */
int prn_record_by_payload(const void *a, const void *b);

/* Orders by the page and time that seekers refer to; refers_page must be known. */
int prn_record_by_reference(const void *a, const void *b);

#endif
