/*
 * The traces that a command reads: operands that are traces, opened, and operands that are sources of captures (WARC
 * files, folders), imported together on the fly into one more trace, so that several files of one crawl are one corpus.
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
	const char **paths; /* what each was opened from; the first source for the trace made of sources; borrowed */
	size_t count;
	size_t pooled; /* how many sources the trace made of sources is of, which is the last; 0: there is none */
	bool skipped; /* the import left something out, and said so on stderr */
};

/* Whether a file is named as traces are, or begins as they do. */
bool term_input_is_trace(const char *path);

/*
 * Opens what paths name; threads = 0 is all processors.  filter, or NULL, says which captures are taken: of traces too, each of
 * which is then made anew.  Call _release also after a failure.
 *
 * Returns 0, or a negative code with *error, which names the file.
 */
int term_inputs_open(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                     struct prn_error *error);

/* The same, with the links of what is imported (trace.h). */
int term_inputs_open_linked(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                            struct prn_error *error);

/* The same, and each source is a trace of its own, so that what they are about is told apart. */
int term_inputs_open_apart(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                           struct prn_error *error);

void term_inputs_release(struct term_inputs *inputs);

#endif
