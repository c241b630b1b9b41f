/*
 * What a decider knows of one page, and its form in a store: at most 128 bytes where summaries keep 8 hashes and the
 * policy is drift, or curve fitting with one profile of 12 points; five more where
 * what looks cost is counted; eleven more of a page that hints have named.
 *
 * URL, weight, next visit and lease stand beside it in the store's record (store.h).
 */
#ifndef PERENNIAL_PAGE_STATE_H
#define PERENNIAL_PAGE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/policy.h"
#include "perennial/summary.h"
#include "perennial/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values are written in stores: they never change. */
enum prn_page_status {
	PRN_PAGE_NEW = 0,     /* never brought content */
	PRN_PAGE_LIVE = 1,
	PRN_PAGE_SUSPECT = 2, /* its last content is held back until a second visit */
	PRN_PAGE_RETIRED = 3, /* gone for good: no more visits */
};

/* Which rule or bound set the next visit: the first four as in enum prn_reason.  Values are written in stores. */
enum prn_next {
	PRN_NEXT_RULE = 0,
	PRN_NEXT_LEARNING = 1,
	PRN_NEXT_RISK = 2,
	PRN_NEXT_NEVER = 3,    /* the curve never reaches T: the maximum interval */
	PRN_NEXT_MINIMUM = 4,  /* the minimum interval */
	PRN_NEXT_MAXIMUM = 5,  /* the maximum interval */
	PRN_NEXT_NEW = 6,      /* never visited: at once */
	PRN_NEXT_SUSPECT = 7,  /* early, to see whether a near-total change is true */
	PRN_NEXT_RETRY = 8,    /* back-off after a failure */
	PRN_NEXT_HOST = 9,     /* when the host may be asked again */
	PRN_NEXT_RETIRED = 10, /* no more */
};

#define PRN_NEXTS 11

/* "new", "live", …; "rule", "learning", …: the words used in every output; "?" for any other value.  Static. */
const char *prn_page_status_name(enum prn_page_status status);
const char *prn_next_name(enum prn_next next);

#define PRN_PAGE_HASHES 1024   /* the largest m of a page state */
#define PRN_PAGE_FAILURES 15   /* counts of failures stop there */
#define PRN_PAGE_REDIRECTS 20  /* the longest chain: what browsers follow (Fetch standard, HTTP-redirect fetch) */
#define PRN_PAGE_PASSED_ON 255

/* A version of the page that the policy keeps (policy.h "slots"). */
struct prn_page_slot {
	bool used;
	bool stand_in;              /* the version to be kept was not seen whole: the next content takes this place */
	double moved;               /* divergence of the present version from this one, in whole 255ths */
	struct prn_summary summary; /* coarse; hashes are the state's memory, room for m */
};

/* What looks at the page cost, for budgets that count it: as a state keeps it.  All zero: not counted, or never seen. */
#define PRN_PAGE_LOOKS 15

struct prn_page_cost {
	uint32_t looks; /* that the others were learned from, at most PRN_PAGE_LOOKS */
	double same;    /* the share that was answered "not modified", fading: as prn_page_same has it */
	double bytes;   /* of an answer with a body, in the mean, fading: as prn_page_bytes has it; 0: unknown, or visits are counted.
	                 * Without looks: what the store's other pages made believe when it was handed out */
};

/* _init, then _clear or _decode for each page, then _release.  Numbers may be set freely within their ranges. */
struct prn_page_state {
	enum prn_page_status status;
	enum prn_next reason;
	uint32_t visits;    /* that were told to the policy */
	uint32_t failures;  /* since the last of them, at most PRN_PAGE_FAILURES: errors, gone, leases that ran out */
	uint32_t gones;     /* in a row up to the last attempt, at most PRN_PAGE_FAILURES */
	int64_t attempted;  /* the last attempt; PRN_TIME_UNKNOWN: none */
	int64_t visited;    /* the last visit told to the policy, at most attempted; without visits, of a page that its host
	                     * keeps waiting (PRN_NEXT_HOST): since when, if known; else PRN_TIME_UNKNOWN */
	double troubled;    /* the share of the page's answers before which it had failed, fading, in whole 255ths */
	uint64_t body;      /* of the last content (observation.h); 0: none */
	uint32_t media;     /* prn_media_code of the last content */
	double usual;       /* how far the page usually is from the nearest version it keeps, in whole 255ths */
	uint32_t redirects; /* that led to it, one after another, from a page that somebody named; at most
	                     * PRN_PAGE_REDIRECTS; PRN_PAGE_PASSED_ON: it is of such a chain, and its own redirect has
	                     * brought the chain's next page already */
	bool from_elsewhere; /* the last of these redirects was of another site */
	struct prn_hints hints; /* of its most trusted source, as a policy is told (prn_page_state_hint); all zero: none ever came */
	struct prn_page_cost cost;
	void *policy_state; /* prn_policy_state_size bytes, owned */
	struct prn_page_slot slots[PRN_POLICY_SLOTS];

	const struct prn_policy *policy; /* borrowed */
	size_t slot_count, summary_limit;
	uint64_t *hashes; /* owned: of all slots */
};

/* limit, m, is 1 … PRN_PAGE_HASHES.  PRN_E_ARGUMENT, PRN_E_MEMORY */
int prn_page_state_init(struct prn_page_state *state, const struct prn_policy *policy, size_t limit);
void prn_page_state_release(struct prn_page_state *state);

/* Makes it that of a new page. */
void prn_page_state_clear(struct prn_page_state *state);

/*
 * States keep the top 32 bits of hashes (doc/theory.md §1): a summary of the version with the others 0, of at most
 * limit hashes.  It is written to hashes, room for limit, which the result borrows.  Two coarse summaries compare as
 * whole ones do, but for a chance of 2^-32 for every pair of fragments.
 */
struct prn_summary prn_summary_coarsen(const struct prn_summary *summary, size_t limit, uint64_t *hashes);

/* Puts a coarse summary of at most m hashes into a slot: the present version. */
void prn_page_state_keep(struct prn_page_state *state, size_t slot, const struct prn_summary *summary);

/*
 * Sets the hints as a state keeps them: trust in whole 255ths, rate in single precision, count a whole number, ahead in whole
 * 64ths.  A rate that is not above 0 and finite: none.
 */
#define PRN_AHEAD_STEPS 64.0
void prn_page_state_hint(struct prn_page_state *state, const struct prn_hints *hints);

/* share in [0, 1] as the nearest whole 255ths; what is not 0 stays so. */
double prn_page_share(double share);

/* The share of looks that were answered "not modified", in [0, 1], as states keep it: the nearest whole 65535ths. */
#define PRN_SAME_STEPS 65535.0
double prn_page_same(double share);

/* A number of bytes as states keep it: to 0.02 %, from 1 to 4 GiB; 0 for 0. */
#define PRN_BYTES_STEPS 2048.0 /* to a factor of two */
double prn_page_bytes(double bytes);

/*
 * A media type in three bytes, enough to tell it from others again: "text/html" is text/html, and it is under "text/"
 * by prn_media_under.  Case and parameters do not matter.  0 for NULL or no type.
 */
uint32_t prn_media_code(const char *content_type);

/* Whether a page's code may be of this type, "text/html", or of all types of a kind, "image/" and "image/" + "*". */
bool prn_media_under(uint32_t code, const char *type);

/*
 * The clock of policies in a decider is days since 1970-01-01T00:00:00Z: time in it.  What was told at the last visit is the time that
 * prn_page_state_encode packs the policy's state from.
 */
double prn_page_days(int64_t time);

/* Writes a state to out if capacity is enough, and returns how many bytes it takes. */
size_t prn_page_state_encode(const struct prn_page_state *state, void *out, size_t capacity);

/*
 * Reads what was encoded for the same policy and m: the same state, its policy's part as prn_policy_unpack makes it.
 * On failure *state is that of a new page.
 *
 * PRN_E_VERSION	written by a version of this program that knows more
 * PRN_E_DAMAGED	damaged, or of another policy or m
 */
int prn_page_state_decode(struct prn_page_state *state, const void *bytes, size_t length, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
