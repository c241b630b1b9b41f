/*
 * A page's text as of a capture, for a terminal and as rows.
 */
#ifndef SHOW_TERMINAL_H
#define SHOW_TERMINAL_H

#include "show/show.h"
#include "term/table.h"

#include <stdio.h>

/*
 * The text in colours, with a legend, what churned last, and what policies [count] would have had.  What a terminal would act on
 * is shown as an escape.
 * PRN_E_MEMORY
 */
int show_terminal(FILE *out, const struct show *show, const struct show_replay *replays, size_t count);

/* What policies would have had, a line each. */
void show_tell_replays(FILE *out, const struct show_replay *replays, size_t count);

/* A row a passage.  PRN_E_IO, PRN_E_MEMORY */
int show_rows(FILE *out, const struct show *show, enum term_format format, struct prn_error *error);

#endif
