/*
 * A policy's curve of cost against staleness, and reading it off at a target.
 */
#ifndef EVALUATE_TRADEOFF_H
#define EVALUATE_TRADEOFF_H

#include <stddef.h>

/* x is on the axis that targets are given on, y on the other; a pool of points has their mean. */
struct prn_tradeoff_point {
	double x, y;
	double points; /* how many were pooled */
};

/*
 * Takes points of which x should rise, and pools neighbours for which it does not until it rises strictly
 * (the pool-adjacent-violators algorithm).  Works in place; returns how many are left.
 */
size_t prn_tradeoff_pool(struct prn_tradeoff_point *points, size_t count);

/* y at x = target on the line through pooled points; NaN outside of them. */
double prn_tradeoff_read(const struct prn_tradeoff_point *points, size_t count, double target);

#endif
