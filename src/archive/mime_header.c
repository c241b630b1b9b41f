#include "archive/mime_header.h"

#include "base/ascii.h"

#include "archive/fields.h"

#include <stdint.h>
#include <string.h>

/* Removes white space from a URL: a long one is folded (RFC 2557 §4.4). */
static const char *join(char *value)
{
	char *to = value;

	for (const char *from = value; *from; from++)
		if (!strchr(" \t\r\n", *from))
			*to++ = *from;
	*to = 0;
	return *value ? value : NULL;
}

static enum prn_mime_encoding encoding_of(const char *value)
{
	static const struct {
		const char *name;
		enum prn_mime_encoding encoding;
	} encodings[] = { { "", PRN_MIME_AS_IT_IS },       { "7bit", PRN_MIME_AS_IT_IS },           { "8bit", PRN_MIME_AS_IT_IS },
		          { "binary", PRN_MIME_AS_IT_IS }, { "quoted-printable", PRN_MIME_QUOTED }, { "base64", PRN_MIME_BASE64 } };

	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
		if (!prn_ascii_compare(value, encodings[i].name))
			return encodings[i].encoding;
	return PRN_MIME_OTHER;
}

void prn_mime_header_parse(struct prn_mime_header *header, char *text, size_t length)
{
	struct prn_fields fields = { text, text + length };
	char *name, *value;

	*header = (struct prn_mime_header){ .encoding = PRN_MIME_AS_IT_IS };
	while (prn_fields_next(&fields, &name, &value)) {
		if (!prn_ascii_compare(name, "Content-Type"))
			header->content_type = *value ? value : NULL;
		else if (!prn_ascii_compare(name, "Content-Location"))
			header->location = join(value);
		else if (!prn_ascii_compare(name, "Snapshot-Content-Location"))
			header->snapshot = join(value);
		else if (!prn_ascii_compare(name, "Date"))
			header->date = *value ? value : NULL;
		else if (!prn_ascii_compare(name, "Content-Transfer-Encoding"))
			header->encoding = encoding_of(value);
		else if (!prn_ascii_compare(name, "MIME-Version"))
			header->is_mime = true;
	}
	header->is_multipart = header->content_type && !prn_ascii_compare_n(header->content_type, "multipart/", 10);
	header->is_mime |= header->is_multipart;
}

/* Reads the value of a parameter, quoted or not; *length bytes of it go to out.  Returns the position behind it. */
static const char *read_value(const char *at, char *out, size_t capacity, size_t *length)
{
	bool quoted = *at == '"';

	*length = 0;
	for (at += quoted; *at && (quoted ? *at != '"' : !strchr("; \t", *at)); at++) {
		if (quoted && *at == '\\' && at[1])
			at++;
		if (*length < capacity)
			out[*length] = *at;
		++*length;
	}
	return at + (quoted && *at == '"');
}

bool prn_mime_boundary(const char *content_type, char boundary[PRN_MIME_BOUNDARY + 1])
{
	const char *at = strchr(content_type, ';');

	while (at) {
		const char *name = at + 1 + strspn(at + 1, " \t;");
		size_t name_length = strcspn(name, "=; \t"), length;

		at = name + name_length + strspn(name + name_length, " \t");
		if (*at != '=') {
			at = strchr(at, ';');
			continue;
		}
		at++;
		at = read_value(at + strspn(at, " \t"), boundary, PRN_MIME_BOUNDARY, &length);
		if (name_length == 8 && !prn_ascii_compare_n(name, "boundary", 8)) {
			boundary[length <= PRN_MIME_BOUNDARY ? length : 0] = 0;
			return length > 0 && length <= PRN_MIME_BOUNDARY;
		}
		at = strchr(at, ';');
	}
	return false;
}

bool prn_mime_header_starts(const unsigned char *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && bytes[i] > ' ' && bytes[i] < 0x7f && !strchr("()<>@,;:\\\"/[]?={}", bytes[i]))
		i++;
	return i == length || (i && bytes[i] == ':');
}
