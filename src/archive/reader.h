/*
 * The kinds of source, and what they share: the options, the counts, and reports of what was skipped.  Each
 * kind returns captures as prn_source_next does; a new one is one file and one line in source.c.
 */
#ifndef ARCHIVE_READER_H
#define ARCHIVE_READER_H

#include "base/buffer.h"
#include "base/interrupt.h"
#include "archive/source_files.h"
#include "archive/stream.h"
#include "perennial/source.h"

/* The options of a source, and its counts.  It is part of the source and lives as long as its reader. */
struct prn_reading {
	struct prn_source_options options;
	struct prn_interrupt interrupt; /* what of them ends waits and searches */
	struct prn_source_counts counts;
};

/* Adds one to *count, which is one of reading's, and tells the caller of the source why. */
void prn_reading_skip(struct prn_reading *reading, uint64_t *count, const struct prn_error *what);

/*
 * After prn_stream_more, or what reads by it, failed with *why: where it goes on counts and reports what was lost, and returns true.
 */
bool prn_reading_goes_on(struct prn_reading *reading, const struct prn_stream *stream, const char *path, struct prn_error *why);

/* Tells whether the filter accepts content of this type; what it rejects is counted. */
bool prn_reading_wants_media(struct prn_reading *reading, const char *content_type);

/* Counts a skipped item by its kind: length bytes at what name it. */
void prn_reading_ignore(struct prn_reading *reading, const char *what, size_t length);

/* What is said of a pipe, a device or a link to nothing where a file should be. */
#define PRN_NO_FILE "what stands there is no file, nor a link to one"

/* The same for a file, by the extension of its name: "*.txt", "*.jsonl.gz", or "hidden *.txt" where its name begins with a dot. */
void prn_reading_ignore_file(struct prn_reading *reading, const char *path);

/* The same for a file that is hidden, itself or with its folder. */
void prn_reading_ignore_hidden(struct prn_reading *reading, const char *path);

/* Sets the server's address from its text; an invalid one is ignored. */
void prn_capture_set_address(struct prn_capture *capture, const char *text);

/* Sets the crawl delay: what is asked for in parts of a second is a whole one, and more than a day is a day.  False: seconds is no such number. */
bool prn_capture_set_crawl_delay(struct prn_capture *capture, double seconds);

/*
 * Reads a file up to limit bytes into *body; *more says that there is more.  *error names neither file nor
 * place.
 *
 * PRN_E_NOT_FOUND	there is no such file, or it is not a regular one
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_body_read(struct prn_buffer *body, const char *path, size_t limit, bool *more, struct prn_error *error);

struct prn_reader {
	int (*next)(void *reader, struct prn_capture *capture, struct prn_error *error);
	void (*free)(void *reader);
	struct prn_buffer *(*body)(void *reader); /* the buffer that bodies are read into; NULL: there is none for all of them */
};

extern const struct prn_reader prn_reader_archive, prn_reader_lines, prn_reader_snapshot, prn_reader_manifest,
	prn_reader_index, prn_reader_kolobov, prn_reader_arc, prn_reader_mhtml, prn_reader_saved,
	prn_reader_git;


/* The files of a folder with the data of Kolobov et al., and whether a folder has them. */
#define PRN_KOLOBOV_HISTORIES "urlid_offset_history.txt"
bool prn_kolobov_is(const char *folder);

/*
 * Errors as prn_source_open; *out is freed with the free of its kind.  A stream must be at its first member.
 * The reader owns it from here on, also after a failure; path is its name.
 */
int prn_archive_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                          struct prn_error *error);
int prn_lines_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error);
int prn_index_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error);
int prn_arc_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                      struct prn_error *error);
int prn_mhtml_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error);
int prn_saved_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error);
int prn_snapshot_open(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error);
/* Tells at a glance whether a folder may be one of dates with hosts, or of hosts with dates. */
bool prn_snapshot_is(const char *folder);
/* Opens a folder of hosts that have dates, or of one such host.  PRN_E_NOT_FOUND: it is not one; *error is unchanged. */
int prn_snapshot_open_hosts(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error);
int prn_git_open(void **out, const char *spec, struct prn_reading *reading, struct prn_error *error);
int prn_kolobov_open(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error);
/* within: of its files only those in its own folder are read. */
int prn_manifest_open(void **out, const char *path, bool within, struct prn_reading *reading, struct prn_error *error);

/*
 * As prn_source_files, for: a manifest, a folder of Kolobov's data, a repository, a folder of dates that is
 * open and not yet read.
 */
bool prn_manifest_files(const char *path, prn_source_file_fn *take, void *context);
bool prn_kolobov_files(const char *folder, prn_source_file_fn *take, void *context);
bool prn_git_files(const char *spec, prn_source_file_fn *take, void *context);
bool prn_snapshot_files(void *reader, prn_source_file_fn *take, void *context);

/* Tells whether a file of this name, or path, should be a WARC, ARC or WACZ file. */
bool prn_is_archive_name(const char *name);

/* The same, also for a page saved as MHTML: "x.mht", "x.mhtml", compressed or not. */
bool prn_is_collected_name(const char *name);

#endif
