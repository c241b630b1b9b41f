/* The plot of explain: where curve, level and marks come to stand. */
#include "term/plot.h"
#include "tap.h"

#include <stdlib.h>

static double square(const void *context, double x)
{
	(void)context;
	return x * x;
}

static double straight(const void *context, double x)
{
	return *(const double *)context * x;
}

static char *draw(const struct term_plot *plot)
{
	static char *text;
	size_t length;
	FILE *out;

	free(text);
	out = open_memstream(&text, &length);
	term_plot_print(out, plot);
	fclose(out);
	return text;
}

static const struct term_plot_mark marks[] = { { -1, "before" }, { 0, "0" }, { 5, "five" }, { 6.5, "next" }, { 10, "end" } };

static void ascii(void)
{
	double slope = 1;
	const struct term_plot plot = { .y = straight, .context = &slope, .x_to = 10, .level = 5, .level_label = "T",
		                       .y_label = "y", .marks = marks, .mark_count = 5, .columns = 10, .rows = 5 };

	/* The top is 11: a row is 2.2 high, a column 1 wide, and a dot stands for the middle of its column. */
	same(draw(&plot),
	     "       y |         *\n"
	     "         |       ** \n"
	     "       5 |----***--- T\n"
	     "         |  **      \n"
	     "       0 |**        \n"
	     "         ++----++--+\n"
	     "          0  five\n"
	     "              next\n"
	     "                  end\n",
	     "a line in asterisks, the level across, each mark with its label");
}

static unsigned count_dots(const char *text)
{
	unsigned dots = 0;

	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if (at[0] == 0xe2 && at[1] >= 0xa0 && at[1] <= 0xa3) {
			unsigned bits = (unsigned)(at[1] & 3) << 6 | (at[2] & 0x3fu);

			for (; bits; bits &= bits - 1)
				dots++;
		}
	return dots;
}

static void braille(void)
{
	double slope = 1;
	struct term_plot plot = { .y = straight, .context = &slope, .x_to = 10, .level = 5, .level_label = "T = 5",
		                 .y_label = "W U", .marks = marks, .mark_count = 2, .columns = 4, .rows = 2, .unicode = true };

	/* Eight dots across and down; the middles of the columns are 0.45 + 0.91 i dots high: 0 1 2 3 4 5 5 6. */
	same(draw(&plot),
	     "     W U │  \u2860\u2814\n"
	     "       5 ┼\u2860\u280a╌╌ T = 5\n"
	     "         └┬───\n"
	     "          0\n",
	     "two by four dots a character");
	plot.y = square;
	plot.level = 100;
	plot.columns = 20, plot.rows = 10;
	/* x² rises by 36 of 40 dots over 40 columns, in the end by two a column: without gaps, more dots than columns. */
	ok(count_dots(draw(&plot)) > 40 && count_dots(draw(&plot)) < 80, "a steep curve is drawn without gaps");
}

static void locales(void)
{
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	ok(!term_plot_speaks_utf8(), "without a locale the terminal does not speak UTF-8");
	setenv("LANG", "de_DE.utf8", 1);
	ok(term_plot_speaks_utf8(), "LANG may name a locale of UTF-8");
	setenv("LC_ALL", "C", 1);
	ok(!term_plot_speaks_utf8(), "LC_ALL has the last word over LANG");
}

int main(void)
{
	ascii();
	braille();
	locales();
	return done();
}
