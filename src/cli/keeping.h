/* The options of commands about the bodies of pages that are kept beside a store. */
#ifndef CLI_KEEPING_H
#define CLI_KEEPING_H

#include "keep/keep.h"
#include "term/options.h"

struct cli_keeping {
	bool keeps;
	size_t bytes_most;
	const char *folder;  /* --keep-in; NULL: in the store's */
	struct term_own own; /* of --keep-bodies */
};

/* Call it before the options are parsed: they point into it. */
void cli_keeping_init(struct cli_keeping *keeping);

#define CLI_KEEPING_PLACE(keeping) \
	{ TERM_OPTION_TEXT, "keep-in", 0, &(keeping)->folder, "DIR", "the folder of kept bodies (default: within the store's)" }
#define CLI_KEEPING_ROWS(keeping) \
	{ TERM_OPTION_OWN, "keep-bodies", 0, &(keeping)->own, "[=BYTES]", \
	  "keep the last two bodies of each page, for show; of all so much (default 1G)" }, \
	CLI_KEEPING_PLACE(keeping)

/*
 * Checks the options.  store_name and forgets are those that cli_keeping_open will get.
 *
 * TERM_E_USAGE	a folder is named although nothing is to be kept or forgotten; or the store has no folder, and none is named
 * PRN_E_MEMORY
 */
int cli_keeping_check(const struct cli_keeping *keeping, const char *store_name, bool forgets, struct prn_error *error);

/*
 * Opens what is kept beside a store, as the options say; *keep is NULL if nothing is to be kept.  With forgets, bodies that
 * an earlier run kept are opened too, so that they can be removed though none are kept any more; *keep is NULL if the store's
 * folder has none.
 *
 * Errors of keep_place and keep_open; PRN_E_NOT_FOUND: the folder that was named does not exist
 */
int cli_keeping_open(const struct cli_keeping *keeping, const char *store_name, bool forgets, struct keep **keep, struct prn_error *error);

/*
 * Opens what is kept to read it; *keep is NULL if nothing was ever kept in the store's folder.  Errors of keep_open_read; if
 * a folder was named, also PRN_E_NOT_FOUND
 */
int cli_keeping_look(const struct cli_keeping *keeping, const char *store_name, struct keep **keep, struct prn_error *error);

#endif
