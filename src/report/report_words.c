#include "report/report.h"
#include "text/html.h"
#include "text/person.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct prn_interval statistic(const struct report *report, const char *name)
{
	return prn_longevity_statistic(report->longevity, report->scope, prn_statistic_find(name));
}

/* Prints "33 % (21 to 45 %)", or "33 %" without an interval. */
static void print_share(FILE *out, struct prn_interval share)
{
	int decimals = 100 * share.value < 10 ? 1 : 0;

	if (isnan(share.value))
		fputs("an unknown share", out);
	else if (isnan(share.low))
		fprintf(out, "%.*f %%", decimals, 100 * share.value);
	else
		fprintf(out, "%.*f %% (%.*f to %.*f %%)", decimals, 100 * share.value, decimals, 100 * share.low, decimals,
		        100 * share.high);
}

static void print_days(FILE *out, double days)
{
	char text[TEXT_PERSON_BYTES];

	fputs(isnan(days) ? "longer than could be seen" : text_person_days(days, text), out);
}

static void print_watch(FILE *out, const struct report *report)
{
	size_t pages = prn_longevity_pages(report->longevity, report->scope);
	size_t left_out = prn_longevity_left_out(report->longevity, report->scope);

	fprintf(out, "<p>%zu page%s, watched for ", pages, pages == 1 ? "" : "s");
	print_days(out, statistic(report, "days").value);
	fprintf(out, " in the mean, in %.0f captures: from each page&#8217;s first content to its last before it is gone.",
	        statistic(report, "captures").value);
	if (left_out)
		fprintf(out, " (%zu with fewer than %d captures are left out.)", left_out, PRN_LIFE_CAPTURES);
	fputs(" Of the pages, ", out);
	print_share(out, statistic(report, "changed_pages"));
	fputs(" changed at all; a capture differed from the one before in ", out);
	print_share(out, statistic(report, "change_frequency"));
	fputs(" of cases. By when half of the pages have changed or gone: ", out);
	print_days(out, statistic(report, "half_life_days").value);
	fputs(".</p>\n", out);
}

static void print_structure(FILE *out, const struct report *report)
{
	fputs("<p>Averaged over pages, ", out);
	print_share(out, statistic(report, "static_share"));
	fputs(" of the content that was there is static, ", out);
	print_share(out, statistic(report, "churn_share"));
	fputs(" churns away with the next change, and ", out);
	print_share(out, statistic(report, "scroll_share"));
	fputs(" scrolls: it survives changes, then goes. Of the fragments that were born, ", out);
	print_share(out, statistic(report, "churn_of_births"));
	fputs(" were churn (Olston and Pandey found 67 %). Half of the fragments live longer than ", out);
	print_days(out, statistic(report, "lifetime_median_days").value);
	fputs(".</p>\n", out);
}

static void print_limits(FILE *out, const struct report *report)
{
	struct prn_interval p = statistic(report, "poisson_p");
	double half = statistic(report, "static_half").value - statistic(report, "static_share").value;

	fputs("<p>What this cannot see: if updates came at random times, ", out);
	print_share(out, statistic(report, "hidden_changes"));
	fputs(" of them would be hidden by others between two captures; and what outlives the watch counts as static", out);
	if (half >= 0.0005)
		fprintf(out, " (over half of the time, the static share was %.1f points higher)", 100 * half);
	fputs(".", out);
	if (!isnan(p.value))
		fprintf(out, " The changes of pages %s a Poisson process would (p = %.3g).",
		        p.value <= 0.05 ? "do not come as those of" : "come much as those of", p.value);
	fputs("</p>\n", out);
}

void report_words_print(FILE *out, const struct report *report)
{
	print_watch(out, report);
	print_structure(out, report);
	print_limits(out, report);
}

/* Prints "At cost 0.2: uniform 0.0610, cgm 0.0517, …" */
static int read_staleness(FILE *out, const struct report *report, enum prn_window window, bool ratio,
                          struct prn_error *error)
{
	const struct prn_sweeps *sweeps = report->evaluated.sweeps;
	const double cost = REPORT_COST;
	struct prn_compared *compared;
	const char *before = "";
	int code = report_compare_at(report, &report->evaluated, window, &cost, 1, &compared, error);

	if (code)
		return code;
	fprintf(out, "At cost %g: ", cost);
	for (size_t i = 0; i < prn_sweeps_count(sweeps); i++) {
		double value = ratio ? compared[i].ratio.value : compared[i].value.value;

		if (isnan(value))
			continue;
		fprintf(out, "%s%s %.*f", before, prn_sweeps_specification(sweeps, i), ratio ? 2 : 4, value);
		before = ", ";
	}
	fputs(*before ? "." : "no policy can be tuned there.", out);
	free(compared);
	return 0;
}

static void read_median(FILE *out, struct prn_interval median, const char *what)
{
	fprintf(out, "%s ", what);
	print_days(out, median.value);
	if (!isnan(median.low)) {
		fputs(" (95 % interval: ", out);
		print_days(out, median.low);
		fputs(" to ", out);
		print_days(out, median.high);
		fputs(")", out);
	}
	fputs(".", out);
}

static void read_stripes(FILE *out, const struct report *report, const char *nature)
{
	for (int i = 0; i < PRN_NATURES; i++) {
		const struct report_page *page = report->examples[i];

		if (!page || strcmp(prn_nature_name((enum prn_nature)i), nature))
			continue;
		fprintf(out, "%s: %zu captures, %zu changes, %zu fragments", page->url, page->captures, page->changes,
		        page->fragments);
		if (i != PRN_NATURE_STATIC)
			fprintf(out, ", %.0f %% of its content static", 100 * page->constant);
		fputs(i == PRN_NATURE_STATIC ? ". It stands in the middle of the pages of its kind, by size."
		                             : ". It stands in the middle, by static share, of that half of its kind that changes most.",
		      out);
		if (page->fragments > REPORT_STRIPES)
			fprintf(out, " %d of its fragments are drawn, evenly from all.", REPORT_STRIPES);
	}
}

/* Prints what can be read off a figure, if anything. */
static int print_reading(FILE *out, const struct report *report, const char *figure, struct prn_error *error)
{
	if (!strcmp(figure, "staleness"))
		return read_staleness(out, report, PRN_WINDOW_STEADY, false, error);
	if (!strcmp(figure, "warm-up"))
		return read_staleness(out, report, PRN_WINDOW_WARM_UP, false, error);
	if (!strcmp(figure, "ratio"))
		return read_staleness(out, report, PRN_WINDOW_STEADY, true, error);
	if (!strcmp(figure, "footprint") && report->pages.count > REPORT_FOOTPRINT_PAGES)
		fprintf(out, "Replayed over the histories of %d of the %zu pages, drawn by their URLs.", REPORT_FOOTPRINT_PAGES,
		        report->pages.count);
	else if (!strcmp(figure, "lifetimes"))
		read_median(out, statistic(report, "lifetime_median_days"), "Median lifetime:");
	else if (!strcmp(figure, "survival"))
		read_median(out, statistic(report, "half_life_days"), "Half-life:");
	else if (!strcmp(figure, "poisson"))
		fprintf(out, "p = %.3g.", statistic(report, "poisson_p").value);
	else if (!strcmp(figure, "frequency") && !isnan(statistic(report, "correlation").value))
		fprintf(out, "Correlation %.2f; with the logarithm of lifetime %.2f (Olston and Pandey: 0.67, sign not printed).",
		        statistic(report, "correlation").value, statistic(report, "log_correlation").value);
	else if (!strncmp(figure, "stripes-", 8))
		read_stripes(out, report, figure + 8);
	return 0;
}

int report_words_read(const struct report *report, const char *figure, char **text, struct prn_error *error)
{
	char *made = NULL;
	size_t length;
	FILE *out = open_memstream(&made, &length);
	int code;

	if (!out)
		return prn_error_memory(error);
	code = print_reading(out, report, figure, error);
	if (fclose(out) && !code)
		code = prn_error_memory(error);
	if (code || !length) {
		free(made);
		made = NULL;
	}
	if (!code)
		*text = made;
	return code;
}
