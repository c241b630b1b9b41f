/*
 * What a check of a store of several shards has done so far, in a file, so that it can be gone on with when it was broken off.
 */
#ifndef CLI_CHECK_LOG_H
#define CLI_CHECK_LOG_H

#include "perennial/decider.h"

struct cli_check_log {
	const char *file, *store_name; /* store_name: as --state has it */
	bool repair;              /* what was found is mended */
	bool at_states;           /* all shards were read, and now their pages' states are */
	size_t next;              /* shard */
	struct prn_store_findings store; /* of the shards that are done */
	struct prn_state_findings states;
	bool is_written;
};

/* Reads it, if it is there.  PRN_E_INPUT: it is of another store, of a check where a repair is asked for, or of something else; PRN_E_IO */
int cli_check_log_read(struct cli_check_log *log, struct prn_error *error);

/* Whole or not at all.  PRN_E_IO, PRN_E_MEMORY */
int cli_check_log_write(struct cli_check_log *log, struct prn_error *error);

void cli_check_log_remove(const struct cli_check_log *log);

#endif
