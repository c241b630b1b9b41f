#include "cli/explanation.h"

#include "cli/deciding.h"
#include "decide/cause.h"
#include "term/plot.h"
#include "term/say.h"
#include "perennial/time.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define POINTS_SHOWN 6 /* the last points of a profile */
#define PLOT_COLUMNS 60
#define PLOT_ROWS 10

_Static_assert(PRN_HINTS_SILENCE_MOST == 4, "a text says four");

/* Prints "2d3h", "5h40m", "90s": two units are enough to plan by. */
static void put_span(FILE *out, double seconds)
{
	double minutes = floor(seconds / 60), hours = floor(minutes / 60), days = floor(hours / 24);

	if (hours >= 24)
		fprintf(out, fmod(hours, 24) > 0 ? "%.0fd%.0fh" : "%.0fd", days, fmod(hours, 24));
	else if (minutes >= 120)
		fprintf(out, fmod(minutes, 60) > 0 ? "%.0fh%.0fm" : "%.0fh", hours, fmod(minutes, 60));
	else
		fprintf(out, seconds >= 120 ? "%.0fm" : "%.0fs", seconds >= 120 ? minutes : seconds);
}

/* Prints "2026-05-10T12:00:00Z, 6h ago", or ", in 3d", or ", now". */
static void put_time(FILE *out, const char *label, int64_t time, int64_t now, const char *more)
{
	char text[PRN_TIME_TEXT];

	if (time == PRN_TIME_UNKNOWN)
		return;
	fprintf(out, "  %-11s %s, %s", label, prn_time_format(time, text), time == now ? "now" : time > now ? "in " : "");
	if (time != now)
		put_span(out, fabs((double)time - (double)now));
	fprintf(out, "%s%s\n", time < now ? " ago" : "", more);
}

/* What the rule was decided by, as a clause after the time of the next visit. */
static const char *const causes[] = {
	[PRN_CAUSE_CROSSED] = "rule: W U(t) reaches T then",
	[PRN_CAUSE_OWN] = "rule: the policy's own",
	[PRN_CAUSE_MOVED] = "rule: so it was decided, at the T and by the hints of then",
	[PRN_CAUSE_SILENCE] = "rule: a silent source holds it back for four times as long as without hints, and no longer",
	[PRN_CAUSE_EARNED] = "rule: hints have brought visits before their time, and none more is earned until then",
};

/* Returns what set the next visit, as a clause after its time. */
static const char *reason_text(const struct prn_explanation *page)
{
	switch (page->reason) {
	case PRN_NEXT_RULE:
		return causes[prn_cause_of(page)];
	case PRN_NEXT_LEARNING:
		return "learning: a page known so little is not left alone for longer";
	case PRN_NEXT_RISK:
		return "risk: no page is left alone for longer, whatever was learned";
	case PRN_NEXT_NEVER:
		return "never: W U(t) does not reach T, so at its maximum interval";
	case PRN_NEXT_MINIMUM:
		return "min-interval: by itself the policy would come sooner";
	case PRN_NEXT_MAXIMUM:
		return "max-interval: by itself the policy would wait longer";
	case PRN_NEXT_NEW:
		return "new: it was never visited";
	case PRN_NEXT_SUSPECT:
		return "suspect: a second look at a near-total change";
	case PRN_NEXT_RETRY:
		break; /* put_retry says more */
	case PRN_NEXT_HOST:
		if (page->waits)
			return page->held == PRN_HELD_NOT ? "host: it is due, and its host no longer holds it back: it comes with a call that has room for it"
			                                  : "host: it is due, and waits for its host";
		return "host: its last answer asked for a pause (Retry-After)";
	case PRN_NEXT_RETIRED:
		return "retired: it is gone";
	}
	return "?";
}

/* A lease that ran out leaves no time of an attempt. */
static void put_retry(const struct prn_explanation *page, char *text, size_t size)
{
	const char *many = page->failures == PRN_PAGE_FAILURES ? " or more" : "";

	if (page->attempted == page->visited)
		snprintf(text, size, "; retry: it was handed out %u%s time%s since, and nobody told what came", page->failures, many,
		         page->failures == 1 ? "" : "s");
	else if (page->failures < 2)
		snprintf(text, size, "; retry: the last attempt failed");
	else
		snprintf(text, size, "; retry: the last %u%s attempts failed, and more of its intervals pass with each", page->failures, many);
}

static void put_curve(FILE *out, const struct prn_explanation *page)
{
	const struct prn_curve *curve = &page->curve;

	if (!page->has_curve)
		return;
	fprintf(out, "  %-11s ", "curve");
	if (curve->form == PRN_CURVE_LINE)
		fprintf(out, "D*(t) = %.4g t: what lasts grows by that share a day\n", curve->slope);
	else if (curve->items == 1)
		fprintf(out, "churn: %.3g of the page is replaced %.3g times a day\n", curve->share, curve->rate);
	else
		fprintf(out, "scroll: %.3g of the page, %u items, %.3g new ones a day\n", curve->share, curve->items,
		        curve->rate);
}

/* Prints the validators that a fetcher is given to send. */
static void put_validators(FILE *out, const struct prn_validators *validators)
{
	char date[PRN_TIME_TEXT];

	if (!prn_validators_given(validators))
		return;
	fprintf(out, "  %-11s %s", "validators", validators->etag[0] ? "ETag " : "");
	term_show(out, validators->etag);
	if (validators->modified != PRN_TIME_UNKNOWN)
		fprintf(out, "%sLast-Modified %s", validators->etag[0] ? ", " : "",
		        prn_time_format(validators->modified, date));
	fputc('\n', out);
}

/* Prints what the next look is expected to cost under a budget that counts it. */
static void put_cost(FILE *out, const struct prn_explanation *page)
{
	char cost[PRN_AMOUNT_TEXT], answer[PRN_AMOUNT_TEXT];

	if (!page->counted)
		return;
	fprintf(out, "  %-11s expected to cost %s%s", "look", prn_amount_format(page->cost, page->unit, cost),
	        page->unit == PRN_UNIT_BYTES ? "" : " of a visit");
	if (page->cost_guessed)
		fputs(", as other pages of the store do", out);
	if (page->answer_bytes > 0)
		fprintf(out, "; an answer has %s", prn_amount_format(page->answer_bytes, page->unit, answer));
	if (isfinite(page->unchanged))
		fprintf(out, "; of late %.0f %% were \"not modified\"", 100 * page->unchanged);
	if (page->unit == PRN_UNIT_BYTES)
		fprintf(out, "; W for 100 kB is %.3g", page->weight_by_cost);
	fputc('\n', out);
}

/* A smaller change than this share of the period without hints is not mentioned. */
#define MOVED_LEAST 0.01

/* Prints which way hints move the next visit, from whom they come, and how they count the time since the last visit. */
static void put_heard(FILE *out, const struct prn_explanation *page, int64_t now)
{
	double moved = (double)page->policy_next - (double)page->unhinted_next;
	bool later = moved > 0;
	char plain[PRN_TIME_TEXT];

	if (!(page->heard.rate > 0) || page->visited == PRN_TIME_UNKNOWN || page->status == PRN_PAGE_RETIRED ||
	    fabs(moved) < MOVED_LEAST * PRN_DAY_S * page->unhinted_days)
		return;
	fprintf(out, "  %-11s %s: ", "hints", later ? "held back" : "sooner");
	if (page->heard_source < page->source_count)
		term_show(out, page->sources[page->heard_source].name);
	else
		fputs("a source", out);
	fprintf(out, " (trust %.2f) has told ", page->heard.trust);
	if (page->heard.count > 0)
		fprintf(out, "of a change %.0f time%s", page->heard.count, page->heard.count > 1 ? "s" : "");
	else
		fputs("nothing", out);
	fprintf(out, " since the last visit; without hints it would be visited at %s", prn_time_format(page->unhinted_next, plain));
	fputc('\n', out);
	if (now <= page->visited)
		return;
	fprintf(out, "  %-11s ", "elapsed");
	put_span(out, page->elapsed_days * PRN_DAY_S);
	fputs(" since the last visit; by what hints tell it is as if ", out);
	put_span(out, page->effective_days * PRN_DAY_S);
	fputs(" had passed\n", out);
}

/* Returns a trust in words. */
static const char *trust_in_words(double trust)
{
	static const struct {
		double below;
		const char *words;
	} degrees[] = { { 0.05, "not believed" }, { 0.3, "hardly believed" }, { 0.6, "half believed" }, { 0.85, "mostly believed" } };

	for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
		if (trust < degrees[i].below)
			return degrees[i].words;
	return "believed";
}

/*
 * Prints how often a source was right on the page's host.  Visits count less as they grow old, so these numbers are rounded.
 */
static void put_record(FILE *out, const struct prn_explained_source *source)
{
	long long hinted = llround(source->hinted), changed = llround(source->changed), both = llround(source->both);

	if (hinted > 0)
		fprintf(out, "; on its host %lld of %lld were true, as the next visit found", both, hinted);
	else
		fputs("; on its host no visit has shown yet whether it is right", out);
	if (changed > 0)
		fprintf(out, "; it had told %lld of %lld changes", both, changed);
	if (hinted > 0)
		fprintf(out, ", and it spoke before %lld of %lld visits", hinted, llround(source->visits));
}

/* Prints who said that the page has changed, and how often that was true on its host. */
static void put_sources(FILE *out, const struct prn_explanation *page)
{
	for (size_t i = 0; i < page->source_count; i++) {
		const struct prn_explained_source *source = &page->sources[i];

		fprintf(out, "  %-11s ", i ? "" : "sources");
		term_show(out, source->name); /* whole: a shorter one might pass for another */
		fprintf(out, " said %.0f time%s that it has changed, %.0f since the visit", source->hints,
		        source->hints < 2 && source->hints > 0 ? "" : "s", source->since);
		put_record(out, source);
		fprintf(out, "; %s (trust %.2f)\n", trust_in_words(source->trust), source->trust);
	}
}

/* Prints what other pages like it lead the policy to expect of a page of which little is known. */
static void put_siblings(FILE *out, const struct prn_explanation *page)
{
	if (!(page->siblings_rate > 0))
		return;
	fprintf(out, "  %-11s %" PRIu32 " other page%s like ", "siblings", page->pattern_pages, page->pattern_pages == 1 ? "" : "s");
	term_show(out, page->pattern);
	fprintf(out, "*, %" PRIu32 " of the host, led to expect that it moves by %.3g a day at first, to last or not; %.0f %% of that is left\n",
	        page->host_pages, page->siblings_rate, 100 * page->siblings_left);
}

static void put_profile(FILE *out, const struct prn_explanation *page)
{
	size_t first = page->point_count > POINTS_SHOWN ? page->point_count - POINTS_SHOWN : 0;

	if (!page->point_count)
		return;
	fprintf(out, "  %-11s %s", "profile", first ? "… " : "");
	for (size_t i = first; i < page->point_count; i++)
		fprintf(out, "%s%.3g after %.3g d", i > first ? ", " : "", page->points[i].divergence,
		        page->points[i].lag);
	fputc('\n', out);
}

static void put_utility(FILE *out, const struct prn_explanation *page, int64_t now)
{
	double share = 100 * page->utility / page->threshold;

	if (!page->has_curve || page->visited == PRN_TIME_UNKNOWN || page->status == PRN_PAGE_RETIRED)
		return;
	fprintf(out, share < 10 ? "  %-11s %.3g now, %.2g %% of T\n"
	                        : "  %-11s %.3g now, %.0f %% of T\n",
	        "W U", page->utility, share);
	if (isfinite(page->reaches_days) && page->reaches_days < 1e6)
		put_time(out, "W U = T", page->visited + (int64_t)llround(page->reaches_days * PRN_DAY_S), now, "");
	else
		fprintf(out, "  %-11s never\n", "W U = T");
}

static double utility(const void *context, double days)
{
	return prn_explanation_utility(context, days);
}

static double days_after(const struct prn_explanation *page, int64_t time)
{
	return time == PRN_TIME_UNKNOWN ? -1 : ((double)time - (double)page->visited) / PRN_DAY_S;
}

/* Plots the utility since the last visit, and marks what happens on the way. */
static void put_plot(FILE *out, const struct prn_explanation *page, int64_t now)
{
	struct term_plot_mark marks[] = { { 0, "visited" },
		                         { days_after(page, now), "now" },
		                         { days_after(page, page->next), "next" } };
	struct term_plot plot = { .y = utility, .context = page, .level = page->threshold, .level_label = "T",
		                 .y_label = "W U", .marks = marks, .mark_count = 3, .columns = PLOT_COLUMNS,
		                 .rows = PLOT_ROWS, .unicode = term_plot_speaks_utf8() };

	if (!page->has_curve || page->visited == PRN_TIME_UNKNOWN)
		return;
	plot.x_to = fmax(marks[1].x, marks[2].x);
	/* The crossing is worth seeing, unless it would squeeze the rest. */
	if (page->reaches_days < 3 * plot.x_to || plot.x_to <= 0)
		plot.x_to = fmax(plot.x_to, isfinite(page->reaches_days) ? page->reaches_days : 0);
	plot.x_to *= 1.1;
	if (!(plot.x_to > 0) || !isfinite(plot.x_to))
		return;
	if (marks[1].x > marks[2].x) {
		const struct term_plot_mark now_mark = marks[1];

		marks[1] = marks[2];
		marks[2] = now_mark;
	}
	fputc('\n', out);
	term_plot_print(out, &plot);
}

static void put_hour(FILE *out, const char *before, double seconds)
{
	fprintf(out, "%s%02d:%02d", before, (int)seconds / 3600, (int)seconds / 60 % 60);
}

/* Prints the rules in force for the host. */
static void put_host(FILE *out, const struct prn_explanation *page)
{
	char delay[PRN_TIME_TEXT];

	fprintf(out, "  %-11s ", "host");
	term_show(out, page->host);
	if (page->host_limit)
		fprintf(out, ": %u page%s out at a time, ", page->host_limit, page->host_limit == 1 ? "" : "s");
	else
		fputs(": any number of pages out at a time, ", out);
	fprintf(out, "%s between two", prn_duration_format(page->host_delay_s, delay));
	if (page->host_from_s < page->host_to_s || page->host_from_s > page->host_to_s) {
		put_hour(out, ", from ", page->host_from_s);
		put_hour(out, " to ", page->host_to_s);
		fputs(" UTC", out);
	}
	fputc('\n', out);
}

static void put_held(FILE *out, const struct prn_explanation *page, int64_t now)
{
	static const char *const texts[] = {
		[PRN_HELD_SHARE] = "; share: until then it has had its share of what has accrued of the budget (host-share)",
		[PRN_HELD_WISH] = "; retry-after: until then it wants to be left alone",
		[PRN_HELD_LIMIT] = "; limit: as many of its pages are out as may be, until then or until one comes back (host-limit)",
		[PRN_HELD_DELAY] = "; delay: between two of its pages (host-delay, or what its robots.txt asks for)",
		[PRN_HELD_HOURS] = "; hours: it may not be asked before (host-hours)",
	};

	if (page->held != PRN_HELD_NOT)
		put_time(out, "held", page->held_until, now, texts[page->held]);
}

void cli_explanation_print(FILE *out, const struct prn_explanation *page, const struct prn_decider *decider,
                           int64_t now, bool plot)
{
	char reason[160], least[PRN_TIME_TEXT], most[PRN_TIME_TEXT];

	if (page->reason == PRN_NEXT_RETRY)
		put_retry(page, reason, sizeof reason);
	else
		snprintf(reason, sizeof reason, "; %s", reason_text(page));
	term_show(out, page->url);
	fputs("\n", out);
	fprintf(out, "  %-11s %s, %u visit%s, weight %g", "status", prn_page_status_name(page->status), page->visits,
	        page->visits == 1 ? "" : "s", page->weight);
	if (page->failures)
		fprintf(out, ", %u failure%s since", page->failures, page->failures == 1 ? "" : "s");
	fputc('\n', out);
	put_time(out, "visited", page->visited, now, "");
	if (page->attempted != page->visited)
		put_time(out, "attempted", page->attempted, now, "");
	if (page->next == PRN_TIME_UNKNOWN)
		fprintf(out, "  %-11s %s\n", "next", reason_text(page));
	put_time(out, "next", page->next, now, reason);
	put_time(out, "lease", page->lease, now, ", until then it is not given out again");
	if (page->status != PRN_PAGE_RETIRED) {
		put_host(out, page);
		put_held(out, page, now);
	}
	put_cost(out, page);
	put_validators(out, &page->validators);
	put_heard(out, page, now);
	put_sources(out, page);
	put_siblings(out, page);
	fprintf(out, "  %-11s %s, %s = %.4g\n", "policy", prn_decider_specification(decider), cli_dial_name(decider),
	        page->threshold);
	if (page->policy_next != page->next && page->status != PRN_PAGE_RETIRED)
		put_time(out, "its own", page->policy_next, now,
		         prn_cause_is_silence(page) ? "; what the policy would say at this T: so long may a silent source hold it back"
		                               : "; what the policy would say at this T and these intervals");
	fprintf(out, "  %-11s %s to %s\n", "intervals", prn_duration_format(page->min_s, least),
	        prn_duration_format(page->max_s, most));
	put_profile(out, page);
	put_curve(out, page);
	put_utility(out, page, now);
	if (plot)
		put_plot(out, page, now);
}
