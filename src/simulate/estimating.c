/*
 * Runs estimators on simulated pages.  Threads take blocks of pages, whose size depends on the number of pages alone, and
 * the sums of blocks are added in order: so the results have the same digits with any number of threads.
 */
#include "perennial/simulation.h"

#include "base/parallel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 512
#define NUMBER_MIN 1e-30
#define NUMBER_MAX 1e30

/* Sums over all pages after a number of visits. */
struct sums {
	double time, off, squares, absolute; /* off: the ratio less 1 */
	uint64_t pages, judged; /* judged: those of off, squares, absolute */
	uint64_t none, covered, seen, changes;
};

struct work {
	const struct prn_simulation *simulation;
	const struct prn_schedule *schedule;
	const struct prn_estimator *estimator;
	const uint64_t *visits;
	size_t count, blocks, state_size;
	double interval;
	enum prn_simulation_of of;
	char *states;      /* [threads][state_size] */
	struct sums *sums; /* [blocks][count] */
};

/* A page, with what its visitor knows of it and what not. */
struct watch {
	struct prn_process_page page;
	uint64_t random[4], visits, changes, seen;
	double time;
};

static void visit(const struct work *work, struct watch *watch, void *state)
{
	const struct prn_process *process = &work->simulation->process;
	double estimate = prn_schedule_adapts(work->schedule) ? prn_estimator_rate(work->estimator, state) : 0;
	double interval = prn_schedule_interval(work->schedule, work->interval, watch->visits, estimate, watch->random);
	double now = watch->time + interval, last = watch->time;
	bool changed = prn_process_next(&watch->page) <= now;

	while (prn_process_next(&watch->page) <= now) {
		last = prn_process_next(&watch->page);
		prn_process_change(process, &watch->page);
		watch->changes++;
	}
	prn_estimator_add(work->estimator, state,
	                  &(struct prn_estimator_visit){ interval, changed, fmax(now - last, PRN_ESTIMATOR_NOW) });
	watch->seen += changed;
	watch->time = now;
	watch->visits++;
}

static void look(const struct work *work, const struct watch *watch, const void *state, struct sums *sums)
{
	double truth = prn_process_rate(&work->simulation->process, &watch->page, watch->time);
	double rate = prn_estimator_rate(work->estimator, state), off = rate / truth - 1, low = 0, high = 0;

	sums->pages++;
	sums->time += watch->time;
	sums->seen += watch->seen;
	sums->changes += watch->changes;
	sums->none += !(rate > 0);
	if (work->simulation->confidence > 0) {
		prn_estimator_interval(work->estimator, state, work->simulation->confidence, &low, &high);
		sums->covered += low <= truth && truth <= high;
	}
	if (work->of == PRN_SIMULATION_OF_INTERVAL)
		off = truth / rate - 1;
	if (!isfinite(off))
		return;
	sums->judged++;
	sums->off += off;
	sums->squares += off * off;
	sums->absolute += fabs(off);
}

static int run_block(void *context, size_t thread, size_t block, struct prn_error *error)
{
	const struct work *work = context;
	const struct prn_simulation *simulation = work->simulation;
	size_t end = simulation->pages * (block + 1) / work->blocks;
	void *state = work->states + thread * work->state_size;

	(void)error;
	for (size_t i = simulation->pages * block / work->blocks; i < end; i++) {
		struct watch watch = { .time = 0 };

		memset(state, 0, work->state_size);
		prn_process_begin(&simulation->process, simulation->rate, simulation->seed, i, &watch.page);
		prn_schedule_begin(simulation->seed, i, watch.random);
		for (size_t k = 0; k < work->count; k++) {
			while (watch.visits < work->visits[k])
				visit(work, &watch, state);
			look(work, &watch, state, &work->sums[block * work->count + k]);
		}
	}
	return 0;
}

static struct prn_simulated_estimate outcome(const struct work *work, size_t k)
{
	struct sums all = { 0 };
	double n, pages, mean, variance;

	for (size_t block = 0; block < work->blocks; block++) {
		const struct sums *sums = &work->sums[block * work->count + k];

		all.time += sums->time;
		all.off += sums->off;
		all.squares += sums->squares;
		all.absolute += sums->absolute;
		all.none += sums->none;
		all.covered += sums->covered;
		all.seen += sums->seen;
		all.changes += sums->changes;
		all.pages += sums->pages;
		all.judged += sums->judged;
	}
	pages = (double)all.pages;
	n = (double)all.judged;
	mean = all.judged ? all.off / n : NAN;
	variance = all.judged > 1 ? fmax(all.squares - n * mean * mean, 0) / (n - 1) : NAN;
	return (struct prn_simulated_estimate){ .time = all.time / pages,
		                                .mean = 1 + mean,
		                                .error = sqrt(variance / n),
		                                .spread = sqrt(variance),
		                                .deviation = all.judged ? all.absolute / n : NAN,
		                                .none = (double)all.none / pages,
		                                .covered = work->simulation->confidence > 0 ? (double)all.covered / pages : NAN,
		                                .found = all.changes ? (double)all.seen / (double)all.changes : NAN };
}

static bool is_number(double number)
{
	return number >= NUMBER_MIN && number <= NUMBER_MAX;
}

static int check(const struct prn_simulation *simulation, double interval, const uint64_t *visits, size_t count,
                 struct prn_error *error)
{
	if (!is_number(simulation->rate) || !is_number(interval))
		return prn_error_set(error, PRN_E_ARGUMENT, "rates and intervals are from 1e-30 to 1e30");
	if (prn_process_rate_most(&simulation->process, simulation->rate) * interval > PRN_SIMULATION_CHANGES)
		return prn_error_set(error, PRN_E_ARGUMENT, "at most %d changes an interval are simulated", PRN_SIMULATION_CHANGES);
	if (simulation->pages < 2 || simulation->pages > PRN_SIMULATION_PAGES)
		return prn_error_set(error, PRN_E_ARGUMENT, "pages are 2 to %d", PRN_SIMULATION_PAGES);
	if (!(simulation->confidence >= 0 && simulation->confidence < 1))
		return prn_error_set(error, PRN_E_ARGUMENT, "a confidence is above 0 and below 1");
	for (size_t k = 0; k < count; k++)
		if (visits[k] <= (k ? visits[k - 1] : 0) || visits[k] > PRN_SIMULATION_VISITS)
			return prn_error_set(error, PRN_E_ARGUMENT, "visits are ascending, from 1 to %d", PRN_SIMULATION_VISITS);
	return count ? 0 : prn_error_set(error, PRN_E_ARGUMENT, "after how many visits?");
}

int prn_simulate_estimator(const struct prn_simulation *simulation, const struct prn_schedule *schedule, double interval,
                           const struct prn_estimator *estimator, enum prn_simulation_of of, const uint64_t *visits,
                           size_t count, struct prn_simulated_estimate *simulated, struct prn_error *error)
{
	struct work work = { .simulation = simulation, .schedule = schedule, .estimator = estimator, .visits = visits,
		             .count = count, .interval = interval, .of = of,
		             .state_size = prn_estimator_state_size(estimator) };
	size_t threads = prn_parallel_threads(simulation->threads);
	int code = check(simulation, interval, visits, count, error);

	if (code)
		return code;
	work.blocks = simulation->pages < BLOCKS ? simulation->pages : BLOCKS;
	work.states = calloc(threads, work.state_size);
	work.sums = calloc(work.blocks * count, sizeof *work.sums);
	code = work.states && work.sums ? prn_parallel_for(work.blocks, threads, run_block, &work, error)
	                                : prn_error_memory(error);
	for (size_t k = 0; k < count && !code; k++)
		simulated[k] = outcome(&work, k);
	free(work.states);
	free(work.sums);
	return code;
}
