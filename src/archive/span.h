/*
 * What a damaged record of a file that is not packed claims to hold.  Records found in there may be what another page's text only
 * pretends: they are believed where they are of the record's own host, and none of them where the file just ends within what it
 * claims (an end that is not what follows every record, a line end in ARC files and a blank line in WARC files).
 */
#ifndef ARCHIVE_SPAN_H
#define ARCHIVE_SPAN_H

#include "archive/stream.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero bytes: nothing is claimed. */
struct prn_span {
	uint64_t end; /* as positions of the stream */
	char *host;   /* of the record; NULL: it has none, and its content is no page's: whatever is found in it is believed */
	bool is_cut;
};

/*
 * A record of url (or NULL) claims what stands before end; blank_line says what ends a record.  What another one, which is not over, claimed stays so, and its host
 * counts.  Without memory nothing in there is believed.
 */
void prn_span_claim(struct prn_span *span, const struct prn_stream *stream, uint64_t end, const char *url, bool blank_line);

/* Whether a record of url, or NULL, that was found at a position is to be believed. */
bool prn_span_believes(const struct prn_span *span, uint64_t position, const char *url);

void prn_span_release(struct prn_span *span);

#endif
