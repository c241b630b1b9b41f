/*
 * A policy under test, online or an offline yardstick (doc/theory.md §7).  Immutable once opened, shared by threads.
 */
#ifndef PERENNIAL_CONTENDER_H
#define PERENNIAL_CONTENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "perennial/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_contender;

/*
 * Opens a yardstick by its name, "uniform:skip-static" (pages that never change are never visited), or an
 * online policy by its specification; defaults and errors are those of prn_policy_open.
 */
int prn_contender_open(struct prn_contender **out, const char *specification, const char *defaults,
                       struct prn_error *error);
void prn_contender_free(struct prn_contender *contender);

const struct prn_policy_info *prn_contender_about(const struct prn_contender *contender);

/* A setting of the dial: in clock units, or (periods only) in seconds, by each page's own clock. */
struct prn_setting {
	double value; /* > 0, finite */
	bool in_seconds;
};

#ifdef __cplusplus
}
#endif

#endif
