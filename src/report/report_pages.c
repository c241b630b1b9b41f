#include "report/report.h"
#include "text/html.h"
#include "text/person.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 1000 /* rows of each table: nobody would scroll through more */

/* The pages of one host: sums over them. */
struct site {
	const char *host;
	size_t host_length, pages, changed, captures, changes;
	double frequency, constant, churn, scroll;
	size_t shared; /* pages of which the shares are known */
};

int report_changes_order(const void *a, const void *b)
{
	const struct report_page *x = *(const struct report_page *const *)a, *y = *(const struct report_page *const *)b;

	if (x->changes != y->changes)
		return x->changes > y->changes ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

int report_pages_list(const struct report *report, struct report_page ***pages, struct prn_error *error)
{
	struct report_page **list = calloc(report->row_count + 1, sizeof *list);

	if (!list)
		return prn_error_memory(error);
	for (size_t i = 0; i < report->row_count; i++)
		list[i] = &report->rows[i];
	qsort(list, report->row_count, sizeof *list, report_changes_order);
	*pages = list;
	return 0;
}

/* Prints a cell that is sorted by its number, whatever its text is. */
static void print_count(FILE *out, size_t count)
{
	fprintf(out, "<td>%zu</td>", count);
}

static void print_share(FILE *out, double share)
{
	if (isnan(share))
		fputs("<td data-v=\"-1\">–</td>", out);
	else
		fprintf(out, "<td data-v=\"%.6g\">%.1f %%</td>", share, 100 * share);
}

static void print_days(FILE *out, double days)
{
	char text[TEXT_PERSON_BYTES];

	if (isfinite(days))
		fprintf(out, "<td data-v=\"%.6g\">%s</td>", days, text_person_days(days, text));
	else
		fputs("<td data-v=\"-1\">–</td>", out);
}

static void begin_table(FILE *out, const char *id, const char *caption, const char *const *columns, size_t count)
{
	fprintf(out, "<div class=\"scroll tall\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table class=\"sorted\" id=\"%s\"><caption class=\"vh\">%s</caption>\n<thead><tr>",
	        caption, id, caption);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "<th scope=\"col\">%s</th>", columns[i]);
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out, size_t shown, size_t count, const char *what)
{
	fputs("</tbody></table></div>\n", out);
	if (shown < count)
		fprintf(out, "<p class=\"note\">%zu of %zu %s: those that change most. All are in pages.tsv (--data).</p>\n", shown, count, what);
}

static void print_page(FILE *out, const struct report *report, const struct report_page *page)
{
	fputs("<tr><th scope=\"row\">", out);
	if (page->shown) {
		fputs("<a href=\"", out);
		/* Characters that have a meaning in a relative link are percent-encoded. */
		for (const char *at = report->show; *at; at++)
			fprintf(out, isalnum((unsigned char)*at) || strchr("._-", *at) ? "%c" : "%%%02X", (unsigned char)*at);
		fprintf(out, "/%s\">", page->shown);
	}
	text_html_string(out, page->url);
	fprintf(out, "%s</th><td>%s</td>", page->shown ? "</a>" : "", prn_nature_name(page->nature));
	print_count(out, page->captures);
	print_count(out, page->changes);
	print_days(out, page->interval);
	print_share(out, page->constant);
	print_days(out, page->longevity);
	fputs("</tr>\n", out);
}

static int print_pages(FILE *out, const struct report *report, struct prn_error *error)
{
	static const char *const columns[] = { "page", "nature", "captures", "changes", "changes every", "static", "mean known lifetime" };
	size_t shown = report->row_count < ROWS ? report->row_count : ROWS;
	struct report_page **pages;
	int code = report_pages_list(report, &pages, error);

	if (code)
		return code;
	fputs("<h3>Pages</h3>\n", out);
	begin_table(out, "pages", "Pages", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < shown; i++)
		print_page(out, report, pages[i]);
	end_table(out, shown, report->row_count, "pages");
	free(pages);
	return 0;
}

static int host_order(const void *a, const void *b)
{
	const struct site *x = a, *y = b;
	size_t least = x->host_length < y->host_length ? x->host_length : y->host_length;
	int order = memcmp(x->host, y->host, least);

	return order ? order : (x->host_length > y->host_length) - (x->host_length < y->host_length);
}

static int frequency_order(const void *a, const void *b)
{
	const struct site *x = a, *y = b;
	double p = x->frequency / (double)x->pages, q = y->frequency / (double)y->pages;

	return p > q ? -1 : p < q ? 1 : host_order(a, b);
}

static struct site site_of(const struct report_page *page)
{
	struct site site = { .pages = 1, .changed = page->changes > 0, .captures = page->captures, .changes = page->changes,
		             .frequency = page->frequency };

	/* The host is shown as the URL has it, with its port. */
	site.host = strstr(page->url, "://");
	site.host = site.host ? site.host + 3 : page->url;
	site.host_length = strcspn(site.host, "/?#");
	if (isnan(page->constant))
		return site;
	site.shared = 1;
	site.constant = page->constant;
	site.churn = page->churn;
	site.scroll = page->scroll;
	return site;
}

static void join(struct site *site, const struct site *other)
{
	site->pages += other->pages;
	site->changed += other->changed;
	site->captures += other->captures;
	site->changes += other->changes;
	site->frequency += other->frequency;
	site->constant += other->constant;
	site->churn += other->churn;
	site->scroll += other->scroll;
	site->shared += other->shared;
}

/* Returns the sites [*count], which the caller frees; NULL without memory. */
static struct site *find_sites(const struct report *report, size_t *count)
{
	struct site *sites = calloc(report->row_count + 1, sizeof *sites);

	*count = 0;
	if (!sites)
		return NULL;
	for (size_t i = 0; i < report->row_count; i++)
		sites[i] = site_of(&report->rows[i]);
	qsort(sites, report->row_count, sizeof *sites, host_order);
	for (size_t i = 0; i < report->row_count; i++) {
		if (*count && !host_order(&sites[*count - 1], &sites[i]))
			join(&sites[*count - 1], &sites[i]);
		else
			sites[(*count)++] = sites[i];
	}
	qsort(sites, *count, sizeof *sites, frequency_order);
	return sites;
}

static int print_sites(FILE *out, const struct report *report, struct prn_error *error)
{
	static const char *const columns[] = { "site", "pages", "that changed", "captures", "change frequency", "static", "churn", "scroll" };
	size_t count, shown;
	struct site *sites = find_sites(report, &count);

	if (!sites)
		return prn_error_memory(error);
	shown = count < ROWS ? count : ROWS;
	fputs("<h3>Sites</h3>\n", out);
	begin_table(out, "sites", "Sites", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < shown; i++) {
		double shared = sites[i].shared ? (double)sites[i].shared : NAN;

		fputs("<tr><th scope=\"row\">", out);
		text_html_bytes(out, sites[i].host, sites[i].host_length);
		fputs("</th>", out);
		print_count(out, sites[i].pages);
		print_count(out, sites[i].changed);
		print_count(out, sites[i].captures);
		print_share(out, sites[i].frequency / (double)sites[i].pages);
		print_share(out, sites[i].constant / shared);
		print_share(out, sites[i].churn / shared);
		print_share(out, sites[i].scroll / shared);
		fputs("</tr>\n", out);
	}
	end_table(out, shown, count, "sites");
	free(sites);
	return 0;
}

int report_pages_print(FILE *out, const struct report *report, struct prn_error *error)
{
	int code;

	fputs("<section>\n<h2>Sites and pages</h2>\n<p class=\"filter\" hidden><label>Only those with <input type=\"search\" id=\"filter\"></label> "
	      "<span id=\"matches\" role=\"status\"></span></p>\n", out);
	code = print_sites(out, report, error);
	if (!code)
		code = print_pages(out, report, error);
	fputs("</section>\n", out);
	return code;
}
