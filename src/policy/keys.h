/*
 * The keys of policies, but for those of estimators (perennial/estimator.h): how the value of each is written.
 */
#ifndef POLICY_KEYS_H
#define POLICY_KEYS_H

#include <stdbool.h>

#include "policy/kind.h"

#define PRN_KEY_VALUE_BYTES 160 /* with its NUL; no value is longer */

struct prn_key_reader {
	const char *name;
	bool (*read)(const char *text, struct prn_parameters *to); /* false, and nothing written: it does not fit */
	const char *fits; /* completes "takes …" */
};

/* Ends with a NULL name. */
extern const struct prn_key_reader prn_key_readers[];

/* The one of this name, or NULL. */
const struct prn_key_reader *prn_key_reader(const char *name);

#endif
