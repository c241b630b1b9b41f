/* Errors in words: what fits, what a terminal would act on, and where a prefix puts the rest. */
#include "perennial/error.h"
#include "tap.h"

static void printable(void)
{
	struct prn_error error;

	ok(prn_error_set(&error, PRN_E_INPUT, "a%cb%cc", 0x1b, '\n') == PRN_E_INPUT && error.code == PRN_E_INPUT,
	   "an error that is set returns its code and keeps it");
	same(error.text, "a\\x1bb\\x0ac", "control characters of a hostile file are shown as escapes");
	prn_error_set(&error, PRN_E_INPUT, "a%cb", 0x7f);
	same(error.text, "a\\x7fb", "DEL in an error is shown as an escape");
	prn_error_set(&error, PRN_E_INPUT, "Straße");
	same(error.text, "Straße", "letters beyond ASCII in an error stay");
	prn_error_prefix(&error, "x%c%cy", '\r', 0x1b);
	same(error.text, "x\\x0d\\x1by: Straße", "control characters in a prefix are shown as escapes too");
}

static void lengths(void)
{
	char full[PRN_ERROR_TEXT + 100], want[PRN_ERROR_TEXT];
	struct prn_error error;

	memset(full, 'x', sizeof full - 1);
	full[sizeof full - 1] = 0;
	prn_error_set(&error, PRN_E_IO, "%s", full);
	ok(strlen(error.text) == PRN_ERROR_TEXT - 1, "a text that is too long is cut where its room ends");
	memset(full, 'x', PRN_ERROR_TEXT - 2);
	memcpy(full + PRN_ERROR_TEXT - 2, "\xc3\xa4y", 4);
	prn_error_set(&error, PRN_E_IO, "%s", full);
	ok(strlen(error.text) == PRN_ERROR_TEXT - 2 && error.text[PRN_ERROR_TEXT - 3] == 'x',
	   "a character for which a text that is too long has no room is left out whole");
	memcpy(full + PRN_ERROR_TEXT - 3, "\xc3\xa4yz", 5);
	prn_error_set(&error, PRN_E_IO, "%s", full);
	ok(strlen(error.text) == PRN_ERROR_TEXT - 1, "a character that a text that is too long ends with is whole");
	memset(full, 'x', sizeof full - 1);
	full[sizeof full - 1] = 0;
	prn_error_set(&error, PRN_E_IO, "%s", full);
	prn_error_prefix(&error, "file");
	snprintf(want, sizeof want, "file: %.*s", PRN_ERROR_TEXT - 7, full);
	same(error.text, want, "a prefix pushes the end of a full text out, and stands whole");
	for (unsigned i = 0; i < PRN_ERROR_TEXT / 2; i++)
		memcpy(full + 2 * i, "\xc3\xa4", 3);
	for (int length = 3; length < 5; length++) {
		prn_error_set(&error, PRN_E_IO, "%s", full);
		prn_error_prefix(&error, "%.*s", length, "file");
		ok((strlen(error.text) - (size_t)length) % 2 == 0 && (unsigned char)error.text[strlen(error.text) - 1] == 0xa4,
		   "of the text that a prefix of %d bytes pushes out no part of a character is left", length);
	}
	memset(full, 'x', sizeof full - 1);
	prn_error_prefix(&error, "%s", full);
	ok(strlen(error.text) == PRN_ERROR_TEXT - 1 && !strcmp(error.text + PRN_ERROR_TEXT - 3, ": "),
	   "a prefix that fills all the room leaves nothing of the text");
}

static void without(void)
{
	struct prn_error error;

	ok(prn_error_set(NULL, PRN_E_LIMIT, "nobody hears") == PRN_E_LIMIT, "without an error to fill, the code is returned");
	prn_error_prefix(NULL, "nobody hears");
	ok(prn_error_memory(&error) == PRN_E_MEMORY && error.code == PRN_E_MEMORY, "no memory has its code");
	same(error.text, "out of memory", "no memory has its text");
	for (int code = PRN_E_UNREADABLE; code <= 0; code++)
		ok(strcmp(prn_error_text(code), "unknown error"), "code %d has a text of its own: %s", code, prn_error_text(code));
	same(prn_error_text(PRN_E_UNREADABLE - 1), "unknown error",
	     "a code that there is not has no text of its own");
	same(prn_error_text(1), "unknown error", "what readers return for a thing is no error code");
}

int main(void)
{
	printable();
	lengths();
	without();
	return done();
}
