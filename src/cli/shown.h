/*
 * `perennial show` of a page of a store: by the bodies that are kept beside it.
 */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stdbool.h>

#include "cli/keeping.h"

/* How it is shown; texts borrowed. */
struct cli_shown {
	const char *store_name;            /* the store */
	const struct cli_keeping *keeping;
	const char *output, *format;  /* a file for a page, or NULL; rows in this form, or NULL */
	bool colour;                  /* in colours, terminal or not */
};

/*
 * Shows a page by its normal URL.  Returns TERM_DONE, or TERM_SKIPPED where one of the bodies cannot be read, as is said.
 *
 * PRN_E_NOT_FOUND	no body of it is kept
 * PRN_E_MEMORY, and errors of prn_decider_open, keep_open_read, keep_get, and of what is written
 */
int cli_show_stored(const struct cli_shown *shown, const char *normal_url, struct prn_error *error);

#endif
