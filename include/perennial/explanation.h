/*
 * Why a page is visited when it is: all that is known of it, and what its policy concludes from that.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_EXPLANATION_H
#define PERENNIAL_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/curve.h"
#include "perennial/decider.h"
#include "perennial/fit.h"
#include "perennial/held.h"
#include "perennial/hinting.h"
#include "perennial/hints.h"
#include "perennial/page_state.h"
#include "perennial/policy.h"
#include "perennial/siblings.h"
#include "perennial/validators.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_EXPLAINED_SOURCES 4

/* A source of hints that has named the page. */
struct prn_explained_source {
	char name[PRN_SOURCE_BYTES + 1];
	double hints;             /* that were counted, since it first named the page */
	double since;             /* of them, since the last visit */
	double trust;             /* the share of changes that it is taken to tell of the host's pages, 0 … 1 */
	double precision, recall, hinted_share; /* on the host, as in struct prn_hint_source … */
	double hinted, changed, both, visits;   /* … and so the visits behind these */
};

/* Owns its memory, which one explanation after another reuses: _init, prn_decider_explain …, _release. */
struct prn_explanation {
	char *url; /* as first spelled */
	double weight;
	enum prn_page_status status;
	uint32_t visits;    /* that brought content */
	uint32_t failures;  /* since the last of them */
	uint32_t gones;     /* in a row */
	int64_t visited, attempted; /* the last visit that counts, the last attempt; PRN_TIME_UNKNOWN: none */
	double usual;       /* how far the page usually is from the nearest version kept, in [0, 1] */
	size_t state_bytes; /* in the store */

	bool counted;           /* looks count by what they cost (stats.h); else all that follows is 1 visit, and 0 */
	enum prn_unit unit;
	double cost;            /* that the next look is expected to */
	bool cost_guessed;      /* … by what the store's other pages bring, for it has brought no answer */
	double answer_bytes;    /* of an answer with a body, in the mean; 0: unknown, or visits are counted */
	double unchanged;       /* the share of looks that was answered "not modified"; NaN: none was seen */
	double weight_by_cost;  /* the weight that W U has: in bytes that per 100 kB, else the page's */

	int64_t next;         /* PRN_TIME_UNKNOWN: none */
	enum prn_next reason; /* of next */
	int64_t lease;        /* when it runs out; PRN_TIME_UNKNOWN: not on lease */
	struct prn_validators validators; /* of the version that the page has */
	int64_t host_until;   /* what the host wants, and is not yet over; PRN_TIME_UNKNOWN: nothing */
	double min_s, max_s;  /* the bounds on its intervals */

	bool waits;           /* it is due, and waits for its host */
	char host[512];       /* whom it is asked for as; "@" and a name: a group of hosts */
	double host_delay_s;  /* between two pages of that: the rule in force, or what its robots.txt asks for */
	unsigned host_limit;  /* how many may be out at a time; 0: any number */
	double host_from_s, host_to_s; /* of the UTC day, when it may be asked; equal: at any time */
	enum prn_held held;   /* what holds its pages back */
	int64_t held_until;   /* until when, unless a page comes back before; PRN_TIME_UNKNOWN: nothing does */

	struct prn_point *points; /* [point_count] the profile: days and divergence (OP §4.1); none for drift */
	size_t point_count;
	bool has_curve;
	struct prn_curve curve; /* in days from the last visit */
	double threshold;       /* T, divergence-days */
	double elapsed_days;    /* from the last visit to now; 0 without one */
	double effective_days;  /* what of that has passed by what hints tell (prn_hints_elapsed); without hints the same */
	double utility;         /* W U at that (prn_hints_utility); 0 without a curve */
	double reaches_days;    /* after the last visit, when W U = T if no more hints come; INFINITY: never, or no curve */
	double period_days;     /* what the policy decides at T, within its own bounds; INFINITY: never */
	enum prn_reason rule;   /* which of them */
	int64_t policy_next;    /* when that is, within min_s and max_s, and not before the last hint; PRN_TIME_UNKNOWN without a visit */

	/*
	 * What the other pages of its site led to expect of it at its first visit, or do now if it was never visited: the
	 * rate at which they moved while they were young, divergence a day (prn_siblings_rate), whether that lasted or not;
	 * their present curves show only what lasts.  0: nothing is expected, because no siblings are known, or they are not
	 * heeded, or no longer.
	 */
	double siblings_rate;
	double siblings_left; /* how much of that is left beside what all pages are like, in (0, 1]; the page's own visits come on top */
	char pattern[PRN_PATTERN_BYTES + 1]; /* of its URL (siblings.h) … */
	uint32_t pattern_pages; /* … and other pages of that which have said anything by now */
	uint32_t host_pages;    /* likewise of its host */

	struct prn_hints heard; /* the hints that the policy heeds, those of the source that is trusted most; all zero: none */
	double heard_days;      /* after the last visit, when the last of them came; 0: none since */
	double unhinted_days;   /* what the policy would decide without them, as period_days … */
	int64_t unhinted_next;  /* … and when that would be, as policy_next */
	size_t heard_source;    /* whose they are, of sources; from source_count on: that is not known any more */
	size_t source_count;
	struct prn_explained_source sources[PRN_EXPLAINED_SOURCES]; /* [source_count] */

	size_t url_capacity, point_capacity; /* private */
};

void prn_explanation_init(struct prn_explanation *explanation);
void prn_explanation_release(struct prn_explanation *explanation);

/*
 * Explains one page, as the last commit left it.
 *
 * PRN_E_NOT_FOUND	no such page
 * PRN_E_INPUT, PRN_E_LIMIT	not a URL
 * PRN_E_UNREADABLE	it cannot be read (due.h); a report has it begin anew
 * Errors of views
 */
int prn_decider_explain(struct prn_decider *decider, const char *url, int64_t now,
                        struct prn_explanation *explanation, struct prn_error *error);

/*
 * W U at days after the last visit, with the hints so far and if no more come; of several hints since the visit only the time
 * of the last is known, and all are taken to have come then.  0 without a curve.
 */
double prn_explanation_utility(const struct prn_explanation *explanation, double days);

/* The expected divergence then, likewise. */
double prn_explanation_divergence(const struct prn_explanation *explanation, double days);

/* Called by prn_decider_each for each page; *page is valid during the call.  More than 0 ends the listing too, with PRN_E_CANCELLED. */
typedef int prn_explained_fn(void *context, const struct prn_explanation *page);

/*
 * Explains every page, in the order of keys: some hundred at a time, each portion as the last commit left it.  Where there are several
 * processors, a thread reads the next portion while take is called in the caller's.  No view waits for take, so that take may be slow,
 * and may write to the store, but not set the decider's options.  A store that is shared (store.h) is read
 * at once instead, each shard as it was at one moment, which its view has in memory: take may write to that too, and sees nothing of it.
 *
 * Errors of views, and what take returned;
 * PRN_E_DAMAGED	after all others were taken: pages that cannot be read (due.h), and shards, or lists of them, that are lost, are left out
 */
int prn_decider_each(struct prn_decider *decider, int64_t now, prn_explained_fn *take, void *context,
                     struct prn_error *error);

/*
 * The same for the pages that come after one in that order; with several shards that is the order of shards and then of
 * keys.  So a listing that was broken off goes on behind the page that was taken last, which need not be there any more.
 * PRN_E_ARGUMENT: no URL
 */
int prn_decider_each_after(struct prn_decider *decider, const char *url, int64_t now, prn_explained_fn *take, void *context,
                           struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
