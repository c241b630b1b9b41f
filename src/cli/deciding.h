/*
 * A decider as commands open it.
 */
#ifndef CLI_DECIDING_H
#define CLI_DECIDING_H

#include "cli/rules.h"

/*
 * Opens the store of rules.  To write, a missing one is made with the defaults, and that is said on stderr; name is
 * the command's.  Errors as prn_decider_create and prn_decider_open; *error names the store.
 */
int cli_decider_open(const char *name, const struct cli_rules *rules, enum prn_store_mode mode,
                     struct prn_decider **decider, struct prn_error *error);

/* What the policy's dial is called where it is printed: "T", "period", "scale".  Static. */
const char *cli_dial_name(const struct prn_decider *decider);

#endif
