/*
 * The common part of the policies that learn from change profiles (OP §4.1): they keep h earlier versions of a page, a
 * profile for each, and the one that closed last (perennial/profile.h).  The profiles are the end of their states.
 */
#ifndef POLICY_PROFILED_H
#define POLICY_PROFILED_H

#include "perennial/policy_kind.h"
#include "perennial/profile.h"

/* Their parameters, or the first of them. */
struct prn_profiled_parameters {
	size_t history; /* h */
	size_t head;    /* the bytes of the state before its profiles [h + 1]; init of the kind writes it */
};

/* For struct prn_policy_kind. */
void prn_profiled_sizes(const void *parameters, size_t *slots, size_t *state_size);
size_t prn_profiled_profile(const void *parameters, const void *state, struct prn_point *points);

#endif
