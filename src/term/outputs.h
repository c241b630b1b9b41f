/*
 * What a command writes takes the place of what is there, which must not be what it reads: all of that would be lost.
 */
#ifndef TERM_OUTPUTS_H
#define TERM_OUTPUTS_H

#include <stdbool.h>

#include "term/options.h"

/*
 * Holds the outputs among options (TERM_OPTION_OUTPUT) against operands (ends with NULL), other options that name files, and a store.
 *
 * TERM_E_USAGE	one of them is a file that is read, by whatever path and of whatever source, or would be among the files of a store
 */
int term_outputs_check(const struct term_usage *usage, char **operands, struct prn_error *error);

/* Whether a source is a folder, or has files in it, not in folders within: what is written there could take their place. */
bool term_reads_in(const char *folder, const char *source);

#endif
