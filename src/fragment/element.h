/*
 * What the elements of HTML mean for the text of a page.
 */
#ifndef FRAGMENT_ELEMENT_H
#define FRAGMENT_ELEMENT_H

#include "fragment/html_tokens.h"

enum {
	PRN_ELEMENT_INLINE = 1,     /* its tags do not end words: a b i em strong span … */
	PRN_ELEMENT_HIDDEN = 2,     /* its text is not for who looks at the page */
	PRN_ELEMENT_BREAKS_OUT = 4, /* its tags end what of SVG and MathML is open (WHATWG HTML §13.2.6.5) */
};

/* What begins with an element: where another vocabulary is spoken, or HTML again. */
enum prn_element_place {
	PRN_PLACE_NONE,
	PRN_PLACE_SVG,
	PRN_PLACE_MATH,
	PRN_PLACE_SVG_TEXT,  /* HTML, if it stands in SVG */
	PRN_PLACE_MATH_TEXT, /* HTML, if it stands in MathML */
	PRN_PLACE_RAW,       /* style and script, which in SVG are elements like others, but for their text */
	PRN_PLACE_TEMPLATE,
};

struct prn_element {
	const char *name;
	unsigned char flags;   /* PRN_ELEMENT_* */
	unsigned char content; /* enum prn_html_content: how its text is read */
	unsigned char place;   /* enum prn_element_place */
};

/* The element of this name, in lower case, static; of a name that is not known one without a name that ends words. */
const struct prn_element *prn_element_of(const void *name, size_t length);

#endif
