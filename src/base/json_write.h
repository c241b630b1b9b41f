/*
 * Writes JSON member by member straight into a buffer: nothing is allocated but the buffer's own growth, and nothing is kept but
 * where the line began.  What is written is what jansson's json_dumps writes with JSON_COMPACT and JSON_REAL_PRECISION(12), byte
 * for byte.
 *
 * Names are plain ASCII without quotation marks and backslashes; NULL is the name of the whole value and of each item of a list.
 * Who closes what was not opened, or gives a member of an object no name, writes no JSON: that is for the tests of the caller.
 * What fails for want of memory makes all that follows do nothing, and is told by prn_json_line_end.
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PRN_JSON_NUMBER 32 /* bytes that hold any number */

struct prn_json_line {
	struct prn_buffer *out; /* borrowed until the end */
	size_t before;          /* length of what was there */
	bool follows;           /* something stands before the next member at its level: it takes a comma */
	bool beyond;            /* some text of it has a byte of 0x7f or above */
	int failed;
};

/* Begins a line behind what out has. */
static inline void prn_json_line_begin(struct prn_json_line *line, struct prn_buffer *out)
{
	*line = (struct prn_json_line){ .out = out, .before = out->length };
}

/* Ends it with a line feed.  PRN_E_MEMORY, and then out is as it was at the beginning. */
int prn_json_line_end(struct prn_json_line *line);

/* These take the lengths of names; those below know them where they are compiled. */
void prn_json_put(struct prn_json_line *line, const char *name, size_t name_length, const void *bytes, size_t length);
void prn_json_put_open(struct prn_json_line *line, const char *name, size_t name_length, char bracket);
void prn_json_put_text(struct prn_json_line *line, const char *name, size_t name_length, const char *text, size_t length);
void prn_json_put_number(struct prn_json_line *line, const char *name, size_t name_length, double number);
void prn_json_put_integer(struct prn_json_line *line, const char *name, size_t name_length, int64_t number);

static inline size_t prn_json_name_length(const char *name)
{
	return name ? strlen(name) : 0;
}

static inline void prn_json_object(struct prn_json_line *line, const char *name)
{
	prn_json_put_open(line, name, prn_json_name_length(name), '{');
}

static inline void prn_json_list(struct prn_json_line *line, const char *name)
{
	prn_json_put_open(line, name, prn_json_name_length(name), '[');
}

void prn_json_object_end(struct prn_json_line *line);
void prn_json_list_end(struct prn_json_line *line);

static inline void prn_json_null(struct prn_json_line *line, const char *name)
{
	prn_json_put(line, name, prn_json_name_length(name), "null", 4);
}

static inline void prn_json_boolean(struct prn_json_line *line, const char *name, bool value)
{
	prn_json_put(line, name, prn_json_name_length(name), value ? "true" : "false", value ? 4 : 5);
}

/* A text of valid UTF-8, NUL in it or not. */
static inline void prn_json_text(struct prn_json_line *line, const char *name, const char *text, size_t length)
{
	prn_json_put_text(line, name, prn_json_name_length(name), text, length);
}

/* A text of which no character is escaped. */
void prn_json_put_plain(struct prn_json_line *line, const char *name, size_t name_length, const char *text, size_t length);

static inline void prn_json_plain(struct prn_json_line *line, const char *name, const char *text, size_t length)
{
	prn_json_put_plain(line, name, prn_json_name_length(name), text, length);
}

/* To 12 significant digits; what is not finite is null. */
static inline void prn_json_number(struct prn_json_line *line, const char *name, double number)
{
	prn_json_put_number(line, name, prn_json_name_length(name), number);
}

static inline void prn_json_integer(struct prn_json_line *line, const char *name, int64_t number)
{
	prn_json_put_integer(line, name, prn_json_name_length(name), number);
}

/* Writes a finite number as a line has it, without a NUL, and returns how many bytes it takes. */
size_t prn_json_print_number(double number, char out[PRN_JSON_NUMBER]);

#endif
