/* A policy's curve of staleness by cost, and its value at a target. */
#ifndef EVALUATE_TRADEOFF_H
#define EVALUATE_TRADEOFF_H

#include <stddef.h>

/* x is on the axis of the targets, y on the other; a pool of points has their mean. */
struct prn_tradeoff_point {
	double x, y;
	double points; /* number of points that were pooled */
};

/*
 * Makes x strictly rising by pooling neighbours for which it is not (the pool-adjacent-violators algorithm).
 * Works in place; returns how many points remain.
 */
size_t prn_tradeoff_pool(struct prn_tradeoff_point *points, size_t count);

/* Returns y at x = target by linear interpolation between pooled points; NaN outside of them. */
double prn_tradeoff_read(const struct prn_tradeoff_point *points, size_t count, double target);

#endif
