#include "cli/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TYPICAL_CHANGES 5  /* a page of the gallery changes at least so often, if it changes at all */
#define TYPICAL_FRAGMENTS 10

static char *path_of(const struct cli_report *report, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", report->folder, name) < 0)
		abort();
	return path;
}

FILE *cli_report_open(const struct cli_report *report, const char *name, struct prn_error *error)
{
	char *path = path_of(report, name);
	FILE *file = fopen(path, "we");

	if (!file)
		prn_error_set(error, PRN_E_IO, "%s: cannot be written: %s", path, strerror(errno));
	free(path);
	return file;
}

int cli_report_close(const struct cli_report *report, const char *name, FILE *file, struct prn_error *error)
{
	int bad = ferror(file);

	if (!fclose(file) && !bad)
		return 0;
	return prn_error_set(error, PRN_E_IO, "%s/%s: cannot be written: %s", report->folder, name, strerror(errno));
}

struct measuring {
	struct cli_report *report;
	struct cli_table *table;
};

static void keep_page(struct cli_report *report, size_t i, const char *url, const struct prn_study_result *result)
{
	if (report->row_count == report->row_capacity) {
		report->row_capacity = report->row_capacity ? 2 * report->row_capacity : 64;
		report->rows = realloc(report->rows, report->row_capacity * sizeof *report->rows);
		if (!report->rows)
			abort();
	}
	report->rows[report->row_count] = (struct cli_report_page){
		.index = i,
		.url = strdup(url),
		.nature = result->nature,
		.captures = result->captures,
		.changes = result->changes,
		.fragments = result->fragments,
		.constant = result->shares.constant,
	};
	if (!report->rows[report->row_count++].url)
		abort();
}

static int see_page(void *context, size_t i, const struct prn_page *page, const struct prn_study *study,
                    double poisson_p, struct prn_error *error)
{
	struct measuring *measuring = context;
	struct cli_report *report = measuring->report;
	const struct prn_study_result *result = prn_study_result(study);

	(void)error;
	cli_page_row(measuring->table, report->corpora.names[report->pages.corpus(report->pages.context, i)], page, result,
	             poisson_p);
	keep_page(report, i, page->url, result);
	return 0;
}

static int measure_pages(struct cli_report *report, struct prn_error *error)
{
	struct measuring measuring = { .report = report };
	struct prn_longevity_options options = {
		.seed = report->seed, .resamples = report->resamples, .draws = report->draws,
		.each = see_page, .context = &measuring,
	};
	FILE *file = cli_report_open(report, "pages.tsv", error);
	int code, closed;

	if (!file)
		return PRN_E_IO;
	measuring.table = cli_table_open_in(file, CLI_FORMAT_TSV, cli_page_columns);
	code = prn_longevity_run(&report->longevity, &report->pages, &options, error);
	cli_table_close(measuring.table, NULL);
	closed = cli_report_close(report, "pages.tsv", file, code ? NULL : error);
	return code ? code : closed;
}

static int write_findings(const struct cli_report *report, struct prn_error *error)
{
	static const struct {
		const char *name;
		cli_findings_fn *print;
	} tables[] = {
		{ "statistics.tsv", cli_findings_statistics }, { "bars.tsv", cli_findings_bars },
		{ "lifetimes.tsv", cli_findings_lifetimes },   { "survival.tsv", cli_findings_survival },
		{ "k.tsv", cli_findings_k },                   { "scaled.tsv", cli_findings_scaled },
		{ "intervals.tsv", cli_findings_intervals },
	};
	const struct cli_findings findings = { report->longevity, &report->corpora };
	int code = 0;

	for (size_t i = 0; i < sizeof tables / sizeof *tables && !code; i++) {
		FILE *file = cli_report_open(report, tables[i].name, error);

		if (!file)
			return PRN_E_IO;
		tables[i].print(file, &findings, CLI_FORMAT_TSV, NULL);
		code = cli_report_close(report, tables[i].name, file, error);
	}
	return code;
}

static bool is_typical(const struct cli_report_page *page, enum prn_nature nature)
{
	return page->nature == nature && page->fragments >= TYPICAL_FRAGMENTS &&
	       (nature == PRN_NATURE_STATIC || page->changes >= TYPICAL_CHANGES);
}

/* What a page of a nature is judged by: static pages have their size only. */
static double trait(const struct cli_report_page *page)
{
	return page->nature == PRN_NATURE_STATIC ? (double)page->fragments : page->constant;
}

static int trait_order(const void *a, const void *b)
{
	const struct cli_report_page *x = *(const struct cli_report_page *const *)a;
	const struct cli_report_page *y = *(const struct cli_report_page *const *)b;

	if (trait(x) < trait(y) || trait(x) > trait(y))
		return trait(x) < trait(y) ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static int changes_order(const void *a, const void *b)
{
	const struct cli_report_page *x = *(const struct cli_report_page *const *)a;
	const struct cli_report_page *y = *(const struct cli_report_page *const *)b;

	if (x->changes != y->changes)
		return x->changes > y->changes ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Of the half that changes most, there being something to see, the one in the middle by the trait. */
static void choose_gallery(struct cli_report *report)
{
	const struct cli_report_page **typical = calloc(report->row_count + 1, sizeof *typical);

	if (!typical)
		abort();
	for (int nature = 0; nature < PRN_NATURES; nature++) {
		size_t count = 0;

		for (size_t i = 0; i < report->row_count; i++)
			if (is_typical(&report->rows[i], (enum prn_nature)nature))
				typical[count++] = &report->rows[i];
		qsort(typical, count, sizeof *typical, changes_order);
		if (nature != PRN_NATURE_STATIC)
			count = (count + 1) / 2;
		qsort(typical, count, sizeof *typical, trait_order);
		report->gallery[nature] = count ? typical[count / 2] : NULL;
	}
	free(typical);
}

/* A fragment of the page: its lifetimes stand together. */
struct fragment {
	const struct prn_lifetime *first;
	size_t lives;
};

/* In the order of first appearance; of those that came together, the one that was last seen first goes first. */
static int fragment_order(const void *a, const void *b)
{
	const struct fragment *x = a, *y = b;
	uint32_t gone_x = x->first[x->lives - 1].to, gone_y = y->first[y->lives - 1].to;

	if (x->first->from != y->first->from)
		return x->first->from < y->first->from ? -1 : 1;
	if (gone_x != gone_y)
		return gone_x < gone_y ? -1 : 1;
	return (x->first->hash > y->first->hash) - (x->first->hash < y->first->hash);
}

static struct fragment *order_fragments(const struct prn_study *study, size_t *count)
{
	size_t lives;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(study, &lives);
	struct fragment *fragments = calloc(lives + 1, sizeof *fragments);

	if (!fragments)
		abort();
	*count = 0;
	for (size_t i = 0; i < lives; i++) {
		if (i && lifetimes[i].hash == lifetimes[i - 1].hash)
			fragments[*count - 1].lives++;
		else
			fragments[(*count)++] = (struct fragment){ &lifetimes[i], 1 };
	}
	qsort(fragments, *count, sizeof *fragments, fragment_order);
	return fragments;
}

static void write_stripes(FILE *file, const struct prn_page *page, const struct prn_study *study)
{
	static const struct cli_column columns[] = {
		{ "fragment", CLI_COLUMN_COUNT, 0 }, { "from", CLI_COLUMN_NUMBER, 4 }, { "to", CLI_COLUMN_NUMBER, 4 },
		{ "region", CLI_COLUMN_TEXT, 0 },    { NULL, CLI_COLUMN_TEXT, 0 },
	};
	size_t count, shown, first;
	struct fragment *fragments = order_fragments(study, &count);
	struct cli_table *table = cli_table_open_in(file, CLI_FORMAT_TSV, columns);

	shown = count < CLI_REPORT_STRIPES ? count : CLI_REPORT_STRIPES;
	first = fragments[0].first->from;
	for (size_t i = 0; i < shown; i++) {
		const struct fragment *fragment = &fragments[i * count / shown];

		for (size_t j = 0; j < fragment->lives; j++) {
			const struct prn_lifetime *life = &fragment->first[j];
			double from = (double)(page->captures[life->from].time - page->captures[first].time) / 86400;

			cli_table_count(table, i + 1);
			cli_table_number(table, from);
			cli_table_number(table, from + life->days);
			cli_table_text(table, prn_region_name(life->region));
		}
	}
	cli_table_close(table, NULL);
	free(fragments);
}

static int write_page_stripes(const struct cli_report *report, const struct cli_report_page *row,
                              struct prn_study *study, struct prn_page *page, struct prn_error *error)
{
	int code = report->pages.read(report->pages.context, row->index, page, error);
	char name[64];
	FILE *file;

	if (code < 0)
		return code;
	code = prn_study_read(study, page);
	if (code < 0)
		return prn_error_set(error, code, "%s: no memory to measure it", row->url);
	snprintf(name, sizeof name, "stripes-%s.tsv", prn_nature_name(row->nature));
	file = cli_report_open(report, name, error);
	if (!file)
		return PRN_E_IO;
	write_stripes(file, page, study);
	return cli_report_close(report, name, file, error);
}

static int write_gallery(const struct cli_report *report, struct prn_error *error)
{
	struct prn_study *study;
	struct prn_page page;
	int code = prn_study_open(&study);

	if (code)
		return prn_error_set(error, code, "no memory to measure pages");
	prn_page_init(&page);
	for (int nature = 0; nature < PRN_NATURES && !code; nature++)
		if (report->gallery[nature])
			code = write_page_stripes(report, report->gallery[nature], study, &page, error);
	prn_page_release(&page);
	prn_study_free(study);
	return code;
}

int cli_report_measure(struct cli_report *report, struct prn_error *error)
{
	int code = measure_pages(report, error);

	if (!code)
		code = write_findings(report, error);
	if (code)
		return code;
	report->scope = prn_longevity_scopes(report->longevity) - 1;
	choose_gallery(report);
	return write_gallery(report, error);
}
