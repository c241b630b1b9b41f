/*
 * Tuning: one pass over the pages gives the loads at many thresholds.  A first pass over some pages shows roughly where the budget
 * lies: keys are hashes, so the first pages in their order are a fair sample.
 */
#include "perennial/tuning.h"

#include "decide/answers.h"
#include "decide/ledger.h"
#include "decide/loads.h"
#include "decide/pacing.h"
#include "decide/patience.h"
#include "decide/requeue.h"
#include "decide/shards.h"
#include "store/shared.h"

#include <math.h>
#include <string.h>

#define SAMPLE 100000

/* The number of thresholds in a pass. */
#define GRID 33

/* Outside this range every period, measured in days, is decided by the bounds on intervals and not by T. */
#define LEAST_THRESHOLD 1e-9
#define MOST_THRESHOLD 1e9

/* A load this near to the least or the most possible load counts as that load. */
#define NEAR 1e-3

struct pass {
	struct prn_decider *decider;
	struct prn_view *view;
	struct prn_entry entry;
	struct prn_error *error;
	uint64_t pages, left_out, unsized, unreadable; /* of the last pass */
	int count;                  /* of thresholds */
	double thresholds[GRID];
	double loads[GRID];         /* per day, in the budget's unit */
	struct prn_costs costs;     /* the new ones */
	uint64_t limit;             /* of pages */
	double gain;                /* the multiple of the budget for which T is sought, by experience (ledger.h) */
	struct prn_shards_damaged damaged; /* of the last pass */
};

static void add_page(struct pass *pass)
{
	struct prn_interval_bounds interval = prn_decider_interval(pass->decider, &pass->entry);
	double cost = prn_cost_expected(&pass->costs, &pass->entry.state);

	for (int i = 0; i < pass->count; i++) {
		struct prn_decision decision;
		enum prn_next reason;

		prn_decider_decide(pass->decider, &pass->entry, pass->thresholds[i], &decision);
		/* One draw of a randomised policy says little of the next. */
		decision.period = prn_patience_days(&pass->entry.state, true, decision.expected);
		pass->loads[i] += cost * PRN_DAY_S / (double)prn_decider_delay(&interval, &decision, &reason);
	}
	pass->pages++;
	pass->unsized += pass->costs.unit == PRN_UNIT_BYTES && !(pass->entry.state.cost.bytes > 0);
}

/* As in the loads that are kept up to date. */
static bool is_counted(const struct prn_page_state *state)
{
	return state->status != PRN_PAGE_RETIRED && (state->visits || !prn_patience_intervals(state, true));
}

static int add_pages(struct pass *pass, struct prn_view *view)
{
	struct prn_record record;
	struct prn_walk *walk = NULL;
	bool whole;
	int code = prn_walk_pages(&walk, view, NULL, pass->error);

	while (!code && pass->pages < pass->limit && (code = prn_walk_pages_any(walk, &record, &whole, pass->error)) == 1) {
		int readable = whole ? prn_entry_try(&pass->entry, &record, NULL, pass->error) : 0;

		code = readable < 0 ? readable : 0;
		pass->unreadable += !readable;
		if (readable == 1 && is_counted(&pass->entry.state))
			add_page(pass);
		else
			pass->left_out += readable == 1;
	}
	prn_walk_free(walk);
	return code;
}

static int add_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct pass *pass = context;
	struct prn_view *view;
	int code = pass->pages < pass->limit ? prn_decider_look(shard, PRN_LOOK_AT_ALL, &view, error) : 1;

	if (code)
		return code < 0 ? code : 0;
	code = add_pages(pass, view);
	prn_view_close(view);
	return code;
}

/* Measures the loads of the first limit pages at all thresholds. */
static int measure_loads(struct pass *pass, uint64_t limit)
{
	memset(pass->loads, 0, sizeof pass->loads);
	pass->pages = pass->left_out = pass->unsized = pass->unreadable = 0;
	pass->limit = limit;
	return pass->decider->shards ? prn_shards_each_answering(pass->decider, add_shard, pass, &pass->damaged, pass->error)
	                             : add_pages(pass, pass->view);
}

/* Sets the thresholds of the pass: ascending, at equal ratios. */
static void spread(struct pass *pass, double from, double to)
{
	pass->count = GRID;
	for (int i = 0; i < GRID; i++)
		pass->thresholds[i] = from * pow(to / from, i / (GRID - 1.0));
}

static void set_one(struct pass *pass, double threshold)
{
	pass->count = 1;
	pass->thresholds[0] = threshold;
}

static void set_pair(struct pass *pass, double first, double second)
{
	pass->count = 2;
	pass->thresholds[0] = first;
	pass->thresholds[1] = second;
}

/* The last threshold whose load is still at least the budget; -1: not even that of the first is. */
static int last_above(const struct pass *pass, double budget)
{
	int i = GRID - 1;

	while (i >= 0 && pass->loads[i] < budget)
		i--;
	return i;
}

/* Narrows the thresholds to the neighbours around the budget by passes over limit pages, until they are within a factor of ratio. */
static int narrow(struct pass *pass, double budget, uint64_t limit, double ratio)
{
	int code = 0;

	while (!code && pass->thresholds[1] / pass->thresholds[0] > ratio) {
		int i = last_above(pass, budget);
		double from = pass->thresholds[i < 0 ? 0 : i], to = pass->thresholds[i + 1 < GRID ? i + 1 : GRID - 1];

		if (i < 0)
			to = pass->thresholds[1];
		if (i == GRID - 1)
			from = pass->thresholds[GRID - 2];
		spread(pass, from, to);
		code = measure_loads(pass, limit);
	}
	return code;
}

/* Searches around the sample's answer; if that missed, by passes over all pages from the beginning. */
static int search(struct pass *pass, double budget, uint64_t sampled, uint64_t all, double *threshold)
{
	const double *thresholds = pass->thresholds, *loads = pass->loads;
	int code = narrow(pass, budget * (double)sampled / (double)all, SAMPLE, 1.5), i;

	if (code)
		return code;
	spread(pass, pass->thresholds[0] / 2, pass->thresholds[GRID - 1] * 2);
	code = measure_loads(pass, UINT64_MAX);
	i = last_above(pass, budget);
	if (!code && (i < 0 || i == GRID - 1)) {
		spread(pass, LEAST_THRESHOLD, MOST_THRESHOLD);
		code = measure_loads(pass, UINT64_MAX);
		if (!code)
			code = narrow(pass, budget, UINT64_MAX, 1.1);
		i = last_above(pass, budget);
	}
	if (code)
		return code;
	*threshold = thresholds[i < 0 ? 0 : i];
	/* Between neighbouring thresholds, the load is about a power of T. */
	if (i >= 0 && i < GRID - 1)
		*threshold *= pow(thresholds[i + 1] / thresholds[i], log(loads[i] / budget) / log(loads[i] / loads[i + 1]));
	return 0;
}

/* Finds the loads at two thresholds by a pass, not by interpolation. */
static int measure(struct pass *pass, struct prn_tuning *tuning)
{
	int code;

	set_pair(pass, tuning->threshold, tuning->threshold_before);
	code = measure_loads(pass, UINT64_MAX);
	tuning->load_per_day = pass->loads[0];
	tuning->load_before = pass->loads[1];
	return code;
}

/* Measures the loads of all pages, and says of how many pages they are. */
static int measure_all(struct pass *pass, struct prn_tuning *tuning)
{
	int code = measure_loads(pass, UINT64_MAX);

	tuning->pages = pass->pages;
	tuning->left_out = pass->left_out;
	tuning->unsized = pass->unsized;
	tuning->assumed_bytes = PRN_COST_FIRST_BYTES;
	tuning->unreadable = pass->unreadable;
	tuning->damaged_shards = pass->damaged.count;
	tuning->first_damaged = pass->damaged.first;
	return code;
}

/* Without a budget the threshold stays as it is. */
static int leave(struct pass *pass, struct prn_tuning *tuning)
{
	int code;

	set_one(pass, tuning->threshold_before);
	code = measure_all(pass, tuning);
	tuning->result = PRN_TUNING_NONE;
	tuning->threshold = tuning->threshold_before;
	tuning->sought = 1;
	tuning->load_per_day = tuning->load_before = tuning->least_per_day = tuning->most_per_day = pass->loads[0];
	return code;
}

static int solve(struct pass *pass, struct prn_tuning *tuning)
{
	uint64_t all, sampled;
	double wanted, most, least;
	int code;

	set_pair(pass, LEAST_THRESHOLD, MOST_THRESHOLD);
	code = measure_all(pass, tuning);
	all = tuning->pages;
	/* A cluster that does not answer may have pages. */
	if (!code && !all)
		code = prn_error_set(pass->error, pass->damaged.first.code == PRN_E_BUSY ? PRN_E_BUSY : PRN_E_NOT_FOUND, "%s has no pages to tune for%s%s",
		                     prn_store_path(pass->decider->store), pass->damaged.count ? " in shards that are whole: " : "",
		                     pass->damaged.count ? pass->damaged.first.text : "");
	if (code)
		return code;
	tuning->most_per_day = pass->loads[0];
	tuning->least_per_day = pass->loads[1];
	tuning->sought = pass->gain;
	tuning->result = tuning->budget_per_day > tuning->most_per_day    ? PRN_TUNING_NOT_NEEDED
	                  : tuning->budget_per_day < tuning->least_per_day ? PRN_TUNING_CANNOT
	                                                                   : PRN_TUNING_MET;
	/* The load to search for is the budget times the gain, or the nearest load that intervals allow. */
	most = tuning->most_per_day * (1 - NEAR);
	least = tuning->least_per_day * (1 + NEAR);
	wanted = fmax(least, fmin(tuning->sought * tuning->budget_per_day, most));
	sampled = all < SAMPLE ? all : SAMPLE;
	spread(pass, LEAST_THRESHOLD, MOST_THRESHOLD);
	code = measure_loads(pass, SAMPLE);
	if (!code)
		code = search(pass, wanted, sampled, all, &tuning->threshold);
	return code ? code : measure(pass, tuning);
}

/* Reads the store's costs, which the request may change, and the gain that calls have shown if the unit stays the same. */
static int read_costs(struct pass *pass, const struct prn_tuning_request *request, const struct prn_store_reader *reader)
{
	struct prn_ledger ledger;
	double budget_per_day;
	int code = prn_decider_read_budget(reader, &budget_per_day, &pass->costs, pass->error);

	if (!code && pass->costs.unit == request->budget.unit && budget_per_day > 0) {
		code = prn_ledger_read(&ledger, budget_per_day, reader, pass->error);
		if (!code)
			pass->gain = prn_ledger_gain_under(&ledger, budget_per_day, request->budget.per_day);
	}
	pass->costs.unit = request->budget.unit;
	return code || !request->cost_304 ? code : prn_costs_parse(&pass->costs, request->cost_304, pass->error);
}

/* Begins a pass, which must be ended also after an error.  *threshold is the store's. */
static int begin(struct pass *pass, struct prn_decider *decider, double *threshold, struct prn_error *error)
{
	int code;

	*pass = (struct pass){ .decider = decider, .gain = 1, .error = error };
	code = prn_entry_init(&pass->entry, decider->policy, decider->summary_limit);
	pass->entry.costs = &pass->costs;
	if (code)
		return prn_error_set(error, code, "%s", prn_error_text(code));
	code = prn_decider_look(decider, PRN_LOOK_AT_ALL, &pass->view, error);
	return code ? code : prn_decider_read_threshold(&(struct prn_store_reader){ .view = pass->view }, threshold, error);
}

static void end(struct pass *pass)
{
	prn_view_close(pass->view);
	prn_entry_release(&pass->entry);
}

static int tune(struct prn_decider *decider, const struct prn_tuning_request *request, struct prn_costs *costs,
                struct prn_tuning *tuning, struct prn_error *error)
{
	struct pass pass;
	int code = begin(&pass, decider, &tuning->threshold_before, error);

	if (!code)
		code = read_costs(&pass, request, &(struct prn_store_reader){ .view = pass.view });
	if (!code)
		code = request->none ? leave(&pass, tuning) : solve(&pass, tuning);
	*costs = pass.costs;
	end(&pass);
	return code;
}

int prn_decider_load(struct prn_decider *decider, double *per_day, struct prn_error *error)
{
	struct pass pass;
	double threshold, budget_per_day;
	int code = begin(&pass, decider, &threshold, error);

	if (!code)
		code = prn_decider_read_budget(&(struct prn_store_reader){ .view = pass.view }, &budget_per_day, &pass.costs, error);
	if (!code) {
		set_one(&pass, threshold);
		code = measure_loads(&pass, UINT64_MAX);
	}
	if (!code)
		*per_day = pass.loads[0];
	end(&pass);
	return code;
}

/* A new budget that is being applied to the pages. */
struct applying {
	struct prn_decider *decider;
	double threshold;
	bool other;     /* the unit is another one, so answers are counted anew */
	bool is_lower;  /* the threshold is, or the unit is another one: pages are queued anew */
	bool uncounted; /* there was no budget, or there will be none: loads are kept only while there is one */
	bool is_looser; /* hosts may have more than before: those that have had their share are looked at anew */
};

static int requeue(void *context, const struct prn_record *record, struct prn_error *error)
{
	const struct applying *applying = context;

	return prn_requeue(applying->decider, record, applying->threshold, error);
}

/* Stages that what was counted under the budget before is not known any more. */
static int drop_counts(struct prn_decider *decider, const struct applying *applying, struct prn_error *error)
{
	int code = applying->other ? prn_answers_drop(decider->batch, error) : 0;

	return code || !applying->uncounted ? code : prn_loads_drop(decider, error);
}

/* What follows for pages, and for hosts that they wait for. */
static int apply_to_pages(struct applying *applying, struct prn_error *error)
{
	struct prn_decider *decider = applying->decider;
	int code = applying->is_lower ? prn_decider_sweep(decider, requeue, applying, NULL, error) : 0;

	return code || !applying->is_looser ? code : prn_decider_void_turns(decider, error);
}

/* The shard's costs are set here, and again with its next call. */
static int apply_to_shard(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct applying applying = *(const struct applying *)context;
	unsigned tries = 0;
	int code;

	shard->costs = applying.decider->costs;
	applying.decider = shard;
	code = apply_to_pages(&applying, error);
	while (!code && (applying.other || applying.uncounted)) {
		code = drop_counts(shard, &applying, error);
		if (!code)
			code = prn_decider_commit_all(shard, error);
		if (!prn_decider_again(shard, code, &tries))
			break;
		code = 0;
	}
	return code;
}

/*
 * Amounts in one unit mean nothing in another, and those of a budget that ended nothing to the next.  Else the ledger goes on, with
 * the gain that the threshold was sought with.
 */
static int change_ledger(struct prn_decider *decider, const struct applying *applying, double budget_per_day, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_ledger ledger;
	double before = decider->budget_per_day, gain;
	int code;

	if (applying->other || applying->uncounted)
		return prn_ledger_drop(decider->batch, error);
	if (!(before > 0))
		return 0;
	code = prn_ledger_read(&ledger, before, &reader, error);
	gain = prn_ledger_gain_under(&ledger, before, budget_per_day);
	if (code || gain == ledger.gain)
		return code;
	ledger.gain = gain;
	return prn_ledger_put(&ledger, decider->batch, error);
}

/*
 * The threshold is written last.  If the process is killed before that, prn_decider_due postpones the pages again that were
 * queued for it.
 */
static int apply(struct prn_decider *decider, const struct prn_tuning_request *request, const struct prn_costs *costs,
                 double threshold, struct prn_error *error)
{
	bool other = costs->unit != decider->costs.unit;
	struct applying applying = { .decider = decider, .other = other,
		                     .uncounted = !(decider->budget_per_day > 0) != !(request->budget.per_day > 0),
		                     .is_looser = request->none || other || request->budget.per_day > decider->budget_per_day };
	struct prn_shards_damaged damaged; /* these requeue their pages when they are asked again */
	unsigned tries = 0;
	struct prn_decider_savepoint before = prn_decider_save(decider);
	struct prn_costs costs_before = decider->costs;
	int code = 0;

	/* Where it is the same budget, or another one, due goes on with what it keeps to: new pages do not raise the threshold at once. */
	if (!other && !applying.uncounted && !request->none)
		do
			code = prn_pacing_hold(decider, &request->budget, &threshold, error);
		while (prn_decider_again(decider, code, &tries));
	if (code)
		return code;
	tries = 0;
	applying.threshold = threshold;
	applying.is_lower = other || threshold < decider->threshold;
	/* Pages are queued by the new costs. */
	decider->costs = *costs;
	if (!decider->shards)
		code = apply_to_pages(&applying, error);
	else if (applying.is_lower || applying.uncounted || applying.is_looser)
		code = prn_shards_each_whole(decider, apply_to_shard, &applying, &damaged, error);
	do {
		if (!code)
			code = change_ledger(decider, &applying, request->budget.per_day, error);
		if (!code)
			code = drop_counts(decider, &applying, error);
		if (!code)
			code = prn_decider_put_budget(decider, &request->budget, request->cost_304, error);
		if (!code)
			code = prn_decider_put_threshold(decider, threshold, error);
		if (!code)
			code = prn_decider_commit_all(decider, error);
	} while (prn_decider_again(decider, code, &tries) && !(code = 0));
	if (code) {
		decider->costs = costs_before;
		prn_decider_restore(decider, &before);
		return code;
	}
	decider->threshold = threshold;
	decider->budget_per_day = request->budget.per_day;
	return 0;
}

int prn_decider_tune(struct prn_decider *decider, const struct prn_tuning_request *request, struct prn_tuning *tuning,
                     struct prn_error *error)
{
	struct prn_tuning_request asked = *request;
	struct prn_costs costs = { 0 };
	struct prn_tuning found;
	int code = request->apply ? prn_decider_check_writer(decider, error) : 0;

	if (asked.none)
		asked.budget = (struct prn_budget){ 0, PRN_UNIT_VISITS };
	else if (!code)
		code = prn_decider_check_budget(&asked.budget, error);
	found = (struct prn_tuning){ .budget_per_day = asked.budget.per_day, .unit = asked.budget.unit };
	if (!code)
		code = tune(decider, &asked, &costs, &found, error);
	if (!code && asked.apply)
		code = apply(decider, &asked, &costs, found.threshold, error);
	if (!code)
		*tuning = found;
	return code;
}
