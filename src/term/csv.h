/* Fields of CSV (RFC 4180), above all for spreadsheets: a text from outside must stay a text there, whatever it says. */
#ifndef TERM_CSV_H
#define TERM_CSV_H

#include <stdio.h>

/* What ends a row, and the header line too. */
#define TERM_CSV_END "\r\n"

/*
 * Writes text as one field, in quotes if it has a comma or a quote, or begins or ends with a blank.
 *
 * A spreadsheet computes a text that begins with =, +, - or @, their wide forms (U+FF0B, U+FF0D, U+FF1D, U+FF20) or blanks
 * before one of them: such a text gets an apostrophe in front, which spreadsheets understand as "this is text".  A hyphen
 * alone stands for a missing value and stays.  Tabs and ends of lines are written as blanks; other control characters and
 * those that turn the direction of text are written as base/visible.h shows them.
 */
void term_csv_text(FILE *out, const char *text);

#endif
