#include "perennial/source.h"
#include "archive/index.h"
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
	} else if (prn_kolobov_is(folder)) {
		source->kind = &prn_reader_kolobov;
		code = prn_kolobov_open(&source->reader, folder, &source->reading, error);
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

static bool is_named_warc(const char *name)
{
	const char *ending = NULL;

	for (const char *at = name; (at = strstr(at, ".warc")); at += 5)
		ending = at + 5;
	return ending && (!*ending || !strcmp(ending, ".gz") || !strcmp(ending, ".zst"));
}

/* A WARC file whose first bytes are damaged may begin as anything does: its name tells what it is. */
static bool is_index(struct prn_stream *stream, const char *name)
{
	const unsigned char *bytes;
	size_t length;

	if (is_named_warc(name))
		return false;
	if (!prn_stream_peek(stream, 5, &bytes, &length, NULL) && length >= 5 && !memcmp(bytes, "WARC/", 5))
		return false;
	return !prn_stream_peek(stream, PRN_INDEX_START, &bytes, &length, NULL) && prn_index_starts(bytes, length);
}

/* from says where the bytes come from; its name is that of the source. */
static int open_stream(struct prn_source *source, struct prn_stream_from *from, bool may_be_empty,
                       struct prn_error *error)
{
	const struct prn_source_options *options = &source->reading.options;
	struct prn_stream *stream;
	int code, found;

	from->input.wake = options->wake;
	from->cancelled = options->cancelled;
	from->context = options->cancelled_context;
	code = prn_stream_open(&stream, from, error);
	if (code) {
		prn_error_prefix(error, "%s", from->name);
		return code;
	}
	/* Damage at the start is left to the reader to report: there may be records further on. */
	found = prn_stream_next_member(stream, NULL);
	if (!found && !may_be_empty) {
		prn_stream_free(stream);
		prn_error_set(error, PRN_E_INPUT, "the file is empty");
		prn_error_prefix(error, "%s", from->name);
		return PRN_E_INPUT;
	}
	if (!found || is_lines(stream)) {
		source->kind = &prn_reader_lines;
		return prn_lines_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	if (is_index(stream, from->name)) {
		source->kind = &prn_reader_index;
		return prn_index_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	source->kind = &prn_reader_archive;
	code = prn_archive_open_take(&source->reader, stream, from->name, &source->reading, error);
	if (code)
		prn_error_prefix(error, "%s", from->name);
	return code;
}

static bool is_folder(const char *path)
{
	struct stat about;

	return !stat(path, &about) && S_ISDIR(about.st_mode);
}

static int open_path(struct prn_source *source, const char *path, struct prn_error *error)
{
	bool is_standard = !strcmp(path, "-");
	struct prn_stream_from from = { .input.path = path, .name = is_standard ? "standard input" : path };
	size_t length = strlen(path);

	if (!is_standard && is_folder(path))
		return open_folder(source, path, error);
	if (length > 4 && !strcmp(path + length - 4, ".tsv")) {
		source->kind = &prn_reader_manifest;
		return prn_manifest_open(&source->reader, path, &source->reading, error);
	}
	return open_stream(source, &from, is_standard, error);
}

static struct prn_source *new_source(const struct prn_source_options *options)
{
	struct prn_source *source = calloc(1, sizeof *source);

	if (source && options)
		source->reading.options = *options;
	if (source && !source->reading.options.body_bytes_max)
		source->reading.options.body_bytes_max = PRN_BODY_BYTES;
	return source;
}

int prn_source_open(struct prn_source **out, const char *path, const struct prn_source_options *options,
                    struct prn_error *error)
{
	struct prn_source *source = new_source(options);
	int code = source ? open_path(source, path, error) : prn_error_memory(error);

	if (code)
		prn_source_free(source);
	else
		*out = source;
	return code;
}

int prn_source_open_fd(struct prn_source **out, int fd, const char *name, const struct prn_source_options *options,
                       struct prn_error *error)
{
	struct prn_stream_from from = { .input.fd = fd, .name = name };
	struct prn_source *source = new_source(options);
	int code = source ? open_stream(source, &from, false, error) : prn_error_memory(error);

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
