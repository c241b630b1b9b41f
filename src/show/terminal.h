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

/* Text as people may see it: what a terminal would act on is an escape.  PRN_E_MEMORY */
int show_print_visible(FILE *out, const char *text, size_t length);

/* A passage so, between a colour and SHOW_PLAIN on each of its lines.  PRN_E_MEMORY */
#define SHOW_PLAIN "\033[0m"
int show_print_coloured(FILE *out, const struct show *show, const struct show_passage *passage, const char *colour);

/* What policies would have had, a line each. */
void show_tell_replays(FILE *out, const struct show_replay *replays, size_t count);

/* A row a passage.  PRN_E_IO, PRN_E_MEMORY */
int show_rows(FILE *out, const struct show *show, enum term_format format, struct prn_error *error);

#endif
