#include "term/plot.h"

#include "base/ascii.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 9 /* columns left of the axis: "%8.3g " */
#define HEADROOM 1.1

/* The field in dots: two for each column and four for each row; without Unicode one for each. */
struct field {
	const struct term_plot *plot;
	unsigned across, down; /* dots */
	double top;            /* y of the upper edge */
	int height[2 * TERM_PLOT_COLUMNS]; /* [across] the height of the curve in dots above the bottom, or -1: outside */
	unsigned level_row;
};

static void fill(struct field *field, const struct term_plot *plot)
{
	double end = plot->y(plot->context, plot->x_to);

	field->plot = plot;
	field->across = plot->unicode ? 2 * plot->columns : plot->columns;
	field->down = plot->unicode ? 4 * plot->rows : plot->rows;
	field->top = HEADROOM * fmax(plot->level, end);
	for (unsigned i = 0; i < field->across; i++) {
		double x = plot->x_from + (plot->x_to - plot->x_from) * (i + 0.5) / field->across;
		double dot = plot->y(plot->context, x) / field->top * field->down;

		field->height[i] = dot < 0 || dot >= field->down ? -1 : (int)dot;
	}
	field->level_row = plot->rows - 1 - (unsigned)(plot->level / field->top * plot->rows);
}

/*
 * Whether a dot is set: those of a column go from its own height up to that of its right neighbour, so that a steep curve has
 * no gaps.
 */
static bool is_dot(const struct field *field, unsigned across, unsigned up)
{
	int low = field->height[across], high = low;

	if (across + 1 < field->across && field->height[across + 1] > low + 1)
		high = field->height[across + 1] - 1;
	return low >= 0 && (int)up >= low && (int)up <= high;
}

/* Prints a braille character of two columns of dots; returns false if none of them is set. */
static bool put_braille(FILE *out, const struct field *field, unsigned column, unsigned row)
{
	static const unsigned char bits[2][4] = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } };
	unsigned code = 0x2800;

	for (unsigned x = 0; x < 2; x++)
		for (unsigned y = 0; y < 4; y++)
			if (is_dot(field, 2 * column + x, field->down - 1 - (4 * row + y)))
				code |= bits[x][y];
	if (code == 0x2800)
		return false;
	putc((int)(0xe0 | code >> 12), out);
	putc((int)(0x80 | (code >> 6 & 0x3f)), out);
	putc((int)(0x80 | (code & 0x3f)), out);
	return true;
}

static void put_row(FILE *out, const struct field *field, unsigned row)
{
	const struct term_plot *plot = field->plot;
	bool level = row == field->level_row;

	if (level)
		fprintf(out, "%*.3g ", MARGIN - 1, plot->level);
	else if (row == plot->rows - 1)
		fprintf(out, "%*s ", MARGIN - 1, "0");
	else
		fprintf(out, "%*s ", MARGIN - 1, row ? "" : plot->y_label);
	fputs(!plot->unicode ? "|" : level ? "┼" : "│", out);
	for (unsigned column = 0; column < plot->columns; column++)
		if (!plot->unicode && is_dot(field, column, field->down - 1 - row))
			putc('*', out);
		else if (!plot->unicode || !put_braille(out, field, column, row))
			fputs(!level ? " " : plot->unicode ? "╌" : "-", out);
	fprintf(out, "%s%s\n", level ? " " : "", level ? plot->level_label : "");
}

/* Returns the column of a mark, or -1 if it is outside the field. */
static int column_of(const struct term_plot *plot, double x)
{
	double at = (x - plot->x_from) / (plot->x_to - plot->x_from) * plot->columns;

	return !(at >= 0) || at > plot->columns ? -1 : at < plot->columns ? (int)at : (int)plot->columns - 1;
}

static void put_axis(FILE *out, const struct term_plot *plot)
{
	fprintf(out, "%*s%s", MARGIN, "", plot->unicode ? "└" : "+");
	for (unsigned column = 0; column < plot->columns; column++) {
		bool marked = false;

		for (size_t i = 0; i < plot->mark_count && !marked; i++)
			marked = column_of(plot, plot->marks[i].x) == (int)column;
		fputs(marked ? (plot->unicode ? "┬" : "+") : plot->unicode ? "─" : "-", out);
	}
	putc('\n', out);
}

/* Prints the labels centred under their marks; one that would overlap the one before goes to the next line. */
static void put_labels(FILE *out, const struct term_plot *plot)
{
	int at = 0;

	for (size_t i = 0; i < plot->mark_count; i++) {
		int column = column_of(plot, plot->marks[i].x), length = (int)strlen(plot->marks[i].label);
		int start = MARGIN + 1 + column - length / 2;

		if (column < 0)
			continue;
		if (at && start <= at) {
			putc('\n', out);
			at = 0;
		}
		start = start > 0 ? start : 0;
		fprintf(out, "%*s%s", start - at, "", plot->marks[i].label);
		at = start + length;
	}
	if (at)
		putc('\n', out);
}

void term_plot_print(FILE *out, const struct term_plot *plot)
{
	struct field field;

	fill(&field, plot);
	for (unsigned row = 0; row < plot->rows; row++)
		put_row(out, &field, row);
	put_axis(out, plot);
	put_labels(out, plot);
}

bool term_plot_speaks_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return prn_ascii_find(value, "utf-8") || prn_ascii_find(value, "utf8");
	}
	return false;
}
