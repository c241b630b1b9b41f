/*
 * What the papers know in closed form, as curves: the freshness and age of three orders of visits (Cho §5.2), the best
 * division of visits among rates (Cho §5.5), collections as they are shown (Cho §7.2), and the cost of crawls and staleness
 * (FGT).  Where visits can be simulated, some points of a curve are.
 */
#include "report/report.h"

#include "perennial/allocate.h"
#include "perennial/simulation.h"
#include "report/papers.h"

#include <math.h>

#define POINTS 41

/* The i-th of POINTS numbers at equal ratios. */
static double grid(double from, double to, size_t i)
{
	return from * pow(to / from, (double)i / (POINTS - 1));
}

/* Opens a table, has it filled and closes it; file is also the name of its figure. */
static int write_table(struct report *report, const char *file, const struct term_column *columns,
                       int (*fill)(struct report *report, struct term_table *table, struct prn_error *error), struct prn_error *error)
{
	struct report_table table;
	int code = report_table_open(report, &table, file, TERM_FORMAT_GNUPLOT, columns, error);

	return code ? code : report_table_close(report, &table, fill(report, table.rows, error), error);
}

static const struct {
	enum prn_order order;
	const char *name;
	const char *policy; /* that visits so; NULL: random visits of AZ's division, none: it is not simulated */
	bool is_simulated;
} orders[] = {
	{ PRN_ORDER_FIXED, "fixed", "uniform", true },
	{ PRN_ORDER_RANDOM, "random", NULL, false },
	{ PRN_ORDER_PURELY_RANDOM, "purely random", NULL, true },
};

#define ORDERS (sizeof orders / sizeof *orders)

/* Simulates pages of a rate that are visited once a unit of time in the order. */
static int simulate_order(const struct report *report, size_t order, double rate, struct prn_simulated_policy *simulated,
                          struct prn_error *error)
{
	struct prn_simulation simulation = { .rate = rate, .pages = report->resamples, .seed = report->seed,
		                             .threads = report->threads };
	/* The price at which sqrt(λ/η) - λ = 1. */
	struct prn_simulated_rule rule = { .objective = PRN_OBJECTIVE_BINARY, .dial = rate / ((1 + rate) * (1 + rate)), .from = 10,
		                           .until = 60, .very_stale = 1 };
	struct prn_policy *policy = NULL;
	int code = prn_process_init(&simulation.process, "poisson", error);

	if (!code && orders[order].policy) {
		code = prn_policy_open(&policy, orders[order].policy, NULL, error);
		rule.dial = 1;
	}
	rule.policy = policy;
	if (!code)
		code = prn_simulate_policy(&simulation, &rule, simulated, error);
	prn_policy_free(policy);
	return code;
}

/* A row has either what is known or what was simulated: each is a curve, or points, of its own. */
static void put_order(struct term_table *table, size_t order, double rate, const struct prn_simulated_policy *simulated)
{
	term_table_text(table, orders[order].name);
	term_table_number(table, rate);
	term_table_number(table, simulated ? NAN : prn_freshness(orders[order].order, rate, 1));
	term_table_number(table, simulated ? NAN : prn_age(orders[order].order, rate, 1));
	term_table_number(table, simulated ? 1 - simulated->holistic : NAN);
	term_table_number(table, simulated ? REPORT_NORMAL_95 * simulated->holistic_error : NAN);
	term_table_number(table, simulated ? simulated->age : NAN);
}

static int fill_orders(struct report *report, struct term_table *table, struct prn_error *error)
{
	static const double simulated_at[] = { 0.1, 0.3, 1, 3, 10 };
	int code = 0;

	for (size_t k = 0; k < ORDERS; k++)
		for (size_t i = 0; i < POINTS; i++)
			put_order(table, k, grid(0.1, 10, i), NULL);
	for (size_t k = 0; k < ORDERS && !code; k++)
		for (size_t i = 0; i < sizeof simulated_at / sizeof *simulated_at && orders[k].is_simulated && !code; i++) {
			struct prn_simulated_policy simulated;

			code = simulate_order(report, k, simulated_at[i], &simulated, error);
			if (!code)
				put_order(table, k, simulated_at[i], &simulated);
		}
	return code;
}

/* As many visits as pages, whose rates are the grid. */
static int fill_division(struct report *report, struct term_table *table, struct prn_error *error)
{
	static const struct {
		enum prn_objective objective;
		const char *name;
	} objectives[] = { { PRN_OBJECTIVE_FRESHNESS, "freshness" },
		           { PRN_OBJECTIVE_AGE, "age" },
		           { PRN_OBJECTIVE_BINARY, "freshness, random visits" },
		           { PRN_OBJECTIVE_HARMONIC, "harmonic penalty" } };
	double rates[POINTS], visits[POINTS], multiplier;

	(void)report;
	for (size_t i = 0; i < POINTS; i++)
		rates[i] = grid(0.05, 20, i);
	for (size_t k = 0; k < sizeof objectives / sizeof *objectives; k++) {
		int code = prn_allocate(objectives[k].objective, rates, NULL, POINTS, POINTS, visits, &multiplier);

		if (code)
			return prn_error_set(error, code, "%s", prn_error_text(code));
		for (size_t i = 0; i < POINTS; i++) {
			term_table_text(table, objectives[k].name);
			term_table_number(table, rates[i]);
			term_table_number(table, visits[i]);
		}
	}
	return 0;
}

/* Pages that change once a unit of time in the mean, crawled ever more often. */
static int fill_collections(struct report *report, struct term_table *table, struct prn_error *error)
{
	static const struct {
		const char *name;
		double share; /* of the time that a crawl takes; 0: pages are shown when they are fetched */
	} collections[] = { { "in place", 0 }, { "shadow, batches of a quarter", 0.25 }, { "shadow, steady", 1 } };

	(void)report;
	(void)error;
	for (size_t k = 0; k < sizeof collections / sizeof *collections; k++)
		for (size_t i = 0; i < POINTS; i++) {
			double crawls = grid(0.1, 20, i), share = collections[k].share;

			term_table_text(table, collections[k].name);
			term_table_number(table, crawls);
			term_table_number(table, share > 0 ? prn_shadow_freshness(1, crawls, share) : prn_freshness(PRN_ORDER_FIXED, 1, crawls));
		}
	return 0;
}

static void put_cost(struct term_table *table, const char *name, double price, double interval, bool is_best)
{
	double cost = 1 - prn_freshness(PRN_ORDER_FIXED, 1, 1 / interval) + price / interval;

	term_table_text(table, name);
	term_table_number(table, interval);
	term_table_number(table, is_best ? NAN : cost);
	term_table_number(table, is_best ? cost : NAN);
}

/* A page that changes once a unit of time in the mean; the cost per unit of time of its staleness and of its crawls. */
static int fill_cost(struct report *report, struct term_table *table, struct prn_error *error)
{
	static const struct {
		const char *name;
		double price; /* of a crawl, in units of stale time */
	} prices[] = { { "a crawl costs Δ/100 of staleness", 0.01 }, { "Δ/24", 1.0 / 24 }, { "Δ/4", 0.25 }, { "Δ/2", 0.5 } };

	(void)report;
	(void)error;
	for (size_t k = 0; k < sizeof prices / sizeof *prices; k++) {
		for (size_t i = 0; i < POINTS; i++)
			put_cost(table, prices[k].name, prices[k].price, grid(0.02, 20, i), false);
		put_cost(table, prices[k].name, prices[k].price, 1 / prn_allocate_one(PRN_OBJECTIVE_FRESHNESS, 1, 1, prices[k].price), true);
	}
	return 0;
}

int report_papers_forms(struct report *report, struct prn_error *error)
{
	static const struct term_column order[] = {
		{ "order", TERM_COLUMN_TEXT, 0 },         { "rate", TERM_COLUMN_NUMBER, 6 }, { "freshness", TERM_COLUMN_NUMBER, 6 },
		{ "age", TERM_COLUMN_NUMBER, 6 },         { "simulated", TERM_COLUMN_NUMBER, 6 },
		{ "within", TERM_COLUMN_NUMBER, 6 },      { "simulated_age", TERM_COLUMN_NUMBER, 6 }, { NULL, TERM_COLUMN_TEXT, 0 },
	};
	static const struct term_column division[] = { { "objective", TERM_COLUMN_TEXT, 0 }, { "rate", TERM_COLUMN_NUMBER, 6 },
		                                       { "visits", TERM_COLUMN_NUMBER, 6 },  { NULL, TERM_COLUMN_TEXT, 0 } };
	static const struct term_column collection[] = { { "collection", TERM_COLUMN_TEXT, 0 }, { "crawls", TERM_COLUMN_NUMBER, 6 },
		                                         { "freshness", TERM_COLUMN_NUMBER, 6 }, { NULL, TERM_COLUMN_TEXT, 0 } };
	static const struct term_column cost[] = { { "price", TERM_COLUMN_TEXT, 0 },   { "interval", TERM_COLUMN_NUMBER, 6 },
		                                   { "cost", TERM_COLUMN_NUMBER, 6 },  { "least", TERM_COLUMN_NUMBER, 6 },
		                                   { NULL, TERM_COLUMN_TEXT, 0 } };
	int code = write_table(report, "papers-orders.tsv", order, fill_orders, error);

	if (!code)
		code = write_table(report, "papers-division.tsv", division, fill_division, error);
	if (!code)
		code = write_table(report, "papers-collections.tsv", collection, fill_collections, error);
	return code ? code : write_table(report, "papers-cost.tsv", cost, fill_cost, error);
}
