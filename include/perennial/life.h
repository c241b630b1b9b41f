/*
 * The life of a page, from its first content to its last capture before it is gone for good (doc/theory.md §8): on
 * which clock it is told, and what it adds up to.
 */
#ifndef PERENNIAL_LIFE_H
#define PERENNIAL_LIFE_H

#include <stddef.h>

#include "perennial/error.h"
#include "perennial/pages.h"
#include "perennial/prior.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A page with fewer captures in its life is left out and counted. */
#define PRN_LIFE_CAPTURES 4

/* What a clock unit is: times, periods, T, l, α and β are in it (doc/theory.md §8). */
enum prn_clock {
	PRN_CLOCK_STEPS, /* the page's mean capture interval over its life */
	PRN_CLOCK_DAYS,
};

/* What one page's life adds up to: for the scale of a sweep, and for learning priors. */
struct prn_life {
	double weight;
	double interval; /* mean capture interval, clock units: 1 under PRN_CLOCK_STEPS */
	size_t captures; /* of its life; 0: left out */
	struct prn_drifted drift; /* over consecutive captures that were taken */
};

/*
 * Reads the lives of all pages to lives[pages->count], on so many threads; 0: all processors.
 * Errors are those of pages->read, and PRN_E_MEMORY.
 */
int prn_lives_read(struct prn_life *lives, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                   struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
