#include "cli/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli_table {
	enum cli_format format;
	const struct cli_column *columns;
	size_t width; /* columns */
	size_t at;    /* the next cell's column */
	char **cells; /* table format only: all rows, held back for alignment */
	size_t count, capacity;
};

int cli_format_parse(const char *text, enum cli_format *format)
{
	static const char *const names[] = { "table", "tsv", "json" };

	if (!text) {
		*format = isatty(STDOUT_FILENO) ? CLI_FORMAT_TABLE : CLI_FORMAT_TSV;
		return 0;
	}
	for (int i = 0; i < 3; i++)
		if (!strcmp(text, names[i])) {
			*format = (enum cli_format)i;
			return 0;
		}
	return -1;
}

void cli_number_exact(double number, char out[32])
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

void cli_json_string(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	putchar('"');
	while (*at) {
		size_t length = utf8_length(at);

		if (!length) {
			fputs("\\ufffd", stdout);
			at++;
			continue;
		}
		if (*at == '"' || *at == '\\')
			printf("\\%c", *at);
		else if (*at < 0x20)
			printf("\\u%04x", *at);
		else
			fwrite(at, 1, length, stdout);
		at += length;
	}
	putchar('"');
}

struct cli_table *cli_table_open(enum cli_format format, const struct cli_column *columns)
{
	struct cli_table *table = calloc(1, sizeof *table);

	if (!table)
		abort();
	table->format = format;
	table->columns = columns;
	while (columns[table->width].name)
		table->width++;
	if (format == CLI_FORMAT_TSV)
		for (size_t i = 0; i < table->width; i++)
			printf("%s%c", columns[i].name, i + 1 < table->width ? '\t' : '\n');
	return table;
}

static void hold(struct cli_table *table, const char *text)
{
	if (table->count == table->capacity) {
		table->capacity = table->capacity ? 2 * table->capacity : 64;
		table->cells = realloc(table->cells, table->capacity * sizeof *table->cells);
		if (!table->cells)
			abort();
	}
	table->cells[table->count] = strdup(text);
	if (!table->cells[table->count++])
		abort();
}

/* Tabs and newlines would break a row; they are not worth an escape syntax. */
static void print_flat(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < 0x20 ? ' ' : *text);
}

/* One cell; quoted says that JSON wants it as a string. */
static void cell(struct cli_table *table, const char *text, bool quoted)
{
	size_t at = table->at++;
	bool last = table->at == table->width;

	if (last)
		table->at = 0;
	if (table->format == CLI_FORMAT_TABLE) {
		hold(table, text);
		return;
	}
	if (table->format == CLI_FORMAT_TSV) {
		print_flat(text);
		putchar(last ? '\n' : '\t');
		return;
	}
	fputs(at ? ", " : "{", stdout);
	cli_json_string(table->columns[at].name);
	fputs(": ", stdout);
	if (quoted)
		cli_json_string(text);
	else
		fputs(text, stdout);
	if (last)
		fputs("}\n", stdout);
}

void cli_table_text(struct cli_table *table, const char *text)
{
	cell(table, text, true);
}

void cli_table_count(struct cli_table *table, uint64_t count)
{
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)count);
	cell(table, text, false);
}

void cli_table_number(struct cli_table *table, double number)
{
	static const char *const missing[] = { "-", "NA", "null" };
	char text[64];

	if (isnan(number)) {
		cell(table, missing[table->format], false);
		return;
	}
	if (isinf(number) && table->format == CLI_FORMAT_JSON) {
		cell(table, "null", false);
		return;
	}
	if (table->format == CLI_FORMAT_TABLE)
		snprintf(text, sizeof text, "%.*f", table->columns[table->at].decimals, number);
	else
		cli_number_exact(number, text);
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

static void print_aligned(const char *text, int width, bool left, bool last)
{
	int pad = width - shown_width(text);

	if (!left)
		printf("%*s", pad, "");
	print_flat(text);
	if (left && !last)
		printf("%*s", pad, "");
	fputs(last ? "\n" : "  ", stdout);
}

static int column_width(const struct cli_table *table, size_t column)
{
	int width = shown_width(table->columns[column].name);

	for (size_t i = column; i < table->count; i += table->width)
		if (shown_width(table->cells[i]) > width)
			width = shown_width(table->cells[i]);
	return width;
}

static void print_held(const struct cli_table *table)
{
	int *widths = calloc(table->width, sizeof *widths);

	if (!widths)
		abort();
	for (size_t i = 0; i < table->width; i++)
		widths[i] = column_width(table, i);
	for (size_t row = 0; row <= table->count / table->width; row++)
		for (size_t i = 0; i < table->width; i++)
			print_aligned(row ? table->cells[(row - 1) * table->width + i] : table->columns[i].name,
			              widths[i], table->columns[i].kind == CLI_COLUMN_TEXT,
			              i + 1 == table->width);
	free(widths);
}

int cli_table_close(struct cli_table *table, const char *note)
{
	if (table->format == CLI_FORMAT_TABLE) {
		print_held(table);
		if (note)
			printf("# %s\n", note);
	}
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	free(table);
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}
