/*
 * The parts of the page that `perennial show` writes.
 */
#ifndef SHOW_HTML_H
#define SHOW_HTML_H

#include "show/show.h"

#include <stdio.h>

/*
 * Writes text of a page as HTML, or between the quotes of a JSON string in a script element: nothing of it can end what it
 * stands in.  Of characters that turn the direction of text around, those that reach beyond their own place are left out.
 */
void show_print_text(FILE *out, const char *text, size_t length);
void show_print_json(FILE *out, const char *text, size_t length);

/* A file of src/show/page/ by its name, "show.css"; "": there is none.  Static. */
const char *show_embedded_text(const char *name);

/* "s", "c", "r" or "u": the class of a region, in the page and its script. */
const char *show_region_class(enum prn_region region);

/* The time line: captures and changes, the policy's visits, its copy's staleness. */
void show_print_timeline(FILE *out, const struct show *show, const struct show_replay *replay);

/* The first policy in words, with its visits as a table; and where there are several, all of them side by side. */
void show_print_policies(FILE *out, const struct show *show, const struct show_replay *replays, size_t count);

/* The stripes of the page's content, a row a life: those of most fragments.  PRN_E_MEMORY */
int show_print_stripes(FILE *out, const struct show *show);

/* A text as it is written, a paragraph a line of it; what its parts within a line look like is for who writes it. */
struct show_lines {
	FILE *out;
	void (*print_part)(struct show_lines *lines, const struct show_passage *passage, const char *text, size_t length);
	void *context;
	bool open; /* a paragraph is */
};

void show_print_passage(struct show_lines *lines, const struct show *show, const struct show_passage *passage);
void show_end_line(struct show_lines *lines);

/* The text of the version that is shown first.  PRN_E_MEMORY */
int show_print_version(FILE *out, const struct show *show);

/* What the script needs, as JSON. */
void show_print_data(FILE *out, const struct show *show);

/* How long the content of a life lived, and what is to be expected of it, as of a capture; to text. */
void show_tell_life(const struct show *show, const struct show_life *life, size_t capture, char *text, size_t room);

#endif
