/*
 * How often a page changes, by maximum likelihood (Cho eq. 6.3; GF's edges), from what its captures saw.
 */
#ifndef LONGEVITY_CHANGE_RATE_H
#define LONGEVITY_CHANGE_RATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Changes per unit of waits[count], each > 0: the times between captures; changed[i] says whether the page
 * did in waits[i].  Never changed: 1/λ is the sum of waits; no waits: 0.
 */
double prn_change_rate(const double *waits, const bool *changed, size_t count);

#endif
