/*
 * The steps of the HTML tokenizer and what they share.  Each step is a function with the name of a state of the
 * standard.  A step is called with at < end.  It leaves at where the next step begins: bytes that it has not passed
 * are "reconsumed" there.
 *
 *	html_tokens.c	feeding, the loop, the end of input
 *	html_script.c	script data and escaped script data
 *	html_tag.c	data, RCDATA, RAWTEXT, PLAINTEXT, tags, attributes
 *	html_comment.c	markup declarations, comments, CDATA sections
 *	html_reference.c	character references
 */
#ifndef FRAGMENT_HTML_STEP_H
#define FRAGMENT_HTML_STEP_H

#include "fragment/html_tokens.h"

#define PRN_HTML_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, for NUL */

prn_html_step prn_html_data, prn_html_rcdata, prn_html_rawtext, prn_html_plaintext, prn_html_end_tag_open;
prn_html_step prn_html_script;
prn_html_step prn_html_markup_declaration_open, prn_html_bogus_comment, prn_html_cdata;
prn_html_step prn_html_character_reference;

/* At the end of input: returns the text of the reference that is being read, if any. */
enum prn_html_kind prn_html_reference_end(struct prn_html_tokens *tokens);

static inline bool prn_html_is_letter(unsigned char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* A carriage return counts as a line feed: line ends are not normalised here. */
static inline bool prn_html_is_space(unsigned char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

static inline enum prn_html_kind prn_html_give(struct prn_html_tokens *tokens, const void *text, size_t length)
{
	tokens->text = text;
	tokens->length = length;
	return length ? PRN_HTML_TEXT : PRN_HTML_MORE;
}

/* Passes and holds the byte, which is text unless it turns out otherwise. */
static inline void prn_html_hold(struct prn_html_tokens *tokens)
{
	tokens->held[tokens->held_length++] = *tokens->at++;
}

/* The held bytes turned out to be text; the content goes on at the current byte. */
static inline enum prn_html_kind prn_html_give_held(struct prn_html_tokens *tokens, prn_html_step *next)
{
	size_t length = tokens->held_length;

	tokens->held_length = 0;
	tokens->step = next;
	return prn_html_give(tokens, tokens->held, length);
}

/* Passes the byte and goes on in another step. */
static inline enum prn_html_kind prn_html_pass(struct prn_html_tokens *tokens, prn_html_step *next)
{
	tokens->at++;
	tokens->step = next;
	return PRN_HTML_MORE;
}

/* Goes on in another step at the same byte. */
static inline enum prn_html_kind prn_html_reconsume(struct prn_html_tokens *tokens, prn_html_step *next)
{
	tokens->step = next;
	return PRN_HTML_MORE;
}

#endif
