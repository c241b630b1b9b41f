/*
 * What the files of this room share about policies.
 */
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

/* Whether it decides by its curve and hints together (hints.h): it has a key of PRN_KEY_TYPE_HINTS, and that says yes. */
bool prn_policy_heeds_hints(const struct prn_policy *policy);

/*
 * A number of a policy of this program's, which another of other parameters, or of another version of the program, hardly has:
 * what they say of the same state may differ.  0: of a policy that a program brought, or that keeps its parameters elsewhere.
 */
uint32_t prn_policy_fingerprint(const struct prn_policy *policy);

/* Whether the policy is one of them. */
bool prn_policy_is_built_in(const struct prn_policy *policy);

/*
 * Whether a state may be all zero, and so of no bytes, after a visit: any of a policy that a program brought, or that has
 * none.  The library's count visits: there no bytes are a record that was cut off.
 */
bool prn_policy_may_be_blank(const struct prn_policy *policy);

/* The i-th kind, or NULL past the end: the table's, then those that were registered. */
const struct prn_policy_kind *prn_policy_kind_at(size_t i);

/* Makes a kind known for good.  PRN_E_ARGUMENT: another one has the name; PRN_E_LIMIT */
int prn_policy_kinds_add(const struct prn_policy_kind *kind, struct prn_error *error);

/*
 * Makes a policy of a kind: its keys' fallbacks, then those of defaults that it has, then those of keys, both as
 * "key=value:key=value" and each NULL for none.  Errors as prn_policy_open.
 */
int prn_policy_make(struct prn_policy **out, const struct prn_policy_kind *kind, const char *defaults, const char *keys,
                    struct prn_error *error);

/*
 * Whether what the states of one specification say is what they say of the other: the same policy, all keys alike but such
 * as are marked kept.  defaults as for prn_policy_open, and its errors.
 */
int prn_policy_same_states(const char *a, const char *b, const char *defaults, bool *same, struct prn_error *error);

/* Reads text[0 … length-1], the value of a key of the policy's.  PRN_E_ARGUMENT: it does not fit. */
int prn_policy_key_read(const struct prn_policy_key *key, const char *text, size_t length, struct prn_policy *policy,
                        struct prn_error *error);

#endif
