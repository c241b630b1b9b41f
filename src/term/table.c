#include "term/table.h"

#include "base/buffer.h"
#include "base/visible.h"
#include "term/csv.h"
#include "term/exit.h"
#include "term/say.h"
#include "term/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct term_table {
	FILE *out;
	enum term_format format;
	const struct term_column *columns;
	size_t width; /* columns */
	size_t at;    /* the next cell's column */
	char **cells; /* table format only: all rows, held back for alignment */
	size_t count, capacity;
	int code;     /* PRN_E_MEMORY: cells were lost, and no more are taken */
};

/* What _open returns if there is no memory for a table. */
static struct term_table no_table = { .code = PRN_E_MEMORY };

int term_format_parse(const char *text, enum term_format *format, struct prn_error *error)
{
	int word = isatty(STDOUT_FILENO) ? TERM_FORMAT_TABLE : TERM_FORMAT_TSV;
	int code = text ? term_words_read("format", TERM_FORMATS, text, &word, error) : 0;

	if (!code)
		*format = (enum term_format)word;
	return code;
}

void term_number_exact(double number, char out[32])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, 32, "%.*g", digits, number);
		if (strtod(out, NULL) == number)
			return;
	}
}

static void write_json_string(FILE *out, const char *text)
{
	int32_t character;
	size_t length;

	putc('"', out);
	for (; (length = prn_visible_next(text, &character)); text += length) {
		if (character == PRN_NOT_UTF8)
			fputs("\\ufffd", out);
		else if (character != PRN_IS_SHOWN)
			fprintf(out, "\\u%04x", (unsigned)character);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fwrite(text, 1, length, out);
	}
	putc('"', out);
}

void term_json_string(const char *text)
{
	write_json_string(stdout, text);
}

static void print_flat(FILE *out, const char *text)
{
	while (*text)
		text += term_show_in_cell(out, text);
}

static void print_quoted(FILE *out, const char *text)
{
	putc('"', out);
	while (*text) {
		if (*text == '"')
			putc('"', out);
		text += term_show_in_cell(out, text);
	}
	putc('"', out);
}

/* Whether gnuplot would misread a cell: it skips blanks before it looks at the beginning. */
static bool misleads_gnuplot(const char *text)
{
	while (*text && (unsigned char)*text <= ' ')
		text++;
	return *text == '#' || *text == '"' || !strncmp(text, "NA", 2);
}

/* Prints a cell of a row that is written at once, and what separates it from the next. */
static void print_in_row(const struct term_table *table, size_t at, const char *text, bool is_text)
{
	bool last = at + 1 == table->width;

	if (table->format == TERM_FORMAT_CSV && is_text)
		term_csv_text(table->out, text);
	else if (table->format == TERM_FORMAT_GNUPLOT && is_text && misleads_gnuplot(text))
		print_quoted(table->out, text);
	else
		print_flat(table->out, text);
	if (table->format == TERM_FORMAT_CSV)
		fputs(last ? TERM_CSV_END : ",", table->out);
	else
		putc(last ? '\n' : '\t', table->out);
}

struct term_table *term_table_open(enum term_format format, const struct term_column *columns)
{
	return term_table_open_in(stdout, format, columns);
}

struct term_table *term_table_open_in(FILE *out, enum term_format format, const struct term_column *columns)
{
	struct term_table *table = calloc(1, sizeof *table);
	bool has_header = format == TERM_FORMAT_TSV || format == TERM_FORMAT_GNUPLOT || format == TERM_FORMAT_CSV;

	if (!table)
		return &no_table;
	table->out = out;
	table->format = format;
	table->columns = columns;
	while (columns[table->width].name)
		table->width++;
	for (size_t i = 0; i < table->width && has_header; i++)
		print_in_row(table, i, columns[i].name, true);
	return table;
}

static void hold(struct term_table *table, const char *text)
{
	char **cells = table->cells;

	if (table->count == table->capacity) {
		cells = prn_array_grow(cells, &table->capacity, table->count + 1, sizeof *cells);
		if (!cells) {
			table->code = PRN_E_MEMORY;
			return;
		}
		table->cells = cells;
	}
	cells[table->count] = prn_visible_dup(text);
	if (cells[table->count])
		table->count++;
	else
		table->code = PRN_E_MEMORY;
}

/* Adds a cell; quoted: it is a string in JSON. */
static void cell(struct term_table *table, const char *text, bool quoted)
{
	size_t at = table->at;
	bool last = at + 1 == table->width;

	if (table->code)
		return;
	table->at++;
	if (last)
		table->at = 0;
	if (table->format == TERM_FORMAT_TABLE) {
		hold(table, text);
		return;
	}
	if (table->format != TERM_FORMAT_JSON) {
		print_in_row(table, at, text, quoted);
		return;
	}
	fputs(at ? ", " : "{", table->out);
	write_json_string(table->out, table->columns[at].name);
	fputs(": ", table->out);
	if (quoted)
		write_json_string(table->out, text);
	else
		fputs(text, table->out);
	if (last)
		fputs("}\n", table->out);
}

void term_table_text(struct term_table *table, const char *text)
{
	char *url = NULL;

	if (!table->code && table->columns[table->at].kind == TERM_COLUMN_URL && table->format != TERM_FORMAT_JSON) {
		url = prn_visible_url_dup(text);
		if (!url)
			table->code = PRN_E_MEMORY;
	}
	cell(table, url ? url : text, true);
	free(url);
}

void term_table_count(struct term_table *table, uint64_t count)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	cell(table, text, false);
}

void term_table_number(struct term_table *table, double number)
{
	static const char *const missing[] = { "-", "NA", "null", "", "NA" };
	char text[64];

	if (table->code)
		return;
	if (isnan(number))
		snprintf(text, sizeof text, "%s", missing[table->format]);
	else if (isinf(number) && table->format == TERM_FORMAT_JSON)
		snprintf(text, sizeof text, "null");
	else if (table->format == TERM_FORMAT_TABLE)
		snprintf(text, sizeof text, "%.*f", table->columns[table->at].decimals, number);
	else
		term_number_exact(number, text);
	cell(table, text, false);
}

/* Returns how many columns a text takes on a terminal: continuation bytes take none. */
static int shown_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void print_aligned(FILE *out, const char *text, int width, bool left, bool last)
{
	int pad = width - shown_width(text);

	if (!left)
		fprintf(out, "%*s", pad, "");
	print_flat(out, text);
	if (left && !last)
		fprintf(out, "%*s", pad, "");
	fputs(last ? "\n" : "  ", out);
}

static int print_held(const struct term_table *table)
{
	int *widths = calloc(table->width, sizeof *widths);

	if (!widths)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < table->width; i++)
		widths[i] = shown_width(table->columns[i].name);
	for (size_t i = 0; i < table->count; i++)
		if (shown_width(table->cells[i]) > widths[i % table->width])
			widths[i % table->width] = shown_width(table->cells[i]);
	for (size_t row = 0; row <= table->count / table->width; row++)
		for (size_t i = 0; i < table->width; i++)
			print_aligned(table->out,
			              row ? table->cells[(row - 1) * table->width + i] : table->columns[i].name,
			              widths[i], table->columns[i].kind <= TERM_COLUMN_URL,
			              i + 1 == table->width);
	free(widths);
	return 0;
}

int term_table_close(struct term_table *table, const char *note, struct prn_error *error)
{
	FILE *out = table->out;
	int code = table->code;

	if (!code && table->format == TERM_FORMAT_TABLE)
		code = print_held(table);
	if (!code && table->format == TERM_FORMAT_TABLE && note) {
		fputs("# ", out);
		term_show(out, note);
		putc('\n', out);
	}
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	if (table != &no_table)
		free(table);
	if (code)
		return prn_error_memory(error);
	if (out == stdout)
		return term_stdout_flush(error);
	return fflush(out) || ferror(out) ? prn_error_set(error, PRN_E_IO, "cannot be written") : 0;
}
