/*
 * What a document is, by its root element: where that starts, and whether it is that of a sitemap or feed.
 */
#ifndef ARCHIVE_HINT_ROOT_H
#define ARCHIVE_HINT_ROOT_H

#include "base/buffer.h"
#include "perennial/hint.h"

#include <stdbool.h>

#define PRN_HINT_LOOKED_AT ((size_t)8 << 10) /* bytes that prn_hint_sniff reads */

/*
 * Finds the root element of text, clean UTF-8: *at is where its "<" stands, behind the declaration, comments, instructions
 * and a document type.  False: there is none.
 */
bool prn_hint_root(const unsigned char *text, size_t length, size_t *at);

/* Whether the root element that starts at text is one that is read here; *format is untouched if it is not. */
bool prn_hint_root_format(const unsigned char *text, size_t length, enum prn_hint_format *format);

/* Whether bytes begin like gzip. */
bool prn_hint_is_packed(const unsigned char *bytes, size_t length);

/*
 * Unpacks gzip, all its members, up to limit bytes.  *cut: there would be more, or it ends early or in damage.
 *
 * PRN_E_MEMORY
 */
int prn_hint_unpack(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out, bool *cut);

#endif
