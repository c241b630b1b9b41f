#include "fragment/html.h"
#include "fragment/element.h"
#include "fragment/html_attribute.h"
#include "fragment/html_tokens.h"
#include "fragment/text.h"
#include "perennial/error.h"

#define SLOTS 64  /* entries of the cache of names: a power of two */
#define PLACES 64 /* how many nested places are tracked */

struct html {
	struct prn_html_tokens tokens;
	bool is_xhtml;
	bool is_raw_hidden; /* the text before the next end tag is hidden */
	/* The open places, and how many more are open beyond PLACES. */
	const struct prn_element *places[PLACES];
	size_t depth, beyond, templates;
	struct prn_references *references; /* NULL: the caller wants no references */
	/* A cache of elements by the eight bytes of their names: a page has few different ones. */
	struct {
		uint64_t name;
		const struct prn_element *element;
	} names[SLOTS];
};

static const struct prn_element *element_of(struct html *html)
{
	const struct prn_html_tokens *tokens = &html->tokens;
	uint64_t name;
	size_t slot;

	if (tokens->name_length > sizeof name)
		return prn_element_of(tokens->name, tokens->name_length);
	memcpy(&name, tokens->name, sizeof name);
	slot = (size_t)(name * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
	if (html->names[slot].name != name) {
		html->names[slot].name = name;
		html->names[slot].element = prn_element_of(tokens->name, tokens->name_length);
	}
	return html->names[slot].element;
}

/* Returns the innermost open place; PRN_PLACE_NONE is the page itself. */
static enum prn_element_place place(const struct html *html)
{
	return html->depth ? (enum prn_element_place)html->places[html->depth - 1]->place : PRN_PLACE_NONE;
}

static bool is_foreign(const struct html *html)
{
	enum prn_element_place here = place(html);

	return here == PRN_PLACE_SVG || here == PRN_PLACE_MATH || here == PRN_PLACE_RAW;
}

static void close_to(struct html *html, size_t depth)
{
	while (html->depth > depth)
		html->templates -= html->places[--html->depth]->place == PRN_PLACE_TEMPLATE;
}

/* An end tag closes the last place that its element opened, and all places inside it. */
static void close_place(struct html *html, const struct prn_element *element)
{
	size_t depth = html->depth;

	if (html->beyond) {
		html->beyond--;
		return;
	}
	while (depth && html->places[depth - 1] != element)
		depth--;
	if (depth)
		close_to(html, depth - 1);
}

static void break_out(struct html *html)
{
	while (is_foreign(html))
		close_to(html, html->depth - 1);
}

/* Tells whether an element opens a place where it stands. */
static bool opens_place(enum prn_element_place here, enum prn_element_place place)
{
	switch (place) {
	case PRN_PLACE_NONE: return false;
	case PRN_PLACE_SVG_TEXT: return here == PRN_PLACE_SVG;
	case PRN_PLACE_MATH_TEXT: return here == PRN_PLACE_MATH;
	case PRN_PLACE_RAW: return here == PRN_PLACE_SVG || here == PRN_PLACE_MATH;
	case PRN_PLACE_TEMPLATE: return here != PRN_PLACE_SVG && here != PRN_PLACE_MATH && here != PRN_PLACE_RAW;
	default: return true;
	}
}

static void start(struct html *html, const struct prn_element *element)
{
	struct prn_html_tokens *tokens = &html->tokens;
	bool may_be_empty;

	if (element->flags & PRN_ELEMENT_BREAKS_OUT)
		break_out(html);
	/* A slash ends elements of other languages; in HTML it says nothing. */
	may_be_empty = html->is_xhtml || element->place == PRN_PLACE_SVG || element->place == PRN_PLACE_MATH || is_foreign(html);
	if (tokens->is_closed && may_be_empty)
		return;
	if (element->content != PRN_HTML_DATA && !is_foreign(html)) {
		html->is_raw_hidden = element->flags & PRN_ELEMENT_HIDDEN;
		prn_html_tokens_enter(tokens, (enum prn_html_content)element->content, element->name, strlen(element->name));
	} else if (opens_place(place(html), (enum prn_element_place)element->place)) {
		if (html->depth == PLACES) {
			html->beyond++;
		} else {
			html->places[html->depth++] = element;
			html->templates += element->place == PRN_PLACE_TEMPLATE;
		}
	}
	tokens->is_foreign = html->is_xhtml || is_foreign(html);
}

static void end(struct html *html, const struct prn_element *element)
{
	html->is_raw_hidden = false;
	if (!html->depth)
		return;
	if (element->place)
		close_place(html, element);
	else if (element->flags & PRN_ELEMENT_BREAKS_OUT)
		break_out(html);
	html->tokens.is_foreign = html->is_xhtml || is_foreign(html);
}

static bool is_tag(const struct html *html, const char *name)
{
	return html->tokens.name_length == strlen(name) && !memcmp(html->tokens.name, name, strlen(name));
}

/* Must be called before the tokenizer goes on, which invalidates the tag's bytes. */
static int take_reference(struct html *html)
{
	struct prn_references *references = html->references;
	bool is_base = is_tag(html, "base"), found;
	struct prn_buffer *to = is_base ? &references->base : &references->text;
	int error;

	if (html->templates || (is_base ? references->has_base : references->count == PRN_REFERENCES_MOST))
		return 0;
	if (!is_base && !is_tag(html, "a") && !is_tag(html, "area"))
		return 0;
	error = prn_html_attribute(&html->tokens, "href", to, &found);
	if (error || !found)
		return error;
	references->count += !is_base;
	references->has_base |= is_base;
	return prn_buffer_append(to, "", 1);
}

static int read_token(struct html *html, enum prn_html_kind kind, struct prn_buffer *text)
{
	const struct prn_element *element;
	int error;

	if (kind == PRN_HTML_TEXT) {
		if (html->is_raw_hidden || html->templates || place(html) == PRN_PLACE_RAW)
			return 0;
		return prn_text_append(text, html->tokens.text, html->tokens.length);
	}
	element = element_of(html);
	if (kind == PRN_HTML_START && html->references && (error = take_reference(html)))
		return error;
	if (kind == PRN_HTML_START)
		start(html, element);
	else
		end(html, element);
	return element->flags & PRN_ELEMENT_INLINE ? 0 : prn_text_break(text);
}

int prn_html_text(const unsigned char *bytes, size_t length, bool is_xhtml, struct prn_buffer *text,
                  struct prn_references *references)
{
	struct html html = { .is_xhtml = is_xhtml, .references = references };
	enum prn_html_kind kind;
	int error = prn_text_break(text);

	prn_html_tokens_begin(&html.tokens);
	html.tokens.is_foreign = is_xhtml;
	prn_html_tokens_feed(&html.tokens, bytes, length);
	prn_html_tokens_end(&html.tokens);
	while (!error && (kind = prn_html_tokens_next(&html.tokens)))
		error = read_token(&html, kind, text);
	return error ? error : prn_text_break(text);
}
