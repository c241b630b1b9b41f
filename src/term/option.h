/*
 * An option of a command, or a key of a configuration file: how it is written, where its value goes, and what --help says
 * about it.
 */
#ifndef TERM_OPTION_H
#define TERM_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum term_option_kind {
	TERM_OPTION_END,
	TERM_OPTION_HEADING,  /* help: a heading above the options that follow */
	TERM_OPTION_FLAG,     /* bool */
	TERM_OPTION_TEXT,     /* const char *; points into argv */
	TERM_OPTION_OUTPUT,   /* const char *, as TEXT: a file to write, which is none of those that are read; "-": standard output */
	TERM_OPTION_LIST,     /* struct term_list; may be repeated, each value is split at commas */
	TERM_OPTION_TEXTS,    /* struct term_list; may be repeated, each value is one item, commas and all */
	TERM_OPTION_NUMBERS,  /* struct term_list; as LIST, each must be a finite number; values in numbers */
	TERM_OPTION_COUNT,    /* uint64_t */
	TERM_OPTION_BYTES,    /* size_t; "16M", "2G", powers of 1024 */
	TERM_OPTION_NUMBER,   /* double, finite */
	TERM_OPTION_TIME,     /* int64_t, Unix seconds; written as ISO 8601 */
	TERM_OPTION_DURATION, /* double, seconds; written as 15m, 6h, 2d */
	TERM_OPTION_OWN,      /* struct term_own; may be repeated */
	TERM_OPTION_CONFIG,   /* struct term_option[]: the keys of a file of options (config.h); may be repeated */
};

/* A form of value that only some commands have. */
struct term_own {
	/*
	 * Returns 0, PRN_E_INPUT if value is not of this form, or PRN_E_MEMORY.  value is valid only during the call, and
	 * NULL if the option may go without one and does (term_option_may_go_alone).
	 */
	int (*parse)(void *context, const char *value);
	void *context;
	const char *takes; /* what the value is, for errors: "a duration" */
};

struct term_list {
	char **items; /* owned */
	double *numbers;
	size_t count;
};

#define TERM_OPTION_MOMENT "TIME" /* argument of options that take a time; a time without a zone is taken as UTC, which is reported */

struct term_option {
	enum term_option_kind kind;
	const char *name;     /* without the dashes; a heading's text */
	char letter;          /* short form, or 0 */
	void *target;         /* of the kind's type; holds the default before parsing */
	const char *argument; /* what --help calls the value: "FILE"; the words that it may be (words.h); "[=BYTES]" if the value of an
	                       * OWN option may be left out */
	const char *help;     /* one line; says the default */
};

/* Whether the value may be left out; if it is given, it is behind "=" in the same word. */
static inline bool term_option_may_go_alone(const struct term_option *option)
{
	return option->argument && option->argument[0] == '[' && option->argument[1] == '=';
}

/*
 * Stores a value where the option says.
 *
 * PRN_E_INPUT	the option does not take this value; *takes says what it takes
 * PRN_E_MEMORY
 */
int term_option_store(const struct term_option *option, const char *value, const char **takes);

/* Adds a copy of text.  PRN_E_MEMORY */
int term_list_add(struct term_list *list, const char *text);

void term_list_release(struct term_list *list);

#endif
