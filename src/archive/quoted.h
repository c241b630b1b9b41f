/*
 * Quoted-printable text (RFC 2045 §6.7), in pieces of lines.  What is no escape stands for itself.
 */
#ifndef ARCHIVE_QUOTED_H
#define ARCHIVE_QUOTED_H

#include "base/buffer.h"

#include <stdbool.h>

/* All zero bytes to begin with. */
struct prn_quoted {
	unsigned count; /* characters of an escape that has begun: none, "=", or that and */
	char high;      /* … its first digit */
	bool is_soft;   /* the line that ended last goes on in the next one */
};

/*
 * Appends what the next length characters, without a line end, stand for; ends: a line ends behind them, and blanks there are none of
 * the text's.  PRN_E_MEMORY
 */
int prn_quoted_add(struct prn_quoted *text, const char *piece, size_t length, bool ends, struct prn_buffer *bytes);

#endif
