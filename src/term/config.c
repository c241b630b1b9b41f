#include "term/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blank[] = " \t\r\n";

static char *trim(char *text)
{
	size_t length;

	text += strspn(text, blank);
	for (length = strlen(text); length && strchr(blank, text[length - 1]); length--)
		;
	text[length] = 0;
	return text;
}

static const struct term_option *find(const struct term_option *keys, const char *name)
{
	for (; keys->kind != TERM_OPTION_END; keys++)
		if (keys->kind != TERM_OPTION_HEADING && !strcmp(keys->name, name))
			return keys;
	return NULL;
}

static int unknown(const struct term_option *keys, const char *name, struct prn_error *error)
{
	char list[PRN_ERROR_TEXT] = "";
	size_t length = 0;

	for (; keys->kind != TERM_OPTION_END && length < sizeof list; keys++)
		if (keys->kind != TERM_OPTION_HEADING)
			length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
			                           keys->name);
	return prn_error_set(error, PRN_E_INPUT, "no key '%.40s': there is %s", name, list);
}

static const char *store(const struct term_option *key, const char *value)
{
	if (key->kind == TERM_OPTION_TEXT)
		return "nothing in a file";
	if (key->kind != TERM_OPTION_FLAG)
		return term_option_store(key, value);
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return "yes or no";
	*(bool *)key->target = !strcmp(value, "yes");
	return NULL;
}

static int take(char *line, const struct term_option *keys, struct prn_error *error)
{
	const struct term_option *key;
	char *equals, *value;
	const char *takes;

	line = trim(line);
	if (!*line || *line == '#')
		return 0;
	equals = strchr(line, '=');
	if (!equals)
		return prn_error_set(error, PRN_E_INPUT, "want 'key = value', not '%.100s'", line);
	*equals = 0;
	value = trim(equals + 1);
	line = trim(line);
	key = find(keys, line);
	if (!key)
		return unknown(keys, line, error);
	takes = store(key, value);
	return takes ? prn_error_set(error, PRN_E_INPUT, "%s takes %s, not '%.100s'", line, takes, value) : 0;
}

int term_config_read(const char *path, const struct term_option *keys, struct prn_error *error)
{
	FILE *file = fopen(path, "re");
	unsigned long long number = 0;
	char *line = NULL;
	size_t capacity = 0;
	int code = 0;

	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot open: %s", path, strerror(errno));
	while (!code && getline(&line, &capacity, file) >= 0) {
		number++;
		code = take(line, keys, error);
	}
	if (code)
		prn_error_prefix(error, "%.300s, line %llu", path, number);
	else if (ferror(file))
		code = prn_error_set(error, PRN_E_IO, "%s: cannot read: %s", path, strerror(errno));
	free(line);
	fclose(file);
	return code;
}
