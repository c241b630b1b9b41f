/* Parses processes and schedules that are written as "name:key=value:key=value". */
#ifndef SIMULATE_SPECIFICATION_H
#define SIMULATE_SPECIFICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/process.h"

/* Where the value of a key is stored, and which values fit. */
struct prn_specified_key {
	const char *name;
	size_t offset;         /* of a double, or of the first of most_count */
	double least, most;    /* the range */
	bool above;            /* the value is above least, not at it */
	size_t most_count;     /* 0: one number; else a list of at most so many */
	size_t count_offset;   /* of the size_t that becomes the number of them */
	const char *fits;      /* completes "takes …" */
};

/* A place for what is read. */
struct prn_specified {
	const char *noun;                         /* what it is called in errors: "process" */
	const struct prn_simulation_info *const *infos; /* ends with NULL */
	const struct prn_specified_key *settings;       /* of all keys of all infos; ends with a NULL name */
};

/*
 * Reads a specification: the keys that it leaves out have their fallbacks.  *chosen is the index of its info; values go
 * into the struct at base.  Errors as prn_process_init.
 */
int prn_specification_read(const struct prn_specified *specified, const char *specification, void *base, size_t *chosen,
                           struct prn_error *error);

#endif
