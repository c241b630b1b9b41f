/*
 * `perennial report --papers`: the experiments of the papers, as tables in the folder of the figures and as a table of the
 * page.
 */
#include "report/report.h"

#include "perennial/simulation.h"
#include "text/html.h"
#include "report/papers.h"

#include <math.h>
#include <stdlib.h>

#define FRESHNESS_PAGES 500 /* the pages of another experiment for which one set of a hundred pages is run here: that takes about the same time */

const struct report_figure report_paper_figures[] = {
	{ "papers-bias", "Estimators on pages whose changes are known", NULL },
	{ "papers-spread", NULL, NULL },
	{ "papers-visits", NULL, NULL },
	{ "papers-gamma", NULL, NULL },
	{ "papers-shift", NULL, NULL },
	{ "papers-path", NULL, NULL },
	{ "papers-av", NULL, NULL },
	{ "papers-freshness", NULL, NULL },
	{ "papers-sequences", NULL, NULL },
	{ "papers-orders", "Visits whose worth is known", NULL },
	{ "papers-ages", NULL, NULL },
	{ "papers-division", NULL, NULL },
	{ "papers-collections", NULL, NULL },
	{ "papers-cost", NULL, NULL },
	{ NULL, NULL, NULL },
};

static int write_papers(const struct report *report, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "source", TERM_COLUMN_TEXT, 0 },   { "what", TERM_COLUMN_TEXT, 0 },      { "ours", TERM_COLUMN_NUMBER, 6 },
		{ "low", TERM_COLUMN_NUMBER, 6 },    { "high", TERM_COLUMN_NUMBER, 6 },    { "theirs", TERM_COLUMN_NUMBER, 6 },
		{ "agrees", TERM_COLUMN_TEXT, 0 },   { "note", TERM_COLUMN_TEXT, 0 },      { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct report_table table;
	int code = report_table_open(report, &table, "papers.tsv", TERM_FORMAT_TSV, columns, error);

	if (code)
		return code;
	for (size_t i = 0; i < report->paper_count; i++) {
		const struct report_paper *paper = &report->papers[i];

		term_table_text(table.rows, paper->source);
		term_table_text(table.rows, paper->what);
		term_table_number(table.rows, paper->ours);
		term_table_number(table.rows, paper->ours - REPORT_NORMAL_95 * paper->error);
		term_table_number(table.rows, paper->ours + REPORT_NORMAL_95 * paper->error);
		term_table_number(table.rows, paper->theirs);
		term_table_text(table.rows, isnan(paper->theirs) ? "-" : report_paper_agrees(paper) ? "yes" : "no");
		term_table_text(table.rows, paper->note);
	}
	return report_table_close(report, &table, 0, error);
}

/* Writes the curve of one method at one rate, after each number of visits. */
static int put_curve(const struct report *report, const struct report_paper_curve *curve, const char *method, double rate,
                     struct term_table *table, struct prn_error *error)
{
	struct prn_simulation simulation = { .rate = rate, .pages = report->resamples, .seed = report->seed,
		                             .threads = report->threads };
	struct prn_simulated_estimate *simulated;
	struct prn_estimator estimator;
	struct prn_schedule schedule;
	size_t count = 0;
	int code;

	while (curve->visits[count])
		count++;
	simulated = calloc(count, sizeof *simulated);
	code = simulated ? prn_process_init(&simulation.process, curve->process, error) : prn_error_memory(error);
	if (!code)
		code = prn_schedule_init(&schedule, curve->schedule, error);
	if (!code)
		code = prn_estimator_init(&estimator, method, error);
	if (!code)
		code = prn_simulate_estimator(&simulation, &schedule, curve->interval, &estimator,
		                              curve->of_interval ? PRN_SIMULATION_OF_INTERVAL : PRN_SIMULATION_OF_RATE,
		                              curve->visits, count, simulated, error);
	for (size_t k = 0; k < count && !code; k++) {
		term_table_text(table, method);
		term_table_number(table, rate);
		term_table_count(table, curve->visits[k]);
		term_table_number(table, simulated[k].mean);
		term_table_number(table, simulated[k].spread);
		term_table_number(table, simulated[k].deviation);
	}
	free(simulated);
	return code;
}

static int write_curve(const struct report *report, const struct report_paper_curve *curve, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "method", TERM_COLUMN_TEXT, 0 },   { "rate", TERM_COLUMN_NUMBER, 6 },      { "visits", TERM_COLUMN_COUNT, 0 },
		{ "ratio", TERM_COLUMN_NUMBER, 6 },  { "spread", TERM_COLUMN_NUMBER, 6 },
		{ "deviation", TERM_COLUMN_NUMBER, 6 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct report_table table;
	int code = report_table_open(report, &table, curve->file, TERM_FORMAT_GNUPLOT, columns, error);

	if (code)
		return code;
	for (const char *const *method = curve->methods; *method && !code; method++)
		for (const double *rate = curve->rates; *rate > 0 && !code; rate++)
			code = put_curve(report, curve, *method, *rate, table.rows, error);
	return report_table_close(report, &table, code, error);
}

/* Writes the table of AV's experiment 2. */
static int write_freshness(const struct report *report, struct prn_error *error)
{
	static const char *const methods[] = { "mle:lengths=20", "lln:visit-rate=3", "sa:visit-rate=3", "naive" };
	static const uint64_t visits[] = { 5, 10, 20, 50, 100, 200, 500, 1000 };
	enum { VISITS = sizeof visits / sizeof *visits };
	static const struct term_column columns[] = {
		{ "method", TERM_COLUMN_TEXT, 0 }, { "visits", TERM_COLUMN_COUNT, 0 }, { "share", TERM_COLUMN_NUMBER, 6 },
		{ "low", TERM_COLUMN_NUMBER, 6 },  { "high", TERM_COLUMN_NUMBER, 6 },  { NULL, TERM_COLUMN_TEXT, 0 },
	};
	size_t sets = report->resamples / FRESHNESS_PAGES > 1 ? report->resamples / FRESHNESS_PAGES : 2;
	struct report_paper_freshness shares[VISITS];
	struct report_table table;
	int code = report_table_open(report, &table, "papers-freshness.tsv", TERM_FORMAT_GNUPLOT, columns, error);

	if (code)
		return code;
	for (size_t m = 0; m < sizeof methods / sizeof *methods && !code; m++) {
		code = report_papers_freshness(methods[m], sets, report->seed, visits, VISITS, shares, error);
		for (size_t k = 0; k < VISITS && !code; k++) {
			term_table_text(table.rows, methods[m]);
			term_table_count(table.rows, visits[k]);
			term_table_number(table.rows, shares[k].mean);
			term_table_number(table.rows, shares[k].mean - REPORT_NORMAL_95 * shares[k].error);
			term_table_number(table.rows, shares[k].mean + REPORT_NORMAL_95 * shares[k].error);
		}
	}
	return report_table_close(report, &table, code, error);
}

int report_papers(struct report *report, struct prn_error *error)
{
	int code = report_papers_run(report->resamples, report->seed, report->threads, &report->papers, &report->paper_count,
	                             error);

	if (!code)
		code = write_papers(report, error);
	for (const struct report_paper_curve *curve = report_paper_curves; curve->file && !code; curve++)
		code = write_curve(report, curve, error);
	if (!code)
		code = write_freshness(report, error);
	return code ? code : report_papers_forms(report, error);
}

static void print_paper(FILE *out, const struct report_paper *paper)
{
	fputs("<tr><th scope=\"row\">", out);
	text_html_string(out, paper->source);
	fputs("</th><td>", out);
	text_html_string(out, paper->what);
	fprintf(out, "</td><td>%.4g", paper->ours);
	if (paper->error > 0)
		fprintf(out, "<small>%.4g – %.4g</small>", paper->ours - REPORT_NORMAL_95 * paper->error,
		        paper->ours + REPORT_NORMAL_95 * paper->error);
	if (isnan(paper->theirs))
		fputs("</td><td>–</td><td>", out);
	else
		fprintf(out, "</td><td>%.4g</td><td>%s", paper->theirs, report_paper_agrees(paper) ? "yes" : "no");
	fputs(*paper->note && !isnan(paper->theirs) ? ": " : " ", out);
	text_html_string(out, paper->note);
	fputs("</td></tr>\n", out);
}

void report_papers_print(FILE *out, const struct report *report)
{
	size_t printed = 0, agree = 0;

	for (size_t i = 0; i < report->paper_count; i++) {
		printed += isnan(report->papers[i].theirs) ? 0 : 1;
		agree += report_paper_agrees(&report->papers[i]) ? 1 : 0;
	}
	fprintf(out, "<p>Of %zu numbers that the papers print %zu come out as printed, to their last digit and twice the standard "
	             "error of a simulation.</p>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"words\">\n<thead><tr><th>paper</th><th>what"
	             "</th><th scope=\"col\">ours</th><th scope=\"col\">theirs</th><th scope=\"col\">the same?</th></tr></thead>\n"
	             "<tbody>\n", printed, agree);
	for (size_t i = 0; i < report->paper_count; i++)
		print_paper(out, &report->papers[i]);
	fputs("</tbody></table></div>\n<p>Not here: the figures of Grimes and Ford (2, 4, 7) and of Ford, Grimes and Tassone (1 to 8) are curves over "
	      "pages of their own, and neither these nor the numbers behind the curves are at hand; the figure on new pages, that of what an interval costs and the lines "
	      "above are the same estimators on simulated ones, and the same cost. A share of 9.1&nbsp;% that the latter print came out as 4.6 to 5.6&nbsp;% when it was worked out "
	      "from their text; what it was worked out from is not at hand either, so there is no line of it.</p>\n</section>\n", out);
}
