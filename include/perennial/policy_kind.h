/*
 * What a policy is made of: for authors of policies.  Users of policies read policy.h.
 *
 * A policy is a struct prn_policy_kind and the functions that it names.  It works wherever the library's own do (in
 * prn_policy_open, an evaluation, a store) once it is known:
 *
 *	in a program		prn_policy_register(&kind, &error)
 *	in the command		a shared object that defines prn_plugin_policies, and --plugin=./patient.so
 *	in the library		a file in src/policy/ and a line in its room.am: CONTRIBUTING.md
 *
 * A complete one is doc/examples/patient.c.
 *
 * A visit's time has an origin that is the caller's: a store counts days since 1970, an evaluation from a page's acquisition.  Only
 * the time from one visit to another means anything: for a day of the week or an hour of the day there is no other source.
 *
 * Its functions are called by any number of threads at once, each with a state of its own.  They read no clock and keep
 * nothing outside the state, and they never fail: every history has a period.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_POLICY_KIND_H
#define PERENNIAL_POLICY_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/curve.h"
#include "perennial/error.h"
#include "perennial/packing.h"
#include "perennial/policy.h"
#include "perennial/summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * parameters is the policy's own struct, which its keys fill (struct prn_policy_key: type, offset, range); state is what
 * the policy knows of one page.  Both are plain numbers, zero at first; a state may be copied with memcpy.
 */
struct prn_policy_kind {
	uint32_t version; /* PRN_POLICY_KIND_VERSION */
	struct prn_policy_info info;
	size_t parameters_size;

	/*
	 * Once the keys are read: what follows from them, and memory that they need, which release gives back.  Each
	 * may be NULL.  A negative code and a text when the values do not go together (PRN_E_ARGUMENT) or memory is
	 * out; then release is not called.  A positive number is taken for PRN_E_ARGUMENT.
	 */
	int (*init)(void *parameters, struct prn_error *error);
	void (*release)(void *parameters);

	/* How many versions of a page it keeps, at most PRN_POLICY_SLOTS, and the bytes of a state, at most PRN_POLICY_STATE_BYTES. */
	size_t slots, state_size;
	/* Where these depend on the parameters, writes both; else NULL. */
	void (*sizes)(const void *parameters, size_t *slots, size_t *state_size);

	/*
	 * Learns from a visit, and returns the slot to put this version into, or -1; a number that is none of its slots is
	 * taken for -1.
	 */
	int (*visit)(const void *parameters, void *state, const struct prn_visit *visit);

	/*
	 * Writes period > 0, expected > 0 and reason by what is learned; visit is the last one, but for its divergences,
	 * and perhaps at another threshold, or with hints.  An all-zero state is a page never visited.
	 * prn_bounds_decide and prn_bounds_decide_curve write them.  A period that is NaN is taken for INFINITY, one that is not
	 * above 0 for the shortest there is; an expected that is neither, for the period; a reason that is none, for the rule.
	 */
	void (*decide)(const void *parameters, const void *state, const struct prn_visit *visit,
	               struct prn_decision *decision);

	/*
	 * Writes a state in few bytes, or reads it into one that is all zero, by one description for both (packing.h).
	 * What the policy never writes must fail in reading, for bytes come from disks; what it writes must not, or a store
	 * refuses the page (PRN_E_ARGUMENT).  A state that is all zero, also after a visit, is not asked for: it takes no
	 * bytes.  NULL where there is no state.
	 */
	void (*pack)(const void *parameters, void *state, struct prn_packing *packing);

	/* As the functions of policy.h.  NULL: it learns no curve, has no price, keeps no profile. */
	int (*curve)(const void *parameters, const void *state, struct prn_curve *curve);
	int (*price)(const double *rates, const double *weights, size_t n, double budget, double *dial);
	size_t (*profile)(const void *parameters, const void *state, struct prn_point *points);

	/* As the functions of policy.h.  NULL, both: it does not heed siblings. */
	int (*evidence)(const void *parameters, const void *state, struct prn_evidence *evidence);
	int (*expects)(const void *parameters, const void *state, const struct prn_visit *visit, double *rate,
	               double *left);
};

/* The most bytes of a state, and of the parameters. */
#define PRN_POLICY_STATE_BYTES 65536

/*
 * Tells what these structs were like when a policy was built.  The number above the size is raised whenever one of
 * the structs that a policy shares with the library changes.
 */
#define PRN_POLICY_KIND_VERSION ((uint32_t)(5u << 16 | sizeof(struct prn_policy_kind)))

/*
 * Makes a policy known to the whole process, for good: *kind, its strings and its functions must stay as long as the process
 * does, so a shared object that has them is never closed.  The same kind may be registered again.
 *
 * The library keeps nothing else outside the caller's objects but the stores at "memory:NAME" (store.h).  Any thread may call it at any time, beside threads that open
 * and list policies.
 *
 * PRN_E_VERSION	it was built against other headers than the library
 * PRN_E_ARGUMENT		another policy has the name, an offline one too; a name is not of small letters, digits and "-"; a
 *			function or text is missing; a key does not go with its fallback; there are more slots than
 *			PRN_POLICY_SLOTS; or a state or the parameters take more than PRN_POLICY_STATE_BYTES
 * PRN_E_LIMIT		PRN_POLICIES_REGISTERED have been registered
 * PRN_E_MEMORY, and the errors of kind->init
 */
int prn_policy_register(const struct prn_policy_kind *kind, struct prn_error *error);

#define PRN_POLICIES_REGISTERED 64

/*
 * A shared object for the option --plugin of `perennial` defines
 *
 *	const struct prn_policy_kind *const prn_plugin_policies[] = { &patient, NULL };
 *
 * and leaves the library's functions to be found in the command: cc -shared -fPIC -o patient.so patient.c.  In C++, where
 * what is const is not seen from outside, the declaration below makes it so; it needs no extern "C" of its own.
 */
#define PRN_PLUGIN_POLICIES "prn_plugin_policies"
#ifdef __cplusplus
extern const struct prn_policy_kind *const prn_plugin_policies[];
#endif

/* Bounds on the periods of a learner: for the parameters of a policy that has the keys.  0 and INFINITY are none. */
struct prn_bounds {
	double learning;    /* l: of a page visited n times, l n (OP §4.2) */
	bool learning_tied; /* l = max(0.3, learning x T / W) */
	bool deaf;          /* hints are not heeded */
	bool priced;        /* what a look costs is heeded */
	double risk;        /* ρ >= 1: ρ T / W (OP §4.5) */
};

/*
 * Writes period, the rule's own, expected and reason, under the bounds (NULL: none) for a page with so many visits.
 * INFINITY with no bound is "never".
 */
void prn_bounds_decide(const struct prn_bounds *bounds, double period, uint32_t visits, const struct prn_visit *visit,
                       struct prn_decision *decision);

/*
 * The shared end of every learner: the period that its curve and the threshold rule give, or for a page with no curve yet
 * (NULL) one clock unit, decided as above.  With hints the period ends where their level is reached; where bounds are
 * priced, the threshold is that of the price of a look at the period without hints (doc/theory.md §15).
 */
void prn_bounds_decide_curve(const struct prn_bounds *bounds, const struct prn_curve *curve, uint32_t visits,
                             const struct prn_visit *visit, struct prn_decision *decision);

/* Keys that several policies share, one wording for each; parameters is the type of struct, member where the value goes. */
#define PRN_KEY_HISTORY(parameters, member, h)                                                                     \
	{ .name = "history", .fallback = h, .help = "base versions kept, 1 to 32 (OP's h)",                        \
	  .type = PRN_KEY_TYPE_COUNT, .offset = offsetof(parameters, member), .least = 1, .most = PRN_POLICY_SLOTS }
#define PRN_KEY_LEARNING(parameters, bounds, l)                                                                    \
	{ .name = "learning", .fallback = l,                                                                       \
	  .help = "bound on a new page's period: l per visit so far; \"2T\": l = max(0.3, 2T); \"none\"",          \
	  .type = PRN_KEY_TYPE_LEARNING, .offset = offsetof(parameters, bounds), .kept = true }
#define PRN_KEY_RISK(parameters, bounds, r)                                                                        \
	{ .name = "risk", .fallback = r, .help = "bound on the period: ρ T / W, ρ >= 1; \"none\"",                 \
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(parameters, bounds.risk), .least = 1, .word = "none", .kept = true }
#define PRN_KEY_HINTS(parameters, bounds)                                                                          \
	{ .name = "hints", .fallback = "yes", .help = "whether hints are heeded",                                  \
	  .type = PRN_KEY_TYPE_HINTS, .offset = offsetof(parameters, bounds), .kept = true }
#define PRN_KEY_PRICE(parameters, bounds)                                                                          \
	{ .name = "price", .fallback = "no", .help = "whether it is heeded that conditional requests are cheap",   \
	  .type = PRN_KEY_TYPE_FLAG, .offset = offsetof(parameters, bounds.priced), .kept = true }
#define PRN_KEY_ALPHA(parameters, member)                                                                          \
	{ .name = "alpha", .fallback = "0.03", .help = "prior: divergence seen, α; α/β is the mean drift",         \
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(parameters, member), .above = true, .kept = true }
#define PRN_KEY_BETA(parameters, member)                                                                           \
	{ .name = "beta", .fallback = "3", .help = "prior: time seen, β, clock units",                             \
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(parameters, member), .above = true, .kept = true }

/* Whoever keeps a version has this one: it is how a store keeps it small. */
#define PRN_KEY_SUMMARY                                                                                            \
	{ .name = "summary", .fallback = "all", .help = "smallest hashes kept of a version, or \"all\" (m)",       \
	  .type = PRN_KEY_TYPE_SUMMARY, .least = 1, .most = UINT32_MAX, .word = "all",                             \
	  .fits = "a whole number from 1, or 'all'" }
#define PRN_KEYS_END { .name = NULL }

#ifdef __cplusplus
}
#endif

#endif
