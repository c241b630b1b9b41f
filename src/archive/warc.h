/*
 * Reads WARC 1.0 and 1.1 records one after another (ISO 28500), and those of the drafts 0.16 to 0.18, from a
 * stream of any format (stream.h), in bounded memory.  Damage is reported once; the reader is then already at
 * the next readable record:
 *
 *  - where only the header is bad, but its Content-Length leads to the end of the record, behind it;
 *  - in compressed files with a member per record, at the next member whose content begins with "WARC/", never within the
 *    member of the damaged record: what stands there may be its page's text;
 *  - in plain files, outside of what the damaged record claims to contain, or of its own host (span.h), at the next
 *    "WARC/1.x" or "WARC/0.1x" before a line end, from the start of the damaged record on (from the end of the bytes it
 *    claimed, if the file is a pipe);
 *  - in files compressed as one member (it is the first, or has had a whole record before the damaged one), or as members that
 *    end inside records, the same, from the end of the bytes it claimed; damage to the compressed data themselves costs the
 *    rest of the member.
 *
 * Error texts name the file, the record's offset and, if it is known, its URL.
 */
#ifndef ARCHIVE_WARC_H
#define ARCHIVE_WARC_H

#include "archive/stream.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_WARC_HEADER_BYTES ((size_t)64 << 10) /* bytes of the longest record header that is read */
#define PRN_WARC_HEADER_PASSED ((size_t)8 << 20) /* … and of the longest that is looked through for its Content-Length */

enum prn_warc_type {
	PRN_WARC_RESPONSE,
	PRN_WARC_RESOURCE,
	PRN_WARC_REVISIT,
	PRN_WARC_CONVERSION,
	PRN_WARC_OTHER, /* warcinfo, request, metadata, continuation, unknown */
};

/* The fields that are used, as written except for angle brackets around them; NULL if they are missing. */
struct prn_warc_record {
	enum prn_warc_type type;
	const char *type_name; /* never NULL */
	const char *target_uri;
	const char *date;
	const char *content_type;
	const char *payload_digest;
	const char *block_digest;
	const char *truncated;
	const char *profile;
	const char *refers_to_uri;
	const char *refers_to_date;
	const char *segment;
	const char *address;
	bool has_length; /* always, of a record whose header can be read */
	uint64_t block_bytes;
};

struct prn_warc;

/*
 * Opens a reader.  It owns the stream, which must be at its first member, from here on, also after a failure;
 * path is its name.
 *
 * PRN_E_INPUT	not a WARC file: the text says what is read
 * PRN_E_MEMORY
 */
int prn_warc_open_take(struct prn_warc **out, struct prn_stream *stream, const char *path, struct prn_error *error);
void prn_warc_free(struct prn_warc *warc);

/*
 * Reads the header of the next record: 1 with *record, valid until the next call, 0 at the end.  The rest of
 * the current record is skipped and verified: its damage is reported here, too.
 *
 * PRN_E_INPUT	something is damaged; call again for the next record
 * PRN_E_TRUNCATED	the file ends inside a record: the end
 * PRN_E_IO, PRN_E_MEMORY: the end
 */
int prn_warc_next(struct prn_warc *warc, struct prn_warc_record *record, struct prn_error *error);

/*
 * Reads a piece of the record's block: 1 with *bytes, valid until the next call, 0 after the last one; then the
 * record was as long as it said, and the checksum of its member is right, unless other records follow in it.
 * Errors as above.
 */
int prn_warc_block(struct prn_warc *warc, const unsigned char **bytes, size_t *length, struct prn_error *error);

/*
 * After prn_warc_block failed: tells whether the record just was not as long as it said, or was cut by the end
 * of the file or its member, so that *bytes of its block were good (the first of those returned).
 */
bool prn_warc_partial(const struct prn_warc *warc, uint64_t *bytes);

/* Puts "FILE: record at offset N (URL): " before the text of *error. */
void prn_warc_locate(const struct prn_warc *warc, struct prn_error *error);

/* Tells whether the file is uncompressed, so that only the digests of its records reveal damage. */
bool prn_warc_is_plain(const struct prn_warc *warc);

/* Returns how many bytes of the file have been used. */
uint64_t prn_warc_input_bytes(const struct prn_warc *warc);

#endif
