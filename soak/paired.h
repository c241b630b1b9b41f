/*
 * Pairs of measurements, one for each seed: how large the first is relative to the second, and how certain that is.  What
 * both worlds of a seed have in common cancels in the ratio; the rest scatters, and Student's t says how far the mean of that
 * many may be off.
 */
#ifndef SOAK_PAIRED_H
#define SOAK_PAIRED_H

#include <stdint.h>

/* All zero means that there is no pair yet.  Plain numbers. */
struct paired {
	uint64_t count;
	double mean;    /* mean of the ratios */
	double squares; /* sum of their squared distances from the mean */
};

/* Adds a pair: measured > 0 relative to beside > 0. */
void paired_add(struct paired *paired, double measured, double beside);

/*
 * Returns half the width of the interval around the mean that contains the true ratio with this confidence, 0 < confidence <
 * 1; INFINITY for fewer than two pairs.  It assumes independent seeds and a mean that is about normal: with 5 seeds that is
 * an assumption, with 30 hardly one.
 */
double paired_half_width(const struct paired *paired, double confidence);

/* What pairs show about the claim that the ratio is at most some bound: where their interval lies. */
enum paired_shown {
	PAIRED_HELD,   /* all of it is within the bound */
	PAIRED_OPEN,   /* only its lower end is: there are too few pairs to decide */
	PAIRED_BROKEN, /* none of it is */
};

enum paired_shown paired_shows(const struct paired *paired, double allowed, double confidence);

/*
 * Returns the share of Student's distribution with this many degrees of freedom, at least 1, that is within ±t, t >= 0
 * (Abramowitz and Stegun 26.7.3, 26.7.4).
 */
double paired_student_within(double t, uint64_t degrees);

/* Returns the inverse: the t within which that share lies, 0 < share < 1. */
double paired_student_bound(double share, uint64_t degrees);

#endif
