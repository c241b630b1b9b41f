#include "fragment/element.h"

#include <string.h>

#define INLINE PRN_ELEMENT_INLINE
#define HIDDEN PRN_ELEMENT_HIDDEN
#define BREAKS_OUT PRN_ELEMENT_BREAKS_OUT

/*
 * Sorted by name for the binary search.  The elements whose content is read in another way are those of the
 * standard.  Hidden are those whose content no browser that runs scripts shows, and templates.  A font element
 * that has none of HTML's own attributes would not break out; this table does not distinguish it.
 */
static const struct prn_element elements[] = {
	{ "a", INLINE, 0, 0 },
	{ "abbr", INLINE, 0, 0 },
	{ "acronym", INLINE, 0, 0 },
	{ "b", INLINE | BREAKS_OUT, 0, 0 },
	{ "bdi", INLINE, 0, 0 },
	{ "bdo", INLINE, 0, 0 },
	{ "big", INLINE | BREAKS_OUT, 0, 0 },
	{ "blockquote", BREAKS_OUT, 0, 0 },
	{ "body", BREAKS_OUT, 0, 0 },
	{ "br", BREAKS_OUT, 0, 0 },
	{ "center", BREAKS_OUT, 0, 0 },
	{ "cite", INLINE, 0, 0 },
	{ "code", INLINE | BREAKS_OUT, 0, 0 },
	{ "data", INLINE, 0, 0 },
	{ "dd", BREAKS_OUT, 0, 0 },
	{ "del", INLINE, 0, 0 },
	{ "desc", 0, 0, PRN_PLACE_SVG_TEXT },
	{ "dfn", INLINE, 0, 0 },
	{ "div", BREAKS_OUT, 0, 0 },
	{ "dl", BREAKS_OUT, 0, 0 },
	{ "dt", BREAKS_OUT, 0, 0 },
	{ "em", INLINE | BREAKS_OUT, 0, 0 },
	{ "embed", BREAKS_OUT, 0, 0 },
	{ "font", INLINE | BREAKS_OUT, 0, 0 },
	{ "foreignobject", 0, 0, PRN_PLACE_SVG_TEXT },
	{ "h1", BREAKS_OUT, 0, 0 },
	{ "h2", BREAKS_OUT, 0, 0 },
	{ "h3", BREAKS_OUT, 0, 0 },
	{ "h4", BREAKS_OUT, 0, 0 },
	{ "h5", BREAKS_OUT, 0, 0 },
	{ "h6", BREAKS_OUT, 0, 0 },
	{ "head", BREAKS_OUT, 0, 0 },
	{ "hr", BREAKS_OUT, 0, 0 },
	{ "i", INLINE | BREAKS_OUT, 0, 0 },
	{ "iframe", HIDDEN, PRN_HTML_RAWTEXT, 0 },
	{ "img", BREAKS_OUT, 0, 0 },
	{ "ins", INLINE, 0, 0 },
	{ "kbd", INLINE, 0, 0 },
	{ "li", BREAKS_OUT, 0, 0 },
	{ "listing", BREAKS_OUT, 0, 0 },
	{ "mark", INLINE, 0, 0 },
	{ "math", 0, 0, PRN_PLACE_MATH },
	{ "menu", BREAKS_OUT, 0, 0 },
	{ "meta", BREAKS_OUT, 0, 0 },
	{ "mi", 0, 0, PRN_PLACE_MATH_TEXT },
	{ "mn", 0, 0, PRN_PLACE_MATH_TEXT },
	{ "mo", 0, 0, PRN_PLACE_MATH_TEXT },
	{ "ms", 0, 0, PRN_PLACE_MATH_TEXT },
	{ "mtext", 0, 0, PRN_PLACE_MATH_TEXT },
	{ "nobr", INLINE | BREAKS_OUT, 0, 0 },
	{ "noembed", HIDDEN, PRN_HTML_RAWTEXT, 0 },
	{ "noframes", HIDDEN, PRN_HTML_RAWTEXT, 0 },
	{ "noscript", HIDDEN, PRN_HTML_RAWTEXT, 0 },
	{ "ol", BREAKS_OUT, 0, 0 },
	{ "p", BREAKS_OUT, 0, 0 },
	{ "plaintext", 0, PRN_HTML_PLAINTEXT, 0 },
	{ "pre", BREAKS_OUT, 0, 0 },
	{ "q", INLINE, 0, 0 },
	{ "ruby", BREAKS_OUT, 0, 0 },
	{ "s", INLINE | BREAKS_OUT, 0, 0 },
	{ "samp", INLINE, 0, 0 },
	{ "script", HIDDEN, PRN_HTML_SCRIPT, PRN_PLACE_RAW },
	{ "small", INLINE | BREAKS_OUT, 0, 0 },
	{ "span", INLINE | BREAKS_OUT, 0, 0 },
	{ "strike", INLINE | BREAKS_OUT, 0, 0 },
	{ "strong", INLINE | BREAKS_OUT, 0, 0 },
	{ "style", HIDDEN, PRN_HTML_RAWTEXT, PRN_PLACE_RAW },
	{ "sub", INLINE | BREAKS_OUT, 0, 0 },
	{ "sup", INLINE | BREAKS_OUT, 0, 0 },
	{ "svg", 0, 0, PRN_PLACE_SVG },
	{ "table", BREAKS_OUT, 0, 0 },
	{ "template", HIDDEN, 0, PRN_PLACE_TEMPLATE },
	{ "textarea", 0, PRN_HTML_RCDATA, 0 },
	{ "time", INLINE, 0, 0 },
	{ "title", 0, PRN_HTML_RCDATA, PRN_PLACE_SVG_TEXT },
	{ "tt", INLINE | BREAKS_OUT, 0, 0 },
	{ "u", INLINE | BREAKS_OUT, 0, 0 },
	{ "ul", BREAKS_OUT, 0, 0 },
	{ "var", INLINE | BREAKS_OUT, 0, 0 },
	{ "wbr", INLINE, 0, 0 },
	{ "xmp", 0, PRN_HTML_RAWTEXT, 0 },
};

const struct prn_element *prn_element_of(const void *name, size_t length)
{
	static const struct prn_element other = { "", 0, 0, 0 };
	size_t low = 0, high = sizeof elements / sizeof *elements;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strncmp(name, elements[middle].name, length);

		if (!order && !elements[middle].name[length])
			return &elements[middle];
		/* A name that is a prefix of another stands before it. */
		if (order <= 0)
			high = middle;
		else
			low = middle + 1;
	}
	return &other;
}
