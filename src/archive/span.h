/*
 * The range of an uncompressed file that a damaged record claims.  Records found inside it may only be text of
 * another page that looks like records.  They are accepted if they belong to the host of the damaged record,
 * and none is if the file just ends within the range (an end other than what follows every record: a line end
 * in ARC files and a blank line in WARC files).
 */
#ifndef ARCHIVE_SPAN_H
#define ARCHIVE_SPAN_H

#include "archive/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero bytes: nothing is claimed. */
struct prn_span {
	uint64_t end; /* as positions of the stream */
	char *host;   /* host of the record; NULL: it has none, and its content is not that of a page: all records inside are accepted */
	bool unknown; /* … or its header cannot be read: none is */
	bool is_cut;
};

/*
 * A record of url (or NULL) claims the bytes before end; blank_line says what ends a record.  An earlier claim
 * that is not over remains, and its host counts.  Without memory no record inside is accepted.
 */
void prn_span_claim(struct prn_span *span, const struct prn_stream *stream, uint64_t end, const char *url, bool blank_line);

/* The same of a record whose header is bad: where it tells no host, no record inside is accepted. */
void prn_span_claim_unknown(struct prn_span *span, const struct prn_stream *stream, uint64_t end, const char *url, bool blank_line);

/* Tells whether a record of url, or NULL, that was found at a position is to be accepted. */
bool prn_span_believes(const struct prn_span *span, uint64_t position, const char *url);

void prn_span_release(struct prn_span *span);

#endif
