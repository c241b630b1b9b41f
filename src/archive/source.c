#include "perennial/source.h"
#include "archive/reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct prn_source {
	struct prn_reading reading;
	const struct prn_reader *kind;
	void *reader;
};

static int open_folder(struct prn_source *source, const char *folder, struct prn_error *error)
{
	struct prn_buffer path = { 0 };
	struct stat about;
	int code;

	if (prn_buffer_append(&path, folder, strlen(folder)) ||
	    prn_buffer_append(&path, "/manifest.tsv", sizeof "/manifest.tsv")) {
		code = prn_error_memory(error);
	} else if (!stat((char *)path.data, &about)) {
		source->kind = &prn_reader_manifest;
		code = prn_manifest_open(&source->reader, (char *)path.data, &source->reading, error);
	} else {
		source->kind = &prn_reader_snapshot;
		code = prn_snapshot_open(&source->reader, folder, &source->reading, error);
	}
	prn_buffer_release(&path);
	return code;
}

/* Whether the first member begins as JSON lines do: with an object or blanks, perhaps after a byte order mark. */
static bool is_lines(struct prn_stream *stream)
{
	const unsigned char *bytes;
	size_t length, at = 0;

	if (prn_stream_peek(stream, 1, &bytes, &length, NULL) || !length)
		return false;
	if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
		at = 3;
	while (at < length && strchr(" \t\r\n", bytes[at]) && bytes[at])
		at++;
	return at == length || bytes[at] == '{';
}

static int open_stream(struct prn_source *source, const char *path, struct prn_error *error)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	struct prn_stream *stream;
	int code = prn_stream_open(&stream, path, error), found;

	if (code) {
		prn_error_prefix(error, "%s", name);
		return code;
	}
	prn_stream_watch(stream, source->reading.options.cancelled, source->reading.options.cancelled_context);
	/* Damage at the start is for the reader to tell: there may be records further on. */
	found = prn_stream_next_member(stream, NULL);
	if (!found && name == path) {
		prn_stream_free(stream);
		return prn_error_set(error, PRN_E_INPUT, "%s: the file is empty", name);
	}
	if (!found || is_lines(stream)) {
		source->kind = &prn_reader_lines;
		return prn_lines_open_take(&source->reader, stream, name, &source->reading, error);
	}
	source->kind = &prn_reader_archive;
	code = prn_archive_open_take(&source->reader, stream, name, &source->reading, error);
	if (code)
		prn_error_prefix(error, "%s", name);
	return code;
}

static bool is_folder(const char *path)
{
	struct stat about;

	return !stat(path, &about) && S_ISDIR(about.st_mode);
}

static int open_reader(struct prn_source *source, const char *path, struct prn_error *error)
{
	size_t length = strlen(path);

	if (strcmp(path, "-") && is_folder(path))
		return open_folder(source, path, error);
	if (length > 4 && !strcmp(path + length - 4, ".tsv")) {
		source->kind = &prn_reader_manifest;
		return prn_manifest_open(&source->reader, path, &source->reading, error);
	}
	return open_stream(source, path, error);
}

int prn_source_open(struct prn_source **out, const char *path, const struct prn_source_options *options,
                    struct prn_error *error)
{
	struct prn_source *source = calloc(1, sizeof *source);
	int code;

	if (!source)
		return prn_error_memory(error);
	if (options)
		source->reading.options = *options;
	if (!source->reading.options.body_bytes_max)
		source->reading.options.body_bytes_max = PRN_BODY_BYTES;
	code = open_reader(source, path, error);
	if (code)
		prn_source_free(source);
	else
		*out = source;
	return code;
}

int prn_source_next(struct prn_source *source, struct prn_capture *capture, struct prn_error *error)
{
	int code = source->kind->next(source->reader, capture, error);

	source->reading.counts.captures += code == 1;
	return code;
}

const struct prn_source_counts *prn_source_counts(const struct prn_source *source)
{
	return &source->reading.counts;
}

void prn_source_free(struct prn_source *source)
{
	if (source && source->reader)
		source->kind->free(source->reader);
	free(source);
}
