#include "perennial/hint.h"
#include "archive/hint_lines.h"
#include "archive/hint_reading.h"
#include "archive/hint_robots.h"
#include "archive/hint_root.h"
#include "archive/hint_xml.h"
#include "archive/line_reader.h"
#include "base/interrupt.h"
#include "fragment/decode.h"

#include <string.h>

#define LOOKED_AT 1024 /* bytes that distinguish text from other formats */

const char *prn_hint_format_name(enum prn_hint_format format)
{
	static const char *const names[] = { "nothing", "JSON lines", "text", "sitemap", "sitemap index", "RSS", "Atom",
		                             "robots.txt" };

	return (size_t)format < sizeof names / sizeof *names ? names[format] : "?";
}

static int no_format(struct prn_error *error, const char *why)
{
	return prn_error_set(error, PRN_E_INPUT, "%s: hints are a sitemap, RSS, Atom, JSON lines, or a URL a line", why);
}

/* Returns where the content begins: behind a byte order mark and white space. */
static size_t start_of(const unsigned char *bytes, size_t length)
{
	size_t at = length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (at < length && bytes[at] && strchr(" \t\r\n", bytes[at]))
		at++;
	return at;
}

/* Tells whether bytes are to be parsed as XML: they begin with "<", are in 16 bits, or control characters hide that. */
static bool is_xml(const struct prn_hint_reading *reading, const unsigned char *bytes, size_t length)
{
	size_t at = start_of(bytes, length);
	enum prn_hint_format format;

	if (length >= 2 && ((bytes[0] >= 0xfe && bytes[1] >= 0xfe) || (!bytes[0] && bytes[1] == '<')))
		return true;
	return (at < length && bytes[at] == '<') ||
	       prn_hint_sniff(bytes, length, reading->options->content_type, &format);
}

static bool is_text(const unsigned char *bytes, size_t length)
{
	return !memchr(bytes, 0, length < LOOKED_AT ? length : LOOKED_AT);
}

static uint64_t lines_in(const unsigned char *at, const unsigned char *end)
{
	uint64_t count = 0;

	while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		at++;
		count++;
	}
	return count;
}

static int read_xml(struct prn_hint_reading *reading, const unsigned char *bytes, size_t length, bool whole,
                    struct prn_error *error)
{
	const unsigned char *text;
	struct prn_decoder decoder;
	size_t text_length, at;
	int code;

	prn_decoder_init(&decoder);
	if (prn_decoder_decode(&decoder, bytes, length, PRN_MEDIA_XML, reading->options->content_type, &text, &text_length))
		code = prn_error_memory(error);
	else if (!prn_hint_root(text, text_length, &at))
		code = no_format(error, "it begins like XML, and has no element");
	else if (!prn_hint_root_format(text + at, text_length - at, &reading->counts->format))
		code = no_format(error, "its root element is another");
	else
		code = prn_hint_xml(reading, text + at, text_length - at, 1 + lines_in(text, text + at), whole, error);
	prn_decoder_release(&decoder);
	return code;
}

/* A line that is cut is left out, because the rest of its URL is missing. */
static int read_lines(struct prn_hint_reading *reading, const unsigned char *bytes, size_t length, bool whole,
                      struct prn_error *error)
{
	const unsigned char *end = bytes + length;
	uint64_t number = 1;
	int code = 0;

	for (; !code && !reading->full && bytes < end; number++) {
		const unsigned char *line = bytes, *line_end = memchr(bytes, '\n', (size_t)(end - bytes));
		size_t line_length = (size_t)((line_end ? line_end : end) - line);

		bytes = line_end ? line_end + 1 : end;
		if (line_end || whole)
			code = reading->options->is_robots
			               ? prn_hint_robots_line(reading, line, line_length, number, error)
			               : prn_hint_line(reading, line, line_length, number, line_length <= PRN_HINT_LINE_BYTES, error);
	}
	return code;
}

static void report_limit(struct prn_hint_reading *reading, size_t limit)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_LIMIT, "it is longer than %zu bytes: what is beyond them is left out", limit);
	prn_hint_cut(reading, 0, &why);
}

/* Reads the whole document after unpacking; whole is false if it was cut, which has been reported. */
static int read_document(struct prn_hint_reading *reading, const unsigned char *bytes, size_t length, bool whole,
                         struct prn_error *error)
{
	bool is_robots = reading->options->is_robots, as_xml = !is_robots && is_xml(reading, bytes, length);
	size_t limit = reading->options->bytes_max;

	if (is_robots)
		reading->counts->format = PRN_HINT_ROBOTS;
	if (!limit && (as_xml || is_robots))
		limit = is_robots ? PRN_HINT_ROBOTS_BYTES : PRN_HINT_BYTES;
	if (limit && length > limit) {
		report_limit(reading, limit);
		length = limit;
		whole = false;
	}
	if (as_xml)
		return read_xml(reading, bytes, length, whole, error);
	if (!is_text(bytes, length))
		return no_format(error, "it is not text");
	return read_lines(reading, bytes, length, whole, error);
}

static int read_packed(struct prn_hint_reading *reading, const unsigned char *bytes, size_t length,
                       struct prn_error *error)
{
	size_t limit = reading->options->bytes_max ? reading->options->bytes_max : PRN_HINT_BYTES;
	struct prn_buffer unpacked = { 0 };
	struct prn_error why;
	bool cut;
	int code = prn_hint_unpack(bytes, length, limit, &unpacked, &cut) ? prn_error_memory(error) : 0;

	if (!code && cut && unpacked.length == limit) {
		report_limit(reading, limit);
	} else if (!code && cut) {
		prn_error_set(&why, PRN_E_TRUNCATED, "the gzip data ends early, or is damaged: what comes before was read");
		prn_hint_cut(reading, 0, &why);
	}
	if (!code)
		code = read_document(reading, unpacked.data, unpacked.length, !cut, error);
	prn_buffer_release(&unpacked);
	return code;
}

int prn_hint_read(const void *bytes, size_t length, const struct prn_hint_options *options, prn_hint_fn *take,
                  void *context, struct prn_hint_counts *counts, struct prn_error *error)
{
	struct prn_hint_reading reading;
	int code = prn_hint_reading_init(&reading, options, take, context, counts, error);

	if (code)
		return code;
	if (prn_hint_is_packed(bytes, length))
		return read_packed(&reading, bytes, length, error);
	return length ? read_document(&reading, bytes, length, true, error) : 0;
}

bool prn_hint_is_robots(const char *normal_url)
{
	const char *scheme = strstr(normal_url, "://"), *path = scheme ? strchr(scheme + 3, '/') : NULL;

	return path && !strcmp(path, "/robots.txt");
}

/* Tells whether the available bytes show what document they begin. */
static bool is_recognisable(const unsigned char *bytes, size_t length)
{
	if (*bytes == 0xef && length < 3)
		return false;
	if (!*bytes || *bytes >= 0xfe)
		return length >= 2;
	return start_of(bytes, length) < length;
}

/* Shows the stream's first bytes, only as many as are needed to recognise the format: the rest may take long to arrive. */
static int look(struct prn_stream *stream, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	size_t wanted = 1;

	for (;;) {
		int code = prn_stream_peek(stream, wanted, bytes, length, error);

		if (code || *length < wanted || wanted == PRN_STREAM_WINDOW || is_recognisable(*bytes, *length))
			return code;
		wanted = *length < PRN_STREAM_WINDOW ? *length + 1 : PRN_STREAM_WINDOW;
	}
}

/* A file that ends early is reported and is no failure. */
static int end_of(struct prn_hint_reading *reading, uint64_t line, int code, struct prn_error *why,
                  struct prn_error *error)
{
	if (code == PRN_E_INPUT || code == PRN_E_TRUNCATED) {
		prn_hint_cut(reading, line, why);
		return 0;
	}
	if (code < 0 && error)
		*error = *why;
	return code;
}

static int read_xml_stream(struct prn_hint_reading *reading, struct prn_stream *stream, struct prn_error *error)
{
	size_t limit = reading->options->bytes_max ? reading->options->bytes_max : PRN_HINT_BYTES, length;
	struct prn_buffer text = { 0 };
	const unsigned char *bytes;
	struct prn_error why;
	int more = 0, code;

	while (text.length <= limit && (more = prn_stream_more(stream, &bytes, &length, &why)) > 0) {
		if (prn_buffer_append(&text, bytes, length)) {
			more = prn_error_memory(&why);
			break;
		}
		prn_stream_take(stream, length);
	}
	code = end_of(reading, 0, more < 0 ? more : 0, &why, error);
	if (!code)
		code = read_document(reading, text.data, text.length, more >= 0, error);
	prn_buffer_release(&text);
	return code;
}

static int read_line_stream(struct prn_hint_reading *reading, struct prn_stream *stream, struct prn_error *error)
{
	struct prn_line_reader lines = { .stream = stream, .limit = PRN_HINT_LINE_BYTES };
	size_t limit = reading->options->bytes_max;
	struct prn_error why;
	uint64_t bytes = 0;
	int more = 1, code = 0;

	while (!code && !reading->full && more > 0) {
		bool whole;

		more = prn_line_reader_next(&lines, &whole, &why);
		if (more < 0 && prn_stream_goes_on(stream)) {
			prn_hint_damaged(reading, lines.number + 1, &why);
			/* The end of a URL may be one, too. */
			lines.is_torn = true;
			more = 1;
			continue;
		}
		bytes += more > 0 ? lines.text.length + 1 : 0;
		if (more > 0 && limit && bytes > limit + 1) {
			report_limit(reading, limit);
			more = 0;
		}
		if (more > 0)
			code = prn_hint_line(reading, lines.text.data, lines.text.length, lines.number, whole, error);
	}
	if (!code && more < 0)
		code = end_of(reading, lines.number, more, &why, error);
	prn_buffer_release(&lines.text);
	return code;
}

static int read_stream(struct prn_hint_reading *reading, struct prn_stream *stream, struct prn_error *error)
{
	const unsigned char *bytes;
	struct prn_error why;
	size_t length;
	int code = prn_stream_next_member(stream, &why);

	if (!code)
		return 0;
	if (code > 0)
		code = look(stream, &bytes, &length, &why);
	if (code)
		return end_of(reading, 0, code, &why, error);
	if (is_xml(reading, bytes, length))
		return read_xml_stream(reading, stream, error);
	return is_text(bytes, length) ? read_line_stream(reading, stream, error) : no_format(error, "it is not text");
}

int prn_hint_read_file(const char *path, const struct prn_hint_options *options, prn_hint_fn *take, void *context,
                       struct prn_hint_counts *counts, struct prn_error *error)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	struct prn_interrupt interrupt = { .cancelled = options->cancelled, .context = options->cancelled_context, .wake = options->wake };
	const struct prn_stream_from from = { .input = { .path = path, .interrupt = &interrupt }, .name = name };
	struct prn_hint_reading reading;
	struct prn_stream *stream;
	int code = prn_hint_reading_init(&reading, options, take, context, counts, error);

	if (code)
		return code;
	reading.path = name;
	code = prn_stream_open(&stream, &from, error);
	if (!code) {
		code = read_stream(&reading, stream, error);
		prn_stream_free(stream);
	}
	if (code && !reading.refused)
		prn_error_prefix(error, "%.300s", name);
	return code;
}
