#include "fragment/html_step.h"
#include "fragment/charset.h"
#include "fragment/html_names.h"
#include "fragment/utf8.h"
#include "base/hex.h"

#include <string.h>

#define CODE_END 0x110000 /* code points are below this */

static prn_html_step named, numeric, hexadecimal_start, decimal_start, hexadecimal, decimal;

static bool is_digit(unsigned char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* After "&", which is held. */
enum prn_html_kind prn_html_character_reference(struct prn_html_tokens *tokens)
{
	unsigned char c = *tokens->at;

	if (prn_html_is_letter(c)) {
		tokens->reference.node = tokens->reference.number = tokens->reference.best_length = 0;
		return prn_html_reconsume(tokens, named);
	}
	if (c != '#')
		return prn_html_give_held(tokens, tokens->content);
	prn_html_hold(tokens);
	return prn_html_reconsume(tokens, numeric);
}

/*
 * Many URLs have "&" before the names of their fields: in an attribute a name without its semicolon is no
 * reference if it continues.
 */
static bool is_part_of_address(const struct prn_html_tokens *tokens)
{
	size_t after = tokens->reference.best_length;
	unsigned char next = 0;

	if (!tokens->is_value || tokens->held[after - 1] == ';')
		return false;
	if (tokens->held_length > after)
		next = tokens->held[after];
	else if (tokens->at < tokens->end)
		next = *tokens->at;
	return next == '=' || prn_html_is_letter(next) || is_digit(next);
}

/*
 * Ends the longest name that was found; the held bytes behind it are text.  If no name was found, "&" and all
 * behind it are text.
 */
static enum prn_html_kind end_named(struct prn_html_tokens *tokens)
{
	unsigned char *text = tokens->reference.text;
	size_t after = tokens->reference.best_length, length;

	if (!after || is_part_of_address(tokens))
		return prn_html_give_held(tokens, tokens->content);
	length = strlen(prn_html_characters[tokens->reference.best]);
	memcpy(text, prn_html_characters[tokens->reference.best], length);
	memcpy(text + length, tokens->held + after, tokens->held_length - after);
	length += tokens->held_length - after;
	tokens->held_length = 0;
	tokens->step = tokens->content;
	return prn_html_give(tokens, text, length);
}

/*
 * Walks down the graph of names letter by letter.  What follows the name that is found consists of letters,
 * hence is text.
 */
static enum prn_html_kind named(struct prn_html_tokens *tokens)
{
	while (tokens->at < tokens->end) {
		const struct prn_html_node *node = prn_html_nodes + tokens->reference.node;

		while (node->letter != (char)*tokens->at && !(node->flags & PRN_HTML_LAST))
			node++;
		if (node->letter != (char)*tokens->at)
			return end_named(tokens);
		prn_html_hold(tokens);
		tokens->reference.number += node->before;
		if (node->flags & PRN_HTML_ENDS) {
			tokens->reference.best = tokens->reference.number++;
			tokens->reference.best_length = tokens->held_length;
		}
		if (!node->next)
			return end_named(tokens);
		tokens->reference.node = node->next;
	}
	return PRN_HTML_MORE;
}

static enum prn_html_kind numeric(struct prn_html_tokens *tokens)
{
	tokens->reference.code = 0;
	if (*tokens->at != 'x' && *tokens->at != 'X')
		return prn_html_reconsume(tokens, decimal_start);
	prn_html_hold(tokens);
	return prn_html_reconsume(tokens, hexadecimal_start);
}

static enum prn_html_kind hexadecimal_start(struct prn_html_tokens *tokens)
{
	if (prn_hex_digit((char)*tokens->at) < 0)
		return prn_html_give_held(tokens, tokens->content);
	tokens->held_length = 0;
	return prn_html_reconsume(tokens, hexadecimal);
}

static enum prn_html_kind decimal_start(struct prn_html_tokens *tokens)
{
	if (!is_digit(*tokens->at))
		return prn_html_give_held(tokens, tokens->content);
	tokens->held_length = 0;
	return prn_html_reconsume(tokens, decimal);
}

static void append_digit(struct prn_html_tokens *tokens, uint32_t base, int digit)
{
	uint32_t code = tokens->reference.code * base + (uint32_t)digit;

	tokens->reference.code = code < CODE_END ? code : CODE_END;
	tokens->at++;
}

/* Pages written in windows-1252 use its characters also by their numbers, which are those of control characters. */
static enum prn_html_kind end_numeric(struct prn_html_tokens *tokens)
{
	unsigned char *text = tokens->reference.text;
	uint32_t code = tokens->reference.code;

	if (!code || code >= CODE_END || (code >= 0xd800 && code < 0xe000))
		code = 0xfffd;
	else if (code < 0x100)
		code = prn_charset_windows_1252((unsigned char)code);
	tokens->step = tokens->content;
	return prn_html_give(tokens, text, prn_utf8_put(text, code));
}

static enum prn_html_kind hexadecimal(struct prn_html_tokens *tokens)
{
	int digit;

	while (tokens->at < tokens->end && (digit = prn_hex_digit((char)*tokens->at)) >= 0)
		append_digit(tokens, 16, digit);
	if (tokens->at == tokens->end)
		return PRN_HTML_MORE;
	tokens->at += *tokens->at == ';';
	return end_numeric(tokens);
}

static enum prn_html_kind decimal(struct prn_html_tokens *tokens)
{
	while (tokens->at < tokens->end && is_digit(*tokens->at))
		append_digit(tokens, 10, *tokens->at - '0');
	if (tokens->at == tokens->end)
		return PRN_HTML_MORE;
	tokens->at += *tokens->at == ';';
	return end_numeric(tokens);
}

enum prn_html_kind prn_html_reference_end(struct prn_html_tokens *tokens)
{
	if (tokens->step == named)
		return end_named(tokens);
	if (tokens->step == hexadecimal || tokens->step == decimal)
		return end_numeric(tokens);
	return PRN_HTML_MORE;
}
