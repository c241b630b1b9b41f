/*
 * Converts bytes to UTF-8: finds the charset, then converts.  The charset is the first known one of: the byte
 * order mark, the HTTP header, the XML declaration or the meta element.  Without any it is UTF-8 if the bytes
 * are valid UTF-8, else windows-1252.
 */
#ifndef FRAGMENT_DECODE_H
#define FRAGMENT_DECODE_H

#include "base/buffer.h"
#include "fragment/media.h"

#include <iconv.h>

#define PRN_DECODE_PRESCAN 8192 /* bytes searched for an XML declaration or a meta element */

/* The decoder keeps its memory and its last converter for the next body. */
struct prn_decoder {
	struct prn_buffer text;
	iconv_t converter;
	const char *converter_name; /* the charset that converter reads, or NULL: none is open */
};

void prn_decoder_init(struct prn_decoder *decoder);
void prn_decoder_release(struct prn_decoder *decoder);

/*
 * Writes to *text the body as valid UTF-8, without a byte order mark and without control characters other than
 * white space.  *text points to the body itself if it is that already, else into the decoder, where it is valid
 * until the next call.
 *
 * PRN_E_MEMORY
 */
int prn_decoder_decode(struct prn_decoder *decoder, const void *bytes, size_t length,
                       enum prn_media media, const char *content_type, const unsigned char **text,
                       size_t *text_length);

/*
 * Returns the charset that the bytes are taken to be in, as a static upper-case name ("UTF-8", "WINDOWS-1252",
 * "SHIFT_JIS" …), and writes the length of the byte order mark to *mark_bytes.
 */
const char *prn_decode_charset(const void *bytes, size_t length, enum prn_media media,
                               const char *content_type, size_t *mark_bytes);

#endif
