/*
 * Scripts that have a shell complete the command's words, made of the tables from which options are parsed, so that
 * what a shell offers and what a command takes cannot disagree.
 *
 * A script is written to stdout in parts: its begin, a part for each command, its end.
 */
#ifndef TERM_COMPLETIONS_H
#define TERM_COMPLETIONS_H

#include "term/options.h"

/* Before a shell's name, alone on a command's line: the command prints its part of the script (term_options_parse). */
#define TERM_COMPLETIONS_OPTION "--completions="

struct term_shell;

/* "bash", "zsh" or "fish"; NULL for any other. */
const struct term_shell *term_shell_find(const char *name);

/* A command as the list of them has it; the list ends with a NULL name. */
struct term_completed {
	const char *name, *summary;
};

void term_completions_begin(const struct term_shell *shell, const struct term_completed *commands);

/* Options of one command, and what its operands are by its synopsis. */
void term_completions_command(const struct term_shell *shell, const struct term_usage *usage);

void term_completions_end(const struct term_shell *shell);

#endif
