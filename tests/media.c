/*
 * Media classes and charset parameters of Content-Type values, and what is guessed where there is
 * none.
 */
#include "fragment/media.h"
#include "tap.h"

static void types(void)
{
	static const struct {
		const char *type;
		enum prn_media media;
	} cases[] = {
		{ "text/html", PRN_MEDIA_HTML },
		{ " Text/HTML ; charset=utf-8", PRN_MEDIA_HTML },
		{ "application/xhtml+xml", PRN_MEDIA_HTML },
		{ "text/xml", PRN_MEDIA_XML },
		{ "application/xml;x", PRN_MEDIA_XML },
		{ "application/rss+xml", PRN_MEDIA_XML },
		{ "application/atom+XML", PRN_MEDIA_XML },
		{ "image/svg+xml", PRN_MEDIA_XML },
		{ "application/json", PRN_MEDIA_JSON },
		{ "application/ld+json", PRN_MEDIA_JSON },
		{ "application/feed+json; charset=utf-8", PRN_MEDIA_JSON },
		{ "text/plain", PRN_MEDIA_TEXT },
		{ "text/markdown;charset=UTF-8", PRN_MEDIA_TEXT },
		{ "text/css", PRN_MEDIA_TEXT },
		{ "image/png", PRN_MEDIA_OTHER },
		{ "application/octet-stream", PRN_MEDIA_OTHER },
		{ "texture/html", PRN_MEDIA_OTHER },
		{ "nonsense", PRN_MEDIA_OTHER },
		{ ";", PRN_MEDIA_OTHER },
	};
	static const char *const others[] = { "text/html", "application/xhtml", "" };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ok(prn_media_of(cases[i].type, "<html>", 6) == cases[i].media, "\"%s\" is read as the media type that it is",
		   cases[i].type);
	ok(prn_media_is_xhtml(" Application/XHTML+xml; charset=utf-8"), "XHTML is known by its type, in any case and with a charset");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!prn_media_is_xhtml(others[i]), "\"%s\" is no type of XHTML", others[i]);
	ok(!prn_media_is_xhtml(NULL), "what has no type is not XHTML");
}

static void pages(void)
{
	static const char *const read[] = { "text/html; charset=utf-8", "application/xhtml+xml", "text/plain", "application/rss+xml",
		                            "application/json", "text/markdown", " Text/HTML", "", ";", "unk" };
	static const char *const others[] = { "text/css", "Text/JavaScript; charset=utf-8", "application/x-javascript",
		                              "application/ecmascript", "image/png", "image/svg+xml", "font/woff2", "video/mp4",
		                              "application/pdf", "application/octet-stream" };

	for (size_t i = 0; i < sizeof read / sizeof *read; i++)
		ok(prn_media_is_page(read[i]), "content of type \"%s\" may be a page", read[i]);
	ok(prn_media_is_page(NULL), "content of no type may be a page");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!prn_media_is_page(others[i]), "content of type \"%s\" is no page", others[i]);
}

static void guesses(void)
{
	static const struct {
		const char *bytes;
		size_t length;
		enum prn_media media;
	} cases[] = {
		{ "<!DOCTYPE html><p>", 18, PRN_MEDIA_HTML },
		{ "\xef\xbb\xbf \n<HTML lang=de>", 20, PRN_MEDIA_HTML },
		{ "<?xml version='1.0'?>", 21, PRN_MEDIA_XML },
		{ "\n<rss version=2>", 16, PRN_MEDIA_XML },
		{ "<feed xmlns=x>", 14, PRN_MEDIA_XML },
		{ "plain words, \xc3\xa4", 15, PRN_MEDIA_TEXT },
		{ "not \xff utf-8", 11, PRN_MEDIA_OTHER },
		{ "a nul \0 in it", 13, PRN_MEDIA_OTHER },
		{ "\xff\xfe"
		  "a\0b\0",
		  6, PRN_MEDIA_TEXT },
		{ "<", 1, PRN_MEDIA_TEXT },
		{ "", 0, PRN_MEDIA_TEXT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ok(prn_media_of(NULL, cases[i].bytes, cases[i].length) == cases[i].media,
		   "without a type the kind is told by the bytes of case %zu", i);
		ok(prn_media_of("", cases[i].bytes, cases[i].length) == cases[i].media,
		   "with an empty type the kind is told by the bytes of case %zu", i);
	}
}

static void charsets(void)
{
	static const struct {
		const char *type, *charset;
	} cases[] = {
		{ "text/html; charset=UTF-8", "utf-8" },
		{ "text/html;charset=\"ISO-8859-1\"", "iso-8859-1" },
		{ "text/html; boundary=charset; Charset = 'koi8-r'", "koi8-r" },
		{ "text/html; charset=", NULL },
		{ "text/html; charset", NULL },
		{ "text/html; charsets=x", NULL },
		{ "text/html; charset=utf-8/../../etc", NULL },
		{ "text/html; "
		  "charset=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  NULL },
		{ "text/html", NULL },
		{ NULL, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char name[PRN_CHARSET_NAME];
		int found = prn_media_charset(cases[i].type, name);

		same(found ? name : NULL, cases[i].charset, "charset of \"%s\"",
		     cases[i].type ? cases[i].type : "(null)");
	}
}

static void longest_name(void)
{
	char text[PRN_CHARSET_NAME], name[PRN_CHARSET_NAME];

	memset(text, 'A', sizeof text);
	if (ok(prn_media_label(text, PRN_CHARSET_NAME - 1, name), "a charset's name of %d bytes is taken", PRN_CHARSET_NAME - 1))
		ok(strlen(name) == PRN_CHARSET_NAME - 1 && name[0] == 'a', "a charset's name of %d bytes is taken whole, in lower case",
		   PRN_CHARSET_NAME - 1);
	ok(!prn_media_label(text, PRN_CHARSET_NAME, name), "a charset's name of a byte more is refused");
	ok(!prn_media_label(text, 0, name), "a charset's name of no bytes is refused");
}

int main(void)
{
	types();
	pages();
	guesses();
	charsets();
	longest_name();
	return done();
}
