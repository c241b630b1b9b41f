/*
 * What the elements of HTML mean for the text of a page.
 */
#ifndef FRAGMENT_ELEMENT_H
#define FRAGMENT_ELEMENT_H

#include "fragment/html_tokens.h"

enum {
	PRN_ELEMENT_INLINE = 1,     /* its tags do not end words: a, b, i, em, strong, span … */
	PRN_ELEMENT_HIDDEN = 2,     /* readers of the page do not see its text */
	PRN_ELEMENT_BREAKS_OUT = 4, /* its tags close open SVG and MathML elements (WHATWG HTML §13.2.6.5) */
};

/* The place that an element opens: the start of another vocabulary, or of HTML inside it. */
enum prn_element_place {
	PRN_PLACE_NONE,
	PRN_PLACE_SVG,
	PRN_PLACE_MATH,
	PRN_PLACE_SVG_TEXT,  /* HTML if it stands in SVG */
	PRN_PLACE_MATH_TEXT, /* HTML if it stands in MathML */
	PRN_PLACE_RAW,       /* style and script: in SVG they are ordinary elements, except that their text is hidden */
	PRN_PLACE_TEMPLATE,
};

struct prn_element {
	const char *name;
	unsigned char flags;   /* PRN_ELEMENT_* */
	unsigned char content; /* enum prn_html_content: how its text is read */
	unsigned char place;   /* enum prn_element_place */
};

/*
 * Returns the element of this lower-case name, static.  For an unknown name it is an element without a name,
 * whose tags end words.
 */
const struct prn_element *prn_element_of(const void *name, size_t length);

#endif
