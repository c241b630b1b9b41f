/* Budget and plan, hosts that are held back, and how far hints proved true. */
#include "serve/html.h"
#include "serve/person_internal.h"
#include "serve/plot.h"

#include "perennial/time.h"

#include <inttypes.h>
#include <math.h>

static void print_amount(struct prn_buffer *out, const char *name, double bytes)
{
	char text[PRN_AMOUNT_TEXT];

	prn_buffer_printf(out, "<div><dt>%s</dt><dd>%s</dd></div>", name, prn_amount_format(bytes, PRN_UNIT_BYTES, text));
}

static void print_figures(struct prn_buffer *out, const struct prn_stats *stats)
{
	prn_buffer_printf(out, "<div class=\"sides\"><figure><h3>Spent, last day</h3>");
	serve_plot_spent(out, stats);
	prn_buffer_printf(out, "<figcaption>In each half hour; the dashed line is an even share of the budget.</figcaption></figure>\n"
	                       "<figure><h3>Threshold T, last day</h3>");
	serve_plot_threshold(out, stats);
	prn_buffer_printf(out, "<figcaption>T now %.3g", stats->threshold);
	for (int hours = 6; hours <= 18; hours += 6)
		if (stats->thresholds[PRN_STATS_SLOTS - 1 - 2 * hours] > 0)
			prn_buffer_printf(out, ", %.3g %d h ago", stats->thresholds[PRN_STATS_SLOTS - 1 - 2 * hours], hours);
	prn_buffer_printf(out, ". It moves so that what is due is what the budget has room for.</figcaption></figure></div>\n");
}

void serve_person_budget(struct prn_buffer *out, const struct prn_stats *stats)
{
	prn_buffer_printf(out, "<h2>Budget and plan</h2>\n");
	if (!(stats->budget_per_day > 0)) {
		prn_buffer_printf(out, "<p class=\"soft\">There is no budget: pages are visited at the threshold T of %.3g divergence-days, however many "
		                       "visits that takes. perennial tune sets one.</p>\n", stats->threshold);
		return;
	}
	prn_buffer_printf(out, "<dl class=\"tiles\">");
	if (stats->unit == PRN_UNIT_BYTES) {
		print_amount(out, "budget a day", stats->budget_per_day);
		print_amount(out, "spent, last day", stats->given_day);
		print_amount(out, "not used and left", stats->left);
		if (stats->load_per_day > 0)
			print_amount(out, "wanted at T a day", stats->load_per_day);
	} else {
		serve_person_tile(out, "budget, visits a day", stats->budget_per_day);
		serve_person_tile(out, stats->counted ? "spent, last day" : "handed out, last day", round(stats->given_day));
		serve_person_tile(out, "not used and left", floor(stats->left));
		if (stats->load_per_day > 0)
			serve_person_tile(out, "wanted at T, visits a day", round(stats->load_per_day));
	}
	prn_buffer_printf(out, "</dl>\n");
	print_figures(out, stats);
}

static const char *const held_words[] = {
	[PRN_HELD_SHARE] = "had its share of the budget",
	[PRN_HELD_WISH] = "asked to be left alone (Retry-After)",
	[PRN_HELD_LIMIT] = "as many pages are out as may be",
	[PRN_HELD_DELAY] = "its delay between two pages",
	[PRN_HELD_HOURS] = "its hours of the day",
};

static void print_host(struct prn_buffer *out, const struct prn_held_host *host, const struct prn_stats *stats, int64_t now)
{
	char text[PRN_AMOUNT_TEXT];

	prn_buffer_printf(out, "<tr><th scope=\"row\"><bdi>");
	serve_html_text(out, host->name);
	prn_buffer_printf(out, "</bdi></th><td>%s</td><td>", (unsigned)host->held < PRN_HELD_NOT ? held_words[host->held] : "");
	serve_person_moment(out, host->until, now);
	prn_buffer_printf(out, "</td><td>%" PRIu32 "</td>", host->leased);
	if (stats->budget_per_day > 0)
		prn_buffer_printf(out, "<td>%s</td>", prn_amount_format(host->spent, stats->unit, text));
	prn_buffer_printf(out, "</tr>\n");
}

void serve_person_hosts(struct prn_buffer *out, const struct prn_stats *stats, int64_t now)
{
	uint64_t shown = stats->held_hosts < PRN_STATS_HOSTS ? stats->held_hosts : PRN_STATS_HOSTS;

	prn_buffer_printf(out, "<h2 id=\"hosts\">Hosts held back</h2>\n");
	if (!shown) {
		prn_buffer_printf(out, "<p class=\"soft\">No host holds pages back that are due.</p>\n");
		return;
	}
	prn_buffer_printf(out, "<div class=\"scroll\" role=\"region\" aria-labelledby=\"hosts\" tabindex=\"0\"><table class=\"hosts\">\n<tr>"
	                       "<th scope=\"col\">host</th><th scope=\"col\">held back by</th><th scope=\"col\">may be asked</th>"
	                       "<th scope=\"col\">pages out</th>%s</tr>\n", stats->budget_per_day > 0 ? "<th scope=\"col\">spent</th>" : "");
	for (uint64_t i = 0; i < shown; i++)
		print_host(out, &stats->hosts[i], stats, now);
	prn_buffer_printf(out, "</table></div>\n");
	if (stats->held_hosts > shown)
		prn_buffer_printf(out, "<p class=\"soft\">The first %" PRIu64 " of %" PRIu64 " hosts%s.</p>\n", shown, stats->held_hosts,
		                  stats->budget_per_day > 0 ? ", those that have spent most first" : "");
}

static void print_kind(struct prn_buffer *out, const char *name, const struct prn_source_sum *sum)
{
	prn_buffer_printf(out, "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">%s</th><td role=\"cell\" data-name=\"on hosts\">%" PRIu64
	                       "</td><td role=\"cell\" data-name=\"said\">%.0f</td>", name, sum->sources, sum->hints);
	serve_person_percent(out, "precision", prn_source_sum_precision(sum));
	serve_person_percent(out, "recall", prn_source_sum_recall(sum));
	serve_person_percent(out, "hinted", prn_source_sum_hinted(sum));
	prn_buffer_printf(out, "<td role=\"cell\" data-name=\"trust\">%.2f</td></tr>\n", prn_source_sum_trust(sum));
}

void serve_person_hints(struct prn_buffer *out, const struct prn_stats *stats)
{
	static const char *const heads[] = { "source", "on hosts", "said", "precision", "recall", "hinted", "trust" };
	uint64_t sources = 0;

	for (size_t i = 0; i < PRN_SOURCE_KINDS; i++)
		sources += stats->sources[i].sources;
	prn_buffer_printf(out, "<h2 id=\"hints\">Trust in hints</h2>\n");
	if (!sources) {
		prn_buffer_printf(out, "<p class=\"soft\">No source has said that a page has changed.</p>\n");
		return;
	}
	serve_person_table_start(out, "hints", heads, sizeof heads / sizeof *heads);
	for (size_t i = 0; i < PRN_SOURCE_KINDS; i++)
		if (stats->sources[i].sources)
			print_kind(out, prn_source_kind_name((enum prn_source_kind)i), &stats->sources[i]);
	serve_person_table_end(out);
	prn_buffer_printf(out, "<p class=\"soft\">Precision: of visits after a hint the share that found other text. Recall: of those "
	                       "that found other text the share that came after a hint. Hinted: of all of them that share. Trust: the share of "
	                       "changes that it is taken to tell, in the mean over hosts.</p>\n");
}
