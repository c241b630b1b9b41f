/* The pages of `perennial show` that a report links to. */
#ifndef CLI_SHOWS_H
#define CLI_SHOWS_H

#include "report/report.h"

#define CLI_SHOWS 20 /* pages that change most */

/*
 * Returns the path of the folder report->show, which is beside the report, so that links hold wherever the two are moved
 * together.  The caller frees it; NULL without memory.
 */
char *cli_shows_folder(const struct report *report);

/*
 * Makes them from the sources among paths [count], in that folder, and notes them in the report.  A page that the sources do
 * not have is passed over.
 *
 * PRN_E_UNSUPPORTED	all of paths are traces, which keep no text
 * PRN_E_IO, PRN_E_MEMORY
 */
int cli_shows_make(struct report *report, char **paths, size_t count, struct prn_error *error);

#endif
