/* Declarations that the files of this room share. */
#ifndef POLICY_POLICY_INTERNAL_H
#define POLICY_POLICY_INTERNAL_H

#include "perennial/policy_kind.h"

struct prn_policy {
	const struct prn_policy_kind *kind;
	size_t slots, state_size;
	size_t summary;
	bool skips_static;
	uint32_t fingerprint; /* 0: none */
	max_align_t parameters[]; /* kind->parameters_size bytes */
};

/* The policies of this room; made from the list in room.am, in its order.  Ends with NULL. */
extern const struct prn_policy_kind *const prn_policy_table[];

/*
 * Tells whether the policy decides by its curve and hints together (hints.h): it has a key of
 * PRN_KEY_TYPE_HINTS that says yes.
 */
bool prn_policy_heeds_hints(const struct prn_policy *policy);

/*
 * Returns a number that identifies the policy and its parameters in this version of the program; another policy
 * hardly ever has the same one, as it may read the same state differently. 0: for a policy that a program
 * registered, or that keeps its parameters elsewhere.
 */
uint32_t prn_policy_fingerprint(const struct prn_policy *policy);

/* Tells whether the policy is one of them. */
bool prn_policy_is_built_in(const struct prn_policy *policy);

/*
 * Tells whether a state may be all zero, and so be packed to no bytes, after a visit: true for registered
 * policies and for those without a state.  The library's own policies count visits, so no bytes mean a
 * truncated record.
 */
bool prn_policy_may_be_blank(const struct prn_policy *policy);

/* Returns the i-th kind, or NULL past the end: first the table's, then the registered ones. */
const struct prn_policy_kind *prn_policy_kind_at(size_t i);

/* Registers a kind for good.  PRN_E_ARGUMENT: the name is taken; PRN_E_LIMIT */
int prn_policy_kinds_add(const struct prn_policy_kind *kind, struct prn_error *error);

/*
 * Makes a policy of a kind: first its keys' fallbacks, then those of defaults that it has, then those of keys,
 * both as "key=value:key=value" and each NULL for none.  Errors as prn_policy_open.
 */
int prn_policy_make(struct prn_policy **out, const struct prn_policy_kind *kind, const char *defaults, const char *keys,
                    struct prn_error *error);

/*
 * Writes to *same whether states of one specification are valid for the other: the same policy, with equal keys
 * except those that are marked kept. defaults as for prn_policy_open, and its errors.
 */
int prn_policy_same_states(const char *a, const char *b, const char *defaults, bool *same, struct prn_error *error);

/* Reads text[0 … length-1], the value of one of the policy's keys.  PRN_E_ARGUMENT: it does not fit. */
int prn_policy_key_read(const struct prn_policy_key *key, const char *text, size_t length, struct prn_policy *policy,
                        struct prn_error *error);

#endif
