/* perennial allocate: rates on stdin → the frequencies that a budget buys, on stdout. */
#include "base/buffer.h"
#include "cli/command.h"
#include "term/options.h"
#include "term/table.h"
#include "perennial/allocate.h"
#include "perennial/error.h"
#include "perennial/source.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pages {
	double *rates, *weights, *frequencies;
	size_t count, rate_capacity, weight_capacity;
};

struct allocate_options {
	const char *objective, *policy, *order;
	double budget;
};

/* The index of a name in a list that ends with NULL, or -1; NULL is the first. */
static int choose(const char *name, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!name || !strcmp(name, names[i]))
			return i;
	return -1;
}

static bool can_divide(double number)
{
	return number >= PRN_ALLOCATE_LEAST && number <= PRN_ALLOCATE_MOST;
}

/* "rate [weight]"; the weight is 1 when left out. */
static bool parse_line(const char *line, double *rate, double *weight)
{
	char *end;

	*weight = 1;
	*rate = strtod(line, &end);
	if (end == line || (*rate != 0 && !can_divide(*rate)))
		return false;
	line = end + strspn(end, " \t\r\n");
	if (!*line)
		return true;
	*weight = strtod(line, &end);
	return end != line && !end[strspn(end, " \t\r\n")] && can_divide(*weight) && *weight <= PRN_WEIGHT_MOST;
}

static int add_page(struct pages *pages, double rate, double weight)
{
	double *rates, *weights;

	rates = prn_array_grow(pages->rates, &pages->rate_capacity, pages->count + 1, sizeof *rates);
	if (!rates)
		return PRN_E_MEMORY;
	pages->rates = rates;
	weights = prn_array_grow(pages->weights, &pages->weight_capacity, pages->count + 1, sizeof *weights);
	if (!weights)
		return PRN_E_MEMORY;
	pages->weights = weights;
	rates[pages->count] = rate;
	weights[pages->count++] = weight;
	return 0;
}

static int read_pages(struct pages *pages, struct prn_error *error)
{
	double rate, weight;
	char *line = NULL;
	size_t size = 0;
	int code = 0;

	for (size_t number = 1; !code && getline(&line, &size, stdin) > 0; number++)
		if (!parse_line(line, &rate, &weight))
			code = prn_error_set(error, PRN_E_INPUT,
			                     "standard input, line %zu: want \"rate [weight]\", 0 or from 1e-100 to 1e100, and from 1e-100 to 1e9",
			                     number);
		else if (add_page(pages, rate, weight))
			code = prn_error_memory(error);
	if (!code && !feof(stdin))
		code = prn_error_set(error, PRN_E_IO, "standard input: %s", strerror(errno));
	free(line);
	return code;
}

/* Cho's two simple divisions: the same for all, or in proportion to the rate. */
static void divide_simply(struct pages *pages, double budget, bool proportional)
{
	double sum = 0;

	for (size_t i = 0; i < pages->count; i++)
		sum += pages->rates[i];
	for (size_t i = 0; i < pages->count; i++)
		pages->frequencies[i] = proportional && sum > 0 ? budget * pages->rates[i] / sum
		                                                : budget / (double)pages->count;
}

static void say_outcome(const struct pages *pages, enum prn_order order, const char *order_name, double multiplier)
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

/* Reads pages, divides the budget among them, and prints what each gets. */
static int allocate(double budget, enum prn_objective objective, int policy, enum prn_order order, const char *order_name,
                    struct prn_error *error)
{
	struct pages pages = { 0 };
	double multiplier = NAN;
	char text[32];
	int code = read_pages(&pages, error);

	if (code || !pages.count)
		goto out;
	pages.frequencies = calloc(pages.count, sizeof *pages.frequencies);
	if (!pages.frequencies)
		code = PRN_E_MEMORY;
	else if (policy)
		divide_simply(&pages, budget, policy == 2);
	else
		code = prn_allocate(objective, pages.rates, pages.weights, pages.count, budget, pages.frequencies, &multiplier);
	if (code)
		goto out;
	for (size_t i = 0; i < pages.count; i++) {
		term_number_exact(pages.frequencies[i], text);
		puts(text);
	}
	say_outcome(&pages, order, order_name, multiplier);
	if (fflush(stdout) || ferror(stdout))
		code = prn_error_set(error, PRN_E_IO, "standard output: %s", strerror(errno));
out:
	free(pages.rates);
	free(pages.weights);
	free(pages.frequencies);
	return code;
}

int cli_allocate(int argc, char **argv, struct prn_error *error)
{
	static const char *const objectives[] = { "freshness", "age", "binary", "harmonic", NULL };
	static const char *const policies[] = { "optimal", "uniform", "proportional", NULL };
	static const char *const orders[] = { "fixed", "random", "purely-random", NULL };
	struct allocate_options given = { 0 };
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "objective", 0, &given.objective, "NAME",
		  "freshness (default), age, binary or harmonic" },
		{ TERM_OPTION_NUMBER, "budget", 0, &given.budget, "R", "refreshes per unit of time, in all; required" },
		{ TERM_OPTION_TEXT, "policy", 0, &given.policy, "NAME",
		  "optimal (default), or for comparison uniform or proportional" },
		{ TERM_OPTION_TEXT, "order", 0, &given.order, "NAME",
		  "the order whose freshness and age are told: fixed, random, purely-random" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"allocate", "--budget=R [OPTION]… <RATES",
		"Reads one page a line, \"rate [weight]\", and prints one line a page: how often to refresh it.\n"
		"Rates and frequencies are per any one unit of time.  What the division is expected to reach goes to\n"
		"standard error.  (Cho ch. 5; Azar et al. 2018; Kolobov et al. 2019.)",
		options,
	};
	int first, objective, policy, order, code = term_options_parse(&usage, argc, argv, &first, error);

	if (code)
		return code;
	objective = choose(given.objective, objectives);
	policy = choose(given.policy, policies);
	if (objective < 0)
		return term_usage_error(error, "--objective takes freshness, age, binary or harmonic, not '%s'",
		                        given.objective);
	if (policy < 0)
		return term_usage_error(error, "--policy takes optimal, uniform or proportional, not '%s'", given.policy);
	/* The randomised objectives are freshness in purely random order: that is the order to judge them by. */
	order = given.order ? choose(given.order, orders) : objective >= 2 ? 2 : 0;
	if (order < 0)
		return term_usage_error(error, "--order takes fixed, random or purely-random, not '%s'", given.order);
	if (!can_divide(given.budget))
		return term_usage_error(error, "--budget=R is required: refreshes per unit of time, more than 0, at least 1e-100 and at most 1e100");
	if (first < argc)
		return term_usage_error(error, "unexpected operand '%s': rates are read from standard input", argv[first]);
	return allocate(given.budget, (enum prn_objective)objective, policy, (enum prn_order)order, orders[order], error);
}
