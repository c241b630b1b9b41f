/*
 * The text of HTML as libxml2 reads it, and pages of what it reads as the standard does: where it departs from that, and how,
 * is said in doc/html.md.
 */
#ifndef TESTS_HTML_LIBXML2_H
#define TESTS_HTML_LIBXML2_H

#include "base/buffer.h"
#include "fragment/element.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>

struct reference_reader {
	struct prn_buffer text;
	size_t hidden; /* open elements that hide their text */
};

static inline void reference_append(struct reference_reader *reader, const void *bytes, size_t length)
{
	if (!reader->hidden && prn_buffer_append(&reader->text, bytes, length))
		abort();
}

static inline unsigned reference_flags(const xmlChar *name)
{
	return prn_element_of(name, strlen((const char *)name))->flags;
}

static inline void reference_start(void *context, const xmlChar *name, const xmlChar **attributes)
{
	struct reference_reader *reader = context;

	(void)attributes;
	if (!(reference_flags(name) & PRN_ELEMENT_INLINE))
		reference_append(reader, " ", 1);
	reader->hidden += !!(reference_flags(name) & PRN_ELEMENT_HIDDEN);
}

static inline void reference_end(void *context, const xmlChar *name)
{
	struct reference_reader *reader = context;

	reader->hidden -= !!(reference_flags(name) & PRN_ELEMENT_HIDDEN);
	if (!(reference_flags(name) & PRN_ELEMENT_INLINE))
		reference_append(reader, " ", 1);
}

static inline void reference_characters(void *context, const xmlChar *bytes, int length)
{
	reference_append(context, bytes, (size_t)length);
}

/* text is empty, and the caller's to release. */
static inline void reference_text(const void *html, size_t length, struct prn_buffer *text)
{
	static const htmlSAXHandler callbacks = {
		.startElement = reference_start,
		.endElement = reference_end,
		.characters = reference_characters,
		.ignorableWhitespace = reference_characters,
		.cdataBlock = reference_characters,
	};
	struct reference_reader reader = { .text = *text };
	htmlParserCtxtPtr parser = length ? htmlCreateMemoryParserCtxt(html, (int)length) : NULL;

	if (parser) {
		*parser->sax = callbacks;
		parser->userData = &reader;
		htmlCtxtUseOptions(parser, HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
		parser->charset = XML_CHAR_ENCODING_UTF8;
		htmlParseDocument(parser);
		htmlFreeParserCtxt(parser);
	}
	*text = reader.text;
}

static inline void page_put(struct prn_buffer *html, const char *text)
{
	if (prn_buffer_append(html, text, strlen(text)))
		abort();
}

#define PAGE_DEPTH 100

/*
 * Makes a page of any bytes: each says what comes next.  Elements are nested and closed as they should be, blocks do not stand
 * in paragraphs or in a line's elements, and there is nothing that HTML 4 did not know.
 */
static inline void page_make(const uint8_t *data, size_t size, struct prn_buffer *html)
{
	static const char *const blocks[] = { "div", "section", "blockquote", "x-own", "DIV", "p", "h2" };
	static const char *const lines[] = { "b", "i", "em", "span", "code", "Strong", "sub", "u" };
	static const char *const attributes[] = { "", " id=a", " class='b > c'", " title=\"d'>e&amp;\" x", " data-f = g" };
	static const char *const pieces[] = {
		"one", "two ", " ", "\n", "Straße", "日本", "&amp;", "&eacute;", "&#228;", "&#x416;", "&nbsp;", "4", ", ",
		"<br>", "<img src='h>i'>", "<!-- j <b> k -->", "<script>if (l<m) n('<p>');</script>", "<style>o > p { }</style>",
		"<SCRIPT type=r>s</SCRIPT >", "<hr/>", "<noscript><p>q</p></noscript>",
	};
	const char *open[PAGE_DEPTH];
	size_t depth = 0, count = sizeof pieces / sizeof *pieces;
	bool in_line = false;

	page_put(html, "<!DOCTYPE html><html><body>");
	for (size_t i = 0; i < size; i++) {
		size_t what = data[i] % (count + 12), kind = data[i] / (count + 12);

		/* The last two are blocks. */
		if (what < count - (in_line ? 2 : 0)) {
			page_put(html, pieces[what]);
		} else if (what < count + 4 && depth) {
			page_put(html, "</");
			page_put(html, open[--depth]);
			page_put(html, ">");
			in_line = false;
			for (size_t j = 0; j < depth; j++)
				in_line |= !strcmp(open[j], "p") || !strcmp(open[j], "h2") ||
				           reference_flags((const xmlChar *)open[j]) || open[j][0] == 'S';
		} else if (depth < PAGE_DEPTH) {
			bool line = in_line || what % 2;
			const char *name = line ? lines[(kind + i) % 8] : blocks[(kind + i) % 7];

			page_put(html, "<");
			page_put(html, name);
			page_put(html, attributes[(what + i) % 5]);
			page_put(html, ">");
			open[depth++] = name;
			in_line |= line || !strcmp(name, "p") || !strcmp(name, "h2");
		}
	}
	while (depth) {
		page_put(html, "</");
		page_put(html, open[--depth]);
		page_put(html, ">");
	}
	page_put(html, "</body></html>");
}

#endif
