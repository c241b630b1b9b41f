#include "archive/saved.h"

#include "base/ascii.h"

#include "archive/filter.h"
#include "archive/hint_time.h"
#include "archive/reader.h"
#include "perennial/time.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n\f"
#define HTML_START 512 /* bytes in which a page shows that it is one */

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

/* Finds the words in any case; NULL: nowhere. */
static const char *find(const char *text, size_t length, const char *words)
{
	size_t most = strlen(words);

	for (size_t i = 0; i + most <= length; i++)
		if (!prn_ascii_compare_n(text + i, words, most))
			return text + i;
	return NULL;
}

bool prn_saved_is_html(const unsigned char *bytes, size_t length)
{
	static const char *const starts[] = { "<!doctype html", "<html", "<head", "<!--", "<meta", "<title", "<body" };
	const char *text = (const char *)bytes;
	size_t at = length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (at < length && is_blank(text[at]))
		at++;
	/* XML begins with comments too: then it is HTML only if that appears soon. */
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (length - at >= strlen(starts[i]) && !prn_ascii_compare_n(text + at, starts[i], strlen(starts[i])))
			return strcmp(starts[i], "<!--") != 0 || find(text, length < HTML_START ? length : HTML_START, "<html") ||
			       find(text, length, "saved");
	return false;
}

/* Copies the text between blanks to out: "" if it does not fit, or would end before its end, as the URL of another page. */
static void copy(char *out, size_t capacity, const char *from, const char *end)
{
	while (from < end && is_blank(*from))
		from++;
	while (end > from && is_blank(end[-1]))
		end--;
	if ((size_t)(end - from) >= capacity || memchr(from, 0, (size_t)(end - from)))
		end = from;
	memcpy(out, from, (size_t)(end - from));
	out[end - from] = 0;
}

/*
 * A date, "Fri Feb 20 2026 14:00:00 GMT+0100 (Central European Standard Time)": the name of the zone may be in
 * any language and is ignored.
 */
static int64_t read_time(const char *from, const char *end)
{
	const char *name = memchr(from, '(', (size_t)(end - from));
	int64_t time;
	char date[80];

	copy(date, sizeof date, from, name ? name : end);
	return prn_hint_time(date, &time) ? PRN_TIME_UNKNOWN : time;
}

/* "Page saved with SingleFile", followed by lines with the URL and the time. */
static void read_lines(struct prn_saved *saved, const char *text, const char *end)
{
	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));

		line_end = line_end ? line_end : end;
		while (text < line_end && is_blank(*text))
			text++;
		if (!*saved->url && line_end - text > 4 && !prn_ascii_compare_n(text, "url:", 4))
			copy(saved->url, sizeof saved->url, text + 4, line_end);
		else if (saved->time == PRN_TIME_UNKNOWN && line_end - text > 11 && !prn_ascii_compare_n(text, "saved date:", 11))
			saved->time = read_time(text + 11, line_end);
		text = line_end < end ? line_end + 1 : end;
	}
}

/* "Saved from URL at TIME using monolith v2.8.1", all on one line. */
static void read_line(struct prn_saved *saved, const char *text, const char *end)
{
	const char *at = find(text, (size_t)(end - text), " at "), *by = at ? find(at, (size_t)(end - at), " using ") : NULL;

	if (!by)
		return;
	copy(saved->url, sizeof saved->url, text, at);
	saved->time = read_time(at + 4, by);
}

static bool read_comment(struct prn_saved *saved, const char *text, const char *end)
{
	static const char *const markers[] = { "Page saved with SingleFile", "Archive processed by SingleFile" };

	while (text < end && is_blank(*text))
		text++;
	for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
		if ((size_t)(end - text) < strlen(markers[i]) || strncmp(text, markers[i], strlen(markers[i])))
			continue;
		read_lines(saved, text + strlen(markers[i]), end);
		return true;
	}
	if (end - text < 11 || strncmp(text, "Saved from ", 11) || !find(text, (size_t)(end - text), " using monolith"))
		return false;
	read_line(saved, text + 11, end);
	return true;
}

bool prn_saved_read(struct prn_saved *saved, const unsigned char *bytes, size_t length)
{
	const char *at = (const char *)bytes, *end = at + (length < PRN_SAVED_START ? length : PRN_SAVED_START);

	*saved = (struct prn_saved){ .time = PRN_TIME_UNKNOWN };
	while ((at = memmem(at, (size_t)(end - at), "<!--", 4))) {
		const char *close = memmem(at, (size_t)(end - at), "-->", 3);

		if (!close)
			return false;
		if (read_comment(saved, at + 4 < close ? at + 4 : close, close))
			return true;
		at = close;
	}
	return false;
}

/* Such a page as a source of one capture. */
struct page {
	struct prn_reading *reading;
	struct prn_stream *stream;
	char *path;
	struct prn_saved saved;
	bool is_over;
	struct prn_buffer body;
	char normal[PRN_URL_BYTES + 1];
};

static void page_free(void *reader)
{
	struct page *page = reader;

	prn_stream_free(page->stream);
	prn_buffer_release(&page->body);
	free(page->path);
	free(page);
}

static int read_start(struct page *page, struct prn_error *error)
{
	const struct prn_source_options *options = &page->reading->options;
	const unsigned char *bytes;
	size_t length;
	int code = prn_stream_peek(page->stream, PRN_SAVED_START, &bytes, &length, error);

	if (code)
		return code;
	if (!prn_saved_read(&page->saved, bytes, length))
		return prn_error_set(error, PRN_E_INPUT, "an HTML page without the comment by which SingleFile and monolith tell its URL and when it "
		                                         "was saved: name such pages in a manifest.tsv or in JSON lines");
	code = prn_url_normalize(page->saved.url, SIZE_MAX, page->normal, sizeof page->normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_INPUT, "a saved page whose comment tells no http or https URL, or one that is longer than 8192 bytes or has a zero byte in it");
	if (page->saved.time != PRN_TIME_UNKNOWN)
		return 0;
	if (!options->has_time)
		return prn_error_set(error, PRN_E_INPUT, "a saved page whose comment tells no date that can be read");
	page->saved.time = options->time;
	return 0;
}

int prn_saved_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error)
{
	struct page *page = calloc(1, sizeof *page);
	int code;

	if (!page) {
		prn_stream_free(stream);
		return prn_error_memory(error);
	}
	page->reading = reading;
	page->stream = stream;
	page->path = strdup(path);
	code = page->path ? read_start(page, error) : prn_error_memory(error);
	if (code) {
		prn_error_prefix(error, "%s", path);
		page_free(page);
		return code;
	}
	*out = page;
	return 0;
}

/* Reads the page up to the limit: 0, or why it cannot be read to its end. */
static int read_body(struct page *page, struct prn_capture *capture, struct prn_error *error)
{
	size_t limit = page->reading->options.body_bytes_max, length;
	const unsigned char *bytes;
	int code;

	while ((code = prn_stream_more(page->stream, &bytes, &length, error)) > 0) {
		size_t room = limit - page->body.length;

		if (prn_buffer_append(&page->body, bytes, length < room ? length : room))
			return prn_error_memory(error);
		capture->truncated |= length > room;
		prn_stream_take(page->stream, length);
	}
	return code;
}

static int page_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct page *page = reader;
	struct prn_source_counts *counts = &page->reading->counts;
	struct prn_capture read;
	int code;

	if (page->is_over)
		return 0;
	page->is_over = true;
	counts->records++;
	if (!prn_filter_capture(&page->reading->options.filter, page->normal, page->saved.time, NULL)) {
		counts->filtered++;
		return 0;
	}
	if (!prn_reading_wants_media(page->reading, "text/html"))
		return 0;
	prn_capture_init(&read, page->saved.url, page->normal, page->saved.time, PRN_KIND_CONTENT);
	read.content_type = "text/html";
	code = read_body(page, &read, error);
	counts->input_bytes = prn_stream_input_bytes(page->stream);
	if (code) {
		prn_error_prefix(error, "%.300s", page->path);
		return code;
	}
	if (page->body.length)
		read.body = page->body.data;
	read.body_bytes = page->body.length;
	counts->cut += read.truncated;
	*capture = read;
	return 1;
}

const struct prn_reader prn_reader_saved = { .next = page_next, .free = page_free };
