/*
 * The files of src/serve/person/ as the build puts them into the program: text, NUL-terminated.
 */
#ifndef SERVE_EMBEDDED_H
#define SERVE_EMBEDDED_H

struct serve_embedded {
	const char *name; /* "person.css" */
	const char *text;
};

extern const struct serve_embedded serve_embedded[]; /* ends with a NULL name */

#endif
