/*
 * Where numbers come from: enough to get the same bytes again.
 */
#ifndef TERM_PROVENANCE_H
#define TERM_PROVENANCE_H

#include <stdio.h>

/* "perennial 0.1.0; perennial evaluate …": version and command line, as a shell would take it back.  argv[0] is the command. */
void term_provenance_print(FILE *out, int argc, char **argv);

#endif
