/* perennial allocate: rates on stdin → the frequencies that a budget buys, on stdout. */
#include "cli/command.h"
#include "term/options.h"
#include "term/table.h"
#include "perennial/allocate.h"
#include "perennial/error.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pages {
	double *rates, *weights, *frequencies;
	size_t count, capacity;
};

struct choice {
	const char *objective, *policy, *order;
	double budget;
};

static struct choice choice;

static const struct term_option options[] = {
	{ TERM_OPTION_TEXT, "objective", 0, &choice.objective, "NAME",
	  "freshness (default), age, binary or harmonic" },
	{ TERM_OPTION_NUMBER, "budget", 0, &choice.budget, "R", "refreshes per unit of time, in all; required" },
	{ TERM_OPTION_TEXT, "policy", 0, &choice.policy, "NAME",
	  "optimal (default), or for comparison uniform or proportional" },
	{ TERM_OPTION_TEXT, "order", 0, &choice.order, "NAME",
	  "the order whose freshness and age are told: fixed, random, purely-random" },
	{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
};

static const struct term_usage usage = {
	"allocate", "--budget=R [OPTION]… <RATES",
	"Reads one page a line, \"rate [weight]\", and prints one line a page: how often to refresh it.\n"
	"Rates and frequencies are per any one unit of time.  What the division is expected to reach goes to\n"
	"standard error.  (Cho ch. 5; Azar et al. 2018; Kolobov et al. 2019.)",
	options,
};

/* The index of a name in a list that ends with NULL, or -1; NULL is the first. */
static int choose(const char *name, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!name || !strcmp(name, names[i]))
			return i;
	return -1;
}

static bool grow(struct pages *pages)
{
	size_t capacity = pages->capacity ? 2 * pages->capacity : 1024;
	double *rates = realloc(pages->rates, capacity * sizeof *rates), *weights;

	if (!rates)
		return false;
	pages->rates = rates;
	weights = realloc(pages->weights, capacity * sizeof *weights);
	if (!weights)
		return false;
	pages->weights = weights;
	pages->capacity = capacity;
	return true;
}

/* "rate [weight]"; the weight is 1 when left out. */
static bool parse_line(const char *line, double *rate, double *weight)
{
	char *end;

	*weight = 1;
	*rate = strtod(line, &end);
	if (end == line || !isfinite(*rate) || *rate < 0)
		return false;
	line = end + strspn(end, " \t\r\n");
	if (!*line)
		return true;
	*weight = strtod(line, &end);
	return end != line && !end[strspn(end, " \t\r\n")] && isfinite(*weight) && *weight > 0;
}

static int read_pages(struct pages *pages)
{
	char *line = NULL;
	size_t size = 0;
	int code = TERM_DONE;

	for (size_t number = 1; code == TERM_DONE && getline(&line, &size, stdin) > 0; number++) {
		if (pages->count == pages->capacity && !grow(pages)) {
			fprintf(stderr, "perennial allocate: out of memory after %zu pages\n", pages->count);
			code = TERM_FAILED;
		} else if (!parse_line(line, &pages->rates[pages->count], &pages->weights[pages->count])) {
			fprintf(stderr, "perennial allocate: standard input, line %zu: want \"rate [weight]\", a number "
			                ">= 0 and one > 0\n", number);
			code = TERM_FAILED;
		} else {
			pages->count++;
		}
	}
	if (code == TERM_DONE && ferror(stdin)) {
		fprintf(stderr, "perennial allocate: standard input: %s\n", strerror(errno));
		code = TERM_FAILED;
	}
	free(line);
	return code;
}

/* Cho's two simple divisions: the same for all, or in proportion to the rate. */
static void divide_simply(struct pages *pages, bool proportional)
{
	double sum = 0;

	for (size_t i = 0; i < pages->count; i++)
		sum += pages->rates[i];
	for (size_t i = 0; i < pages->count; i++)
		pages->frequencies[i] = proportional && sum > 0 ? choice.budget * pages->rates[i] / sum
		                                                : choice.budget / (double)pages->count;
}

static void tell(const struct pages *pages, enum prn_order order, const char *order_name, double multiplier)
{
	double freshness = 0, age = 0, weights = 0;
	char text[3][32];

	for (size_t i = 0; i < pages->count; i++) {
		weights += pages->weights[i];
		freshness += pages->weights[i] * prn_freshness(order, pages->rates[i], pages->frequencies[i]);
		age += pages->weights[i] * prn_age(order, pages->rates[i], pages->frequencies[i]);
	}
	term_number_exact(freshness / weights, text[0]);
	term_number_exact(age / weights, text[1]);
	term_number_exact(multiplier, text[2]);
	fprintf(stderr, "pages %zu, order %s: freshness %s, age %s, multiplier %s\n", pages->count, order_name, text[0],
	        text[1], isnan(multiplier) ? "none" : text[2]);
}

static int divide(struct pages *pages, enum prn_objective objective, int policy, double *multiplier)
{
	pages->frequencies = calloc(pages->count, sizeof *pages->frequencies);
	*multiplier = NAN;
	if (!pages->frequencies)
		return PRN_E_MEMORY;
	if (!policy)
		return prn_allocate(objective, pages->rates, pages->weights, pages->count, choice.budget,
		                    pages->frequencies, multiplier);
	divide_simply(pages, policy == 2);
	return 0;
}

int cli_allocate(int argc, char **argv)
{
	static const char *const objectives[] = { "freshness", "age", "binary", "harmonic", NULL };
	static const char *const policies[] = { "optimal", "uniform", "proportional", NULL };
	static const char *const orders[] = { "fixed", "random", "purely-random", NULL };
	struct pages pages = { 0 };
	int first, objective, policy, order, code = term_options_parse(&usage, argc, argv, &first);
	double multiplier;

	if (code >= 0)
		return code;
	objective = choose(choice.objective, objectives);
	policy = choose(choice.policy, policies);
	if (objective < 0)
		return term_usage_error(&usage, "--objective takes freshness, age, binary or harmonic, not '%s'", choice.objective);
	if (policy < 0)
		return term_usage_error(&usage, "--policy takes optimal, uniform or proportional, not '%s'", choice.policy);
	/* The randomised objectives are freshness in purely random order: that is the order to judge them by. */
	order = choice.order ? choose(choice.order, orders) : objective >= 2 ? 2 : 0;
	if (order < 0)
		return term_usage_error(&usage, "--order takes fixed, random or purely-random, not '%s'", choice.order);
	if (!(choice.budget > 0))
		return term_usage_error(&usage, "--budget=R is required: refreshes per unit of time, more than 0");
	if (first < argc)
		return term_usage_error(&usage, "'%s' is not wanted: rates come on standard input", argv[first]);
	code = read_pages(&pages);
	if (code == TERM_DONE && pages.count) {
		int failed = divide(&pages, (enum prn_objective)objective, policy, &multiplier);

		if (failed) {
			fprintf(stderr, "perennial allocate: %s\n", prn_error_text(failed));
			code = TERM_FAILED;
		} else {
			for (size_t i = 0; i < pages.count; i++) {
				char text[32];

				term_number_exact(pages.frequencies[i], text);
				puts(text);
			}
			tell(&pages, (enum prn_order)order, orders[order], multiplier);
			if (fflush(stdout) || ferror(stdout)) {
				fprintf(stderr, "perennial allocate: standard output: %s\n", strerror(errno));
				code = TERM_FAILED;
			}
		}
	}
	free(pages.rates);
	free(pages.weights);
	free(pages.frequencies);
	return code;
}
