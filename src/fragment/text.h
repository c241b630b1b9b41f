/*
 * Visible text as it is collected from markup: UTF-8, with a break wherever a tag ends a word.
 *
 * All text of a body is gathered before it is cut into words, so a word that arrives in pieces is whole.
 */
#ifndef FRAGMENT_TEXT_H
#define FRAGMENT_TEXT_H

#include "base/buffer.h"

#include <string.h>

/* PRN_E_MEMORY */
static inline int prn_text_append(struct prn_buffer *text, const void *bytes, size_t length)
{
	if (text->capacity - text->length < length)
		return prn_buffer_append(text, bytes, length);
	if (length)
		memcpy(text->data + text->length, bytes, length);
	text->length += length;
	return 0;
}

/*
 * The character that marks in visible text where markup ended a word, so that a display can begin a line there.
 * It is the record separator, which no bytes are decoded to.  Like a space it is part of no word.
 */
#define PRN_TEXT_BREAK 0x1e

/* Ends a word: writes one break, however often it is called, in place of a space.  PRN_E_MEMORY */
static inline int prn_text_break(struct prn_buffer *text)
{
	static const unsigned char mark = PRN_TEXT_BREAK;
	unsigned char *last = text->length ? &text->data[text->length - 1] : NULL;

	if (!last || *last == mark)
		return 0;
	if (*last != ' ')
		return prn_text_append(text, &mark, 1);
	*last = mark;
	return 0;
}

#endif
