/*
 * What the parts of `perennial report` share: the work goes from measuring and judging, through tables in a folder and
 * gnuplot, to one page.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/findings.h"
#include "cli/inputs.h"
#include "cli/lineup.h"
#include "cli/options.h"
#include "perennial/evaluate.h"
#include "perennial/longevity.h"

/* A page as the gallery chooses from. */
struct cli_report_page {
	size_t index; /* in pages */
	char *url;    /* owned */
	enum prn_nature nature;
	size_t captures, changes, fragments;
	double constant; /* the static share */
};

/* Policies that were tried on the pages. */
struct cli_trial {
	struct cli_lineup lineup;
	struct cli_settings settings[CLI_SETTINGS];
	struct prn_evaluation *evaluation;
};

struct cli_report {
	/* given */
	const char *output, *folder; /* folder: of tables, scripts and pictures */
	struct cli_list policies, learn;
	const char *clock_name;
	enum prn_clock clock;
	uint64_t seed;
	size_t resamples, draws, threads;
	int argc;
	char **argv;

	/* found */
	struct cli_inputs inputs;
	struct prn_trace_pool pool;
	struct prn_pages pages;
	struct cli_corpora corpora;
	struct prn_longevity *longevity;
	size_t scope; /* of all pages */
	struct cli_report_page *rows;
	size_t row_count, row_capacity;
	const struct cli_report_page *gallery[PRN_NATURES]; /* by nature; NULL: no page of it */
	char **defaults; /* [corpora] of policies */
	struct cli_trial policies_trial;
};

/* The costs at which policies are compared. */
#define CLI_REPORT_COSTS 10
extern const double cli_report_costs[CLI_REPORT_COSTS];
#define CLI_REPORT_COST 0.2       /* the one that is told in words */
#define CLI_REPORT_REFERENCE "cgm" /* what ratios are to */

#define CLI_REPORT_STRIPES 240 /* of a page with more fragments than this, so many are drawn */

/* Opens a file of the folder for writing, or returns NULL with *error; closes it, or fails.  Negative codes. */
FILE *cli_report_open(const struct cli_report *report, const char *name, struct prn_error *error);
int cli_report_close(const struct cli_report *report, const char *name, FILE *file, struct prn_error *error);

/* Measures the pages, chooses the gallery, and writes the tables of `perennial measure` and the stripes. */
int cli_report_measure(struct cli_report *report, struct prn_error *error);

/* Tries the policies, the yardsticks, and small summaries, and writes tables as `perennial evaluate` does. */
int cli_report_judge(struct cli_report *report, struct prn_error *error);
void cli_trial_release(struct cli_trial *trial);

/* Compares the policies of a trial in one window at costs; the caller frees [policies x costs]. */
struct prn_compared *cli_report_compare(const struct cli_report *report, const struct cli_trial *trial,
                                        enum prn_window window, const double *costs, size_t cost_count);

/*
 * Figures stand in sections, in the order of the page.  Each is a script of src/cli/report/, which carries its title
 * and caption; one is drawn if there is anything to draw.
 */
struct cli_figure {
	const char *name;    /* of the script, without ".gp" */
	const char *section; /* a heading above it, or NULL: as the one before */
	bool (*wanted)(const struct cli_report *report); /* NULL: always */
};

extern const struct cli_figure cli_figures[]; /* ends with a NULL name */

bool cli_figure_is_wanted(const struct cli_report *report, const struct cli_figure *figure);

/* The text after "# KEY: " in a figure's script; the caller frees it. */
char *cli_figure_says(const struct cli_figure *figure, const char *key);

/* Whether gnuplot can be run.  PRN_E_NOT_FOUND with what to do about it. */
int cli_figures_check(struct prn_error *error);

/* Writes the scripts to the folder and has gnuplot draw "NAME.svg" of each figure that is wanted. */
int cli_figures_draw(const struct cli_report *report, struct prn_error *error);

/* Reads a file of the folder whole, NUL-terminated; the caller frees it. */
int cli_report_read(const struct cli_report *report, const char *name, char **text, struct prn_error *error);

/* In words: what the corpus is like, as paragraphs of HTML; and what one figure shows, as plain text (NULL: nothing to add). */
void cli_report_tell(FILE *out, const struct cli_report *report);
char *cli_report_reading(const struct cli_report *report, const char *figure);

/* Writes text as HTML. */
void cli_html_text(FILE *out, const char *text);

/* Writes the page. */
int cli_report_page(const struct cli_report *report, struct prn_error *error);

#endif
