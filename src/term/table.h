/*
 * Rows of named columns on stdout: aligned for people, TSV with a header line in a pipe, JSON lines, or CSV (csv.h).  A
 * missing number (NaN) is "-" for people, "NA" in TSV, null in JSON, nothing in CSV.
 *
 * Texts may come from anywhere: characters that a terminal would act on are shown in all formats (base/visible.h), in JSON as
 * escapes that are read back to the same; tabs and ends of lines are blanks in TSV and CSV.
 */
#ifndef TERM_TABLE_H
#define TERM_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "perennial/error.h"

/* In the order of TERM_FORMATS. */
enum term_format {
	TERM_FORMAT_TABLE,
	TERM_FORMAT_TSV,
	TERM_FORMAT_JSON,
	TERM_FORMAT_CSV,
	TERM_FORMAT_GNUPLOT, /* TSV, in which a text that gnuplot would take for a comment, a quoted cell or NA is quoted as in CSV */
};

/*
 * Reads the value of --format (NULL: table on a terminal, TSV elsewhere), which is never GNUPLOT.
 *
 * TERM_E_USAGE	it is none of TERM_FORMATS
 */
#define TERM_FORMATS "table|tsv|json|csv"
int term_format_parse(const char *text, enum term_format *format, struct prn_error *error);

enum term_column_kind {
	TERM_COLUMN_TEXT,
	TERM_COLUMN_URL,    /* a text whose characters that a terminal would act on are percent-encoded, except in JSON: the URL stays the same */
	TERM_COLUMN_COUNT,  /* whole numbers */
	TERM_COLUMN_NUMBER, /* doubles: with decimals digits for people, with all significant digits elsewhere */
};

struct term_column {
	const char *name;
	enum term_column_kind kind;
	int decimals;
};

struct term_table;

/*
 * Opens a table.  columns ends with a NULL name and is borrowed until close.  Never fails: a table that runs out of memory,
 * here or later, drops what it is given and reports that when it is closed.
 */
struct term_table *term_table_open(enum term_format format, const struct term_column *columns);

/* The same, written to out, which is borrowed until close and stays open. */
struct term_table *term_table_open_in(FILE *out, enum term_format format, const struct term_column *columns);

/* Cells are given in the order of the columns; the row ends by itself after the last. */
void term_table_text(struct term_table *table, const char *text);
void term_table_count(struct term_table *table, uint64_t count);
void term_table_number(struct term_table *table, double number);

/*
 * Prints the rows that were kept for alignment, then, in the table format only, a last line "# " + note (NULL: none), and
 * frees.
 *
 * PRN_E_IO	something could not be written
 * PRN_E_MEMORY	rows are missing
 */
int term_table_close(struct term_table *table, const char *note, struct prn_error *error);

/* Writes text as a JSON string, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void term_json_string(const char *text);

/* Writes a double with the fewest digits that read back to the same value. */
void term_number_exact(double number, char out[32]);

#endif
