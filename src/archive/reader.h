/*
 * The kinds of source, and what they share: the options, the counts, and telling what was skipped.  Each kind hands
 * out captures as prn_source_next does; a new one is one file and one line in source.c.
 */
#ifndef ARCHIVE_READER_H
#define ARCHIVE_READER_H

#include "base/buffer.h"
#include "archive/source_files.h"
#include "archive/stream.h"
#include "perennial/source.h"

/* What a source is asked for, and what it has counted.  Lives in the source, as long as its reader does. */
struct prn_reading {
	struct prn_source_options options;
	struct prn_source_counts counts;
};

/* Adds one to *count, which is one of reading's, and tells the caller of the source why. */
void prn_reading_skip(struct prn_reading *reading, uint64_t *count, const struct prn_error *what);

/* Whether the filter lets content of this type pass; what it leaves out is counted. */
bool prn_reading_wants_media(struct prn_reading *reading, const char *content_type);

/* Counts what is passed over for what it is: length bytes at what say it. */
void prn_reading_ignore(struct prn_reading *reading, const char *what, size_t length);

/* The same of a file, by the ending of its name: "*.txt". */
void prn_reading_ignore_file(struct prn_reading *reading, const char *path);

/* The server's address, as text has it; what is not one is left out. */
void prn_capture_set_address(struct prn_capture *capture, const char *text);

/*
 * Reads a file up to limit bytes into *body; *more says that it goes on.  *error names neither file nor place.
 *
 * PRN_E_NOT_FOUND	there is no such file, or it is not a regular one
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_body_read(struct prn_buffer *body, const char *path, size_t limit, bool *more, struct prn_error *error);

struct prn_reader {
	int (*next)(void *reader, struct prn_capture *capture, struct prn_error *error);
	void (*free)(void *reader);
};

extern const struct prn_reader prn_reader_archive, prn_reader_lines, prn_reader_snapshot, prn_reader_manifest,
	prn_reader_index, prn_reader_kolobov, prn_reader_arc, prn_reader_mhtml, prn_reader_saved,
	prn_reader_git;


/* What a folder has that is a source of the data of Kolobov et al., and whether one has it. */
#define PRN_KOLOBOV_HISTORIES "urlid_offset_history.txt"
bool prn_kolobov_is(const char *folder);

/*
 * Errors as prn_source_open; *out is freed with the free of its kind.  A stream stands at its first member and is
 * the reader's from here on, also after a failure; path is its name.
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
/* A folder of hosts that have dates, or of one of them.  PRN_E_NOT_FOUND: it has none; *error is as it was. */
int prn_snapshot_open_hosts(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error);
int prn_git_open(void **out, const char *spec, struct prn_reading *reading, struct prn_error *error);
int prn_kolobov_open(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error);
int prn_manifest_open(void **out, const char *path, struct prn_reading *reading, struct prn_error *error);

/* As prn_source_files: of a manifest, of the folder of Kolobov's data, of a repository, of a folder of dates, open and not yet read. */
bool prn_manifest_files(const char *path, prn_source_file_fn *take, void *context);
bool prn_kolobov_files(const char *folder, prn_source_file_fn *take, void *context);
bool prn_git_files(const char *spec, prn_source_file_fn *take, void *context);
bool prn_snapshot_files(void *reader, prn_source_file_fn *take, void *context);

/* Whether a file of this name, or path, should be a WARC, ARC or WACZ file. */
bool prn_is_archive_name(const char *name);

/* The same, or that of a page saved as MHTML: "x.mht", "x.mhtml", packed or not. */
bool prn_is_collected_name(const char *name);

#endif
