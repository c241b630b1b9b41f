#include "term/words.h"

#include <stdio.h>
#include <string.h>

#define SAID_BYTES 256

bool term_words_are(const char *argument, char separator)
{
	for (; *argument; argument++)
		if (!(*argument >= 'a' && *argument <= 'z') && !(*argument >= '0' && *argument <= '9') &&
		    *argument != '-' && *argument != separator)
			return false;
	return true;
}

static int find(const char *words, const char *text, size_t length)
{
	for (int i = 0;; i++) {
		size_t word = strcspn(words, "|,");

		if (word == length && !memcmp(words, text, length))
			return i;
		if (!words[word])
			return -1;
		words += word + 1;
	}
}

int term_words_find(const char *words, const char *text)
{
	return find(words, text, strlen(text));
}

/* Writes the words as a sentence has them: "a, b or c". */
static void say(const char *words, char said[SAID_BYTES])
{
	size_t used = 0;

	for (;;) {
		size_t word = strcspn(words, "|,");
		const char *next = words + word, *between = !*next ? "" : next[1 + strcspn(next + 1, "|,")] ? ", " : " or ";

		used += (size_t)snprintf(said + used, SAID_BYTES - used, "%.*s%s", (int)word, words, between);
		if (!*next || used >= SAID_BYTES)
			return;
		words = next + 1;
	}
}

static int refuse(const char *option, const char *words, const char *value, size_t length, struct prn_error *error)
{
	char said[SAID_BYTES];

	say(words, said);
	return term_usage_error(error, "--%s takes %s, not '%.*s'", option, said, (int)length, value);
}

int term_words_read(const char *option, const char *words, const char *value, int *which, struct prn_error *error)
{
	int found = term_words_find(words, value);

	if (found < 0)
		return refuse(option, words, value, strlen(value), error);
	*which = found;
	return 0;
}

int term_words_check(const struct term_option *option, const char *value, struct prn_error *error)
{
	bool many = option->kind == TERM_OPTION_LIST;

	if ((!many && option->kind != TERM_OPTION_TEXT) || !option->argument || !term_words_are(option->argument, many ? ',' : '|'))
		return 0;
	for (;;) {
		size_t length = many ? strcspn(value, ",") : strlen(value);

		/* An item that is empty is refused with the list. */
		if ((length || !many) && find(option->argument, value, length) < 0)
			return refuse(option->name, option->argument, value, length, error);
		if (!value[length])
			return 0;
		value += length + 1;
	}
}
