/*
 * How a survival is made: durations are added cluster by cluster, then it is finished once, and can be read.
 */
#ifndef LONGEVITY_SURVIVAL_INTERNAL_H
#define LONGEVITY_SURVIVAL_INTERNAL_H

#include <stdint.h>

#include "perennial/error.h"
#include "perennial/survival.h"

/* clusters = 0: without intervals.  PRN_E_MEMORY */
int prn_survival_open(struct prn_survival **out, size_t clusters);
void prn_survival_free(struct prn_survival *survival);

/* duration: one that is not above 0 is left out.  cluster < clusters, or anything without them.  PRN_E_MEMORY */
int prn_survival_add(struct prn_survival *survival, size_t cluster, double duration, enum prn_censoring censoring);

/*
 * Writes what was added, before or after it is finished; and adds what was written, cluster i of [clusters] to cluster to[i].
 * PRN_E_INPUT: nothing was written so; PRN_E_MEMORY
 */
struct prn_buffer;
struct prn_cursor;
int prn_survival_write(const struct prn_survival *survival, struct prn_buffer *out);
int prn_survival_add_written(struct prn_survival *survival, const uint32_t *to, size_t clusters, struct prn_cursor *in);

/* Computes the points and the median; draws are the bootstrap's (NULL: no intervals).  PRN_E_MEMORY */
struct prn_draws;
int prn_survival_finish(struct prn_survival *survival, const struct prn_draws *draws);

#endif
