#include "archive/http.h"
#include "archive/fields.h"
#include "base/ascii.h"
#include "perennial/capture.h"
#include "perennial/time.h"

#include <ctype.h>
#include <string.h>

/* Returns the status of "HTTP/1.1 200 OK" or "HTTP/2 200", or -1. */
static int parse_status_line(const char *line)
{
	const char *at = line + 5;

	if (prn_ascii_compare_n(line, "HTTP/", 5))
		return -1;
	at += strspn(at, "0123456789.");
	if (*at != ' ' && *at != '\t')
		return -1;
	at += strspn(at, " \t");
	if (!isdigit((unsigned char)at[0]) || !isdigit((unsigned char)at[1]) || !isdigit((unsigned char)at[2]) ||
	    isdigit((unsigned char)at[3]))
		return -1;
	return (at[0] - '0') * 100 + (at[1] - '0') * 10 + at[2] - '0';
}

/* "HTTP/1.1 100 Continue": another head follows. */
static bool is_interim(const unsigned char *bytes, size_t length)
{
	char line[16] = "";

	memcpy(line, bytes, length < sizeof line - 1 ? length : sizeof line - 1);
	return parse_status_line(line) / 100 == 1;
}

static bool begins_head(const unsigned char *bytes, size_t length)
{
	return length >= 5 && !prn_ascii_compare_n((const char *)bytes, "HTTP/", 5);
}

size_t prn_http_head_length(const unsigned char *bytes, size_t length)
{
	size_t end = prn_fields_end(bytes, length);

	while (end && is_interim(bytes, end) && begins_head(bytes + end, length - end)) {
		size_t more = prn_fields_end(bytes + end, length - end);

		if (!more)
			return 0;
		if (!is_interim(bytes + end, more))
			return end + more;
		end += more;
	}
	return end;
}

static enum prn_http_coding coding_named(const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum prn_http_coding coding;
	} names[] = {
		{ "chunked", PRN_HTTP_CHUNKED }, { "gzip", PRN_HTTP_GZIP },       { "x-gzip", PRN_HTTP_GZIP },
		{ "deflate", PRN_HTTP_DEFLATE }, { "x-deflate", PRN_HTTP_DEFLATE },
		{ "br", PRN_HTTP_BR },           { "zstd", PRN_HTTP_ZSTD },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].name) == length && !prn_ascii_compare_n(name, names[i].name, length))
			return names[i].coding;
	return PRN_HTTP_UNKNOWN_CODING;
}

int prn_http_head_add_codings(struct prn_http_head *head, const char *value)
{
	for (const char *at = value; *at;) {
		size_t length = strcspn(at, ", \t;");
		size_t n = head->coding_count;

		if (length && !(length == 8 && !prn_ascii_compare_n(at, "identity", 8))) {
			if (n == PRN_HTTP_CODINGS)
				return PRN_E_UNSUPPORTED;
			head->codings[n] = coding_named(at, length);
			if (head->codings[n] == PRN_HTTP_UNKNOWN_CODING)
				head->unknown_coding = value;
			head->coding_count++;
		}
		at += length;
		at += strcspn(at, ",");
		at += strspn(at, ", \t");
	}
	return 0;
}

static uint64_t parse_length(const char *value)
{
	uint64_t sum = 0;

	if (!isdigit((unsigned char)*value))
		return PRN_HTTP_LENGTH_UNKNOWN;
	for (; isdigit((unsigned char)*value); value++) {
		if (sum > INT64_MAX / 10 - 1)
			return PRN_HTTP_LENGTH_UNKNOWN;
		sum = sum * 10 + (uint64_t)(*value - '0');
	}
	return sum;
}

int64_t prn_http_retry_after(const char *value, int64_t time)
{
	size_t digits;
	int64_t date;

	value += strspn(value, " \t");
	digits = strspn(value, "0123456789");
	/* A number of seconds with too many digits counts as the largest that can be stored. */
	if (digits && !value[digits + strspn(value + digits, " \t")]) {
		uint64_t seconds = parse_length(value);

		return seconds < PRN_TIME_LAST ? (int64_t)seconds : PRN_TIME_LAST;
	}
	if (time == PRN_TIME_UNKNOWN || prn_time_parse_http(value, &date))
		return PRN_TIME_UNKNOWN;
	return date > time ? date - time : 0;
}

static void keep_first(const char **place, const char *value)
{
	if (!*place)
		*place = value;
}

/* A list may be divided over several fields (RFC 9110 5.3); one coding too many is enough to refuse. */
static void keep_each(const char *values[PRN_HTTP_CODINGS + 1], const char *value)
{
	for (size_t i = 0; i <= PRN_HTTP_CODINGS; i++)
		if (!values[i]) {
			values[i] = value;
			break;
		}
}

int prn_http_head_parse(struct prn_http_head *head, unsigned char *bytes, size_t length)
{
	struct prn_fields fields;
	char *line, *name, *value;
	const char *transfer[PRN_HTTP_CODINGS + 1] = { NULL }, *content[PRN_HTTP_CODINGS + 1] = { NULL };
	size_t first = 0;
	bool is_text;

	/* Interim heads are skipped: the last head counts. */
	while (is_interim(bytes + first, length - first)) {
		size_t end = prn_fields_end(bytes + first, length - first);

		if (!end || !begins_head(bytes + first + end, length - first - end))
			break;
		first += end;
	}
	*head = (struct prn_http_head){ .content_length = PRN_HTTP_LENGTH_UNKNOWN };
	is_text = !memchr(bytes + first, 0, length - first);
	fields = (struct prn_fields){ (char *)bytes + first, (char *)bytes + length };
	if (!prn_fields_line(&fields, &line) || (head->status = parse_status_line(line)) < 0)
		return PRN_E_INPUT;
	while (prn_fields_next(&fields, &name, &value)) {
		if (!prn_ascii_compare(name, "Content-Type"))
			keep_first(&head->content_type, value);
		else if (!prn_ascii_compare(name, "Location"))
			keep_first(&head->location, value);
		else if (!prn_ascii_compare(name, "Last-Modified"))
			keep_first(&head->last_modified, value);
		else if (!prn_ascii_compare(name, "ETag"))
			keep_first(&head->etag, value);
		else if (!prn_ascii_compare(name, "Retry-After"))
			keep_first(&head->retry_after, value);
		else if (!prn_ascii_compare(name, "Content-Length"))
			head->content_length = parse_length(value);
		else if (!prn_ascii_compare(name, "Content-Encoding"))
			keep_each(content, value);
		else if (!prn_ascii_compare(name, "Transfer-Encoding"))
			keep_each(transfer, value);
	}
	/* A Location would end at a zero byte, and lead to another page. */
	if (!is_text && head->location && prn_kind_of_status(head->status) == PRN_KIND_REDIRECT)
		return PRN_E_INPUT;
	/* The content is coded first, then the transfer. */
	for (size_t i = 0; i <= PRN_HTTP_CODINGS && content[i]; i++)
		if (prn_http_head_add_codings(head, content[i]))
			return PRN_E_UNSUPPORTED;
	for (size_t i = 0; i <= PRN_HTTP_CODINGS && transfer[i]; i++)
		if (prn_http_head_add_codings(head, transfer[i]))
			return PRN_E_UNSUPPORTED;
	return 0;
}
