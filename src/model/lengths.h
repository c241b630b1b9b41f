/*
 * Lengths of intervals in bounded memory: up to a capacity each distinct length is kept with its count; then
 * the two nearest are replaced by their mean.  Estimating equations are so nearly linear over close lengths
 * that 8 of them move an estimate by less than 3 % (tests/likelihood.c).
 */
#ifndef MODEL_LENGTHS_H
#define MODEL_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

/* Intervals of about the same length. */
struct prn_length {
	double length; /* their mean */
	double count;  /* >= 1, unless faded */
};

/*
 * Adds one interval to lengths[0 … *used-1], which are ascending; capacity >= 1.  Counts are doubles that hold
 * whole numbers unless they are faded, and so is *used: they are part of an estimator's state.
 */
void prn_lengths_add(struct prn_length *lengths, double *used, size_t capacity, double length);

#define PRN_LENGTHS_LEAST 1e-30 /* the least value of a faded count */

/* Multiplies all counts by kept, in (0, 1): older observations weigh less. */
void prn_lengths_fade(struct prn_length *lengths, double used, double kept);

/*
 * Tells whether numbers from outside are valid lengths: ascending, with counts of at least least, and at most
 * capacity of them.
 */
bool prn_lengths_valid(const struct prn_length *lengths, double used, size_t capacity, double least);

#endif
