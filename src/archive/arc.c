#include "archive/arc_header.h"
#include "archive/fields.h"
#include "archive/filter.h"
#include "archive/http_capture.h"
#include "archive/reader.h"
#include "archive/span.h"
#include "archive/url_parse.h"
#include "base/ascii.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

#define TOO_LONG "its first line does not end within 16384 bytes"
#define NEWLINES_MAX 64 /* line ends skipped between records; one is required */

/* An ARC file, version 1 or 2, as a source. */
struct arc {
	struct prn_reading *reading;
	struct prn_stream *stream;
	char *path;
	struct prn_http_decoder *decoder;
	struct prn_buffer line, block;
	uint64_t member, position; /* where the current record starts */
	uint64_t from;             /* where its block starts, or, if it has none, what follows its first line */
	const char *url;           /* the record's URL, in text, or NULL */
	uint64_t left;             /* bytes of its block that have not been read yet */
	uint64_t claimed;          /* length of its block, as its line says */
	bool claims;               /* that length is not confirmed yet */
	bool bad;                  /* its line cannot be read, but for its length */
	bool behind;               /* what was wrong needs no search: the next record is at hand, or the end */
	uint64_t first;            /* the first member of the file */
	uint64_t gave;             /* the last member that went on after a whole record, or UINT64_MAX */
	bool whole;                /* the last record was whole */
	struct prn_span span;      /* the bytes that a failed record claimed to hold */
	uint64_t came;             /* bytes of its block that were read */
	struct prn_error cut;      /* code 0, or the error that ends the source after the last capture */
	bool ended;
	char text[PRN_ARC_LINE_BYTES]; /* the line, taken apart */
	char normal[PRN_URL_BYTES + 1];
};

static void arc_free(void *reader)
{
	struct arc *arc = reader;

	prn_stream_free(arc->stream);
	prn_http_decoder_free(arc->decoder);
	prn_buffer_release(&arc->line);
	prn_span_release(&arc->span);
	prn_buffer_release(&arc->block);
	free(arc->path);
	free(arc);
}

int prn_arc_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                      struct prn_error *error)
{
	struct arc *arc = calloc(1, sizeof *arc);

	if (!arc) {
		prn_stream_free(stream);
		return prn_error_memory(error);
	}
	arc->stream = stream;
	arc->reading = reading;
	arc->first = prn_stream_member(stream);
	arc->gave = UINT64_MAX;
	arc->path = strdup(path);
	if (!arc->path || prn_http_decoder_open(&arc->decoder)) {
		arc_free(arc);
		return prn_error_memory(error);
	}
	*out = arc;
	return 0;
}

static int locate(const struct arc *arc, struct prn_error *error)
{
	unsigned long long place = (unsigned long long)(arc->member + (prn_stream_is_plain(arc->stream) ? arc->position : 0));

	if (arc->url)
		prn_error_prefix(error, "record at offset %llu (%.200s)", place, arc->url);
	else
		prn_error_prefix(error, "record at offset %llu", place);
	prn_error_prefix(error, "%s", arc->path);
	return error ? error->code : PRN_E_INPUT;
}

static int fault(const struct arc *arc, struct prn_error *error, int code, const char *text)
{
	prn_error_set(error, code, "%s", text);
	locate(arc, error);
	return code;
}

/* Tells whether the line at the front of bytes begins a record; it need not be whole. */
static bool is_header(const struct arc *arc, const unsigned char *bytes, size_t length)
{
	const unsigned char *end = memchr(bytes, '\n', length);
	char line[PRN_ARC_LINE_BYTES];
	struct prn_arc_header header;

	if (!end || (size_t)(end - bytes) >= sizeof line || !prn_arc_header_starts(bytes, length))
		return false;
	memcpy(line, bytes, (size_t)(end - bytes));
	return prn_arc_header_parse(&header, line, (size_t)(end - bytes)) &&
	       (!prn_stream_is_plain(arc->stream) ||
	        prn_span_believes(&arc->span, prn_stream_position(arc->stream), header.url));
}

/* Shows a line of any length, or as much of it as there is. */
static int peek_line(struct arc *arc, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	if (!prn_stream_peek(arc->stream, PRN_ARC_LINE_BYTES, bytes, length, error))
		return 0;
	return prn_stream_peek(arc->stream, 1, bytes, length, error);
}

/* Searches the rest of the member for a record at a line start: 1, or 0 if there is none. */
static int find_header(struct arc *arc, struct prn_error *error)
{
	for (;;) {
		const unsigned char *bytes, *end;
		size_t length;
		int code = peek_line(arc, &bytes, &length, error);

		if (code || !length)
			return code;
		if (is_header(arc, bytes, length))
			return 1;
		end = memchr(bytes, '\n', length);
		prn_stream_take(arc->stream, end ? (size_t)(end - bytes) + 1 : length);
	}
}

static void claim(struct arc *arc)
{
	uint64_t end = arc->claimed < UINT64_MAX - arc->from ? arc->from + arc->claimed : UINT64_MAX;

	if (arc->bad)
		prn_span_claim_unknown(&arc->span, arc->stream, end, NULL, false);
	else
		prn_span_claim(&arc->span, arc->stream, end, arc->url, false);
}

/*
 * Searches the rest of the member.  Where each record is a member of its own, what looks like one there is text of the damaged
 * record's page: then it is only passed.
 */
static int search_member(struct arc *arc, struct prn_error *error)
{
	uint64_t member = prn_stream_member(arc->stream);
	const unsigned char *bytes;
	size_t length = 1;
	int code = 0;

	if (prn_stream_is_plain(arc->stream) || member == arc->first || member == arc->gave)
		return find_header(arc, error);
	while (!code && length) {
		code = prn_stream_peek(arc->stream, 1, &bytes, &length, error);
		if (!code)
			prn_stream_take(arc->stream, length);
	}
	return code;
}

/* After damage: moves to the next record, or ends the source. code is the error. */
static int resync(struct arc *arc, int code, struct prn_error *error)
{
	struct prn_error other = { 0 };
	int found = 0;

	if (arc->claims && prn_stream_is_plain(arc->stream))
		claim(arc);
	arc->claims = arc->bad = false;
	arc->left = 0;
	if (code != PRN_E_INPUT && code != PRN_E_TRUNCATED) {
		arc->ended = true;
		return code;
	}
	if (prn_stream_is_plain(arc->stream))
		prn_stream_rewind(arc->stream, arc->from);
	found = search_member(arc, &other);
	if (!found)
		found = prn_stream_next_member(arc->stream, &other);
	if (found == PRN_E_INPUT || found == PRN_E_TRUNCATED)
		found = prn_stream_resync(arc->stream, prn_arc_header_starts, &other);
	arc->ended = found <= 0;
	if (found < 0 && error)
		*error = other;
	if (found > 0 && code == PRN_E_TRUNCATED && error)
		error->code = PRN_E_INPUT;
	return found < 0 ? found : found ? PRN_E_INPUT : code;
}

/* Skips line ends to the start of a record, in this member or a later one: 1, or 0 at the end. */
static int find_start(struct arc *arc, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;

	for (unsigned n = 0;; n++) {
		int code = 1;

		/* What was lost before is told by who asks for the record. */
		while (code > 0 && !(code = prn_stream_peek(arc->stream, 1, &bytes, &length, error)) && !length)
			code = prn_stream_next_member(arc->stream, error);
		if (code < 0 || !length)
			return code;
		if (n == NEWLINES_MAX || (*bytes != '\n' && *bytes != '\r'))
			return 1;
		prn_stream_take(arc->stream, 1);
	}
}

/* Reads a line into arc->line, without its '\n'. */
static int read_line(struct arc *arc, struct prn_error *error)
{
	const unsigned char *bytes, *end = NULL;

	prn_buffer_clear(&arc->line);
	while (!end) {
		size_t length;
		int code = prn_stream_peek(arc->stream, 1, &bytes, &length, error);

		if (code)
			return code;
		end = memchr(bytes, '\n', length);
		if (!length)
			return fault(arc, error, PRN_E_TRUNCATED, "it ends inside its first line");
		if (prn_buffer_append(&arc->line, bytes, end ? (size_t)(end - bytes) : length))
			return prn_error_memory(error);
		prn_stream_take(arc->stream, end ? (size_t)(end - bytes) + 1 : length);
		if (arc->line.length > PRN_ARC_LINE_PASSED)
			return fault(arc, error, PRN_E_INPUT, TOO_LONG);
	}
	return prn_buffer_terminate(&arc->line) ? prn_error_memory(error) : 0;
}

/* Tells whether a record's line is at hand, though it may be bad, or the end of the file or the member. */
static bool is_between(struct arc *arc)
{
	const unsigned char *bytes, *end;
	uint64_t claimed;
	size_t length;

	for (unsigned n = 0; n < NEWLINES_MAX; n++) {
		if (prn_stream_peek(arc->stream, 1, &bytes, &length, NULL))
			return false;
		if (!length || (*bytes != '\n' && *bytes != '\r'))
			break;
		prn_stream_take(arc->stream, 1);
	}
	if (!length)
		return true;
	if (peek_line(arc, &bytes, &length, NULL))
		return false;
	end = memchr(bytes, '\n', length);
	return end ? prn_arc_header_claims(bytes, (size_t)(end - bytes), &claimed)
	           : length >= PRN_ARC_LINE_BYTES && prn_arc_header_starts(bytes, length);
}

/*
 * A record with a bad line is passed by its length where that can be read, and leads to the next one: within it there may be
 * what looks like a record.
 */
static int pass_bad(struct arc *arc, const char *wrong, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length = 1;
	int code = 0;

	fault(arc, error, PRN_E_INPUT, wrong);
	if (!prn_arc_header_claims(arc->line.data, arc->line.length, &arc->claimed))
		return PRN_E_INPUT;
	arc->claims = arc->bad = true;
	arc->left = arc->claimed - prn_stream_pass(arc->stream, arc->claimed);
	while (arc->left && length && !code) {
		code = prn_stream_peek(arc->stream, 1, &bytes, &length, NULL);
		if (!code) {
			length = length < arc->left ? length : (size_t)arc->left;
			prn_stream_take(arc->stream, length);
			arc->left -= length;
		}
	}
	arc->behind = !code && !arc->left && is_between(arc);
	if (arc->behind)
		arc->claims = arc->bad = false;
	return PRN_E_INPUT;
}

/* Reads the line of the next record: 1, or 0 at the end. */
static int next_header(struct arc *arc, struct prn_arc_header *header, struct prn_error *error)
{
	uint64_t before = arc->member;
	int code;

	arc->url = NULL;
	code = find_start(arc, error);
	arc->member = prn_stream_member(arc->stream);
	arc->position = arc->from = prn_stream_position(arc->stream);
	if (prn_stream_had_zeros(arc->stream, error)) {
		prn_error_prefix(error, "%s", arc->path);
		arc->behind = true;
		return PRN_E_INPUT;
	}
	if (!code)
		return 0;
	if (arc->whole && before == arc->member)
		arc->gave = arc->member;
	arc->whole = false;
	if (code > 0)
		code = read_line(arc, error);
	else
		prn_error_prefix(error, "%s", arc->path);
	arc->from = prn_stream_position(arc->stream);
	if (code)
		return code;
	if (arc->line.length >= PRN_ARC_LINE_BYTES)
		return pass_bad(arc, TOO_LONG, error);
	/* The line itself stays as it is, for what it claims. */
	memcpy(arc->text, arc->line.data, arc->line.length);
	if (!prn_arc_header_parse(header, arc->text, arc->line.length))
		return pass_bad(arc, "it does not begin with URL, IP address, date, media type and length", error);
	if (prn_stream_is_plain(arc->stream) && !prn_span_believes(&arc->span, arc->position, header->url))
		return fault(arc, error, PRN_E_INPUT, "it stands within a damaged one of another host, and is not believed");
	arc->url = header->url;
	arc->left = arc->claimed = header->length;
	arc->claims = true;
	arc->came = 0;
	return 1;
}

/*
 * Reads the block and keeps up to limit bytes of it.  It must be followed by a line end, another record or the
 * end of the file.
 */
static int read_block(struct arc *arc, size_t limit, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;
	int code = 0;

	prn_buffer_clear(&arc->block);
	while (arc->left && !code) {
		code = prn_stream_peek(arc->stream, 1, &bytes, &length, error);
		if (code)
			locate(arc, error);
		else if (!length)
			code = fault(arc, error, PRN_E_TRUNCATED, "the file or its member ends inside it");
		if (code)
			break;
		length = length < arc->left ? length : (size_t)arc->left;
		if (arc->block.length < limit &&
		    prn_buffer_append(&arc->block, bytes, length < limit - arc->block.length ? length : limit - arc->block.length))
			return prn_error_memory(error);
		prn_stream_take(arc->stream, length);
		arc->left -= length;
		arc->came += length;
	}
	if (!code && !peek_line(arc, &bytes, &length, NULL) && length && *bytes != '\n' && *bytes != '\r' && !is_header(arc, bytes, length))
		code = fault(arc, error, PRN_E_INPUT, "no record follows where it ends: its length is wrong");
	arc->claims = code;
	arc->whole = !code;
	return code;
}

/* Makes a capture of the block: a whole answer, or a body alone, as the first crawlers stored it. */
static int read_capture(struct arc *arc, const struct prn_arc_header *header, bool cut, struct prn_capture *capture,
                        struct prn_error *error)
{
	size_t limit = arc->reading->options.body_bytes_max;
	bool more = cut || arc->came > arc->block.length, is_answer;
	struct prn_error why = { 0 };
	int code;

	if (prn_buffer_reserve(&arc->block, 1))
		return prn_error_memory(error);
	is_answer = arc->block.length >= 5 && !prn_ascii_compare_n((char *)arc->block.data, "HTTP/", 5);
	if (is_answer) {
		code = prn_http_capture_message(capture, arc->decoder, arc->block.data, arc->block.length, more, limit, &why);
		if (code == PRN_E_MEMORY)
			return prn_error_memory(error);
		if (code) {
			locate(arc, &why);
			prn_reading_skip(arc->reading, &arc->reading->counts.unread, &why);
			capture->kind = PRN_KIND_ERROR;
		}
	} else {
		capture->kind = PRN_KIND_CONTENT;
		capture->content_type = header->media;
		capture->body_bytes = arc->block.length < limit ? arc->block.length : limit;
		capture->truncated = more || capture->body_bytes < arc->block.length;
		if (capture->body_bytes)
			capture->body = arc->block.data;
	}
	return 0;
}

/* Tells whether the record is wanted: 1 with its time in *header, 0 if it is skipped and counted. */
static int identify(struct arc *arc, const struct prn_arc_header *header, struct prn_error *error)
{
	struct prn_reading *reading = arc->reading;
	int code = prn_url_normalize(header->url, SIZE_MAX, arc->normal, sizeof arc->normal);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code && prn_url_has_other_scheme(header->url)) {
		prn_reading_ignore(reading, header->url, strcspn(header->url, ":") + 1);
		return 0;
	}
	if (code) {
		struct prn_error why;

		fault(arc, &why, PRN_E_INPUT, "its URL is malformed or longer than 8192 bytes");
		prn_reading_skip(reading, &reading->counts.damaged, &why);
		return 0;
	}
	if (prn_filter_capture(&reading->options.filter, arc->normal, header->time, NULL))
		return 1;
	reading->counts.filtered++;
	return 0;
}

/*
 * After a truncated record: moves to the next one.  The block ends there if its length reached beyond it.
 * Reports the truncation.  If no record follows, the source ends with this error after the capture.
 */
static void end_block(struct arc *arc, struct prn_error *error)
{
	struct prn_source_counts *counts = &arc->reading->counts;
	struct prn_error why = *error;
	uint64_t member = prn_stream_member(arc->stream), there;
	int code = resync(arc, why.code, &why);

	there = prn_stream_position(arc->stream) - arc->from;
	if (code == PRN_E_INPUT && prn_stream_member(arc->stream) == member && there < arc->block.length)
		arc->block.length = (size_t)there;
	if (code == PRN_E_INPUT)
		prn_reading_skip(arc->reading, &counts->damaged, &why);
	else
		arc->cut = why;
}

/* Turns a record into a capture: 1, or 0 if it is left out. */
static int take_record(struct arc *arc, const struct prn_arc_header *header, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = arc->reading;
	int code = identify(arc, header, error), ended;

	if (code < 0)
		return code;
	if (!code) {
		arc->left -= prn_stream_pass(arc->stream, arc->left);
		return read_block(arc, 0, error);
	}
	ended = read_block(arc, prn_http_stored_limit(reading->options.body_bytes_max), error);
	/* The body of a truncated record is a truncated body. */
	if (ended && (ended != PRN_E_TRUNCATED || !prn_http_head_length(arc->block.data, arc->block.length)))
		return ended;
	if (ended)
		end_block(arc, error);
	prn_capture_init(capture, header->url, arc->normal, header->time, PRN_KIND_ERROR);
	prn_capture_set_address(capture, header->address);
	code = read_capture(arc, header, ended, capture, error);
	if (code)
		return code;
	if (capture->kind == PRN_KIND_CONTENT && !prn_reading_wants_media(reading, capture->content_type))
		return 0;
	/* A record that the end of the file cuts off counts as a transfer that was interrupted. */
	if (arc->cut.code && capture->kind == PRN_KIND_CONTENT && capture->truncated)
		capture->kind = PRN_KIND_ERROR;
	reading->counts.cut += capture->truncated && !ended;
	return 1;
}

static int arc_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct arc *arc = reader;
	struct prn_source_counts *counts = &arc->reading->counts;
	int code;

	while (!arc->ended) {
		struct prn_error why = { 0 };
		struct prn_arc_header header;

		code = next_header(arc, &header, &why);
		arc->ended = !code;
		counts->records += code == 1;
		if (code == 1)
			code = take_record(arc, &header, capture, &why);
		counts->input_bytes = prn_stream_input_bytes(arc->stream);
		if (code < 0 && !arc->behind)
			code = resync(arc, code, &why);
		arc->behind = false;
		if (code == PRN_E_INPUT)
			prn_reading_skip(arc->reading, &counts->damaged, &why);
		else if (code < 0 && error)
			*error = why;
		if (code && code != PRN_E_INPUT)
			return code;
	}
	if (arc->cut.code && error)
		*error = arc->cut;
	code = arc->cut.code;
	arc->cut.code = 0;
	return code;
}

const struct prn_reader prn_reader_arc = { .next = arc_next, .free = arc_free };
