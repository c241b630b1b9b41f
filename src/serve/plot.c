#include "serve/plot.h"
#include "perennial/time.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 560.0
#define HEIGHT 260.0
#define LEFT 70.0
#define RIGHT 14.0
#define TOP 22.0
#define BOTTOM 52.0
#define STEPS 96
#define DAYS_MOST 400.0 /* an axis that shows "never" ends here */
#define DAYS_LEAST (10.0 / PRN_DAY_S)

/* A figure's axes: days from 0 to days, values from 0 to top. */
struct axes {
	double days, top;
};

typedef double curve_fn(const struct prn_explanation *page, double days);

static double x_of(const struct axes *axes, double days)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * days / axes->days;
}

static double y_of(const struct axes *axes, double value)
{
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fmin(value / axes->top, 1);
}

/* 1, 2 or 5 times a power of ten: about four ticks up to most. */
static double tick_of(double most)
{
	double power = pow(10, floor(log10(most / 4))), rest = most / 4 / power;

	return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static double divergence_at(const struct prn_explanation *page, double days)
{
	return prn_explanation_divergence(page, days);
}

static double utility_at(const struct prn_explanation *page, double days)
{
	return prn_explanation_utility(page, days);
}

/* The next visit, in days from the last; INFINITY: none. */
static double next_days(const struct prn_explanation *page)
{
	return page->next == PRN_TIME_UNKNOWN ? INFINITY : (double)(page->next - page->visited) / PRN_DAY_S;
}

/* The length of the axis: the next visit, the crossing and the present must be seen. */
static double days_shown(const struct prn_explanation *page)
{
	double next = next_days(page), reaches = page->reaches_days;
	double days = fmax(page->elapsed_days, next < DAYS_MOST ? DAYS_LEAST : 1.0 / 24);

	if (next < DAYS_MOST)
		days = fmax(days, next);
	if (reaches < DAYS_MOST && reaches < 4 * days)
		days = fmax(days, reaches);
	for (size_t i = 0; i < page->point_count; i++)
		if (page->points[i].lag < 4 * days)
			days = fmax(days, page->points[i].lag);
	return 1.15 * days;
}

/* The unit into which an axis of so many days is divided. */
struct axis_unit {
	const char *name;
	double days;
};

static struct axis_unit unit_of(double days)
{
	static const struct axis_unit units[] = { { "days", 1 }, { "hours", 1.0 / 24 }, { "minutes", 1.0 / 1440 }, { "seconds", 1.0 / PRN_DAY_S } };
	size_t i = 0;

	while (i + 1 < sizeof units / sizeof *units && days < 2 * units[i].days)
		i++;
	return units[i];
}

/* The lines across a figure, and the values that they stand for, in a scale. */
static int plot_levels(struct prn_buffer *out, const struct axes *axes, double scale)
{
	double rise = tick_of(axes->top);
	int code = 0;

	for (double value = 0; !code && value <= axes->top; value += rise)
		code = prn_buffer_printf(out,
		                         "<line class=\"axis\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>"
		                         "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>",
		                         LEFT, WIDTH - RIGHT, y_of(axes, value), y_of(axes, value), LEFT - 6,
		                         y_of(axes, value) + 4, value / scale);
	return code;
}

static int plot_start(struct prn_buffer *out, const struct axes *axes, const char *label)
{
	struct axis_unit unit = unit_of(axes->days);
	double length = axes->days / unit.days, step = tick_of(length);
	int code = prn_buffer_printf(out, "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, label);

	for (double at = 0; !code && at <= length; at += step)
		code = prn_buffer_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>",
		                         x_of(axes, at * unit.days), HEIGHT - BOTTOM + 20, at);
	if (!code)
		code = plot_levels(out, axes, 1);
	if (!code)
		code = prn_buffer_printf(out, "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s since the last visit</text>",
		                         WIDTH - RIGHT, HEIGHT - 5, unit.name);
	return code;
}

static int plot_curve(struct prn_buffer *out, const struct axes *axes, const struct prn_explanation *page, curve_fn *curve)
{
	int code = prn_buffer_printf(out, "<polyline class=\"curve\" points=\"");

	for (int i = 0; !code && i <= STEPS; i++) {
		double days = axes->days * i / STEPS, value = curve(page, days);

		/* Above the axes' top the curve is left out: its last point is on that line. */
		code = prn_buffer_printf(out, "%.1f,%.1f ", x_of(axes, days), y_of(axes, value));
		if (value > axes->top)
			break;
	}
	return code ? code : prn_buffer_printf(out, "\"/>");
}

static int plot_upright(struct prn_buffer *out, const struct axes *axes, const char *name, double days)
{
	double x = x_of(axes, days);
	bool far = days > 0.75 * axes->days;

	if (!(days >= 0 && days <= axes->days))
		return 0;
	return prn_buffer_printf(out,
	                         "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>"
	                         "<text x=\"%.1f\" y=\"%g\" text-anchor=\"%s\">%s</text>",
	                         name, x, x, TOP, HEIGHT - BOTTOM, x + (far ? -5 : 5),
	                         *name == 'n' && name[1] == 'o' ? TOP + 32 : TOP + 12, far ? "end" : "start", name);
}

static int plot_end(struct prn_buffer *out, const struct axes *axes, const struct prn_explanation *page)
{
	int code = plot_upright(out, axes, "now", page->elapsed_days);

	if (!code)
		code = plot_upright(out, axes, "next", next_days(page));
	return code ? code : prn_buffer_printf(out, "</svg>\n");
}

int serve_plot_divergence(struct prn_buffer *out, const struct prn_explanation *page)
{
	struct axes axes = { days_shown(page), 0 };
	int code;

	axes.top = fmax(divergence_at(page, axes.days), 0.05);
	for (size_t i = 0; i < page->point_count; i++)
		axes.top = fmax(axes.top, page->points[i].divergence);
	axes.top = fmin(1.15 * axes.top, 1);
	code = plot_start(out, &axes, "Expected divergence of the copy from the page, by the time since the last visit");
	if (!code)
		code = plot_curve(out, &axes, page, divergence_at);
	for (size_t i = 0; !code && i < page->point_count; i++)
		if (page->points[i].lag <= axes.days)
			code = prn_buffer_printf(out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
			                         x_of(&axes, page->points[i].lag), y_of(&axes, page->points[i].divergence));
	return code ? code : plot_end(out, &axes, page);
}

int serve_plot_utility(struct prn_buffer *out, const struct prn_explanation *page)
{
	struct axes axes = { days_shown(page), 0 };
	int code;

	axes.top = 1.2 * fmax(fmin(utility_at(page, axes.days), 3 * page->threshold), page->threshold);
	code = plot_start(out, &axes, "What a refresh is worth, by the time since the last visit, against the threshold");
	if (!code)
		code = plot_curve(out, &axes, page, utility_at);
	if (!code)
		code = prn_buffer_printf(out,
		                         "<line class=\"level\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>"
		                         "<text x=\"%g\" y=\"%.1f\">T</text>",
		                         LEFT, WIDTH - RIGHT, y_of(&axes, page->threshold), y_of(&axes, page->threshold),
		                         LEFT + 4, y_of(&axes, page->threshold) - 5);
	return code ? code : plot_end(out, &axes, page);
}

/* A power of a thousand for labels that are to be short, and its prefix. */
static double scale_of(double top, const char **prefix)
{
	static const char *const prefixes[] = { "", "k", "M", "G", "T", "P" };
	double scale = 1;
	size_t i = 0;

	for (; top >= 1000 * scale && i + 1 < sizeof prefixes / sizeof *prefixes; i++)
		scale *= 1000;
	*prefix = prefixes[i];
	return scale;
}

/* Axes for the half hours of a day, and values up to most in a scale. */
static int slots_start(struct prn_buffer *out, const struct axes *axes, double scale, const char *unit, const char *label)
{
	int code = prn_buffer_printf(out, "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, label);

	if (!code)
		code = plot_levels(out, axes, scale);
	for (int hours = 0; !code && hours <= 24; hours += 6)
		code = prn_buffer_printf(out, "<text x=\"%.1f\" y=\"%g\" text-anchor=\"%s\">%d</text>", x_of(axes, PRN_STATS_SLOTS - 2.0 * hours),
		                         HEIGHT - BOTTOM + 20, hours ? "middle" : "end", hours);
	if (!code)
		code = prn_buffer_printf(out, "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">hours ago</text>", WIDTH - RIGHT, HEIGHT - 5);
	return code ? code : prn_buffer_printf(out, "<text x=\"%g\" y=\"%g\">%s</text>", LEFT, TOP - 6, unit);
}

int serve_plot_spent(struct prn_buffer *out, const struct prn_stats *stats)
{
	double even = stats->budget_per_day / PRN_STATS_SLOTS, top = even;
	struct axes axes = { PRN_STATS_SLOTS, 0 };
	const char *prefix;
	double scale;
	char unit[64];
	int code;

	for (size_t i = 0; i < PRN_STATS_SLOTS; i++)
		top = fmax(top, stats->given[i]);
	axes.top = 1.15 * top;
	scale = scale_of(axes.top, &prefix);
	snprintf(unit, sizeof unit, "%s%s each half hour", prefix, stats->unit == PRN_UNIT_BYTES ? "B" : *prefix ? " visits" : "visits");
	code = slots_start(out, &axes, scale, unit, "What was spent in each half hour of the last day, and an even share of the budget");
	for (size_t i = 0; !code && i < PRN_STATS_SLOTS; i++)
		if (stats->given[i] > 0)
			code = prn_buffer_printf(out, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
			                         x_of(&axes, (double)i) + 1, y_of(&axes, stats->given[i]), x_of(&axes, 1) - x_of(&axes, 0) - 2,
			                         y_of(&axes, 0) - y_of(&axes, stats->given[i]));
	if (!code)
		code = prn_buffer_printf(out, "<line class=\"level\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/></svg>\n", LEFT,
		                         WIDTH - RIGHT, y_of(&axes, even), y_of(&axes, even));
	return code;
}

int serve_plot_threshold(struct prn_buffer *out, const struct prn_stats *stats)
{
	struct axes axes = { PRN_STATS_SLOTS, 1.15 * stats->threshold };
	int code;

	for (size_t i = 0; i < PRN_STATS_SLOTS; i++)
		axes.top = fmax(axes.top, 1.15 * stats->thresholds[i]);
	code = slots_start(out, &axes, 1, "T, divergence-days", "The threshold at the end of each half hour of the last day, and now");
	if (!code)
		code = prn_buffer_printf(out, "<polyline class=\"curve\" points=\"");
	for (size_t i = 0; !code && i + 1 < PRN_STATS_SLOTS; i++)
		if (stats->thresholds[i] > 0)
			code = prn_buffer_printf(out, "%.1f,%.1f ", x_of(&axes, (double)i + 1), y_of(&axes, stats->thresholds[i]));
	if (!code)
		code = prn_buffer_printf(out, "%.1f,%.1f\"/><circle class=\"last\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/></svg>\n",
		                         x_of(&axes, PRN_STATS_SLOTS), y_of(&axes, stats->threshold), x_of(&axes, PRN_STATS_SLOTS),
		                         y_of(&axes, stats->threshold));
	return code;
}
