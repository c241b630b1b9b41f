#include "perennial/error.h"

#include "base/visible.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *prn_error_text(int code)
{
	switch (code) {
	case 0:
		return "no error";
	case PRN_E_MEMORY:
		return "out of memory";
	case PRN_E_ARGUMENT:
		return "argument out of range";
	case PRN_E_INPUT:
		return "damaged or malformed input";
	case PRN_E_TRUNCATED:
		return "input ends early";
	case PRN_E_IO:
		return "input or output failed";
	case PRN_E_VERSION:
		return "written by an unknown version";
	case PRN_E_LIMIT:
		return "a limit was exceeded";
	case PRN_E_UNSUPPORTED:
		return "not supported";
	case PRN_E_NOT_FOUND:
		return "not found";
	case PRN_E_CANCELLED:
		return "cancelled";
	case PRN_E_DAMAGED:
		return "the store is damaged";
	case PRN_E_CONFLICT:
		return "another wrote first";
	case PRN_E_UNREADABLE:
		return "a page cannot be read";
	case PRN_E_BUSY:
		return "the store does not answer";
	default:
		return "unknown error";
	}
}

/* A text that was cut to fit may end within a character: removes the rest of that character. */
static void drop_part(char *text)
{
	size_t at = strlen(text);
	int32_t character;

	for (int part = 0; part < 3 && at && (unsigned char)text[at - 1] >= 0x80; part++)
		if ((unsigned char)text[--at] >= 0xc0)
			break;
	if ((unsigned char)text[at] >= 0xc0 && prn_visible_next(text + at, &character) && character == PRN_NOT_UTF8)
		text[at] = 0;
}

/* Messages quote bytes of hostile files, and a terminal must not act on them.  Of a character that was cut, the rest is escaped too. */
static void show(char *text, size_t capacity)
{
	char shown[PRN_ERROR_TEXT];

	prn_visible_copy(shown, capacity < sizeof shown ? capacity : sizeof shown, text);
	strcpy(text, shown);
}

int prn_error_set(struct prn_error *error, int code, const char *format, ...)
{
	va_list list;

	if (!error)
		return code;
	error->code = code;
	va_start(list, format);
	vsnprintf(error->text, sizeof error->text, format, list);
	va_end(list);
	show(error->text, sizeof error->text);
	return code;
}

int prn_error_memory(struct prn_error *error)
{
	return prn_error_set(error, PRN_E_MEMORY, "%s", prn_error_text(PRN_E_MEMORY));
}

void prn_error_prefix(struct prn_error *error, const char *format, ...)
{
	char prefix[PRN_ERROR_TEXT];
	size_t room, length;
	va_list list;

	if (!error)
		return;
	va_start(list, format);
	vsnprintf(prefix, sizeof prefix - 2, format, list);
	va_end(list);
	if (!*prefix)
		return;
	show(prefix, sizeof prefix - 2);
	strcat(prefix, ": ");
	/* The old text is cut where it does not fit: the prefix, which names the place, matters more. */
	length = strlen(prefix);
	room = sizeof error->text - length - 1;
	if (strlen(error->text) > room) {
		error->text[room] = 0;
		drop_part(error->text);
	}
	memmove(error->text + length, error->text, strlen(error->text) + 1);
	memcpy(error->text, prefix, length);
}
