/*
 * What the parts of `perennial report` share: the work goes from measuring and judging, through tables in a folder and
 * gnuplot, to one page.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/findings.h"
#include "term/inputs.h"
#include "report/lineup.h"
#include "term/options.h"
#include "perennial/comparison.h"
#include "perennial/longevity.h"

/* A page as the gallery chooses from. */
struct report_page {
	size_t index; /* in pages */
	char *url;    /* owned */
	enum prn_nature nature;
	size_t captures, changes, fragments;
	double constant; /* the static share */
};

/* Policies that were tried on the pages. */
struct report_trial {
	struct cli_lineup lineup;
	struct cli_settings settings[CLI_SETTINGS];
	struct prn_evaluation *evaluation;
};

struct report {
	/* given */
	const char *output, *folder; /* folder: of tables, scripts and pictures */
	struct term_list policies, learn;
	const char *clock_name;
	enum prn_clock clock;
	uint64_t seed;
	size_t resamples, draws, threads;
	int argc;
	char **argv;

	/* found */
	struct term_inputs inputs;
	struct prn_trace_pool pool;
	struct prn_pages pages;
	struct report_corpora corpora;
	struct prn_longevity *longevity;
	size_t scope; /* of all pages */
	struct report_page *rows;
	size_t row_count, row_capacity;
	const struct report_page *gallery[PRN_NATURES]; /* by nature; NULL: no page of it */
	char **defaults; /* [corpora] of policies */
	struct report_trial policies_trial;
};

/* The costs at which policies are compared. */
#define REPORT_COSTS 10
extern const double report_costs[REPORT_COSTS];
#define REPORT_COST 0.2       /* the one that is told in words */
#define REPORT_REFERENCE "cgm" /* what ratios are to */

#define REPORT_STRIPES 240 /* of a page with more fragments than this, so many are drawn */

/* Opens a file of the folder for writing, or returns NULL with *error; closes it, or fails.  Negative codes. */
FILE *report_open(const struct report *report, const char *name, struct prn_error *error);
int report_close(const struct report *report, const char *name, FILE *file, struct prn_error *error);

/* Measures the pages, chooses the gallery, and writes the tables of `perennial measure` and the stripes. */
int report_measure(struct report *report, struct prn_error *error);

/* Tries the policies, the yardsticks, and small summaries, and writes tables as `perennial evaluate` does. */
int report_judge(struct report *report, struct prn_error *error);
void report_trial_release(struct report_trial *trial);

/* Compares the policies of a trial in one window at costs; the caller frees [policies x costs]. */
struct prn_compared *report_compare(const struct report *report, const struct report_trial *trial,
                                        enum prn_window window, const double *costs, size_t cost_count);

/*
 * Figures stand in sections, in the order of the page.  Each is a script of src/report/page/, which carries its title
 * and caption; one is drawn if there is anything to draw.
 */
struct report_figure {
	const char *name;    /* of the script, without ".gp" */
	const char *section; /* a heading above it, or NULL: as the one before */
	bool (*wanted)(const struct report *report); /* NULL: always */
};

extern const struct report_figure report_figures[]; /* ends with a NULL name */

bool report_figure_is_wanted(const struct report *report, const struct report_figure *figure);

/* The text after "# KEY: " in a figure's script; the caller frees it. */
char *report_figure_says(const struct report_figure *figure, const char *key);

/* Whether gnuplot can be run.  PRN_E_NOT_FOUND with what to do about it. */
int report_figures_check(struct prn_error *error);

/* Writes the scripts to the folder and has gnuplot draw "NAME.svg" of each figure that is wanted. */
int report_figures_draw(const struct report *report, struct prn_error *error);

/* Reads a file of the folder whole, NUL-terminated; the caller frees it. */
int report_read(const struct report *report, const char *name, char **text, struct prn_error *error);

/* In words: what the corpus is like, as paragraphs of HTML; and what one figure shows, as plain text (NULL: nothing to add). */
void report_tell(FILE *out, const struct report *report);
char *report_reading(const struct report *report, const char *figure);

/* Writes text as HTML: markup escaped, control characters as spaces, bytes that are not UTF-8 as U+FFFD. */
void report_html_text(FILE *out, const char *text);

/* Writes the page. */
int report_page(const struct report *report, struct prn_error *error);

#endif
