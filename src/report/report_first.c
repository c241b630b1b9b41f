#include "report/report.h"
#include "report/comparison.h"
#include "text/html.h"
#include "text/person.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICKS 4
#define SOURCES_NAMED 12
#define BEST_RESAMPLES 10000 /* at least this many: with fewer, it would depend on the seed if an interval that ends near 1 contains it */

/* A policy in the picture, which has those that can be tuned to the cost, the least stale first. */
struct ranked {
	const struct prn_compared *at;
	size_t sweep;
	bool online;
};

static bool is_online(const struct prn_sweeps *sweeps, size_t i)
{
	const char *name = prn_contender_about(prn_sweeps_all(sweeps)[i].contenders[0])->name;

	for (size_t j = 0; prn_yardstick_info(j); j++)
		if (!strcmp(prn_yardstick_info(j)->name, name))
			return false;
	return true;
}

static int rank_order(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->at->value.value < y->at->value.value || x->at->value.value > y->at->value.value)
		return x->at->value.value < y->at->value.value ? -1 : 1;
	return (x->sweep > y->sweep) - (x->sweep < y->sweep);
}

static size_t rank(const struct report *report, const struct prn_compared *compared, struct ranked *ranked)
{
	const struct prn_sweeps *sweeps = report->evaluated.sweeps;
	size_t count = 0;

	for (size_t i = 0; i < prn_sweeps_count(sweeps); i++)
		if (!isnan(compared[i].value.value))
			ranked[count++] = (struct ranked){ &compared[i], i, is_online(sweeps, i) };
	qsort(ranked, count, sizeof *ranked, rank_order);
	return count;
}

/* Returns the least round number of per cent (1, 2 or 5 with zeros) that nothing exceeds. */
static double find_scale(const struct ranked *ranked, size_t count)
{
	double most = 0, scale = 0.01;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, 100 * fmax(ranked[i].at->value.value, isnan(ranked[i].at->value.high) ? 0 : ranked[i].at->value.high));
	for (int i = 0; scale < most; i++)
		scale *= i % 3 == 1 ? 2.5 : 2;
	return scale;
}

static void print_share(FILE *out, double share)
{
	fprintf(out, "%.*f %%", 100 * share < 0.995 ? 2 : 1, 100 * share);
}

static void print_row(FILE *out, const struct report *report, const struct ranked *row, double scale)
{
	const struct prn_interval *value = &row->at->value;

	fputs("<tr><th scope=\"row\">", out);
	text_html_string(out, prn_sweeps_specification(report->evaluated.sweeps, row->sweep));
	fprintf(out, "%s</th><td class=\"track\"><span>", row->online ? "" : "<small>knows the future</small>");
	if (!isnan(value->low))
		fprintf(out, "<i style=\"left:%.2f%%;width:%.2f%%\"></i>", 10000 * value->low / scale, 10000 * (value->high - value->low) / scale);
	fprintf(out, "<b%s style=\"left:%.2f%%\"></b></span></td><td>", row->online ? "" : " class=\"offline\"", 10000 * value->value / scale);
	print_share(out, value->value);
	if (!isnan(value->low)) {
		fprintf(out, "<small>%.*f to ", value->high < 0.00995 ? 2 : 1, 100 * value->low);
		print_share(out, value->high);
		fputs("</small>", out);
	}
	fputs("</td></tr>\n", out);
}

static void print_picture(FILE *out, const struct report *report, const struct ranked *ranked, size_t count)
{
	double scale = find_scale(ranked, count);

	fputs("<table class=\"dots\"><caption>Share of a copy that differs from its page, in the mean over time. Less is better. Bars: 95 % "
	      "intervals over hosts.</caption>\n<colgroup><col class=\"name\"><col><col class=\"value\"></colgroup>\n<thead class=\"vh\"><tr><th scope=\"col\">policy</th><th scope=\"col\">picture</th>"
	      "<th scope=\"col\">stale</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < count; i++)
		print_row(out, report, &ranked[i], scale);
	fputs("<tr class=\"axis\" aria-hidden=\"true\"><td></td><td class=\"track\"><span>", out);
	for (int i = 0; i <= TICKS; i++)
		fprintf(out, "<em style=\"left:%d%%\">%g %%</em>", 100 * i / TICKS, scale * i / TICKS);
	fputs("</span></td><td></td></tr>\n</tbody></table>\n", out);
}

/* Prints what makes it impossible to name a best policy; returns whether there is anything. */
static bool print_warnings(FILE *out, const struct report *report)
{
	size_t clusters = prn_evaluation_clusters(report->evaluated.evaluation);
	bool of_one_host = prn_evaluation_is_of_one_host(report->evaluated.evaluation);
	double captures = prn_evaluation_captures(report->evaluated.evaluation);
	bool few_clusters = clusters < PRN_CLUSTERS_LEAST, few_captures = captures < PRN_CAPTURES_LEAST;

	if (prn_evaluation_is_enough(report->evaluated.evaluation))
		return false;
	fputs("<p class=\"warning\"><b>Too little was seen to say which policy is best here.</b>", out);
	if (few_captures)
		fprintf(out, " Pages have %.3g captures in the mean: at this cost less than one visit to a page falls into the half of its life "
		             "that is judged.", captures);
	if (few_clusters && of_one_host)
		fprintf(out, " There %s %zu page%s, of one host: of fewer than %d, intervals say little.", clusters == 1 ? "is" : "are", clusters,
		        clusters == 1 ? "" : "s", PRN_CLUSTERS_LEAST);
	else if (few_clusters)
		fprintf(out, " The pages are of %zu hosts: of fewer than %d, intervals say little.", clusters, PRN_CLUSTERS_LEAST);
	fputs("</p>\n", out);
	return true;
}

static void print_list(FILE *out, const struct report *report, const struct ranked *ranked, size_t count, const bool *chosen)
{
	const char *before = "";

	for (size_t i = 0; i < count; i++) {
		if (!chosen[i])
			continue;
		fputs(before, out);
		text_html_string(out, prn_sweeps_specification(report->evaluated.sweeps, ranked[i].sweep));
		before = ", ";
	}
}

/*
 * Says which of the others are worse than the best, and which these pages cannot distinguish from it, by the ratios, which
 * are resampled together.
 */
static int print_best(FILE *out, const struct report *report, const struct ranked *ranked, size_t count, struct prn_error *error)
{
	const double cost = REPORT_COST;
	struct prn_comparison comparison = {
		.axis = PRN_AXIS_COST, .window = PRN_WINDOW_STEADY, .targets = &cost, .target_count = 1,
		.seed = report->seed, .threads = report->threads,
	};
	struct prn_compared *to_best;
	size_t best = 0, worse_count = 0, close_count = 0;
	bool *worse = calloc(2 * count + 1, sizeof *worse), *close = worse ? worse + count : NULL;
	int code = 0;

	while (best < count && !ranked[best].online)
		best++;
	if (best == count || !worse) {
		free(worse);
		return worse ? 0 : prn_error_memory(error);
	}
	comparison.reference = ranked[best].sweep;
	if (report->resamples)
		comparison.resamples = report->resamples > BEST_RESAMPLES ? report->resamples : BEST_RESAMPLES;
	code = report_compare(report->evaluated.evaluation, report->evaluated.sweeps, &comparison, &to_best, error);
	for (size_t i = 0; i < count && !code; i++) {
		if (i == best || !ranked[i].online)
			continue;
		worse[i] = to_best[ranked[i].sweep].ratio.low > 1;
		close[i] = !worse[i];
		worse_count += worse[i];
		close_count += close[i];
	}
	if (!code) {
		fputs("<p>In the mean <b>", out);
		text_html_string(out, prn_sweeps_specification(report->evaluated.sweeps, ranked[best].sweep));
		fputs("</b> leaves least stale of the online policies: ", out);
		print_share(out, ranked[best].at->value.value);
		fputs(" of the content.", out);
		if (close_count && report->resamples) {
			fputs(" These pages do not tell it from ", out);
			print_list(out, report, ranked, count, close);
			fputs(": the interval of the ratio of the two has 1 in it.", out);
		}
		if (worse_count) {
			fputs(" More is left stale by ", out);
			print_list(out, report, ranked, count, worse);
			fputs(": so it would most likely be on other hosts too.", out);
		}
		fputs("</p>\n", out);
		free(to_best);
	}
	free(worse);
	return code;
}

static void print_basis(FILE *out, const struct report *report)
{
	size_t pages = prn_evaluation_pages(report->evaluated.evaluation);

	fputs("<p class=\"note\">At a visit in every five captures, in the steady state: each policy chose its visits page by page, and is judged on "
	      "the second half of each page&#8217;s life; histories are those ", out);
	if (report->judged.members)
		fprintf(out, "of %zu of the %zu pages, drawn by their URLs", report->judged.pages.count, report->pages.count);
	else
		fprintf(out, "of %zu page%s", pages, pages == 1 ? "" : "s");
	fputs(".</p>\n", out);
}

/*
 * Sources that are not traces are one corpus, like the files of one crawl: says which they are, and how they could be kept
 * apart.
 */
static void print_sources(FILE *out, const struct report *report)
{
	size_t named = 0;

	if (report->inputs.pooled < 2)
		return;
	fprintf(out, "<p class=\"note\">%zu sources are pooled into one corpus, where each page counts alike, however long it was watched: ",
	        report->inputs.pooled);
	for (size_t i = 0; i < report->operand_count && named < SOURCES_NAMED; i++) {
		if (term_input_is_trace(report->operands[i]))
			continue;
		fputs(named++ ? ", " : "", out);
		text_html_string(out, report->operands[i]);
	}
	fprintf(out, "%s. Imported into a trace each (<code>perennial import</code>) they are told apart.</p>\n",
	        named < report->inputs.pooled ? " \xe2\x80\xa6" : "");
}

/* Corpora may have been watched for an hour or for a year, so it says what is pooled. */
static void print_pooled(FILE *out, const struct report *report)
{
	size_t days = prn_statistic_find("days"), all = report->corpora.scopes - 1;
	char text[TEXT_PERSON_BYTES];

	if (report->corpora.scopes < 2)
		return;
	fputs("<p class=\"note\">Corpora are pooled: each page counts alike, and time goes by its captures. ", out);
	for (size_t i = 0; i < all; i++) {
		fputs(i ? ", " : "", out);
		text_html_string(out, report->corpora.names[i]);
		fprintf(out, " (%zu pages, %s)", prn_longevity_pages(report->longevity, i),
		        text_person_days(prn_longevity_statistic(report->longevity, i, days).value, text));
	}
	fputs(". <code>perennial evaluate --by=corpus</code> tells them apart.</p>\n", out);
}

/* Explains the names on the page. */
static void print_names(FILE *out, const struct report *report)
{
	const struct prn_sweeps *sweeps = report->evaluated.sweeps;

	fputs("<details><summary>What these names are</summary>\n<dl class=\"names\">\n", out);
	for (size_t i = 0; i < prn_sweeps_count(sweeps); i++) {
		const struct prn_policy_info *about = prn_contender_about(prn_sweeps_all(sweeps)[i].contenders[0]);

		fputs("<dt>", out);
		text_html_string(out, prn_sweeps_specification(sweeps, i));
		fputs("</dt><dd>", out);
		text_html_string(out, about->title);
		fputs(" (", out);
		text_html_string(out, about->source);
		fputs(")</dd>\n", out);
	}
	fputs("<dt>fragment</dt><dd>five words in a row; a copy is stale by the share of fragments that it and its page do not have in common</dd>\n"
	      "<dt>steady state</dt><dd>the second half of each page&#8217;s captures, when a policy has learned; the first is the warm-up</dd>\n"
	      "<dt>cost</dt><dd>visits for each capture that there is: 1 would be every one</dd>\n</dl></details>\n", out);
}

int report_first_print(FILE *out, const struct report *report, struct prn_error *error)
{
	const double cost = REPORT_COST;
	struct prn_compared *compared;
	struct ranked *ranked;
	size_t count;
	int code = report_compare_at(report, &report->evaluated, PRN_WINDOW_STEADY, &cost, 1, &compared, error);

	if (code)
		return code;
	ranked = calloc(prn_sweeps_count(report->evaluated.sweeps) + 1, sizeof *ranked);
	if (!ranked) {
		free(compared);
		return prn_error_memory(error);
	}
	count = rank(report, compared, ranked);
	fputs("<section class=\"first\" aria-labelledby=\"first\">\n<h2 id=\"first\">How stale copies would be at a fifth of the fetches</h2>\n", out);
	if (count) {
		print_picture(out, report, ranked, count);
		if (!print_warnings(out, report))
			code = print_best(out, report, ranked, count, error);
		print_basis(out, report);
		print_pooled(out, report);
		print_sources(out, report);
		print_names(out, report);
	} else {
		fputs("<p class=\"warning\">No policy can be tuned to a visit in every five captures of these pages.</p>\n", out);
	}
	fputs("</section>\n", out);
	free(ranked);
	free(compared);
	return code;
}
