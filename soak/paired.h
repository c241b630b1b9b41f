/*
 * Pairs of measurements, one pair of each seed: how large the first of them is relative to the second, and how surely that
 * is known.  What both worlds of a seed share leaves the ratio; what is left scatters, and Student's t tells how far the
 * mean of so many may be off.
 */
#ifndef SOAK_PAIRED_H
#define SOAK_PAIRED_H

#include <stdint.h>

/* All zero: no pair yet.  Plain numbers. */
struct paired {
	uint64_t count;
	double mean;    /* of the ratios */
	double squares; /* sum of their squared distances from the mean */
};

/* Adds a pair: measured > 0 relative to beside > 0. */
void paired_add(struct paired *paired, double measured, double beside);

/*
 * Half the width of the interval around the mean that has the ratio of all such pairs in it with this confidence, 0 < confidence < 1.
 * INFINITY of fewer than two pairs.  Ratios of independent seeds whose mean is about normal: at 5 seeds a claim, at 30 hardly one.
 */
double paired_half_width(const struct paired *paired, double confidence);

/* What pairs show of the claim that the ratio is at most so much: where their interval lies. */
enum paired_shown {
	PAIRED_HELD,   /* all of it is within what is allowed */
	PAIRED_OPEN,   /* only its lower end is: too few pairs to tell */
	PAIRED_BROKEN, /* none of it is */
};

enum paired_shown paired_shows(const struct paired *paired, double allowed, double confidence);

/* The share of Student's distribution with this many degrees of freedom, at least 1, that is within ±t, t >= 0 (Abramowitz and Stegun 26.7.3, 26.7.4). */
double paired_student_within(double t, uint64_t degrees);

/* Its inverse: the t within which that share lies, 0 < share < 1. */
double paired_student_bound(double share, uint64_t degrees);

#endif
