/*
 * What the parts of `perennial report` share: it measures pages and evaluates policies, writes tables to a folder, has
 * gnuplot draw them, and puts it all into one page.  What can fail returns 0 or a negative code with *error.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/defaults.h"
#include "report/longevity.h"
#include "term/inputs.h"
#include "term/options.h"
#include "perennial/comparison.h"
#include "perennial/longevity.h"

struct report_figure;
struct report_paper;

/* What is known of a page when example pages are chosen. */
struct report_page {
	size_t index; /* in pages */
	char *url;    /* owned */
	enum prn_nature nature;
	size_t captures, changes, fragments;
	double constant, churn, scroll; /* shares; NaN: not known */
	double frequency; /* share of captures that changed, in [0, 1] */
	double interval, longevity; /* mean days between changes, and mean days of known lifetimes; INFINITY or NaN without any */
	char *shown; /* owned; the file of its page of `perennial show`, in the folder of those; NULL: none */
};

/* Policies, and their evaluation on the pages. */
struct report_evaluation {
	struct prn_sweeps *sweeps;
	struct prn_evaluation *evaluation;
};

/* All pages, or a sample of many, drawn by a hash of their URLs: the smaller of two samples is part of the larger. */
struct report_sample {
	struct prn_pages pages;
	struct prn_pages_part part;
	size_t *members; /* owned; NULL: all pages */
};

#define REPORT_FOOTPRINT_PAGES 1000 /* the most pages for the figure on summary sizes; more are sampled */
#define REPORT_QUICK_PAGES 1000     /* the most pages that policies are judged on with --quick */

struct report {
	/* given */
	bool quick; /* policies are judged on a sample of pages, and the figure on summary sizes is left out */
	const char *output, *folder; /* folder: where tables, scripts and pictures are written */
	const char *show; /* folder, beside the page, of the pages of `perennial show`; NULL: none */
	struct term_list policies, learn;
	struct term_filter filter; /* which captures the report is about */
	const char *clock_name;
	enum prn_clock clock;
	uint64_t seed;
	size_t resamples, draws, threads; /* resamples: with --papers the number of simulated pages */
	int argc;
	char **argv;

	char **operands; /* [operand_count] the operands; borrowed */
	size_t operand_count;
	const struct report_figure *figures; /* the figures of this report, which is about pages or papers */

	/* found */
	struct report_paper *papers; /* owned */
	size_t paper_count;
	struct term_inputs inputs;
	struct prn_trace_pool pool;
	struct prn_pages pages;
	struct report_sample judged; /* pages that policies are replayed over */
	int64_t begins, ends; /* times of the first and the last capture in the life of any page; set if there is a row */
	struct report_corpora corpora;
	struct prn_longevity *longevity;
	size_t scope; /* the scope of all pages */
	struct report_page *rows;
	size_t row_count, row_capacity;
	const struct report_page *examples[PRN_NATURES]; /* by nature; NULL: no page of it */
	struct report_defaults defaults; /* of policies, by corpus */
	struct report_evaluation evaluated; /* of the policies */
	bool has_ratios; /* the reference can be tuned to some of the costs, and there are other policies */
};

/* The costs at which policies are compared. */
#define REPORT_COSTS 10
extern const double report_costs[REPORT_COSTS];
#define REPORT_COST 0.2       /* the cost that is used in texts */
#define REPORT_REFERENCE "cgm" /* what ratios are to */

#define REPORT_STRIPES 240 /* the most fragments of a page that are drawn */

/* Opens a file of the folder for writing. */
int report_open(const struct report *report, const char *name, FILE **file, struct prn_error *error);

/* Closes it.  Returns PRN_E_IO if not all of it was written, or else code, the result of the work on it. */
int report_close(const struct report *report, const char *name, FILE *file, int code, struct prn_error *error);

/* A table in a file of the folder.  _close is also called where the work on it failed, with code, and returns as report_close. */
struct report_table {
	const char *name; /* of the file, borrowed */
	FILE *file;
	struct term_table *rows;
};
int report_table_open(const struct report *report, struct report_table *table, const char *name, enum term_format format,
                      const struct term_column *columns, struct prn_error *error);
int report_table_close(const struct report *report, struct report_table *table, int code, struct prn_error *error);

/* Reads a whole file of the folder, NUL-terminated; the caller frees it. */
int report_read(const struct report *report, const char *name, char **text, struct prn_error *error);

/* Samples most of the pages, if there are more.  pages is borrowed while the sample is used.  PRN_E_MEMORY */
int report_sample_make(struct report_sample *sample, const struct prn_pages *pages, size_t most, struct prn_error *error);
void report_sample_release(struct report_sample *sample);

/* Lifetimes on scroll pages by K, added page by page. */
struct report_groups;
int report_groups_open(struct report_groups **out); /* PRN_E_MEMORY */
void report_groups_free(struct report_groups *groups);
int report_groups_add(struct report_groups *groups, const struct prn_study *study); /* PRN_E_MEMORY */

/* Finishes them, and writes the table scaled-k.tsv. */
int report_groups_write(const struct report *report, struct report_groups *groups, struct prn_error *error);

/* Returns the example page whose utility is drawn; NULL: none changes or has enough captures. */
const struct report_page *report_utility_page(const struct report *report);

/* Writes utility.tsv of that page, if there is one. */
int report_utility(const struct report *report, struct prn_error *error);

/* Measures the pages, chooses the example pages, and writes the tables of `perennial measure` and the stripes. */
int report_measure(struct report *report, struct prn_error *error);

/* Evaluates the policies, the yardsticks, and small summaries, and writes tables as `perennial evaluate` does. */
int report_evaluate(struct report *report, struct prn_error *error);
void report_evaluation_release(struct report_evaluation *evaluated);

/* Compares policies in one window at costs; writes [policies x costs], which the caller frees. */
int report_compare_at(const struct report *report, const struct report_evaluation *evaluated, enum prn_window window,
                      const double *costs, size_t cost_count, struct prn_compared **compared, struct prn_error *error);

/*
 * Figures are in sections, in the order of the page.  Each is a script of src/report/page/, which has its title and caption;
 * it is drawn if there is anything to draw.
 */
struct report_figure {
	const char *name;    /* of the script, without ".gp" */
	const char *section; /* the heading of the section that it begins; NULL: it is in that of the figure before */
	bool (*wanted)(const struct report *report); /* NULL: always */
};

extern const struct report_figure report_figures[], report_paper_figures[]; /* end with a NULL name */

bool report_figure_is_wanted(const struct report *report, const struct report_figure *figure);

/* Returns the text after "# KEY: " in the script of a figure, *length bytes, static. */
const char *report_figure_text(const struct report_figure *figure, const char *key, size_t *length);

/* Checks that gnuplot can be run.  PRN_E_NOT_FOUND, with what to do about it */
int report_figures_check(struct prn_error *error);

/* Writes the scripts to the folder and has gnuplot draw "NAME.svg" of each figure that is wanted. */
int report_figures_draw(const struct report *report, struct prn_error *error);

/* Runs the experiments of the papers, and writes their tables. */
int report_papers(struct report *report, struct prn_error *error);

/* Writes the tables of what the papers know in closed form; figures "papers-orders" and the like draw them. */
int report_papers_forms(struct report *report, struct prn_error *error);

/* Prints the table of the experiments and its summary as HTML; ends the section of the page. */
void report_papers_print(FILE *out, const struct report *report);

/*
 * Prints the first screen, as a section of HTML: how stale copies are at REPORT_COST, and which policies differ on these
 * pages.  If too few hosts or captures were seen, it says so and names no best policy.  PRN_E_MEMORY
 */
int report_first_print(FILE *out, const struct report *report, struct prn_error *error);

/* For qsort of pointers to struct report_page: those that change most first, equal ones in the order of the pages. */
int report_changes_order(const void *a, const void *b);

/* Lists the pages [report->row_count] in report_changes_order; the caller frees the list.  PRN_E_MEMORY */
int report_pages_list(const struct report *report, struct report_page ***pages, struct prn_error *error);

/* Prints tables of sites and pages, as a section of HTML.  PRN_E_MEMORY */
int report_pages_print(FILE *out, const struct report *report, struct prn_error *error);

/* Describes the corpora in words, as paragraphs of HTML. */
void report_words_print(FILE *out, const struct report *report);

/* Describes in plain text what a figure shows.  The caller frees it; NULL: there is nothing to add to its caption. */
int report_words_read(const struct report *report, const char *figure, char **text, struct prn_error *error);

/* Writes the page to report->output, from the results, the tables and the pictures that were made before.  PRN_E_IO, PRN_E_MEMORY */
int report_page(const struct report *report, struct prn_error *error);

#endif
