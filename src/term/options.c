#include "term/options.h"
#include "term/exit.h"
#include "term/config.h"
#include "perennial/time.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 64
#define HELP_COLUMN 30 /* columns of --help's left side */

int term_usage_error(const struct term_usage *usage, const char *format, ...)
{
	va_list list;

	fprintf(stderr, "perennial %s: ", usage->name);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "\nTry 'perennial %s --help'.\n", usage->name);
	return TERM_USAGE;
}

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
		snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? "=" : "",
		         option->argument ? option->argument : "");
		/* What is wider than its column has its help below. */
		if (strlen(left) > HELP_COLUMN)
			printf("  %s\n  %-*s %s\n", left, HELP_COLUMN, "", option->help);
		else
			printf("  %-*s %s\n", HELP_COLUMN, left, option->help);
	}
	printf("  %-*s %s\n", HELP_COLUMN, "-h, --help", "print this and exit");
}

static bool parse_number(const char *text, double *number)
{
	double read;
	char *end;

	errno = 0;
	read = strtod(text, &end);
	if (!*text || *end || errno || !isfinite(read))
		return false;
	*number = read;
	return true;
}

static bool parse_count(const char *text, uint64_t *count)
{
	unsigned long long read;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	read = strtoull(text, &end, 10);
	if (*end || errno)
		return false;
	*count = read;
	return true;
}

static bool parse_bytes(const char *text, size_t *bytes)
{
	static const char letters[] = "KMGT";
	unsigned long long number;
	unsigned shift = 0;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (*end) {
		const char *letter = strchr(letters, *end);

		if (!letter || end[1])
			return false;
		shift = 10 * (unsigned)(letter - letters + 1);
	}
	if (errno || number > (SIZE_MAX >> shift))
		return false;
	*bytes = (size_t)number << shift;
	return true;
}

static bool list_add(struct term_list *list, const char *item, size_t length, bool number)
{
	char **items = realloc(list->items, (list->count + 1) * sizeof *items);
	double *numbers;

	if (!items)
		abort();
	list->items = items;
	numbers = realloc(list->numbers, (list->count + 1) * sizeof *numbers);
	if (!numbers)
		abort();
	list->numbers = numbers;
	numbers[list->count] = 0;
	items[list->count] = strndup(item, length);
	if (!items[list->count])
		abort();
	list->count++;
	return !number || parse_number(items[list->count - 1], &numbers[list->count - 1]);
}

static bool list_split(struct term_list *list, const char *text, bool numbers)
{
	for (;;) {
		size_t length = strcspn(text, ",");

		if (!length || !list_add(list, text, length, numbers))
			return false;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

void term_list_release(struct term_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	free(list->numbers);
	*list = (struct term_list){ 0 };
}

static const char *store_own(const struct term_own *own, const char *value)
{
	return own->take(own->context, value) ? NULL : own->takes;
}

const char *term_option_store(const struct term_option *option, const char *value)
{
	switch (option->kind) {
	case TERM_OPTION_FLAG:
		*(bool *)option->target = true;
		return NULL;
	case TERM_OPTION_TEXT:
		*(const char **)option->target = value;
		return NULL;
	case TERM_OPTION_LIST:
		return list_split(option->target, value, false) ? NULL : "names separated by commas";
	case TERM_OPTION_TEXTS:
		return list_add(option->target, value, strlen(value), false) ? NULL : "a text";
	case TERM_OPTION_NUMBERS:
		return list_split(option->target, value, true) ? NULL : "numbers separated by commas";
	case TERM_OPTION_COUNT:
		return parse_count(value, option->target) ? NULL : "a whole number";
	case TERM_OPTION_BYTES:
		return parse_bytes(value, option->target) ? NULL : "a number of bytes, such as 65536, 16M or 2G";
	case TERM_OPTION_NUMBER:
		return parse_number(value, option->target) ? NULL : "a number";
	case TERM_OPTION_TIME:
		return prn_time_parse(value, option->target) ? "a time, such as 2026-05-10 or 2026-05-10T12:00:00Z"
		                                             : NULL;
	case TERM_OPTION_DURATION:
		return prn_duration_parse(value, option->target) ? "a duration, such as 90s, 15m, 6h or 2d" : NULL;
	case TERM_OPTION_OWN:
		return store_own(option->target, value);
	case TERM_OPTION_CONFIG: /* has been read */
		return NULL;
	case TERM_OPTION_END:
	case TERM_OPTION_HEADING:
		break;
	}
	return "nothing";
}

/* Fills getopt's two descriptions of the table; long options carry their index + 256. */
static size_t describe(const struct term_usage *usage, struct option *longs, char *shorts)
{
	size_t n = 0;

	*shorts++ = ':';
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++) {
		bool value = option->kind != TERM_OPTION_FLAG;

		if (option->kind == TERM_OPTION_HEADING)
			continue;
		if (n == OPTIONS_MAX)
			abort();
		longs[n++] = (struct option){ option->name, value ? required_argument : no_argument, NULL,
			                      256 + (int)(option - usage->options) };
		if (option->letter) {
			*shorts++ = option->letter;
			if (value)
				*shorts++ = ':';
		}
	}
	longs[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	*shorts++ = 'h';
	*shorts = 0;
	longs[n] = (struct option){ 0 };
	return n;
}

static const struct term_option *find(const struct term_usage *usage, int code)
{
	if (code >= 256)
		return &usage->options[code - 256];
	for (const struct term_option *option = usage->options; option->kind != TERM_OPTION_END; option++)
		if (option->letter == code)
			return option;
	return NULL;
}

/* Before anything else, so that options have the last word. */
static int read_configs(const struct term_usage *usage, int argc, char **argv, const struct option *longs,
                        const char *shorts)
{
	struct prn_error error;
	int code;

	optind = 0;
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct term_option *option = code >= 256 ? find(usage, code) : NULL;

		if (option && option->kind == TERM_OPTION_CONFIG && term_config_read(optarg, option->target, &error))
			return term_usage_error(usage, "%s", error.text);
	}
	return -1;
}

int term_options_parse(const struct term_usage *usage, int argc, char **argv, int *first)
{
	struct option longs[OPTIONS_MAX + 2];
	char shorts[2 * OPTIONS_MAX + 4];
	int code;

	describe(usage, longs, shorts);
	opterr = 0;
	code = read_configs(usage, argc, argv, longs, shorts);
	if (code >= 0)
		return code;
	optind = 0;
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct term_option *option;
		const char *takes;

		if (code == 'h') {
			print_help(usage);
			return TERM_DONE;
		}
		if (code == '?' && optopt && optopt < 256)
			return term_usage_error(usage, "unknown option '-%c'", optopt);
		if (code == '?')
			return term_usage_error(usage, "%s '%s'",
			                       optopt ? "no value goes with" : "unknown or ambiguous option",
			                       argv[optind - 1]);
		if (code == ':')
			return term_usage_error(usage, "'%s' wants a value", argv[optind - 1]);
		option = find(usage, code);
		if (!option)
			return term_usage_error(usage, "unknown option");
		takes = term_option_store(option, optarg);
		if (takes)
			return term_usage_error(usage, "--%s takes %s, not '%s'", option->name, takes, optarg);
	}
	*first = optind;
	return -1;
}
