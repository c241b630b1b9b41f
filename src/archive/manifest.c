#include "archive/filter.h"
#include "archive/host_folder.h"
#include "archive/http_capture.h"
#include "archive/reader.h"
#include "base/ascii.h"
#include "base/text_lines.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_BYTES ((size_t)32 << 10) /* bytes of the longest line that is read */
#define FIELDS 4

/* A manifest as a source: lines "time TAB url TAB media type TAB file". */
struct manifest {
	struct prn_reading *reading;
	FILE *file;
	char *path;
	size_t folder_bytes; /* the part of path with the last slash: files are relative to it */
	char *within;        /* real path of the folder that files must be in; NULL: they may be anywhere */
	struct prn_text_lines lines;
	struct prn_buffer name, body;
	struct prn_http_decoder *decoder; /* NULL until a file contains an HTTP response */
	char normal[PRN_URL_BYTES + 1];
};

static void manifest_free(void *reader)
{
	struct manifest *manifest = reader;

	if (manifest->file)
		fclose(manifest->file);
	prn_http_decoder_free(manifest->decoder);
	prn_buffer_release(&manifest->lines.text);
	prn_buffer_release(&manifest->name);
	prn_buffer_release(&manifest->body);
	free(manifest->within);
	free(manifest->path);
	free(manifest);
}

/* Sets within to the real path of the folder of the manifest. */
static int stay_within(struct manifest *manifest)
{
	char *folder = strndup(manifest->path, manifest->folder_bytes);

	manifest->within = folder ? realpath(*folder ? folder : ".", NULL) : NULL;
	free(folder);
	return manifest->within ? 0 : PRN_E_MEMORY;
}

int prn_manifest_open(void **out, const char *path, bool within, struct prn_reading *reading, struct prn_error *error)
{
	struct manifest *manifest = calloc(1, sizeof *manifest);
	const char *slash = strrchr(path, '/');

	if (!manifest)
		return prn_error_memory(error);
	manifest->reading = reading;
	manifest->folder_bytes = slash ? (size_t)(slash - path) + 1 : 0;
	manifest->path = strdup(path);
	if (!manifest->path || (within && stay_within(manifest))) {
		manifest_free(manifest);
		return prn_error_memory(error);
	}
	manifest->file = fopen(path, "re");
	if (!manifest->file) {
		manifest_free(manifest);
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	}
	manifest->lines.file = manifest->file;
	manifest->lines.name = manifest->path;
	*out = manifest;
	return 0;
}

static void report(struct manifest *manifest, const char *text)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.300s: line %llu: %s", manifest->path, manifest->lines.number, text);
	prn_reading_skip(manifest->reading, &manifest->reading->counts.damaged, &why);
}

/* Reads the next line that is not empty or a comment, without its end: 1, or 0 at the end of the file. */
static int read_line(struct manifest *manifest, struct prn_error *error)
{
	struct prn_text_lines *lines = &manifest->lines;
	uint64_t from = lines->at;
	int got;

	while ((got = prn_text_lines_next(lines)) > 0) {
		manifest->reading->counts.input_bytes += lines->at - from;
		from = lines->at;
		if (lines->length >= LINE_BYTES)
			report(manifest, "it is longer than 32767 bytes");
		else if (got == PRN_TEXT_LINE_ZERO)
			report(manifest, "a zero byte in it: it is no text in UTF-8");
		else if (*lines->line && *lines->line != '#')
			return 1;
	}
	return prn_text_lines_wrong(lines, got, error);
}

/* Splits text at its tabs, in place; false unless it has exactly FIELDS of them. */
static bool split(char *text, char *fields[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++) {
		fields[i] = text;
		text += strcspn(text, "\t");
		if ((*text == '\t') != (i + 1 < FIELDS))
			return false;
		*text++ = 0;
	}
	return true;
}

static int report_file(struct manifest *manifest, const char *file, const struct prn_error *why)
{
	char text[PRN_ERROR_TEXT];

	snprintf(text, sizeof text, "%.200s: %.200s", file, why->text);
	report(manifest, text);
	return 0;
}

/* Makes a capture of a file that is an HTTP response: 1, or 0 after a report. */
static int read_answer(struct manifest *manifest, const char *file, bool more, struct prn_capture *capture,
                       struct prn_error *error)
{
	struct prn_buffer *bytes = &manifest->body;
	struct prn_error why;
	int code;

	if ((!manifest->decoder && prn_http_decoder_open(&manifest->decoder)) || prn_buffer_terminate(bytes))
		return prn_error_memory(error);
	capture->content_type = NULL;
	code = prn_http_capture_message(capture, manifest->decoder, bytes->data, bytes->length, more,
	                                manifest->reading->options.body_bytes_max, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	return code ? report_file(manifest, file, &why) : 1;
}

/* Sets name to the path of a line's file. */
static int place(struct manifest *manifest, const char *file)
{
	prn_buffer_clear(&manifest->name);
	if (*file != '/' && prn_buffer_append(&manifest->name, manifest->path, manifest->folder_bytes))
		return PRN_E_MEMORY;
	return prn_buffer_append(&manifest->name, file, strlen(file) + 1);
}

/* Reads the file of a line: 1, or 0 after a report. */
static int read_file(struct manifest *manifest, const char *file, bool is_answer, struct prn_capture *capture,
                     struct prn_error *error)
{
	struct prn_reading *reading = manifest->reading;
	size_t limit = reading->options.body_bytes_max;
	struct prn_error why;
	bool more;
	int code;

	if (place(manifest, file))
		return prn_error_memory(error);
	if (manifest->within && (*file == '/' || prn_leads_out(manifest->within, (char *)manifest->name.data))) {
		report(manifest, "its file is not in the folder of the manifest: it is read only of a manifest that is named itself");
		return 0;
	}
	code = prn_body_read(&manifest->body, (char *)manifest->name.data, is_answer ? prn_http_stored_limit(limit) : limit,
	                     &more, &why);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return report_file(manifest, file, &why);
	reading->counts.input_bytes += manifest->body.length;
	if (is_answer)
		return read_answer(manifest, file, more, capture, error);
	capture->body = manifest->body.data;
	capture->body_bytes = manifest->body.length;
	capture->truncated = more;
	return 1;
}

/* Turns a line into a capture: 1, or 0 if it is left out. */
static int take_line(struct manifest *manifest, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = manifest->reading;
	const struct prn_source_filter *filter = &reading->options.filter;
	char *fields[FIELDS];
	struct prn_capture read;
	const char *media;
	bool is_answer;
	int64_t time;
	int code;

	reading->counts.records++;
	if (!split(manifest->lines.line, fields) || prn_time_parse(fields[0], &time) || !*fields[3]) {
		report(manifest, "it is not \"time TAB url TAB media type TAB file\", the time as 2026-02-20T13:00:00Z");
		return 0;
	}
	code = prn_url_normalize(fields[1], SIZE_MAX, manifest->normal, sizeof manifest->normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		report(manifest, "its URL is not one of http or https, is malformed or too long");
		return 0;
	}
	media = *fields[2] ? fields[2] : NULL;
	is_answer = media && !prn_ascii_compare(media, "application/http");
	if (!prn_filter_capture(filter, manifest->normal, time, NULL)) {
		reading->counts.filtered++;
		return 0;
	}
	if (!is_answer && !prn_reading_wants_media(reading, media))
		return 0;
	code = 1;
	prn_capture_init(&read, fields[1], manifest->normal, time, PRN_KIND_CONTENT);
	if (!strcmp(fields[3], "-"))
		read.kind = PRN_KIND_MISSING;
	else {
		read.content_type = media;
		code = read_file(manifest, fields[3], is_answer, &read, error);
	}
	if (code == 1 && is_answer && read.kind == PRN_KIND_CONTENT && !prn_reading_wants_media(reading, read.content_type))
		return 0;
	if (code == 1) {
		reading->counts.zoneless += prn_time_is_zoneless(fields[0]);
		reading->counts.cut += read.truncated;
		*capture = read;
	}
	return code;
}

static int manifest_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct manifest *manifest = reader;
	int code;

	do {
		code = read_line(manifest, error);
		if (code <= 0)
			return code;
		code = take_line(manifest, capture, error);
	} while (!code);
	return code;
}

bool prn_manifest_files(const char *path, prn_source_file_fn *take, void *context)
{
	struct prn_reading reading = { 0 };
	bool found = take(context, path);
	struct manifest *manifest;
	char *fields[FIELDS];
	struct stat about;
	void *reader;

	/* A pipe can be read only once. */
	if (found || stat(path, &about) || !S_ISREG(about.st_mode) || prn_manifest_open(&reader, path, false, &reading, NULL))
		return found;
	manifest = reader;
	while (!found && read_line(manifest, NULL) == 1)
		found = split(manifest->lines.line, fields) && strcmp(fields[3], "-") && !place(manifest, fields[3]) &&
		        take(context, (char *)manifest->name.data);
	manifest_free(manifest);
	return found;
}

const struct prn_reader prn_reader_manifest = { .next = manifest_next, .free = manifest_free };
