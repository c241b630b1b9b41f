#include "archive/reader.h"
#include "archive/filter.h"
#include "archive/passed.h"
#include "base/ascii.h"
#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void prn_reading_skip(struct prn_reading *reading, uint64_t *count, const struct prn_error *what)
{
	++*count;
	if (reading->options.skipped)
		reading->options.skipped(reading->options.skipped_context, what);
}

bool prn_reading_goes_on(struct prn_reading *reading, const struct prn_stream *stream, const char *path, struct prn_error *why)
{
	if (!prn_stream_goes_on(stream))
		return false;
	prn_error_prefix(why, "%.300s", path);
	prn_reading_skip(reading, &reading->counts.damaged, why);
	return true;
}

bool prn_reading_wants_media(struct prn_reading *reading, const char *content_type)
{
	struct prn_source_counts *counts = &reading->counts;

	if (prn_filter_media(&reading->options.filter, content_type))
		return true;
	counts->filtered++;
	counts->other_media++;
	prn_passed_add(counts->passed, content_type, strcspn(content_type, "; \t,"), 1);
	return false;
}

void prn_reading_ignore(struct prn_reading *reading, const char *what, size_t length)
{
	reading->counts.ignored++;
	prn_passed_add(reading->counts.passed, what, length, 1);
}

/* Returns the extension of a name, with its dot, or NULL; one that packs a source stands with the one before it. */
static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (const char *before = dot; before && before > name;) {
		char kind[PRN_PASSED_NAME];

		if (*--before != '.')
			continue;
		snprintf(kind, sizeof kind, "*%s", before);
		for (char *c = kind; *c; c++)
			*c = prn_ascii_lower(*c);
		return prn_passed_is_source(kind) ? before : dot;
	}
	return dot;
}

static void ignore_file(struct prn_reading *reading, const char *path, bool hidden)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *extension;
	char what[PRN_PASSED_NAME];

	hidden |= *name == '.';
	name += strspn(name, ".");
	extension = extension_of(name);
	snprintf(what, sizeof what, "%s%s%s", hidden ? "hidden " : "", extension ? "*" : "files", extension ? extension : "");
	prn_reading_ignore(reading, what, strlen(what));
}

void prn_reading_ignore_file(struct prn_reading *reading, const char *path)
{
	ignore_file(reading, path, false);
}

void prn_reading_ignore_hidden(struct prn_reading *reading, const char *path)
{
	ignore_file(reading, path, true);
}

void prn_capture_init(struct prn_capture *capture, const char *url, const char *normal, int64_t time,
                      enum prn_kind kind)
{
	*capture = (struct prn_capture){
		.url = url,
		.normal_url = normal,
		.time = time,
		.kind = kind,
		.body = (const unsigned char *)"",
		.modified = PRN_TIME_UNKNOWN,
		.retry_after_s = PRN_TIME_UNKNOWN,
		.refers_to_time = PRN_TIME_UNKNOWN,
	};
}

void prn_capture_set_address(struct prn_capture *capture, const char *text)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
	unsigned char bytes[sizeof(struct in6_addr)];
	int family = strchr(text, ':') ? AF_INET6 : AF_INET;

	if (inet_pton(family, text, bytes) != 1)
		return;
	/* An address must have one spelling, because hosts are grouped by it. */
	if (family == AF_INET6 && !memcmp(bytes, mapped, sizeof mapped))
		inet_ntop(AF_INET, bytes + sizeof mapped, capture->address, sizeof capture->address);
	else
		inet_ntop(family, bytes, capture->address, sizeof capture->address);
}

bool prn_capture_set_crawl_delay(struct prn_capture *capture, double seconds)
{
	if (!(seconds >= 0 && isfinite(seconds)))
		return false;
	capture->has_crawl_delay = true;
	capture->crawl_delay_s = (uint32_t)ceil(fmin(seconds, PRN_DAY_S));
	return true;
}

static int read_body(struct prn_buffer *body, int file, size_t limit, bool *more, struct prn_error *error)
{
	prn_buffer_clear(body);
	for (;;) {
		/* One byte beyond the limit shows that a file goes on. */
		size_t room = body->length < (size_t)64 << 10 ? (size_t)64 << 10 : body->length;
		ssize_t got;

		if (room > limit - body->length)
			room = limit - body->length + 1;
		if (prn_buffer_reserve(body, room))
			return prn_error_memory(error);
		got = read(file, body->data + body->length, room);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return prn_error_set(error, PRN_E_IO, "cannot be read: %s", strerror(errno));
		body->length += (size_t)got;
		*more = body->length > limit;
		if (*more)
			body->length = limit;
		if (*more || !got)
			return 0;
	}
}

int prn_body_read(struct prn_buffer *body, const char *path, size_t limit, bool *more, struct prn_error *error)
{
	struct stat about;
	int code, file;

	/* Some devices act when they are opened, as a tape is wound back, so they are not; O_NONBLOCK: nor must a pipe that took the file's place be waited for. */
	if (!stat(path, &about) && !S_ISREG(about.st_mode))
		return prn_error_set(error, PRN_E_NOT_FOUND, "it is not a regular file");
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
		return prn_error_set(error, PRN_E_NOT_FOUND, "there is no such file");
	if (file < 0)
		return prn_error_set(error, PRN_E_IO, "cannot be opened: %s", strerror(errno));
	if (fstat(file, &about) || !S_ISREG(about.st_mode))
		code = prn_error_set(error, PRN_E_NOT_FOUND, "it is not a regular file");
	else
		code = read_body(body, file, limit, more, error);
	close(file);
	return code;
}

/*
 * The suffixes that may follow a kind.  "x.warc.wet.gz" contains texts, "x.warc.wat.gz" no page; "x.warc.cdx"
 * and "x.warc.gz.md5" are no archives.
 */
static bool is_archive_end(const char *end)
{
	static const char *const packings[] = { "", ".gz", ".zst", ".lz4" };

	if (!prn_ascii_compare_n(end, ".wet", 4) || !prn_ascii_compare_n(end, ".wat", 4))
		end += 4;
	for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
		if (!prn_ascii_compare(end, packings[i]))
			return true;
	return false;
}

static bool is_named(const char *name, const char *const *kinds, size_t count)
{
	const char *base = strrchr(name, '/');

	base = base ? base + 1 : name;
	for (size_t i = 0; *base != '.' && i < count; i++)
		for (const char *at = base; (at = prn_ascii_find(at, kinds[i])); at++)
			if (is_archive_end(at + strlen(kinds[i])))
				return true;
	return false;
}

bool prn_is_archive_name(const char *name)
{
	static const char *const kinds[] = { ".warc", ".arc", ".wacz" };

	return is_named(name, kinds, sizeof kinds / sizeof *kinds);
}

bool prn_is_collected_name(const char *name)
{
	static const char *const kinds[] = { ".mht", ".mhtml" };

	return prn_is_archive_name(name) || is_named(name, kinds, sizeof kinds / sizeof *kinds);
}
