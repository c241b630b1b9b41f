#include "perennial/url.h"
#include "perennial/error.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* The parts of an http or https URL; each points into the text that was taken apart. */
struct part {
	const char *at;
	size_t length;
};

struct parts {
	bool secure;
	struct part user; /* with its "@", or empty */
	struct part host; /* IPv6 with its brackets */
	struct part port; /* digits without leading zeros, empty if it is the default */
	struct part rest; /* path and query, no fragment */
};

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static struct part strip_spaces(struct part text)
{
	while (text.length && is_space(text.at[0]))
		text.at++, text.length--;
	while (text.length && is_space(text.at[text.length - 1]))
		text.length--;
	return text;
}

/* wget writes <http://…> in its WARC headers. */
static struct part strip(struct part text)
{
	text = strip_spaces(text);
	if (text.length > 1 && text.at[0] == '<' && text.at[text.length - 1] == '>') {
		text.at++, text.length -= 2;
		text = strip_spaces(text);
	}
	return text;
}

static bool is_clean(struct part text)
{
	for (size_t i = 0; i < text.length; i++)
		if ((unsigned char)text.at[i] <= ' ' || text.at[i] == 0x7f)
			return false;
	return true;
}

/* Takes length bytes off the front of *text. */
static struct part take(struct part *text, size_t length)
{
	struct part front = { text->at, length };

	text->at += length, text->length -= length;
	return front;
}

static bool take_scheme(struct part *text, bool *secure)
{
	if (text->length >= 8 && !strncasecmp(text->at, "https://", 8))
		*secure = true, take(text, 8);
	else if (text->length >= 7 && !strncasecmp(text->at, "http://", 7))
		*secure = false, take(text, 7);
	else
		return false;
	return true;
}

/* The length up to the first of one or two stops. */
static size_t length_until(struct part text, char stop, char other)
{
	size_t n = 0;

	while (n < text.length && text.at[n] != stop && text.at[n] != other)
		n++;
	return n;
}

/* "", ":", ":0080" and ":65535" are ports. */
static bool read_port(struct part text, bool secure, struct part *port)
{
	unsigned number = 0;

	*port = (struct part){ text.at, 0 };
	if (!text.length)
		return true;
	if (text.at[0] != ':')
		return false;
	take(&text, 1);
	while (text.length > 1 && text.at[0] == '0')
		take(&text, 1);
	if (text.length > 5)
		return false;
	for (size_t i = 0; i < text.length; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return false;
		number = number * 10 + (unsigned)(text.at[i] - '0');
	}
	if (number > 65535)
		return false;
	if (number != (secure ? 443u : 80u))
		*port = text;
	return true;
}

static bool read_authority(struct part text, struct parts *parts)
{
	const char *at = memrchr(text.at, '@', text.length);
	size_t length;

	parts->user = take(&text, at ? (size_t)(at - text.at) + 1 : 0);
	length = length_until(text, ':', ':');
	if (text.length && text.at[0] == '[') {
		length = length_until(text, ']', ']');
		if (length++ == text.length)
			return false;
	}
	parts->host = take(&text, length);
	if (!length || (length == 1 && parts->host.at[0] == '.'))
		return false;
	return read_port(text, parts->secure, &parts->port);
}

static bool take_apart(struct part text, struct parts *parts)
{
	struct part authority;

	if (!is_clean(text) || !take_scheme(&text, &parts->secure))
		return false;
	text.length = length_until(text, '#', '#');
	authority = take(&text, length_until(text, '/', '?'));
	parts->rest = text;
	return read_authority(authority, parts);
}

/* Text written to a place of fixed size; what does not fit is only counted. */
struct writer {
	char *out;
	size_t capacity, length;
};

static void put(struct writer *writer, const char *bytes, size_t length, bool lowered)
{
	for (size_t i = 0; i < length; i++, writer->length++)
		if (writer->length < writer->capacity)
			writer->out[writer->length] = lowered ? lower(bytes[i]) : bytes[i];
}

static void put_text(struct writer *writer, const char *text)
{
	put(writer, text, strlen(text), false);
}

static void put_part(struct writer *writer, struct part part)
{
	put(writer, part.at, part.length, false);
}

static void put_normal(struct writer *writer, const struct parts *parts)
{
	put_text(writer, parts->secure ? "https://" : "http://");
	put_part(writer, parts->user);
	put(writer, parts->host.at, parts->host.length, true);
	if (parts->port.length)
		put_text(writer, ":");
	put_part(writer, parts->port);
	if (!parts->rest.length || parts->rest.at[0] != '/')
		put_text(writer, "/");
	put_part(writer, parts->rest);
}

const char *prn_url_strip(const char *url, size_t *length)
{
	struct part inner = strip((struct part){ url, strlen(url) });

	*length = inner.length;
	return inner.at;
}

int prn_url_normalize(const char *url, size_t length, char *out, size_t capacity)
{
	struct writer measure = { 0 }, writer = { out, capacity, 0 };
	struct parts parts;

	if (length == SIZE_MAX)
		length = strlen(url);
	if (!take_apart(strip((struct part){ url, length }), &parts))
		return PRN_E_INPUT;
	put_normal(&measure, &parts);
	if (measure.length > PRN_URL_BYTES || measure.length >= capacity)
		return PRN_E_LIMIT;
	put_normal(&writer, &parts);
	out[writer.length] = 0;
	return 0;
}

struct prn_digest prn_url_key(const char *normal)
{
	return prn_digest_bytes(normal, strlen(normal));
}

/* "a.example." is a.example written as DNS does: the same host to whoever asks for a host. */
static struct part without_dot(struct part host)
{
	if (host.length > 1 && host.at[host.length - 1] == '.')
		host.length--;
	return host;
}

const char *prn_url_host(const char *normal, size_t *length)
{
	struct parts parts;
	struct part host = { normal, 0 };

	if (take_apart((struct part){ normal, strlen(normal) }, &parts))
		host = without_dot(parts.host);
	*length = host.length;
	return host.at;
}

/* Addresses are not turned round: their most significant part already stands in front. */
static bool is_address(struct part host)
{
	if (host.at[0] == '[')
		return true;
	for (size_t i = 0; i < host.length; i++)
		if (host.at[i] != '.' && (host.at[i] < '0' || host.at[i] > '9'))
			return false;
	return true;
}

static void put_labels(struct writer *writer, struct part host)
{
	if (is_address(host)) {
		put_part(writer, host);
		return;
	}
	while (host.length) {
		const char *dot = memrchr(host.at, '.', host.length);
		size_t keep = dot ? (size_t)(dot - host.at) : 0;

		put_part(writer, (struct part){ host.at + keep + !!dot, host.length - keep - !!dot });
		put_text(writer, ",");
		host.length = keep;
	}
}

static void put_surt(struct writer *writer, const struct parts *parts)
{
	put_text(writer, parts->secure ? "https://(" : "http://(");
	put_labels(writer, without_dot(parts->host));
	if (parts->port.length)
		put_text(writer, ":");
	put_part(writer, parts->port);
	if (parts->user.length) {
		put_text(writer, "@");
		put(writer, parts->user.at, parts->user.length - 1, false);
	}
	put_text(writer, ")");
	put_part(writer, parts->rest);
}

int prn_url_surt(const char *normal, char *out, size_t capacity)
{
	struct writer measure = { 0 }, writer = { out, capacity, 0 };
	struct parts parts;

	if (!take_apart((struct part){ normal, strlen(normal) }, &parts))
		return PRN_E_INPUT;
	put_surt(&measure, &parts);
	if (measure.length >= capacity)
		return PRN_E_LIMIT;
	put_surt(&writer, &parts);
	out[writer.length] = 0;
	return 0;
}

static const char *after_scheme(const char *surt)
{
	if (!strncasecmp(surt, "https://", 8))
		surt += 8;
	else if (!strncasecmp(surt, "http://", 7))
		surt += 7;
	return surt + (*surt == '(');
}

/* The length of the host part; a comma that closes it ("example,a,)" or "example,a)") does not count. */
static size_t host_part(const char *surt, size_t close)
{
	return close && surt[close - 1] == ',' ? close - 1 : close;
}

bool prn_surt_under(const char *surt, const char *prefix)
{
	size_t close, length;

	surt = after_scheme(surt);
	prefix = after_scheme(prefix);
	length = strcspn(prefix, ")");
	if (!prefix[length]) {
		/* "example,a" must not select ab.example: a prefix inside the host ends where a label does. */
		if (strncasecmp(surt, prefix, length))
			return false;
		return !length || prefix[length - 1] == ',' || strchr(",.:@)", surt[length]);
	}
	close = strcspn(surt, ")");
	if (host_part(surt, close) != host_part(prefix, length) ||
	    strncasecmp(surt, prefix, host_part(prefix, length)))
		return false;
	prefix += length + 1;
	return surt[close] && !strncmp(surt + close + 1, prefix, strlen(prefix));
}
