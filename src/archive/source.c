#include "perennial/source.h"
#include "archive/collection.h"
#include "archive/git.h"
#include "archive/host_folder.h"
#include "archive/index.h"
#include "archive/mime.h"
#include "archive/passed.h"
#include "archive/reader.h"
#include "archive/saved.h"
#include "archive/source_body.h"
#include "archive/wacz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct prn_source {
	struct prn_reading reading;
	const struct prn_reader *kind;
	void *reader;

	struct prn_collection *collection; /* NULL: reader is the source; else the archives of the collection, … */
	struct prn_source *archive;        /* … the one that is being read, or NULL, … */
	struct prn_source_counts before;   /* … and the counts of those before it */
};

static void report_other_file(void *context, const char *path, int fault)
{
	struct prn_reading *reading = context;
	struct prn_error why;

	switch (fault) {
	case 0:
		prn_reading_ignore_file(reading, path);
		return;
	case PRN_OTHER_FILE_HIDDEN:
		prn_reading_ignore_hidden(reading, path);
		return;
	case PRN_OTHER_FILE_DATES:
		prn_passed_add(reading->counts.passed, PRN_PASSED_DATES, strlen(PRN_PASSED_DATES), 1);
		return;
	case PRN_OTHER_FILE_GIT:
		prn_passed_add(reading->counts.passed, PRN_PASSED_GIT, strlen(PRN_PASSED_GIT), 1);
		return;
	}
	if (fault == PRN_OTHER_FILE_NONE)
		prn_error_set(&why, PRN_E_INPUT, "%.300s: %s", path, PRN_NO_FILE);
	else if (fault == PRN_OTHER_FILE_DEEP)
		prn_error_set(&why, PRN_E_INPUT, "%.300s: folders are too deep", path);
	else
		prn_error_set(&why, PRN_E_IO, "%s: cannot be read: %s", path, strerror(fault));
	prn_reading_skip(reading, &reading->counts.damaged, &why);
}

/* Of a folder that holds nothing that is read: *error says what to name in its place, if that can be seen. */
static void name_another(const char *folder, struct prn_error *error)
{
	char *whole = realpath(folder, NULL), *name = whole ? strrchr(whole, '/') : NULL;
	struct prn_below below = { 0 };
	int64_t time;

	if (prn_git_is_repository(folder))
		prn_error_set(error, PRN_E_INPUT, "%s: a git repository: what was committed to it is read as git:%s", folder, folder);
	else if (prn_below_look(&below, folder) || !(below.hosts || below.schemes))
		;
	else if (name && name[1] >= '0' && name[1] <= '9' && !prn_time_parse(name + 1, &time))
		prn_error_set(error, PRN_E_INPUT, "%s: the folder of one date, with hosts in it: name the folder above it, that of all dates", folder);
	else
		prn_error_set(error, PRN_E_INPUT, "%s: a folder of hosts without dates: put it into one that has its date for a name, as "
		                                  "DIR/20260220T130000Z/host/path, and name DIR", folder);
	free(whole);
}

/*
 * A folder of dates that contains archives and no pages is a folder of archives; one of names with dates is a
 * folder of hosts, unless it is one of archives.
 */
static int open_dates_or_archives(struct prn_source *source, const char *folder, struct prn_error *error)
{
	struct prn_error none = { 0 };
	int code = prn_snapshot_open(&source->reader, folder, &source->reading, error), other;

	source->kind = &prn_reader_snapshot;
	if (code != PRN_E_INPUT)
		return code;
	source->reading.counts = (struct prn_source_counts){ 0 };
	other = prn_collection_open(&source->collection, folder, report_other_file, &source->reading, &none);
	source->before = source->reading.counts;
	if (other && other != PRN_E_NOT_FOUND && error)
		*error = none;
	if (other != PRN_E_NOT_FOUND)
		return other;
	source->reading.counts = source->before = (struct prn_source_counts){ 0 };
	other = prn_snapshot_open_hosts(&source->reader, folder, &source->reading, error);
	if (other == PRN_E_NOT_FOUND)
		name_another(folder, error);
	return other == PRN_E_NOT_FOUND ? code : other;
}

static int open_folder(struct prn_source *source, const char *folder, struct prn_error *error)
{
	struct prn_buffer path = { 0 };
	struct stat about;
	int code;

	if (prn_buffer_append(&path, folder, strlen(folder)) ||
	    prn_buffer_append(&path, "/manifest.tsv", sizeof "/manifest.tsv")) {
		code = prn_error_memory(error);
	} else if (!stat((char *)path.data, &about) && S_ISREG(about.st_mode)) {
		source->kind = &prn_reader_manifest;
		code = prn_manifest_open(&source->reader, (char *)path.data, true, &source->reading, error);
	} else if (prn_kolobov_is(folder)) {
		source->kind = &prn_reader_kolobov;
		code = prn_kolobov_open(&source->reader, folder, &source->reading, error);
	} else {
		code = open_dates_or_archives(source, folder, error);
	}
	prn_buffer_release(&path);
	return code;
}

/* Tells whether the first member begins as JSON lines do: with an object or blanks, perhaps after a byte order mark. */
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

/* Only as many bytes are requested as are available at once, because other formats may send no more yet. */
static bool is_page(struct prn_stream *stream)
{
	const unsigned char *bytes;
	size_t length, at = 0;

	if (prn_stream_peek(stream, 1, &bytes, &length, NULL))
		return false;
	while (at < length && memchr("\xef\xbb\xbf \t\r\n\f", bytes[at], 8))
		at++;
	if (at == length || bytes[at] != '<')
		return false;
	return !prn_stream_peek(stream, PRN_SAVED_START, &bytes, &length, NULL) && prn_saved_is_html(bytes, length);
}

static bool is_arc(struct prn_stream *stream, const char *name)
{
	const unsigned char *bytes;
	size_t length;

	if (prn_stream_peek(stream, 11, &bytes, &length, NULL))
		return prn_is_archive_name(name) && !strstr(name, ".warc");
	return length >= 11 && !memcmp(bytes, "filedesc://", 11);
}

/* A WARC file whose first bytes are damaged may begin with anything, so its name decides. */
static bool is_index(struct prn_stream *stream, const char *name)
{
	const unsigned char *bytes;
	size_t length;

	if (prn_is_archive_name(name))
		return false;
	if (!prn_stream_peek(stream, 5, &bytes, &length, NULL) && length >= 5 && !memcmp(bytes, "WARC/", 5))
		return false;
	return !prn_stream_peek(stream, PRN_INDEX_START, &bytes, &length, NULL) && prn_index_starts(bytes, length);
}

/* from says where the bytes come from; its name is that of the source. */
static int open_stream(struct prn_source *source, struct prn_stream_from *from, bool may_be_empty,
                       struct prn_error *error)
{
	struct prn_stream *stream;
	int code, found;

	from->input.interrupt = &source->reading.interrupt;
	from->input.spare = source->reading.options.spare;
	code = prn_stream_open(&stream, from, error);
	if (code) {
		prn_error_prefix(error, "%s", from->name);
		return code;
	}
	/* Damage at the start is left to the reader to report: records may follow. */
	found = prn_stream_next_member(stream, NULL);
	if (!found && !may_be_empty) {
		prn_error_set(error, PRN_E_INPUT, prn_stream_input_bytes(stream) ? "the file holds nothing but padding" : "the file is empty");
		prn_stream_free(stream);
		prn_error_prefix(error, "%s", from->name);
		return PRN_E_INPUT;
	}
	if (!found || is_lines(stream)) {
		/* Whoever made an archive could have lines in its place name any file here. */
		source->reading.options.no_paths |= prn_is_collected_name(from->name);
		source->kind = &prn_reader_lines;
		return prn_lines_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	if (is_page(stream)) {
		source->kind = &prn_reader_saved;
		return prn_saved_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	if (prn_mime_is(stream)) {
		source->kind = &prn_reader_mhtml;
		return prn_mhtml_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	if (is_index(stream, from->name)) {
		source->kind = &prn_reader_index;
		return prn_index_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	if (is_arc(stream, from->name)) {
		source->kind = &prn_reader_arc;
		return prn_arc_open_take(&source->reader, stream, from->name, &source->reading, error);
	}
	source->kind = &prn_reader_archive;
	code = prn_archive_open_take(&source->reader, stream, from->name, &source->reading, error);
	if (code)
		prn_error_prefix(error, "%s", from->name);
	return code;
}

/* A zip file is recognised by its start, which a pipe cannot be asked for: opens it and returns 1 if it is one. */
static int open_zip(struct prn_source *source, int fd, bool owned, const char *name, struct prn_error *error)
{
	int code = 0;

	if (fd >= 0 && prn_wacz_is(fd)) {
		code = prn_collection_open_wacz(&source->collection, fd, owned, name, error);
		return code ? code : 1;
	}
	if (fd >= 0 && owned)
		close(fd);
	return 0;
}

static int open_path(struct prn_source *source, const char *path, struct prn_error *error)
{
	bool is_standard = !strcmp(path, "-");
	struct prn_stream_from from = { .input.path = path, .name = is_standard ? "standard input" : path };
	size_t length = strlen(path);
	struct stat about;
	bool is_there = !is_standard && !stat(path, &about);

	if (!strncmp(path, PRN_GIT_PREFIX, strlen(PRN_GIT_PREFIX))) {
		source->kind = &prn_reader_git;
		return prn_git_open(&source->reader, path, &source->reading, error);
	}
	if (is_there && S_ISDIR(about.st_mode))
		return open_folder(source, path, error);
	/* Data written to a named pipe are lost if it is opened, closed, and opened again. */
	if (is_there && S_ISREG(about.st_mode)) {
		int code = open_zip(source, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), true, path, error);

		if (code)
			return code < 0 ? code : 0;
	}
	if (length > 4 && !strcmp(path + length - 4, ".tsv")) {
		source->kind = &prn_reader_manifest;
		return prn_manifest_open(&source->reader, path, false, &source->reading, error);
	}
	return open_stream(source, &from, is_standard, error);
}

static struct prn_source *new_source(const struct prn_source_options *options)
{
	struct prn_source *source = calloc(1, sizeof *source);

	if (source && options) {
		source->reading.options = *options;
		source->reading.interrupt = (struct prn_interrupt){ .cancelled = options->cancelled,
			                                            .context = options->cancelled_context,
			                                            .wake = options->wake };
	}
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
	int code = source ? 0 : prn_error_memory(error);

	if (!code && fd < 0)
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: %d is no descriptor", name, fd);
	if (!code)
		code = open_zip(source, fd, false, name, error);
	if (!code)
		code = open_stream(source, &from, false, error);
	if (code < 0)
		prn_source_free(source);
	else
		*out = source;
	return code < 0 ? code : 0;
}

/* Opens the next archive of a collection: 1, or 0 if there is none; *moved says that it moved to the next one. */
static int open_archive(struct prn_source *source, bool *moved, struct prn_error *error)
{
	struct prn_stream_from from;
	int code = prn_collection_next(source->collection, &from, error);
	struct prn_source *archive;

	*moved = code > 0;
	if (code <= 0)
		return code;
	archive = new_source(&source->reading.options);
	if (!archive)
		return prn_error_memory(error);
	archive->reading.options.no_paths = true;
	code = from.input.read ? open_stream(archive, &from, false, error) : open_path(archive, from.name, error);
	if (code)
		prn_source_free(archive);
	else
		source->archive = archive;
	return code ? code : 1;
}

/* The totals: those of finished archives, and those of the current one.  Captures are counted by the source itself. */
static void sum_counts(struct prn_source *source)
{
	struct prn_source_counts *sum = &source->reading.counts;
	const struct prn_source_counts *before = &source->before, *now = &source->archive->reading.counts;

	sum->records = before->records + now->records;
	sum->filtered = before->filtered + now->filtered;
	sum->other_media = before->other_media + now->other_media;
	sum->ignored = before->ignored + now->ignored;
	sum->damaged = before->damaged + now->damaged;
	sum->unread = before->unread + now->unread;
	sum->cut = before->cut + now->cut;
	sum->shortened = before->shortened + now->shortened;
	sum->mismatched = before->mismatched + now->mismatched;
	sum->zoneless = before->zoneless + now->zoneless;
	sum->input_bytes = before->input_bytes + now->input_bytes;
}

/* One archive that cannot be read to its end leaves the others. */
static int next_of_collection(struct prn_source *source, struct prn_capture *capture, struct prn_error *error)
{
	for (;;) {
		struct prn_error why = { 0 };
		bool moved = true;
		int code = source->archive ? 1 : open_archive(source, &moved, &why);

		if (!code)
			return 0;
		if (code == 1) {
			code = prn_source_next(source->archive, capture, &why);
			sum_counts(source);
			if (code == 1)
				return 1;
			prn_passed_join(source->reading.counts.passed, source->archive->reading.counts.passed);
			prn_source_free(source->archive);
			source->archive = NULL;
			source->before = source->reading.counts;
		}
		if (code == PRN_E_MEMORY || code == PRN_E_CANCELLED || !moved) {
			if (error)
				*error = why;
			return code;
		}
		if (code) {
			prn_reading_skip(&source->reading, &source->reading.counts.damaged, &why);
			source->before.damaged++;
		}
	}
}

int prn_source_next(struct prn_source *source, struct prn_capture *capture, struct prn_error *error)
{
	const struct prn_source_counts *counts = &source->reading.counts;
	uint64_t unread = counts->unread;
	int code = source->collection ? next_of_collection(source, capture, error)
	                              : source->kind->next(source->reader, capture, error);

	/* Counts an answer that is an error though its status is not; why a body could not be read was already reported. */
	if (code == 1 && capture->kind == PRN_KIND_ERROR && counts->unread == unread &&
	    prn_kind_of_status(capture->status) == PRN_KIND_CONTENT)
		source->reading.counts.cut_short++;

	source->reading.counts.captures += code == 1;
	return code;
}

struct prn_buffer *prn_source_body(struct prn_source *source, const struct prn_capture *capture)
{
	struct prn_buffer *body;

	while (source->archive)
		source = source->archive;
	body = source->kind && source->kind->body ? source->kind->body(source->reader) : NULL;
	return body && body->length && body->data == capture->body ? body : NULL;
}

const struct prn_source_counts *prn_source_counts(const struct prn_source *source)
{
	return &source->reading.counts;
}

void prn_source_free(struct prn_source *source)
{
	if (!source)
		return;
	if (source->reader)
		source->kind->free(source->reader);
	prn_source_free(source->archive);
	prn_collection_free(source->collection);
	free(source);
}
