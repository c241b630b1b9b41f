#include "perennial/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *prn_error_text(int code)
{
	switch (code) {
	case 0:
		return "no error";
	case PRN_E_MEMORY:
		return "out of memory";
	case PRN_E_RANGE:
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
	default:
		return "unknown error";
	}
}

/* Messages quote bytes of hostile files; a terminal must not act on them. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
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
	make_printable(error->text);
	return code;
}

void prn_error_prefix(struct prn_error *error, const char *format, ...)
{
	char text[PRN_ERROR_TEXT];
	va_list list;
	int length;

	if (!error)
		return;
	va_start(list, format);
	length = vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (length < 0 || (size_t)length >= sizeof text)
		return;
	snprintf(text + length, sizeof text - (size_t)length, ": %s", error->text);
	make_printable(text);
	memcpy(error->text, text, sizeof text);
}
