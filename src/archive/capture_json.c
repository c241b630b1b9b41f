#include "archive/capture_json.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/number.h"
#include "archive/http_capture.h"
#include "archive/reader.h"
#include "perennial/time.h"

#include <math.h>
#include <string.h>


static int wrong(struct prn_error *error, const char *member, const char *takes)
{
	return prn_error_set(error, PRN_E_INPUT, "\"%s\" takes %s", member, takes);
}

/* Returns a member that is not null, or NULL. */
static const json_t *member_of(const struct prn_capture_json *reader, const char *name)
{
	const json_t *value = json_object_get(reader->root, name);

	return json_is_null(value) ? NULL : value;
}

/* Reads a member's text; *text is NULL if it is missing.  A NUL inside would cut it short unnoticed. */
static int read_text(const struct prn_capture_json *reader, const char *name, const char **text,
                     struct prn_error *error)
{
	const json_t *value = member_of(reader, name);

	*text = json_string_value(value);
	if (value && (!*text || strlen(*text) != json_string_length(value)))
		return wrong(error, name, "a text");
	return 0;
}

/* Reads a time given as number or text; *time is unchanged if it is missing. */
static int read_time(const struct prn_capture_json *reader, const char *name, int64_t *time, struct prn_error *error)
{
	const json_t *value = member_of(reader, name);
	double seconds = json_number_value(value);

	if (!value)
		return 0;
	if (json_is_number(value) && seconds >= (double)PRN_TIME_FIRST && seconds <= (double)PRN_TIME_LAST) {
		*time = (int64_t)floor(seconds);
		return 0;
	}
	if (json_is_string(value) && (!prn_time_parse(json_string_value(value), time) ||
	                              !prn_time_parse_http(json_string_value(value), time)))
		return 0;
	return wrong(error, name, "a time: \"2026-05-10T12:00:00Z\", Unix seconds, or an HTTP date");
}

/* The value is a header as the site sent it: an invalid one counts as absent, as in a WARC, and the page is read. */
static int read_modified(const struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_error unheard;
	bool is_text = json_is_string(member_of(reader, "last_modified"));
	int code = read_time(reader, "last_modified", &capture->modified, is_text ? &unheard : error);

	return is_text ? 0 : code;
}

static int read_etag(const struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	const char *etag;
	int code = read_text(reader, "etag", &etag, error);

	if (!code && etag && prn_http_is_etag(etag))
		capture->etag = etag;
	return code;
}

static int parse(struct prn_capture_json *reader, const char *text, size_t length, struct prn_error *error)
{
	json_error_t why;
	int code;

	json_decref(reader->root);
	reader->root = NULL;
	code = prn_json_load(text, length, JSON_ALLOW_NUL, PRN_JSON_LINE_VALUES, &reader->root, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_INPUT, "%s: %s (byte %d)", prn_json_fault(code), why.text, why.position);
	return json_is_object(reader->root) ? 0 : prn_error_set(error, PRN_E_INPUT, "it is JSON, but not an object");
}

/* Reads a member's URL and its normal form; *url is NULL if it is missing. */
static int read_url(const struct prn_capture_json *reader, const char *name, const char **url,
                    char normal[PRN_URL_BYTES + 1], struct prn_error *error)
{
	int code = read_text(reader, name, url, error);

	if (code || !*url)
		return code;
	code = prn_url_normalize(*url, SIZE_MAX, normal, PRN_URL_BYTES + 1);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	return code ? wrong(error, name, "an http or https URL of at most 8192 bytes") : 0;
}

static int read_page(struct prn_capture_json *reader, const struct prn_capture_json_options *options,
                     struct prn_capture *capture, struct prn_error *error)
{
	int64_t time = options->has_time ? options->time : PRN_TIME_UNKNOWN;
	const char *url, *answers;
	int code = read_url(reader, "url", &url, reader->asked, error);

	if (!code && !url)
		code = prn_error_set(error, PRN_E_INPUT, "it has no \"url\"");
	if (!code)
		code = read_url(reader, "answers", &answers, reader->answered, error);
	if (!code)
		code = read_time(reader, "time", &time, error);
	reader->zoneless = !code && json_is_string(member_of(reader, "time")) &&
	                   prn_time_is_zoneless(json_string_value(member_of(reader, "time")));
	if (!code && time == PRN_TIME_UNKNOWN && !options->has_time)
		code = prn_error_set(error, PRN_E_INPUT, "it has no \"time\"");
	if (!code)
		prn_capture_init(capture, answers ? answers : url, answers ? reader->answered : reader->asked, time,
		                 PRN_KIND_CONTENT);
	if (!code && answers)
		capture->asked_url = reader->asked;
	return code;
}

static int read_status(const struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	const json_t *value = member_of(reader, "status");
	json_int_t status = value ? json_integer_value(value) : 200;

	if (value && (!json_is_integer(value) || status < 0 || status > 999))
		return wrong(error, "status", "an HTTP status, or 0 for no response");
	capture->status = (int)status;
	capture->kind = prn_kind_of_status(capture->status);
	return 0;
}

static int read_weight(const struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	const json_t *value = member_of(reader, "weight");
	double weight = json_number_value(value);

	if (value && !(weight > 0 && weight <= PRN_WEIGHT_MOST))
		return wrong(error, "weight", "a number above 0, at most 1e9");
	capture->weight = weight;
	return 0;
}

static int read_retry_after(const struct prn_capture_json *reader, struct prn_capture *capture,
                            struct prn_error *error)
{
	const json_t *value = member_of(reader, "retry_after");
	double seconds = json_number_value(value);

	if (json_is_number(value) && seconds >= 0)
		capture->retry_after_s = (int64_t)ceil(fmin(seconds, (double)PRN_TIME_LAST));
	else if (json_is_string(value))
		capture->retry_after_s = prn_http_retry_after(json_string_value(value), capture->time);
	/*
	 * A text is the site's header, as above; a date in it can be converted to seconds only if the capture
	 * has a time.
	 */
	else if (value)
		return wrong(error, "retry_after", "seconds from 0, or an HTTP date");
	return 0;
}

/* Reads the members on the host. */
static int read_host(const struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	const json_t *delay = member_of(reader, "crawl_delay");
	double seconds = json_is_number(delay) ? json_number_value(delay) : -1;
	const char *address;
	int code = read_text(reader, "address", &address, error);

	if (code)
		return code;
	if (address)
		prn_capture_set_address(capture, address);
	/* robots.txt has it as text. */
	if (json_is_string(delay) && !prn_number_read(json_string_value(delay), &seconds))
		seconds = -1;
	return !delay || prn_capture_set_crawl_delay(capture, seconds) ? 0 : wrong(error, "crawl_delay", "seconds from 0");
}

/* Text is UTF-8 here, whatever charset it was fetched in. */
static int say_utf8(struct prn_capture_json *reader, struct prn_capture *capture)
{
	struct prn_buffer *type = &reader->content_type;
	size_t media = capture->content_type ? strcspn(capture->content_type, ";") : 0;

	if (!media)
		return 0;
	prn_buffer_clear(type);
	if (prn_buffer_append(type, capture->content_type, media) ||
	    prn_buffer_append(type, "; charset=utf-8", sizeof "; charset=utf-8"))
		return PRN_E_MEMORY;
	capture->content_type = (char *)type->data;
	return 0;
}

static void take_body(struct prn_capture *capture, const void *bytes, size_t length, size_t limit)
{
	capture->truncated = length > limit;
	capture->body_bytes = capture->truncated ? limit : length;
	if (length)
		capture->body = bytes;
}

static int read_base64(struct prn_capture_json *reader, const json_t *value, size_t limit,
                       struct prn_capture *capture, struct prn_error *error)
{
	int code;

	prn_buffer_clear(&reader->body);
	code = prn_base64_decode(json_string_value(value), json_string_length(value), &reader->body);
	if (code == PRN_E_INPUT)
		return wrong(error, "body_base64", "base64");
	if (code)
		return prn_error_memory(error);
	take_body(capture, reader->body.data, reader->body.length, limit);
	return 0;
}

static int read_file(struct prn_capture_json *reader, const struct prn_capture_json_options *options,
                     struct prn_capture *capture, struct prn_error *error)
{
	struct prn_buffer *name = &reader->name;
	struct prn_error why = { 0 };
	const char *path;
	bool more;
	int code = read_text(reader, "path", &path, error);

	if (code)
		return code;
	if (!options->folder)
		return prn_error_set(error, PRN_E_INPUT, "\"path\" is not read here: send \"body\" or \"body_base64\"");
	prn_buffer_clear(name);
	if ((*path != '/' && prn_buffer_append(name, options->folder, strlen(options->folder))) ||
	    prn_buffer_append(name, path, strlen(path) + 1))
		return prn_error_memory(error);
	code = prn_body_read(&reader->body, (char *)name->data, options->body_bytes_max, &more, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_INPUT, "%.200s: %.200s", path, why.text);
	take_body(capture, reader->body.data, reader->body.length, SIZE_MAX);
	capture->truncated = more;
	return 0;
}

static int read_content(struct prn_capture_json *reader, const struct prn_capture_json_options *options,
                        struct prn_capture *capture, struct prn_error *error)
{
	const json_t *text = member_of(reader, "body"), *base64 = member_of(reader, "body_base64");
	const json_t *path = member_of(reader, "path");

	if (!!text + !!base64 + !!path != 1)
		return prn_error_set(error, PRN_E_INPUT,
		                     "content needs one of \"body\", \"body_base64\" and \"path\"; this has %s",
		                     text || base64 || path ? "several" : "none");
	if (path)
		return read_file(reader, options, capture, error);
	if (!json_is_string(text ? text : base64))
		return wrong(error, text ? "body" : "body_base64", "a text");
	if (base64)
		return read_base64(reader, base64, options->body_bytes_max, capture, error);
	take_body(capture, json_string_value(text), json_string_length(text), options->body_bytes_max);
	return say_utf8(reader, capture) ? prn_error_memory(error) : 0;
}

/* Reads the body as it was transferred, encoded as its site's Content-Encoding says. */
static int undo_encoding(struct prn_capture_json *reader, size_t limit, struct prn_capture *capture,
                         struct prn_error *error)
{
	struct prn_http_head head = { .content_type = capture->content_type, .content_length = PRN_HTTP_LENGTH_UNKNOWN };
	struct prn_http_body body = { (unsigned char *)(uintptr_t)capture->body, capture->body_bytes, capture->truncated, false };
	const char *encoding;
	int code = read_text(reader, "content_encoding", &encoding, error);

	if (code || !encoding)
		return code;
	if (!reader->decoder && prn_http_decoder_open(&reader->decoder))
		return prn_error_memory(error);
	if (prn_http_head_add_codings(&head, encoding))
		return wrong(error, "content_encoding", "at most 4 codings");
	for (size_t i = 0; i < head.coding_count; i++)
		if (head.codings[i] == PRN_HTTP_CHUNKED)
			return wrong(error, "content_encoding", "codings of content, and chunked is none");
	code = prn_http_decode(reader->decoder, &head, &body, limit, error);
	if (code == PRN_E_MEMORY)
		return code;
	if (code) {
		prn_error_prefix(error, "its body cannot be read");
		return PRN_E_INPUT;
	}
	take_body(capture, body.bytes, body.length, SIZE_MAX);
	capture->truncated = body.truncated;
	return 0;
}

/* Reads the length of a body that is not content of the page: the one stated, or that of the body that was sent along. */
static int read_ignored(const struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	const json_t *value = member_of(reader, "bytes"), *text = member_of(reader, "body"), *base64 = member_of(reader, "body_base64");
	json_int_t bytes = json_integer_value(value);

	if (value && (!json_is_integer(value) || bytes < 0 || bytes > PRN_IGNORED_BYTES))
		return wrong(error, "bytes", "a number of bytes, from 0 to 2^40");
	capture->ignored_bytes = value ? (uint64_t)bytes : json_string_length(text) + json_string_length(base64) / 4 * 3;
	return 0;
}

/* It is relative to the URL that was requested, which is not always the page's. */
static int read_location(struct prn_capture_json *reader, struct prn_capture *capture, struct prn_error *error)
{
	const char *location;
	int code = read_text(reader, "location", &location, error), resolved = PRN_E_INPUT;

	if (!code && location && capture->normal_url == reader->answered)
		resolved = prn_url_resolve(reader->asked, location, reader->location, sizeof reader->location);
	if (resolved == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (!resolved)
		location = reader->location;
	if (!code && location)
		take_body(capture, location, strlen(location), SIZE_MAX);
	/* As in a WARC, a Location is one fragment. */
	capture->content_type = "application/octet-stream";
	return code;
}

int prn_capture_json_read(struct prn_capture_json *reader, const char *text, size_t length,
                          const struct prn_capture_json_options *options, struct prn_capture *capture,
                          struct prn_error *error)
{
	struct prn_capture read;
	int code = parse(reader, text, length, error);

	if (!code)
		code = read_page(reader, options, &read, error);
	if (!code)
		code = read_status(reader, &read, error);
	if (!code)
		code = read_weight(reader, &read, error);
	if (!code)
		code = read_modified(reader, &read, error);
	if (!code)
		code = read_etag(reader, &read, error);
	if (!code)
		code = read_retry_after(reader, &read, error);
	if (!code)
		code = read_host(reader, &read, error);
	if (!code)
		code = read_text(reader, "content_type", &read.content_type, error);
	if (!code && read.content_type && !*read.content_type)
		read.content_type = NULL;
	if (!code && read.kind == PRN_KIND_REDIRECT)
		code = read_location(reader, &read, error);
	if (!code && read.kind != PRN_KIND_CONTENT)
		code = read_ignored(reader, &read, error);
	else if (!code && read.status != 204)
		code = read_content(reader, options, &read, error);
	if (!code && read.body && read.kind == PRN_KIND_CONTENT)
		code = undo_encoding(reader, options->body_bytes_max, &read, error);
	if (!code)
		*capture = read;
	return code;
}

void prn_capture_json_release(struct prn_capture_json *reader)
{
	json_decref(reader->root);
	prn_buffer_release(&reader->body);
	prn_buffer_release(&reader->name);
	prn_buffer_release(&reader->content_type);
	prn_http_decoder_free(reader->decoder);
}
