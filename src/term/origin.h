/*
 * What traces are of, by what they say of how they were made (prn_trace_about.provenance): parts of one whole must be of the same
 * sources and filters, and hold the pages of the part that they are taken for.
 */
#ifndef TERM_ORIGIN_H
#define TERM_ORIGIN_H

#include <stdio.h>

#include "perennial/part.h"
#include "term/inputs.h"

/*
 * Prints lines for the settings of a partial result (partial.h): "traces=2", and of each trace "trace.1=WORD" for its fragment rule
 * and each word of its provenance but the part.  PRN_E_MEMORY
 */
int term_origins_print(FILE *out, const struct term_inputs *inputs);

/*
 * Whether the traces that an import --part made have, with those of other parts of the same import, all pages that they would have
 * of a part.  Traces of other makes are taken to have them.
 *
 * PRN_E_UNSUPPORTED	one has not; the text names it
 * PRN_E_MEMORY
 */
int term_origins_check(const struct term_inputs *inputs, const struct prn_part *part, struct prn_error *error);

#endif
