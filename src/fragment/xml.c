#include "fragment/xml.h"
#include "fragment/element.h"
#include "fragment/html.h"
#include "fragment/markup.h"
#include "fragment/text.h"
#include "perennial/error.h"

#include <string.h>

#define XHTML "http://www.w3.org/1999/xhtml"

struct xml {
	struct prn_markup markup;
	struct prn_buffer *piece; /* text since the last tag that ended a word */
	struct prn_buffer *text;
	int error;
	int depth;            /* open elements */
	int hidden;           /* depth of the XHTML element that hides its content; 0: none */
	const xmlChar *space; /* the namespace last seen, and whether it is XHTML's */
	bool space_is_xhtml;
};

static void fail(struct xml *xml)
{
	xml->error = PRN_E_MEMORY;
	if (xml->markup.parser)
		xmlStopParser(xml->markup.parser);
}

static bool is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_reference(const unsigned char *at, const unsigned char *end)
{
	const unsigned char *name = at;

	if (at < end && *at == '#')
		at++;
	while (at < end && (is_letter(*at) || (*at >= '0' && *at <= '9')))
		at++;
	return at > name && at < end && *at == ';';
}

/* Tells whether text contains a tag, a comment or a character reference: "a < b" and "AT&T" do not. */
static bool has_markup(const unsigned char *at, size_t length)
{
	const unsigned char *end = at + length;

	for (; at < end; at++) {
		if (*at == '<' && at + 1 < end &&
		    (is_letter(at[1]) || at[1] == '/' || at[1] == '!'))
			return true;
		if (*at == '&' && is_reference(at + 1, end))
			return true;
	}
	return false;
}

static int append_piece(struct xml *xml, const unsigned char *piece, size_t length)
{
	if (length && has_markup(piece, length))
		return prn_html_text(piece, length, false, xml->text, NULL);
	return prn_text_append(xml->text, piece, length);
}

/* A tag ends a word, so the text before it is complete. */
static void end_piece(struct xml *xml)
{
	if (append_piece(xml, xml->piece->data, xml->piece->length) || prn_text_break(xml->text))
		fail(xml);
	prn_buffer_clear(xml->piece);
}

/* Returns the PRN_ELEMENT_* flags of an element of XHTML. */
static unsigned flags_of(struct xml *xml, const xmlChar *name, const xmlChar *space)
{
	if (space != xml->space) {
		xml->space = space;
		xml->space_is_xhtml = space && !strcmp((const char *)space, XHTML);
	}
	return xml->space_is_xhtml ? prn_element_of(name, strlen((const char *)name))->flags : 0;
}

/* libxml2 passes an attribute as name, prefix, namespace, start and end of its value. */
static void take_attributes(struct xml *xml, int count, const xmlChar **attributes)
{
	for (int i = 0; i < count; i++, attributes += 5) {
		const char *name = (const char *)attributes[0];

		if (attributes[1] || (strcmp(name, "text") && strcmp(name, "title")))
			continue;
		if (append_piece(xml, attributes[3], (size_t)(attributes[4] - attributes[3])) ||
		    prn_text_break(xml->text))
			fail(xml);
	}
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *space, int namespace_count, const xmlChar **namespaces,
                          int attribute_count, int default_count, const xmlChar **attributes)
{
	struct xml *xml = context;
	unsigned flags = flags_of(xml, name, space);

	(void)prefix, (void)namespace_count, (void)namespaces, (void)default_count;
	if (++xml->depth > PRN_MARKUP_DEPTH)
		prn_markup_cut(&xml->markup, PRN_CUT_DEEP);
	if (!(flags & PRN_ELEMENT_INLINE))
		end_piece(xml);
	if (!xml->hidden && flags & PRN_ELEMENT_HIDDEN)
		xml->hidden = xml->depth;
	if (!xml->hidden)
		take_attributes(xml, attribute_count, attributes);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *space)
{
	struct xml *xml = context;
	unsigned flags = flags_of(xml, name, space);

	(void)prefix;
	if (!(flags & PRN_ELEMENT_INLINE))
		end_piece(xml);
	if (xml->depth-- == xml->hidden)
		xml->hidden = 0;
}

static void characters(void *context, const xmlChar *bytes, int length)
{
	struct xml *xml = context;

	if (!xml->hidden && prn_text_append(xml->piece, bytes, (size_t)length))
		fail(xml);
}

/* libxml2 asks for every entity but the five predefined ones.  None is ever known; it ends a word. */
static xmlEntityPtr no_entity(void *context, const xmlChar *name)
{
	struct xml *xml = context;

	(void)name;
	if (prn_text_append(xml->piece, " ", 1))
		fail(xml);
	return NULL;
}

/*
 * Hides the declarations of a document type from the parser: we want nothing in them, and many of them
 * (entities, defaults of attributes, enumerations) take quadratic time or memory.
 */
static void hide_declarations(struct prn_markup *markup)
{
	const unsigned char *at = markup->bytes, *end = at + markup->length;

	while (at < end && (strchr(" \t\r\n", *at) || prn_xml_starts(at, end, "<!--") ||
	                    prn_xml_starts(at, end, "<?")))
		at = prn_xml_past_one(at, end);
	if (!prn_xml_starts(at, end, "<!DOCTYPE"))
		return;
	while (at < end && *at != '[' && *at != '>')
		at = prn_xml_past_one(at, end);
	if (at == end || *at == '>')
		return;
	markup->gap = (size_t)(at + 1 - markup->bytes);
	for (at++; at < end && *at != ']';)
		at = prn_xml_past_one(at, end);
	markup->gap_end = (size_t)(at - markup->bytes);
}

static void parse(void *context)
{
	static const xmlSAXHandler callbacks = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = start_element,
		.endElementNs = end_element,
		.characters = characters,
		.ignorableWhitespace = characters,
		.cdataBlock = characters,
		.getEntity = no_entity,
	};
	struct xml *xml = context;

	hide_declarations(&xml->markup);
	prn_markup_parse_xml(&xml->markup, &callbacks, 0, NULL, xml);
}

int prn_xml_text(const unsigned char *bytes, size_t length, struct prn_buffer *piece,
                 struct prn_buffer *text, unsigned *cut)
{
	struct xml xml = { .markup = { .bytes = bytes, .length = length },
		           .piece = piece,
		           .text = text };
	int error;

	prn_buffer_clear(piece);
	if (!length)
		return 0;
	error = prn_markup_run(&xml.markup, parse, &xml);
	if (!error && !xml.error)
		end_piece(&xml);
	*cut |= xml.markup.cut;
	return error || xml.error ? PRN_E_MEMORY : 0;
}
