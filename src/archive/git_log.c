#include "archive/git_log.h"

#include "base/hex.h"
#include "perennial/time.h"

#include <stdlib.h>
#include <string.h>

#define READ_BYTES ((size_t)64 << 10)

void prn_git_log_release(struct prn_git_log *log)
{
	prn_buffer_release(&log->bytes);
	prn_buffer_release(&log->entry);
	prn_buffer_release(&log->path);
}

/* Reads more if all bytes are used: 1, or 0 at the end. */
static int more(struct prn_git_log *log, struct prn_error *error)
{
	size_t got = 0;
	int code;

	if (log->at < log->bytes.length)
		return 1;
	if (log->ended)
		return 0;
	log->at = log->bytes.length = 0;
	if (prn_buffer_reserve(&log->bytes, READ_BYTES))
		return prn_error_memory(error);
	code = log->read(log->context, log->bytes.data, READ_BYTES, &got, error);
	log->bytes.length = code ? 0 : got;
	log->ended = !got;
	return code ? code : got > 0;
}

/* Reads a string up to the next NUL; *whole: it has at most limit bytes. 1, or 0 at the end. */
static int read_item(struct prn_git_log *log, struct prn_buffer *item, size_t limit, bool *whole, struct prn_error *error)
{
	bool begun = false;
	int code;

	prn_buffer_clear(item);
	*whole = true;
	while ((code = more(log, error)) > 0) {
		const unsigned char *from = log->bytes.data + log->at, *end;
		size_t left = log->bytes.length - log->at, taken, room = limit - item->length;

		end = memchr(from, 0, left);
		taken = end ? (size_t)(end - from) : left;
		*whole &= taken <= room;
		if (prn_buffer_append(item, from, taken < room ? taken : room))
			return prn_error_memory(error);
		log->at += taken + (end != NULL);
		begun = true;
		if (end)
			return prn_buffer_terminate(item) ? prn_error_memory(error) : 1;
	}
	return !code && begun ? prn_error_set(error, PRN_E_TRUNCATED, "it ends early") : code;
}

/* Returns the number of digits of the object name at text; 0: there is none. */
static size_t id_length(const char *text)
{
	size_t length = 0;

	while (prn_hex_digit(text[length]) >= 0)
		length++;
	return length == 40 || length == PRN_GIT_ID_BYTES ? length : 0;
}

/*
 * "commit ID 1771592400".  The time is what the commit contains, so it may have any length; it is empty if git
 * finds none.
 */
static bool read_commit(struct prn_git_log *log, const char *text)
{
	size_t length = !strncmp(text, "commit ", 7) ? id_length(text + 7) : 0;
	const char *number = text + 7 + length;
	long long time;

	if (!length || *number++ != ' ' || number[(*number == '-') + strspn(number + (*number == '-'), "0123456789")])
		return false;
	time = strtoll(number, NULL, 10);
	log->has_time = number[*number == '-'] && time >= PRN_TIME_FIRST && time <= PRN_TIME_LAST;
	log->time = log->has_time ? time : log->time;
	log->changes = 0;
	memcpy(log->id, text + 7, length);
	log->id[length] = 0;
	return true;
}

static enum prn_git_thing thing_of(const char *mode)
{
	if (!strncmp(mode, "000000", 6))
		return PRN_GIT_NOTHING;
	if (!strncmp(mode, "100", 3))
		return PRN_GIT_FILE;
	if (!strncmp(mode, "120", 3))
		return PRN_GIT_LINK;
	return !strncmp(mode, "160", 3) ? PRN_GIT_SUBMODULE : PRN_GIT_OTHER;
}

/* ":100644 100644 ID ID M" */
static bool read_entry(struct prn_git_change *change, const char *text)
{
	static const char modes[] = ":123456 123456 ";
	size_t start = sizeof modes - 1, length;

	for (size_t i = 0; i < start; i++)
		if (modes[i] >= '0' && modes[i] <= '9' ? text[i] < '0' || text[i] > '7' : text[i] != modes[i])
			return false;
	length = id_length(text + start);
	if (!length || text[start + length] != ' ' || id_length(text + start + length + 1) != length || text[start + 2 * length + 1] != ' ')
		return false;
	change->before = thing_of(text + 1);
	change->now = thing_of(text + 8);
	change->is_same = !memcmp(text + start, text + start + length + 1, length);
	memcpy(change->id, text + start + length + 1, length);
	change->id[length] = 0;
	return true;
}

static int refuse(struct prn_git_log *log, struct prn_error *error)
{
	log->ended = true;
	log->at = log->bytes.length;
	return prn_error_set(error, PRN_E_INPUT, "it is not what git writes");
}

int prn_git_log_next(struct prn_git_log *log, struct prn_git_change *change, struct prn_error *error)
{
	bool whole;
	int code;

	while ((code = read_item(log, &log->entry, PRN_GIT_PATH_BYTES, &whole, error)) > 0) {
		const char *text = (const char *)log->entry.data;

		/* With -z, a line feed remains of the empty line between a commit and its changes. */
		text += *text == '\n';
		if (!*text || read_commit(log, text))
			continue;
		if (!read_entry(change, text))
			return refuse(log, error);
		code = read_item(log, &log->path, PRN_GIT_PATH_BYTES, &whole, error);
		if (code < 0)
			return code;
		if (!code)
			return prn_error_set(error, PRN_E_TRUNCATED, "it ends early");
		if (!log->path.length)
			return refuse(log, error);
		if (log->changes++ == log->changes_most) {
			refuse(log, NULL);
			return prn_error_set(error, PRN_E_INPUT, "its commit %s changes more than %llu files", log->id,
			                     (unsigned long long)log->changes_most);
		}
		/* A commit without a valid time says nothing about when its files changed. */
		if (!log->has_time && (log->changes > 1 || !*log->id))
			continue;
		if (!log->has_time)
			memcpy(change->id, log->id, sizeof change->id);
		change->time = log->time;
		change->path = log->has_time ? (const char *)log->path.data : NULL;
		change->is_cut = !whole;
		return 1;
	}
	return code;
}
