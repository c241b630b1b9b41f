/*
 * The parts of a URL have the same order in its serialisation, so each is written as soon as it is read; ".."
 * in the path removes what was written of it.
 */
#include "archive/url_parse.h"

#include "archive/url_host.h"
#include "archive/url_part.h"
#include "archive/url_set.h"
#include "base/ascii.h"
#include "base/portable.h"
#include "perennial/error.h"

#include <stdio.h>
#include <string.h>

struct writer {
	char *out; /* [PRN_URL_BYTES + 1] */
	size_t length, path; /* path: where it begins */
	bool normal, full;
};

/*
 * The characters to percent-encode: those of the standard, and in a normal form also those that RFC 3986 does
 * not allow there.
 */
struct encoded {
	struct prn_url_set standard, normal;
};

#define QUERY_LOW \
	(PRN_URL_CONTROLS | PRN_URL_LOW(' ') | PRN_URL_LOW('"') | PRN_URL_LOW('#') | PRN_URL_LOW('<') | PRN_URL_LOW('>'))
#define PATH_LOW (QUERY_LOW | PRN_URL_LOW('?'))
#define PATH_HIGH (PRN_URL_HIGH('^') | PRN_URL_HIGH('`') | PRN_URL_HIGH('{') | PRN_URL_HIGH('}') | PRN_URL_HIGH(127))
#define MORE_HIGH (PATH_HIGH | PRN_URL_HIGH('[') | PRN_URL_HIGH('\\') | PRN_URL_HIGH(']') | PRN_URL_HIGH('|'))
#define USER_LOW (PATH_LOW | PRN_URL_LOW('/') | PRN_URL_LOW(':') | PRN_URL_LOW(';') | PRN_URL_LOW('='))

static const struct encoded in_path = { { { PATH_LOW, PATH_HIGH } }, { { PATH_LOW, MORE_HIGH } } };
static const struct encoded in_query = { { { QUERY_LOW | PRN_URL_LOW('\''), PRN_URL_HIGH(127) } },
	                                 { { QUERY_LOW | PRN_URL_LOW('\''), MORE_HIGH } } };
static const struct encoded in_user = { { { USER_LOW, MORE_HIGH | PRN_URL_HIGH('@') } },
	                                { { USER_LOW, MORE_HIGH | PRN_URL_HIGH('@') } } };

static void put(struct writer *writer, const char *bytes, size_t length)
{
	writer->full |= length > PRN_URL_BYTES - writer->length;
	if (writer->full)
		return;
	memcpy(writer->out + writer->length, bytes, length);
	writer->length += length;
}

static void put_text(struct writer *writer, const char *text)
{
	put(writer, text, strlen(text));
}

static void put_escape(struct writer *writer, int byte)
{
	static const char digits[] = "0123456789ABCDEF";

	put(writer, (char[]){ '%', digits[byte >> 4], digits[byte & 15] }, 3);
}

/* Handles a "%" of a normal form; returns how many bytes were read. */
static size_t put_normal_escape(struct writer *writer, const char *text, size_t length)
{
	int byte = prn_url_unescape(text, length);

	if (prn_url_is_unreserved(byte))
		put(writer, (char[]){ (char)byte }, 1);
	else
		put_escape(writer, byte < 0 ? '%' : byte);
	return byte < 0 ? 1 : 3;
}

static void put_encoded(struct writer *writer, struct prn_url_part part, const struct encoded *encoded)
{
	const struct prn_url_set *set = writer->normal ? &encoded->normal : &encoded->standard;

	for (size_t i = 0; i < part.length;) {
		unsigned char byte = (unsigned char)part.at[i];

		if (byte == '%' && writer->normal) {
			i += put_normal_escape(writer, part.at + i, part.length - i);
			continue;
		}
		if (byte >= 128 || prn_url_in(set, (char)byte))
			put_escape(writer, byte);
		else
			put(writer, part.at + i, 1);
		i++;
	}
}

static bool is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* Returns the length up to the first slash or question mark. */
static size_t segment_length(struct prn_url_part text)
{
	size_t n = 0;

	while (n < text.length && !is_slash(text.at[n]) && text.at[n] != '?')
		n++;
	return n;
}

/* Returns the number of dots that a segment consists of, "%2e" being one; 0 if it contains anything else. */
static int dots_of(struct prn_url_part segment)
{
	int dots = 0;

	while (segment.length) {
		if (segment.at[0] == '.')
			prn_url_take(&segment, 1);
		else if (prn_url_unescape(segment.at, segment.length) == '.')
			prn_url_take(&segment, 3);
		else
			return 0;
		dots++;
	}
	return dots;
}

static void drop_segment(struct writer *writer)
{
	while (writer->length > writer->path && writer->out[--writer->length] != '/')
		;
}

/* Writes the path from behind its first slash on. */
static void put_path(struct writer *writer, struct prn_url_part *text)
{
	for (;;) {
		struct prn_url_part segment = prn_url_take(text, segment_length(*text));
		bool last = !text->length || text->at[0] == '?';
		int dots = dots_of(segment);

		if (dots == 2)
			drop_segment(writer);
		if (dots == 1 || dots == 2)
			segment.length = 0;
		if (last || (dots != 1 && dots != 2)) {
			put_text(writer, "/");
			put_encoded(writer, segment, &in_path);
		}
		if (last)
			return;
		prn_url_take(text, 1);
	}
}

static void put_user(struct writer *writer, struct prn_url_part user)
{
	const char *colon = memchr(user.at, ':', user.length);
	struct prn_url_part name = prn_url_take(&user, colon ? (size_t)(colon - user.at) : user.length);

	if (user.length)
		prn_url_take(&user, 1);
	put_encoded(writer, name, &in_user);
	if (user.length)
		put_text(writer, ":");
	put_encoded(writer, user, &in_user);
	if (name.length || user.length)
		put_text(writer, "@");
}

static int put_host(struct writer *writer, struct prn_url_part host)
{
	int code;

	if (!host.length)
		return PRN_E_INPUT;
	code = prn_url_host_read(host.at, host.length, writer->out + writer->length, PRN_URL_BYTES + 1 - writer->length);
	if (!code)
		writer->length += strlen(writer->out + writer->length);
	return code;
}

/* "", ":", ":0080" and ":65535" are ports. */
static int put_port(struct writer *writer, struct prn_url_part text, unsigned without)
{
	char digits[5];
	size_t count = 0;
	unsigned number = 0;

	if (text.length < 2)
		return 0;
	for (size_t i = 1; i < text.length; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return PRN_E_INPUT;
		number = number * 10 + (unsigned)(text.at[i] - '0');
		if (number > 65535)
			return PRN_E_INPUT;
	}
	if (number == without)
		return 0;
	do
		digits[sizeof digits - ++count] = (char)('0' + number % 10);
	while (number /= 10);
	put_text(writer, ":");
	put(writer, digits + sizeof digits - count, count);
	return 0;
}

/* Returns the length up to the colon of a port; a colon in brackets does not count. */
static size_t host_length(struct prn_url_part text)
{
	bool inside = false;
	size_t n = 0;

	for (; n < text.length && (inside || text.at[n] != ':'); n++)
		inside = text.at[n] == '[' || (inside && text.at[n] != ']');
	return n;
}

/* Writes the authority and the path, from behind the slashes on. */
static int put_authority(struct writer *writer, struct prn_url_part *text, bool secure)
{
	struct prn_url_part authority = prn_url_take(text, segment_length(*text));
	const char *at = prn_last_byte(authority.at, '@', authority.length);
	int code;

	put_text(writer, secure ? "https://" : "http://");
	if (at) {
		put_user(writer, prn_url_take(&authority, (size_t)(at - authority.at)));
		prn_url_take(&authority, 1);
	}
	/* A host is written into the remaining room, in which its escapes take less than they do here. */
	if (writer->full || authority.length > PRN_URL_BYTES - writer->length)
		return PRN_E_LIMIT;
	code = put_host(writer, prn_url_take(&authority, host_length(authority)));
	if (!code)
		code = put_port(writer, authority, secure ? 443 : 80);
	if (code)
		return code;
	writer->path = writer->length;
	if (text->length && is_slash(text->at[0]))
		prn_url_take(text, 1);
	put_path(writer, text);
	return 0;
}

static size_t slashes(struct prn_url_part text)
{
	size_t n = 0;

	while (n < text.length && is_slash(text.at[n]))
		n++;
	return n;
}

/* Returns where a serialisation's path begins. */
static size_t path_at(const char *base)
{
	const char *host = strstr(base, "://");

	return host ? (size_t)(host - base) + 3 + strcspn(host + 3, "/") : strlen(base);
}

/* Resolves a reference without a scheme, or with that of base. */
static int put_relative(struct writer *writer, struct prn_url_part *text, const char *base)
{
	size_t path = path_at(base), query = path + strcspn(base + path, "?");
	size_t leading = slashes(*text);

	if (leading > 1) {
		prn_url_take(text, leading);
		return put_authority(writer, text, !strncmp(base, "https:", 6));
	}
	writer->path = path;
	if (leading) {
		put(writer, base, path);
		prn_url_take(text, 1);
		put_path(writer, text);
	} else if (!text->length) {
		put_text(writer, base);
	} else {
		put(writer, base, query);
		if (text->at[0] == '?')
			return 0;
		drop_segment(writer);
		put_path(writer, text);
	}
	return 0;
}

/* Finds the scheme: *length is that of "name:" in front, 0 if there is none. */
static bool has_web_scheme(struct prn_url_part text, bool *secure, size_t *length)
{
	static const struct prn_url_set letters = { { 0, (uint64_t)0x3ffffff << 1 | (uint64_t)0x3ffffff << 33 } };
	static const struct prn_url_set others = { {
		(uint64_t)0x3ff << '0' | PRN_URL_LOW('+') | PRN_URL_LOW('-') | PRN_URL_LOW('.'),
		0,
	} };
	size_t n = 0;

	while (n < text.length && (prn_url_in(&letters, text.at[n]) || (n && prn_url_in(&others, text.at[n]))))
		n++;
	*length = n && n < text.length && text.at[n] == ':' ? n + 1 : 0;
	*secure = n == 5;
	return (n == 4 && !prn_ascii_compare_n(text.at, "http", n)) || (n == 5 && !prn_ascii_compare_n(text.at, "https", n));
}

bool prn_url_has_scheme(const char *text)
{
	bool secure;
	size_t scheme;

	has_web_scheme((struct prn_url_part){ text, strlen(text) }, &secure, &scheme);
	return scheme;
}

bool prn_url_has_other_scheme(const char *text)
{
	bool secure;
	size_t scheme;

	return !has_web_scheme((struct prn_url_part){ text, strlen(text) }, &secure, &scheme) && scheme;
}

static int put_url(struct writer *writer, struct prn_url_part text, const char *base)
{
	bool secure, web;
	size_t scheme;
	int code;

	web = has_web_scheme(text, &secure, &scheme);
	if ((scheme && !web) || (!scheme && !base))
		return PRN_E_INPUT;
	if (!scheme || (base && !prn_ascii_compare_n(base, text.at, scheme))) {
		prn_url_take(&text, scheme);
		code = put_relative(writer, &text, base);
	} else {
		prn_url_take(&text, scheme);
		prn_url_take(&text, slashes(text));
		code = put_authority(writer, &text, secure);
	}
	if (code)
		return code;
	/* A normal URL has no empty query. */
	if (text.length && !(writer->normal && text.length == 1)) {
		prn_url_take(&text, 1);
		put_text(writer, "?");
		put_encoded(writer, text, &in_query);
	}
	return writer->full ? PRN_E_LIMIT : 0;
}

/* "C0 control or space" */
static bool is_around(char c)
{
	return (unsigned char)c <= ' ';
}

static bool is_dropped(char c)
{
	return c == '\t' || c == '\n' || c == '\r';
}

/* Removes surrounding white space, and the fragment. */
static struct prn_url_part strip(struct prn_url_part text)
{
	const char *fragment;

	while (text.length && is_around(text.at[0]))
		prn_url_take(&text, 1);
	while (text.length && is_around(text.at[text.length - 1]))
		text.length--;
	fragment = memchr(text.at, '#', text.length);
	if (fragment)
		text.length = (size_t)(fragment - text.at);
	return text;
}

/* Removes tabs and line ends; the text is in clean if it had any. */
static struct prn_url_part drop_lines(struct prn_url_part text, char clean[PRN_URL_BYTES])
{
	size_t kept = 0;

	while (kept < text.length && !is_dropped(text.at[kept]))
		kept++;
	if (kept == text.length)
		return text;
	memcpy(clean, text.at, kept);
	for (size_t i = kept; i < text.length; i++)
		if (!is_dropped(text.at[i]))
			clean[kept++] = text.at[i];
	return (struct prn_url_part){ clean, kept };
}

int prn_url_parse(const char *text, size_t length, const char *base, bool normal, char out[PRN_URL_BYTES + 1])
{
	struct prn_url_part url = strip((struct prn_url_part){ text, length });
	struct writer writer = { .out = out, .normal = normal };
	char clean[PRN_URL_BYTES];
	int code;

	if (url.length > PRN_URL_BYTES)
		return PRN_E_LIMIT;
	code = put_url(&writer, drop_lines(url, clean), base);
	if (!code)
		out[writer.length] = 0;
	return code;
}

bool prn_url_lacks_scheme(const char *text)
{
	char url[PRN_URL_BYTES + 1], out[PRN_URL_BYTES + 1];
	size_t host = strcspn(text, "/:?#@");

	if (text[host] == '@' || !memchr(text, '.', host) || text[0] == '.' || text[strcspn(text, " \t\r\n")] ||
	    (text[host] == ':' && (text[host + 1] < '0' || text[host + 1] > '9')))
		return false;
	return snprintf(url, sizeof url, "http://%s", text) < (int)sizeof url &&
	       !prn_url_parse(url, strlen(url), NULL, true, out);
}
