/*
 * A subcommand: its name, one line about it, and the function that runs it.  main.c holds their table.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "term/exit.h"

struct cli_command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv, struct prn_error *error);
};

/*
 * One file per subcommand, named after it; main.c has one line for each.  argv[0] is the command's name.
 *
 * Each returns an exit code, or a negative code with *error, as exit.h has them: main() says what went wrong.
 */
int cli_add(int argc, char **argv, struct prn_error *error);
int cli_allocate(int argc, char **argv, struct prn_error *error);
int cli_backup(int argc, char **argv, struct prn_error *error);
int cli_check(int argc, char **argv, struct prn_error *error);
int cli_due(int argc, char **argv, struct prn_error *error);
int cli_dump(int argc, char **argv, struct prn_error *error);
int cli_estimate(int argc, char **argv, struct prn_error *error);
int cli_evaluate(int argc, char **argv, struct prn_error *error);
int cli_explain(int argc, char **argv, struct prn_error *error);
int cli_export(int argc, char **argv, struct prn_error *error);
int cli_forget(int argc, char **argv, struct prn_error *error);
int cli_hint(int argc, char **argv, struct prn_error *error);
int cli_import(int argc, char **argv, struct prn_error *error);
int cli_init(int argc, char **argv, struct prn_error *error);
int cli_measure(int argc, char **argv, struct prn_error *error);
int cli_merge(int argc, char **argv, struct prn_error *error);
int cli_observe(int argc, char **argv, struct prn_error *error);
int cli_policies(int argc, char **argv, struct prn_error *error);
int cli_prior(int argc, char **argv, struct prn_error *error);
int cli_release(int argc, char **argv, struct prn_error *error);
int cli_report(int argc, char **argv, struct prn_error *error);
int cli_reshard(int argc, char **argv, struct prn_error *error);
int cli_serve(int argc, char **argv, struct prn_error *error);
int cli_set(int argc, char **argv, struct prn_error *error);
int cli_show(int argc, char **argv, struct prn_error *error);
int cli_simulate(int argc, char **argv, struct prn_error *error);
int cli_stats(int argc, char **argv, struct prn_error *error);
int cli_synth(int argc, char **argv, struct prn_error *error);
int cli_tune(int argc, char **argv, struct prn_error *error);
int cli_weigh(int argc, char **argv, struct prn_error *error);

#endif
