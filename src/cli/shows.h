/*
 * Pages of `perennial show` that a report leads to.
 */
#ifndef CLI_SHOWS_H
#define CLI_SHOWS_H

#include "report/report.h"

#define CLI_SHOWS 20 /* pages, those that change most */

/* The folder report->show, beside the report: a link from the one to the other holds wherever the two are moved.  To be freed; NULL without memory. */
char *cli_shows_folder(const struct report *report);

/*
 * Makes them of the sources among paths [count], in the folder report->show beside the report, and tells the report of them.  A page
 * that the sources do not have is passed over.
 *
 * PRN_E_UNSUPPORTED	all of paths are traces, which keep no text
 * PRN_E_IO, PRN_E_MEMORY
 */
int cli_shows_make(struct report *report, char **paths, size_t count, struct prn_error *error);

#endif
