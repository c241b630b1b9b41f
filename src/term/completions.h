/*
 * Scripts by which shells complete the words of a command line.  They are made from the tables from which options are parsed,
 * so that a shell offers what a command takes.
 *
 * A script is written to stdout in parts: its beginning, a part for each command, its end.
 */
#ifndef TERM_COMPLETIONS_H
#define TERM_COMPLETIONS_H

#include "term/options.h"

/*
 * Followed by the name of a shell and alone on the command line, it has the command print its part of the script
 * (term_options_parse).
 */
#define TERM_COMPLETIONS_OPTION "--completions="

struct term_shell;

/* Returns the shell "bash", "zsh" or "fish"; NULL for any other name. */
const struct term_shell *term_shell_find(const char *name);

/* A command and its summary; a list of them ends with a NULL name. */
struct term_completed {
	const char *name, *summary;
};

void term_completions_begin(const struct term_shell *shell, const struct term_completed *commands);

/* Prints the options of a command, and what its operands are by its synopsis. */
void term_completions_command(const struct term_shell *shell, const struct term_usage *usage);

void term_completions_end(const struct term_shell *shell);

#endif
