/*
 * The parts of the page that `perennial show` writes.
 */
#ifndef SHOW_HTML_H
#define SHOW_HTML_H

#include "show/show.h"
#include "text/html.h"
#include "text/lines.h"

#include <stdio.h>

/*
 * Writes text of a page between the quotes of a JSON string in a script element; it cannot end the string or element that it is
 * in.  Characters that turn the direction of text beyond their own place are left out.
 */
void show_print_json(FILE *out, const char *text, size_t length);

/* Returns a file of src/show/page/ by its name, "show.css"; "": there is none.  Static. */
const char *show_embedded_text(const char *name);

/* Returns "s", "c", "r" or "u": the class of a region in the page and its script. */
const char *show_region_class(enum prn_region region);

/* Prints the time line: captures and changes, the visits of the policy, the staleness of its copy. */
void show_print_timeline(FILE *out, const struct show *show, const struct show_replay *replay);

/* Prints the first policy in words, with a table of its visits; if there are several, all of them side by side. */
void show_print_policies(FILE *out, const struct show *show, const struct show_replay *replays, size_t count);

/* Prints the content of the page as stripes, a row for each life, those with most fragments.  PRN_E_MEMORY */
int show_print_stripes(FILE *out, const struct show *show);

/* Prints the text of the version that is shown first.  PRN_E_MEMORY */
int show_print_version(FILE *out, const struct show *show);

/* Prints the data of the script, as JSON. */
void show_print_data(FILE *out, const struct show *show);

/* Says in text how long the content of a life has lived as of a capture, and what is to be expected of it. */
void show_print_life(const struct show *show, const struct show_life *life, size_t capture, char *text, size_t room);

#endif
