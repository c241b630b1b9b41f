/*
 * Writes WARC 1.1: a response with its body, or a revisit of one.  Each record is a gzip member of its own if
 * the path ends in ".gz", else plain.  Nothing exists at path until _close succeeds.
 */
#ifndef ARCHIVE_WARC_WRITE_H
#define ARCHIVE_WARC_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

struct prn_warc_capture {
	const char *url;
	int64_t time;
	const char *content_type;
	const void *body;
	size_t body_bytes;
	int64_t refers_time; /* PRN_TIME_UNKNOWN: a response; else a revisit of the response of this URL and time, with the same body */
};

struct prn_warc_writer;

/* Writes first a warcinfo record that says what made the file: about, one line.  PRN_E_IO, PRN_E_MEMORY */
int prn_warc_writer_open(struct prn_warc_writer **out, const char *path, const char *about, struct prn_error *error);

/* Equal captures give equal bytes: record ids are derived from URL and time.  PRN_E_IO, PRN_E_MEMORY */
int prn_warc_writer_add(struct prn_warc_writer *writer, const struct prn_warc_capture *capture,
                        struct prn_error *error);

/* Puts the file in place; frees the writer whether it succeeds or not. */
int prn_warc_writer_close(struct prn_warc_writer *writer, struct prn_error *error);
void prn_warc_writer_free(struct prn_warc_writer *writer);

#endif
