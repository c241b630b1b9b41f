/*
 * Reads a WARC file of any packing, through a file and through a pipe.  If the input begins with "g" or "z", it is packed
 * first, in members of the lengths that the next bytes give, so that what is inside a packing is reached.
 */
#include "base/buffer.h"
#include "perennial/digest.h"
#include "perennial/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BODY_BYTES_MAX 4096
#define PIPE_BYTES 60000 /* bytes that a pipe takes without a reader */

static void note(void *context, const struct prn_error *what)
{
	if (!what->code || !*what->text)
		abort();
	++*(uint64_t *)context;
}

static void check(const struct prn_capture *capture)
{
	struct prn_digest read;

	if (!capture->url || !capture->normal_url || !capture->body || capture->body_bytes > 65536)
		abort();
	if (capture->kind == PRN_KIND_CONTENT && capture->body_bytes > BODY_BYTES_MAX)
		abort();
	read = prn_digest_bytes(capture->body, capture->body_bytes);
	if ((!read.high && !read.low) || (capture->content_type && !*capture->content_type))
		abort();
}

static void read_all(const char *path)
{
	uint64_t told = 0;
	struct prn_source_options options = {
		.body_bytes_max = BODY_BYTES_MAX, .skipped = note, .skipped_context = &told
	};
	struct prn_error error = { 0 };
	struct prn_capture capture;
	struct prn_source *source;
	int code;

	if (prn_source_open(&source, path, &options, &error))
		return;
	while ((code = prn_source_next(source, &capture, &error)) == 1)
		check(&capture);
	if (code && !*error.text)
		abort();
	if (told != prn_source_counts(source)->damaged + prn_source_counts(source)->unread + prn_source_counts(source)->mismatched)
		abort();
	prn_source_free(source);
}

static void through_a_file(const struct prn_buffer *bytes)
{
	int file = memfd_create("warc", MFD_CLOEXEC);
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	if (file >= 0 && write(file, bytes->data, bytes->length) == (ssize_t)bytes->length)
		read_all(path);
	close(file);
}

static void through_a_pipe(const struct prn_buffer *bytes)
{
	int ends[2], kept;

	if (bytes->length > PIPE_BYTES || pipe(ends))
		return;
	kept = dup(STDIN_FILENO);
	if (write(ends[1], bytes->data, bytes->length) == (ssize_t)bytes->length && kept >= 0) {
		close(ends[1]);
		dup2(ends[0], STDIN_FILENO);
		read_all("-");
		dup2(kept, STDIN_FILENO);
	} else {
		close(ends[1]);
	}
	close(kept);
	close(ends[0]);
}

static void pack(struct prn_buffer *out, const uint8_t *data, size_t size, int format)
{
	uLongf room = compressBound((uLong)size) + 64;
	size_t got;

	if (ZSTD_compressBound(size) > room)
		room = ZSTD_compressBound(size);
	if (prn_buffer_reserve(out, room))
		return;
	if (format == 'z') {
		got = ZSTD_compress(out->data + out->length, room, data, size, 1);
	} else {
		z_stream zlib = { .next_in = (z_const Bytef *)data, .avail_in = (uInt)size };

		zlib.next_out = out->data + out->length;
		zlib.avail_out = (uInt)room;
		deflateInit2(&zlib, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
		deflate(&zlib, Z_FINISH);
		got = room - zlib.avail_out;
		deflateEnd(&zlib);
	}
	out->length += got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_buffer bytes = { 0 };

	if (size > 3 && (*data == 'g' || *data == 'z')) {
		size_t each = (size_t)data[1] << 8 | data[2];

		for (size_t at = 3, step; at < size; at += step) {
			step = each && each < size - at ? each : size - at;
			pack(&bytes, data + at, step, *data);
			/* The first member may be short; the others are larger, or there would be too many. */
			each = each < 256 ? 256 : each;
		}
	} else if (prn_buffer_append(&bytes, data, size)) {
		return 0;
	}
	if (!prn_buffer_reserve(&bytes, 1)) {
		through_a_file(&bytes);
		through_a_pipe(&bytes);
	}
	prn_buffer_release(&bytes);
	return 0;
}
