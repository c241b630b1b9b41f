#include "fragment/html_step.h"
#include "fragment/run.h"

#include <string.h>

static prn_html_step tag_open, end_tag_open, tag_name, less_than_sign, end_tag_name, before_attribute_name, attribute_name,
	after_attribute_name, before_attribute_value, value_in_double_quotes, value_in_single_quotes, unquoted_value,
	after_quoted_value, self_closing_start_tag;

enum prn_html_kind prn_html_data(struct prn_html_tokens *tokens)
{
	const unsigned char *from = tokens->at, *stop = prn_run_to(from, tokens->end, '<', '&', '&');

	tokens->at = stop;
	if (stop < tokens->end) {
		tokens->step = *stop == '<' ? tag_open : prn_html_character_reference;
		prn_html_hold(tokens);
	}
	return prn_html_give(tokens, from, (size_t)(stop - from));
}

/*
 * Returns the text up to stop.  If there is none, it handles what stands there: the start of markup, NUL, or
 * the end of the input.
 */
static enum prn_html_kind give_run(struct prn_html_tokens *tokens, const unsigned char *stop)
{
	const unsigned char *from = tokens->at;

	tokens->at = stop;
	if (stop > from)
		return prn_html_give(tokens, from, (size_t)(stop - from));
	if (!*stop) {
		tokens->at++;
		return prn_html_give(tokens, PRN_HTML_REPLACEMENT, strlen(PRN_HTML_REPLACEMENT));
	}
	tokens->step = *stop == '<' ? less_than_sign : prn_html_character_reference;
	prn_html_hold(tokens);
	return PRN_HTML_MORE;
}

enum prn_html_kind prn_html_rcdata(struct prn_html_tokens *tokens)
{
	return give_run(tokens, prn_run_to(tokens->at, tokens->end, '<', '&', 0));
}

enum prn_html_kind prn_html_rawtext(struct prn_html_tokens *tokens)
{
	return give_run(tokens, prn_run_to(tokens->at, tokens->end, '<', 0, 0));
}

enum prn_html_kind prn_html_plaintext(struct prn_html_tokens *tokens)
{
	return give_run(tokens, prn_run_to(tokens->at, tokens->end, 0, 0, 0));
}

static void begin_tag(struct prn_html_tokens *tokens, bool is_end_tag)
{
	tokens->held_length = 0;
	memset(tokens->name, 0, 8);
	tokens->name_length = 0;
	tokens->is_end_tag = is_end_tag;
	tokens->is_closed = false;
}

static enum prn_html_kind tag_open(struct prn_html_tokens *tokens)
{
	unsigned char c = *tokens->at;

	if (prn_html_is_letter(c)) {
		begin_tag(tokens, false);
		return prn_html_reconsume(tokens, tag_name);
	}
	switch (c) {
	case '/':
		prn_html_hold(tokens);
		return prn_html_reconsume(tokens, end_tag_open);
	case '!':
		tokens->held_length = tokens->matched = 0;
		return prn_html_pass(tokens, prn_html_markup_declaration_open);
	case '?':
		tokens->held_length = 0;
		return prn_html_reconsume(tokens, prn_html_bogus_comment);
	default: return prn_html_give_held(tokens, prn_html_data);
	}
}

static enum prn_html_kind end_tag_open(struct prn_html_tokens *tokens)
{
	bool is_letter = prn_html_is_letter(*tokens->at);

	begin_tag(tokens, true);
	/* "</>" is dropped, and so is the empty comment that stands for it here. */
	return prn_html_reconsume(tokens, is_letter ? tag_name : prn_html_bogus_comment);
}

/* After a tag the content is data again; the caller changes it if the element needs another one. */
static enum prn_html_kind emit_tag(struct prn_html_tokens *tokens)
{
	tokens->at++;
	tokens->step = tokens->content = prn_html_data;
	return tokens->is_end_tag ? PRN_HTML_END : PRN_HTML_START;
}

/* White space, "/" or ">" ends a tag's name. */
static enum prn_html_kind after_tag_name(struct prn_html_tokens *tokens)
{
	tokens->attributes = tokens->at;
	switch (*tokens->at) {
	case '>': return emit_tag(tokens);
	case '/': return prn_html_pass(tokens, self_closing_start_tag);
	default: return prn_html_pass(tokens, before_attribute_name);
	}
}

static void append_to_name(struct prn_html_tokens *tokens, const void *bytes, size_t length)
{
	if (length > PRN_HTML_TAG_MAX - tokens->name_length)
		length = PRN_HTML_TAG_MAX - tokens->name_length;
	memcpy(tokens->name + tokens->name_length, bytes, length);
	tokens->name_length += length;
}

static enum prn_html_kind tag_name(struct prn_html_tokens *tokens)
{
	for (; tokens->at < tokens->end; tokens->at++) {
		unsigned char c = *tokens->at;

		if (c == '>' || c == '/' || prn_html_is_space(c))
			return after_tag_name(tokens);
		if (c >= 'A' && c <= 'Z')
			c |= 0x20;
		if (c)
			append_to_name(tokens, &c, 1);
		else
			append_to_name(tokens, PRN_HTML_REPLACEMENT, strlen(PRN_HTML_REPLACEMENT));
	}
	return PRN_HTML_MORE;
}

/* In RCDATA and RAWTEXT "</" may begin the end tag. */
static enum prn_html_kind less_than_sign(struct prn_html_tokens *tokens)
{
	if (*tokens->at != '/')
		return prn_html_give_held(tokens, tokens->content);
	prn_html_hold(tokens);
	return prn_html_reconsume(tokens, prn_html_end_tag_open);
}

enum prn_html_kind prn_html_end_tag_open(struct prn_html_tokens *tokens)
{
	tokens->matched = 0;
	return prn_html_reconsume(tokens, end_tag_name);
}

/* The standard reads any name to its end and then compares it; here the name is given up at its first different letter. */
static enum prn_html_kind end_tag_name(struct prn_html_tokens *tokens)
{
	for (; tokens->at < tokens->end; tokens->matched++) {
		unsigned char c = *tokens->at;

		if (tokens->matched == tokens->last_length && tokens->matched &&
		    (c == '>' || c == '/' || prn_html_is_space(c))) {
			begin_tag(tokens, true);
			append_to_name(tokens, tokens->last, tokens->last_length);
			return after_tag_name(tokens);
		}
		if (tokens->matched == tokens->last_length || !prn_html_is_letter(c) ||
		    (c | 0x20) != tokens->last[tokens->matched])
			return prn_html_give_held(tokens, tokens->content);
		prn_html_hold(tokens);
	}
	return PRN_HTML_MORE;
}

static void skip_spaces(struct prn_html_tokens *tokens)
{
	while (tokens->at < tokens->end && prn_html_is_space(*tokens->at))
		tokens->at++;
}

static enum prn_html_kind before_attribute_name(struct prn_html_tokens *tokens)
{
	skip_spaces(tokens);
	if (tokens->at == tokens->end)
		return PRN_HTML_MORE;
	switch (*tokens->at) {
	case '/':
	case '>': return prn_html_reconsume(tokens, after_attribute_name);
	/* An equals sign here is the first letter of a name. */
	default: return prn_html_pass(tokens, attribute_name);
	}
}

static enum prn_html_kind attribute_name(struct prn_html_tokens *tokens)
{
	for (; tokens->at < tokens->end; tokens->at++) {
		unsigned char c = *tokens->at;

		if (c == '=')
			return prn_html_pass(tokens, before_attribute_value);
		if (c == '>' || c == '/' || prn_html_is_space(c))
			return prn_html_reconsume(tokens, after_attribute_name);
	}
	return PRN_HTML_MORE;
}

static enum prn_html_kind after_attribute_name(struct prn_html_tokens *tokens)
{
	skip_spaces(tokens);
	if (tokens->at == tokens->end)
		return PRN_HTML_MORE;
	switch (*tokens->at) {
	case '/': return prn_html_pass(tokens, self_closing_start_tag);
	case '=': return prn_html_pass(tokens, before_attribute_value);
	case '>': return emit_tag(tokens);
	default: return prn_html_reconsume(tokens, attribute_name);
	}
}

static enum prn_html_kind before_attribute_value(struct prn_html_tokens *tokens)
{
	skip_spaces(tokens);
	if (tokens->at == tokens->end)
		return PRN_HTML_MORE;
	switch (*tokens->at) {
	case '"': return prn_html_pass(tokens, value_in_double_quotes);
	case '\'': return prn_html_pass(tokens, value_in_single_quotes);
	case '>': return emit_tag(tokens);
	default: return prn_html_reconsume(tokens, unquoted_value);
	}
}

static enum prn_html_kind skip_value(struct prn_html_tokens *tokens, int quote)
{
	const unsigned char *found = memchr(tokens->at, quote, (size_t)(tokens->end - tokens->at));

	tokens->at = found ? found + 1 : tokens->end;
	if (found)
		tokens->step = after_quoted_value;
	return PRN_HTML_MORE;
}

static enum prn_html_kind value_in_double_quotes(struct prn_html_tokens *tokens)
{
	return skip_value(tokens, '"');
}

static enum prn_html_kind value_in_single_quotes(struct prn_html_tokens *tokens)
{
	return skip_value(tokens, '\'');
}

/* A slash is part of an unquoted value, and so are quotes. */
static enum prn_html_kind unquoted_value(struct prn_html_tokens *tokens)
{
	for (; tokens->at < tokens->end; tokens->at++) {
		if (*tokens->at == '>')
			return emit_tag(tokens);
		if (prn_html_is_space(*tokens->at))
			return prn_html_pass(tokens, before_attribute_name);
	}
	return PRN_HTML_MORE;
}

static enum prn_html_kind after_quoted_value(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '>': return emit_tag(tokens);
	case '/': return prn_html_pass(tokens, self_closing_start_tag);
	default: return prn_html_reconsume(tokens, before_attribute_name);
	}
}

static enum prn_html_kind self_closing_start_tag(struct prn_html_tokens *tokens)
{
	tokens->is_closed = *tokens->at == '>';
	if (tokens->is_closed)
		return emit_tag(tokens);
	return prn_html_reconsume(tokens, before_attribute_name);
}
