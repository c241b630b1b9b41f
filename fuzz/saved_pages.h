/* What the targets of saved pages share: a file of these bytes, plain or packed, is a source of the same captures. */
#ifndef FUZZ_SAVED_PAGES_H
#define FUZZ_SAVED_PAGES_H

#include "base/buffer.h"
#include "perennial/digest.h"
#include "perennial/source.h"
#include "perennial/url.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define BODY_BYTES_MAX 4096

static inline void note(void *context, const struct prn_error *what)
{
	if (!what->code || !*what->text)
		abort();
	++*(uint64_t *)context;
}

/* Adds a capture to a checksum of all that were handed out. */
static inline struct prn_digest sum_capture(struct prn_digest sum, const struct prn_capture *capture)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest parts[3] = { sum, prn_digest_bytes(capture->normal_url, strlen(capture->normal_url)) };

	if (prn_url_normalize(capture->url, SIZE_MAX, normal, sizeof normal) || strcmp(normal, capture->normal_url))
		abort();
	if (!capture->body || capture->body_bytes > BODY_BYTES_MAX || capture->time == PRN_TIME_UNKNOWN)
		abort();
	if (capture->kind != PRN_KIND_CONTENT && (capture->kind != PRN_KIND_ERROR || capture->body_bytes))
		abort();
	parts[2] = prn_digest_bytes(capture->body, capture->body_bytes);
	return prn_digest_bytes(parts, sizeof parts);
}

static inline struct prn_digest read_all(const char *path)
{
	uint64_t told = 0;
	struct prn_source_options options = { .body_bytes_max = BODY_BYTES_MAX, .skipped = note, .skipped_context = &told };
	struct prn_digest sum = { 0 };
	struct prn_error error = { 0 };
	struct prn_capture capture;
	struct prn_source *source;
	int code = prn_source_open(&source, path, &options, &error);

	if (code && !*error.text)
		abort();
	if (code)
		return sum;
	while ((code = prn_source_next(source, &capture, &error)) == 1)
		sum = sum_capture(sum, &capture);
	if (code && !*error.text)
		abort();
	if (told != prn_source_counts(source)->damaged + prn_source_counts(source)->unread)
		abort();
	prn_source_free(source);
	return sum;
}

static inline struct prn_digest read_bytes(const void *data, size_t size)
{
	struct prn_digest sum = { 0 };
	int file = memfd_create("page", MFD_CLOEXEC);
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	if (file >= 0 && write(file, data, size) == (ssize_t)size)
		sum = read_all(path);
	close(file);
	return sum;
}

static inline void read_both_ways(const uint8_t *data, size_t size)
{
	uLongf room = compressBound((uLong)size) + 64;
	unsigned char *packed = malloc(room);
	z_stream zlib = { .next_in = (z_const Bytef *)data, .avail_in = (uInt)size, .next_out = packed, .avail_out = (uInt)room };
	struct prn_digest one, other;

	if (!packed || deflateInit2(&zlib, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK || deflate(&zlib, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&zlib);
	one = read_bytes(data, size);
	other = read_bytes(packed, room - zlib.avail_out);
	free(packed);
	if (one.high != other.high || one.low != other.low)
		abort();
}

#endif
