#include "fragment/html_attribute.h"
#include "fragment/html_step.h"
#include "fragment/media.h"

#include <string.h>

/* The bytes of the tag's attributes: the tokenizer has found where they end. */
struct span {
	const unsigned char *at, *end;
};

static void skip_spaces(struct span *span)
{
	while (span->at < span->end && prn_html_is_space(*span->at))
		span->at++;
}

/* The first byte of a name may be anything that does not end a tag, even an equals sign. */
static struct span take_name(struct span *span)
{
	struct span name = { span->at, span->at };

	while (span->at < span->end && *span->at != '>' && *span->at != '/' && !prn_html_is_space(*span->at) &&
	       (*span->at != '=' || span->at == name.at))
		span->at++;
	name.end = span->at;
	return name;
}

/* Reads a value behind its equals sign: it is quoted, or ends at white space or with the tag. */
static struct span take_value(struct span *span)
{
	struct span value;
	unsigned char quote;

	skip_spaces(span);
	value.at = value.end = span->at;
	if (span->at == span->end || *span->at == '>')
		return value;
	quote = *span->at;
	if (quote == '"' || quote == '\'') {
		value.at = ++span->at;
		while (span->at < span->end && *span->at != quote)
			span->at++;
		value.end = span->at;
		span->at += span->at < span->end;
		return value;
	}
	while (span->at < span->end && *span->at != '>' && !prn_html_is_space(*span->at))
		span->at++;
	value.end = span->at;
	return value;
}

static int append_read(struct prn_buffer *out, struct span value)
{
	struct prn_html_tokens tokens;
	int error = 0;

	prn_html_tokens_begin(&tokens);
	prn_html_tokens_enter(&tokens, PRN_HTML_RCDATA, "", 0);
	tokens.is_value = true;
	prn_html_tokens_feed(&tokens, value.at, (size_t)(value.end - value.at));
	prn_html_tokens_end(&tokens);
	while (!error && prn_html_tokens_next(&tokens))
		error = prn_buffer_append(out, tokens.text, tokens.length);
	return error;
}

int prn_html_attribute(const struct prn_html_tokens *tokens, const char *name, struct prn_buffer *value, bool *found)
{
	struct span span = { tokens->attributes, tokens->at };

	*found = false;
	if (!tokens->attributes)
		return 0;
	for (;;) {
		struct span is, has = { 0 };

		while (span.at < span.end && (prn_html_is_space(*span.at) || *span.at == '/'))
			span.at++;
		if (span.at == span.end || *span.at == '>')
			return 0;
		is = take_name(&span);
		skip_spaces(&span);
		if (span.at < span.end && *span.at == '=') {
			span.at++;
			has = take_value(&span);
		}
		if (!prn_media_is((const char *)is.at, (size_t)(is.end - is.at), name))
			continue;
		*found = true;
		return has.at == has.end ? 0 : append_read(value, has);
	}
}
