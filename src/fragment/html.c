#include "fragment/html.h"
#include "fragment/markup.h"
#include "fragment/media.h"
#include "fragment/text.h"
#include "perennial/error.h"

#include <libxml/HTMLparser.h>
#include <string.h>

#define SLOTS 256 /* of the memory for tag names: a power of two */

struct html {
	struct prn_markup markup;
	struct prn_buffer *text;
	int error;
	/*
	 * Text is hidden up to here, an offset into the bytes.  Not by counting start and end tags:
	 * the parser drops an end tag that it thinks misplaced, and would then hide the rest of the
	 * page.
	 */
	size_t hidden_until;
	bool no_more_templates_end; /* there is no end tag of a template after hidden_until */
	struct {
		const xmlChar *name; /* interned by the parser, so the pointer tells it */
		enum prn_tag tag;
	} names[SLOTS];
};

static enum prn_tag tag_of(struct html *html, const xmlChar *name)
{
	size_t slot = ((uintptr_t)name >> 2 ^ (uintptr_t)name >> 10) % SLOTS;

	if (html->names[slot].name != name) {
		html->names[slot].name = name;
		html->names[slot].tag = prn_markup_tag((const char *)name);
	}
	return html->names[slot].tag;
}

static bool ends_name(const char *at, const char *end)
{
	return at == end || strchr(" \t\r\n/>", *at) != NULL;
}

/*
 * The offset of the next start or end tag of this name at or after from; *is_end tells which.
 * SIZE_MAX if there is none.
 */
static size_t next_tag(const struct prn_markup *markup, size_t from, const char *name, bool *is_end)
{
	const char *bytes = (const char *)markup->bytes, *end = bytes + markup->length,
		   *at = bytes + from;
	size_t length = strlen(name);

	while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
		const char *start = at++;

		*is_end = at < end && *at == '/';
		at += *is_end;
		if ((size_t)(end - at) >= length && prn_media_is(at, length, name) &&
		    ends_name(at + length, end))
			return (size_t)(start - bytes);
	}
	return SIZE_MAX;
}

/*
 * A noscript cannot hold another: one that is followed by the next before its end tag was never
 * closed.
 */
static void hide_noscript(struct html *html, size_t from)
{
	bool is_end;
	size_t at = from < html->hidden_until ? SIZE_MAX
	                                      : next_tag(&html->markup, from, "noscript", &is_end);

	if (at != SIZE_MAX && is_end)
		html->hidden_until = at;
}

/* Templates may nest: each that starts within a hidden part hides up to one end tag more. */
static void hide_template(struct html *html, size_t from)
{
	size_t at = from > html->hidden_until ? from : html->hidden_until + 1;
	bool is_end = false;

	if (html->no_more_templates_end)
		return;
	while ((at = next_tag(&html->markup, at, "template", &is_end)) != SIZE_MAX && !is_end)
		at++;
	if (at == SIZE_MAX)
		html->no_more_templates_end = true;
	else
		html->hidden_until = at;
}

static void break_word(struct html *html)
{
	if (prn_text_break(html->text)) {
		html->error = PRN_E_MEMORY;
		xmlStopParser(html->markup.parser);
	}
}

static void start_element(void *context, const xmlChar *name, const xmlChar **attributes)
{
	struct html *html = context;
	enum prn_tag tag = tag_of(html, name);
	size_t count = 0;

	/* Names and values in turn. */
	while (attributes && attributes[2 * count])
		count++;
	prn_markup_count_attributes(&html->markup, count);
	if (html->markup.parser->nameNr > PRN_MARKUP_DEPTH)
		prn_markup_cut(&html->markup, PRN_CUT_DEEP);
	if (tag == PRN_TAG_INLINE)
		return;
	break_word(html);
	if (tag != PRN_TAG_HIDDEN)
		return;
	if (!strcmp((const char *)name, "noscript"))
		hide_noscript(html, prn_markup_at(&html->markup));
	else if (!strcmp((const char *)name, "template"))
		hide_template(html, prn_markup_at(&html->markup));
}

static void end_element(void *context, const xmlChar *name)
{
	struct html *html = context;

	if (tag_of(html, name) != PRN_TAG_INLINE)
		break_word(html);
}

static void characters(void *context, const xmlChar *bytes, int length)
{
	struct html *html = context;

	if (html->hidden_until && prn_markup_at(&html->markup) <= html->hidden_until)
		return;
	if (prn_text_append(html->text, bytes, (size_t)length)) {
		html->error = PRN_E_MEMORY;
		xmlStopParser(html->markup.parser);
	}
}

/* Script and style come here; without this callback they would come as characters. */
static void hidden_characters(void *context, const xmlChar *bytes, int length)
{
	(void)context;
	(void)bytes;
	(void)length;
}

static void parse(void *context)
{
	static const htmlSAXHandler callbacks = {
		.startElement = start_element,
		.endElement = end_element,
		.characters = characters,
		.ignorableWhitespace = characters,
		.cdataBlock = hidden_characters,
	};
	const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
	                    HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC;
	struct html *html = context;
	htmlParserCtxtPtr parser = htmlNewParserCtxt();

	if (!parser)
		return;
	*parser->sax = callbacks;
	parser->userData = html;
	html->markup.parser = parser;
	xmlFreeDoc(htmlCtxtReadIO(parser, prn_markup_read, NULL, &html->markup, NULL, NULL, options));
	html->markup.starved |= parser->errNo == XML_ERR_NO_MEMORY;
	html->markup.parser = NULL;
	htmlFreeParserCtxt(parser);
}

static int read_html(struct html *html)
{
	int error;

	if (!html->markup.length)
		return 0;
	if (prn_text_break(html->text))
		return PRN_E_MEMORY;
	error = prn_markup_run(&html->markup, parse, html);
	if (error || html->error)
		return PRN_E_MEMORY;
	return prn_text_break(html->text);
}

int prn_html_text(const unsigned char *bytes, size_t length, struct prn_buffer *text, unsigned *cut)
{
	struct html html = { .markup = { .bytes = bytes, .length = length }, .text = text };
	int error = read_html(&html);

	*cut |= html.markup.cut;
	return error;
}

int prn_html_text_within(struct prn_markup *outer, const unsigned char *bytes, size_t length, struct prn_buffer *text)
{
	struct html html = { .markup = { .bytes = bytes, .length = length, .work = outer->work }, .text = text };
	int error;

	html.markup.work.bytes = outer->work.bytes ? outer->work.bytes : outer->length;
	error = read_html(&html);
	html.markup.work.bytes = outer->work.bytes;
	outer->work = html.markup.work;
	outer->cut |= html.markup.cut;
	return error;
}
