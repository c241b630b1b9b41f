/*
 * What a shell's script is made of: one file a shell.  Inside the room.
 */
#ifndef TERM_SHELL_H
#define TERM_SHELL_H

#include "term/completions.h"

enum term_takes {
	TERM_TAKES_NOTHING, /* that could be listed: a number, a time, a URL */
	TERM_TAKES_FILES,
	TERM_TAKES_FOLDERS,
	TERM_TAKES_POLICIES, /* their names, several with commas between */
	TERM_TAKES_WORD,     /* one of some */
	TERM_TAKES_WORDS,    /* some, with commas between */
};

struct term_shell {
	const char *name;
	void (*begin)(const struct term_completed *commands);
	void (*command)(const struct term_usage *usage, enum term_takes operands);
	void (*end)(void);
};

extern const struct term_shell term_bash, term_zsh, term_fish;

/* What an option's value is, by what --help calls it; of a flag nothing. */
enum term_takes term_takes(const struct term_option *option);

/* The words that a value may be, "table|tsv|json", with a space between each two. */
void term_print_words(const char *argument);

/* Text as it stands between single quotes: each character of special behind a backslash, a quote as quote says. */
void term_print_escaped(const char *text, const char *special, const char *quote);

#endif
