/* The figures of a page and of a budget: whatever these are, their numbers are finite and within the picture. */
#include "../tap.h"
#include "serve/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct prn_buffer out;

/* Every number in attributes x, y, x1 … and points is within the view box. */
static bool is_within(const char *svg)
{
	static const char *const names[] = { " x=\"", " y=\"", " x1=\"", " x2=\"", " y1=\"", " y2=\"", " cx=\"", " cy=\"", " width=\"", " height=\"" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const char *at = svg; (at = strstr(at, names[i]));) {
			char *end;
			double value;

			at += strlen(names[i]);
			value = strtod(at, &end);
			if (end == at || *end != '"' || !(value >= 0 && value <= 560))
				return false;
		}
	return !strstr(svg, "nan") && !strstr(svg, "inf");
}

static void check(struct prn_explanation page, const char *what)
{
	page.has_curve = true;
	prn_buffer_clear(&out);
	if (!ok(!serve_plot_divergence(&out, &page) && !prn_buffer_terminate(&out), "%s: the divergence is drawn", what))
		return;
	ok(is_within((char *)out.data), "%s: the figure of the divergence is within the picture", what);
	prn_buffer_clear(&out);
	ok(!serve_plot_utility(&out, &page) && !prn_buffer_terminate(&out), "%s: the utility is drawn", what);
	ok(is_within((char *)out.data), "%s: the figure of the utility is within the picture", what);
}

static void check_stats(const struct prn_stats *stats, const char *what)
{
	prn_buffer_clear(&out);
	if (!ok(!serve_plot_spent(&out, stats) && !prn_buffer_terminate(&out), "%s: what was spent is drawn", what))
		return;
	ok(is_within((char *)out.data), "%s: the figure of what was spent is within the picture", what);
	prn_buffer_clear(&out);
	ok(!serve_plot_threshold(&out, stats) && !prn_buffer_terminate(&out), "%s: the threshold is drawn", what);
	ok(is_within((char *)out.data), "%s: the figure of the threshold is within the picture", what);
}

static void check_budgets(void)
{
	struct prn_stats stats = { .threshold = 0.25, .budget_per_day = 480 };

	check_stats(&stats, "a budget of which nothing was spent");
	prn_buffer_clear(&out);
	ok(!serve_plot_threshold(&out, &stats) && !prn_buffer_terminate(&out),
	   "a threshold of which only the present is known is drawn");
	ok(out.length && strstr((char *)out.data, "<circle class=\"last\""),
	   "a threshold of which only the present is known is seen as a point");
	stats.given[0] = 4000;
	stats.given[PRN_STATS_SLOTS - 1] = 10;
	stats.thresholds[3] = 7;
	check_stats(&stats, "a budget that was overspent");
	prn_buffer_clear(&out);
	ok(!serve_plot_spent(&out, &stats) && !prn_buffer_terminate(&out), "what was spent in thousands is drawn");
	ok(out.length && strstr((char *)out.data, ">k visits each half hour<"),
	   "what was spent in thousands is told in thousands");
	ok(out.length && strstr((char *)out.data, ">4</text>"), "four thousand are four on an axis of thousands");
	stats.unit = PRN_UNIT_BYTES;
	stats.budget_per_day = 1e18;
	stats.threshold = 1e-300;
	check_stats(&stats, "a budget of many bytes");
	stats.budget_per_day = 1e-9;
	stats.threshold = 1e300;
	check_stats(&stats, "a budget of next to nothing");
}

int main(void)
{
	struct prn_point points[] = { { 0.5f, 0.1f }, { 3, 1 } };
	struct prn_explanation page = { .weight = 1, .visited = 1000000, .next = 1000000 + 5 * 86400, .threshold = 0.25,
		                        .elapsed_days = 2, .reaches_days = 4, .curve = prn_curve_churn(0.5, 0.3) };

	check(page, "a page that churns");
	page.points = points;
	page.point_count = 2;
	check(page, "a page with a profile");
	page.curve = prn_curve_line(0);
	page.reaches_days = INFINITY;
	check(page, "a page that does not change");
	page.next = PRN_TIME_UNKNOWN;
	check(page, "a page without a next visit");
	page.curve = prn_curve_line(1000);
	page.reaches_days = 1e-9;
	page.elapsed_days = 0;
	page.next = page.visited + 600;
	check(page, "a page that changes all the time");
	page.curve = prn_curve_scroll(1, 5, 20);
	page.elapsed_days = 5000;
	page.weight = 1e6;
	page.threshold = 1e-6;
	check(page, "a page long overdue, and heavy");
	page.threshold = 1e9;
	check(page, "a page whose threshold is far");
	page = (struct prn_explanation){ .weight = 1, .visited = 1000000, .next = 1000000 + 40, .threshold = 1e-9, .elapsed_days = 20.0 / 86400,
		                         .reaches_days = 40.0 / 86400, .curve = prn_curve_line(1), .has_curve = true };
	check(page, "a page that is visited each minute");
	prn_buffer_clear(&out);
	ok(!serve_plot_utility(&out, &page) && !prn_buffer_terminate(&out),
	   "the utility of a page that is visited each minute is drawn");
	ok(out.length && strstr((char *)out.data, ">seconds since the last visit<"),
	   "the axis of a page that is visited each minute is in seconds");
	ok(out.length && strstr((char *)out.data, ">40</text>"),
	   "the axis of a page that is visited each minute is as long as its interval");
	check_budgets();
	prn_buffer_release(&out);
	return done();
}
