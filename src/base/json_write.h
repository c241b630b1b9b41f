/*
 * Writes JSON member by member straight into a buffer: nothing is allocated but the buffer's own growth, and nothing is kept but
 * where the line began.  What is written is what jansson's json_dumps writes with JSON_COMPACT and JSON_REAL_PRECISION(12), byte
 * for byte.
 *
 * Names are plain ASCII without quotation marks and backslashes; NULL is the name of the whole value and of each item of a list.
 * A caller that closes what it did not open, or gives a member of an object no name, writes something that is not JSON; its tests
 * must find that.  Once memory has run out, all calls do nothing, and prn_json_line_end returns the error.
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include "base/buffer.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PRN_JSON_NUMBER 32 /* bytes that hold any number */

struct prn_json_line {
	struct prn_buffer *out; /* borrowed until the end */
	size_t before;          /* the length of out before the line */
	bool follows;           /* the next member at this level needs a comma before it */
	bool beyond;            /* some text in the line has a byte of 0x7f or above */
	int failed;
};

/* Begins a line after what out holds already. */
static inline void prn_json_line_begin(struct prn_json_line *line, struct prn_buffer *out)
{
	*line = (struct prn_json_line){ .out = out, .before = out->length };
}

/* Ends the line with a line feed.  PRN_E_MEMORY: out is as it was before the line */
int prn_json_line_end(struct prn_json_line *line);

/* These take the lengths of names; the inline functions below let the compiler find them. */
void prn_json_put(struct prn_json_line *line, const char *name, size_t name_length, const void *bytes, size_t length);
void prn_json_put_text(struct prn_json_line *line, const char *name, size_t name_length, const char *text, size_t length);

/*
 * Writes the comma and the name of a member whose value takes at most `most` bytes, and returns where the value goes; the caller then
 * adds the value's length to the buffer's.  NULL: no memory
 */
static inline char *prn_json_begin_member(struct prn_json_line *line, const char *name, size_t name_length, size_t most)
{
	struct prn_buffer *out = line->out;
	unsigned char *at;

	if (line->failed)
		return NULL;
	if (out->capacity - out->length < most + name_length + 4 && (line->failed = prn_buffer_reserve(out, most + name_length + 4)) != 0)
		return NULL;
	at = out->data + out->length;
	if (line->follows)
		*at++ = ',';
	line->follows = true;
	if (name) {
		*at++ = '"';
		memcpy(at, name, name_length);
		at += name_length;
		*at++ = '"';
		*at++ = ':';
	}
	out->length = (size_t)(at - out->data);
	return (char *)at;
}

static inline size_t prn_json_name_length(const char *name)
{
	return name ? strlen(name) : 0;
}

static inline void prn_json_open_bracket(struct prn_json_line *line, const char *name, char bracket)
{
	char *at = prn_json_begin_member(line, name, prn_json_name_length(name), 1);

	if (!at)
		return;
	*at = bracket;
	line->out->length++;
	line->follows = false;
}

static inline void prn_json_close_bracket(struct prn_json_line *line, char bracket)
{
	char *at;

	line->follows = false;
	at = prn_json_begin_member(line, NULL, 0, 1);
	if (!at)
		return;
	*at = bracket;
	line->out->length++;
}

static inline void prn_json_object(struct prn_json_line *line, const char *name)
{
	prn_json_open_bracket(line, name, '{');
}

static inline void prn_json_list(struct prn_json_line *line, const char *name)
{
	prn_json_open_bracket(line, name, '[');
}

static inline void prn_json_object_end(struct prn_json_line *line)
{
	prn_json_close_bracket(line, '}');
}

static inline void prn_json_list_end(struct prn_json_line *line)
{
	prn_json_close_bracket(line, ']');
}

/* Most members of a line about a page are null: their names are copied without a call. */
static inline void prn_json_null(struct prn_json_line *line, const char *name)
{
	char *at = prn_json_begin_member(line, name, prn_json_name_length(name), 4);

	if (!at)
		return;
	memcpy(at, "null", 4);
	line->out->length += 4;
}

static inline void prn_json_boolean(struct prn_json_line *line, const char *name, bool value)
{
	prn_json_put(line, name, prn_json_name_length(name), value ? "true" : "false", value ? 4 : 5);
}

/* The text must be valid UTF-8; it may contain NUL. */
static inline void prn_json_text(struct prn_json_line *line, const char *name, const char *text, size_t length)
{
	prn_json_put_text(line, name, prn_json_name_length(name), text, length);
}

/* The text must have no character that needs an escape. */
void prn_json_put_plain(struct prn_json_line *line, const char *name, size_t name_length, const char *text, size_t length);

static inline void prn_json_plain(struct prn_json_line *line, const char *name, const char *text, size_t length)
{
	prn_json_put_plain(line, name, prn_json_name_length(name), text, length);
}

/* Write a number as a line has it, without a NUL, and return how many bytes it takes; a double must be finite, and an integer takes 20 at most. */
size_t prn_json_print_number(double number, char out[PRN_JSON_NUMBER]);
size_t prn_json_print_integer(int64_t number, char *out);

/* Writes a number to 12 significant digits; one that is not finite becomes null. */
static inline void prn_json_number(struct prn_json_line *line, const char *name, double number)
{
	char *at;

	if (!isfinite(number)) {
		prn_json_null(line, name);
		return;
	}
	at = prn_json_begin_member(line, name, prn_json_name_length(name), PRN_JSON_NUMBER);
	if (at)
		line->out->length += prn_json_print_number(number, at);
}

static inline void prn_json_integer(struct prn_json_line *line, const char *name, int64_t number)
{
	char *at = prn_json_begin_member(line, name, prn_json_name_length(name), PRN_JSON_NUMBER);

	if (at)
		line->out->length += prn_json_print_integer(number, at);
}

#endif
