/*
 * What the tests of sources share: WARC records and packed files made in memory, a scratch folder, and a source read
 * to its end with everything it said.  Failing to make a fixture ends the test.
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "base/buffer.h"
#include "perennial/error.h"
#include "perennial/source.h"
#include "tap.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static inline void must(bool holds, const char *what)
{
	if (holds)
		return;
	printf("Bail out! cannot %s\n", what);
	exit(1);
}

static inline void add(struct prn_buffer *buffer, const void *bytes, size_t length)
{
	must(!prn_buffer_append(buffer, bytes, length), "allocate");
}

__attribute__((format(printf, 2, 3))) static inline void add_text(struct prn_buffer *buffer, const char *format, ...)
{
	char *text = NULL;
	va_list list;
	int length;

	va_start(list, format);
	length = vasprintf(&text, format, list);
	va_end(list);
	must(length >= 0, "allocate");
	add(buffer, text, (size_t)length);
	free(text);
}

/* A whole record; fields are lines with their CRLF. */
static inline void add_record(struct prn_buffer *out, const char *type, const char *fields, const void *block,
                              size_t length)
{
	add_text(out, "WARC/1.1\r\nWARC-Type: %s\r\n%sContent-Length: %zu\r\n\r\n", type, fields, length);
	add(out, block, length);
	add_text(out, "\r\n\r\n");
}

/* A response of a.example: path "/1", time "2026-01-01T00:00:00Z", head lines with their CRLF. */
static inline void add_response(struct prn_buffer *out, const char *path, const char *time, const char *status,
                                const char *head, const void *body, size_t length)
{
	struct prn_buffer block = { 0 }, fields = { 0 };

	add_text(&fields,
	         "WARC-Target-URI: http://a.example%s\r\nWARC-Date: %s\r\n"
	         "Content-Type: application/http;msgtype=response\r\n",
	         path, time);
	prn_buffer_terminate(&fields);
	add_text(&block, "HTTP/1.1 %s\r\n%s\r\n", status, head);
	add(&block, body, length);
	add_record(out, "response", (char *)fields.data, block.data, block.length);
	prn_buffer_release(&block);
	prn_buffer_release(&fields);
}

/* Packs bytes as one member; window_bits as deflateInit2 takes them: 31 gzip, 15 zlib, -15 raw. */
static inline void add_deflated(struct prn_buffer *out, const void *bytes, size_t length, int window_bits)
{
	z_stream zlib = { 0 };
	unsigned char packed[65536];
	int result;

	must(deflateInit2(&zlib, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflate");
	zlib.next_in = (z_const Bytef *)bytes;
	zlib.avail_in = (uInt)length;
	do {
		zlib.next_out = packed;
		zlib.avail_out = sizeof packed;
		result = deflate(&zlib, Z_FINISH);
		must(result == Z_OK || result == Z_STREAM_END, "deflate");
		add(out, packed, sizeof packed - zlib.avail_out);
	} while (result != Z_STREAM_END);
	deflateEnd(&zlib);
}

static inline void add_gzip(struct prn_buffer *out, const void *bytes, size_t length)
{
	add_deflated(out, bytes, length, 16 + MAX_WBITS);
}

/* Packs bytes as one frame with a checksum; dictionary may be NULL. */
static inline void add_zstd(struct prn_buffer *out, const void *bytes, size_t length,
                            const struct prn_buffer *dictionary)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t got;

	must(context && !prn_buffer_reserve(out, ZSTD_compressBound(length)), "allocate");
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	if (dictionary)
		ZSTD_CCtx_loadDictionary(context, dictionary->data, dictionary->length);
	got = ZSTD_compress2(context, out->data + out->length, out->capacity - out->length, bytes, length);
	must(!ZSTD_isError(got), "compress");
	out->length += got;
	ZSTD_freeCCtx(context);
}

static char scratch[64];

static inline int remove_one(const char *path, const struct stat *about, int flag, struct FTW *walk)
{
	(void)about, (void)flag, (void)walk;
	return remove(path);
}

static inline void remove_scratch(void)
{
	nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes the scratch folder in TMPDIR, or else here; it is removed at exit. */
/* Text packed by gzip, a member for each of its pieces, which "|" divides; an empty one is a kilobyte of zeros, as of a lost block. */
static inline void add_pieces(struct prn_buffer *file, const char *text)
{
	static const unsigned char lost[1024];

	for (const char *end = text; *end; text = end + (*end == '|')) {
		end = text + strcspn(text, "|");
		if (end == text)
			add(file, lost, sizeof lost);
		else
			add_gzip(file, text, (size_t)(end - text));
	}
}

static inline void make_scratch(void)
{
	const char *there = getenv("TMPDIR");

	must(!there || !chdir(there), "go to TMPDIR");
	strcpy(scratch, "scratch-XXXXXX");
	must(mkdtemp(scratch) != NULL, "make a folder");
	atexit(remove_scratch);
}

/* The path of a file in the scratch folder, in one of a few buffers that serve in turn. */
static inline const char *in_scratch(const char *name)
{
	static char paths[4][512];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], "%s/%.400s", scratch, name);
	return path;
}

/* Writes a file of the scratch folder, making the folders on the way, and returns its path. */
static inline const char *put_file(const char *name, const void *bytes, size_t length)
{
	const char *path = in_scratch(name);
	char folder[512];
	int file;

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
		mkdir(folder, 0777);
	}
	/* Not O_TRUNC: file systems flush what is truncated to nothing and written again, thousands of times here. */
	file = open(path, O_WRONLY | O_CREAT, 0666);
	must(file >= 0 && write(file, bytes, length) == (ssize_t)length && !ftruncate(file, (off_t)length),
	     "write a file");
	close(file);
	return path;
}

static inline const char *put_buffer(const char *name, const struct prn_buffer *buffer)
{
	return put_file(name, buffer->data ? buffer->data : (const void *)"", buffer->length);
}

#define SEEN_MAX 256

/* A capture as it was handed out, its strings and body copied. */
struct seen {
	struct prn_capture capture;
	char url[256], normal[256], type[64], refers_to[256], etag[PRN_ETAG_BYTES + 1];
	unsigned char *body;
};

/* A source read to its end. */
struct reading {
	struct seen seen[SEEN_MAX];
	size_t count;
	int opened, ended; /* what prn_source_open and the last prn_source_next returned */
	struct prn_source_counts counts;
	struct prn_error error;    /* of opening, or of the end */
	struct prn_buffer skipped; /* a line for each thing that was skipped */
};

static inline void note_skipped(void *context, const struct prn_error *what)
{
	add_text(&((struct reading *)context)->skipped, "%s\n", what->text);
}

static inline const char *copy_text(char *to, size_t room, const char *text)
{
	if (!text)
		return NULL;
	snprintf(to, room, "%s", text);
	return to;
}

static inline void note_capture(struct reading *reading, const struct prn_capture *capture)
{
	struct seen *seen = &reading->seen[reading->count++];

	must(reading->count < SEEN_MAX, "hold so many captures");
	seen->capture = *capture;
	seen->capture.url = copy_text(seen->url, sizeof seen->url, capture->url);
	seen->capture.normal_url = copy_text(seen->normal, sizeof seen->normal, capture->normal_url);
	seen->capture.content_type = copy_text(seen->type, sizeof seen->type, capture->content_type);
	seen->capture.refers_to_url = copy_text(seen->refers_to, sizeof seen->refers_to, capture->refers_to_url);
	seen->capture.etag = copy_text(seen->etag, sizeof seen->etag, capture->etag);
	seen->body = malloc(capture->body_bytes + 1);
	must(seen->body && capture->body, "hold a body");
	memcpy(seen->body, capture->body, capture->body_bytes);
	seen->body[capture->body_bytes] = 0;
	seen->capture.body = seen->body;
}

static inline void reading_release(struct reading *reading)
{
	for (size_t i = 0; i < reading->count; i++)
		free(reading->seen[i].body);
	prn_buffer_release(&reading->skipped);
	*reading = (struct reading){ 0 };
}

/* Reads all of a source; what reading held before is released.  options may be NULL. */
static inline void read_source(struct reading *reading, const char *path, const struct prn_source_options *options)
{
	struct prn_source_options mine = options ? *options : (struct prn_source_options){ 0 };
	struct prn_source *source = NULL;
	struct prn_capture capture;

	reading_release(reading);
	mine.skipped = note_skipped;
	mine.skipped_context = reading;
	reading->opened = prn_source_open(&source, path, &mine, &reading->error);
	while (!reading->opened && (reading->ended = prn_source_next(source, &capture, &reading->error)) == 1)
		note_capture(reading, &capture);
	if (!reading->opened)
		reading->counts = *prn_source_counts(source);
	prn_source_free(source);
	must(!prn_buffer_terminate(&reading->skipped), "allocate");
}

static inline const char *skipped_text(const struct reading *reading)
{
	return (const char *)reading->skipped.data;
}

/* How a source was read, as one text: "2 captures, 1 ignored, 3 damaged; " and why it ended early, where it did. */
static inline const char *tally(const struct reading *reading)
{
	const struct prn_source_counts *counts = &reading->counts;
	const struct {
		uint64_t count;
		const char *what;
	} rest[] = { { counts->ignored, "ignored" }, { counts->filtered, "filtered" }, { counts->damaged, "damaged" },
		     { counts->unread, "unread" },   { counts->cut, "cut" },           { counts->mismatched, "mismatched" } };
	int code = reading->opened ? reading->opened : reading->ended;
	static char text[256];
	size_t length = (size_t)snprintf(text, sizeof text, "%zu capture%s", reading->count, reading->count == 1 ? "" : "s");

	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		if (rest[i].count)
			length += (size_t)snprintf(text + length, sizeof text - length, ", %llu %s", (unsigned long long)rest[i].count,
			                           rest[i].what);
	if (code)
		snprintf(text + length, sizeof text - length, "; %s", prn_error_text(code));
	return text;
}

/* What a source passed over, as one text: "2 symlink, 1 submodule". */
static inline const char *passed_over(const struct reading *reading)
{
	static char text[512];
	size_t length = 0;

	text[0] = 0;
	for (size_t i = 0; i < PRN_PASSED_KINDS && reading->counts.passed[i].count && length < sizeof text; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%llu %s", i ? ", " : "",
		                           (unsigned long long)reading->counts.passed[i].count, reading->counts.passed[i].what);
	return text;
}

/* The text holds every one of the parts, a NULL-terminated list. */
static inline bool holds(const char *text, const char *const parts[])
{
	for (; *parts; parts++)
		if (!strstr(text, *parts)) {
			printf("# \"%s\" lacks \"%s\"\n", text, *parts);
			return false;
		}
	return true;
}

#define HOLDS(text, ...) holds(text, (const char *const[]){ __VA_ARGS__, NULL })

#endif
