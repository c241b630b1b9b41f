/*
 * Schedules: when a page of a simulation is visited, by no more than what its estimator says.
 *
 * A schedule is its parameters: plain numbers, copy it freely.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_SCHEDULE_H
#define PERENNIAL_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/process.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The i-th schedule, or NULL past the end. */
const struct prn_simulation_info *prn_schedule_info(size_t i);

struct prn_schedule_kind;

/* Set by prn_schedule_init; may be read.  Intervals are multiples of the one that prn_schedule_interval is told. */
struct prn_schedule {
	const struct prn_schedule_kind *kind;
	double spread;      /* irregular: intervals are even in 1 - spread … 1 + spread */
	double r;           /* adaptive: so many changes are expected from one visit to the next */
	double first;       /* visits at the interval itself, before it adapts */
	double least, most; /* of the intervals */
};

/* As prn_process_init. */
int prn_schedule_init(struct prn_schedule *schedule, const char *specification, struct prn_error *error);

/*
 * The time from a page's visit to the next: > 0.  visits: since its first, which is not counted; estimate: the rate by
 * these, >= 0, 0 being no change seen; interval: the mean of a schedule that does not adapt, and the interval of its
 * first visits of one that does.  random is where the page's draws of visits are, as base of prn_schedule_begin.
 */
double prn_schedule_interval(const struct prn_schedule *schedule, double interval, uint64_t visits, double estimate,
                             uint64_t random[4]);

/* Draws of their own for page number: the same at every process. */
void prn_schedule_begin(uint64_t seed, uint64_t number, uint64_t random[4]);

/* Whether intervals go by the estimate: then each estimator makes visits of its own. */
int prn_schedule_adapts(const struct prn_schedule *schedule);

#ifdef __cplusplus
}
#endif

#endif
