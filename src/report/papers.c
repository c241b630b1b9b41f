#include "report/papers.h"

#include "perennial/allocate.h"
#include "perennial/policy.h"
#include "perennial/simulation.h"

#include <math.h>
#include <stdlib.h>

/* Which number of a simulated estimate is printed. */
enum figure_of { MEAN, SPREAD, DEVIATION, FOUND };

/* An experiment with an estimator, as `perennial simulate` would run it. */
struct estimating {
	const char *source, *what, *process, *schedule, *method;
	double rate;
	uint64_t visits;
	enum figure_of of;
	double theirs, rounding;
	const char *note;
};

#define NONE NAN, 0, "the paper prints a curve, no number"
#define PATH "mixture:factors=0.2/1/5:shares=1/1/1", "adaptive:r=1:first=1:least=0.05:most=20"
#define NOT_HERE NAN, 0, "a curve, and the numbers behind it are not at hand"

static const struct estimating estimates[] = {
	{ "Cho §6.4.1", "naive, a change a visit, 50 visits: E[λ̂]/λ", "poisson", "regular", "naive", 1, 50, MEAN, 0.632, 5e-4, "" },
	{ "Cho §6.4.1", "the same after 3 visits", "poisson", "regular", "naive", 1, 3, MEAN, 0.632, 5e-4, "" },
	{ "Cho §6.4.2", "ratio, a change a visit, 20 visits: E[λ̂]/λ", "poisson", "regular", "ratio", 1, 20, MEAN, 1, 0.01, "" },
	{ "Cho §6.4.2", "ratio, .3 changes a visit, 50 visits", "poisson", "regular", "ratio", 0.3, 50, MEAN, 1, 0.01, "" },
	{ "Cho §6.4.2", "ratio, a change a visit, 10 visits: σ/λ", "poisson", "regular", "ratio", 1, 10, SPREAD, NONE },
	{ "Cho §6.5.1", "last-modified without correction, 2 visits, .05 changes each: E[λ̂]/λ", "poisson", "regular",
	  "last-modified-naive", 0.05, 2, MEAN, NONE },
	{ "Cho §6.5.2", "last-modified, a change a visit, 10 visits: E[λ̂]/λ", "poisson", "regular", "last-modified", 1, 10, MEAN,
	  1, 0.02, "" },
	{ "Cho §6.5.2", "last-modified, 3 changes a visit, 20 visits: E[λ̂]/λ", "poisson", "regular", "last-modified", 3, 20, MEAN,
	  1, 0.02, "" },
	{ "Cho ch. 6", "ratio, gamma times of shape .5, a change a visit, 50 visits: E[λ̂]/λ", "gamma:shape=0.5", "regular",
	  "ratio", 1, 50, MEAN, NONE },
	{ "Cho §6.7", "mle, 20 visits after λ has become 20 λ, 100 before: λ̂/λ", "shift:factor=20:at=100", "regular", "mle", 0.1,
	  120, MEAN, NONE },
	{ "Cho §6.7", "the same, forgetting .9", "shift:factor=20:at=100", "regular", "mle:forgetting=0.9", 0.1, 120, MEAN, NONE },
	{ "GF figures 2, 4, 7", "mle, pages of three rates, 5 visits as often as they seem to change: mean deviation of λ̂", PATH, "mle", 0.5, 5,
	  DEVIATION, NOT_HERE },
	{ "GF figures 2, 4, 7", "the same, prior-mle with lengths of .5 and 2", PATH, "prior-mle:prior-changed=0.5:prior-unchanged=2", 0.5, 5,
	  DEVIATION, NOT_HERE },
	{ "GF figures 2, 4, 7", "the same, mle after 50 visits", PATH, "mle", 0.5, 50, DEVIATION, NOT_HERE },
	{ "GF figures 2, 4, 7", "the same, prior-mle after 50 visits", PATH, "prior-mle:prior-changed=0.5:prior-unchanged=2", 0.5, 50, DEVIATION,
	  NOT_HERE },
	{ "AV §6, experiment 1", "lln, λ = 5, visits at rate 3, after 1000: E[λ̂]/λ", "poisson", "poisson", "lln:visit-rate=3", 5.0 / 3,
	  1000, MEAN, 1, 0.01, "" },
	{ "AV §6, experiment 1", "sa, the same", "poisson", "poisson", "sa:visit-rate=3", 5.0 / 3, 1000, MEAN, 1, 0.01, "" },
	{ "AV §6, experiment 1", "naive, the same: tends to p/(λ + p)", "poisson", "poisson", "naive", 5.0 / 3, 1000, MEAN, 0.375, 5e-4,
	  "" },
	{ "AV §6, experiment 3", "lln, α_k = 1, after 100: mean deviation", "poisson", "poisson", "lln:visit-rate=3", 5.0 / 3, 100, DEVIATION,
	  NONE },
	{ "AV §6, experiment 3", "the same, α_k = log(k + 1)", "poisson", "poisson", "lln:visit-rate=3:growth=log", 5.0 / 3, 100, DEVIATION,
	  NONE },
	{ "AV §6, experiment 3", "the same, α_k = √k", "poisson", "poisson", "lln:visit-rate=3:growth=0.5", 5.0 / 3, 100, DEVIATION, NONE },
	{ "AV §6, experiment 3", "sa, steps of (k + 1)^-1, after 100: mean deviation", "poisson", "poisson", "sa:visit-rate=3:exponent=1",
	  5.0 / 3, 100, DEVIATION, NONE },
	{ "AV §6, experiment 3", "the same, (k + 1)^-.75", "poisson", "poisson", "sa:visit-rate=3", 5.0 / 3, 100, DEVIATION, NONE },
	{ "AV §6, experiment 3", "the same, (k + 1)^-.5", "poisson", "poisson", "sa:visit-rate=3:exponent=0.5", 5.0 / 3, 100, DEVIATION,
	  NONE },
};

#define ESTIMATES (sizeof estimates / sizeof *estimates)

/* Examples that the papers print with their answers, by closed forms and estimators. */
static double regular_estimate(const char *method, int changed, int visits)
{
	struct prn_estimator estimator;
	double state[64] = { 0 };

	if (prn_estimator_init(&estimator, method, NULL) || prn_estimator_state_size(&estimator) > sizeof state)
		return NAN;
	for (int i = 0; i < visits; i++)
		prn_estimator_add(&estimator, state, &(struct prn_estimator_visit){ 1, i < changed, 0 });
	return prn_estimator_rate(&estimator, state);
}

static double ratio_example(void)
{
	return regular_estimate("ratio", 6, 10);
}

static double mle_example(void)
{
	static const double hours[] = { 6, 4, 3, 7 };
	struct prn_estimator estimator;
	double state[64] = { 0 };

	if (prn_estimator_init(&estimator, "mle", NULL))
		return NAN;
	for (int i = 0; i < 4; i++)
		prn_estimator_add(&estimator, state, &(struct prn_estimator_visit){ hours[i], i % 2 == 0, 0 });
	return 20 * prn_estimator_rate(&estimator, state);
}

static double bayes_example(void)
{
	double state[PRN_ESTIMATOR_CLASSES] = { 0 }, each[PRN_ESTIMATOR_CLASSES] = { NAN };
	struct prn_estimator estimator;

	if (prn_estimator_init(&estimator, "bayes", NULL))
		return NAN;
	prn_estimator_add(&estimator, state, &(struct prn_estimator_visit){ 5, true, 0 });
	prn_estimator_probabilities(&estimator, state, each);
	return each[0];
}

static double access_example(void)
{
	return PRN_ESTIMATOR_BEST_R;
}

static double prior_interval(void)
{
	return 1 / regular_estimate("prior-mle:prior-changed=1:prior-unchanged=57", 0, 0);
}

static double fixed_freshness(void)
{
	return prn_freshness(PRN_ORDER_FIXED, 1, 1);
}

static double random_freshness(void)
{
	return prn_freshness(PRN_ORDER_RANDOM, 1, 1);
}

static double purely_random_freshness(void)
{
	return prn_freshness(PRN_ORDER_PURELY_RANDOM, 1, 1);
}

static double in_place(void)
{
	return prn_freshness(PRN_ORDER_FIXED, 0.25, 1);
}

static double steady_shadow(void)
{
	return prn_shadow_freshness(0.25, 1, 1);
}

static double batch_shadow(void)
{
	return prn_shadow_freshness(0.25, 1, 0.25);
}

static double least_cost(void)
{
	return 1 / prn_allocate_one(PRN_OBJECTIVE_FRESHNESS, 1.0 / 24, 1, 1) / 24;
}

static double least_cost_staleness(void)
{
	return 1 - prn_freshness(PRN_ORDER_FIXED, 1.0 / 24, prn_allocate_one(PRN_OBJECTIVE_FRESHNESS, 1.0 / 24, 1, 1));
}

static const struct {
	const char *source, *what;
	double (*work)(void);
	double theirs, rounding;
	const char *note;
} worked[] = {
	{ "Cho §6.4.2", "ratio, 6 changes in 10 daily visits, a day", ratio_example, 0.847, 5e-4, "" },
	{ "Cho §6.4", "changes a visit should expect", access_example, 1.5, 0.1, "where a visit says most of log λ" },
	{ "Cho eq. 6.3", "mle, changed after 6 and 3 hours, not after 4 and 7: in 20 hours", mle_example, 2.67, 5e-3, "" },
	{ "Cho §6.6", "classes of 7 and 30 days, a change after 5: Pr of the first", bayes_example, 0.769, 1e-3, "" },
	{ "GF §4.4; FGT §4.4", "a new page's mean time between changes, hours", prior_interval, 57.5, 0.05, "" },
	{ "Cho table 5.2", "freshness at r = 1, fixed order", fixed_freshness, 0.632, 5e-4, "" },
	{ "Cho table 5.2", "the same, random order", random_freshness, 0.600, 5e-4, "" },
	{ "Cho table 5.2", "the same, purely random", purely_random_freshness, 0.5, 5e-4, "" },
	{ "Cho table 7.1", "freshness in place, pages of four months, crawled monthly", in_place, 0.88, 5e-3, "" },
	{ "Cho table 7.1", "the same, shadow, steady", steady_shadow, 0.77, 5e-3, "the formula of Cho §7.2 gives .783" },
	{ "Cho table 7.1", "the same, shadow, in batches of a week", batch_shadow, 0.86, 5e-3, "" },
	{ "FGT", "t/Δ of least cost, Δ = 24 h, a crawl costs an hour of staleness", least_cost, 0.3208, 5e-5, "" },
	{ "FGT", "the same: share of time stale", least_cost_staleness, NOT_HERE },
};

#define WORKED (sizeof worked / sizeof *worked)

/* Cho table 5.5: rates of 1 to 5 a day share five visits. */
#define SHARES 5
static const struct {
	enum prn_objective objective;
	const char *what[SHARES];
	double theirs[SHARES];
} shares[] = {
	{ PRN_OBJECTIVE_FRESHNESS,
	  { "visits for freshness to λ = 1", "to λ = 2", "to λ = 3", "to λ = 4", "to λ = 5" },
	  { 1.15, 1.36, 1.35, 1.14, 0 } },
	{ PRN_OBJECTIVE_AGE,
	  { "visits for age to λ = 1", "to λ = 2", "to λ = 3", "to λ = 4", "to λ = 5" },
	  { 0.84, 0.97, 1.03, 1.07, 1.09 } },
};

#define DIVISIONS (sizeof shares / sizeof *shares)

/* Policies on simulated pages, compared with closed forms of the papers. */
static const struct {
	const char *source, *what, *process, *policy;
	enum prn_objective objective;
	double dial, theirs, rounding;
} visits[] = {
	{ "Cho table 5.2", "uniform visits at r = 1, simulated: freshness", "poisson", "uniform", PRN_OBJECTIVE_FRESHNESS, 1, 0.632, 5e-4 },
	{ "AZ", "visits at random times with f = √(λ/η) - λ = 1, simulated: freshness", "poisson", NULL, PRN_OBJECTIVE_BINARY, 0.25, 0.5, 5e-4 },
	{ "Cho table 5.5", "rates of 1 to 5, who knows them, simulated: freshness", "mixture:factors=1/2/3/4/5:shares=1/1/1/1/1", NULL,
	  PRN_OBJECTIVE_FRESHNESS, 0.21643182, 0.374, 5e-4 },
};

#define VISITS (sizeof visits / sizeof *visits)

/* Cho table 6.1: how many changes crawlers find that adjust to rates, by the estimator that they use. */
static const struct {
	const char *what, *method;
} crawls[] = {
	{ "five weekly visits, then by naive: changes found, of those by weekly visits", "naive" },
	{ "the same by ratio", "ratio" },
};

#define CRAWLS (sizeof crawls / sizeof *crawls)

int report_paper_agrees(const struct report_paper *paper)
{
	return fabs(paper->ours - paper->theirs) <= paper->rounding + 2 * paper->error;
}

static double figure_of(const struct prn_simulated_estimate *estimate, enum figure_of of)
{
	return (double[]){ estimate->mean, estimate->spread, estimate->deviation, estimate->found }[of];
}

static int run_estimate(struct prn_simulation *simulation, const struct estimating *experiment, struct report_paper *paper,
                        struct prn_error *error)
{
	struct prn_simulated_estimate simulated;
	struct prn_estimator estimator;
	struct prn_schedule schedule;
	int code = prn_process_init(&simulation->process, experiment->process, error);

	if (!code)
		code = prn_schedule_init(&schedule, experiment->schedule, error);
	if (!code)
		code = prn_estimator_init(&estimator, experiment->method, error);
	if (code)
		return code;
	/*
	 * Rates are per visit here; but the visit rate of a method is that of its paper, so time is in the units of the
	 * paper.
	 */
	simulation->rate = experiment->rate * (estimator.visit_rate > 0 ? estimator.visit_rate : 1);
	code = prn_simulate_estimator(simulation, &schedule, estimator.visit_rate > 0 ? 1 / estimator.visit_rate : 1, &estimator,
	                              PRN_SIMULATION_OF_RATE, &experiment->visits, 1, &simulated, error);
	if (!code)
		*paper = (struct report_paper){ experiment->source, experiment->what, figure_of(&simulated, experiment->of),
			                        simulated.error, experiment->theirs, experiment->rounding, experiment->note };
	return code;
}

static int run_visits(struct prn_simulation *simulation, size_t i, struct report_paper *paper, struct prn_error *error)
{
	struct prn_simulated_rule rule = { .objective = visits[i].objective, .dial = visits[i].dial, .from = 10, .until = 110,
		                           .very_stale = 1 };
	struct prn_simulated_policy simulated;
	struct prn_policy *policy = NULL;
	int code = prn_process_init(&simulation->process, visits[i].process, error);

	if (!code && visits[i].policy)
		code = prn_policy_open(&policy, visits[i].policy, NULL, error);
	rule.policy = policy;
	simulation->rate = 1;
	if (!code)
		code = prn_simulate_policy(simulation, &rule, &simulated, error);
	prn_policy_free(policy);
	if (!code)
		*paper = (struct report_paper){ visits[i].source, visits[i].what, 1 - simulated.holistic, simulated.holistic_error,
			                        visits[i].theirs, visits[i].rounding, "" };
	return code;
}

static int divide(size_t i, struct report_paper papers[SHARES])
{
	static const double rates[SHARES] = { 1, 2, 3, 4, 5 };
	double frequencies[SHARES], multiplier;
	int code = prn_allocate(shares[i].objective, rates, NULL, SHARES, 5, frequencies, &multiplier);

	for (size_t k = 0; k < SHARES && !code; k++)
		papers[k] = (struct report_paper){ "Cho table 5.5", shares[i].what[k], frequencies[k], 0, shares[i].theirs[k], 5e-3,
			                           i == 1 && k == 0 ? "it rounds to .83; as printed the row adds up to 5" : "" };
	return code;
}

int report_papers_run(size_t pages, uint64_t seed, size_t threads, struct report_paper **papers, size_t *count,
                      struct prn_error *error)
{
	struct prn_simulation simulation = { .pages = pages, .seed = seed, .threads = threads };
	size_t most = ESTIMATES + WORKED + DIVISIONS * SHARES + VISITS + CRAWLS, n = 0;
	struct report_paper *made = calloc(most, sizeof *made);
	int code = made ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < WORKED && !code; i++)
		made[n++] = (struct report_paper){ worked[i].source, worked[i].what, worked[i].work(), 0, worked[i].theirs,
			                           worked[i].rounding, worked[i].note };
	for (size_t i = 0; i < DIVISIONS && !code; i++, n += SHARES)
		code = divide(i, &made[n]);
	for (size_t i = 0; i < ESTIMATES && !code; i++)
		code = run_estimate(&simulation, &estimates[i], &made[n++], error);
	for (size_t i = 0; i < CRAWLS && !code; i++, n++) {
		made[n] = (struct report_paper){ .source = "Cho table 6.1", .what = crawls[i].what, .theirs = NAN,
			                         .note = "of pages of its own, which are not at hand; in this order" };
		code = report_papers_crawl(crawls[i].method, pages, seed, &made[n].ours, &made[n].error, error);
	}
	for (size_t i = 0; i < VISITS && !code; i++)
		code = run_visits(&simulation, i, &made[n++], error);
	if (code) {
		free(made);
		return code;
	}
	*papers = made;
	*count = n;
	return 0;
}

static const char *const bias_methods[] = { "naive", "ratio", "mle", "last-modified-naive", "last-modified", NULL };
static const char *const visits_methods[] = { "naive", "ratio", "mle", "last-modified-naive", "last-modified", NULL };
static const char *const gamma_methods[] = { "naive", "ratio", "last-modified-naive", "last-modified", NULL };
static const char *const shift_methods[] = { "mle", "mle:forgetting=0.98", "mle:forgetting=0.9", "mle:forgetting=0.7", NULL };
static const char *const path_methods[] = { "mle", "prior-mle", "empirical:classes=0.3/0.7/1.5/3/6/12", "ratio", NULL };
static const char *const av_methods[] = { "mle:lengths=20", "mm:lengths=20", "lln:visit-rate=3", "sa:visit-rate=3", "naive", NULL };
static const char *const sequence_methods[] = {
	"lln:visit-rate=3", "lln:visit-rate=3:growth=log", "lln:visit-rate=3:growth=0.5", "sa:visit-rate=3:exponent=1",
	"sa:visit-rate=3", "sa:visit-rate=3:exponent=0.5", NULL
};
static const double bias_rates[] = { 0.05, 0.1, 0.2, 0.4, 0.7, 1, 1.4, 2, 2.8, 4, 0 };
static const double visits_rates[] = { 1, 0 };
static const uint64_t visits_visits[] = { 2, 3, 5, 8, 13, 20, 32, 50, 80, 0 };
static const double path_rates[] = { 0.5, 0 }, av_rates[] = { 5, 0 };
static const uint64_t bias_visits[] = { 10, 0 }, path_visits[] = { 1, 2, 3, 5, 8, 13, 20, 32, 50, 80, 0 };
static const uint64_t shift_visits[] = { 101, 103, 105, 110, 115, 120, 130, 150, 200, 300, 0 };
static const double shift_rates[] = { 0.1, 0 };
static const uint64_t av_visits[] = { 10, 20, 50, 100, 200, 500, 1000, 0 };

const struct report_paper_curve report_paper_curves[] = {
	{ "papers-bias.tsv", bias_methods, "poisson", "regular", 1, bias_rates, bias_visits, 0 },
	{ "papers-visits.tsv", visits_methods, "poisson", "regular", 1, visits_rates, visits_visits, 0 },
	{ "papers-gamma.tsv", gamma_methods, "gamma:shape=0.5", "regular", 1, bias_rates, bias_visits, 0 },
	{ "papers-shift.tsv", shift_methods, "shift:factor=20:at=100", "regular", 1, shift_rates, shift_visits, 0 },
	{ "papers-path.tsv", path_methods, "mixture:factors=0.2/1/5:shares=1/1/1", "adaptive:r=1:first=1:least=0.05:most=20", 1,
	  path_rates, path_visits, 1 },
	{ "papers-av.tsv", av_methods, "poisson", "poisson", 1.0 / 3, av_rates, av_visits, 0 },
	{ "papers-sequences.tsv", sequence_methods, "poisson", "poisson", 1.0 / 3, av_rates, av_visits, 0 },
	{ NULL, NULL, NULL, NULL, 0, NULL, NULL, 0 },
};
