#include "fragment/html_step.h"

#include <string.h>

static prn_html_step markup_declaration_dash, comment_start, comment_start_dash, comment, comment_end_dash, comment_end,
	comment_end_bang, cdata_bracket, cdata_end;

/*
 * After "<!".  Document types are treated as bogus comments: in every state of the standard's machine for a
 * document type the next ">" ends it.
 */
enum prn_html_kind prn_html_markup_declaration_open(struct prn_html_tokens *tokens)
{
	static const char section[] = "[CDATA[";

	if (!tokens->matched && *tokens->at == '-')
		return prn_html_pass(tokens, markup_declaration_dash);
	if (!tokens->is_foreign || *tokens->at != section[tokens->matched])
		return prn_html_reconsume(tokens, prn_html_bogus_comment);
	tokens->matched++;
	return prn_html_pass(tokens, section[tokens->matched] ? prn_html_markup_declaration_open : prn_html_cdata);
}

static enum prn_html_kind markup_declaration_dash(struct prn_html_tokens *tokens)
{
	if (*tokens->at == '-')
		return prn_html_pass(tokens, comment_start);
	return prn_html_reconsume(tokens, prn_html_bogus_comment);
}

/*
 * Passes the next byte if it has this value, and goes on in another step; at the end of the input it stays in
 * the same step.
 */
static enum prn_html_kind pass_next(struct prn_html_tokens *tokens, int byte, prn_html_step *next)
{
	const unsigned char *found = memchr(tokens->at, byte, (size_t)(tokens->end - tokens->at));

	tokens->at = found ? found + 1 : tokens->end;
	if (found)
		tokens->step = next;
	return PRN_HTML_MORE;
}

enum prn_html_kind prn_html_bogus_comment(struct prn_html_tokens *tokens)
{
	return pass_next(tokens, '>', tokens->content);
}

static enum prn_html_kind comment_start(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '-': return prn_html_pass(tokens, comment_start_dash);
	case '>': return prn_html_pass(tokens, tokens->content);
	default: return prn_html_reconsume(tokens, comment);
	}
}

static enum prn_html_kind comment_start_dash(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '-': return prn_html_pass(tokens, comment_end);
	case '>': return prn_html_pass(tokens, tokens->content);
	default: return prn_html_reconsume(tokens, comment);
	}
}

/* The standard's four states after "<" are left out: they only report nested comments, an error that ends nothing. */
static enum prn_html_kind comment(struct prn_html_tokens *tokens)
{
	return pass_next(tokens, '-', comment_end_dash);
}

static enum prn_html_kind comment_end_dash(struct prn_html_tokens *tokens)
{
	if (*tokens->at == '-')
		return prn_html_pass(tokens, comment_end);
	return prn_html_reconsume(tokens, comment);
}

static enum prn_html_kind comment_end(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '>': return prn_html_pass(tokens, tokens->content);
	case '!': return prn_html_pass(tokens, comment_end_bang);
	case '-': return prn_html_pass(tokens, comment_end);
	default: return prn_html_reconsume(tokens, comment);
	}
}

static enum prn_html_kind comment_end_bang(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case '-': return prn_html_pass(tokens, comment_end_dash);
	case '>': return prn_html_pass(tokens, tokens->content);
	default: return prn_html_reconsume(tokens, comment);
	}
}

enum prn_html_kind prn_html_cdata(struct prn_html_tokens *tokens)
{
	const unsigned char *from = tokens->at;
	const unsigned char *found = memchr(from, ']', (size_t)(tokens->end - from));

	tokens->at = found ? found : tokens->end;
	if (found) {
		prn_html_hold(tokens);
		tokens->step = cdata_bracket;
	}
	return prn_html_give(tokens, from, (size_t)((found ? found : tokens->end) - from));
}

static enum prn_html_kind cdata_bracket(struct prn_html_tokens *tokens)
{
	if (*tokens->at != ']')
		return prn_html_give_held(tokens, prn_html_cdata);
	prn_html_hold(tokens);
	return prn_html_reconsume(tokens, cdata_end);
}

/* Two brackets are held.  If more follow, the first ones are text. */
static enum prn_html_kind cdata_end(struct prn_html_tokens *tokens)
{
	switch (*tokens->at) {
	case ']': return prn_html_give(tokens, tokens->at++, 1);
	case '>':
		tokens->held_length = 0;
		return prn_html_pass(tokens, tokens->content);
	default: return prn_html_give_held(tokens, prn_html_cdata);
	}
}
