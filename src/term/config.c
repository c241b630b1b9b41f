#include "term/config.h"

#include "base/given_file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 65536

/* Returns the key of that name, or NULL with *error, which lists the keys. */
static const struct term_option *find(const struct term_option *keys, const char *name, struct prn_error *error)
{
	char list[PRN_ERROR_TEXT] = "";
	size_t length = 0;

	for (; keys->kind != TERM_OPTION_END; keys++) {
		if (keys->kind == TERM_OPTION_HEADING)
			continue;
		if (!strcmp(keys->name, name))
			return keys;
		if (length < sizeof list)
			length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
			                           keys->name);
	}
	prn_error_set(error, PRN_E_INPUT, "no key '%.40s': there is %s", name, list);
	return NULL;
}

static int store(const struct term_option *key, const char *value, const char **takes)
{
	if (key->kind == TERM_OPTION_TEXT || key->kind == TERM_OPTION_OUTPUT) {
		*takes = "nothing in a file";
		return PRN_E_INPUT;
	}
	if (key->kind != TERM_OPTION_FLAG)
		return term_option_store(key, value, takes);
	*takes = "yes or no";
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return PRN_E_INPUT;
	*(bool *)key->target = !strcmp(value, "yes");
	return 0;
}

static int take_line(char *line, const struct term_option *keys, struct prn_error *error)
{
	static const char blanks[] = " \t\r\n";
	const struct term_option *key;
	char *equals, *value;
	const char *takes;
	int code;

	line = prn_text_trim(line, blanks);
	if (!*line || *line == '#')
		return 0;
	equals = strchr(line, '=');
	if (!equals)
		return prn_error_set(error, PRN_E_INPUT, "expected 'key = value', not '%.100s'", line);
	*equals = 0;
	value = prn_text_trim(equals + 1, blanks);
	line = prn_text_trim(line, blanks);
	key = find(keys, line, error);
	if (!key)
		return PRN_E_INPUT;
	code = store(key, value, &takes);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	return code ? prn_error_set(error, PRN_E_INPUT, "%s takes %s, not '%.100s'", line, takes, value) : 0;
}

/*
 * Reads a line into line, which has room for LINE_BYTES and a NUL.  Returns 1; 0 at the end of the file, and if it cannot be
 * read.
 */
static int read_line(FILE *file, char *line, struct prn_error *error)
{
	size_t length = 0;
	int c = getc(file);

	if (c == EOF)
		return 0;
	for (; c != EOF && c != '\n'; c = getc(file)) {
		if (!c)
			return prn_error_set(error, PRN_E_INPUT, "a zero byte: this is no text");
		if (length == LINE_BYTES)
			return prn_error_set(error, PRN_E_INPUT, "it is longer than the %d bytes that a line may have", LINE_BYTES);
		line[length++] = (char)c;
	}
	line[length] = 0;
	return 1;
}

/* Some editors begin a text in UTF-8 with a mark of its byte order, which it has none of. */
static size_t mark_bytes(const char *line)
{
	static const char mark[] = "\xef\xbb\xbf";

	return strncmp(line, mark, strlen(mark)) ? 0 : strlen(mark);
}

int term_config_read(const char *path, const struct term_option *keys, struct prn_error *error)
{
	struct prn_buffer bytes = { 0 };
	char *line = malloc(LINE_BYTES + 1);
	FILE *file = NULL;
	unsigned long long number = 0;
	int got, code = line ? prn_given_file_open(&file, &bytes, path, PRN_GIVEN_FILE_S, error) : prn_error_memory(error);

	if (code) {
		prn_buffer_release(&bytes);
		free(line);
		return code;
	}
	while (!code && (got = read_line(file, line, error))) {
		number++;
		code = got < 0 ? got : take_line(line + (number == 1 ? mark_bytes(line) : 0), keys, error);
	}
	if (code)
		prn_error_prefix(error, "%.300s, line %llu", path, number);
	free(line);
	fclose(file);
	prn_buffer_release(&bytes);
	return code;
}
