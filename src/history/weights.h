/* Reads lines of URLs and weights: "URL", or "URL weight", separated by white space; and a file of page weights. */
#ifndef HISTORY_WEIGHTS_H
#define HISTORY_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "history/page_table.h"
#include "perennial/error.h"
#include "perennial/part.h"

/*
 * Parses a line, with or without white space around it: *url is the URL as written, terminated within the line,
 * and *weight the number behind it, or 0.  Empty lines, and those that begin with "#", have the URL "".  False,
 * with the line unchanged, if what follows is not a finite number above 0.
 */
bool prn_weights_line(char *line, const char **url, double *weight);

/*
 * Adds the file's URLs that are in the part to the table with their weights.  If a URL occurs twice the last
 * weight counts; *repeated is the number of lines with an earlier URL.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	a line is not a URL and a positive finite number; the text has its number
 * PRN_E_MEMORY
 */
int prn_weights_read(const char *path, const struct prn_part *part, struct prn_page_table *pages, uint64_t *repeated,
                     struct prn_error *error);

#endif
