/*
 * Numbers as people write them.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>

/* Reads all of text as strtod does, if it is a finite number; else *number is untouched. */
bool prn_number_read(const char *text, double *number);

#define PRN_BUDGET_TAKES "visits in a time, such as 5000/day, 200/hour or 1e6/week"

/* Reads a budget above 0, a number with "/hour", "/day" or "/week", as visits a day; else *per_day is untouched. */
bool prn_budget_read(const char *text, double *per_day);

#endif
