/*
 * The files of src/text/page/ as the build puts them into the program: text, NUL-terminated.
 */
#ifndef TEXT_EMBEDDED_H
#define TEXT_EMBEDDED_H

struct text_embedded {
	const char *name; /* "difference.css" */
	const char *text;
};

extern const struct text_embedded text_embedded[]; /* ends with a NULL name */

#endif
