/*
 * A rising curve and a level, drawn with characters, for `explain`: with braille dots, two by four in a character, if the
 * terminal uses UTF-8, or else with asterisks.
 */
#ifndef TERM_PLOT_H
#define TERM_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A place on the x axis, named below it. */
struct term_plot_mark {
	double x;
	const char *label; /* ASCII */
};

struct term_plot {
	double (*y)(const void *context, double x); /* >= 0, finite */
	const void *context;
	double x_from, x_to; /* x_from < x_to */
	double level;        /* > 0: a line across */
	const char *level_label, *y_label;
	const struct term_plot_mark *marks; /* [mark_count], ascending; those outside x_from … x_to are left out */
	size_t mark_count;
	unsigned columns, rows; /* of the field, at most TERM_PLOT_COLUMNS and TERM_PLOT_ROWS */
	bool unicode;
};

#define TERM_PLOT_COLUMNS 160
#define TERM_PLOT_ROWS 40

/* The y axis ends a little above the larger of level and the curve's end. */
void term_plot_print(FILE *out, const struct term_plot *plot);

/* Whether the locale that the environment names is one of UTF-8. */
bool term_plot_speaks_utf8(void);

#endif
