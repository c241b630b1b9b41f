/* Text for people: what a terminal would act on is shown as an escape. */
#include "base/visible.h"
#include "tap.h"

#include <stdlib.h>

static const char *shown(const char *text)
{
	static char out[400];

	prn_visible_copy(out, sizeof out, text);
	return out;
}

static void controls(void)
{
	same(shown("http://a.example/\xc3\xa4?q=\xe4\xb8\xad \xf0\x9f\x8c\xb1 \\x1b"), "http://a.example/\xc3\xa4?q=\xe4\xb8\xad \xf0\x9f\x8c\xb1 \\x1b",
	     "letters of any script, and backslashes, stay as they are");
	same(shown("a\x1b[31mb\n\x7f"), "a\\x1b[31mb\\x0a\\x7f", "control characters of ASCII are shown as bytes");
	same(shown("\xc2\x80\xc2\x85\xc2\x9b\xc2\x9f\xc2\xa0"), "\\u0080\\u0085\\u009b\\u009f\xc2\xa0",
	     "control characters beside those of ASCII, which terminals act on, are shown as characters");
	same(shown("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9"),
	     "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069", "what turns the direction of text around is shown");
	same(shown("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"), "\\u2028\\u2029\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
	     "the ends of lines and paragraphs are shown, and their neighbours stay");
	same(shown(shown("\x9b \xe2\x80\xae \x1b")), "\\x9b \\u202e \\x1b", "what was shown once is shown the same");
}

static void broken(void)
{
	same(shown("\x9b\x85"), "\\x9b\\x85", "single bytes that terminals act on are shown");
	same(shown("a\xc3"), "a\\xc3", "a character that is cut off is shown by its bytes");
	same(shown("\xc3(\xe2\x80(\xf0\x9f\x8c("), "\\xc3(\\xe2\\x80(\\xf0\\x9f\\x8c(", "a character that is cut off does not take what follows it");
	same(shown("\xc1\x9b\xe0\x82\x9b\xf0\x80\x82\x9b"), "\\xc1\\x9b\\xe0\\x82\\x9b\\xf0\\x80\\x82\\x9b",
	     "a control character in more bytes than it needs is shown by these");
	same(shown("\xed\xa0\x80\xf4\x90\x80\x80\xf8\x88\x80\x80\x80\xff"), "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xf8\\x88\\x80\\x80\\x80\\xff",
	     "what is no character of Unicode is shown by its bytes");
}

static void room(void)
{
	char out[8], *copy;

	ok(prn_visible_copy(out, sizeof out, "abc\x1b""d") == 7, "what fits is written whole");
	same(out, "abc\\x1b", "what does not fit is left out");
	ok(prn_visible_copy(out, sizeof out, "abcd\x1b") == 4, "an escape that does not fit is not cut in two");
	same(out, "abcd", "nothing of an escape that does not fit is written");
	ok(prn_visible_copy(out, sizeof out, "abcdef\xc3\xa4") == 6, "a character that does not fit is not cut in two");
	ok(prn_visible_copy(out, 1, "abc") == 0 && !*out, "in room for nothing there is the end of the text");
	copy = prn_visible_dup("\xe2\x80\xae\x1b""a");
	same(copy, "\\u202e\\x1ba", "a copy in memory of its own is whole");
	free(copy);
}

static void url_same(const char *url, const char *want, const char *title)
{
	char *copy = prn_visible_url_dup(url);

	same(copy, want, "%s", title);
	free(copy);
}

static void urls(void)
{
	url_same("http://a.example/\xc3\xa4?q=%41#\\", "http://a.example/\xc3\xa4?q=%41#\\", "a URL of letters of any script stays as it is");
	url_same("http://a.example/\xe2\x80\xae" "b\xc2\x9b", "http://a.example/%E2%80%AEb%C2%9B",
	         "what turns the direction of text around, or begins a command, is percent-encoded in a URL");
	url_same("a\x1b\xff", "a%1B%FF", "bytes that are not UTF-8, and control characters, are percent-encoded in a URL");
	url_same("", "", "of an empty URL nothing is left to encode");
}

int main(void)
{
	controls();
	broken();
	room();
	urls();
	return done();
}
