/* What differs between a page's last two bodies, for a terminal and as rows. */
#ifndef SHOW_DIFFERENCE_H
#define SHOW_DIFFERENCE_H

#include "term/table.h"
#include "text/difference.h"

/* Prints the texts in colours.  PRN_E_MEMORY */
int show_difference_terminal(FILE *out, const struct text_difference *difference);

/* Prints a row for each passage: those of the later text, then what is gone.  PRN_E_IO, PRN_E_MEMORY */
int show_difference_rows(FILE *out, const struct text_difference *difference, enum term_format format, struct prn_error *error);

#endif
