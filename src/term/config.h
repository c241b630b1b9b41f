/*
 * Configuration files: lines "key = value", where the keys are options without their dashes and the values
 * are written as theirs; a flag takes yes or no.  Empty lines and lines that begin with "#" are passed over.
 */
#ifndef TERM_CONFIG_H
#define TERM_CONFIG_H

#include "term/option.h"
#include "perennial/error.h"

/*
 * Reads a file into the targets of keys, a table that ends with TERM_OPTION_END; texts (TERM_OPTION_TEXT) are not
 * taken, for they would point into the file.  A value that stands before a wrong line has been taken.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	a line has a zero byte, more than 64 KiB or no "=", its key is not in the table, or its value does not fit: the
 *		text has its number
 * PRN_E_MEMORY
 */
int term_config_read(const char *path, const struct term_option *keys, struct prn_error *error);

#endif
