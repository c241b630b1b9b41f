/*
 * Options by table: one line an option says how it is written, where its value goes and what --help
 * prints, so that parsing and help cannot disagree.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cli_option_kind {
	CLI_OPTION_END,
	CLI_OPTION_HEADING,  /* help: a heading above the options that follow */
	CLI_OPTION_FLAG,     /* bool */
	CLI_OPTION_TEXT,     /* const char *; points into argv */
	CLI_OPTION_LIST,     /* struct cli_list; may be repeated, each value is split at commas */
	CLI_OPTION_TEXTS,    /* struct cli_list; may be repeated, each value is one item, commas and all */
	CLI_OPTION_NUMBERS,  /* struct cli_list; as LIST, each must be a finite number; values in numbers */
	CLI_OPTION_COUNT,    /* uint64_t */
	CLI_OPTION_BYTES,    /* size_t; "16M", "2G", powers of 1024 */
	CLI_OPTION_NUMBER,   /* double, finite */
	CLI_OPTION_TIME,     /* int64_t, Unix seconds; written as ISO 8601 */
	CLI_OPTION_DURATION, /* double, seconds; written as 15m, 6h, 2d */
	CLI_OPTION_OWN,      /* struct cli_own; may be repeated */
	CLI_OPTION_CONFIG,   /* struct cli_option[]: the keys of a file of options (config.h); may be repeated */
};

/* A form of value that one command has. */
struct cli_own {
	bool (*take)(void *context, const char *value); /* false: it is not one; value is valid only during the call */
	void *context;
	const char *takes; /* what it is, for errors: "a duration" */
};

struct cli_list {
	char **items; /* owned */
	double *numbers;
	size_t count;
};

struct cli_option {
	enum cli_option_kind kind;
	const char *name;     /* without the dashes; a heading's text */
	char letter;          /* short form, or 0 */
	void *target;         /* of the kind's type; holds the default before parsing */
	const char *argument; /* what --help calls the value: "FILE" */
	const char *help;     /* one line; says the default */
};

struct cli_usage {
	const char *name;       /* "import" */
	const char *synopsis;   /* "-o X.trace [OPTION]… SRC…" */
	const char *about;      /* a few lines */
	const struct cli_option *options; /* ends with CLI_OPTION_END; --help and -h are added */
};

/*
 * Parses argv (argv[0] is the command).  Options and operands may be mixed; "--" ends options.  Operands
 * are moved to the end and *first is the index of the first one.  Configuration files are read first, so that
 * options have the last word.
 *
 * Returns -1 to go on, or an exit code to end with: CLI_DONE after --help was printed to stdout, CLI_USAGE
 * after a message on stderr that names the option and says what it takes.
 */
int cli_options_parse(const struct cli_usage *usage, int argc, char **argv, int *first);

/* Puts a value where the option says; returns what the option takes if this is not it, else NULL. */
const char *cli_option_store(const struct cli_option *option, const char *value);

/* Prints "perennial NAME: MESSAGE" and a hint at --help to stderr; returns CLI_USAGE. */
int cli_usage_error(const struct cli_usage *usage, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void cli_list_release(struct cli_list *list);

#endif
