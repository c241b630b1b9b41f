#include "serve/html.h"
#include "base/visible.h"
#include "fragment/utf8.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

static const char *escape_of(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static int append_escaped(struct prn_buffer *out, const char *text, size_t length)
{
	int code = 0;

	for (size_t i = 0; !code && i < length; i++) {
		const char *escape = escape_of(text[i]);

		code = escape ? prn_buffer_append(out, escape, strlen(escape)) : prn_buffer_append(out, &text[i], 1);
	}
	return code;
}

int serve_html_text(struct prn_buffer *out, const char *text)
{
	char *shown = prn_visible_dup(text);
	int code = shown ? append_escaped(out, shown, strlen(shown)) : PRN_E_MEMORY;

	free(shown);
	return code;
}

int serve_html_value(struct prn_buffer *out, const char *text)
{
	struct prn_buffer repaired = { 0 };
	int code = prn_utf8_append_repaired(&repaired, text, strlen(text));

	if (!code)
		code = append_escaped(out, (const char *)repaired.data, repaired.length);
	prn_buffer_release(&repaired);
	return code;
}

int serve_html_query(struct prn_buffer *out, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:";
	int code = 0;

	for (; !code && *text; text++)
		code = strchr(plain, *text) ? prn_buffer_append(out, text, 1)
		                            : prn_buffer_printf(out, "%%%02X", (unsigned char)*text);
	return code;
}
