/* `perennial show --state`: a page of a store, by the bodies that are kept beside it. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stdbool.h>

#include "cli/keeping.h"

/* What is shown, and how; texts are borrowed. */
struct cli_shown {
	const char *store_name;            /* the store */
	const struct cli_keeping *keeping;
	const char *output, *format;  /* output: a file for a page, or NULL; format: that of rows, or NULL */
	bool colour;                  /* in colours, terminal or not */
};

/*
 * Shows a page by its normal URL.  Returns TERM_DONE, or TERM_SKIPPED if one of the bodies cannot be read, which is reported.
 *
 * PRN_E_NOT_FOUND	no body of it is kept
 * PRN_E_MEMORY, and errors of prn_decider_open, keep_open_read, keep_get, and of writing
 */
int cli_show_stored(const struct cli_shown *shown, const char *normal_url, struct prn_error *error);

#endif
