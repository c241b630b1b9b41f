#include "show/html.h"

#include "text/html.h"
#include "text/person.h"

#include <stdio.h>

#define WIDTH 1000.0
#define VISIT_ROWS 500 /* of the table of visits */

/* Returns the horizontal position of a capture. */
static double place(const struct show *show, size_t capture)
{
	double whole = show_days(show, show->first, show->last);

	return whole > 0 ? WIDTH * show_days(show, show->first, capture) / whole : 0;
}

static void begin_row(FILE *out, const char *label, int height)
{
	fprintf(out, "<div class=\"row\"><span class=\"label\">%s</span><svg viewBox=\"0 0 1000 %d\" preserveAspectRatio=\"none\" "
	             "style=\"height:%dpx\" aria-hidden=\"true\" focusable=\"false\">", label, height, height);
}

static void end_row(FILE *out)
{
	fputs("</svg></div>\n", out);
}

enum mark { SAME, CHANGED, FAILED };

static enum mark mark_of(const struct show *show, size_t capture)
{
	if (!prn_kind_is_observation(show->page.captures[capture].kind))
		return FAILED;
	return capture > show->first && show_version_at(show, capture) != show_version_at(show, capture - 1) ? CHANGED : SAME;
}

static void print_captures(FILE *out, const struct show *show)
{
	static const struct {
		const char *name;
		int from, to;
	} marks[] = { [SAME] = { "same", 11, 18 }, [CHANGED] = { "changed", 2, 18 }, [FAILED] = { "failed", 14, 18 } };

	begin_row(out, "captures; tall where the page had changed", 20);
	for (enum mark mark = SAME; mark <= FAILED; mark++) {
		fprintf(out, "<path class=\"%s\" d=\"", marks[mark].name);
		for (size_t i = show->first; i <= show->last; i++)
			if (mark_of(show, i) == mark)
				fprintf(out, "M%.1f %dV%d", place(show, i), marks[mark].from, marks[mark].to);
		fputs("\"/>", out);
	}
	end_row(out);
}

static void print_visits(FILE *out, const struct show *show, const struct show_replay *replay)
{
	begin_row(out, "visits of the policy; tall where it found something new", 20);
	fprintf(out, "<path class=\"hit\" d=\"M%.1f 2V18", place(show, show->first));
	for (size_t i = 0; i < replay->visit_count; i++)
		if (replay->visits[i].caught)
			fprintf(out, "M%.1f 2V18", place(show, replay->visits[i].at));
	fputs("\"/><path class=\"idle\" d=\"", out);
	for (size_t i = 0; i < replay->visit_count; i++)
		if (replay->visits[i].taken && !replay->visits[i].caught)
			fprintf(out, "M%.1f 11V18", place(show, replay->visits[i].at));
	fputs("\"/><path class=\"failed\" d=\"", out);
	for (size_t i = 0; i < replay->visit_count; i++)
		if (!replay->visits[i].taken)
			fprintf(out, "M%.1f 14V18", place(show, replay->visits[i].at));
	fputs("\"/>", out);
	end_row(out);
}

/* The staleness as of a capture holds until the next one. */
static void print_staleness(FILE *out, const struct show *show, const struct show_replay *replay)
{
	begin_row(out, "how much of the policy&#8217;s copy was stale, 0 to 100 %", 48);
	fputs("<path class=\"stale\" d=\"M0 47", out);
	for (size_t i = show->first; i <= show->last; i++)
		fprintf(out, "H%.1fV%.1f", place(show, i), 47 - 46 * replay->stale[i - show->first]);
	fputs("V47Z\"/>", out);
	end_row(out);
}

void show_print_timeline(FILE *out, const struct show *show, const struct show_replay *replay)
{
	char from[TEXT_PERSON_BYTES], to[TEXT_PERSON_BYTES];

	fprintf(out, "<div class=\"time\" id=\"time\" role=\"img\" aria-label=\"Time line: %zu captures with %zu changes; %s would have "
	             "visited %zu of them and found %zu of the changes. The table of visits below has the same in words.\">\n",
	        show->last - show->first + 1, replay->changes, "the policy", replay->visit_count, replay->changes_caught);
	print_captures(out, show);
	print_visits(out, show, replay);
	print_staleness(out, show, replay);
	fprintf(out, "<span class=\"cursor\" style=\"left:%.2f%%\"></span></div>\n"
	             "<p class=\"ends\"><span>%s</span><span>%s UTC</span></p>\n", place(show, show->capture) / WIDTH * 100,
	        text_person_time(show->page.captures[show->first].time, from),
	        text_person_time(show->page.captures[show->last].time, to));
}

static void print_setting(FILE *out, const struct show_replay *replay)
{
	char text[TEXT_PERSON_BYTES];
	double days = replay->setting * replay->unit_s / PRN_DAY_S;

	switch (replay->dial) {
	case PRN_DIAL_PERIOD:
		fprintf(out, "every %s", text_person_days(days, text));
		break;
	case PRN_DIAL_THRESHOLD:
		fprintf(out, "at a threshold of %.3g divergence-days", days);
		break;
	default:
		fprintf(out, "with its periods times %.3g", replay->setting);
	}
}

static void print_visit_rows(FILE *out, const struct show *show, const struct show_replay *replay)
{
	char time[TEXT_PERSON_BYTES];

	fputs("<details><summary>Its visits, one by one</summary>\n<div class=\"scroll\" role=\"region\" aria-label=\"Visits\" tabindex=\"0\"><table>\n"
	      "<thead><tr><th scope=\"col\">visit, UTC</th><th scope=\"col\">fragments new to it</th>"
	      "<th scope=\"col\">came and went since the visit before</th><th scope=\"col\">stale before it</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < replay->visit_count && i < VISIT_ROWS; i++) {
		const struct show_visit *visit = &replay->visits[i];

		fprintf(out, "<tr><th scope=\"row\">%s</th>", text_person_time(show->page.captures[visit->at].time, time));
		if (visit->taken)
			fprintf(out, "<td>%zu</td><td>%zu</td>", visit->caught, visit->missed);
		else
			fprintf(out, "<td colspan=\"2\">the page was not to be had: %s</td>", prn_kind_name(show->page.captures[visit->at].kind));
		fprintf(out, "<td>%.0f %%</td></tr>\n", 100 * replay->stale[visit->at - show->first - 1]);
	}
	fputs("</tbody></table></div>", out);
	if (replay->visit_count > VISIT_ROWS)
		fprintf(out, "<p>The first %d of %zu.</p>", VISIT_ROWS, replay->visit_count);
	fputs("</details>\n", out);
}

static void print_side_by_side(FILE *out, const struct show_replay *replays, size_t count)
{
	fputs("<div class=\"scroll\" role=\"region\" aria-label=\"Policies\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">policy</th>"
	      "<th scope=\"col\">visits</th><th scope=\"col\">changes found</th><th scope=\"col\">fragments seen</th>"
	      "<th scope=\"col\">came and went unseen</th><th scope=\"col\">stale</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < count; i++) {
		fputs("<tr><th scope=\"row\">", out);
		text_html_string(out, replays[i].policy);
		fprintf(out, "</th><td>%zu</td><td>%zu of %zu</td><td>%zu of %zu</td><td>%zu</td><td>%.1f %%</td></tr>\n", replays[i].visit_count,
		        replays[i].changes_caught, replays[i].changes, replays[i].caught, replays[i].born, replays[i].missed,
		        100 * replays[i].staleness);
	}
	fputs("</tbody></table></div>\n", out);
}

static void print_policy(FILE *out, const struct show *show, const struct show_replay *replay)
{
	size_t captures = show->last - show->first;

	fputs("<p><b>", out);
	text_html_string(out, replay->policy);
	fputs("</b>, ", out);
	print_setting(out, replay);
	fprintf(out, ", would have visited %zu of the %zu captures after the first (%.2f of them). It would have found %zu of the %zu change%s "
	             "while %s was there, and seen %zu of the %zu fragments that came",
	        replay->visit_count, captures, (double)replay->visit_count / (double)captures, replay->changes_caught, replay->changes,
	        replay->changes == 1 ? "" : "s", replay->changes == 1 ? "it" : "each", replay->caught, replay->born);
	if (replay->missed)
		fprintf(out, "; %zu came and went unseen", replay->missed);
	if (replay->born > replay->caught + replay->missed)
		fprintf(out, "; %zu are there at last, unseen so far", replay->born - replay->caught - replay->missed);
	fprintf(out, ". In the mean over time %.1f %% of its copy would have been stale.</p>\n", 100 * replay->staleness);
	if (replay->visit_count)
		print_visit_rows(out, show, replay);
}

void show_print_policies(FILE *out, const struct show *show, const struct show_replay *replays, size_t count)
{
	print_policy(out, show, replays);
	if (count > 1)
		print_side_by_side(out, replays, count);
}
