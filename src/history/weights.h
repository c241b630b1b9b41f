/*
 * Lines of URLs and weights: "URL", or "URL weight", with white space between them; and a file of page weights.
 */
#ifndef HISTORY_WEIGHTS_H
#define HISTORY_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "history/page_table.h"
#include "perennial/error.h"
#include "perennial/part.h"

/*
 * Takes a line apart, white space around it or none: *url is the URL as it is spelled, made a text of its own within the
 * line, and *weight what follows it, or 0.  Empty lines, and those that begin with "#", have the URL "".  False, and the line as it was: what follows is
 * no finite number above 0.
 */
bool prn_weights_line(char *line, const char **url, double *weight);

/*
 * Adds the file's URLs that are in the part to the table with their weights; of a URL given twice the last weight counts, and
 * *repeated is how many lines there were of one before.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	a line is not a URL and a positive finite number; the text has its number
 * PRN_E_MEMORY
 */
int prn_weights_read(const char *path, const struct prn_part *part, struct prn_page_table *pages, uint64_t *repeated,
                     struct prn_error *error);

#endif
