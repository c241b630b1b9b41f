/*
 * The files of src/report/page/ as the build puts them into the program: text, NUL-terminated.
 */
#ifndef REPORT_EMBEDDED_H
#define REPORT_EMBEDDED_H

struct report_embedded {
	const char *name; /* "staleness.gp" */
	const char *text;
};

extern const struct report_embedded report_embedded[]; /* ends with a NULL name */

/* Returns the text of a file by its name, "report.css"; "": there is none.  Static. */
const char *report_embedded_text(const char *name);

extern const char report_script_digest[]; /* SHA-256 of report.js, base64: all that may run in the page */

#endif
