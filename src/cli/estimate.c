/* perennial estimate: visits on stdin → how often each page changes, on stdout. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/visits.h"
#include "perennial/interval_prior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METHODS_MAX 32
#define COLUMNS_MAX (METHODS_MAX + 2 + PRN_ESTIMATOR_CLASSES)
#define CELLS 200 /* of the grid that a prior is fitted on, unless told */

/* What the command line says. */
struct given {
	struct cli_list methods, grid;
	const char *format;
	bool fit_prior;
	uint64_t seed;
};

struct method {
	struct prn_estimator estimator;
	bool bounded; /* "lengths" was told */
};

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

/* A page's state after all its visits.  Unless told otherwise it keeps every different interval: it is exact. */
static double *learn(struct method *method, const struct cli_visits *page)
{
	double *state;

	if (!method->bounded)
		method->estimator.lengths =
			page->count < PRN_ESTIMATOR_LENGTHS ? page->count : PRN_ESTIMATOR_LENGTHS;
	state = room(1, prn_estimator_state_size(&method->estimator));
	for (size_t i = 0; i < page->count; i++)
		prn_estimator_add(&method->estimator, state, &page->visits[i]);
	return state;
}

/* A row is a line of a table, or bare numbers with spaces between. */
struct output {
	struct cli_table *table; /* NULL: bare */
	bool begun;
	char names[PRN_ESTIMATOR_CLASSES][32];
	struct cli_column columns[COLUMNS_MAX + 1];
};

static void put(struct output *output, double number, bool whole)
{
	char text[32];

	if (output->table && whole) {
		cli_table_count(output->table, (uint64_t)number);
	} else if (output->table) {
		cli_table_number(output->table, number);
	} else {
		cli_number_exact(number, text);
		printf("%s%s", output->begun ? " " : "", text);
		output->begun = true;
	}
}

static void end_row(struct output *output)
{
	if (!output->table)
		putchar('\n');
	output->begun = false;
}

/* One column a method, then visits and changes; a single method's classes, if it has any, are columns too. */
static void open_table(struct output *output, enum cli_format format, const struct given *given,
                       const struct method *methods)
{
	size_t count = given->methods.count, n = 0;
	double unused[PRN_ESTIMATOR_CLASSES], *state = room(1, prn_estimator_state_size(&methods->estimator));
	size_t classes = count == 1 ? prn_estimator_probabilities(&methods->estimator, state, unused) : 0;

	free(state);
	for (; n < count; n++)
		output->columns[n] = (struct cli_column){ count == 1 ? "rate_per_day" : given->methods.items[n],
			                                  CLI_COLUMN_NUMBER, 6 };
	output->columns[n++] = (struct cli_column){ "visits", CLI_COLUMN_COUNT, 0 };
	output->columns[n++] = (struct cli_column){ "changes", CLI_COLUMN_COUNT, 0 };
	for (size_t i = 0; i < classes; i++) {
		snprintf(output->names[i], sizeof output->names[i], "class_%g", methods->estimator.classes[i]);
		output->columns[n++] = (struct cli_column){ output->names[i], CLI_COLUMN_NUMBER, 6 };
	}
	output->columns[n] = (struct cli_column){ NULL, CLI_COLUMN_TEXT, 0 };
	output->table = cli_table_open(format, output->columns);
}

static void put_page(struct output *output, struct method *methods, size_t count, const struct cli_visits *page)
{
	double probabilities[PRN_ESTIMATOR_CLASSES];
	size_t classes = 0;

	for (size_t i = 0; i < count; i++) {
		double *state = learn(&methods[i], page);

		put(output, prn_estimator_rate(&methods[i].estimator, state), false);
		if (count == 1)
			classes = prn_estimator_probabilities(&methods[i].estimator, state, probabilities);
		free(state);
	}
	put(output, (double)page->count, true);
	put(output, (double)page->changes, true);
	for (size_t i = 0; i < classes; i++)
		put(output, probabilities[i], false);
	end_row(output);
}

static int estimate(const struct given *given, struct method *methods, enum cli_format format,
                    struct prn_error *error)
{
	struct cli_visits pages = { .file = stdin, .name = "standard input" };
	struct output output = { 0 };
	int code;

	if (given->format || given->methods.count > 1)
		open_table(&output, format, given, methods);
	while ((code = cli_visits_next(&pages, error)) > 0)
		put_page(&output, methods, given->methods.count, &pages);
	cli_visits_release(&pages);
	if ((output.table ? cli_table_close(output.table, PACKAGE_STRING) : fflush(stdout) || ferror(stdout)) &&
	    !code)
		code = prn_error_set(error, PRN_E_IO, "cannot write to standard output");
	return code;
}

/* The pages' mean times between changes, by mle. */
struct intervals {
	double *each;
	size_t count, capacity;
	double longest;
};

static int read_intervals(struct intervals *intervals, struct prn_error *error)
{
	struct cli_visits pages = { .file = stdin, .name = "standard input" };
	struct method mle = { 0 };
	int code = prn_estimator_init(&mle.estimator, "mle", error);

	while (!code && (code = cli_visits_next(&pages, error)) > 0) {
		double *state = learn(&mle, &pages);

		if (intervals->count == intervals->capacity) {
			intervals->capacity = intervals->capacity ? 2 * intervals->capacity : 64;
			intervals->each =
				reallocarray(intervals->each, intervals->capacity, sizeof *intervals->each);
			if (!intervals->each)
				abort();
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
                       size_t pages, uint64_t seed, enum cli_format format)
{
	static const struct cli_column columns[] = {
		{ "changed_days", CLI_COLUMN_NUMBER, 6 },
		{ "unchanged_days", CLI_COLUMN_NUMBER, 6 },
		{ "distance", CLI_COLUMN_NUMBER, 6 },
		{ "pages", CLI_COLUMN_COUNT, 0 },
		{ "left_out", CLI_COLUMN_COUNT, 0 },
		{ "step_days", CLI_COLUMN_NUMBER, 6 },
		{ "most_days", CLI_COLUMN_NUMBER, 6 },
		{ "seed", CLI_COLUMN_COUNT, 0 },
		{ NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table = cli_table_open(format, columns);

	cli_table_number(table, prior->changed);
	cli_table_number(table, prior->unchanged);
	cli_table_number(table, prior->distance);
	cli_table_count(table, prior->used);
	cli_table_count(table, pages - prior->used);
	cli_table_number(table, grid->step);
	cli_table_number(table, grid->most);
	cli_table_count(table, seed);
	return cli_table_close(table, PACKAGE_STRING
	                       "; use it as prior-mle:prior-changed=CHANGED:prior-unchanged=UNCHANGED");
}

static int fit_prior(const struct given *given, enum cli_format format, struct prn_error *error)
{
	struct intervals intervals = { 0 };
	struct prn_interval_prior prior;
	struct prn_interval_grid grid;
	int code = read_intervals(&intervals, error);

	grid = given->grid.count ? (struct prn_interval_grid){ given->grid.numbers[0], given->grid.numbers[1] }
	                         : (struct prn_interval_grid){ intervals.longest / CELLS, intervals.longest };
	if (!code) {
		code = prn_interval_prior_fit(intervals.each, intervals.count, &grid, given->seed, &prior);
		if (code == PRN_E_RANGE)
			prn_error_set(error, code,
			              "none of %zu pages has a mean time between changes up to %g days",
			              intervals.count, grid.most);
	}
	if (!code && print_prior(&prior, &grid, intervals.count, given->seed, format))
		code = prn_error_set(error, PRN_E_IO, "cannot write to standard output");
	free(intervals.each);
	return code;
}

/* "all" is every estimator there is. */
static void list_methods(struct given *given)
{
	struct cli_list *methods = &given->methods;
	bool all = methods->count == 1 && !strcmp(methods->items[0], "all");
	size_t n = 0;

	if (methods->count && !all)
		return;
	cli_list_release(methods);
	methods->items = room(METHODS_MAX, sizeof *methods->items);
	for (const struct prn_estimator_info *info; (info = prn_estimator_info(n)) && n < METHODS_MAX; n++)
		if (!(methods->items[n] = strdup(info->name)))
			abort();
	methods->count = n;
}

static int read_methods(const struct cli_usage *usage, const struct given *given, struct method *methods)
{
	struct prn_error error;

	if (given->methods.count > METHODS_MAX)
		return cli_usage_error(usage, "--method takes at most %d names", METHODS_MAX);
	for (size_t i = 0; i < given->methods.count; i++) {
		methods[i].bounded = strstr(given->methods.items[i], ":lengths=") != NULL;
		if (prn_estimator_init(&methods[i].estimator, given->methods.items[i], &error))
			return cli_usage_error(usage, "--method=%s: %s", given->methods.items[i], error.text);
	}
	return -1;
}

static int check_prior(const struct cli_usage *usage, const struct given *given)
{
	const struct cli_list *grid = &given->grid;

	if (!given->fit_prior && grid->count)
		return cli_usage_error(usage, "--grid goes with --fit-prior");
	if (given->fit_prior && given->methods.count)
		return cli_usage_error(usage, "--fit-prior takes the pages by mle: leave out --method");
	if (grid->count &&
	    (grid->count != 2 || !(grid->numbers[0] > 0) || !(grid->numbers[1] >= grid->numbers[0]) ||
	     grid->numbers[1] > grid->numbers[0] * PRN_INTERVAL_CELLS))
		return cli_usage_error(usage, "--grid takes STEP,MOST: days above 0, at most %d steps",
		                       PRN_INTERVAL_CELLS);
	return -1;
}

static int run(const struct cli_usage *usage, struct given *given)
{
	struct method methods[METHODS_MAX] = { 0 };
	struct prn_error error = { 0 };
	enum cli_format format;
	int code = check_prior(usage, given);

	if (code < 0 && cli_format_parse(given->format, &format))
		code = cli_usage_error(usage, "--format takes table, tsv or json, not '%s'", given->format);
	if (code < 0) {
		list_methods(given);
		code = read_methods(usage, given, methods);
	}
	if (code >= 0)
		return code;
	code = given->fit_prior ? fit_prior(given, format, &error) : estimate(given, methods, format, &error);
	if (!code)
		return CLI_DONE;
	return cli_fail("estimate", code, &error);
}

int cli_estimate(int argc, char **argv)
{
	struct given given = { .seed = 1 };
	const struct cli_option options[] = {
		{ CLI_OPTION_LIST, "method", 0, &given.methods, "NAME[:KEY=VALUE…]",
		  "naive, ratio, mle, last-modified, bayes, prior-mle, mm, lln, sa; several or all (default)" },
		{ CLI_OPTION_TEXT, "format", 0, &given.format, "table|tsv|json",
		  "one method alone prints bare lines unless told; else table on a terminal, else tsv" },
		{ CLI_OPTION_FLAG, "fit-prior", 0, &given.fit_prior, NULL,
		  "fit the two pseudo-intervals of prior-mle to the pages instead" },
		{ CLI_OPTION_NUMBERS, "grid", 0, &given.grid, "STEP,MOST",
		  "of days between changes, for --fit-prior (default: the longest of any page, 200 steps)" },
		{ CLI_OPTION_COUNT, "seed", 0, &given.seed, "N", "of --fit-prior's annealing (default 1)" },
		{ CLI_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct cli_usage usage = {
		"estimate", "[OPTION]… <VISITS",
		"Reads visits, \"interval_days changed [days_since_modified]\" a line, changed 0 or 1, pages\n"
		"apart by a blank line, and prints a line a page: \"rate_per_day visits changes\"; bayes adds how\n"
		"probable each class is.  lln and sa assume visits at the times of a Poisson process; at regular\n"
		"ones they are high: p(e^(λ/p) - 1).",
		options,
	};
	int first, code = cli_options_parse(&usage, argc, argv, &first);

	if (code < 0 && first < argc)
		code = cli_usage_error(&usage, "'%s' is not wanted: visits come on standard input",
		                       argv[first]);
	if (code < 0)
		code = run(&usage, &given);
	cli_list_release(&given.methods);
	cli_list_release(&given.grid);
	return code;
}
