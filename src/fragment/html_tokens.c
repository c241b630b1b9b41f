#include "fragment/html_tokens.h"
#include "fragment/html_step.h"

#include <string.h>

void prn_html_tokens_begin(struct prn_html_tokens *tokens)
{
	tokens->at = tokens->end = NULL;
	tokens->name_length = tokens->last_length = tokens->held_length = 0;
	tokens->ended = tokens->is_closed = tokens->is_foreign = tokens->is_value = false;
	tokens->attributes = NULL;
	tokens->step = tokens->content = prn_html_data;
}

void prn_html_tokens_feed(struct prn_html_tokens *tokens, const void *bytes, size_t length)
{
	tokens->attributes = NULL;
	tokens->at = bytes;
	tokens->end = length ? tokens->at + length : tokens->at;
}

void prn_html_tokens_end(struct prn_html_tokens *tokens)
{
	tokens->ended = true;
}

void prn_html_tokens_enter(struct prn_html_tokens *tokens, enum prn_html_content content, const void *name,
                           size_t length)
{
	static prn_html_step *const steps[] = {
		[PRN_HTML_DATA] = prn_html_data,       [PRN_HTML_RCDATA] = prn_html_rcdata,
		[PRN_HTML_RAWTEXT] = prn_html_rawtext, [PRN_HTML_SCRIPT] = prn_html_script,
		[PRN_HTML_PLAINTEXT] = prn_html_plaintext, [PRN_HTML_CDATA] = prn_html_cdata,
	};

	tokens->step = steps[content];
	/* A CDATA section ends in the content in which it stands. */
	if (content != PRN_HTML_CDATA)
		tokens->content = tokens->step;
	memcpy(tokens->last, name, length);
	tokens->last_length = length;
}

/* At the end of input, held bytes are text, or a reference that ends there; the rest was part of a tag or a comment. */
static enum prn_html_kind end(struct prn_html_tokens *tokens)
{
	enum prn_html_kind kind = prn_html_reference_end(tokens);

	return kind ? kind : prn_html_give_held(tokens, tokens->content);
}

enum prn_html_kind prn_html_tokens_next(struct prn_html_tokens *tokens)
{
	enum prn_html_kind kind = PRN_HTML_MORE;

	while (!kind && tokens->at < tokens->end)
		kind = tokens->step(tokens);
	return kind || !tokens->ended ? kind : end(tokens);
}
