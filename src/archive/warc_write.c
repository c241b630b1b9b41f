#include "archive/warc_write.h"

#include "base/buffer.h"
#include "base/output.h"
#include "perennial/digest.h"
#include "perennial/time.h"
#include "perennial/version.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LEVEL 5
#define WINDOW_GZIP (15 + 16)
#define IDENTICAL "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

struct prn_warc_writer {
	struct prn_output output;
	struct prn_buffer record, http, packed;
	z_stream zlib;
	bool gzip, has_zlib;
};

__attribute__((format(printf, 2, 3))) static int append(struct prn_buffer *out, const char *format, ...)
{
	va_list list;
	char *text;
	int length, code;

	va_start(list, format);
	length = vasprintf(&text, format, list);
	va_end(list);
	if (length < 0)
		return PRN_E_MEMORY;
	code = prn_buffer_append(out, text, (size_t)length);
	free(text);
	return code;
}

static int pack(struct prn_warc_writer *writer, struct prn_error *error)
{
	struct prn_buffer *in = &writer->record, *out = &writer->packed;
	z_stream *zlib = &writer->zlib;
	size_t bound;

	if (deflateReset(zlib) != Z_OK || in->length > UINT32_MAX / 2)
		return prn_error_set(error, PRN_E_LIMIT, "a record of %zu bytes is too long to write", in->length);
	bound = deflateBound(zlib, (uLong)in->length);
	prn_buffer_clear(out);
	if (prn_buffer_reserve(out, bound))
		return prn_error_memory(error);
	zlib->next_in = in->data;
	zlib->avail_in = (uInt)in->length;
	zlib->next_out = out->data;
	zlib->avail_out = (uInt)bound;
	if (deflate(zlib, Z_FINISH) != Z_STREAM_END)
		return prn_error_memory(error);
	out->length = bound - zlib->avail_out;
	return 0;
}

/* Writes writer->record. */
static int put_record(struct prn_warc_writer *writer, struct prn_error *error)
{
	int code;

	if (!writer->gzip)
		return prn_output_write(&writer->output, writer->record.data, writer->record.length, error);
	code = pack(writer, error);
	return code ? code : prn_output_write(&writer->output, writer->packed.data, writer->packed.length, error);
}

/* Writes the fields that every record has.  The id is a digest in the form of a UUID. */
static int begin(struct prn_buffer *out, const char *type, const char *url, int64_t time)
{
	char date[PRN_TIME_TEXT];
	struct prn_digest id;
	int code;

	prn_time_format(time, date);
	prn_buffer_clear(out);
	code = append(out, "%s %s %s", type, date, url);
	if (code)
		return code;
	id = prn_digest_bytes(out->data, out->length);
	prn_buffer_clear(out);
	return append(out,
	              "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%08llx-%04llx-%04llx-%04llx-%012llx>\r\n"
	              "WARC-Date: %s\r\n",
	              type, (unsigned long long)(id.high >> 32), (unsigned long long)(id.high >> 16 & 0xffff),
	              (unsigned long long)(id.high & 0xffff), (unsigned long long)(id.low >> 48),
	              (unsigned long long)(id.low & 0xffffffffffff), date);
}

static int put_about(struct prn_warc_writer *writer, const char *about, struct prn_error *error)
{
	struct prn_buffer *out = &writer->record;
	size_t length = strlen("software: perennial " PRN_VERSION_TEXT "\r\ndescription: \r\n") + strlen(about);
	int code = begin(out, "warcinfo", about, 0);

	code = code ? code : append(out, "Content-Type: application/warc-fields\r\nContent-Length: %zu\r\n\r\n", length);
	code = code ? code
	            : append(out, "software: perennial " PRN_VERSION_TEXT "\r\ndescription: %s\r\n\r\n\r\n", about);
	return code ? prn_error_memory(error) : put_record(writer, error);
}

int prn_warc_writer_open(struct prn_warc_writer **out, const char *path, const char *about, struct prn_error *error)
{
	struct prn_warc_writer *writer = calloc(1, sizeof *writer);
	size_t length = strlen(path);
	int code = 0;

	if (!writer)
		return prn_error_memory(error);
	writer->gzip = length > 3 && !strcmp(path + length - 3, ".gz");
	if (writer->gzip) {
		writer->has_zlib =
			deflateInit2(&writer->zlib, LEVEL, Z_DEFLATED, WINDOW_GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK;
		code = writer->has_zlib ? 0 : prn_error_memory(error);
	}
	if (!code)
		code = prn_output_open(&writer->output, path, error);
	if (!code)
		code = put_about(writer, about, error);
	if (code) {
		prn_warc_writer_free(writer);
		return code;
	}
	*out = writer;
	return 0;
}

int prn_warc_writer_add(struct prn_warc_writer *writer, const struct prn_warc_capture *capture, struct prn_error *error)
{
	bool revisit = capture->refers_time != PRN_TIME_UNKNOWN;
	struct prn_digest digest = prn_digest_bytes(capture->body, capture->body_bytes);
	struct prn_buffer *out = &writer->record;
	char date[PRN_TIME_TEXT];
	int code = begin(out, revisit ? "revisit" : "response", capture->url, capture->time);

	prn_buffer_clear(&writer->http);
	code = code ? code
	            : append(&writer->http, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", capture->content_type,
	                     capture->body_bytes);
	if (!revisit && !code)
		code = prn_buffer_append(&writer->http, capture->body, capture->body_bytes);
	code = code ? code
	            : append(out, "WARC-Target-URI: %s\r\nWARC-Payload-Digest: xxh128:%016llx%016llx\r\n", capture->url,
	                     (unsigned long long)digest.high, (unsigned long long)digest.low);
	if (revisit && !code)
		code = append(out, "WARC-Profile: " IDENTICAL "\r\nWARC-Refers-To-Target-URI: %s\r\nWARC-Refers-To-Date: %s\r\n",
		              capture->url, prn_time_format(capture->refers_time, date));
	code = code ? code
	            : append(out, "Content-Type: application/http;msgtype=response\r\nContent-Length: %zu\r\n\r\n",
	                     writer->http.length);
	code = code ? code : prn_buffer_append(out, writer->http.data, writer->http.length);
	code = code ? code : append(out, "\r\n\r\n");
	return code ? prn_error_memory(error) : put_record(writer, error);
}

int prn_warc_writer_close(struct prn_warc_writer *writer, struct prn_error *error)
{
	int code = prn_output_commit(&writer->output, error);

	prn_warc_writer_free(writer);
	return code;
}

void prn_warc_writer_free(struct prn_warc_writer *writer)
{
	if (!writer)
		return;
	prn_output_abandon(&writer->output);
	if (writer->has_zlib)
		deflateEnd(&writer->zlib);
	prn_buffer_release(&writer->record);
	prn_buffer_release(&writer->http);
	prn_buffer_release(&writer->packed);
	free(writer);
}
