/*
 * A file with what a check of a store of several shards has done so far, so that a check that was broken off can be resumed.
 */
#ifndef CLI_CHECK_LOG_H
#define CLI_CHECK_LOG_H

#include "perennial/decider.h"

struct cli_check_log {
	const char *file, *store_name; /* store_name: as --state has it */
	bool repair;              /* what was found is mended */
	bool at_states;           /* all shards were read, and the check has come to the states of their pages */
	size_t next;              /* the next shard */
	struct prn_store_findings store; /* of the shards that are done */
	struct prn_state_findings states;
	bool is_written;
};

/*
 * Reads the log, if it exists.  PRN_E_INPUT: it is of another store, of a check where a repair is asked for, or no log at
 * all; PRN_E_IO
 */
int cli_check_log_read(struct cli_check_log *log, struct prn_error *error);

/* Writes the log whole or not at all.  PRN_E_IO, PRN_E_MEMORY */
int cli_check_log_write(struct cli_check_log *log, struct prn_error *error);

void cli_check_log_remove(const struct cli_check_log *log);

#endif
