/*
 * Script data.  An end tag ends a script, unless it stands between "<!--" and "-->" and belongs to a "<script"
 * there: old pages hid scripts in comments, and scripts write scripts.
 */
#include "fragment/html_step.h"
#include "fragment/run.h"

#include <string.h>

#define NO_MATCH SIZE_MAX

static const char word[] = "script";

static prn_html_step script_less_than_sign, escape_start, escape_start_dash, escaped, escaped_dash, escaped_dash_dash,
	escaped_less_than_sign, double_escape_start, double_escaped, double_escaped_dash, double_escaped_dash_dash,
	double_escaped_less_than_sign, double_escape_end;

/* Passes the byte, which is text, and goes on in another step. */
static enum prn_html_kind give_byte(struct prn_html_tokens *tokens, prn_html_step *next)
{
	const unsigned char *at = tokens->at++;

	tokens->step = next;
	return *at ? prn_html_give(tokens, at, 1)
	           : prn_html_give(tokens, PRN_HTML_REPLACEMENT, strlen(PRN_HTML_REPLACEMENT));
}

enum prn_html_kind prn_html_script(struct prn_html_tokens *tokens)
{
	const unsigned char *from = tokens->at;

	tokens->at = prn_run_to(from, tokens->end, '<', 0, 0);
	if (tokens->at > from)
		return prn_html_give(tokens, from, (size_t)(tokens->at - from));
	if (!*from)
		return give_byte(tokens, prn_html_script);
	prn_html_hold(tokens);
	return prn_html_reconsume(tokens, script_less_than_sign);
}

static enum prn_html_kind script_less_than_sign(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '/':
		prn_html_hold(tokens);
		return prn_html_reconsume(tokens, prn_html_end_tag_open);
	case '!':
		prn_html_hold(tokens);
		return prn_html_give_held(tokens, escape_start);
	default: return prn_html_give_held(tokens, prn_html_script);
	}
}

static enum prn_html_kind escape_start(struct prn_html_tokens *tokens)
{
	if (*tokens->at == '-')
		return give_byte(tokens, escape_start_dash);
	return prn_html_reconsume(tokens, prn_html_script);
}

static enum prn_html_kind escape_start_dash(struct prn_html_tokens *tokens)
{
	if (*tokens->at != '-')
		return prn_html_reconsume(tokens, prn_html_script);
	tokens->content = escaped;
	return give_byte(tokens, escaped_dash_dash);
}

static enum prn_html_kind escaped(struct prn_html_tokens *tokens)
{
	const unsigned char *from = tokens->at;

	tokens->at = prn_run_to(from, tokens->end, '-', '<', 0);
	if (tokens->at > from)
		return prn_html_give(tokens, from, (size_t)(tokens->at - from));
	switch (*from) {
	case '-': return give_byte(tokens, escaped_dash);
	case '<':
		prn_html_hold(tokens);
		return prn_html_reconsume(tokens, escaped_less_than_sign);
	default: return give_byte(tokens, escaped);
	}
}

static enum prn_html_kind escaped_dash(struct prn_html_tokens *tokens)
{
	if (*tokens->at == '-')
		return give_byte(tokens, escaped_dash_dash);
	return prn_html_reconsume(tokens, escaped);
}

static enum prn_html_kind escaped_dash_dash(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '-': return give_byte(tokens, escaped_dash_dash);
	case '>':
		tokens->content = prn_html_script;
		return give_byte(tokens, prn_html_script);
	default: return prn_html_reconsume(tokens, escaped);
	}
}

static enum prn_html_kind escaped_less_than_sign(struct prn_html_tokens *tokens)
{
	if (*tokens->at == '/') {
		prn_html_hold(tokens);
		return prn_html_reconsume(tokens, prn_html_end_tag_open);
	}
	tokens->matched = 0;
	return prn_html_give_held(tokens, prn_html_is_letter(*tokens->at) ? double_escape_start : escaped);
}

/* Passes a name, which is text, and goes on in one step if it is "script", else in the other. */
static enum prn_html_kind give_name(struct prn_html_tokens *tokens, prn_html_step *if_script, prn_html_step *if_not)
{
	const unsigned char *from = tokens->at;

	for (; tokens->at < tokens->end && prn_html_is_letter(*tokens->at); tokens->at++)
		if (tokens->matched < strlen(word) && (*tokens->at | 0x20) == word[tokens->matched])
			tokens->matched++;
		else
			tokens->matched = NO_MATCH;
	if (tokens->at < tokens->end) {
		unsigned char c = *tokens->at;
		bool ends = c == '>' || c == '/' || prn_html_is_space(c);

		tokens->step = ends && tokens->matched == strlen(word) ? if_script : if_not;
	}
	return prn_html_give(tokens, from, (size_t)(tokens->at - from));
}

static enum prn_html_kind double_escape_start(struct prn_html_tokens *tokens)
{
	return give_name(tokens, double_escaped, escaped);
}

static enum prn_html_kind double_escaped(struct prn_html_tokens *tokens)
{
	const unsigned char *from = tokens->at;

	tokens->at = prn_run_to(from, tokens->end, '-', '<', 0);
	if (tokens->at > from)
		return prn_html_give(tokens, from, (size_t)(tokens->at - from));
	switch (*from) {
	case '-': return give_byte(tokens, double_escaped_dash);
	case '<': return give_byte(tokens, double_escaped_less_than_sign);
	default: return give_byte(tokens, double_escaped);
	}
}

static enum prn_html_kind double_escaped_dash(struct prn_html_tokens *tokens)
{
	if (*tokens->at == '-')
		return give_byte(tokens, double_escaped_dash_dash);
	return prn_html_reconsume(tokens, double_escaped);
}

static enum prn_html_kind double_escaped_dash_dash(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '-': return give_byte(tokens, double_escaped_dash_dash);
	case '>':
		tokens->content = prn_html_script;
		return give_byte(tokens, prn_html_script);
	default: return prn_html_reconsume(tokens, double_escaped);
	}
}

static enum prn_html_kind double_escaped_less_than_sign(struct prn_html_tokens *tokens)
{
	if (*tokens->at != '/')
		return prn_html_reconsume(tokens, double_escaped);
	tokens->matched = 0;
	return give_byte(tokens, double_escape_end);
}

static enum prn_html_kind double_escape_end(struct prn_html_tokens *tokens)
{
	return give_name(tokens, escaped, double_escaped);
}
