/*
 * The sources of traces, as their provenance names them (prn_trace_about.provenance): the parts of a whole must have the same
 * sources and filters, and hold the pages of the part that they are used as.
 */
#ifndef TERM_ORIGIN_H
#define TERM_ORIGIN_H

#include <stdio.h>

#include "perennial/part.h"
#include "term/inputs.h"

/*
 * Prints lines for the settings of a partial result (partial.h): "traces=2", and for each trace "trace.1=WORD" for its
 * fragment rule and each word of its provenance except the part.  PRN_E_MEMORY
 */
int term_origins_print(FILE *out, const struct term_inputs *inputs);

/*
 * Checks that the traces which `import --part` made have, together with traces of other parts of the same import, all pages
 * of a part.  Other traces are assumed to have them.
 *
 * PRN_E_UNSUPPORTED	a trace has not; the text names it
 * PRN_E_MEMORY
 */
int term_origins_check(const struct term_inputs *inputs, const struct prn_part *part, struct prn_error *error);

#endif
