#include "perennial/error.h"
#include "perennial/url.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* "https:" is a scheme, "a:b" is one that leads nowhere, "a/b:c" is a path. */
static bool has_scheme(const char *reference)
{
	size_t length = strcspn(reference, ":/?#");

	return length && reference[length] == ':' && isalpha((unsigned char)reference[0]);
}

/* Where the path of a normal form begins: after "https://host". */
static size_t path_at(const char *base)
{
	const char *host = strstr(base, "://");

	return host ? (size_t)(host - base) + 3 + strcspn(host + 3, "/") : strlen(base);
}

static const char *segment_end(const char *at)
{
	return at + strcspn(at, "/");
}

/*
 * Takes "." and ".." out of the path, in place (RFC 3986 §5.2.4): whole segments move to the front, and ".." takes
 * the last of them back.
 */
static void remove_dots(char *path)
{
	size_t query = strcspn(path, "?");
	char rest[PRN_URL_BYTES + 1];
	char *out = path;
	const char *at = path;

	memcpy(rest, path + query, strlen(path + query) + 1);
	path[query] = 0;
	while (*at == '/') {
		const char *end = segment_end(at + 1);
		size_t length = (size_t)(end - at);
		bool up = length == 3 && !strncmp(at, "/..", 3), here = length == 2 && !strncmp(at, "/.", 2);

		while (up && out > path && *--out != '/')
			;
		if (!up && !here) {
			memmove(out, at, length);
			out += length;
		} else if (!*end) {
			*out++ = '/';
		}
		at = end;
	}
	memcpy(out, rest, strlen(rest) + 1);
}

/* What of base stands before the reference. */
static size_t kept_length(const char *base, const char *reference)
{
	size_t path = path_at(base), length = path + strcspn(base + path, "?");

	if (reference[0] == '/' && reference[1] == '/')
		return strcspn(base, "/");
	if (reference[0] == '/')
		return path;
	if (!reference[0] || reference[0] == '#')
		return strlen(base);
	if (reference[0] == '?')
		return length;
	while (length > path && base[length - 1] != '/')
		length--;
	return length;
}

int prn_url_resolve(const char *base, const char *reference, char *out, size_t capacity)
{
	char joined[PRN_URL_BYTES + 1];
	int length;

	reference += strspn(reference, " \t\r\n");
	if (has_scheme(reference))
		length = snprintf(joined, sizeof joined, "%s", reference);
	else
		length = snprintf(joined, sizeof joined, "%.*s%.*s", (int)kept_length(base, reference), base,
		                  (int)strcspn(reference, "#"), reference);
	if (length < 0 || (size_t)length >= sizeof joined)
		return PRN_E_LIMIT;
	joined[strcspn(joined, "#")] = 0;
	if (strstr(joined, "://"))
		remove_dots(joined + path_at(joined));
	return prn_url_normalize(joined, SIZE_MAX, out, capacity);
}
