/* Tables in their forms, and what they say when they run out of memory or cannot be written. */
#include "term/table.h"
#include "term/csv.h"
#include "term/exit.h"
#include "failing.h"
#include "tap.h"

#include <stdlib.h>

static const struct term_column columns[] = {
	{ "name", TERM_COLUMN_TEXT, 0 },
	{ "count", TERM_COLUMN_COUNT, 0 },
	{ "number", TERM_COLUMN_NUMBER, 2 },
	{ NULL, TERM_COLUMN_TEXT, 0 },
};

static void fill(struct term_table *table)
{
	term_table_text(table, "ü\"");
	term_table_count(table, 12345);
	term_table_number(table, 0.1);
	term_table_text(table, "tab\tbed");
	term_table_count(table, 7);
	term_table_number(table, NAN);
}

/* What a table prints; failing: which of its allocations fails, or 0. */
static int print(enum term_format format, size_t failing, char **text, struct prn_error *error)
{
	size_t length;
	FILE *out = open_memstream(text, &length);
	struct term_table *table;
	int code;

	failing_at = failing;
	table = term_table_open_in(out, format, columns);
	fill(table);
	code = term_table_close(table, "a note", error);
	failing_at = 0;
	fclose(out);
	return code;
}

static void prints(enum term_format format, const char *want, const char *title)
{
	struct prn_error error = { 0 };
	char *text;

	ok(!print(format, 0, &text, &error), "%s is closed without an error", title);
	same(text, want, "%s has its header, rows, missing numbers and note where they belong", title);
	free(text);
}

/* Every allocation in turn. */
static void runs_out(enum term_format format, const char *title)
{
	struct prn_error error;
	size_t failing = 0;
	bool told = true;
	char *text;
	int code;

	do {
		error = (struct prn_error){ 0 };
		code = print(format, ++failing, &text, &error);
		if (code)
			told &= code == PRN_E_MEMORY && !strcmp(error.text, "out of memory") && !strchr(text, '#');
		free(text);
	} while (code && failing < 1000);
	ok(!code && failing > 1, "a table as %s makes allocations, and is whole when none fails", title);
	ok(told, "a table as %s of which an allocation fails is closed with PRN_E_MEMORY, whichever it is", title);
}

static void full_disk(void)
{
	FILE *full = fopen("/dev/full", "w");
	struct prn_error error = { 0 };
	struct term_table *table;

	if (!full) {
		skip("there is no /dev/full");
		return;
	}
	table = term_table_open_in(full, TERM_FORMAT_TABLE, columns);
	fill(table);
	ok(term_table_close(table, NULL, &error) == PRN_E_IO, "a table that cannot be written is closed with PRN_E_IO");
	fclose(full);
}

static void formats(void)
{
	enum term_format format = TERM_FORMAT_TABLE;
	struct prn_error error = { 0 };

	ok(!term_format_parse("json", &format, &error) && format == TERM_FORMAT_JSON, "json is a format");
	ok(!term_format_parse("csv", &format, &error) && format == TERM_FORMAT_CSV, "csv is a format");
	ok(term_format_parse("gnuplot", &format, &error) == TERM_E_USAGE, "the format of gnuplot's tables is none for --format");
	ok(term_format_parse("xml", &format, &error) == TERM_E_USAGE, "xml is a wrong command line");
	same(error.text, "--format takes table, tsv, json or csv, not 'xml'",
	     "the error for an unknown format says what the option takes");
}

/* U+202E turns text around, U+009B begins a command for a terminal. */
static void hostile(void)
{
	static const char name[] = "x\xe2\x80\xaey\xc2\x9b" "31m";
	static const struct {
		enum term_format format;
		const char *want, *title;
	} forms[] = {
		{ TERM_FORMAT_TABLE, "name               count\nx\\u202ey\\u009b31m      1\n# \\x1b[31m\n",
		  "a table for a person shows what a terminal would act on, and keeps its columns" },
		{ TERM_FORMAT_TSV, "name\tcount\nx\\u202ey\\u009b31m\t1\n",
		  "a table as TSV shows what a terminal would act on" },
		{ TERM_FORMAT_CSV, "name,count\r\nx\\u202ey\\u009b31m,1\r\n", "a table as CSV shows what a terminal would act on" },
		{ TERM_FORMAT_JSON, "{\"name\": \"x\\u202ey\\u009b31m\", \"count\": 1}\n",
		  "a table as JSON has what a terminal would act on as escapes" },
	};
	static const struct term_column two[] = {
		{ "name", TERM_COLUMN_TEXT, 0 }, { "count", TERM_COLUMN_NUMBER, 0 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		char *text;
		size_t length;
		FILE *out = open_memstream(&text, &length);
		struct term_table *table = term_table_open_in(out, forms[i].format, two);

		term_table_text(table, name);
		term_table_count(table, 1);
		term_table_close(table, "\x1b[31m", NULL);
		fclose(out);
		same(text, forms[i].want, "%s", forms[i].title);
		free(text);
	}
}

/* One field, as a spreadsheet is to have it. */
static void fields(void)
{
	static const struct {
		const char *text, *want, *title;
	} cells[] = {
		{ "plain", "plain", "a plain text stands as it is in CSV" },
		{ "a,b", "\"a,b\"", "a text with a comma stands in quotes in CSV" },
		{ "a\"b", "\"a\"\"b\"", "a quote in CSV is doubled, in quotes" },
		{ "a\r\nb\tc", "a  b c", "ends of lines and tabs are blanks in CSV" },
		{ " a", "\" a\"", "a text that begins with a blank keeps it in CSV" },
		{ "=1+1", "'=1+1", "a text that begins with = is no formula in CSV" },
		{ "+1", "'+1", "a text that begins with + is no formula in CSV" },
		{ "-1+1", "'-1+1", "a text that begins with - is no formula in CSV" },
		{ "@SUM(1)", "'@SUM(1)", "a text that begins with @ is no formula in CSV" },
		{ "=a,\"b\"", "\"'=a,\"\"b\"\"\"", "a formula with a comma and quotes is none within its quotes either" },
		{ "\t=1", "\"' =1\"", "a tab before a formula does not hide it in CSV" },
		{ "\r\n@x", "\"'  @x\"", "an end of line before a formula does not hide it in CSV" },
		{ "\xef\xbc\x9d" "1", "'\xef\xbc\x9d" "1", "a wide = begins no formula in CSV" },
		{ "\xef\xbc\x8b" "1", "'\xef\xbc\x8b" "1", "a wide + begins no formula in CSV" },
		{ "\xef\xbc\x8d" "1", "'\xef\xbc\x8d" "1", "a wide - begins no formula in CSV" },
		{ "\xef\xbc\xa0x", "'\xef\xbc\xa0x", "a wide @ begins no formula in CSV" },
		{ "-", "-", "a hyphen that stands for nothing stays one in CSV" },
		{ "a=b", "a=b", "an = within a text is left alone in CSV" },
		{ "", "", "an empty text is an empty field in CSV" },
		{ "\xff", "\\xff", "a byte that is not UTF-8 is shown in CSV" },
	};

	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		char *text;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		term_csv_text(out, cells[i].text);
		fclose(out);
		same(text, cells[i].want, "%s", cells[i].title);
		free(text);
	}
}

static void negative(void)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	struct term_table *table = term_table_open_in(out, TERM_FORMAT_CSV, columns);

	term_table_text(table, "=x");
	term_table_count(table, 1);
	term_table_number(table, -0.5);
	term_table_close(table, NULL, NULL);
	fclose(out);
	same(text, "name,count,number\r\n'=x,1,-0.5\r\n", "a negative number is a number in CSV, and a text beside it is none");
	free(text);
}

int main(void)
{
	prints(TERM_FORMAT_TABLE, "name        count  number\nü\"          12345    0.10\ntab\\x09bed      7       -\n# a note\n",
	       "a table for a person");
	prints(TERM_FORMAT_TSV, "name\tcount\tnumber\nü\"\t12345\t0.1\ntab bed\t7\tNA\n", "a table as TSV");
	prints(TERM_FORMAT_JSON,
	       "{\"name\": \"ü\\\"\", \"count\": 12345, \"number\": 0.1}\n"
	       "{\"name\": \"tab\\u0009bed\", \"count\": 7, \"number\": null}\n",
	       "a table as JSON lines");
	prints(TERM_FORMAT_CSV, "name,count,number\r\n\"ü\"\"\",12345,0.1\r\ntab bed,7,\r\n", "a table as CSV");
	hostile();
	fields();
	negative();
	runs_out(TERM_FORMAT_TABLE, "aligned text");
	runs_out(TERM_FORMAT_TSV, "TSV");
	full_disk();
	formats();
	return done();
}
