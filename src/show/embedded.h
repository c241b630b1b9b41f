/*
 * The files of src/show/page/ as the build puts them into the program: text, NUL-terminated.
 */
#ifndef SHOW_EMBEDDED_H
#define SHOW_EMBEDDED_H

struct show_embedded {
	const char *name; /* "show.css" */
	const char *text;
};

extern const struct show_embedded show_embedded[]; /* ends with a NULL name */

extern const char show_script_digest[]; /* SHA-256 of show.js, base64: all that may run in the page */

#endif
