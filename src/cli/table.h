/*
 * Rows of named columns on stdout: aligned for a person, TSV with a header line in a pipe, or JSON lines.
 * A missing number (NaN) is "-" for a person, "NA" in TSV, null in JSON.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdint.h>
#include <stdio.h>

enum cli_format {
	CLI_FORMAT_TABLE,
	CLI_FORMAT_TSV,
	CLI_FORMAT_JSON,
};

/*
 * Reads the value of --format (NULL: table on a terminal, TSV elsewhere).  Returns 0, or -1 when it is none
 * of table, tsv, json.
 */
int cli_format_parse(const char *text, enum cli_format *format);

enum cli_column_kind {
	CLI_COLUMN_TEXT,
	CLI_COLUMN_COUNT,  /* whole numbers */
	CLI_COLUMN_NUMBER, /* doubles: decimals digits for a person, every digit that counts elsewhere */
};

struct cli_column {
	const char *name;
	enum cli_column_kind kind;
	int decimals;
};

struct cli_table;

/* columns ends with a NULL name and is borrowed until close.  Never fails: out of memory aborts. */
struct cli_table *cli_table_open(enum cli_format format, const struct cli_column *columns);

/* The same, written to out, which is borrowed until close and stays open. */
struct cli_table *cli_table_open_in(FILE *out, enum cli_format format, const struct cli_column *columns);

/* Cells are given in the order of the columns; the row ends by itself after the last. */
void cli_table_text(struct cli_table *table, const char *text);
void cli_table_count(struct cli_table *table, uint64_t count);
void cli_table_number(struct cli_table *table, double number);

/*
 * Prints what was held back for alignment, then, in the table format only, a last line "# " + note (NULL:
 * none), and frees.  Returns 0, or -1 when something could not be written.
 */
int cli_table_close(struct cli_table *table, const char *note);

/* Writes text as a JSON string, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void cli_json_string(const char *text);

/* Writes a double with as few digits as read back to the same value. */
void cli_number_exact(double number, char out[32]);

#endif
