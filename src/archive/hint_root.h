/* Recognises a document by its root element: finds it, and tells whether it is that of a sitemap or feed. */
#ifndef ARCHIVE_HINT_ROOT_H
#define ARCHIVE_HINT_ROOT_H

#include "base/buffer.h"
#include "perennial/hint.h"

#include <stdbool.h>

#define PRN_HINT_LOOKED_AT ((size_t)8 << 10) /* bytes that prn_hint_sniff reads */

/*
 * Finds the root element of text, clean UTF-8: *at is the position of its "<", behind the declaration,
 * comments, instructions and a document type.  False: there is none.
 */
bool prn_hint_root(const unsigned char *text, size_t length, size_t *at);

/* Tells whether the root element that starts at text is of a format that is read; *format is unchanged if not. */
bool prn_hint_root_format(const unsigned char *text, size_t length, enum prn_hint_format *format);

/* Tells whether bytes begin like gzip. */
bool prn_hint_is_packed(const unsigned char *bytes, size_t length);

/*
 * Decodes all members of gzip, up to limit bytes.  *cut: there is more, or the data end early or are damaged.
 *
 * PRN_E_MEMORY
 */
int prn_hint_unpack(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out, bool *cut);

#endif
