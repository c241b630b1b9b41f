/*
 * Options by table: one line an option says how it is written, where its value goes and what --help
 * prints, so that parsing and help cannot disagree.
 */
#ifndef TERM_OPTIONS_H
#define TERM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum term_option_kind {
	TERM_OPTION_END,
	TERM_OPTION_HEADING,  /* help: a heading above the options that follow */
	TERM_OPTION_FLAG,     /* bool */
	TERM_OPTION_TEXT,     /* const char *; points into argv */
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

/* A form of value that one command has. */
struct term_own {
	bool (*take)(void *context, const char *value); /* false: it is not one; value is valid only during the call */
	void *context;
	const char *takes; /* what it is, for errors: "a duration" */
};

struct term_list {
	char **items; /* owned */
	double *numbers;
	size_t count;
};

struct term_option {
	enum term_option_kind kind;
	const char *name;     /* without the dashes; a heading's text */
	char letter;          /* short form, or 0 */
	void *target;         /* of the kind's type; holds the default before parsing */
	const char *argument; /* what --help calls the value: "FILE" */
	const char *help;     /* one line; says the default */
};

struct term_usage {
	const char *name;       /* "import" */
	const char *synopsis;   /* "-o X.trace [OPTION]… SRC…" */
	const char *about;      /* a few lines */
	const struct term_option *options; /* ends with TERM_OPTION_END; --help and -h are added */
};

/*
 * Parses argv (argv[0] is the command).  Options and operands may be mixed; "--" ends options.  Operands
 * are moved to the end and *first is the index of the first one.  Configuration files are read first, so that
 * options have the last word.
 *
 * Returns -1 to go on, or an exit code to end with: TERM_DONE after --help was printed to stdout, TERM_USAGE
 * after a message on stderr that names the option and says what it takes.
 */
int term_options_parse(const struct term_usage *usage, int argc, char **argv, int *first);

/* Puts a value where the option says; returns what the option takes if this is not it, else NULL. */
const char *term_option_store(const struct term_option *option, const char *value);

/* Prints "perennial NAME: MESSAGE" and a hint at --help to stderr; returns TERM_USAGE. */
int term_usage_error(const struct term_usage *usage, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void term_list_release(struct term_list *list);

#endif
