#include "archive/capture_json.h"
#include "archive/filter.h"
#include "archive/line_reader.h"
#include "archive/reader.h"

#include <stdlib.h>
#include <string.h>

/* JSON takes up to three bytes for a byte of text, on the average page of any language ("\u0436" for two). */
#define LINE_FACTOR 3
#define LINE_ROOM ((size_t)1 << 20) /* for the members other than the body */

/* A file of JSON lines as a source. */
struct lines {
	struct prn_reading *reading;
	struct prn_stream *stream;
	char *path, *folder;
	struct prn_line_reader line;
	bool ended;
	struct prn_capture_json json;
};

static void lines_free(void *reader)
{
	struct lines *lines = reader;

	prn_stream_free(lines->stream);
	prn_buffer_release(&lines->line.text);
	prn_capture_json_release(&lines->json);
	free(lines->path);
	free(lines->folder);
	free(lines);
}

int prn_lines_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error)
{
	struct lines *lines = calloc(1, sizeof *lines);
	const char *slash = strrchr(path, '/');
	size_t limit = reading->options.body_bytes_max;

	if (!lines) {
		prn_stream_free(stream);
		return prn_error_memory(error);
	}
	lines->stream = lines->line.stream = stream;
	lines->line.limit = limit < (SIZE_MAX - LINE_ROOM) / LINE_FACTOR ? LINE_FACTOR * limit + LINE_ROOM : SIZE_MAX;
	lines->reading = reading;
	lines->path = strdup(path);
	lines->folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
	if (!lines->path || !lines->folder) {
		lines_free(lines);
		return prn_error_memory(error);
	}
	*out = lines;
	return 0;
}

/* Turns the line into a capture: 1, or 0 if it is left out. */
static int take_line(struct lines *lines, bool whole, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = lines->reading;
	const struct prn_capture_json_options options = { .body_bytes_max = reading->options.body_bytes_max,
		                                          .folder = reading->options.no_paths ? NULL : lines->folder,
		                                          .has_time = reading->options.has_time,
		                                          .time = reading->options.time };
	struct prn_error why = { 0 };
	const struct prn_buffer *text = &lines->line.text;
	size_t at = prn_line_start(text->data, text->length, lines->line.number);
	int code;

	if (whole && at == text->length)
		return 0;
	reading->counts.records++;
	code = whole ? prn_capture_json_read(&lines->json, (char *)text->data + at, text->length - at, &options,
	                                     capture, &why)
	             : prn_error_set(&why, PRN_E_INPUT, "it is longer than %zu bytes", lines->line.limit);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		prn_error_prefix(&why, "line %llu", (unsigned long long)lines->line.number);
		prn_error_prefix(&why, "%.300s", lines->path);
		prn_reading_skip(reading, &reading->counts.damaged, &why);
		return 0;
	}
	if (!prn_filter_capture(&reading->options.filter, capture->normal_url, capture->time, NULL)) {
		reading->counts.filtered++;
		return 0;
	}
	if (capture->kind == PRN_KIND_CONTENT && !prn_reading_wants_media(reading, capture->content_type))
		return 0;
	reading->counts.cut += capture->truncated;
	reading->counts.zoneless += lines->json.zoneless;
	return 1;
}

static int lines_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct lines *lines = reader;
	struct prn_error why;
	int code = 0;

	while (!code && !lines->ended) {
		bool whole;

		code = prn_line_reader_next(&lines->line, &whole, &why);
		lines->reading->counts.input_bytes = prn_stream_input_bytes(lines->stream);
		if (code < 0 && prn_reading_goes_on(lines->reading, lines->stream, lines->path, &why)) {
			code = 0;
			continue;
		}
		lines->ended = code <= 0;
		if (code < 0 && error) {
			*error = why;
			prn_error_prefix(error, "%.300s", lines->path);
		}
		if (code > 0)
			code = take_line(lines, whole, capture, error);
	}
	return code;
}

const struct prn_reader prn_reader_lines = { .next = lines_next, .free = lines_free };
