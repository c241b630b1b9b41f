#include "perennial/partial.h"

#include "base/output.h"
#include "history/partial_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

struct prn_partial {
	char *path;
	unsigned char *bytes;
	size_t length;
	struct prn_partial_about about;
	size_t result_at, result_bytes;
};

int prn_partial_write(const char *path, const struct prn_partial_about *about, const struct prn_buffer *result,
                      struct prn_error *error)
{
	size_t settings = strlen(about->settings) + 1;
	struct prn_output output;
	struct prn_buffer bytes;
	int failed;

	if (settings > PRN_PARTIAL_TEXT_BYTES || about->extra_bytes > PRN_PARTIAL_TEXT_BYTES ||
	    result->length > PRN_PARTIAL_BYTES / 2)
		return prn_error_set(error, PRN_E_LIMIT, "%s: the partial result is too long", path);
	prn_buffer_init(&bytes);
	failed = prn_buffer_append(&bytes, PRN_PARTIAL_MAGIC, 8) || prn_buffer_append_u32(&bytes, PRN_PARTIAL_VERSION) ||
	         prn_buffer_append_u32(&bytes, about->kind) || prn_buffer_append_u32(&bytes, about->part.number) ||
	         prn_buffer_append_u32(&bytes, about->part.of) || prn_buffer_append_u32(&bytes, (uint32_t)settings) ||
	         prn_buffer_append_u32(&bytes, (uint32_t)about->extra_bytes) || prn_buffer_append_u64(&bytes, result->length) ||
	         prn_buffer_append(&bytes, about->settings, settings) ||
	         prn_buffer_append(&bytes, about->extra, about->extra_bytes) ||
	         prn_buffer_append(&bytes, result->data, result->length) ||
	         prn_buffer_append_u64(&bytes, XXH3_64bits(bytes.data, bytes.length));
	if (failed) {
		prn_buffer_release(&bytes);
		return prn_error_memory(error);
	}
	failed = prn_output_open(&output, path, error);
	if (!failed) {
		failed = prn_output_write(&output, bytes.data, bytes.length, error);
		if (failed)
			prn_output_abandon(&output);
		else
			failed = prn_output_commit(&output, error);
	}
	prn_buffer_release(&bytes);
	return failed;
}

static int cannot_read(const char *path, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
}

/* Reads to the end, or to one byte more than the expected length. */
static int read_bytes(struct prn_partial *partial, int fd, size_t room, struct prn_error *error)
{
	partial->bytes = malloc(room + 1);
	if (!partial->bytes)
		return prn_error_memory(error);
	while (partial->length <= room) {
		ssize_t got = read(fd, partial->bytes + partial->length, room + 1 - partial->length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cannot_read(partial->path, error);
		if (!got)
			return 0;
		partial->length += (size_t)got;
	}
	return prn_error_set(error, PRN_E_INPUT, "%s: damaged: it grows while it is read", partial->path);
}

static int read_file(struct prn_partial *partial, struct prn_error *error)
{
	int fd = open(partial->path, O_RDONLY | O_CLOEXEC), code;
	struct stat about;

	if (fd < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", partial->path, strerror(errno));
	if (fstat(fd, &about))
		code = cannot_read(partial->path, error);
	else if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size > PRN_PARTIAL_BYTES)
		code = prn_error_set(error, PRN_E_INPUT, "%s: this is not a partial result", partial->path);
	else
		code = read_bytes(partial, fd, (size_t)about.st_size, error);
	close(fd);
	return code;
}

int prn_partial_damaged(const struct prn_partial *partial, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_INPUT, "%s: damaged", partial->path);
}

static int parse(struct prn_partial *partial, struct prn_error *error)
{
	struct prn_partial_about *about = &partial->about;
	struct prn_cursor in = { partial->bytes, partial->length, 8 };
	uint32_t version = 0, kind = 0, settings = 0, extra = 0;
	uint64_t result = 0, checksum = 0, all;

	if (partial->length < 8 || memcmp(partial->bytes, PRN_PARTIAL_MAGIC, 8))
		return prn_error_set(error, PRN_E_INPUT, "%s: this is not a partial result", partial->path);
	if (!prn_cursor_u32(&in, &version) && version > PRN_PARTIAL_VERSION)
		return prn_error_set(error, PRN_E_VERSION, "%s: written by a newer version (partial result version %u, this program reads %d)",
		                     partial->path, version, PRN_PARTIAL_VERSION);
	if (in.at > 8 && version < PRN_PARTIAL_VERSION)
		return prn_error_set(error, PRN_E_VERSION, "%s: written by an older version (partial result version %u, this program reads %d): "
		                     "make it again", partial->path, version, PRN_PARTIAL_VERSION);
	if (prn_cursor_u32(&in, &kind) || prn_cursor_u32(&in, &about->part.number) || prn_cursor_u32(&in, &about->part.of) ||
	    prn_cursor_u32(&in, &settings) || prn_cursor_u32(&in, &extra) || prn_cursor_u64(&in, &result))
		return prn_error_set(error, PRN_E_TRUNCATED, "%s: the partial result is cut off", partial->path);
	if (kind > PRN_PARTIAL_LONGEVITY || !about->part.number ||
	    about->part.number > about->part.of || about->part.of > PRN_SLOTS || !settings ||
	    settings > PRN_PARTIAL_TEXT_BYTES || extra > PRN_PARTIAL_TEXT_BYTES || result > PRN_PARTIAL_BYTES)
		return prn_partial_damaged(partial, error);
	all = (uint64_t)in.at + settings + extra + result + PRN_PARTIAL_CHECKSUM_BYTES;
	if (partial->length < all)
		return prn_error_set(error, PRN_E_TRUNCATED, "%s: the partial result is cut off", partial->path);
	about->kind = (enum prn_partial_kind)kind;
	about->settings = (const char *)partial->bytes + in.at;
	about->extra = partial->bytes + in.at + settings;
	about->extra_bytes = extra;
	partial->result_at = in.at + settings + extra;
	partial->result_bytes = (size_t)result;
	in.at = (size_t)all - PRN_PARTIAL_CHECKSUM_BYTES;
	if (partial->length > all || prn_cursor_u64(&in, &checksum) ||
	    checksum != XXH3_64bits(partial->bytes, (size_t)all - PRN_PARTIAL_CHECKSUM_BYTES) ||
	    strlen(about->settings) + 1 != settings)
		return prn_partial_damaged(partial, error);
	return 0;
}

int prn_partial_open(struct prn_partial **out, const char *path, struct prn_error *error)
{
	struct prn_partial *partial = calloc(1, sizeof *partial);
	int code;

	if (!partial)
		return prn_error_memory(error);
	partial->path = strdup(path);
	code = partial->path ? read_file(partial, error) : prn_error_memory(error);
	if (!code)
		code = parse(partial, error);
	if (code)
		prn_partial_free(partial);
	else
		*out = partial;
	return code;
}

void prn_partial_free(struct prn_partial *partial)
{
	if (!partial)
		return;
	free(partial->path);
	free(partial->bytes);
	free(partial);
}

const struct prn_partial_about *prn_partial_about(const struct prn_partial *partial)
{
	return &partial->about;
}

struct prn_cursor prn_partial_result(const struct prn_partial *partial)
{
	return (struct prn_cursor){ partial->bytes + partial->result_at, partial->result_bytes, 0 };
}

/* Returns where a line becomes worth showing: in a long list, one element before the first difference. */
static int shown_from(const char *x, const char *y, int of_x, int of_y)
{
	int same = 0;

	while (same < of_x && same < of_y && x[same] == y[same])
		same++;
	while (same && x[same - 1] != ',')
		same--;
	return same > 100 ? same : 0;
}

/* Reports the first of the lines that differ. */
static int differ(const struct prn_partial *a, const struct prn_partial *b, struct prn_error *error)
{
	const char *x = a->about.settings, *y = b->about.settings;
	int of_x, of_y, from, key;
	const char *more;

	for (;;) {
		of_x = (int)strcspn(x, "\n");
		of_y = (int)strcspn(y, "\n");
		if (of_x != of_y || strncmp(x, y, (size_t)of_x) || !x[of_x] || !y[of_y])
			break;
		x += of_x + 1;
		y += of_y + 1;
	}
	from = shown_from(x, y, of_x, of_y);
	for (key = from ? (int)strcspn(x, ",") : 0; key && x[key - 1] != '=';)
		key--;
	more = from ? "…," : "";
	of_x -= from;
	of_y -= from;
	return prn_error_set(error, PRN_E_ARGUMENT, "%s was measured with %.*s%s%.*s, and %s with %.*s%s%.*s: all parts must be measured alike",
	                     a->path, key, x, more, of_x < 200 ? of_x : 200, x + from, b->path, key, y, more, of_y < 200 ? of_y : 200,
	                     y + from);
}

/* Lists the missing parts, up to a limit. */
static int check_missing(const struct prn_partial *const *by_number, uint32_t of, struct prn_error *error)
{
	char text[200] = "";
	size_t missing = 0, length = 0;

	for (uint32_t i = 0; i < of; i++) {
		if (by_number[i])
			continue;
		if (missing++ < 10)
			length += (size_t)snprintf(text + length, sizeof text - length, "%s%u", missing > 1 ? ", " : "", i + 1);
	}
	if (!missing)
		return 0;
	return prn_error_set(error, PRN_E_ARGUMENT, "of %u parts %zu %s missing: %s%s", of, missing, missing > 1 ? "are" : "is", text,
	                     missing > 10 ? ", …" : "");
}

int prn_partials_check(const struct prn_partial *const *partials, size_t count, struct prn_error *error)
{
	const struct prn_partial **by_number = calloc(PRN_SLOTS, sizeof *by_number);
	int code = by_number ? 0 : prn_error_memory(error);

	if (!code && !count)
		code = prn_error_set(error, PRN_E_ARGUMENT, "there are no partial results");
	for (size_t i = 0; i < count && !code; i++) {
		const struct prn_partial *a = partials[0], *b = partials[i], **place = &by_number[b->about.part.number - 1];

		if (a->about.kind != b->about.kind)
			code = prn_error_set(error, PRN_E_ARGUMENT, "%s is of evaluate or of measure, and %s of the other", a->path,
			                     b->path);
		else if (a->about.part.of != b->about.part.of)
			code = prn_error_set(error, PRN_E_ARGUMENT, "%s is one of %u parts, and %s one of %u", a->path,
			                     a->about.part.of, b->path, b->about.part.of);
		else if (strcmp(a->about.settings, b->about.settings))
			code = differ(a, b, error);
		else if (*place)
			code = prn_error_set(error, PRN_E_ARGUMENT, "part %u is given twice: %s and %s", b->about.part.number,
			                     (*place)->path, b->path);
		*place = b;
	}
	if (!code)
		code = check_missing(by_number, partials[0]->about.part.of, error);
	free(by_number);
	return code;
}

int prn_partial_put_doubles(struct prn_buffer *out, const double *values, size_t count)
{
	int code = 0;

	for (size_t i = 0; i < count && !code; i++) {
		uint64_t bits;

		memcpy(&bits, &values[i], sizeof bits);
		code = prn_buffer_append_u64(out, bits);
	}
	return code;
}

int prn_partial_get_doubles(struct prn_cursor *in, double *values, size_t count)
{
	if (count > (in->length - in->at) / sizeof *values)
		return PRN_E_TRUNCATED;
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = 0;

		prn_cursor_u64(in, &bits);
		memcpy(&values[i], &bits, sizeof bits);
	}
	return 0;
}
