/*
 * The scripts by which shells complete the words of the command line.  This is not one of the commands of the table: it has
 * each of those print its table of options.
 */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "cli/command.h"

/* commands ends with a NULL name.  Returns what a command's run returns. */
int cli_completions(const struct cli_command *commands, int argc, char **argv, struct prn_error *error);

#endif
