/*
 * Numbers as people write them.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>

/* Reads all of text as strtod does, if it is a finite number; else *number is untouched. */
bool prn_number_read(const char *text, double *number);

#endif
