/*
 * How what is said of pages is made up: "key=value:key=value".
 */
#ifndef HISTORY_SYNTHETIC_H
#define HISTORY_SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"

/* A key whose value is from least to most. */
struct prn_synthetic_key {
	const char *name, *takes; /* takes: what a message says of its values */
	double fallback, most, least;
	bool whole; /* only whole numbers are taken */
};

/*
 * Reads a specification to values[count], count <= 32: of keys that it does not give, their fallback.  what, "hints", names in
 * messages what is made up.
 *
 * PRN_E_ARGUMENT	a key that there is not, or that is given twice, or a value that it does not take
 */
int prn_synthetic_read(double *values, const struct prn_synthetic_key *keys, size_t count, const char *what,
                       const char *specification, struct prn_error *error);

#endif
