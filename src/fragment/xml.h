/*
 * Extracts the text of XML: that of its elements and of their attributes `text` and `title` (OPML has nothing
 * else).
 *
 * There is no network access, no document type definition, and no entities but the five predefined ones (any
 * other ends a word).  Text of an element that itself contains markup, escaped or as CDATA, is read as HTML, as
 * feeds have it.  Elements of XHTML obey HTML's rules on inline and hidden elements; any other tag ends a word.
 */
#ifndef FRAGMENT_XML_H
#define FRAGMENT_XML_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Appends the text of xml to *text. xml is clean UTF-8 (decode.h) of at most INT_MAX bytes; piece is memory for
 * one element's text.  Broken XML is read as far as it goes.  The limits are those of prn_html_text and are
 * added to *cut.
 *
 * PRN_E_MEMORY
 */
int prn_xml_text(const unsigned char *xml, size_t length, struct prn_buffer *piece,
                 struct prn_buffer *text, unsigned *cut);

/* Tells whether the text in [at, end) starts with word. */
static inline bool prn_xml_starts(const unsigned char *at, const unsigned char *end, const char *word)
{
	return (size_t)(end - at) >= strlen(word) && !memcmp(at, word, strlen(word));
}

/* Returns the position behind the next occurrence of word in [at, end), or end. */
static inline const unsigned char *prn_xml_past(const unsigned char *at, const unsigned char *end, const char *word)
{
	const unsigned char *found = memmem(at, (size_t)(end - at), word, strlen(word));

	return found ? found + strlen(word) : end;
}

/* Skips the comment, instruction or quoted value that starts at `at` < end, else one byte. */
static inline const unsigned char *prn_xml_past_one(const unsigned char *at, const unsigned char *end)
{
	if (prn_xml_starts(at, end, "<!--"))
		return prn_xml_past(at + 4, end, "-->");
	if (prn_xml_starts(at, end, "<?"))
		return prn_xml_past(at + 2, end, "?>");
	if (*at == '"' || *at == '\'')
		return prn_xml_past(at + 1, end, *at == '"' ? "\"" : "'");
	return at + 1;
}

#endif
