/* The text of a page as of a capture, for a terminal and as rows. */
#ifndef SHOW_TERMINAL_H
#define SHOW_TERMINAL_H

#include "show/show.h"
#include "term/table.h"

#include <stdio.h>

/*
 * Prints the text in colours, with a legend, what churned last, and the results of policies [count].  Characters that a
 * terminal would act on are shown as escapes.
 * PRN_E_MEMORY
 */
int show_terminal(FILE *out, const struct show *show, const struct show_replay *replays, size_t count);

/* Prints text with the characters that a terminal would act on as escapes.  PRN_E_MEMORY */
int show_print_visible(FILE *out, const char *text, size_t length);

/* Prints a passage in that way, with colour before and SHOW_PLAIN after each of its lines.  PRN_E_MEMORY */
#define SHOW_PLAIN "\033[0m"
int show_print_coloured(FILE *out, const struct text_passages *passages, const struct text_passage *passage, const char *colour);

/* Prints the results of policies, a line each. */
void show_print_replays(FILE *out, const struct show_replay *replays, size_t count);

/* Prints a row for each passage.  PRN_E_IO, PRN_E_MEMORY */
int show_rows(FILE *out, const struct show *show, enum term_format format, struct prn_error *error);

#endif
