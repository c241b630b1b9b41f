/* perennial estimate: visits on stdin → how often each page changes, on stdout. */
#include "base/buffer.h"
#include "base/quantile.h"
#include "cli/command.h"
#include "cli/methods.h"
#include "term/options.h"
#include "term/table.h"
#include "cli/visits.h"
#include "perennial/interval_prior.h"
#include "perennial/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OF_METHOD 4 /* columns of a method: the rate, the two ends of its interval, and how often to visit */
#define COLUMNS_MAX (OF_METHOD * CLI_METHODS_MAX + 2 + PRN_ESTIMATOR_CLASSES)
#define NAME_BYTES 400
#define CELLS 200 /* steps of the grid that a prior is fitted on, if none is given */

struct estimate_options {
	struct term_list methods, grid;
	const char *format;
	double interval;
	bool fit_prior, advice;
	uint64_t seed, fit_classes;
};

/*
 * Returns what an estimator knows of a page after all its visits, or NULL without memory.  Unless its specification bounds
 * them, it keeps every different interval, so that the estimate is exact.
 */
static double *learn(struct cli_method *method, const struct cli_visits *page)
{
	double *state;

	cli_method_fit(method, page->count);
	state = calloc(1, prn_estimator_state_size(&method->estimator));
	for (size_t i = 0; i < page->count && state; i++)
		prn_estimator_add(&method->estimator, state, &page->visits[i]);
	return state;
}

/* A row is a line of a table, or bare numbers with spaces between. */
struct output {
	struct term_table *table; /* NULL: bare */
	bool begun;
	char names[COLUMNS_MAX][NAME_BYTES];
	struct term_column columns[COLUMNS_MAX + 1];
};

static void put(struct output *output, double number, bool whole)
{
	char text[32];

	if (output->table && whole) {
		term_table_count(output->table, (uint64_t)number);
	} else if (output->table) {
		term_table_number(output->table, number);
	} else {
		term_number_exact(number, text);
		printf("%s%s", output->begun ? " " : "", text);
		output->begun = true;
	}
}

static void add_column(struct output *output, size_t *n, const char *prefix, const char *name, enum term_column_kind kind)
{
	snprintf(output->names[*n], NAME_BYTES, "%s%s%s", prefix, *prefix ? "_" : "", name);
	output->columns[*n] = (struct term_column){ output->names[*n], kind, 6 };
	++*n;
}

/* Makes the columns of each method, then visits and changes; if a single method has classes, they are columns too. */
static int open_table(struct output *output, enum term_format format, const struct estimate_options *given,
                      const struct cli_method *methods)
{
	size_t count = given->methods.count, n = 0;
	double unused[PRN_ESTIMATOR_CLASSES], *state = calloc(1, prn_estimator_state_size(&methods->estimator));
	size_t classes = count == 1 && state ? prn_estimator_probabilities(&methods->estimator, state, unused) : 0;

	if (!state)
		return PRN_E_MEMORY;
	free(state);
	for (size_t i = 0; i < count; i++) {
		const char *prefix = count == 1 ? "" : given->methods.items[i];

		add_column(output, &n, "", count == 1 ? "rate_per_day" : prefix, TERM_COLUMN_NUMBER);
		if (given->interval > 0) {
			add_column(output, &n, prefix, "low", TERM_COLUMN_NUMBER);
			add_column(output, &n, prefix, "high", TERM_COLUMN_NUMBER);
		}
		if (given->advice)
			add_column(output, &n, prefix, "every_days", TERM_COLUMN_NUMBER);
	}
	add_column(output, &n, "", "visits", TERM_COLUMN_COUNT);
	add_column(output, &n, "", "changes", TERM_COLUMN_COUNT);
	for (size_t i = 0; i < classes; i++) {
		char name[32];

		snprintf(name, sizeof name, "%g", methods->estimator.classes[i]);
		add_column(output, &n, "class", name, TERM_COLUMN_NUMBER);
	}
	output->columns[n] = (struct term_column){ NULL, TERM_COLUMN_TEXT, 0 };
	output->table = term_table_open(format, output->columns);
	return 0;
}

/* Fills the columns of one method. */
static void put_estimate(struct output *output, const struct estimate_options *given, const struct cli_method *method,
                         const double *state)
{
	double rate = prn_estimator_rate(&method->estimator, state), low = 0, high = INFINITY;

	put(output, rate, false);
	if (given->interval > 0) {
		prn_estimator_interval(&method->estimator, state, given->interval, &low, &high);
		put(output, low, false);
		put(output, high, false);
	}
	if (given->advice)
		put(output, rate > 0 ? PRN_ESTIMATOR_BEST_R / rate : INFINITY, false);
}

static int put_page(struct output *output, const struct estimate_options *given, struct cli_method *methods,
                    const struct cli_visits *page)
{
	double probabilities[PRN_ESTIMATOR_CLASSES];
	size_t classes = 0;

	for (size_t i = 0; i < given->methods.count; i++) {
		double *state = learn(&methods[i], page);

		if (!state)
			return PRN_E_MEMORY;
		put_estimate(output, given, &methods[i], state);
		if (given->methods.count == 1)
			classes = prn_estimator_probabilities(&methods[i].estimator, state, probabilities);
		free(state);
	}
	put(output, (double)page->count, true);
	put(output, (double)page->changes, true);
	for (size_t i = 0; i < classes; i++)
		put(output, probabilities[i], false);
	if (!output->table)
		putchar('\n');
	output->begun = false;
	return 0;
}

static int estimate(const struct estimate_options *given, struct cli_method *methods, enum term_format format,
                    struct prn_error *error)
{
	struct cli_visits pages = { .lines = { .file = stdin, .name = "standard input" } };
	bool tabled = given->format || given->methods.count > 1;
	struct output output = { 0 };
	int code, unwritten;

	/*
	 * The table begins with the first page, so that invalid input has no table, and input without pages has an empty one.
	 */
	do {
		code = cli_visits_next(&pages, error);
		if (code >= 0 && tabled && !output.table && open_table(&output, format, given, methods))
			code = prn_error_memory(error);
		if (code > 0)
			code = put_page(&output, given, methods, &pages) ? prn_error_memory(error) : 1;
	} while (code > 0);
	cli_visits_release(&pages);
	/* The rows before a failure are printed too. */
	unwritten = output.table ? term_table_close(output.table, "perennial " PRN_VERSION_TEXT, code ? NULL : error)
	                         : term_stdout_flush(code ? NULL : error);
	return code ? code : unwritten;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The pages' mean times between changes, by mle. */
struct intervals {
	double *each;
	size_t count, capacity;
	double longest;
};

static int read_intervals(struct intervals *intervals, struct prn_error *error)
{
	struct cli_visits pages = { .lines = { .file = stdin, .name = "standard input" } };
	struct cli_method mle = { 0 };
	int code = prn_estimator_init(&mle.estimator, "mle", error);

	while (!code && (code = cli_visits_next(&pages, error)) > 0) {
		double *state = learn(&mle, &pages), *each;

		each = prn_array_grow(intervals->each, &intervals->capacity, intervals->count + 1, sizeof *each);
		if (each)
			intervals->each = each;
		if (!state || !each) {
			free(state);
			code = prn_error_memory(error);
			break;
		}
		intervals->each[intervals->count] = 1 / prn_estimator_rate(&mle.estimator, state);
		intervals->longest = fmax(intervals->longest, intervals->each[intervals->count++]);
		free(state);
		code = 0;
	}
	cli_visits_release(&pages);
	return code;
}

static int print_prior(const struct prn_interval_prior *prior, const struct prn_interval_grid *grid,
                       size_t pages, uint64_t seed, enum term_format format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "changed_days", TERM_COLUMN_NUMBER, 6 },
		{ "unchanged_days", TERM_COLUMN_NUMBER, 6 },
		{ "distance", TERM_COLUMN_NUMBER, 6 },
		{ "pages", TERM_COLUMN_COUNT, 0 },
		{ "left_out", TERM_COLUMN_COUNT, 0 },
		{ "step_days", TERM_COLUMN_NUMBER, 6 },
		{ "most_days", TERM_COLUMN_NUMBER, 6 },
		{ "seed", TERM_COLUMN_COUNT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(format, columns);

	term_table_number(table, prior->changed);
	term_table_number(table, prior->unchanged);
	term_table_number(table, prior->distance);
	term_table_count(table, prior->used);
	term_table_count(table, pages - prior->used);
	term_table_number(table, grid->step);
	term_table_number(table, grid->most);
	term_table_count(table, seed);
	return term_table_close(table, "perennial " PRN_VERSION_TEXT
	                        "; use it as prior-mle:prior-changed=CHANGED:prior-unchanged=UNCHANGED", error);
}

/* Prints quantiles of the pages' mean times between changes, in the form in which bayes and empirical take classes. */
static int fit_classes(const struct estimate_options *given, enum term_format format, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "classes", TERM_COLUMN_TEXT, 0 },
		{ "pages", TERM_COLUMN_COUNT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	char text[PRN_ESTIMATOR_CLASSES * 16] = "";
	struct intervals intervals = { 0 };
	struct term_table *table;
	int code = read_intervals(&intervals, error);

	if (!code && !intervals.count)
		code = prn_error_set(error, PRN_E_INPUT, "there are no pages to make classes of");
	if (code)
		goto out;
	qsort(intervals.each, intervals.count, sizeof *intervals.each, ascending);
	for (uint64_t i = 0; i < given->fit_classes; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.6g", i ? "/" : "",
		         prn_quantile(intervals.each, intervals.count, ((double)i + 0.5) / (double)given->fit_classes));
	table = term_table_open(format, columns);
	term_table_text(table, text);
	term_table_count(table, intervals.count);
	code = term_table_close(table, "perennial " PRN_VERSION_TEXT "; use them as empirical:classes=CLASSES", error);
out:
	free(intervals.each);
	return code;
}

static int fit_prior(const struct estimate_options *given, enum term_format format, struct prn_error *error)
{
	struct intervals intervals = { 0 };
	struct prn_interval_prior prior;
	struct prn_interval_grid grid;
	int code = read_intervals(&intervals, error);

	grid = given->grid.count ? (struct prn_interval_grid){ given->grid.numbers[0], given->grid.numbers[1] }
	                         : (struct prn_interval_grid){ intervals.longest / CELLS, intervals.longest };
	if (!code) {
		code = prn_interval_prior_fit(intervals.each, intervals.count, &grid, given->seed, &prior);
		if (code == PRN_E_ARGUMENT)
			prn_error_set(error, code,
			              "none of %zu pages has a mean time between changes up to %g days",
			              intervals.count, grid.most);
	}
	if (!code)
		code = print_prior(&prior, &grid, intervals.count, given->seed, format, error);
	free(intervals.each);
	return code;
}

static int check_prior(const struct estimate_options *given, struct prn_error *error)
{
	const struct term_list *grid = &given->grid;

	if (!given->fit_prior && grid->count)
		return term_usage_error(error, "--grid goes with --fit-prior");
	if (given->fit_prior && given->fit_classes)
		return term_usage_error(error, "--fit-prior and --fit-classes are two priors: one at a time");
	if ((given->fit_prior || given->fit_classes) && given->methods.count)
		return term_usage_error(error, "%s always estimates by mle: leave out --method",
		                        given->fit_prior ? "--fit-prior" : "--fit-classes");
	if (given->fit_classes > PRN_ESTIMATOR_CLASSES)
		return term_usage_error(error, "--fit-classes takes at most %d", PRN_ESTIMATOR_CLASSES);
	if (!isnan(given->interval) && !(given->interval > 0 && given->interval < 1))
		return term_usage_error(error, "--interval takes a confidence above 0 and below 1, such as 0.95");
	if (grid->count &&
	    (grid->count != 2 || !(grid->numbers[0] > 0) || !(grid->numbers[1] >= grid->numbers[0]) ||
	     grid->numbers[1] > grid->numbers[0] * PRN_INTERVAL_CELLS))
		return term_usage_error(error, "--grid takes STEP,MOST: days above 0, at most %d steps",
		                        PRN_INTERVAL_CELLS);
	return 0;
}

static int check_and_estimate(struct estimate_options *given, struct prn_error *error)
{
	struct cli_method methods[CLI_METHODS_MAX] = { 0 };
	enum term_format format;
	int code = check_prior(given, error);

	if (!code)
		code = term_format_parse(given->format, &format, error);
	if (!code)
		code = given->methods.count ? 0 : term_list_add(&given->methods, "all");
	if (!code)
		code = cli_methods_expand(&given->methods);
	if (!code)
		code = cli_methods_read(&given->methods, methods, error);
	if (code)
		return code;
	if (given->fit_classes)
		return fit_classes(given, format, error);
	return given->fit_prior ? fit_prior(given, format, error) : estimate(given, methods, format, error);
}

int cli_estimate(int argc, char **argv, struct prn_error *error)
{
	struct estimate_options given = { .seed = 1, .interval = NAN /* not given */ };
	const struct term_option options[] = {
		{ TERM_OPTION_LIST, "method", 0, &given.methods, "NAME[:KEY=VALUE…]",
		  "naive, ratio, mle, last-modified-naive, last-modified, bayes, empirical, prior-mle, mm, lln, sa; several or all (default)" },
		{ TERM_OPTION_NUMBER, "interval", 0, &given.interval, "C",
		  "also the rates that are possible at this confidence, such as 0.95" },
		{ TERM_OPTION_FLAG, "advice", 0, &given.advice, NULL,
		  "also after how many days to visit for visits to say most of the rate: 1.59 times 1/λ" },
		{ TERM_OPTION_TEXT, "format", 0, &given.format, TERM_FORMATS,
		  "one method alone prints bare lines unless told; else table on a terminal, else tsv" },
		{ TERM_OPTION_FLAG, "fit-prior", 0, &given.fit_prior, NULL,
		  "fit the two pseudo-intervals of prior-mle to the pages instead" },
		{ TERM_OPTION_COUNT, "fit-classes", 0, &given.fit_classes, "N",
		  "print N quantiles of the pages' mean times between changes instead, for empirical and bayes" },
		{ TERM_OPTION_NUMBERS, "grid", 0, &given.grid, "STEP,MOST",
		  "of days between changes, for --fit-prior (default: the longest of any page, 200 steps)" },
		{ TERM_OPTION_COUNT, "seed", 0, &given.seed, "N", "of --fit-prior's annealing (default 1)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"estimate", "[OPTION]… <VISITS",
		"Reads visits, \"interval_days changed [days_since_modified]\" a line, changed 0 or 1, pages\n"
		"apart by a blank line, and prints a line a page: \"rate_per_day visits changes\"; bayes adds how\n"
		"probable each class is.  lln and sa assume visits at the times of a Poisson process; at regular\n"
		"ones they are high: p(e^(λ/p) - 1).",
		options,
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && first < argc)
		code = term_usage_error(error, "unexpected operand '%s': visits are read from standard input", argv[first]);
	if (!code)
		code = check_and_estimate(&given, error);
	term_list_release(&given.methods);
	term_list_release(&given.grid);
	return code;
}
