#include "report/report.h"
#include "base/output.h"
#include "report/embedded.h"
#include "text/html.h"
#include "text/person.h"
#include "term/provenance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The statistics of each corpus in the summary. */
static const struct {
	const char *statistic, *label;
} corpus_rows[] = {
	{ "pages", "pages" },
	{ "captures", "captures" },
	{ "days", "watched for" },
	{ "changed_pages", "pages that changed" },
	{ "change_frequency", "change frequency" },
	{ "flip_flop_pages", "pages that flip back" },
	{ "static_share", "static share" },
	{ "churn_share", "churn share" },
	{ "scroll_share", "scroll share" },
	{ "churn_of_births", "churn among births" },
	{ "longevity_days", "mean known lifetime" },
	{ "lifetime_median_days", "median lifetime" },
	{ "half_life_days", "half-life of pages" },
	{ "hidden_changes", "updates hidden" },
	{ "poisson_p", "Poisson, p" },
};

static const double table_costs[] = { 0.05, 0.1, 0.2, 0.4 };
#define TABLE_COSTS (sizeof table_costs / sizeof *table_costs)

static void print_days(FILE *out, struct prn_interval days)
{
	char low[TEXT_PERSON_BYTES], high[TEXT_PERSON_BYTES];

	fprintf(out, "<td>%s", text_person_days(days.value, low));
	if (!isnan(days.low)) {
		char *unit = strchr(text_person_days(days.low, low), ' '), *other = strchr(text_person_days(days.high, high), ' ');

		/* If both have the same unit, it is written once. */
		if (!strcmp(unit, other))
			*unit = 0;
		fprintf(out, "<small>%s – %s</small>", low, high);
	}
	fputs("</td>", out);
}

static void print_statistic(FILE *out, struct prn_interval value, const char *unit)
{
	bool share = !strcmp(unit, "share");
	double scale = share ? 100 : 1;
	int decimals = !strcmp(unit, "count") ? 0 : share ? 1 : value.value >= 100 ? 0 : value.value >= 10 ? 1 : 2;

	if (!strcmp(unit, "p"))
		decimals = 3;
	if (isnan(value.value)) {
		fputs("<td>–</td>", out);
		return;
	}
	if (!strcmp(unit, "days")) {
		print_days(out, value);
		return;
	}
	fprintf(out, "<td>%.*f%s", decimals, scale * value.value, share ? " %" : "");
	if (!isnan(value.low))
		fprintf(out, "<small>%.*f – %.*f</small>", decimals, scale * value.low, decimals, scale * value.high);
	fputs("</td>", out);
}

static void print_corpora(FILE *out, const struct report *report)
{
	fputs("<p class=\"note\">Small: 95 % intervals, by a bootstrap over hosts (over pages where there is one host).</p>\n"
	      "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th></th>", out);
	for (size_t scope = 0; scope < report->corpora.scopes; scope++) {
		fputs("<th scope=\"col\">", out);
		text_html_string(out, report->corpora.names[scope]);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < sizeof corpus_rows / sizeof *corpus_rows; i++) {
		size_t statistic = prn_statistic_find(corpus_rows[i].statistic);

		fprintf(out, "<tr><th scope=\"row\">%s</th>", corpus_rows[i].label);
		for (size_t scope = 0; scope < report->corpora.scopes; scope++)
			print_statistic(out, prn_longevity_statistic(report->longevity, scope, statistic),
			                prn_statistic_info(statistic)->unit);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void print_compared(FILE *out, const struct prn_compared *at, bool is_reference, bool marked)
{
	if (isnan(at->value.value)) {
		fputs("<td>–</td>", out);
		return;
	}
	fprintf(out, "<td>%.4f", at->value.value);
	if (!isnan(at->value.low))
		fprintf(out, "<small>%.3f – %.3f</small>", at->value.low, at->value.high);
	if (!isnan(at->ratio.value) && !is_reference)
		fprintf(out, "<small>× %.2f%s</small>", at->ratio.value,
		        marked && (at->ratio.high < 1 || at->ratio.low > 1) ? " *" : "");
	fputs("</td>", out);
}

static int print_policies(FILE *out, const struct report *report, struct prn_error *error)
{
	const struct prn_sweeps *sweeps = report->evaluated.sweeps;
	size_t reference = prn_sweeps_find(sweeps, REPORT_REFERENCE);
	bool marked = prn_evaluation_is_enough(report->evaluated.evaluation);
	struct prn_compared *compared;
	int code = report_compare_at(report, &report->evaluated, PRN_WINDOW_STEADY, table_costs, TABLE_COSTS, &compared,
	                             error);

	if (code)
		return code;
	fputs("<p class=\"note\">Staleness at equal cost (visits per page and capture), steady state, all corpora. Small: its 95 % "
	      "interval, and its ratio to " REPORT_REFERENCE, out);
	if (marked)
		fputs(", with * if the ratio&#8217;s interval leaves out 1.", out);
	else if (prn_evaluation_clusters(report->evaluated.evaluation) < PRN_CLUSTERS_LEAST)
		fprintf(out, ". No ratio is marked: of fewer than %d %s intervals say little.", PRN_CLUSTERS_LEAST,
		        prn_evaluation_is_of_one_host(report->evaluated.evaluation) ? "pages" : "hosts");
	else
		fprintf(out, ". No ratio is marked: with fewer than %d captures of a page policies have seen too little.", PRN_CAPTURES_LEAST);
	fputs(" –: the policy cannot be tuned to that cost.</p>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th></th>", out);
	for (size_t j = 0; j < TABLE_COSTS; j++)
		fprintf(out, "<th scope=\"col\">cost %g</th>", table_costs[j]);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < prn_sweeps_count(sweeps); i++) {
		fputs("<tr><th scope=\"row\">", out);
		text_html_string(out, prn_sweeps_specification(sweeps, i));
		fputs("</th>", out);
		for (size_t j = 0; j < TABLE_COSTS; j++)
			print_compared(out, &compared[i * TABLE_COSTS + j], i == reference, marked);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
	free(compared);
	return 0;
}

/* Blanks the titles, such as "gnuplot_plot_1", which would pop up under the pointer. */
static void blank_titles(char *svg)
{
	static const char start[] = "<title>", end[] = "</title>";
	char *title, *to;

	while ((title = strstr(svg, start)) && (to = strstr(title, end))) {
		to += sizeof end - 1;
		memset(title, ' ', (size_t)(to - title));
		svg = to;
	}
}

/* Prints the picture as gnuplot wrote it, without the prolog, which HTML does not allow. */
static int print_picture(FILE *out, const struct report *report, const struct report_figure *figure,
                         struct prn_error *error)
{
	char name[64], *svg, *start;
	int code;

	snprintf(name, sizeof name, "%s.svg", figure->name);
	code = report_read(report, name, &svg, error);
	if (code)
		return code;
	start = strstr(svg, "<svg");
	if (start) {
		blank_titles(start);
		fprintf(out, "<svg aria-hidden=\"true\" focusable=\"false\"%s", start + 4);
	} else {
		code = prn_error_set(error, PRN_E_INPUT, "%s/%s: gnuplot wrote no picture", report->folder, name);
	}
	free(svg);
	return code;
}

static int print_figure(FILE *out, const struct report *report, const struct report_figure *figure, struct prn_error *error)
{
	size_t title_length, caption_length;
	const char *title = report_figure_text(figure, "title", &title_length);
	const char *caption = report_figure_text(figure, "caption", &caption_length);
	char *reading;
	int code = report_words_read(report, figure->name, &reading, error);

	if (code)
		return code;
	fprintf(out, "<figure id=\"%s\">\n<h3>", figure->name);
	text_html_bytes(out, title, title_length);
	fputs("</h3>\n<div role=\"img\" aria-label=\"Chart: ", out);
	text_html_bytes(out, title, title_length);
	fputs(". ", out);
	if (reading)
		text_html_string(out, reading);
	else
		text_html_bytes(out, caption, caption_length);
	fputs("\">\n", out);
	code = print_picture(out, report, figure, error);
	fputs("</div>\n<figcaption>", out);
	if (reading) {
		fputs("<p class=\"reading\">", out);
		text_html_string(out, reading);
		fputs("</p>", out);
	}
	fputs("<p>", out);
	text_html_bytes(out, caption, caption_length);
	fputs("</p></figcaption>\n</figure>\n", out);
	free(reading);
	return code;
}

static int print_figures(FILE *out, const struct report *report, struct prn_error *error)
{
	const char *pending = NULL;
	bool open = false;
	int code = 0;

	for (const struct report_figure *figure = report->figures; figure->name && !code; figure++) {
		if (figure->section)
			pending = figure->section;
		if (!report_figure_is_wanted(report, figure))
			continue;
		if (pending) {
			fprintf(out, "%s<section>\n<h2>%s</h2>\n", open ? "</div></section>\n" : "", pending);
			if (!strcmp(figure->name, "staleness"))
				code = print_policies(out, report, error);
			fputs("<div class=\"figures\">\n", out);
			open = true;
		}
		pending = NULL;
		if (!code)
			code = print_figure(out, report, figure, error);
	}
	fputs(open ? "</div></section>\n" : "", out);
	return code;
}

static void print_names(FILE *out, const struct report *report)
{
	for (size_t i = 0; i < report->inputs.count; i++) {
		fputs(i ? ", " : "", out);
		text_html_string(out, report->corpora.names[i]);
	}
}

static void print_head(FILE *out, const struct report *report)
{
	const char *title = report->papers ? "The experiments of the papers" : "How long content lives, and what policies make of it";

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'", out);
	if (!report->papers)
		fprintf(out, "; script-src 'sha256-%s'", report_script_digest);
	fputs("\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<title>", out);
	fputs(title, out);
	fputs(report->papers ? "" : ": ", out);
	print_names(out, report);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n<p class=\"soft\">%s",
	        report_embedded_text("report.css"), title, report->papers ? "Run again, beside what the papers print." : "Corpora: ");
	print_names(out, report);
	if (report->row_count) {
		char from[TEXT_PERSON_BYTES], to[TEXT_PERSON_BYTES];

		fprintf(out, ". Captures from %s to %s UTC.", text_person_time(report->begins, from), text_person_time(report->ends, to));
	}
	fputs("</p>\n</header>\n<main>\n", out);
}

/* Prints all that is needed to get the same page again. */
static int print_foot(FILE *out, const struct report *report, struct prn_error *error)
{
	char *command = NULL;
	size_t length;
	FILE *text = open_memstream(&command, &length);

	if (!text)
		return prn_error_memory(error);
	term_provenance_print(text, report->argc, report->argv);
	if (fclose(text)) {
		free(command);
		return prn_error_memory(error);
	}
	fputs("</main>\n<footer>\n<p>Made by <code>", out);
	text_html_string(out, command);
	if (report->papers) {
		fprintf(out, "</code>; seed %llu, %zu simulated pages of each. The papers are in perennial(1), REFERENCES.</p>\n"
		             "</footer>\n</body>\n</html>\n", (unsigned long long)report->seed, report->resamples);
		free(command);
		return 0;
	}
	fprintf(out, "</code>; seed %llu, %zu resamples, %zu draws, clock in %s.", (unsigned long long)report->seed,
	        report->resamples, report->draws, report->clock_name);
	if (report->learn.count)
		fputs(" Drift&#8217;s prior was learned from other corpora than the one under test.", out);
	fprintf(out, " C. Olston, S. Pandey, Recrawl Scheduling Based on Information Longevity, WWW 2008; J. Cho, Crawling the Web, "
	             "Stanford 2001.</p>\n</footer>\n<script>%s</script>\n</body>\n</html>\n", report_embedded_text("report.js"));
	free(command);
	return 0;
}

static int print_page(FILE *out, const struct report *report, struct prn_error *error)
{
	int code;

	print_head(out, report);
	if (report->papers) {
		fputs("<section>\n", out);
		report_papers_print(out, report);
		code = print_figures(out, report, error);
		return code ? code : print_foot(out, report, error);
	}
	code = report_first_print(out, report, error);
	if (code)
		return code;
	fputs("<section>\n<h2>How long content lives</h2>\n", out);
	report_words_print(out, report);
	print_corpora(out, report);
	fputs("</section>\n", out);
	code = print_figures(out, report, error);
	if (!code)
		code = report_pages_print(out, report, error);
	return code ? code : print_foot(out, report, error);
}

int report_page(const struct report *report, struct prn_error *error)
{
	struct prn_output output;
	size_t length = 0;
	char *page = NULL;
	FILE *out = open_memstream(&page, &length);
	int code;

	if (!out)
		return prn_error_memory(error);
	code = print_page(out, report, error);
	if (fclose(out) && !code)
		code = prn_error_memory(error);
	if (!code)
		code = prn_output_open(&output, report->output, error);
	if (!code) {
		code = prn_output_write(&output, page, length, error);
		if (code)
			prn_output_abandon(&output);
		else
			code = prn_output_commit(&output, error);
	}
	free(page);
	return code;
}
