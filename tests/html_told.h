/*
 * What HTML's tokenizer tells of bytes, as a string: text as it is, a start tag as "\1name\2" or "\1name/\2", an end tag as
 * "\1/name\2".  Fed in pieces of a given size, or, where that is 0, of sizes drawn by a seed.
 */
#ifndef TESTS_HTML_TOLD_H
#define TESTS_HTML_TOLD_H

#include "base/buffer.h"
#include "base/random.h"
#include "fragment/html_tokens.h"

#include <stdlib.h>
#include <string.h>

static inline void told_append(struct prn_buffer *told, const void *bytes, size_t length)
{
	if (prn_buffer_append(told, bytes, length))
		abort();
}

static inline void told_tag(struct prn_buffer *told, const void *name, size_t length, bool is_end, bool is_closed)
{
	told_append(told, is_end ? "\1/" : "\1", is_end ? 2 : 1);
	told_append(told, name, length);
	told_append(told, is_closed ? "/\2" : "\2", is_closed ? 2 : 1);
}

static inline void told_take(struct prn_buffer *told, struct prn_html_tokens *tokens)
{
	enum prn_html_kind kind;

	while ((kind = prn_html_tokens_next(tokens)))
		if (kind == PRN_HTML_TEXT)
			told_append(told, tokens->text, tokens->length);
		else
			told_tag(told, tokens->name, tokens->name_length, kind == PRN_HTML_END,
			         kind == PRN_HTML_START && tokens->is_closed);
}

/* tokens has begun.  Each piece is memory of its own, so that a sanitizer sees a read past its end or after its time. */
static inline void told_by_pieces(struct prn_buffer *told, struct prn_html_tokens *tokens, const void *bytes, size_t length,
                                  size_t piece, uint64_t seed)
{
	struct prn_random random;

	prn_random_seed(&random, seed, 0);
	for (size_t at = 0, step; at < length; at += step) {
		char *copy;

		step = piece ? piece : prn_random_below(&random, 9);
		step = step < length - at ? step : length - at;
		copy = malloc(step ? step : 1);
		memcpy(copy, (const char *)bytes + at, step);
		prn_html_tokens_feed(tokens, copy, step);
		told_take(told, tokens);
		free(copy);
	}
	prn_html_tokens_feed(tokens, NULL, 0);
	prn_html_tokens_end(tokens);
	told_take(told, tokens);
}

#endif
