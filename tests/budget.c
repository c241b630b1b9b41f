/* Replays under budgets: what is spent is the budget, whatever the policy, and whatever the number of threads. */
#include "perennial/comparison.h"
#include "synthetic.h"
#include "tap.h"

static const struct prn_setting budgets[] = { { 0.1, false }, { 0.2, false }, { 0.4, false } };

#define BUDGETS 3

/* A policy and its sweep. */
struct under_test {
	struct prn_contender *contender;
	struct prn_sweep sweep;
};

static void open_under_test(struct under_test *test, const char *specification, const struct prn_setting *settings,
                            bool are_budgets)
{
	if (prn_contender_open(&test->contender, specification, NULL, NULL))
		abort();
	test->sweep = (struct prn_sweep){ (const struct prn_contender *const *)&test->contender, settings, BUDGETS,
		                          are_budgets };
}

static struct prn_evaluation *evaluate(const struct prn_pages *pages, const struct under_test *test, size_t threads)
{
	struct prn_evaluation *evaluation;

	if (prn_evaluation_run(&evaluation, pages, &test->sweep, 1, PRN_CLOCK_STEPS, threads, NULL))
		abort();
	return evaluation;
}

/*
 * Of 40 steps the second half, where the dial was solved at 16, with what was known by then, and at 32.
 * Periods are rounded up to whole steps, which saves up to a third of a budget of 0.4.  Visits that only
 * learn are beside the budget of a policy that has a price, and crawlers that adapt their intervals go on
 * after the dial was solved: up to four fifths of a budget of 0.1.
 */
static void spends(const struct prn_pages *pages, const char *specification)
{
	struct under_test test;
	struct prn_evaluation *evaluation;
	double cost[BUDGETS], staleness[BUDGETS];
	bool kept = true;

	open_under_test(&test, specification, budgets, true);
	evaluation = evaluate(pages, &test, 2);
	for (size_t i = 0; i < BUDGETS; i++) {
		struct prn_score score = prn_evaluation_score(evaluation, 0, i, PRN_WINDOW_STEADY);

		cost[i] = score.cost;
		staleness[i] = score.staleness;
		kept &= cost[i] > 0.6 * budgets[i].value && cost[i] < 1.85 * budgets[i].value;
	}
	ok(kept, "%s: budgets of 0.1, 0.2, 0.4 are kept: they cost %.3f, %.3f, %.3f", specification, cost[0], cost[1], cost[2]);
	ok(staleness[0] > staleness[1] && staleness[1] > staleness[2], "%s: the more is spent the less is stale",
	   specification);
	prn_evaluation_free(evaluation);
	prn_contender_free(test.contender);
}

static void threads(const struct prn_pages *pages, const char *specification)
{
	struct prn_evaluation *one, *five;
	struct under_test test;

	open_under_test(&test, specification, budgets, true);
	one = evaluate(pages, &test, 1);
	five = evaluate(pages, &test, 5);
	ok(same_scores(one, five, 1, BUDGETS), "%s: one thread and five score the same to the last bit", specification);
	prn_evaluation_free(one);
	prn_evaluation_free(five);
	prn_contender_free(test.contender);
}

/* Who has a period has nothing to solve: a budget of 0.2 is a visit every 5 steps. */
static void uniform(const struct prn_pages *pages)
{
	static const struct prn_setting periods[] = { { 10, false }, { 5, false }, { 2.5, false } };
	struct prn_evaluation *budgeted, *periodic;
	struct under_test budget, period;

	open_under_test(&budget, "uniform", budgets, true);
	open_under_test(&period, "uniform", periods, false);
	budgeted = evaluate(pages, &budget, 2);
	periodic = evaluate(pages, &period, 2);
	ok(same_scores(budgeted, periodic, 1, BUDGETS), "uniform with a budget is uniform with the period 1 / budget");
	prn_evaluation_free(budgeted);
	prn_evaluation_free(periodic);
	prn_contender_free(budget.contender);
	prn_contender_free(period.contender);
}

/* Read off at a cost between those of two budgets. */
static void compared(const struct prn_pages *pages)
{
	const double cost = 0.15;
	struct prn_comparison comparison = { .axis = PRN_AXIS_COST, .window = PRN_WINDOW_STEADY, .targets = &cost,
		                             .target_count = 1, .reference = PRN_NO_REFERENCE, .threads = 1 };
	struct prn_evaluation *evaluation;
	struct prn_compared value;
	struct under_test test;

	open_under_test(&test, "drift", budgets, true);
	evaluation = evaluate(pages, &test, 2);
	if (prn_evaluation_compare(evaluation, &comparison, &value))
		abort();
	ok(value.value.value < prn_evaluation_score(evaluation, 0, 0, PRN_WINDOW_STEADY).staleness &&
	           value.value.value > prn_evaluation_score(evaluation, 0, 1, PRN_WINDOW_STEADY).staleness,
	   "budgets make a curve that can be read off at a cost");
	prn_evaluation_free(evaluation);
	prn_contender_free(test.contender);
}

static void refused(const struct prn_pages *pages, const char *specification, const struct prn_setting *settings,
                    int want, const char *text)
{
	struct prn_evaluation *evaluation = NULL;
	struct prn_error error = { 0 };
	struct under_test test;
	int code;

	open_under_test(&test, specification, settings, true);
	code = prn_evaluation_run(&evaluation, pages, &test.sweep, 1, PRN_CLOCK_STEPS, 2, &error);
	ok(code == want && strstr(error.text, text), "%s is refused: %s", specification, error.text);
	ok(!evaluation, "%s that is refused gives no evaluation", specification);
	prn_contender_free(test.contender);
}

int main(void)
{
	static const struct prn_setting seconds[BUDGETS] = { { 60, true }, { 60, true }, { 60, true } };
	static const char *const specifications[] = { "proportional", "cgm",         "fgt",   "azar",  "lambdacrawl",
		                                      "curve-fitting", "bound-based", "drift", "stormcrawler" };
	struct synthetic synthetic = { .pages = 200, .hosts = 40 };
	struct prn_pages pages = synthetic_pages(&synthetic);

	for (size_t i = 0; i < sizeof specifications / sizeof *specifications; i++)
		spends(&pages, specifications[i]);
	threads(&pages, "azar");
	threads(&pages, "drift:summary=8");
	uniform(&pages);
	compared(&pages);
	refused(&pages, "fs-s", budgets, PRN_E_UNSUPPORTED, "cannot be told to keep to a budget");
	refused(&pages, "uniform:skip-static", budgets, PRN_E_UNSUPPORTED, "cannot be told to keep to a budget");
	refused(&pages, "uniform", seconds, PRN_E_ARGUMENT, "a budget is not a duration");
	free(synthetic.urls);
	return done();
}
