#include "perennial/time.h"
#include "report/report.h"
#include "base/buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TYPICAL_CHANGES 5  /* the least number of changes of an example page, unless it is static */
#define TYPICAL_FRAGMENTS 10

struct measuring {
	struct report *report;
	struct report_groups *groups;
	struct term_table *table;
};

static int keep_page(struct report *report, size_t i, const char *url, const struct prn_study_result *result,
                     struct prn_error *error)
{
	struct report_page *rows = prn_array_grow(report->rows, &report->row_capacity, report->row_count + 1, sizeof *rows);
	char *copy = strdup(url);

	if (rows)
		report->rows = rows;
	if (!rows || !copy) {
		free(copy);
		return prn_error_memory(error);
	}
	rows[report->row_count++] = (struct report_page){
		.index = i,
		.url = copy,
		.nature = result->nature,
		.captures = result->captures,
		.changes = result->changes,
		.fragments = result->fragments,
		.constant = result->shares.constant,
		.churn = result->shares.churn,
		.scroll = result->shares.scroll,
		.frequency = result->change_frequency,
		.interval = result->interval_days,
		.longevity = result->longevity_days,
	};
	return 0;
}

static void keep_times(struct report *report, const struct prn_page *page)
{
	size_t first, last;

	if (prn_page_life(page, &first, &last))
		return;
	if (!report->row_count || page->captures[first].time < report->begins)
		report->begins = page->captures[first].time;
	if (!report->row_count || page->captures[last].time > report->ends)
		report->ends = page->captures[last].time;
}

static int see_page(void *context, size_t i, const struct prn_page *page, const struct prn_study *study,
                    double poisson_p, struct prn_error *error)
{
	struct measuring *measuring = context;
	struct report *report = measuring->report;
	const struct prn_study_result *result = prn_study_result(study);

	keep_times(report, page);
	report_page_row(measuring->table, report->corpora.names[report->pages.corpus(report->pages.context, i)], page, result,
	             poisson_p);
	if (report_groups_add(measuring->groups, study))
		return prn_error_memory(error);
	return keep_page(report, i, page->url, result, error);
}

static int measure_pages(struct report *report, struct prn_error *error)
{
	struct measuring measuring = { .report = report };
	struct prn_longevity_options options = {
		.seed = report->seed, .resamples = report->resamples, .draws = report->draws,
		.each = see_page, .context = &measuring,
	};
	FILE *file;
	int closed, code = report_groups_open(&measuring.groups);

	if (code)
		return prn_error_memory(error);
	code = report_open(report, "pages.tsv", &file, error);
	if (code) {
		report_groups_free(measuring.groups);
		return code;
	}
	measuring.table = term_table_open_in(file, TERM_FORMAT_GNUPLOT, report_page_columns);
	code = prn_longevity_run(&report->longevity, &report->pages, &options, error);
	closed = term_table_close(measuring.table, NULL, code ? NULL : error);
	code = report_close(report, "pages.tsv", file, code ? code : closed, error);
	if (!code)
		code = report_groups_write(report, measuring.groups, error);
	report_groups_free(measuring.groups);
	return code;
}

static int write_longevity(const struct report *report, struct prn_error *error)
{
	static const struct {
		const char *name;
		enum report_view view;
	} tables[] = {
		{ "statistics.tsv", REPORT_VIEW_STATISTICS }, { "bars.tsv", REPORT_VIEW_BARS },
		{ "lifetimes.tsv", REPORT_VIEW_LIFETIMES },   { "survival.tsv", REPORT_VIEW_SURVIVAL },
		{ "k.tsv", REPORT_VIEW_K },                   { "scaled.tsv", REPORT_VIEW_SCALED },
		{ "intervals.tsv", REPORT_VIEW_INTERVALS },
	};
	const struct report_longevity measured = { report->longevity, &report->corpora };
	int code = 0;

	for (size_t i = 0; i < sizeof tables / sizeof *tables && !code; i++) {
		FILE *file;

		code = report_open(report, tables[i].name, &file, error);
		if (code)
			return code;
		code = report_longevity_print(file, &measured, tables[i].view, TERM_FORMAT_GNUPLOT, NULL, error);
		code = report_close(report, tables[i].name, file, code, error);
	}
	return code;
}

static bool is_typical(const struct report_page *page, enum prn_nature nature)
{
	return page->nature == nature && page->fragments >= TYPICAL_FRAGMENTS &&
	       (nature == PRN_NATURE_STATIC || page->changes >= TYPICAL_CHANGES);
}

/* Returns the number by which pages of a nature are ordered; static pages differ only in size. */
static double trait(const struct report_page *page)
{
	return page->nature == PRN_NATURE_STATIC ? (double)page->fragments : page->constant;
}

static int trait_order(const void *a, const void *b)
{
	const struct report_page *x = *(const struct report_page *const *)a;
	const struct report_page *y = *(const struct report_page *const *)b;

	if (trait(x) < trait(y) || trait(x) > trait(y))
		return trait(x) < trait(y) ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Chooses the median page by that number from the half of the pages that changes most, so that there is something to see. */
static int choose_examples(struct report *report, struct prn_error *error)
{
	const struct report_page **typical = calloc(report->row_count + 1, sizeof *typical);

	if (!typical)
		return prn_error_memory(error);
	for (int nature = 0; nature < PRN_NATURES; nature++) {
		size_t count = 0;

		for (size_t i = 0; i < report->row_count; i++)
			if (is_typical(&report->rows[i], (enum prn_nature)nature))
				typical[count++] = &report->rows[i];
		qsort(typical, count, sizeof *typical, report_changes_order);
		if (nature != PRN_NATURE_STATIC)
			count = (count + 1) / 2;
		qsort(typical, count, sizeof *typical, trait_order);
		report->examples[nature] = count ? typical[count / 2] : NULL;
	}
	free(typical);
	return 0;
}

/* A fragment of the page: its lifetimes are adjacent. */
struct fragment {
	const struct prn_lifetime *first;
	size_t lives;
};

/* Orders fragments by their first appearance, and those that came together by when they were last seen. */
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

/* Returns the fragments in that order, [*count]; the caller frees them.  NULL without memory. */
static struct fragment *order_fragments(const struct prn_study *study, size_t *count)
{
	size_t lives;
	const struct prn_lifetime *lifetimes = prn_study_lifetimes(study, &lives);
	struct fragment *fragments = calloc(lives + 1, sizeof *fragments);

	if (!fragments)
		return NULL;
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

static int write_stripes(FILE *file, const struct prn_page *page, const struct prn_study *study,
                         struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "fragment", TERM_COLUMN_COUNT, 0 }, { "from", TERM_COLUMN_NUMBER, 4 }, { "to", TERM_COLUMN_NUMBER, 4 },
		{ "region", TERM_COLUMN_TEXT, 0 },    { NULL, TERM_COLUMN_TEXT, 0 },
	};
	size_t count, shown, first;
	struct fragment *fragments = order_fragments(study, &count);
	struct term_table *table;

	if (!fragments)
		return prn_error_memory(error);
	table = term_table_open_in(file, TERM_FORMAT_GNUPLOT, columns);
	shown = count < REPORT_STRIPES ? count : REPORT_STRIPES;
	first = fragments[0].first->from;
	for (size_t i = 0; i < shown; i++) {
		const struct fragment *fragment = &fragments[i * count / shown];

		for (size_t j = 0; j < fragment->lives; j++) {
			const struct prn_lifetime *life = &fragment->first[j];
			double from = (double)(page->captures[life->from].time - page->captures[first].time) / PRN_DAY_S;

			term_table_count(table, i + 1);
			term_table_number(table, from);
			term_table_number(table, from + life->days);
			term_table_text(table, prn_region_name(life->region));
		}
	}
	free(fragments);
	return term_table_close(table, NULL, error);
}

static int write_page_stripes(const struct report *report, const struct report_page *row,
                              struct prn_study *study, struct prn_page *page, struct prn_error *error)
{
	int code = report->pages.read(report->pages.context, row->index, page, error);
	char name[64];
	FILE *file;

	if (code < 0)
		return code;
	code = prn_study_read(study, page);
	if (code < 0)
		return prn_error_set(error, code, "%s: %s", row->url, prn_error_text(code));
	snprintf(name, sizeof name, "stripes-%s.tsv", prn_nature_name(row->nature));
	code = report_open(report, name, &file, error);
	if (code)
		return code;
	code = write_stripes(file, page, study, error);
	return report_close(report, name, file, code, error);
}

static int write_examples(const struct report *report, struct prn_error *error)
{
	struct prn_study *study;
	struct prn_page page;
	int code = prn_study_open(&study);

	if (code)
		return prn_error_set(error, code, "%s", prn_error_text(code));
	prn_page_init(&page);
	for (int nature = 0; nature < PRN_NATURES && !code; nature++)
		if (report->examples[nature])
			code = write_page_stripes(report, report->examples[nature], study, &page, error);
	prn_page_release(&page);
	prn_study_free(study);
	return code;
}

int report_measure(struct report *report, struct prn_error *error)
{
	int code = measure_pages(report, error);

	if (!code)
		code = write_longevity(report, error);
	if (code)
		return code;
	report->scope = prn_longevity_scopes(report->longevity) - 1;
	code = choose_examples(report, error);
	code = code ? code : write_examples(report, error);
	return code ? code : report_utility(report, error);
}
