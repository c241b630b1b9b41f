/* GET /: a plain page for a person.  It needs no script, asks for nothing else, and changes nothing. */
#include "serve/embedded.h"
#include "serve/form.h"
#include "serve/html.h"
#include "serve/plot.h"
#include "serve/routes.h"
#include "serve/service.h"

#include "perennial/time.h"
#include "perennial/url.h"
#include "perennial/version.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DUE_SHOWN 20
#define POLICY "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; " \
	       "frame-ancestors 'none'"

/* When memory runs out, parts of the page are left out: a page with gaps is more useful than none. */
struct showing {
	struct serve_call call;
	const char *asked; /* the URL that was typed, or NULL */
};

/* What a code of next visits means, in a sentence. */
static const char *const reasons[PRN_NEXTS] = {
	[PRN_NEXT_RULE] = "By then what a refresh is expected to gain, weight × U(t), has grown to the threshold T.",
	[PRN_NEXT_LEARNING] = "The policy is still learning the page and comes back on its own schedule.",
	[PRN_NEXT_RISK] = "The policy's bound on risk brings it back earlier than its curve would.",
	[PRN_NEXT_NEVER] = "What changes here is too short-lived ever to be worth the threshold: it comes back at the "
			   "maximum interval.",
	[PRN_NEXT_MINIMUM] = "The rule would come back earlier: the minimum interval holds it off.",
	[PRN_NEXT_MAXIMUM] = "The rule would come back later: the maximum interval brings it forward.",
	[PRN_NEXT_NEW] = "It was never visited.",
	[PRN_NEXT_SUSPECT] = "Nearly everything changed at once, which may be a block or a blank page: a second visit "
			     "will tell before it counts.",
	[PRN_NEXT_RETRY] = "The last attempt failed: it is tried again, later each time.",
	[PRN_NEXT_HOST] = "Its host asked for a pause, or gets one.",
	[PRN_NEXT_RETIRED] = "It was gone too often in a row: it is not visited any more.",
};

/* seconds >= 0, to what a person cares for. */
static void print_duration(struct prn_buffer *out, double seconds)
{
	if (!isfinite(seconds))
		prn_buffer_printf(out, "never");
	else if (seconds < 120)
		prn_buffer_printf(out, "%.0f s", seconds);
	else if (seconds < 7200)
		prn_buffer_printf(out, "%.0f min", seconds / 60);
	else if (seconds < 2 * PRN_DAY_S)
		prn_buffer_printf(out, "%.1f h", seconds / 3600);
	else
		prn_buffer_printf(out, "%.1f days", seconds / PRN_DAY_S);
}

/* "in 2.0 h", "5 min ago". */
static void print_moment(struct prn_buffer *out, int64_t time, int64_t now)
{
	char text[PRN_TIME_TEXT];

	if (time == PRN_TIME_UNKNOWN) {
		prn_buffer_printf(out, "–");
		return;
	}
	prn_buffer_printf(out, "<time datetime=\"%s\" title=\"%s\">%s", prn_time_format(time, text),
	                  prn_time_format(time, text), time > now ? "in " : "");
	print_duration(out, fabs((double)(time - now)));
	prn_buffer_printf(out, "%s</time>", time > now ? "" : " ago");
}

static void print_tile(struct prn_buffer *out, const char *name, double value)
{
	prn_buffer_printf(out, value < 10 && value != floor(value) ? "<div><dt>%s</dt><dd>%.3g</dd></div>" : "<div><dt>%s</dt><dd>%.0f</dd></div>",
	                  name, value);
}

static void print_amount(struct prn_buffer *out, const char *name, double bytes)
{
	char text[PRN_AMOUNT_TEXT];

	prn_buffer_printf(out, "<div><dt>%s</dt><dd>%s</dd></div>", name, prn_amount_format(bytes, PRN_UNIT_BYTES, text));
}

/* Plan and reality of the budget, and the threshold over the last day. */
static void print_budget(struct prn_buffer *out, const struct prn_stats *stats)
{
	if (!(stats->budget_per_day > 0))
		return;
	prn_buffer_printf(out, "<dl class=\"tiles\">");
	if (stats->unit == PRN_UNIT_BYTES) {
		print_amount(out, "budget a day", stats->budget_per_day);
		print_amount(out, "spent, last day", stats->given_day);
		print_amount(out, "not used and left", stats->left);
		print_amount(out, "wanted at T a day", stats->load_per_day);
	} else {
		print_tile(out, "budget, visits a day", stats->budget_per_day);
		print_tile(out, stats->counted ? "spent, last day" : "handed out, last day", round(stats->given_day));
		print_tile(out, "not used and left", floor(stats->left));
		print_tile(out, "wanted at T, visits a day", round(stats->load_per_day));
	}
	print_tile(out, "hosts that hold pages back", (double)stats->held_hosts);
	prn_buffer_printf(out, "</dl>\n<p class=\"soft\">T now %.3g", stats->threshold);
	for (int hours = 6; hours <= 18; hours += 6)
		if (stats->thresholds[PRN_STATS_SLOTS - 1 - 2 * hours] > 0)
			prn_buffer_printf(out, ", %.3g %d h ago", stats->thresholds[PRN_STATS_SLOTS - 1 - 2 * hours], hours);
	prn_buffer_printf(out, ".</p>\n");
}

static void print_damaged(struct prn_buffer *out, const struct prn_stats *stats)
{
	uint64_t count = stats->damaged_shards;

	prn_buffer_printf(out, "<p class=\"warning\">%" PRIu64 " %s damaged or gone, and not counted here: ", count,
	                  count == 1 ? "shard is" : "shards are");
	serve_html_text(out, stats->first_damaged.text);
	prn_buffer_printf(out, "</p>\n");
}

/* The first row is about the pages, the second about the daemon, the third about the budget. */
static void print_tiles(struct prn_buffer *out, struct serve_daemon *daemon)
{
	struct prn_stats stats;
	int64_t now = serve_now(daemon);
	bool known = !serve_stats_take(daemon, &stats, NULL);

	if (known) {
		prn_buffer_printf(out, "<dl class=\"tiles\">");
		print_tile(out, "pages", (double)stats.totals.pages);
		print_tile(out, "due now", (double)stats.due);
		print_tile(out, "of these, waiting for their hosts", (double)stats.totals.waiting);
		print_tile(out, "out to be fetched", (double)stats.totals.leased);
		print_tile(out, "suspect", (double)stats.totals.suspects);
		prn_buffer_printf(out, "</dl>\n");
	}
	prn_buffer_printf(out, "<dl class=\"tiles\">");
	print_tile(out, "observed, last minute", (double)serve_rate_minute(&daemon->observed, now));
	print_tile(out, "handed out, last minute", (double)serve_rate_minute(&daemon->given, now));
	if (known) {
		print_tile(out, "threshold T, divergence-days", stats.threshold);
		print_tile(out, "store, MiB", ceil((double)stats.totals.bytes / 1048576));
	}
	prn_buffer_printf(out, "</dl>\n");
	if (known && stats.damaged_shards)
		print_damaged(out, &stats);
	if (known)
		print_budget(out, &stats);
	if (daemon->failing)
		prn_buffer_printf(out, "<p class=\"warning\">The last commit failed: see the log. Nothing that was "
		                       "acknowledged is lost.</p>\n");
}

static void print_start(struct prn_buffer *out, const struct showing *showing)
{
	prn_buffer_printf(out,
	                  "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	                  "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n"
	                  "<title>perennial</title>\n<style>\n%s</style>\n"
	                  "<h1><a href=\"/\">perennial</a></h1>\n"
	                  "<p class=\"soft\">When is a web page worth fetching again?</p>\n",
	                  serve_embedded[0].text);
	print_tiles(out, showing->call.daemon);
	prn_buffer_printf(out, "<form action=\"/\" method=\"get\"><label for=\"url\">A page:</label> "
	                       "<input type=\"url\" id=\"url\" name=\"url\" required placeholder=\"https://…\" value=\"");
	serve_html_text(out, showing->asked ? showing->asked : "");
	prn_buffer_printf(out, "\"> <button>Look up</button></form>\n");
}

static void print_fact(struct prn_buffer *out, const char *name, int decimals, double value)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>%.*f</td></tr>\n", name, decimals, value);
}

static void print_fact_time(struct prn_buffer *out, const char *name, int64_t time, int64_t now)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>", name);
	print_moment(out, time, now);
	prn_buffer_printf(out, "</td></tr>\n");
}

static void print_fact_duration(struct prn_buffer *out, const char *name, double seconds)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>", name);
	print_duration(out, seconds);
	prn_buffer_printf(out, "</td></tr>\n");
}

/* Less than this of the period without hints is not told. */
#define MOVED_LEAST 0.01

/* Which way hints move the next visit, by whom they are. */
static void print_heard(struct prn_buffer *out, const struct prn_explanation *page)
{
	double moved = (double)page->policy_next - (double)page->unhinted_next;
	bool later = moved > 0;

	if (!(page->heard.rate > 0) || !page->visits || page->status == PRN_PAGE_RETIRED ||
	    fabs(moved) < MOVED_LEAST * PRN_DAY_S * page->unhinted_days)
		return;
	prn_buffer_printf(out, "<p class=\"reason\">Hints %s: ", later ? "hold it back" : "bring it sooner");
	serve_html_text(out, page->heard_source < page->source_count ? page->sources[page->heard_source].name : "a source");
	if (page->heard.count > 0)
		prn_buffer_printf(out, " (trust %.2f) has told of a change %.0f times since the last visit; without hints ",
		                  page->heard.trust, page->heard.count);
	else
		prn_buffer_printf(out, " (trust %.2f) has told nothing since the last visit; without hints ", page->heard.trust);
	prn_buffer_printf(out, "it would be visited after ");
	print_duration(out, PRN_DAY_S * page->unhinted_days);
	prn_buffer_printf(out, ". By what they tell it is as if ");
	print_duration(out, PRN_DAY_S * page->effective_days);
	prn_buffer_printf(out, " had passed.</p>\n");
}

static void print_facts(struct prn_buffer *out, const struct prn_explanation *page, int64_t now)
{
	prn_buffer_printf(out, "<table class=\"facts\">\n<tr><th scope=\"row\">status</th><td>%s</td></tr>\n",
	                  prn_page_status_name(page->status));
	print_fact_time(out, "next visit", page->next, now);
	print_fact_time(out, "last visit", page->visits ? page->visited : PRN_TIME_UNKNOWN, now);
	print_fact_time(out, "last attempt", page->attempted, now);
	if (page->lease != PRN_TIME_UNKNOWN)
		print_fact_time(out, "lease ends", page->lease, now);
	if (page->held != PRN_HELD_NOT) {
		prn_buffer_printf(out, "<tr><th scope=\"row\">host held back by</th><td>%s</td></tr>\n", prn_held_name(page->held));
		print_fact_time(out, "host may be asked", page->held_until, now);
	}
	print_fact(out, "visits", 0, page->visits);
	print_fact(out, "failures since", 0, page->failures);
	print_fact(out, "weight W", 2, page->weight);
	print_fact(out, "usual divergence", 3, page->usual);
	print_fact(out, "W · U(now)", 4, page->utility);
	print_fact(out, "threshold T", 4, page->threshold);
	print_fact_duration(out, "U reaches T after", page->has_curve ? PRN_DAY_S * page->reaches_days : INFINITY);
	print_fact_duration(out, "the policy's period", PRN_DAY_S * page->period_days);
	print_fact_duration(out, "minimum interval", page->min_s);
	print_fact_duration(out, "maximum interval", page->max_s);
	print_fact(out, "state, bytes", 0, (double)page->state_bytes);
	prn_buffer_printf(out, "</table>\n");
}

static void print_profile(struct prn_buffer *out, const struct prn_explanation *page)
{
	if (!page->point_count)
		return;
	prn_buffer_printf(out, "<h3>Profile</h3>\n<div class=\"scroll\"><table>\n<tr><th scope=\"col\">days between two "
	                       "versions</th><th scope=\"col\">divergence</th></tr>\n");
	for (size_t i = 0; i < page->point_count; i++)
		prn_buffer_printf(out, "<tr><td>%.3f</td><td>%.3f</td></tr>\n", page->points[i].lag,
		                  page->points[i].divergence);
	prn_buffer_printf(out, "</table></div>\n");
}

static void print_percent(struct prn_buffer *out, double share)
{
	prn_buffer_printf(out, isfinite(share) ? "<td>%.0f %%</td>" : "<td>–</td>", 100 * share);
}

/* Who said that the page has changed, and how far that is believed. */
static void print_sources(struct prn_buffer *out, const struct prn_explanation *page)
{
	static const char *const heads[] = { "source of hints", "said", "since the visit", "precision", "recall", "hinted", "trust" };

	if (!page->source_count)
		return;
	prn_buffer_printf(out, "<h3>Hints</h3>\n<div class=\"scroll\"><table>\n<tr>");
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		prn_buffer_printf(out, "<th scope=\"col\">%s</th>", heads[i]);
	prn_buffer_printf(out, "</tr>\n");
	for (size_t i = 0; i < page->source_count; i++) {
		const struct prn_explained_source *source = &page->sources[i];

		prn_buffer_printf(out, "<tr><td class=\"url\">");
		serve_html_text(out, source->name);
		prn_buffer_printf(out, "</td><td>%.0f</td><td>%.0f</td>", source->hints, source->since);
		print_percent(out, source->precision);
		print_percent(out, source->recall);
		print_percent(out, source->hinted_share);
		prn_buffer_printf(out, "<td>%.2f</td></tr>\n", source->trust);
	}
	prn_buffer_printf(out, "</table></div>\n<p class=\"soft\">Of the visits on the host. Precision: of those after a hint the share "
	                       "that found other text. Recall: of those that found other text the share that came after a hint. "
	                       "Hinted: of all of them that share. Trust: the share of changes that it is taken to tell.</p>\n");
}

static void print_figures(struct prn_buffer *out, const struct prn_explanation *page)
{
	if (!page->has_curve) {
		prn_buffer_printf(out, "<p class=\"soft\">There is no curve yet: the policy has learned none.</p>\n");
		return;
	}
	prn_buffer_printf(out, "<figure><h3>What a refresh is worth, W · U(t)</h3>");
	serve_plot_utility(out, page);
	prn_buffer_printf(out, "<figcaption>The page is worth a visit where the curve crosses the threshold T.</figcaption>"
	                       "</figure>\n<figure><h3>Expected divergence, D*(t)</h3>");
	serve_plot_divergence(out, page);
	prn_buffer_printf(out, "<figcaption>The share of its fragments in which the page is expected to differ from the "
	                       "last copy%s.</figcaption></figure>\n",
	                  page->point_count ? "; dots are what was observed between two versions" : "");
}

static void print_page(struct prn_buffer *out, const struct prn_explanation *page, int64_t now)
{
	prn_buffer_printf(out, "<h2>");
	serve_html_text(out, page->url);
	prn_buffer_printf(out, "</h2>\n<p class=\"reason\">%s ",
	                  page->next != PRN_TIME_UNKNOWN && page->next <= now ? "Due" : "Next visit");
	print_moment(out, page->next, now);
	prn_buffer_printf(out, " (<code>%s</code>). %s</p>\n", prn_next_name(page->reason), reasons[page->reason]);
	print_heard(out, page);
	prn_buffer_printf(out, "<div class=\"sides\"><div>\n");
	print_facts(out, page, now);
	print_profile(out, page);
	print_sources(out, page);
	prn_buffer_printf(out, "</div><div>\n");
	print_figures(out, page);
	prn_buffer_printf(out, "</div></div>\n");
}

/* Looks the page up, and says so when it is not there. */
static void print_looked_up(struct prn_buffer *out, const struct showing *showing)
{
	struct serve_daemon *daemon = showing->call.daemon;
	struct prn_explanation page;
	struct prn_error error = { 0 };
	int64_t now = serve_now(daemon);

	prn_explanation_init(&page);
	if (!prn_decider_explain(daemon->decider, showing->asked, now, &page, &error)) {
		print_page(out, &page, now);
	} else {
		prn_buffer_printf(out, "<p class=\"warning\">");
		serve_html_text(out, error.text);
		prn_buffer_printf(out, "</p>\n");
	}
	prn_explanation_release(&page);
}

static void print_due(struct prn_buffer *out, const struct prn_due_list *list, int64_t now)
{
	prn_buffer_printf(out, "<h2>Next due</h2>\n");
	if (!list->count) {
		prn_buffer_printf(out, "<p class=\"soft\">Nothing is due now.</p>\n");
		return;
	}
	prn_buffer_printf(out, "<div class=\"scroll\"><table>\n<tr><th scope=\"col\">page</th><th scope=\"col\">due</th>"
	                       "<th scope=\"col\">value now</th><th scope=\"col\">weight</th>"
	                       "<th scope=\"col\">reason</th></tr>\n");
	for (size_t i = 0; i < list->count; i++) {
		prn_buffer_printf(out, "<tr><td class=\"url\"><a href=\"/?url=");
		serve_html_query(out, list->items[i].url);
		prn_buffer_printf(out, "\">");
		serve_html_text(out, list->items[i].url);
		prn_buffer_printf(out, "</a></td><td>");
		print_moment(out, list->items[i].due, now);
		prn_buffer_printf(out, "</td><td>%.4g</td><td>%g</td><td>%s</td></tr>\n", list->items[i].value,
		                  list->items[i].weight, prn_next_name(list->items[i].reason));
	}
	prn_buffer_printf(out, "</table></div>\n");
}

static void print_counts(struct prn_buffer *out, struct serve_daemon *daemon, const char *title,
                         enum serve_measure measure, size_t count)
{
	const struct serve_family *family = &daemon->families[measure];
	bool any = false;

	prn_buffer_printf(out, "<div><h3>%s</h3>\n<table>\n", title);
	for (size_t i = 0; i < count; i++) {
		uint64_t n = serve_metrics_count(daemon->metrics, measure, i);

		if (n)
			prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>%llu</td></tr>\n", family->series(i),
			                  (unsigned long long)n);
		any |= n > 0;
	}
	prn_buffer_printf(out, "</table>%s</div>\n", any ? "" : "<p class=\"soft\">Nothing yet.</p>");
}

static void print_end(struct prn_buffer *out, struct serve_daemon *daemon)
{
	prn_buffer_printf(out, "<h2>Since the start</h2>\n<div class=\"sides\">\n");
	print_counts(out, daemon, "Observations", SERVE_OBSERVATIONS, PRN_OUTCOME_STALE);
	print_counts(out, daemon, "What set the next visit", SERVE_DECISIONS, PRN_NEXTS);
	prn_buffer_printf(out, "</div>\n<footer>perennial %s, policy %s; numbers for machines at "
	                       "<a href=\"/metrics\">/metrics</a></footer>\n</html>\n",
	                  prn_version(), prn_policy_about(prn_decider_policy(daemon->decider))->name);
}

static int show_person(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct showing *showing = (struct showing *)call;
	struct prn_buffer *out = &showing->call.out;
	const struct prn_due_request request = { .now = serve_now(daemon), .limit = DUE_SHOWN };
	struct prn_due_list list;
	int code;

	prn_due_list_init(&list);
	code = prn_decider_due(daemon->decider, &request, &list, error);
	if (!code) {
		print_start(out, showing);
		if (showing->asked)
			print_looked_up(out, showing);
		print_due(out, &list, request.now);
		print_end(out, daemon);
	}
	prn_due_list_release(&list);
	return code;
}

void serve_person(void *context, struct serve_request *request)
{
	struct showing *showing = serve_call_open(context, request, sizeof *showing, "text/html; charset=utf-8", show_person);

	if (!showing)
		return;
	showing->asked = serve_request_parameter(request, "url");
	/* A form that was sent empty is no question. */
	if (showing->asked && !*showing->asked)
		showing->asked = NULL;
	serve_request_set_header(request, "Content-Security-Policy", POLICY);
	serve_call_submit(&showing->call);
}
