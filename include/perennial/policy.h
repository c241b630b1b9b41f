/*
 * A policy decides when a page is visited next.  It is a learner of the page's divergence curve and the
 * threshold rule on it (OP §2.2, doc/theory.md §2), or, for a few, a rule of its own.
 *
 * The evaluator and the decider drive policies through this one interface.  A policy never sees
 * content: it keeps up to prn_policy_slots() earlier versions of the page *by reference*.  At each
 * visit the caller tells the divergence of the present version from the version in each slot, and
 * afterwards puts the present version into the slot that the policy names.  The evaluator's slots hold
 * capture indexes, the decider's hold summaries.
 *
 * A policy object is its parameters: immutable once opened, shared by all pages and threads.  What it
 * knows of one page is a state of prn_policy_state_size() bytes, owned by the caller, plain numbers
 * that may be copied with memcpy; all zero bytes is a page never visited.
 *
 * Time is in the caller's clock unit (days, or steps of a page's mean capture interval: doc/theory.md §8),
 * the same for times, periods and the threshold T, which is divergence x clock unit.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_POLICY_H
#define PERENNIAL_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/curve.h"
#include "perennial/error.h"
#include "perennial/fit.h"
#include "perennial/hints.h"
#include "perennial/look.h"
#include "perennial/siblings.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_POLICY_SLOTS 32 /* no policy has more slots */

/* What the dial of a policy is: the number that is swept to trade cost against staleness. */
enum prn_dial {
	PRN_DIAL_THRESHOLD, /* T, divergence x clock units */
	PRN_DIAL_PERIOD,    /* the refresh period itself, clock units (uniform) */
	PRN_DIAL_SCALE,     /* a factor on the periods that the policy's own rule makes, no unit */
};

#define PRN_DIALS 3

/* "threshold", "period", "scale"; "?" for any other value.  Static. */
const char *prn_dial_name(enum prn_dial dial);


/* What kind of value a key takes, and where it goes: "parameters" are the policy's own (policy_kind.h). */
enum prn_key_type {
	PRN_KEY_TYPE_NUMBER,      /* double in the parameters */
	PRN_KEY_TYPE_COUNT,       /* size_t in the parameters */
	PRN_KEY_TYPE_FLAG,        /* bool in the parameters: "yes" or "no" */
	PRN_KEY_TYPE_LEARNING,    /* struct prn_bounds in the parameters, its learning: a number, "2T" or "none" */
	PRN_KEY_TYPE_HINTS,       /* struct prn_bounds in the parameters, its deaf: "yes" or "no" */
	PRN_KEY_TYPE_ESTIMATOR,   /* struct prn_estimator in the parameters: its key of this name; "estimator": which */
	PRN_KEY_TYPE_OWN,         /* by read, whatever it writes at the offset */
	PRN_KEY_TYPE_SUMMARY,     /* prn_policy_summary, not a parameter */
	PRN_KEY_TYPE_SKIP_STATIC, /* prn_policy_skips_static, not a parameter */
};

struct prn_policy_key {
	const char *name;     /* "history" */
	const char *fallback; /* the value it has when not given, as written in a specification */
	const char *help;     /* one line */

	/* How a value is read; the members that a type does not name are not looked at. */
	enum prn_key_type type;
	size_t offset;       /* in the parameters */
	double least, most;  /* NUMBER, COUNT: the range; most <= least: it has no upper end */
	bool above, below;   /* NUMBER: the value is above least, below most, and not at it */
	bool kept;           /* states learned at one value of it are states at any other, and true: a store may change it (settings_change.h) */
	const char *word;    /* NUMBER, COUNT: a word that stands for INFINITY, or PRN_SUMMARY_ALL; may be NULL */
	bool (*read)(const char *text, void *to); /* OWN: false, and nothing written: the text does not fit */
	const char *fits;    /* completes "takes …"; OWN needs it, elsewhere NULL says what the range is */
};

/* A policy as listed by `perennial policies`.  All strings are static; keys end with a NULL name. */
struct prn_policy_info {
	const char *name;   /* "curve-fitting": small letters, digits and "-" */
	const char *title;  /* one line */
	const char *source; /* "OP §4.2" */
	enum prn_dial dial;
	const struct prn_policy_key *keys;
	bool knows_weights; /* a page of weight W is visited as one of weight 1 would be at T/W (of age, which says no: at T/√W) */
	bool compared;      /* `perennial evaluate` compares it where no policies are named */
	uint32_t state_version; /* of what its states are packed to; a store of another version is refused */
};

/* The i-th online policy, or NULL past the end: the library's, then those that were registered (policy_kind.h). */
const struct prn_policy_info *prn_policy_info(size_t i);

/*
 * The i-th offline policy, or NULL past the end: the yardsticks (doc/theory.md §7), which know a page's whole history, so that
 * only an evaluation can drive them (contender.h).  No other policy has their names.
 */
const struct prn_policy_info *prn_yardstick_info(size_t i);

/* The policy of a store for which none was named.  What commands do with one policy they do with it, unless they are told. */
#define PRN_POLICY_DEFAULT "drift"

struct prn_policy;

/*
 * Opens a policy from a specification "name" or "name:key=value:key=value".  defaults, which may be
 * NULL, is "key=value:key=value" and serves the keys that the policy has; those of other policies are ignored.
 *
 * PRN_E_NOT_FOUND	no such policy or key, or a key in defaults that no policy has; the text lists what there is
 * PRN_E_ARGUMENT	a value does not fit its key; the text says which and what fits
 * PRN_E_MEMORY
 */
int prn_policy_open(struct prn_policy **out, const char *specification, const char *defaults,
                    struct prn_error *error);
void prn_policy_free(struct prn_policy *policy);

const struct prn_policy_info *prn_policy_about(const struct prn_policy *policy);

/* The m of the summaries that the policy wants its divergences from (key "summary"); PRN_SUMMARY_ALL: exact. */
size_t prn_policy_summary(const struct prn_policy *policy);

/*
 * Key "skip-static": whoever drives the policy leaves out pages that never change.  (It may know them; the
 * policy cannot.)
 */
bool prn_policy_skips_static(const struct prn_policy *policy);

size_t prn_policy_slots(const struct prn_policy *policy);
size_t prn_policy_state_size(const struct prn_policy *policy); /* a multiple of 8 */

/* A visit that brought content.  Failed visits are never told to a policy (doc/theory.md §4). */
struct prn_visit {
	double time;              /* of this visit; later than that of the page's visit before.  From an origin that is the caller's: in
	                           * a store days since 1970, in an evaluation each page's acquisition is 0, also on the clock of days */
	double weight;            /* W > 0 */
	double threshold;         /* the dial: T > 0, or whatever else it is, > 0 */
	const double *divergence; /* [slots] slot's version against this one; anything for empty slots */
	double since_modified;    /* time from the page's Last-Modified to this visit; 0: unknown */
	uint64_t page;            /* what tells it from other pages, such as a hash of its URL: draws differ by it */
	struct prn_hints hints;   /* since this visit: none yet at the visit itself; read where a period is decided */
	struct prn_look look;     /* what a look at the page costs, for policies told to heed it */
	double said;              /* how often the page changes by what its site says of it, over what sites say in the mean; 0: it
	                           * says nothing, or is not heeded.  At most one value for a page, at all its visits */
	/*
	 * The other pages of its site, for policies that heed them, at a page's first visit; at others they are not looked
	 * at.  A page that was never visited is decided by them too.  All zero: none are known.
	 */
	struct prn_siblings siblings;
};

/* Which rule or bound set the period. */
enum prn_reason {
	PRN_REASON_RULE,     /* W U(period) = T, or the policy's own rule */
	PRN_REASON_LEARNING, /* l·n, OP §4.2 */
	PRN_REASON_RISK,     /* ρ T / W, OP §4.5 */
	PRN_REASON_NEVER,    /* the curve never reaches T and no bound applies */
};

struct prn_decision {
	double period;   /* clock units to the next visit, > 0; INFINITY: never (PRN_REASON_NEVER) */
	double expected; /* the mean of period over its random draw, or over hints to come; 1 / expected is the page's cost */
	int keep;        /* the slot to put this version into, or -1 */
	enum prn_reason reason;
};

/*
 * Tells the policy of a visit, updates state and fills *decision.  The first call for a state is the
 * page's acquisition.  Time in O(slots x points kept); never fails: every history yields a finite or
 * infinite period > 0, never NaN.
 */
void prn_policy_visit(const struct prn_policy *policy, void *state, const struct prn_visit *visit,
                      struct prn_decision *decision);

/*
 * What the policy would decide now if T or the weight had been as in *visit at the page's last visit, which
 * visit->time is; its divergences are not read.  decision->keep is -1.  A state never visited is a new page's.
 *
 * When a hint has come, it is called with visit->hints.count = n, the hints since the last visit, and the period, still
 * counted from the last visit, may be one that has passed: then the page is worth a visit now.  Learners of a curve heed
 * hints, and told so the price of a look; the other policies do not.
 */
void prn_policy_decide(const struct prn_policy *policy, const void *state, const struct prn_visit *visit,
                       struct prn_decision *decision);

/*
 * The interval that earns a page a visit where hints are heeded, which who drives the policy counts visits by that hints
 * bring before their time (prn_hints_ahead): the period without hints, or the mean one with hints that come at random, if
 * that is less.  visit as for prn_policy_decide.  0: the policy does not heed hints, and nothing is to be counted.
 */
double prn_policy_earning(const struct prn_policy *policy, const void *state, const struct prn_visit *visit);

/*
 * Writes the divergence curve that the policy has learned for the page, time from its last visit, and
 * returns 1; returns 0 for a policy that learns none (uniform, bound-based), or none yet.
 */
int prn_policy_curve(const struct prn_policy *policy, const void *state, struct prn_curve *curve);

/*
 * Writes what the page's own visits say to its siblings (siblings.h), and returns 1; all zero, and 0, for a policy that does
 * not heed siblings, or where they say nothing yet, or the page is not young any more: what it said then stays.
 */
int prn_policy_evidence(const struct prn_policy *policy, const void *state, struct prn_evidence *evidence);

/*
 * Writes what its siblings lead to expect of a page: its drift rate, > 0, and what is left of that beside what its own visits
 * say, in (0, 1].  visit as for prn_policy_decide.  Returns 0 where they are not heeded, not known or not heeded any more.
 */
int prn_policy_expects(const struct prn_policy *policy, const void *state, const struct prn_visit *visit, double *rate,
                       double *left);

/*
 * The setting of the dial that spends a budget on a population: where n pages of these rates (of
 * prn_policy_curve: changes per clock unit, >= 0) and weights (> 0; NULL: all 1) make budget visits per clock
 * unit together, once they are known.  Whoever has a budget solves this from all pages' estimates from time
 * to time and gives every visit the setting that came of it: a visit costs the same however many pages there
 * are.  About a dozen passes over the pages.
 *
 * PRN_E_UNSUPPORTED	the policy's periods are not a function of rate and weight
 * PRN_E_ARGUMENT	budget is not positive and finite, a rate or weight is not as above, or no page changes
 * PRN_E_MEMORY
 */
int prn_policy_price(const struct prn_policy *policy, const double *rates, const double *weights, size_t n,
                     double budget, double *dial);

/*
 * Writes the points of the page's change profiles in one list, ascending in lag (profile.h), and returns how
 * many, at most PRN_FIT_POINTS; 0 for a policy that keeps none, or none yet.
 */
size_t prn_policy_profile(const struct prn_policy *policy, const void *state, struct prn_point *points);

/*
 * A state in few bytes, for stores: writes them to out if capacity is enough, and returns how many they are.
 * now is the time of the page's last visit: other times are kept as what lies between.
 *
 * Numbers are kept in single precision, lags of profiles to a relative 2^-11, divergences to 1/255, so that
 * states are small: curve fitting with h = 1 has at most 66 bytes, drift 23.  A state that was packed and
 * unpacked packs to the same bytes, and decides as the state it came from: periods within 1 %, but where a
 * policy compares (which curve is closer, which bound is passed) and the two sides are nearly even.
 */
size_t prn_policy_pack(const struct prn_policy *policy, const void *state, double now, void *out, size_t capacity);

/*
 * Reads what prn_policy_pack wrote for the same specification.  No bytes are a page never visited.
 *
 * PRN_E_INPUT	no state of this policy packs to these bytes; *state is that of a page never visited
 */
int prn_policy_unpack(const struct prn_policy *policy, const void *bytes, size_t length, double now, void *state);

#ifdef __cplusplus
}
#endif

#endif
