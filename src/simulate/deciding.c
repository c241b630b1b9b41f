/* Runs policies on simulated pages, in the same blocks of pages as estimating.c. */
#include "perennial/simulation.h"

#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 512
#define NUMBER_MAX 1e30
#define PAGE_VISITS 1e6
#define DIAL_RANGE 1e9
#define COST_TOLERANCE 1e-3
#define DIAL_TOLERANCE 1e-6 /* of its logarithm: costs are steep near the dial at which a page is never visited */
#define DIAL_STEP 4         /* doubles a cost that is proportional to one over the root of the dial */

/* A version of a page: how often each region has changed. */
struct version {
	uint64_t changes[PRN_PROCESS_REGIONS];
};

struct sums {
	double staleness, staleness_squares, holistic, holistic_squares, age, very_stale, visits;
	uint64_t seen, changes;
};

struct work {
	const struct prn_simulation *simulation;
	const struct prn_simulated_rule *rule;
	double dial, shares[PRN_PROCESS_REGIONS];
	size_t threads, blocks, state_size;
	char *states;      /* [threads][state_size] */
	struct sums *sums; /* [blocks] */
};

/* A page, its copy, and what has been counted since the rule's from. */
struct course {
	struct prn_process_page page;
	uint64_t random[4];
	double now, went, last; /* went: when the copy went out of date, INFINITY if it has not; last: the last change */
	struct version present, copy, kept[PRN_POLICY_SLOTS];
	struct sums sums;
	double staleness, holistic;
};

/*
 * Returns the divergence of two versions of the same size: a share x of the content differs, and no content is in a version
 * twice (doc/theory.md §3).
 */
static double divergence(const struct work *work, const struct version *a, const struct version *b)
{
	double x = 0;

	for (unsigned region = 0; region < PRN_PROCESS_REGIONS; region++)
		x += a->changes[region] != b->changes[region] ? work->shares[region] : 0;
	return 2 * x / (1 + x);
}

/* Adds to the integrals from now until a time before which nothing changes. */
static void stay(const struct work *work, struct course *course, double to)
{
	double from = fmax(course->now, work->rule->from), end = fmin(to, work->rule->until), very;

	course->now = to;
	if (!(end > from) || isinf(course->went))
		return;
	very = fmax(from, course->went + work->rule->very_stale);
	course->staleness += (end - from) * divergence(work, &course->copy, &course->present);
	course->holistic += end - from;
	course->sums.age += (end - from) * ((from + end) / 2 - course->went);
	course->sums.very_stale += fmax(end - very, 0);
}

/* Lets the page change until a time. */
static void pass(const struct work *work, struct course *course, double to)
{
	while (prn_process_next(&course->page) <= to) {
		double at = prn_process_next(&course->page);

		stay(work, course, at);
		course->present.changes[prn_process_change(&work->simulation->process, &course->page)]++;
		course->last = at;
		course->went = fmin(course->went, at);
		course->sums.changes += at > work->rule->from && at <= work->rule->until;
	}
	stay(work, course, to);
}

/* Returns the period of the rule that knows the truth.  It is random if the objective assumes visits in random order. */
static double known_period(const struct work *work, struct course *course)
{
	double rate = prn_process_rate(&work->simulation->process, &course->page, course->now);
	double frequency = prn_allocate_one(work->rule->objective, rate, 1, work->dial), period = INFINITY;
	struct prn_random random;

	if (work->rule->objective != PRN_OBJECTIVE_BINARY && work->rule->objective != PRN_OBJECTIVE_HARMONIC)
		return frequency > 0 ? 1 / frequency : INFINITY;
	memcpy(random.words, course->random, sizeof random.words);
	if (frequency > 0)
		period = prn_random_exponential(&random, 1 / frequency);
	memcpy(course->random, random.words, sizeof random.words);
	return period;
}

/* Reports a visit to the policy, and asks it for the time of the next one. */
static double visit(const struct work *work, struct course *course, uint64_t number, void *state)
{
	const struct prn_policy *policy = work->rule->policy;
	double divergences[PRN_POLICY_SLOTS];
	struct prn_visit about = { .time = course->now, .weight = 1, .threshold = work->dial, .divergence = divergences,
		                   .since_modified = isfinite(course->last) ? course->now - course->last : 0,
		                   .page = number };
	struct prn_decision decision;

	course->copy = course->present;
	course->went = INFINITY;
	if (!policy)
		return known_period(work, course);
	for (size_t i = 0; i < prn_policy_slots(policy); i++)
		divergences[i] = divergence(work, &course->kept[i], &course->present);
	prn_policy_visit(policy, state, &about, &decision);
	if (decision.keep >= 0)
		course->kept[decision.keep] = course->present;
	return decision.period;
}

static void run_page(const struct work *work, uint64_t number, void *state, struct sums *sums)
{
	const struct prn_simulated_rule *rule = work->rule;
	struct course course = { .went = INFINITY, .last = -INFINITY };
	double least = rule->until / PAGE_VISITS, time = rule->until - rule->from, next;

	prn_process_begin(&work->simulation->process, work->simulation->rate, work->simulation->seed, number, &course.page);
	prn_schedule_begin(work->simulation->seed, number, course.random);
	if (state)
		memset(state, 0, work->state_size);
	next = visit(work, &course, number, state);
	while ((next = course.now + fmax(next, least)) <= rule->until) {
		pass(work, &course, next);
		course.sums.visits += course.now > rule->from;
		course.sums.seen += course.now > rule->from && isfinite(course.went);
		next = visit(work, &course, number, state);
	}
	pass(work, &course, rule->until);
	course.staleness /= time;
	course.holistic /= time;
	sums->staleness += course.staleness;
	sums->staleness_squares += course.staleness * course.staleness;
	sums->holistic += course.holistic;
	sums->holistic_squares += course.holistic * course.holistic;
	sums->age += course.sums.age / time;
	sums->very_stale += course.sums.very_stale / time;
	sums->visits += course.sums.visits / time;
	sums->seen += course.sums.seen;
	sums->changes += course.sums.changes;
}

static int run_block(void *context, size_t thread, size_t block, struct prn_error *error)
{
	const struct work *work = context;
	size_t pages = work->simulation->pages, end = pages * (block + 1) / work->blocks;

	(void)error;
	for (size_t i = pages * block / work->blocks; i < end; i++)
		run_page(work, i, work->states ? work->states + thread * work->state_size : NULL, &work->sums[block]);
	return 0;
}

static double error_of(double sum, double squares, double n)
{
	return sqrt(fmax(squares - sum * sum / n, 0) / (n - 1) / n);
}

static struct prn_simulated_policy outcome(const struct work *work)
{
	double n = (double)work->simulation->pages;
	struct sums all = { 0 };

	for (size_t block = 0; block < work->blocks; block++) {
		const struct sums *sums = &work->sums[block];

		all.staleness += sums->staleness;
		all.staleness_squares += sums->staleness_squares;
		all.holistic += sums->holistic;
		all.holistic_squares += sums->holistic_squares;
		all.age += sums->age;
		all.very_stale += sums->very_stale;
		all.visits += sums->visits;
		all.seen += sums->seen;
		all.changes += sums->changes;
	}
	return (struct prn_simulated_policy){ .cost = all.visits / n,
		                              .staleness = all.staleness / n,
		                              .staleness_error = error_of(all.staleness, all.staleness_squares, n),
		                              .holistic = all.holistic / n,
		                              .holistic_error = error_of(all.holistic, all.holistic_squares, n),
		                              .age = all.age / n,
		                              .very_stale = all.very_stale / n,
		                              .found = all.changes ? (double)all.seen / (double)all.changes : NAN };
}

static bool is_positive(double number)
{
	return number > 0 && number <= NUMBER_MAX;
}

static int check(const struct prn_simulation *simulation, const struct prn_simulated_rule *rule, struct prn_error *error)
{
	if (!is_positive(simulation->rate) || !is_positive(rule->dial) || !is_positive(rule->until) ||
	    !(rule->from >= 0 && rule->from < rule->until) || !(rule->very_stale >= 0 && rule->very_stale <= NUMBER_MAX))
		return prn_error_set(error, PRN_E_ARGUMENT, "rates, dials and times are above 0, at most 1e30, and from before until");
	if (prn_process_rate_most(&simulation->process, simulation->rate) * rule->until > PRN_SIMULATION_PAGE_CHANGES)
		return prn_error_set(error, PRN_E_ARGUMENT, "at most %d changes of a page are simulated",
		                     PRN_SIMULATION_PAGE_CHANGES);
	if (simulation->pages < 2 || simulation->pages > PRN_SIMULATION_PAGES)
		return prn_error_set(error, PRN_E_ARGUMENT, "pages are 2 to %d", PRN_SIMULATION_PAGES);
	return 0;
}

static int begin(struct work *work, const struct prn_simulation *simulation, const struct prn_simulated_rule *rule,
                 struct prn_error *error)
{
	int code = check(simulation, rule, error);

	if (code)
		return code;
	*work = (struct work){ .simulation = simulation, .rule = rule, .dial = rule->dial,
		               .threads = prn_parallel_threads(simulation->threads),
		               .blocks = simulation->pages < BLOCKS ? simulation->pages : BLOCKS };
	for (unsigned region = 0; region < PRN_PROCESS_REGIONS; region++)
		work->shares[region] = prn_process_share(&simulation->process, region);
	work->sums = calloc(work->blocks, sizeof *work->sums);
	if (rule->policy) {
		work->state_size = prn_policy_state_size(rule->policy);
		work->states = calloc(work->threads, work->state_size);
	}
	return work->sums && (work->states || !rule->policy) ? 0 : prn_error_memory(error);
}

static void end(struct work *work)
{
	free(work->states);
	free(work->sums);
}

static int simulate_blocks(struct work *work, struct prn_simulated_policy *simulated, struct prn_error *error)
{
	int code;

	memset(work->sums, 0, work->blocks * sizeof *work->sums);
	code = prn_parallel_for(work->blocks, work->threads, run_block, work, error);
	if (!code)
		*simulated = outcome(work);
	return code;
}

int prn_simulate_policy(const struct prn_simulation *simulation, const struct prn_simulated_rule *rule,
                        struct prn_simulated_policy *simulated, struct prn_error *error)
{
	struct work work = { 0 };
	int code = begin(&work, simulation, rule, error);

	if (!code)
		code = simulate_blocks(&work, simulated, error);
	end(&work);
	return code;
}

/* A search for the dial with a cost.  After a failure, which is kept in code, nothing more is simulated. */
struct search {
	struct work *work;
	struct prn_simulated_policy *simulated;
	double cost;
	struct prn_error *error;
	int code;
};

static double excess(struct search *search, double log_dial)
{
	search->work->dial = exp(log_dial);
	if (!search->code)
		search->code = simulate_blocks(search->work, search->simulated, search->error);
	return search->code ? 0 : search->simulated->cost / search->cost - 1;
}

/* Finds one end that costs more, and one that costs less. */
static int bracket(struct search *search, double ends[2], double at[2])
{
	double middle = log(search->work->rule->dial), most = log(DIAL_RANGE), step = log(DIAL_STEP);

	ends[0] = ends[1] = middle;
	at[0] = at[1] = excess(search, middle);
	for (; at[0] < 0 && middle - ends[0] < most;)
		at[0] = excess(search, ends[0] = fmax(ends[0] - step, middle - most));
	for (; at[1] > 0 && ends[1] - middle < most;)
		at[1] = excess(search, ends[1] = fmin(ends[1] + step, middle + most));
	if (search->code)
		return search->code;
	if (at[0] < 0 || at[1] > 0)
		return prn_error_set(search->error, PRN_E_NOT_FOUND, "no setting costs %g visits per unit of time: the nearest, %g",
		                     search->cost, search->simulated->cost);
	return 0;
}

int prn_simulate_policy_at(const struct prn_simulation *simulation, const struct prn_simulated_rule *rule, double cost,
                           double *dial, struct prn_simulated_policy *simulated, struct prn_error *error)
{
	struct prn_simulated_policy found = { 0 };
	struct work work = { 0 };
	struct search search = { &work, &found, cost, error, 0 };
	double ends[2], at[2];
	int code = is_positive(cost) ? begin(&work, simulation, rule, error)
	                             : prn_error_set(error, PRN_E_ARGUMENT, "a cost is above 0, at most 1e30");

	if (!code && cost * rule->until > PAGE_VISITS)
		code = prn_error_set(error, PRN_E_NOT_FOUND, "a page is visited at most %g times", PAGE_VISITS);
	if (!code)
		code = bracket(&search, ends, at);
	/* Bisects: costs come in steps of whole visits, where a faster search would stand still. */
	while (!code && fabs(found.cost / cost - 1) > COST_TOLERANCE && ends[1] - ends[0] > DIAL_TOLERANCE) {
		double middle = (ends[0] + ends[1]) / 2;

		ends[excess(&search, middle) < 0] = middle;
		code = search.code;
	}
	if (!code) {
		*dial = work.dial;
		*simulated = found;
	}
	end(&work);
	return code;
}
