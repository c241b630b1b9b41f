/*
 * A page's text as of a capture, for a terminal and as rows.
 */
#ifndef SHOW_TERMINAL_H
#define SHOW_TERMINAL_H

#include "show/show.h"
#include "term/table.h"

#include <stdio.h>

/*
 * The text in colours, with a legend and what the policy would have had.  What a terminal would act on is shown as an escape.
 * PRN_E_MEMORY
 */
int show_terminal(FILE *out, const struct show *show, const struct show_replay *replay);

/* A row a passage.  PRN_E_IO, PRN_E_MEMORY */
int show_rows(FILE *out, const struct show *show, enum term_format format, struct prn_error *error);

#endif
