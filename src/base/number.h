/*
 * Numbers as people write them.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Reads all of text as strtod does, if it is a finite number; else *number is untouched. */
bool prn_number_read(const char *text, double *number);

/*
 * As strtod and snprintf, but with a decimal point whatever the program's locale is: for data that is stored or exchanged.
 */
double prn_number_scan(const char *text, char **end);
__attribute__((format(printf, 3, 4))) int prn_number_print(char *text, size_t size, const char *format, ...);

#endif
