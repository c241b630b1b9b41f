/* The provenance of numbers: enough to get the same bytes again. */
#ifndef TERM_PROVENANCE_H
#define TERM_PROVENANCE_H

#include <stdio.h>

/*
 * Prints "perennial 0.1.0; perennial evaluate …": the version, and the command line quoted for a shell.  argv[0] is the
 * command.
 */
void term_provenance_print(FILE *out, int argc, char **argv);

#endif
