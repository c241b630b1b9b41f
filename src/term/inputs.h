/*
 * The traces that a command reads: operands that are traces, and one more trace that is imported on the fly from all operands
 * that are sources of captures (WARC files, folders), so that several files of one crawl are one corpus.
 */
#ifndef TERM_INPUTS_H
#define TERM_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "perennial/trace.h"
#include "term/filtering.h"

struct term_inputs {
	const struct prn_trace **traces;
	const char **paths; /* what each was opened from, of the imported trace the first source; borrowed */
	size_t count;
	size_t pooled; /* number of sources of the imported trace, which is the last; 0: there is none */
	bool skipped; /* the import left something out, and said so on stderr */
};

/* Whether a file has the name of a trace, or begins as one. */
bool term_input_is_trace(const char *path);

/*
 * Opens what paths name; threads = 0 is all processors.  filter, or NULL, says which captures are taken; traces are filtered
 * too, by importing each anew.  Call _release also after a failure.
 *
 * Returns 0, or a negative code with *error, which names the file.
 */
int term_inputs_open(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                     struct prn_error *error);

/* The same, with the links of what is imported (trace.h). */
int term_inputs_open_linked(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                            struct prn_error *error);

/* The same, but each source is a trace of its own, so that results can be kept apart. */
int term_inputs_open_apart(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                           struct prn_error *error);

void term_inputs_release(struct term_inputs *inputs);

#endif
