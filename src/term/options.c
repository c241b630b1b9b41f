#include "term/options.h"

#include "term/completions.h"
#include "term/config.h"
#include "term/nearest.h"
#include "term/outputs.h"
#include "term/words.h"
#include "perennial/time.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 30 /* columns of --help's left side */
#define LONG_BASE 256  /* what getopt returns for the first row of the table; below it are letters */

static void print_help(const struct term_usage *usage)
{
	printf("Usage: perennial %s %s\n\n%s\n", usage->name, usage->synopsis, usage->about);
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++) {
		char left[80], letter[8] = "    ";

		if (option->kind == TERM_OPTION_HEADING) {
			printf("\n%s:\n", option->name);
			continue;
		}
		if (option->letter)
			snprintf(letter, sizeof letter, "-%c, ", option->letter);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument && !term_option_may_go_alone(option) ? "=" : "",
		         option->argument ? option->argument : "");
		/* An option that is wider than its column has its help on the next line. */
		if (strlen(left) > HELP_COLUMN)
			printf("  %s\n  %-*s %s\n", left, HELP_COLUMN, "", option->help);
		else
			printf("  %-*s %s\n", HELP_COLUMN, left, option->help);
	}
	printf("  %-*s %s\n", HELP_COLUMN, "-h, --help", "print this and exit");
}

/* The table of options in the form that getopt takes. */
struct description {
	struct option *longs;
	char *shorts;
};

static void description_release(struct description *description)
{
	free(description->longs);
	free(description->shorts);
}

static int description_make(struct description *description, const struct term_option *options)
{
	struct option *longs;
	size_t rows = 0;
	char *shorts;

	while (options[rows].kind != TERM_OPTION_END)
		rows++;
	/* Room for all rows, --help and an end; for a colon, each letter with its colon, "h" and an end. */
	description->longs = longs = calloc(rows + 2, sizeof *longs);
	description->shorts = shorts = calloc(2 * rows + 3, 1);
	if (!longs || !shorts) {
		description_release(description);
		return PRN_E_MEMORY;
	}
	*shorts++ = ':';
	for (size_t i = 0; i < rows; i++) {
		bool value = options[i].kind != TERM_OPTION_FLAG;

		if (options[i].kind == TERM_OPTION_HEADING)
			continue;
		*longs++ = (struct option){ options[i].name,
			                    term_option_may_go_alone(&options[i]) ? optional_argument : value ? required_argument : no_argument,
			                    NULL, LONG_BASE + (int)i };
		if (options[i].letter) {
			*shorts++ = options[i].letter;
			if (value)
				*shorts++ = ':';
		}
	}
	*longs = (struct option){ "help", no_argument, NULL, 'h' };
	*shorts = 'h';
	return 0;
}

static const struct term_option *find(const struct term_usage *usage, int code)
{
	if (code >= LONG_BASE)
		return &usage->options[code - LONG_BASE];
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++)
		if (option->letter == code)
			return option;
	return NULL;
}

/* Configuration files are read before anything else, so that options take precedence. */
static int read_configs(const struct term_usage *usage, int argc, char **argv, const struct description *description,
                        struct prn_error *error)
{
	int got, code = 0;

	optind = 0;
	while (!code && (got = getopt_long(argc, argv, description->shorts, description->longs, NULL)) != -1) {
		const struct term_option *option = got >= LONG_BASE ? find(usage, got) : NULL;

		if (option && option->kind == TERM_OPTION_CONFIG)
			code = term_config_read(optarg, option->target, error);
	}
	return code && code != PRN_E_MEMORY ? term_usage_blame(error) : code;
}

/* Reports an unknown option as it was written, "--NAME" or "--NAME=VALUE", and which one may have been meant. */
static int blame_unknown(const struct term_usage *usage, const char *written, struct prn_error *error)
{
	struct term_nearest nearest;
	char name[TERM_NEAREST_BYTES + 1], list[200] = "";
	size_t length = strcspn(written + 2, "="), used = 0, matches = 0;

	if (length >= sizeof name)
		return term_usage_error(error, "unknown option '%s'", written);
	memcpy(name, written + 2, length);
	name[length] = '\0';
	term_nearest_init(&nearest, name);
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++) {
		if (option->kind == TERM_OPTION_HEADING)
			continue;
		if (!strncmp(option->name, name, length) && used < sizeof list) {
			used += (size_t)snprintf(list + used, sizeof list - used, "%s--%s", matches ? ", " : "", option->name);
			matches++;
		}
		term_nearest_offer(&nearest, option->name);
	}
	if (length && matches > 1)
		return term_usage_error(error, "ambiguous option '%s': %s", written, list);
	return nearest.best ? term_usage_error(error, "unknown option '%s': did you mean --%s?", written, nearest.best)
	                    : term_usage_error(error, "unknown option '%s'", written);
}

/* Takes an option that getopt found. */
static int take_option(const struct term_usage *usage, int got, char **argv, struct prn_error *error)
{
	const struct term_option *option;
	const char *takes;
	int code;

	if (got == 'h') {
		print_help(usage);
		return TERM_HELPED;
	}
	if (got == '?' && optopt && optopt < LONG_BASE)
		return term_usage_error(error, "unknown option '-%c'", optopt);
	if (got == '?')
		return optopt ? term_usage_error(error, "no value goes with '%s'", argv[optind - 1])
		              : blame_unknown(usage, argv[optind - 1], error);
	if (got == ':')
		return term_usage_error(error, "'%s' needs a value", argv[optind - 1]);
	option = find(usage, got);
	if (!option)
		return term_usage_error(error, "unknown option");
	code = optarg ? term_words_check(option, optarg, error) : 0;
	if (code)
		return code;
	code = term_option_store(option, optarg, &takes);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return term_usage_error(error, "--%s takes %s, not '%s'", option->name, takes, optarg);
	if (option->argument && !strcmp(option->argument, TERM_OPTION_MOMENT) && prn_time_is_zoneless(optarg))
		fprintf(stderr, "perennial %s: --%s=%s names no zone and is taken as UTC\n", usage->name, option->name, optarg);
	return 0;
}

static bool print_completions(const struct term_usage *usage, int argc, char **argv)
{
	const size_t length = strlen(TERM_COMPLETIONS_OPTION);
	const struct term_shell *shell = argc == 2 && !strncmp(argv[1], TERM_COMPLETIONS_OPTION, length)
	                                         ? term_shell_find(argv[1] + length)
	                                         : NULL;

	if (shell)
		term_completions_command(shell, usage);
	return shell;
}

int term_options_parse(const struct term_usage *usage, int argc, char **argv, int *first, struct prn_error *error)
{
	struct description description;
	int got, code;

	if (print_completions(usage, argc, argv))
		return TERM_HELPED;
	code = description_make(&description, usage->options);
	if (code)
		return prn_error_memory(error);
	opterr = 0;
	code = read_configs(usage, argc, argv, &description, error);
	optind = 0;
	while (!code && (got = getopt_long(argc, argv, description.shorts, description.longs, NULL)) != -1)
		code = take_option(usage, got, argv, error);
	if (!code)
		code = term_outputs_check(usage, argv + optind, error);
	if (!code)
		*first = optind;
	description_release(&description);
	return code;
}
