/*
 * Fields of CSV (RFC 4180), for spreadsheets above all: a text from outside is to be a text there, whatever it says.
 */
#ifndef TERM_CSV_H
#define TERM_CSV_H

#include <stdio.h>

/* Ends a row, also one of names. */
#define TERM_CSV_END "\r\n"

/*
 * Writes text as one field, in quotes where it has a comma or a quote, or begins or ends with a blank.
 *
 * A spreadsheet computes what begins with =, +, - or @, their wide forms (U+FF0B, U+FF0D, U+FF1D, U+FF20) or blanks before one of
 * them: such a text gets an apostrophe in front, which spreadsheets take for "this is text".  A hyphen alone stands for
 * nothing and stays.  Tabs and ends of lines are written as blanks; other control characters and what turns the direction of
 * text around as base/visible.h shows them.
 */
void term_csv_text(FILE *out, const char *text);

#endif
