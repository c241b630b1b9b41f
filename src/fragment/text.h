/*
 * Visible text as it is collected from markup: UTF-8, with a space wherever a word must end.
 *
 * All of a body's text is gathered before it is cut into words, so a word that arrives in pieces is
 * whole.
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

/* Ends a word: one space, however often it is called.  PRN_E_MEMORY */
static inline int prn_text_break(struct prn_buffer *text)
{
	if (!text->length || text->data[text->length - 1] == ' ')
		return 0;
	return prn_text_append(text, " ", 1);
}

#endif
