/* Parses the parameters of synthetic hints and rates: "key=value:key=value". */
#ifndef HISTORY_SYNTHETIC_H
#define HISTORY_SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"

/* A key whose value is from least to most. */
struct prn_synthetic_key {
	const char *name, *takes; /* takes: the description of its values in messages */
	double fallback, most, least;
	bool whole; /* only whole numbers are valid */
};

/*
 * Parses a specification into values[count], count <= 32; keys that it does not contain have their fallback.
 * what, such as "hints", names the subject in messages.
 *
 * PRN_E_ARGUMENT	an unknown or repeated key, or an invalid value
 */
int prn_synthetic_read(double *values, const struct prn_synthetic_key *keys, size_t count, const char *what,
                       const char *specification, struct prn_error *error);

#endif
