#include "archive/filter.h"
#include "archive/http_capture.h"
#include "archive/payload.h"
#include "archive/reader.h"
#include "archive/warc.h"
#include "archive/warc_digests.h"
#include "archive/warc_header.h"
#include "base/ascii.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_TAKEN 4096 /* bytes of a block that are read at a time in search of the end of the HTTP head */

/* A WARC file as a source: records become captures. */
struct archive {
	struct prn_reading *reading;
	struct prn_warc *warc;
	struct prn_http_decoder *decoder;
	struct prn_buffer head, body;
	bool has_originals;                /* a response, resource or revisit was found: conversions were made of these */
	bool more;                         /* the block has bytes that are not in body */
	uint64_t came;                     /* bytes of the body, including those not in body */
	char normal[PRN_URL_BYTES + 1];    /* normal form of the current record's URL */
	char refers_to[PRN_URL_BYTES + 1]; /* normal form of the URL that it refers to */
	struct prn_digest payload;         /* its digest, if it has one */
	struct prn_warc_digest block_sum, payload_sum; /* digests of what was read, to compare with the header's */
	bool is_partial;                   /* the current record is incomplete, */
	struct prn_error cut;              /* … and if code is not 0, the file ends with it */
};

static void archive_free(void *reader)
{
	struct archive *archive = reader;

	prn_warc_free(archive->warc);
	prn_http_decoder_free(archive->decoder);
	prn_buffer_release(&archive->head);
	prn_buffer_release(&archive->body);
	prn_warc_digest_release(&archive->block_sum);
	prn_warc_digest_release(&archive->payload_sum);
	free(archive);
}

int prn_archive_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                          struct prn_error *error)
{
	struct archive *archive = calloc(1, sizeof *archive);
	int code;

	if (!archive || prn_http_decoder_open(&archive->decoder)) {
		prn_stream_free(stream);
		free(archive);
		return prn_error_memory(error);
	}
	archive->reading = reading;
	code = prn_warc_open_take(&archive->warc, stream, path, error);
	if (code)
		archive_free(archive);
	else
		*out = archive;
	return code;
}

static int damaged(struct archive *archive, struct prn_error *error, const char *text)
{
	prn_error_set(error, PRN_E_INPUT, "%s", text);
	prn_warc_locate(archive->warc, error);
	return PRN_E_INPUT;
}

/* Finds the capture's page, time and payload digest (NULL: none): 1 if the filter wants it, 0 if it is left out. */
static int identify(struct archive *archive, const struct prn_warc_record *record, int64_t *time,
                    const struct prn_digest **payload, struct prn_error *error)
{
	struct prn_reading *reading = archive->reading;
	const char *uri = record->target_uri;
	int code;

	if (!uri)
		return damaged(archive, error, "it has no WARC-Target-URI");
	code = prn_url_normalize(uri, SIZE_MAX, archive->normal, sizeof archive->normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		size_t scheme = strcspn(uri, ":/?# ");

		if (!prn_ascii_compare_n(uri, "http://", 7) || !prn_ascii_compare_n(uri, "https://", 8))
			return damaged(archive, error, "its WARC-Target-URI is malformed or longer than 8192 bytes");
		/* Ignored URIs are counted by their scheme with its colon, or by how they begin. */
		prn_reading_ignore(reading, uri, scheme + (uri[scheme] == ':'));
		return 0;
	}
	if (!record->date || !prn_warc_date_parse(record->date, time))
		return damaged(archive, error, "its WARC-Date is missing or malformed");
	*payload = NULL;
	if (record->payload_digest && prn_payload_digest(record->payload_digest, &archive->payload))
		*payload = &archive->payload;
	if (prn_filter_capture(&reading->options.filter, archive->normal, *time, *payload))
		return 1;
	reading->counts.filtered++;
	return 0;
}

/* Adds bytes of the block to body, up to limit. */
static int keep(struct archive *archive, const unsigned char *bytes, size_t length, size_t limit,
                struct prn_error *error)
{
	size_t room = limit - archive->body.length;

	prn_warc_digest_add(&archive->payload_sum, bytes, length);
	archive->came += length;
	if (length > room) {
		archive->more = true;
		length = room;
	}
	return prn_buffer_append(&archive->body, bytes, length) ? prn_error_memory(error) : 0;
}

/* Reads a piece of the block. */
static int read_piece(struct archive *archive, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	int code = prn_warc_block(archive->warc, bytes, length, error);

	if (code > 0)
		prn_warc_digest_add(&archive->block_sum, *bytes, *length);
	return code;
}

/* Reads the rest of the block, which also verifies it. */
static int read_rest(struct archive *archive, size_t limit, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;
	int code;

	while ((code = read_piece(archive, &bytes, &length, error)) > 0) {
		code = keep(archive, bytes, length, limit, error);
		if (code)
			break;
	}
	return code;
}

/*
 * Tells whether a record whose block cannot be read to its end, and whose HTTP head has head_bytes, is a
 * capture nevertheless.  In that case the error is reported now, or at the end of the file, and body has the
 * good bytes.
 */
static bool is_capture_in_part(struct archive *archive, int code, size_t head_bytes, const struct prn_error *why)
{
	uint64_t good;

	if ((code != PRN_E_INPUT && code != PRN_E_TRUNCATED) || !prn_warc_partial(archive->warc, &good) || good <= head_bytes)
		return false;
	good -= head_bytes;
	if (archive->body.length > good)
		archive->body.length = (size_t)good;
	if (archive->came > good)
		archive->came = good;
	archive->is_partial = true;
	if (code == PRN_E_TRUNCATED)
		archive->cut = *why;
	else
		prn_reading_skip(archive->reading, &archive->reading->counts.damaged, why);
	return true;
}

/* A record that the end of the file cuts off is an interrupted transfer; else the body read so far is content. */
static enum prn_kind kind_in_part(const struct archive *archive, enum prn_kind kind)
{
	return archive->cut.code && kind == PRN_KIND_CONTENT ? PRN_KIND_ERROR : kind;
}

/* Advances *bytes past the part that belongs to the HTTP head: 1 when the head is complete, 0 when more is needed. */
static int take_head(struct archive *archive, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	struct prn_buffer *head = &archive->head;

	while (*length) {
		size_t old = head->length, most = old > HEAD_TAKEN ? old : HEAD_TAKEN;
		size_t taken = *length < most ? *length : most, end;

		if (prn_buffer_append(head, *bytes, taken))
			return prn_error_memory(error);
		end = prn_http_head_length(head->data, head->length);
		if ((end ? end : head->length) > PRN_HTTP_HEAD_BYTES) {
			prn_buffer_clear(head);
			return 1;
		}
		if (end) {
			taken = end - old;
			head->length = end;
		}
		*bytes += taken;
		*length -= taken;
		if (end)
			return 1;
	}
	return 0;
}

/* Reads the HTTP head; the bytes of the body that come with it are kept. */
static int read_head(struct archive *archive, size_t limit, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;
	int code, whole = 0;

	prn_buffer_clear(&archive->head);
	prn_buffer_clear(&archive->body);
	archive->more = false;
	archive->came = 0;
	while (!whole) {
		code = read_piece(archive, &bytes, &length, error);
		if (code < 0)
			return code;
		if (!code)
			break;
		whole = take_head(archive, &bytes, &length, error);
		if (whole < 0)
			return whole;
		code = keep(archive, bytes, length, limit, error);
		if (code)
			return code;
	}
	return prn_buffer_terminate(&archive->head) ? prn_error_memory(error) : 0;
}

/* Turns the capture into an error, and reports why. */
static void fail_capture(struct archive *archive, struct prn_capture *capture, struct prn_error *why)
{
	prn_warc_locate(archive->warc, why);
	prn_reading_skip(archive->reading, &archive->reading->counts.unread, why);
	capture->kind = PRN_KIND_ERROR;
}

static void report_mismatch(struct archive *archive, const char *text)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%s; it is taken as it is", text);
	prn_warc_locate(archive->warc, &why);
	prn_reading_skip(archive->reading, &archive->reading->counts.mismatched, &why);
}

/* A wrong digest must not give a revisit the body of another page. */
static void not_its_payload(struct archive *archive, struct prn_capture *capture)
{
	report_mismatch(archive, "its WARC-Payload-Digest is not that of its payload");
	capture->has_payload_digest = false;
}

/*
 * Compares the record's digests with what was read: tells whether that of the payload is right, or may still be
 * that of the decoded payload.
 */
static bool check_digests(struct archive *archive)
{
	if (archive->is_partial)
		return true;
	if (!prn_warc_digest_holds(&archive->block_sum))
		report_mismatch(archive, "its WARC-Block-Digest is not that of its block");
	return prn_warc_digest_holds(&archive->payload_sum);
}

/* Removes the last coding of head if it is "chunked" and decodes it: *body is the result. */
static int undo_chunks(struct archive *archive, struct prn_http_head *head, struct prn_http_body *body, struct prn_error *error)
{
	struct prn_http_head chunked = *head;

	if (!head->coding_count || head->codings[head->coding_count - 1] != PRN_HTTP_CHUNKED)
		return 0;
	chunked.coding_count = 1;
	chunked.codings[0] = PRN_HTTP_CHUNKED;
	head->coding_count--;
	head->content_length = PRN_HTTP_LENGTH_UNKNOWN;
	return prn_http_decode(archive->decoder, &chunked, body, body->length, error);
}

/* Sets the body of a capture whose head was read. */
static int decode_body(struct archive *archive, const struct prn_http_head *head, struct prn_capture *capture,
                       bool cut, struct prn_error *error)
{
	struct prn_http_body body = { archive->body.data, archive->body.length, cut || archive->more, false };
	bool is_right = check_digests(archive) || (archive->more && head->coding_count);
	struct prn_http_head left = *head;
	struct prn_error why = { 0 };
	int code = is_right ? 0 : undo_chunks(archive, &left, &body, &why);

	if (!code && !is_right)
		is_right = prn_warc_digest_is_of(&archive->payload_sum, body.bytes, body.length);
	if (!code)
		code = prn_http_capture_body(capture, archive->decoder, &left, &body,
		                             archive->reading->options.body_bytes_max, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code == PRN_E_TRUNCATED)
		capture->kind = PRN_KIND_ERROR;
	else if (code)
		fail_capture(archive, capture, &why);
	if (!is_right && !(capture->kind == PRN_KIND_CONTENT &&
	                   ((capture->truncated && head->coding_count) || prn_warc_digest_is_of(&archive->payload_sum, capture->body, capture->body_bytes))))
		not_its_payload(archive, capture);
	return 0;
}

/* "length" means cut on purpose; any other reason (time, disconnect, unspecified) is a transfer that failed. */
static bool is_cut_by_length(const struct prn_warc_record *record)
{
	return record->truncated && !prn_ascii_compare(record->truncated, "length");
}

static bool is_broken(const struct prn_warc_record *record)
{
	return record->truncated && *record->truncated && !is_cut_by_length(record);
}

/* Turns a response into a capture: 1, or 0 if its media type is not wanted. */
static int read_response(struct archive *archive, const struct prn_warc_record *record, struct prn_capture *capture,
                         struct prn_error *error)
{
	struct prn_error why = { 0 };
	struct prn_http_head head;
	size_t limit = prn_http_stored_limit(archive->reading->options.body_bytes_max);
	int parsed, code = read_head(archive, limit, error);

	if (code)
		return code;
	parsed = prn_http_head_parse(&head, archive->head.data, archive->head.length);
	if (!parsed)
		prn_http_capture_head(capture, &head);
	if (!parsed && capture->kind == PRN_KIND_CONTENT &&
	    !prn_reading_wants_media(archive->reading, capture->content_type))
		return 0;
	code = read_rest(archive, limit, error);
	if (code && (parsed || !is_capture_in_part(archive, code, archive->head.length, error)))
		return code;
	code = 0;
	capture->truncated = archive->is_partial;
	if (parsed) {
		prn_error_set(&why, parsed, "%s", prn_http_head_fault(parsed));
		fail_capture(archive, capture, &why);
	} else if (record->segment) {
		prn_error_set(&why, PRN_E_UNSUPPORTED, "it is a part of a record, and parts (WARC-Segment-Number) are not joined");
		fail_capture(archive, capture, &why);
	} else if (is_broken(record)) {
		capture->kind = PRN_KIND_ERROR;
	} else if (capture->kind == PRN_KIND_CONTENT && head.status != 204) {
		code = decode_body(archive, &head, capture, archive->is_partial || is_cut_by_length(record), error);
	} else if (!check_digests(archive) && !head.coding_count) {
		not_its_payload(archive, capture);
	}
	if (capture->truncated)
		capture->kind = kind_in_part(archive, capture->kind);
	if (capture->kind != PRN_KIND_CONTENT)
		capture->ignored_bytes = archive->came;
	return code ? code : 1;
}

/* A resource was stored without HTTP: its content type is the record's. */
static int read_resource(struct archive *archive, const struct prn_warc_record *record, struct prn_capture *capture,
                         struct prn_error *error)
{
	size_t limit = archive->reading->options.body_bytes_max;
	int code;

	if (record->content_type && *record->content_type)
		capture->content_type = record->content_type;
	if (!prn_reading_wants_media(archive->reading, capture->content_type))
		return 0;
	prn_buffer_clear(&archive->body);
	archive->more = false;
	code = read_rest(archive, limit, error);
	if (code && !is_capture_in_part(archive, code, 0, error))
		return code;
	if (!check_digests(archive))
		not_its_payload(archive, capture);
	capture->kind = is_broken(record) || record->segment ? PRN_KIND_ERROR : kind_in_part(archive, PRN_KIND_CONTENT);
	if (capture->kind == PRN_KIND_CONTENT && archive->body.length) {
		capture->body = archive->body.data;
		capture->body_bytes = archive->body.length;
	}
	capture->truncated = archive->is_partial || archive->more || is_cut_by_length(record);
	return 1;
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

/* The URIs of WARC 1.0 and 1.1, and those with "uri-agnostic-…", differ only before this end. */
static enum prn_revisit revisit_of(const char *profile)
{
	if (profile && ends_in(profile, "identical-payload-digest"))
		return PRN_REVISIT_IDENTICAL;
	if (profile && ends_in(profile, "/server-not-modified"))
		return PRN_REVISIT_NOT_MODIFIED;
	return PRN_REVISIT_NONE;
}

static int read_revisit(struct archive *archive, const struct prn_warc_record *record, struct prn_capture *capture,
                        struct prn_error *error)
{
	struct prn_http_head head;
	int code = read_head(archive, 0, error), refers = PRN_E_INPUT;

	capture->revisit = revisit_of(record->profile);
	if (!code)
		code = read_rest(archive, 0, error);
	if (code)
		return code;
	check_digests(archive);
	if (!capture->revisit)
		return damaged(archive, error, "its WARC-Profile is not known: identical-payload-digest and "
		                               "server-not-modified are");
	capture->kind = PRN_KIND_CONTENT;
	if (archive->head.length && !prn_http_head_parse(&head, archive->head.data, archive->head.length))
		prn_http_capture_head(capture, &head);
	capture->refers_to_url = archive->normal;
	if (record->refers_to_uri)
		refers = prn_url_normalize(record->refers_to_uri, SIZE_MAX, archive->refers_to, sizeof archive->refers_to);
	if (refers == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (!refers)
		capture->refers_to_url = archive->refers_to;
	if (record->refers_to_date)
		prn_warc_date_parse(record->refers_to_date, &capture->refers_to_time);
	if (capture->revisit == PRN_REVISIT_NOT_MODIFIED) {
		capture->kind = PRN_KIND_SAME;
		capture->body_bytes = 0;
	}
	if (capture->kind == PRN_KIND_REDIRECT && capture->body_bytes)
		capture->revisit = PRN_REVISIT_NONE, capture->refers_to_url = NULL;
	return capture->kind != PRN_KIND_CONTENT || prn_reading_wants_media(archive->reading, capture->content_type);
}

/* The payload digest of a revisit is that of another record, and that of a segment is that of the whole. */
static int begin_digests(struct archive *archive, const struct prn_warc_record *record)
{
	enum prn_digests digests = archive->reading->options.digests;
	bool checked = digests == PRN_DIGESTS_CHECK || (digests == PRN_DIGESTS_PLAIN && prn_warc_is_plain(archive->warc));
	bool has_payload = record->type != PRN_WARC_REVISIT && !record->segment;
	int code = prn_warc_digest_begin(&archive->block_sum, checked ? record->block_digest : NULL);

	return code ? code : prn_warc_digest_begin(&archive->payload_sum, checked && has_payload ? record->payload_digest : NULL);
}

/* Turns a record into a capture: 1, or 0 if it is left out (and counted). */
static int read_record(struct archive *archive, const struct prn_warc_record *record, struct prn_capture *capture,
                       struct prn_error *error)
{
	const struct prn_digest *payload = NULL;
	struct prn_capture read;
	int64_t time;
	int code = identify(archive, record, &time, &payload, error);

	if (code <= 0)
		return code;
	prn_capture_init(&read, record->target_uri, archive->normal, time, PRN_KIND_ERROR);
	if (record->address)
		prn_capture_set_address(&read, record->address);
	if (payload) {
		read.has_payload_digest = true;
		read.payload_digest = *payload;
	}
	if (begin_digests(archive, record))
		return prn_error_memory(error);
	if (record->type == PRN_WARC_RESPONSE)
		code = read_response(archive, record, &read, error);
	else if (record->type == PRN_WARC_RESOURCE || record->type == PRN_WARC_CONVERSION)
		code = read_resource(archive, record, &read, error);
	else
		code = read_revisit(archive, record, &read, error);
	archive->reading->counts.cut += code == 1 && read.truncated && !archive->is_partial;
	archive->reading->counts.shortened += code == 1 && read.truncated && !archive->is_partial && is_cut_by_length(record);
	archive->reading->counts.zoneless += code == 1 && prn_time_is_zoneless(record->date);
	if (code == 1)
		*capture = read;
	return code;
}

/* Texts extracted from pages (conversions) stand in for the pages in files without the originals, as in WET files. */
static bool brings_capture(struct archive *archive, const struct prn_warc_record *record)
{
	if (record->type == PRN_WARC_CONVERSION)
		return !archive->has_originals;
	archive->has_originals |= record->type != PRN_WARC_OTHER;
	return record->type != PRN_WARC_OTHER;
}

static int archive_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct archive *archive = reader;
	struct prn_source_counts *counts = &archive->reading->counts;

	archive->is_partial = false;
	while (!archive->cut.code) {
		struct prn_error why = { 0 };
		struct prn_warc_record record;
		int code = prn_warc_next(archive->warc, &record, &why);

		counts->records += code == 1;
		if (code == 1 && !brings_capture(archive, &record)) {
			prn_reading_ignore(archive->reading, record.type_name, strlen(record.type_name));
			continue;
		}
		if (code == 1)
			code = read_record(archive, &record, capture, &why);
		else if (!code)
			code = 2;
		counts->input_bytes = prn_warc_input_bytes(archive->warc);
		if (code == PRN_E_INPUT)
			prn_reading_skip(archive->reading, &counts->damaged, &why);
		else if (code < 0 && error)
			*error = why;
		if (code && code != PRN_E_INPUT)
			return code == 2 ? 0 : code;
		archive->is_partial = false;
	}
	if (error)
		*error = archive->cut;
	return archive->cut.code;
}

static struct prn_buffer *archive_body(void *reader)
{
	struct archive *archive = reader;

	return &archive->body;
}

const struct prn_reader prn_reader_archive = { .next = archive_next, .free = archive_free, .body = archive_body };
