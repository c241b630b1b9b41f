/*
 * What a decider needs of a capture: who, when, what kind, and the summary of its content.  The body is no longer
 * needed once it is made, and it may be made in any thread, with that thread's own extractor.
 */
#ifndef PERENNIAL_OBSERVATION_H
#define PERENNIAL_OBSERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/capture.h"
#include "perennial/digest.h"
#include "perennial/error.h"
#include "perennial/extractor.h"
#include "perennial/hint.h"
#include "perennial/source.h"
#include "perennial/summary.h"
#include "perennial/validators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Owns its memory, which one made after another reuses: _init, _make …, _release. */
struct prn_observation {
	char *url;               /* as written in the capture */
	char *normal_url;
	struct prn_digest key;   /* prn_url_key(normal_url) */
	int64_t time, modified;  /* modified: PRN_TIME_UNKNOWN if not given, or not before time (just a clock) */
	int64_t retry_after_s;   /* or PRN_TIME_UNKNOWN */
	bool has_crawl_delay;
	uint32_t crawl_delay_s;  /* of robots.txt, as in the capture */
	char address[PRN_ADDRESS_TEXT]; /* of the server; "": unknown */
	enum prn_kind kind;      /* that of a revisit of content is same: its source says that nothing changed; that of a
	                          * redirect to itself, or to nowhere, is error */
	int status;
	double weight;           /* of the page from now on, > 0 and at most PRN_WEIGHT_MOST; 0: as it was */
	struct prn_validators validators; /* as the capture has them */
	bool repeated;           /* not a 304, but a record that says that the body was that of another capture; a feed (feed.h) that had the
	                          * other makes it content, which brought no bytes */
	bool of_other;           /* repeated: the other was of another page */
	uint64_t bytes;          /* of the body that came, unpacked; of a redirect its Location and its body, of what is no content its body, both as they
	                          * came; 0: none, or a record without it */
	uint64_t body;           /* the first 64 bits of the digest of content or Location, not 0; 0: none */
	bool other_media;        /* content whose media type is that of no page (prn_media_is_page) */
	uint32_t media;          /* prn_media_code of its type; 0: none, or not content */
	enum prn_hint_format hints; /* content that is new, and is a sitemap, robots.txt or feed whose hints are wanted; else NONE */
	unsigned cut;            /* bits of PRN_CUT_*: its markup was read in part; 0 also where it was not read */
	bool summarised;         /* content or redirect, and not the known body: summary is there */
	uint64_t text;           /* prn_extractor_text, if summarised; else 0 */
	struct prn_summary summary; /* coarse (page_state.h); hashes is its own memory */
	char *asked;             /* capture.asked_url, if its host is another than the page's; NULL or "": the page's host answered */
	char *target;            /* normal URL of the page that a redirect leads to; NULL or "": none */

	uint64_t *hashes; /* private, as all below */
	size_t url_capacity, normal_capacity, asked_capacity, target_capacity, hash_capacity;
	unsigned char *hinted; /* the hints of what is observed */
	size_t hinted_length, hinted_capacity, hinted_count;
};

void prn_observation_init(struct prn_observation *observation);
void prn_observation_release(struct prn_observation *observation);

/*
 * Makes the observation of a capture.  limit is m of the decider's summaries (prn_decider_summary), at most that
 * of the extractor.  known_body is what prn_decider_body tells of the page, or 0: a body that is the same bytes
 * is not read again, only its digest is taken.
 *
 * PRN_E_ARGUMENT	the weight, time, kind, status or retry_after_s is not within what source.h says of it; the capture has no url, or its normal_url is not what
 *		prn_url_normalize makes of that, or its asked_url what it makes of any; or limit is not within 1 and PRN_PAGE_HASHES, or is above the extractor's
 * PRN_E_MEMORY
 * After a failure it is to be made again or released.
 */
int prn_observation_make(struct prn_observation *observation, const struct prn_capture *capture, size_t limit,
                         struct prn_extractor *extractor, uint64_t known_body, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
