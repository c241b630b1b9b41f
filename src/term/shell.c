#include "term/shell.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether a text has only small letters, digits and dashes, with separators between: "table|tsv|json". */
static bool is_words(const char *argument, char separator)
{
	for (; *argument; argument++)
		if (!(*argument >= 'a' && *argument <= 'z') && !(*argument >= '0' && *argument <= '9') &&
		    *argument != '-' && *argument != separator)
			return false;
	return true;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

enum term_takes term_takes(const struct term_option *option)
{
	const char *argument = option->argument;

	if (!argument)
		return TERM_TAKES_NOTHING;
	if (!strcmp(argument, "DIR"))
		return TERM_TAKES_FOLDERS;
	if (begins(argument, "FILE") || begins(argument, "X."))
		return TERM_TAKES_FILES;
	if (!strcmp(option->name, "policy") || !strcmp(argument, "POLICY"))
		return TERM_TAKES_POLICIES;
	if (is_words(argument, '|'))
		return TERM_TAKES_WORD;
	return is_words(argument, ',') ? TERM_TAKES_WORDS : TERM_TAKES_NOTHING;
}

void term_print_words(const char *argument)
{
	for (; *argument; argument++)
		putchar(*argument == '|' || *argument == ',' ? ' ' : *argument);
}

void term_print_escaped(const char *text, const char *special, const char *quote)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs(quote, stdout);
			continue;
		}
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}
