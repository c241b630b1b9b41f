/* A page that is looked up: when it is visited next, why, and its curve. */
#include "decide/cause.h"
#include "serve/html.h"
#include "serve/person_internal.h"
#include "serve/plot.h"

#include "perennial/time.h"
#include "perennial/url.h"

#include <math.h>

/* What a code of next visits means, in a sentence. */
static const char *const reasons[PRN_NEXTS] = {
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

_Static_assert(PRN_HINTS_SILENCE_MOST == 4, "a text says four");

/* What decided the time that the rule found, in a sentence. */
static const char *const causes[] = {
	[PRN_CAUSE_CROSSED] = "By then what a refresh is expected to gain, weight × U(t), has grown to the threshold T.",
	[PRN_CAUSE_OWN] = "That is the policy's own schedule, which has no curve.",
	[PRN_CAUSE_MOVED] = "So it was decided at the last visit, at the threshold T and by the hints of then, and that stands: by what is known now "
			    "it would come at another time.",
	[PRN_CAUSE_SILENCE] = "A source of hints that it trusts is silent, and holds it back for four times as long as it would wait without "
			      "hints, but no longer: weight × U(t) will not have reached the threshold T.",
	[PRN_CAUSE_EARNED] = "What hints tell is worth a visit sooner, but hints have brought visits before their time: none more is earned "
			     "until then.",
};

/* Prints a number so that a small one is seen, too. */
static void print_fact_number(struct prn_buffer *out, const char *name, double value)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>%.3g</td></tr>\n", name, value);
}

static void print_fact(struct prn_buffer *out, const char *name, int decimals, double value)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>%.*f</td></tr>\n", name, decimals, value);
}

static void print_fact_time(struct prn_buffer *out, const char *name, int64_t time, int64_t now)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>", name);
	serve_person_moment(out, time, now);
	prn_buffer_printf(out, "</td></tr>\n");
}

static void print_fact_duration(struct prn_buffer *out, const char *name, double seconds)
{
	prn_buffer_printf(out, "<tr><th scope=\"row\">%s</th><td>", name);
	serve_person_duration(out, seconds);
	prn_buffer_printf(out, "</td></tr>\n");
}

/* A move by less than this share of the period without hints is not mentioned. */
#define MOVED_LEAST 0.01

/* Says which way hints move the next visit, and whose hints they are. */
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
		prn_buffer_printf(out, " (trust %.2f) has told of a change %.0f time%s since the last visit; without hints ",
		                  page->heard.trust, page->heard.count, page->heard.count > 1 ? "s" : "");
	else
		prn_buffer_printf(out, " (trust %.2f) has told nothing since the last visit; without hints ", page->heard.trust);
	prn_buffer_printf(out, "it would be visited after ");
	serve_person_duration(out, PRN_DAY_S * page->unhinted_days);
	prn_buffer_printf(out, ". By what they tell it is as if ");
	serve_person_duration(out, PRN_DAY_S * page->effective_days);
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
	print_fact_number(out, "weight W", page->weight);
	print_fact(out, "usual divergence", 3, page->usual);
	print_fact_number(out, "W · U(now)", page->utility);
	print_fact_number(out, "threshold T", page->threshold);
	print_fact_duration(out, "U reaches T after", page->has_curve ? PRN_DAY_S * page->reaches_days : INFINITY);
	if (page->period_days * PRN_DAY_S >= 1)
		print_fact_duration(out, "the policy's period", PRN_DAY_S * page->period_days);
	else
		prn_buffer_printf(out, "<tr><th scope=\"row\">the policy's period</th><td>at once</td></tr>\n");
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

/* Lists who said that the page has changed, and how far that is believed. */
static void print_sources(struct prn_buffer *out, const struct prn_explanation *page)
{
	static const char *const heads[] = { "source of hints", "said", "since the visit", "precision", "recall", "hinted", "trust" };

	if (!page->source_count)
		return;
	prn_buffer_printf(out, "<h3 id=\"told\">Hints</h3>\n");
	serve_person_table_start(out, "told", heads, sizeof heads / sizeof *heads);
	for (size_t i = 0; i < page->source_count; i++) {
		const struct prn_explained_source *source = &page->sources[i];

		prn_buffer_printf(out, "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">");
		serve_html_text(out, source->name);
		prn_buffer_printf(out, "</th><td role=\"cell\" data-name=\"said\">%.0f</td><td role=\"cell\" data-name=\"since the visit\">%.0f</td>",
		                  source->hints, source->since);
		serve_person_percent(out, "precision", source->precision);
		serve_person_percent(out, "recall", source->recall);
		serve_person_percent(out, "hinted", source->hinted_share);
		prn_buffer_printf(out, "<td role=\"cell\" data-name=\"trust\">%.2f</td></tr>\n", source->trust);
	}
	serve_person_table_end(out);
	prn_buffer_printf(out, "<p class=\"soft\">Of the visits on the host. Precision: of those after a hint the share "
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

/* Links to the last bodies of the page, if they are kept. */
static void print_shown(struct prn_buffer *out, const struct serve_daemon *daemon, const char *url)
{
	char normal[PRN_URL_BYTES + 1];

	if (!daemon->options.keep || prn_url_normalize(url, SIZE_MAX, normal, sizeof normal) || !keep_has(daemon->options.keep, normal))
		return;
	prn_buffer_printf(out, "<p><a href=\"/v1/show?url=");
	serve_html_query(out, normal);
	prn_buffer_printf(out, "\">What changed between its last two bodies</a></p>\n");
}

void serve_person_explained(struct prn_buffer *out, const struct serve_daemon *daemon, const struct prn_explanation *page, int64_t now)
{
	const char *reason = page->reason == PRN_NEXT_RULE ? causes[prn_cause_of(page)] : reasons[page->reason];

	prn_buffer_printf(out, "<h2>");
	serve_html_text(out, page->url);
	prn_buffer_printf(out, "</h2>\n<p class=\"reason\">%s ",
	                  page->next != PRN_TIME_UNKNOWN && page->next <= now ? "Due" : "Next visit");
	serve_person_moment(out, page->next, now);
	prn_buffer_printf(out, " (<code>%s</code>). %s</p>\n", prn_next_name(page->reason), reason);
	print_heard(out, page);
	print_shown(out, daemon, page->url);
	prn_buffer_printf(out, "<div class=\"sides\"><div>\n");
	print_facts(out, page, now);
	print_profile(out, page);
	prn_buffer_printf(out, "</div><div>\n");
	print_figures(out, page);
	prn_buffer_printf(out, "</div></div>\n");
	print_sources(out, page);
}

void serve_person_page(struct prn_buffer *out, struct serve_daemon *daemon, const char *url)
{
	struct prn_explanation page;
	struct prn_error error = { 0 };
	int64_t now = serve_now(daemon);
	int code;

	prn_explanation_init(&page);
	pthread_rwlock_rdlock(&daemon->options_lock);
	code = prn_decider_explain(daemon->decider, url, now, &page, &error);
	pthread_rwlock_unlock(&daemon->options_lock);
	if (!code) {
		serve_person_explained(out, daemon, &page, now);
	} else {
		prn_buffer_printf(out, "<p class=\"warning\">");
		serve_html_text(out, error.text);
		prn_buffer_printf(out, "</p>\n");
	}
	prn_explanation_release(&page);
}
