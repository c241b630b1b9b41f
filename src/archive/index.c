#include "archive/index.h"

#include "archive/filter.h"
#include "archive/line_reader.h"
#include "archive/payload.h"
#include "archive/reader.h"
#include "archive/url_parse.h"
#include "base/json.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES ((size_t)64 << 10) /* bytes of the longest line that is read */
#define COLUMNS 64                    /* columns of a legend, at most */
#define TIME_DIGITS 14

/*
 * The fields that are read from a line.  The content itself is elsewhere: two captures with the same digest had
 * the same content.  The first fields are in the order of lines without a legend.
 */
enum field { FIELD_TIME, FIELD_URL, FIELD_MEDIA, FIELD_STATUS, FIELD_DIGEST, FIELD_REDIRECT, FIELD_OLD_DIGEST, FIELDS };

static const struct {
	char letter;          /* letters in the legend of a CDX file */
	const char *names[3]; /* names of members in CDXJ, by different writers */
	const char *about;
} fields[FIELDS] = {
	[FIELD_TIME] = { 'b', { NULL }, "b (time)" },
	[FIELD_URL] = { 'a', { "url", "original", "uri" }, "a (URL)" },
	[FIELD_MEDIA] = { 'm', { "mime", "mimetype", "mct" }, "m (media type)" },
	[FIELD_STATUS] = { 's', { "status", "statuscode", "hsc" }, "s (status)" },
	[FIELD_DIGEST] = { 'k', { "digest", "sha" }, "k (digest)" },
	[FIELD_REDIRECT] = { 'r', { "redirect" }, "r (redirect)" },
	[FIELD_OLD_DIGEST] = { 'c', { NULL }, "c (old digest)" },
};

struct index {
	struct prn_reading *reading;
	struct prn_stream *stream;
	char *path;
	struct prn_line_reader line;
	bool ended;
	char delimiter;
	int columns[FIELDS]; /* where a CDX line has them; -1: nowhere */
	json_t *root;        /* the object of the current line of CDXJ */
	unsigned char content[16]; /* the digest that is the content, little-endian on all machines */
	char number[24];
	char normal[PRN_URL_BYTES + 1];
};

static void index_free(void *reader)
{
	struct index *index = reader;

	prn_stream_free(index->stream);
	prn_buffer_release(&index->line.text);
	json_decref(index->root);
	free(index->path);
	free(index);
}

int prn_index_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error)
{
	struct index *index = calloc(1, sizeof *index);

	if (!index) {
		prn_stream_free(stream);
		return prn_error_memory(error);
	}
	index->stream = index->line.stream = stream;
	index->line.limit = LINE_BYTES;
	index->reading = reading;
	index->path = strdup(path);
	/* Nearly all writers begin their lines with these columns: so they are those of a file without a legend. */
	index->delimiter = ' ';
	for (int i = 0; i < FIELDS; i++)
		index->columns[i] = i + 1;
	index->columns[FIELD_OLD_DIGEST] = -1;
	if (!index->path) {
		index_free(index);
		return prn_error_memory(error);
	}
	*out = index;
	return 0;
}

static bool is_legend(const char *line)
{
	return line[0] && !strncmp(line + 1, "CDX", 3) && line[4] == line[0];
}

bool prn_index_starts(const unsigned char *bytes, size_t length)
{
	char line[PRN_INDEX_START + 1];
	size_t n = length < sizeof line - 1 ? length : sizeof line - 1, key, digits;

	memcpy(line, bytes, n);
	line[n] = 0;
	if (is_legend(line) || !strncmp(line, "!OpenWayback-CDXJ", 17) || !strncmp(line, "!meta", 5))
		return true;
	key = strcspn(line, " \t\r\n");
	if (!key || line[key] != ' ')
		return false;
	digits = strspn(line + key + 1, "0123456789");
	return digits >= 4 && digits <= TIME_DIGITS && line[key + 1 + digits] == ' ';
}

/* Returns 0 after the columns have changed. */
static int read_legend(struct index *index, char *line, struct prn_error *error)
{
	int column = 0;

	index->delimiter = *line;
	for (int i = 0; i < FIELDS; i++)
		index->columns[i] = -1;
	for (char *at = line + 4; *at == *line && column < COLUMNS; column++) {
		at++;
		for (int i = 0; i < FIELDS; i++)
			if (*at == fields[i].letter && (!at[1] || at[1] == *line))
				index->columns[i] = column;
		while (*at && *at != *line)
			at++;
	}
	if (index->columns[FIELD_DIGEST] < 0)
		index->columns[FIELD_DIGEST] = index->columns[FIELD_OLD_DIGEST];
	for (int i = 0; i < FIELDS; i++)
		if (i != FIELD_OLD_DIGEST && i != FIELD_MEDIA && i != FIELD_REDIRECT && index->columns[i] < 0)
			return prn_error_set(error, PRN_E_INPUT, "its legend has no %s", fields[i].about);
	return 0;
}

/* Splits a line of CDX in place; a field that is missing or "-" is NULL. */
static void split(const struct index *index, char *line, const char *values[FIELDS])
{
	for (int column = 0; line; column++) {
		char *next = strchr(line, index->delimiter);

		if (next)
			*next++ = 0;
		for (int i = 0; i < FIELDS; i++)
			if (index->columns[i] == column && *line && strcmp(line, "-"))
				values[i] = line;
		line = next;
	}
}

/* Finds a member under any of its names; numbers are written into the index. */
static const char *member(struct index *index, enum field field)
{
	for (size_t i = 0; i < 3 && fields[field].names[i]; i++) {
		const json_t *value = json_object_get(index->root, fields[field].names[i]);

		if (json_is_string(value) && *json_string_value(value) && strcmp(json_string_value(value), "-"))
			return json_string_value(value);
		if (json_is_integer(value)) {
			snprintf(index->number, sizeof index->number, "%lld", (long long)json_integer_value(value));
			return index->number;
		}
	}
	return NULL;
}

/* Reads a line of CDXJ: a key, a time, an object. */
static int read_object(struct index *index, char *time, char *object, const char *values[FIELDS], struct prn_error *error)
{
	json_error_t why;
	int code;

	json_decref(index->root);
	index->root = NULL;
	code = prn_json_load(object, strlen(object), 0, PRN_JSON_LINE_VALUES, &index->root, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_INPUT, "%s behind the time: %s", prn_json_fault(code), why.text);
	object[-1] = 0;
	values[FIELD_TIME] = time;
	for (int i = FIELD_URL; i <= FIELD_REDIRECT; i++)
		values[i] = member(index, (enum field)i);
	return 0;
}

static int read_fields(struct index *index, char *line, const char *values[FIELDS], struct prn_error *error)
{
	char *time = strchr(line, ' '), *rest = time ? strchr(time + 1, ' ') : NULL;

	if (rest && rest[1] == '{')
		return read_object(index, time + 1, rest + 1, values, error);
	split(index, line, values);
	return 0;
}

/*
 * The length of a digest without a label tells its algorithm: 40 digits or 32 of base 32 are SHA-1, as all
 * writers use it.
 */
static struct prn_digest content_of(const char *text)
{
	struct prn_digest digest;
	char named[128];

	snprintf(named, sizeof named, "sha1:%s", text);
	if (strlen(text) >= sizeof named - 5 || !prn_payload_digest(strchr(text, ':') ? text : named, &digest))
		digest = prn_digest_bytes(text, strlen(text));
	return digest;
}

/* A revisit has a status of its own only if the writer looked it up. */
static int status_of(const char *text, bool is_revisit)
{
	if (!text)
		return is_revisit ? 200 : 0;
	return strspn(text, "0123456789") == 3 && !text[3] ? atoi(text) : -1;
}

static int wrong(struct prn_error *error, const char *what)
{
	return prn_error_set(error, PRN_E_INPUT, "%s", what);
}

/*
 * Returns where a redirect leads, or NULL if that is not given, or cannot be distinguished from other uses of
 * that column (a length) or forms (a host and path without a scheme).
 */
static const char *target_of(const char *const values[FIELDS], enum prn_kind kind)
{
	const char *target = values[FIELD_REDIRECT];

	return kind == PRN_KIND_REDIRECT && target && (*target == '/' || strstr(target, "://")) ? target : NULL;
}

/* Sets the content: the Location of a redirect, or the digest of content that is elsewhere. */
static void take_content(struct index *index, const char *const values[FIELDS], const char *target, struct prn_capture *capture)
{
	struct prn_digest digest;

	capture->content_type = "application/octet-stream";
	if (target) {
		capture->body = (const unsigned char *)target;
		capture->body_bytes = strlen(target);
		return;
	}
	digest = content_of(values[FIELD_DIGEST]);
	prn_little_put_two(index->content, digest.high, digest.low);
	capture->is_digest = true;
	capture->body = index->content;
	capture->body_bytes = sizeof index->content;
}

/* Makes a capture of a line's fields: 1, or 0 if it is left out. */
static int make_capture(struct index *index, const char *const values[FIELDS], struct prn_capture *capture,
                        struct prn_error *error)
{
	struct prn_source_counts *counts = &index->reading->counts;
	const struct prn_source_filter *filter = &index->reading->options.filter;
	bool is_revisit = values[FIELD_MEDIA] && !strcmp(values[FIELD_MEDIA], "warc/revisit");
	int status = status_of(values[FIELD_STATUS], is_revisit);
	enum prn_kind kind = prn_kind_of_status(status);
	const char *target = target_of(values, kind);
	int64_t time;
	int code;

	if (!values[FIELD_TIME] || prn_time_parse(values[FIELD_TIME], &time))
		return wrong(error, "its time is not one of 4 to 14 digits");
	if (!values[FIELD_URL])
		return wrong(error, "it has no URL");
	if (prn_url_has_other_scheme(values[FIELD_URL])) {
		prn_reading_ignore(index->reading, values[FIELD_URL], strcspn(values[FIELD_URL], ":") + 1);
		return 0;
	}
	code = prn_url_normalize(values[FIELD_URL], SIZE_MAX, index->normal, sizeof index->normal);
	if (code == PRN_E_MEMORY)
		return code;
	if (code)
		return wrong(error, "its URL is not an http or https URL of at most 8192 bytes");
	if (status < 0)
		return wrong(error, "its status is not three digits or \"-\"");
	if ((kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT) && !values[FIELD_DIGEST] && !target)
		return wrong(error, "it has no digest");
	if (!prn_filter_capture(filter, index->normal, time, NULL)) {
		counts->filtered++;
		return 0;
	}
	if (kind == PRN_KIND_CONTENT && !is_revisit && !prn_reading_wants_media(index->reading, values[FIELD_MEDIA]))
		return 0;
	prn_capture_init(capture, values[FIELD_URL], index->normal, time, kind);
	capture->status = status;
	if (kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT)
		take_content(index, values, target, capture);
	if (kind == PRN_KIND_CONTENT && !is_revisit)
		capture->digest_media = values[FIELD_MEDIA];
	return 1;
}

/* Turns the line into a capture: 1, or 0 if it is left out. */
static int take_line(struct index *index, bool whole, struct prn_capture *capture, struct prn_error *error)
{
	const char *values[FIELDS] = { NULL };
	struct prn_error why = { 0 };
	bool is_text;
	char *line;
	int code;

	if (prn_buffer_terminate(&index->line.text))
		return prn_error_memory(error);
	is_text = !memchr(index->line.text.data, 0, index->line.text.length);
	line = (char *)index->line.text.data;
	line[strcspn(line, "\r")] = 0;
	if (whole && is_text && (!*line || *line == '!' || *line == '#'))
		return 0;
	if (!whole)
		code = prn_error_set(&why, PRN_E_INPUT, "it is longer than %zu bytes", LINE_BYTES);
	else if (!is_text)
		code = wrong(&why, "a zero byte in it: it is no text in UTF-8");
	else if (is_legend(line))
		return read_legend(index, line, error);
	else
		code = read_fields(index, line, values, &why);
	index->reading->counts.records++;
	if (!code)
		code = make_capture(index, values, capture, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code >= 0)
		return code;
	prn_error_prefix(&why, "line %llu", (unsigned long long)index->line.number);
	prn_error_prefix(&why, "%.300s", index->path);
	prn_reading_skip(index->reading, &index->reading->counts.damaged, &why);
	return 0;
}

static int index_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct index *index = reader;
	struct prn_error why;
	int code = 0;

	while (!code && !index->ended) {
		bool whole;

		code = prn_line_reader_next(&index->line, &whole, &why);
		index->reading->counts.input_bytes = prn_stream_input_bytes(index->stream);
		if (code < 0 && prn_reading_goes_on(index->reading, index->stream, index->path, &why)) {
			code = 0;
			continue;
		}
		index->ended = code <= 0;
		if (code > 0)
			code = take_line(index, whole, capture, &why);
		if (code < 0 && error) {
			*error = why;
			prn_error_prefix(error, "%.300s", index->path);
		}
		index->ended |= code < 0;
	}
	return code;
}

const struct prn_reader prn_reader_index = { .next = index_next, .free = index_free };
