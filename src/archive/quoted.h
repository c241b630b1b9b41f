/* Decodes quoted-printable text (RFC 2045 §6.7) in pieces of lines.  An invalid escape stands for itself. */
#ifndef ARCHIVE_QUOTED_H
#define ARCHIVE_QUOTED_H

#include "base/buffer.h"

#include <stdbool.h>

/* All zero bytes initially. */
struct prn_quoted {
	unsigned count; /* characters of an unfinished escape: none, "=", or "=" and … */
	char high;      /* … its first digit */
	bool is_soft;   /* the last line continues in the next one */
};

/*
 * Appends the decoded form of the next length characters, which contain no line end. ends: a line ends behind
 * them, and blanks there do not belong to the text.  PRN_E_MEMORY
 */
int prn_quoted_add(struct prn_quoted *text, const char *piece, size_t length, bool ends, struct prn_buffer *bytes);

#endif
