/*
 * The bodies of pages that are kept beside a store, as commands are told of them.
 */
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

/* Before the options are parsed: they point into it. */
void cli_keeping_init(struct cli_keeping *keeping);

#define CLI_KEEPING_PLACE(keeping) \
	{ TERM_OPTION_TEXT, "keep-in", 0, &(keeping)->folder, "DIR", "the folder of kept bodies (default: within the store's)" }
#define CLI_KEEPING_ROWS(keeping) \
	{ TERM_OPTION_OWN, "keep-bodies", 0, &(keeping)->own, "[=BYTES]", \
	  "keep the last two bodies of each page, for show; of all so much (default 1G)" }, \
	CLI_KEEPING_PLACE(keeping)

/*
 * forgets: as cli_keeping_open is told.
 *
 * TERM_E_USAGE	a folder is named, nothing is to be kept and nothing forgotten; or the store at an address has none, and none is named
 * PRN_E_MEMORY
 */
int cli_keeping_check(const struct cli_keeping *keeping, const char *store_name, bool forgets, struct prn_error *error);

/*
 * Opens what the options say, of the store at an address: *keep is NULL where nothing is to be kept.  forgets: also what an
 * earlier run kept, to take bodies away, where nothing is kept any more; NULL where there is nothing of that in the store's folder.
 *
 * Errors of keep_place and keep_open; PRN_E_NOT_FOUND: there is no folder of the name that was given
 */
int cli_keeping_open(const struct cli_keeping *keeping, const char *store_name, bool forgets, struct keep **keep, struct prn_error *error);

/* To look; *keep is NULL where nothing was ever kept in the store's folder.  Errors of keep_open_read, of a folder that was named all of them */
int cli_keeping_look(const struct cli_keeping *keeping, const char *store_name, struct keep **keep, struct prn_error *error);

#endif
