/*
 * Policies as they are written: "name:key=value:key=value".
 */
#ifndef POLICY_SPECIFICATION_H
#define POLICY_SPECIFICATION_H

#include <stddef.h>

#include "perennial/error.h"
#include "policy/kind.h"

/*
 * Fills policy->kind and policy->parameters: the keys' fallbacks, then those of defaults (may be NULL) that
 * the policy has, then those of the specification.  Errors as prn_policy_open.
 */
int prn_specification_read(const struct prn_policy_kind *const *kinds, size_t count, const char *specification,
                           const char *defaults, struct prn_policy *policy, struct prn_error *error);

#endif
