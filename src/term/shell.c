#include "term/shell.h"

#include "term/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
	if (term_words_are(argument, '|'))
		return TERM_TAKES_WORD;
	if (term_words_are(argument, ','))
		return TERM_TAKES_WORDS;
	return !strcmp(option->name, "policy") || !strcmp(argument, "POLICY") ? TERM_TAKES_POLICIES : TERM_TAKES_NOTHING;
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
