#include "term/table.h"

#include "base/buffer.h"
#include "base/visible.h"
#include "term/exit.h"
#include "term/say.h"

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
	int code;     /* PRN_E_MEMORY: cells have been lost, and no more are taken */
};

/* Stands in for a table that finds no memory for itself. */
static struct term_table no_table = { .code = PRN_E_MEMORY };

int term_format_parse(const char *text, enum term_format *format, struct prn_error *error)
{
	static const char *const names[] = { "table", "tsv", "json" };

	if (!text) {
		*format = isatty(STDOUT_FILENO) ? TERM_FORMAT_TABLE : TERM_FORMAT_TSV;
		return 0;
	}
	for (int i = 0; i < 3; i++)
		if (!strcmp(text, names[i])) {
			*format = (enum term_format)i;
			return 0;
		}
	return term_usage_error(error, "--format takes table, tsv or json, not '%s'", text);
}

void term_number_exact(double number, char out[32])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, 32, "%.*g", digits, number);
		if (strtod(out, NULL) == number)
			return;
	}
}

/* The length of the UTF-8 sequence at text, or 0 if it is not one. */
static size_t utf8_length(const unsigned char *text)
{
	size_t length = *text < 0x80 ? 1 : *text >= 0xf0 && *text < 0xf5 ? 4 : *text >= 0xe0 ? 3 : 2;

	if (length == 1)
		return 1;
	if (*text < 0xc2 || *text >= 0xf5)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
	    (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	return length;
}

static void write_json_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	putc('"', out);
	while (*at) {
		size_t length = utf8_length(at);

		if (!length) {
			fputs("\\ufffd", out);
			at++;
			continue;
		}
		if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20)
			fprintf(out, "\\u%04x", *at);
		else
			fwrite(at, 1, length, out);
		at += length;
	}
	putc('"', out);
}

void term_json_string(const char *text)
{
	write_json_string(stdout, text);
}

struct term_table *term_table_open(enum term_format format, const struct term_column *columns)
{
	return term_table_open_in(stdout, format, columns);
}

struct term_table *term_table_open_in(FILE *out, enum term_format format, const struct term_column *columns)
{
	struct term_table *table = calloc(1, sizeof *table);

	if (!table)
		return &no_table;
	table->out = out;
	table->format = format;
	table->columns = columns;
	while (columns[table->width].name)
		table->width++;
	if (format == TERM_FORMAT_TSV || format == TERM_FORMAT_GNUPLOT)
		for (size_t i = 0; i < table->width; i++)
			fprintf(out, "%s%c", columns[i].name, i + 1 < table->width ? '\t' : '\n');
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

/* Tabs and newlines would break a row; they are not worth an escape syntax. */
static void print_flat(FILE *out, const char *text)
{
	for (; *text; text++)
		putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
}

static void print_quoted(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
	}
	putc('"', out);
}

/* gnuplot passes over blanks before it looks what a cell begins with. */
static bool misleads_gnuplot(const char *text)
{
	while (*text && (unsigned char)*text <= ' ')
		text++;
	return *text == '#' || *text == '"' || !strncmp(text, "NA", 2);
}

/* One cell; quoted says that JSON wants it as a string. */
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
	if (table->format == TERM_FORMAT_TSV || table->format == TERM_FORMAT_GNUPLOT) {
		if (table->format == TERM_FORMAT_GNUPLOT && quoted && misleads_gnuplot(text))
			print_quoted(table->out, text);
		else
			print_flat(table->out, text);
		putc(last ? '\n' : '\t', table->out);
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
	cell(table, text, true);
}

void term_table_count(struct term_table *table, uint64_t count)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	cell(table, text, false);
}

void term_table_number(struct term_table *table, double number)
{
	static const char *const missing[] = { "-", "NA", "null", "NA" };
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

/* Columns on a terminal, not bytes: continuation bytes take no room. */
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
			              widths[i], table->columns[i].kind == TERM_COLUMN_TEXT,
			              i + 1 == table->width);
	free(widths);
	return 0;
}

static void show_note(FILE *out, const char *note)
{
	fputs("# ", out);
	term_show(out, note);
	putc('\n', out);
}

int term_table_close(struct term_table *table, const char *note, struct prn_error *error)
{
	FILE *out = table->out;
	int code = table->code;

	if (!code && table->format == TERM_FORMAT_TABLE)
		code = print_held(table);
	if (!code && table->format == TERM_FORMAT_TABLE && note)
		show_note(out, note);
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
