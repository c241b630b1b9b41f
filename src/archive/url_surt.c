/* The host of a normal form, SURT forms, and their prefixes. */
#include "archive/url_part.h"
#include "archive/url_set.h"
#include "base/ascii.h"
#include "base/portable.h"
#include "perennial/error.h"
#include "perennial/url.h"

#include <string.h>

/* The parts of a normal form; each points into it. */
struct parts {
	bool secure;
	struct prn_url_part user; /* without its "@" */
	struct prn_url_part host; /* IPv6 with its brackets */
	struct prn_url_part port; /* digits, or empty */
	struct prn_url_part rest; /* path and query */
};

static size_t length_until(struct prn_url_part text, char stop)
{
	const char *found = memchr(text.at, stop, text.length);

	return found ? (size_t)(found - text.at) : text.length;
}

/* Normal forms in old traces are those of their time: the parts of any text lie within it. */
static bool take_apart(const char *normal, struct parts *parts)
{
	struct prn_url_part text = { normal, strlen(normal) }, authority;
	const char *at;

	parts->secure = !strncmp(normal, "https://", 8);
	if (!parts->secure && strncmp(normal, "http://", 7))
		return false;
	prn_url_take(&text, parts->secure ? 8 : 7);
	authority = prn_url_take(&text, length_until(text, '/'));
	parts->rest = text;
	at = prn_last_byte(authority.at, '@', authority.length);
	parts->user = prn_url_take(&authority, at ? (size_t)(at - authority.at) : 0);
	if (at)
		prn_url_take(&authority, 1);
	parts->host = prn_url_take(&authority, authority.length && authority.at[0] == '['
	                                       ? length_until(authority, ']') + !!memchr(authority.at, ']', authority.length)
	                                       : length_until(authority, ':'));
	if (authority.length)
		prn_url_take(&authority, 1);
	parts->port = authority;
	return parts->host.length;
}

/* Text written to a buffer of fixed size; text that does not fit is only counted. */
struct writer {
	char *out;
	size_t capacity, length;
};

static void put_part(struct writer *writer, struct prn_url_part part)
{
	for (size_t i = 0; i < part.length; i++, writer->length++)
		if (writer->length < writer->capacity)
			writer->out[writer->length] = part.at[i];
}

static void put_text(struct writer *writer, const char *text)
{
	put_part(writer, (struct prn_url_part){ text, strlen(text) });
}

/* "a.example." is a.example as name servers write it, and the same host. */
static struct prn_url_part without_dot(struct prn_url_part host)
{
	if (host.length > 1 && host.at[host.length - 1] == '.')
		host.length--;
	return host;
}

const char *prn_url_host(const char *normal, size_t *length)
{
	struct parts parts;
	struct prn_url_part host = { normal, 0 };

	if (take_apart(normal, &parts))
		host = without_dot(parts.host);
	*length = host.length;
	return host.at;
}

/* Addresses are not reversed: their most significant part is already in front. */
static bool is_address(struct prn_url_part host)
{
	if (host.at[0] == '[')
		return true;
	for (size_t i = 0; i < host.length; i++)
		if (host.at[i] != '.' && (host.at[i] < '0' || host.at[i] > '9'))
			return false;
	return true;
}

static void put_labels(struct writer *writer, struct prn_url_part host)
{
	if (is_address(host)) {
		put_part(writer, host);
		return;
	}
	while (host.length) {
		const char *dot = prn_last_byte(host.at, '.', host.length);
		size_t keep = dot ? (size_t)(dot - host.at) : 0;

		put_part(writer, (struct prn_url_part){ host.at + keep + !!dot, host.length - keep - !!dot });
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
		put_part(writer, parts->user);
	}
	put_text(writer, ")");
	put_part(writer, parts->rest);
}

int prn_url_surt(const char *normal, char *out, size_t capacity)
{
	struct writer measure = { 0 }, writer = { out, capacity, 0 };
	struct parts parts;

	if (!take_apart(normal, &parts))
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
	if (!prn_ascii_compare_n(surt, "https://", 8))
		surt += 8;
	else if (!prn_ascii_compare_n(surt, "http://", 7))
		surt += 7;
	return surt + (*surt == '(');
}

/*
 * Returns the length of a host's labels at the beginning of a SURT, without the comma that closes them
 * ("example,a,)", "example,a,:8080)").  An IPv6 address contains colons.
 */
static size_t labels_length(const char *surt)
{
	size_t length = *surt == '[' ? strcspn(surt, "])") : 0;

	length += strcspn(surt + length, ":@)");
	return length && surt[length - 1] == ',' ? length - 1 : length;
}

/* Skips a port and a user between the labels and the ")". */
static struct prn_url_part after_labels(const char *surt, size_t labels)
{
	const char *at = surt + labels + (surt[labels] == ',');

	return (struct prn_url_part){ at, strcspn(at, ")") };
}

bool prn_surt_under(const char *surt, const char *prefix)
{
	struct prn_url_part given, own;
	size_t length, labels;

	surt = after_scheme(surt);
	prefix = after_scheme(prefix);
	length = strcspn(prefix, ")");
	labels = labels_length(prefix);
	given = after_labels(prefix, labels);
	if (!prefix[length] && !given.length) {
		/* "example,a" must not select ab.example: a prefix inside the host ends where a label does. */
		if (prn_ascii_compare_n(surt, prefix, length))
			return false;
		return !length || prefix[length - 1] == ',' || strchr(",.:@)", surt[length]);
	}
	if (labels_length(surt) != labels || prn_ascii_compare_n(surt, prefix, labels))
		return false;
	own = after_labels(surt, labels);
	if (given.length && (own.length != given.length || strncmp(own.at, given.at, given.length)))
		return false;
	prefix += length + !!prefix[length];
	surt = own.at + own.length;
	return *surt && !strncmp(surt + 1, prefix, strlen(prefix));
}
