/*
 * Configuration files: lines "key = value", where the keys are options without their dashes and the values
 * are written as theirs; a flag takes yes or no.  Empty lines and lines that begin with "#" are passed over.
 */
#ifndef TERM_CONFIG_H
#define TERM_CONFIG_H

#include "term/option.h"
#include "perennial/error.h"

/*
 * Reads a file into the targets of keys, a table that ends with TERM_OPTION_END.  Options of texts (TERM_OPTION_TEXT) cannot
 * be keys, because they would point into the file.  Values before a wrong line have been taken.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	a line has a zero byte, more than 64 KiB or no "=", its key is not in the table, or its value does not fit: the
 * 		text has its number
 * PRN_E_MEMORY
 */
int term_config_read(const char *path, const struct term_option *keys, struct prn_error *error);

#endif
