#include "fragment/media.h"
#include "fragment/utf8.h"

#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

int prn_media_is(const char *text, size_t length, const char *word)
{
	for (size_t i = 0; i < length; i++)
		if (!word[i] || lower(text[i]) != word[i])
			return 0;
	return !word[length];
}

static int ends_in(const char *text, size_t length, const char *end)
{
	size_t tail = strlen(end);

	return length >= tail && prn_media_is(text + length - tail, tail, end);
}

static int starts_with(const char *text, size_t length, const char *start)
{
	size_t head = strlen(start);

	return length >= head && prn_media_is(text, head, start);
}

/* Binary data often looks like text at its start, so a type is never derived from a prefix alone. */
static const struct {
	const char *type;
	enum prn_media media;
} types[] = {
	{ "text/html", PRN_MEDIA_HTML },
	{ "application/xhtml+xml", PRN_MEDIA_HTML },
	{ "application/json", PRN_MEDIA_JSON },
	{ "text/json", PRN_MEDIA_JSON },
	{ "application/x-ndjson", PRN_MEDIA_TEXT },
	{ "application/javascript", PRN_MEDIA_TEXT },
	{ "application/x-javascript", PRN_MEDIA_TEXT },
	{ "application/ecmascript", PRN_MEDIA_TEXT },
};

static enum prn_media media_of_type(const char *type, size_t length)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (prn_media_is(type, length, types[i].type))
			return types[i].media;
	if (ends_in(type, length, "+json"))
		return PRN_MEDIA_JSON;
	if (ends_in(type, length, "/xml") || ends_in(type, length, "+xml"))
		return PRN_MEDIA_XML;
	return starts_with(type, length, "text/") ? PRN_MEDIA_TEXT : PRN_MEDIA_OTHER;
}

static int is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum prn_media sniff(const char *bytes, size_t length)
{
	static const char *const html[] = { "<!doctype html", "<html",   "<head", "<body",
		                            "<title",         "<script", "<div" };
	static const char *const xml[] = { "<?xml", "<rss",    "<feed",        "<rdf:rdf",
		                           "<opml", "<urlset", "<sitemapindex" };
	size_t at = starts_with(bytes, length, "\xef\xbb\xbf") ? 3 : 0;

	while (at < length && is_space(bytes[at]))
		at++;
	for (size_t i = 0; i < sizeof html / sizeof *html; i++)
		if (starts_with(bytes + at, length - at, html[i]))
			return PRN_MEDIA_HTML;
	for (size_t i = 0; i < sizeof xml / sizeof *xml; i++)
		if (starts_with(bytes + at, length - at, xml[i]))
			return PRN_MEDIA_XML;
	if (length >= 2 && (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2))) /* UTF-16 */
		return PRN_MEDIA_TEXT;
	return !memchr(bytes, 0, length) && prn_utf8_is_valid(bytes, length) ? PRN_MEDIA_TEXT
	                                                                     : PRN_MEDIA_OTHER;
}

/* Returns the type without its parameters and writes its length to *length; NULL if there is none. */
static const char *type_of(const char *content_type, size_t *length)
{
	if (!content_type)
		return NULL;
	while (is_space(*content_type))
		content_type++;
	*length = strcspn(content_type, "; \t\r\n,");
	return *content_type ? content_type : NULL;
}

enum prn_media prn_media_of(const char *content_type, const void *bytes, size_t length)
{
	size_t type_length;
	const char *type = type_of(content_type, &type_length);

	if (!type)
		return length ? sniff(bytes, length) : PRN_MEDIA_TEXT;
	return media_of_type(type, type_length);
}

bool prn_media_is_page(const char *content_type)
{
	static const char *const parts[] = { "image/", "audio/", "video/", "font/", "model/" };
	size_t length;
	const char *type = type_of(content_type, &length);

	/* Indexes and old archives write "unk", "no-type" and the like. */
	if (!type || !memchr(type, '/', length))
		return true;
	if (prn_media_is(type, length, "text/css") || ends_in(type, length, "javascript") || ends_in(type, length, "ecmascript"))
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (starts_with(type, length, parts[i]))
			return false;
	return media_of_type(type, length) != PRN_MEDIA_OTHER;
}

bool prn_media_is_xhtml(const char *content_type)
{
	size_t length;
	const char *type = type_of(content_type, &length);

	return type && prn_media_is(type, length, "application/xhtml+xml");
}

/* Returns the value of the parameter "charset" that starts at text, without quotes; NULL if it is another parameter. */
static const char *charset_value(const char *text, size_t *length)
{
	if (!starts_with(text, strnlen(text, 7), "charset"))
		return NULL;
	text += 7;
	while (is_space(*text))
		text++;
	if (*text != '=')
		return NULL;
	text++;
	while (is_space(*text))
		text++;
	if (*text == '"' || *text == '\'') {
		*length = strcspn(text + 1, *text == '"' ? "\"" : "'");
		return text + 1;
	}
	*length = strcspn(text, "; \t\r\n,");
	return text;
}

int prn_media_label(const char *text, size_t length, char name[PRN_CHARSET_NAME])
{
	if (!length || length >= PRN_CHARSET_NAME)
		return 0;
	for (size_t i = 0; i < length; i++) {
		char c = lower(text[i]);

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
		    (!c || !strchr("-_:.()", c)))
			return 0;
	}
	for (size_t i = 0; i < length; i++)
		name[i] = lower(text[i]);
	name[length] = 0;
	return 1;
}

int prn_media_charset(const char *content_type, char name[PRN_CHARSET_NAME])
{
	while (content_type && (content_type = strchr(content_type, ';')) != NULL) {
		size_t length;
		const char *value;

		content_type++;
		while (is_space(*content_type))
			content_type++;
		value = charset_value(content_type, &length);
		if (value)
			return prn_media_label(value, length, name);
	}
	return 0;
}
