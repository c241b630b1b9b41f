/* Reads lines of a stream, across its members, in bounded memory. */
#ifndef ARCHIVE_LINE_READER_H
#define ARCHIVE_LINE_READER_H

#include "archive/stream.h"
#include "base/buffer.h"

/* All zero bytes initially, except stream and limit; the owner releases text. */
struct prn_line_reader {
	struct prn_stream *stream; /* borrowed */
	size_t limit;              /* bytes of the longest line that is kept */
	struct prn_buffer text;    /* the current line, without its end */
	uint64_t number;           /* its number, from 1 */
	bool is_torn;              /* the current line's beginning was lost: its rest is passed over */
};

/*
 * Reads the next line into text.  If it is longer than the limit its rest is skipped, and *whole is false. 1,
 * or 0 at the end; the last line may lack its end.  Errors as prn_stream_more; where that goes on, so do lines, but for the one that
 * was being read.  The first one behind it may be the end of another: whoever cannot tell sets is_torn.
 */
int prn_line_reader_next(struct prn_line_reader *reader, bool *whole, struct prn_error *error);

/*
 * Returns where a line of that number begins: behind white space, and behind the byte order mark that some
 * editors write.
 */
size_t prn_line_start(const unsigned char *line, size_t length, uint64_t number);

#endif
