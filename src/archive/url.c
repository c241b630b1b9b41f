#include "perennial/url.h"

#include "archive/url_globs.h"
#include "archive/url_parse.h"
#include "archive/url_set.h"
#include "base/ascii.h"
#include "base/portable.h"
#include "fragment/utf8.h"
#include "perennial/error.h"

#include <stdint.h>
#include <string.h>

struct part {
	const char *at;
	size_t length;
};

static struct part strip_spaces(struct part text)
{
	while (text.length && (unsigned char)text.at[0] <= ' ')
		text.at++, text.length--;
	while (text.length && (unsigned char)text.at[text.length - 1] <= ' ')
		text.length--;
	return text;
}

static struct part strip(struct part text)
{
	text = strip_spaces(text);
	if (text.length > 1 && text.at[0] == '<' && text.at[text.length - 1] == '>') {
		text.at++, text.length -= 2;
		text = strip_spaces(text);
	}
	return text;
}

/* Returns the length of "http://" or "https://" in front; 0: it is neither. */
static size_t scheme_length(struct part url)
{
	if (url.length > 7 && !prn_ascii_compare_n(url.at, "http://", 7))
		return 7;
	return url.length > 8 && !prn_ascii_compare_n(url.at, "https://", 8) ? 8 : 0;
}

/*
 * Most URLs are in normal form, and can be recognised quickly.  These sets contain the characters that stay as
 * they are everywhere.  A host with other characters than letters, digits, "-", "." and "_", or one that may be
 * a number, is parsed.
 */
#define LETTERS ((uint64_t)0x3ffffff << 33) /* a to z */
#define DIGITS ((uint64_t)0x3ff << '0')

static const struct prn_url_set in_host = { {
	DIGITS | PRN_URL_LOW('-') | PRN_URL_LOW('.'),
	LETTERS | PRN_URL_HIGH('_'),
} };
static const struct prn_url_set in_rest = { {
	DIGITS | PRN_URL_LOW('-') | PRN_URL_LOW('.') | PRN_URL_LOW('!') | PRN_URL_LOW('$') | PRN_URL_LOW('&') |
		PRN_URL_LOW('(') | PRN_URL_LOW(')') | PRN_URL_LOW('*') | PRN_URL_LOW('+') | PRN_URL_LOW(',') | PRN_URL_LOW(';') |
		PRN_URL_LOW('=') | PRN_URL_LOW(':') | PRN_URL_LOW('/') | PRN_URL_LOW('?'),
	LETTERS | LETTERS >> 32 | PRN_URL_HIGH('@') | PRN_URL_HIGH('_') | PRN_URL_HIGH('~'),
} };

/* Returns the length of a host that is clearly its own serialisation; 0: it may not be. */
static size_t plain_host(struct part text)
{
	size_t n = 0, label = 0;

	for (; n < text.length && prn_url_in(&in_host, text.at[n]); n++)
		if (text.at[n] == '.')
			label = n + 1;
	return label < n && prn_url_in(&(struct prn_url_set){ { 0, LETTERS } }, text.at[label]) ? n : 0;
}

static bool is_normal_escape(const char *text, size_t length)
{
	int byte = prn_url_unescape(text, length);

	return byte >= 0 && text[1] < 'a' && text[2] < 'a' && !prn_url_is_unreserved(byte);
}

static bool is_plainly_normal(struct part url)
{
	size_t scheme = scheme_length(url), host, i;

	if (!scheme || strncmp(url.at, scheme == 8 ? "https://" : "http://", scheme))
		return false;
	url.at += scheme, url.length -= scheme;
	host = plain_host(url);
	if (!host || host == url.length || url.at[host] != '/')
		return false;
	for (i = host; i < url.length; i++) {
		if (url.at[i] == '%' && is_normal_escape(url.at + i, url.length - i))
			i += 2;
		else if (!prn_url_in(&in_rest, url.at[i]) || (url.at[i] == '.' && url.at[i - 1] == '/'))
			return false;
	}
	return url.at[url.length - 1] != '?';
}

static int copy_out(const char *text, size_t length, char *out, size_t capacity)
{
	if (length >= capacity || length > PRN_URL_BYTES)
		return PRN_E_LIMIT;
	memmove(out, text, length);
	out[length] = 0;
	return 0;
}

static int parse(struct part url, const char *base, bool normal, char *out, size_t capacity)
{
	char written[PRN_URL_BYTES + 1];
	int code = prn_url_parse(url.at, url.length, base, normal, written);

	return code ? code : copy_out(written, strlen(written), out, capacity);
}

int prn_url_normalize(const char *url, size_t length, char *out, size_t capacity)
{
	struct part text = strip((struct part){ url, length == SIZE_MAX ? strlen(url) : length });

	if (is_plainly_normal(text))
		return copy_out(text.at, text.length, out, capacity);
	return parse(text, NULL, true, out, capacity);
}

int prn_url_serialize(const char *url, size_t length, char *out, size_t capacity)
{
	return parse((struct part){ url, length == SIZE_MAX ? strlen(url) : length }, NULL, false, out, capacity);
}

int prn_url_resolve(const char *base, const char *reference, char *out, size_t capacity)
{
	char from[PRN_URL_BYTES + 1];
	int code = prn_url_normalize(base, SIZE_MAX, from, sizeof from);

	return code ? code : parse((struct part){ reference, strlen(reference) }, from, true, out, capacity);
}

static size_t authority_length(struct part text)
{
	size_t length = 0;

	while (length < text.length && !strchr("/?#", text.at[length]))
		length++;
	return length;
}

/*
 * Tells whether every fetcher reads the authority as the standard does: some encode names in other scripts by
 * older rules.
 */
static bool is_plain_authority(struct part text)
{
	size_t users = 0, end = authority_length(text), length;

	for (length = 0; length < end; length++) {
		if (text.at[length] == '@')
			users++;
		if ((text.at[length] == '%' && !memchr(text.at + length, '@', text.length - length)) ||
		    (unsigned char)text.at[length] >= 128)
			return false;
	}
	return length && users < 2;
}

static bool is_plain_spelling(struct part url)
{
	size_t scheme = scheme_length(url);

	if (!scheme || url.length > PRN_URL_BYTES)
		return false;
	for (size_t i = 0; i < url.length; i++)
		if ((unsigned char)url.at[i] <= ' ' || url.at[i] == 127 || url.at[i] == '\\')
			return false;
	/* JSON could not contain it: a reader would request another page. */
	return prn_utf8_is_valid(url.at, url.length) && is_plain_authority((struct part){ url.at + scheme, url.length - scheme });
}

static struct part host_of(struct part url)
{
	size_t scheme = scheme_length(url);
	struct part host = { url.at + scheme, authority_length((struct part){ url.at + scheme, url.length - scheme }) };
	const char *user = prn_last_byte(host.at, '@', host.length);

	if (user) {
		host.length -= (size_t)(user + 1 - host.at);
		host.at = user + 1;
	}
	return host;
}

static bool is_glob(char letter)
{
	static const struct prn_url_set globs = { {
		0,
		PRN_URL_HIGH('{') | PRN_URL_HIGH('}') | PRN_URL_HIGH('[') | PRN_URL_HIGH(']'),
	} };

	return prn_url_in(&globs, letter);
}

/*
 * curl expands "{1,2}" and "[1-1000]" to many URLs, unless it is run with --globoff, wherever they stand; a host that begins with "["
 * is an address.
 */
static bool has_globs(struct part url)
{
	struct part host = host_of(url);
	const char *address = host.length && *host.at == '[' ? memchr(host.at, ']', host.length) : NULL;

	for (const char *at = url.at; at < url.at + url.length; at++)
		if (address && at == host.at)
			at = address;
		else if (is_glob(*at))
			return true;
	return false;
}

/* The standard leaves braces in a host as they are, also in a normal form; an escape there is the same host to it. */
static int copy_out_without_globs(struct part url, char *out, size_t capacity)
{
	struct part host = host_of(url);
	char escaped[3 * PRN_URL_BYTES + 1];
	size_t length = 0;

	for (const char *at = url.at; at < url.at + url.length; at++) {
		bool of_host = at >= host.at && at < host.at + host.length;

		if (of_host && (*at == '{' || *at == '}')) {
			memcpy(escaped + length, *at == '{' ? "%7B" : "%7D", 3);
			length += 3;
		} else {
			escaped[length++] = *at;
		}
	}
	return copy_out(escaped, length, out, capacity);
}

/* Arguments as of prn_url_spell. */
static int respell(struct part spelled, char *out, size_t capacity)
{
	char written[PRN_URL_BYTES + 1];
	int code = parse(spelled, NULL, false, written, sizeof written);

	/* A normal form may be the shorter one, without unnecessary escapes. */
	if (code == PRN_E_LIMIT || (!code && (strlen(written) >= capacity || has_globs((struct part){ written, strlen(written) }))))
		code = parse(spelled, NULL, true, written, sizeof written);
	return code ? code : copy_out_without_globs((struct part){ written, strlen(written) }, out, capacity);
}

bool prn_url_has_globs(const char *url)
{
	/* Hardly any URL has one: it is asked of each page that is read. */
	return strpbrk(url, "{}[]") && has_globs((struct part){ url, strlen(url) });
}

int prn_url_spell(const char *url, char *out, size_t capacity)
{
	struct part spelled = strip((struct part){ url, strlen(url) });

	if (!has_globs(spelled) && is_plain_spelling(spelled))
		return copy_out(spelled.at, spelled.length, out, capacity);
	return respell(spelled, out, capacity);
}

struct prn_digest prn_url_key(const char *normal)
{
	return prn_digest_bytes(normal, strlen(normal));
}
