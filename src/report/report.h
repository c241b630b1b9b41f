/*
 * What the parts of `perennial report` share: the work goes from measuring pages and evaluating policies, through tables in a
 * folder and gnuplot, to one page.  What can fail returns 0 or a negative code with *error.
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

/* A page as the example pages are chosen from. */
struct report_page {
	size_t index; /* in pages */
	char *url;    /* owned */
	enum prn_nature nature;
	size_t captures, changes, fragments;
	double constant, churn, scroll; /* shares; NaN: not known */
	double frequency; /* of changes, in [0, 1] */
	double interval, longevity; /* days a change, and of known lifetimes in the mean; INFINITY or NaN without any */
	char *shown; /* owned; the file of its page of `perennial show` in the folder of those; NULL: none */
};

/* Policies, and what came of them on the pages. */
struct report_evaluation {
	struct prn_sweeps *sweeps;
	struct prn_evaluation *evaluation;
};

/* Pages, or of many some, drawn by a hash of their URLs: of two samples the smaller is part of the larger. */
struct report_sample {
	struct prn_pages pages;
	struct prn_pages_part part;
	size_t *members; /* owned; NULL: all pages */
};

#define REPORT_FOOTPRINT_PAGES 1000 /* of more, so many are sampled for the figure on summary sizes */
#define REPORT_QUICK_PAGES 1000     /* and, where it is to be quick, for all that policies are judged by */

struct report {
	/* given */
	bool quick; /* policies are judged on a sample of pages, and the figure on summary sizes is left out */
	const char *output, *folder; /* folder: of tables, scripts and pictures */
	const char *show; /* folder beside the page with those of `perennial show`; NULL: none */
	struct term_list policies, learn;
	struct term_filter filter; /* of the pages that it is about */
	const char *clock_name;
	enum prn_clock clock;
	uint64_t seed;
	size_t resamples, draws, threads; /* resamples: with papers, simulated pages */
	int argc;
	char **argv;

	char **operands; /* [operand_count] what it is made of; borrowed */
	size_t operand_count;
	const struct report_figure *figures; /* of this report: of pages, or of papers */

	/* found */
	struct report_paper *papers; /* owned */
	size_t paper_count;
	struct term_inputs inputs;
	struct prn_trace_pool pool;
	struct prn_pages pages;
	struct report_sample judged; /* pages that policies are replayed over */
	int64_t begins, ends; /* the first and the last capture of any page's life; if there is a row */
	struct report_corpora corpora;
	struct prn_longevity *longevity;
	size_t scope; /* of all pages */
	struct report_page *rows;
	size_t row_count, row_capacity;
	const struct report_page *examples[PRN_NATURES]; /* by nature; NULL: no page of it */
	struct report_defaults defaults; /* of policies, by corpus */
	struct report_evaluation evaluated; /* the policies */
	bool has_ratios; /* the reference can be tuned to some of the costs, and there are policies beside it */
};

/* The costs at which policies are compared. */
#define REPORT_COSTS 10
extern const double report_costs[REPORT_COSTS];
#define REPORT_COST 0.2       /* the one that is told in words */
#define REPORT_REFERENCE "cgm" /* what ratios are to */

#define REPORT_STRIPES 240 /* of a page with more fragments than this, so many are drawn */

/* Opens a file of the folder for writing. */
int report_open(const struct report *report, const char *name, FILE **file, struct prn_error *error);

/* Closes it.  Returns PRN_E_IO if not all of it was written; or else code, which is what became of the work on it. */
int report_close(const struct report *report, const char *name, FILE *file, int code, struct prn_error *error);

/* Reads a file of the folder whole, NUL-terminated; the caller frees it. */
int report_read(const struct report *report, const char *name, char **text, struct prn_error *error);

/* Takes most of the pages, if there are more.  pages is borrowed for as long as the sample is used.  PRN_E_MEMORY */
int report_sample_make(struct report_sample *sample, const struct prn_pages *pages, size_t most, struct prn_error *error);
void report_sample_release(struct report_sample *sample);

/* Lifetimes on scroll pages by K, tallied page by page. */
struct report_groups;
int report_groups_open(struct report_groups **out); /* PRN_E_MEMORY */
void report_groups_free(struct report_groups *groups);
int report_groups_add(struct report_groups *groups, const struct prn_study *study); /* PRN_E_MEMORY */

/* Finishes them, and writes their table: scaled-k.tsv. */
int report_groups_write(const struct report *report, struct report_groups *groups, struct prn_error *error);

/* The example page whose utility is drawn; NULL: none changes, or has captures enough. */
const struct report_page *report_utility_page(const struct report *report);

/* Writes utility.tsv of it, if there is one. */
int report_utility(const struct report *report, struct prn_error *error);

/* Measures the pages, chooses the example pages, and writes the tables of `perennial measure` and the stripes. */
int report_measure(struct report *report, struct prn_error *error);

/* Evaluates the policies, the yardsticks, and small summaries, and writes tables as `perennial evaluate` does. */
int report_evaluate(struct report *report, struct prn_error *error);
void report_evaluation_release(struct report_evaluation *evaluated);

/* Compares policies in one window at costs, to [policies x costs], which the caller frees. */
int report_compare_at(const struct report *report, const struct report_evaluation *evaluated, enum prn_window window,
                      const double *costs, size_t cost_count, struct prn_compared **compared, struct prn_error *error);

/*
 * Figures stand in sections, in the order of the page.  Each is a script of src/report/page/, which carries its title
 * and caption; one is drawn if there is anything to draw.
 */
struct report_figure {
	const char *name;    /* of the script, without ".gp" */
	const char *section; /* a heading above it, or NULL: as the one before */
	bool (*wanted)(const struct report *report); /* NULL: always */
};

extern const struct report_figure report_figures[], report_paper_figures[]; /* end with a NULL name */

bool report_figure_is_wanted(const struct report *report, const struct report_figure *figure);

/* The text after "# KEY: " in a figure's script, *length bytes, static. */
const char *report_figure_text(const struct report_figure *figure, const char *key, size_t *length);

/* Whether gnuplot can be run.  PRN_E_NOT_FOUND with what to do about it. */
int report_figures_check(struct prn_error *error);

/* Writes the scripts to the folder and has gnuplot draw "NAME.svg" of each figure that is wanted. */
int report_figures_draw(const struct report *report, struct prn_error *error);

/* Runs the experiments of the papers, and writes their tables. */
int report_papers(struct report *report, struct prn_error *error);

/* The table of them, and what it comes to, as HTML; ends the page's section. */
void report_papers_print(FILE *out, const struct report *report);

/*
 * The first screen, as a section of HTML: how stale copies are at the cost that is told in words, and which policies these pages
 * tell apart.  Where too few hosts or captures were seen it says so, and names no best one.  PRN_E_MEMORY
 */
int report_first_print(FILE *out, const struct report *report, struct prn_error *error);

/* For qsort, of pointers to struct report_page: those that change most first, and of equal ones in the order of the pages. */
int report_changes_order(const void *a, const void *b);

/* The pages [report->row_count] in report_changes_order; the caller frees the list.  PRN_E_MEMORY */
int report_pages_list(const struct report *report, struct report_page ***pages, struct prn_error *error);

/* Tables of sites and pages, as a section of HTML.  PRN_E_MEMORY */
int report_pages_print(FILE *out, const struct report *report, struct prn_error *error);

/* In words, as paragraphs of HTML: what the corpora are like. */
void report_words_print(FILE *out, const struct report *report);

/* In words, as plain text: what one figure shows.  The caller frees it; NULL: there is nothing to add to its caption. */
int report_words_read(const struct report *report, const char *figure, char **text, struct prn_error *error);

/* Writes the page. */
int report_page(const struct report *report, struct prn_error *error);

#endif
