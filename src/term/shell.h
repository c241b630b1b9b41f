/* The parts of a shell's script; each shell has a file.  Inside the room. */
#ifndef TERM_SHELL_H
#define TERM_SHELL_H

#include "term/completions.h"

enum term_takes {
	TERM_TAKES_NOTHING, /* nothing that can be listed: a number, a time, a URL */
	TERM_TAKES_FILES,
	TERM_TAKES_FOLDERS,
	TERM_TAKES_POLICIES, /* names of policies, separated by commas */
	TERM_TAKES_WORD,     /* one of several words */
	TERM_TAKES_WORDS,    /* several words, separated by commas */
};

struct term_shell {
	const char *name;
	void (*begin)(const struct term_completed *commands);
	void (*command)(const struct term_usage *usage, enum term_takes operands);
	void (*end)(void);
};

extern const struct term_shell term_bash, term_zsh, term_fish;

/* Returns what an option takes, by what --help calls its value; a flag takes nothing. */
enum term_takes term_takes(const struct term_option *option);

/* Prints the words that a value may be, "table|tsv|json", separated by spaces. */
void term_print_words(const char *argument);

/* Prints text for single quotes: each character of special with a backslash before it, a quote as quote says. */
void term_print_escaped(const char *text, const char *special, const char *quote);

#endif
