#include "evaluate/budgets.h"
#include "base/parallel.h"
#include "base/root.h"
#include "evaluate/contender_internal.h"
#include "evaluate/group.h"
#include "evaluate/units.h"
#include "history/rates.h"
#include "perennial/curve.h"

#include <math.h>
#include <stdlib.h>

/* The range in which a dial is searched if the policy has no price: it contains the thresholds of any clock. */
#define DIAL_LOG_MIN (-14)
#define DIAL_LOG_MAX 14
#define DIAL_STEP 2

/* One budget of one sweep. */
struct budget {
	const struct prn_sweep *sweep;
	size_t setting; /* index among those of all sweeps */
	double visits;  /* visits per page and clock unit */
	double dial;
	size_t offset, counts; /* offsets of its courses within a page's, and of the hint counts there */
};

/*
 * The state of a page under one budget; in memory it is followed by the policy's state, and by the counts of
 * hints by source.  At the end the scores replace the course.
 */
struct progress {
	union {
		struct prn_group_page page;
		struct prn_score scores[PRN_WINDOWS];
	};
};

struct reader {
	struct prn_member *members; /* [units.most] */
	struct prn_group group;     /* if hints are used */
};

/* The properties of a page that do not depend on the budget. */
struct page_life {
	size_t corpus;
	double weight, end; /* length of its life, clock units; 0: it was left out */
};

struct budgets {
	struct prn_evaluation *evaluation;
	const struct prn_pages *pages;
	enum prn_clock clock;
	struct reader *readers;  /* [threads] */
	struct prn_units units;  /* the units that are replayed together between two dials: pages, or hosts if hints are used */
	size_t sources;          /* sources of hints; 0: hints are not used */
	struct prn_trust *trust; /* [units][count][sources] */
	struct budget *list;     /* [count] of all sweeps */
	size_t count, stride;    /* stride: bytes of a page under all budgets */
	struct page_life *lives; /* [pages] */
	unsigned char *progress; /* [pages][stride] */
	double from, until;      /* the stretch of time that is being replayed */
};

static struct progress *progress_of(const struct budgets *budgets, size_t page, size_t i)
{
	return (struct progress *)&budgets->progress[page * budgets->stride + budgets->list[i].offset];
}

static const struct prn_policy *policy_of(const struct budgets *budgets, size_t page, size_t i)
{
	return budgets->list[i].sweep->contenders[budgets->lives[page].corpus]->online;
}

/* Replays one page under one budget over the stretch. */
static int run_course(const struct budgets *budgets, size_t page, size_t i, struct prn_member *member)
{
	struct progress *progress = progress_of(budgets, page, i);
	struct prn_course *course = &progress->page.course;
	struct prn_driver driver = { .truth = &member->truth,
		                     .policy = policy_of(budgets, page, i),
		                     .dial = budgets->list[i].dial,
		                     .state = progress + 1 };
	int code = prn_truth_seen(&member->truth, &member->page, prn_policy_summary(driver.policy), &driver.seen);

	if (code)
		return code;
	if (budgets->from <= 0)
		prn_course_begin(course, &driver);
	prn_course_run(course, &driver, budgets->until);
	return 0;
}

/* Replays the pages of a unit, which share their trust in the sources of hints. */
static int run_group(const struct budgets *budgets, size_t unit, size_t i, struct reader *reader)
{
	const size_t *pages = &budgets->units.pages[budgets->units.starts[unit]];
	size_t count = budgets->units.starts[unit + 1] - budgets->units.starts[unit];

	for (size_t j = 0; j < count; j++) {
		struct progress *progress = progress_of(budgets, pages[j], i);
		const struct prn_group_track track = {
			.member = &reader->members[j],
			.driver = { .policy = policy_of(budgets, pages[j], i), .dial = budgets->list[i].dial, .state = progress + 1 },
			.page = &progress->page,
			.counts = (struct prn_page_hints *)&budgets->progress[pages[j] * budgets->stride + budgets->list[i].counts],
		};

		if (prn_group_seat(&reader->group, j, &track))
			return PRN_E_MEMORY;
	}
	prn_group_run(&reader->group, count, &budgets->trust[(unit * budgets->count + i) * budgets->sources], budgets->until);
	return 0;
}

/* Returns 1, 0 if the page is left out, or a negative code. */
static int read_page(const struct budgets *budgets, struct prn_member *member, size_t page, struct prn_error *error)
{
	const struct prn_pages *pages = budgets->pages;
	int code = pages->read(pages->context, page, &member->page, error), heard = 0;

	if (code < 0)
		return code;
	member->truth.mean_bytes = pages->mean_bytes;
	member->truth.look_cost = pages->look_cost;
	code = prn_truth_read(&member->truth, &member->page, budgets->clock);
	if (code > 0 && pages->rates)
		member->truth.said = prn_rate_log_said(pages->rates, &member->truth, pages->url(pages->context, page));
	if (code > 0 && pages->hints)
		heard = prn_replay_hints_read(&member->hearing, pages->hints, &member->truth, pages->url(pages->context, page));
	code = heard < 0 ? heard : code;
	return code < 0 ? prn_error_set(error, code, "%s: %s", member->page.url, prn_error_text(code)) : code;
}

static int look_at_page(void *context, size_t thread, size_t page, struct prn_error *error)
{
	struct budgets *budgets = context;
	struct prn_member *member = &budgets->readers[thread].members[0];
	const struct prn_truth *truth = &member->truth;
	int code = read_page(budgets, member, page, error);

	if (code > 0)
		budgets->lives[page] = (struct page_life){ budgets->pages->corpus(budgets->pages->context, page),
			                                  truth->weight, truth->time[truth->captures - 1] };
	return code < 0 ? code : 0;
}

static int replay_unit(void *context, size_t thread, size_t unit, struct prn_error *error)
{
	struct budgets *budgets = context;
	struct reader *reader = &budgets->readers[thread];
	const size_t *pages = &budgets->units.pages[budgets->units.starts[unit]];
	size_t count = budgets->units.starts[unit + 1] - budgets->units.starts[unit], counted = 0;
	int code = 0;

	for (size_t j = 0; j < count; j++) {
		struct prn_member *member = &reader->members[j];

		member->counted = budgets->lives[pages[j]].end > 0;
		code = member->counted ? read_page(budgets, member, pages[j], error) : 0;
		if (code < 0)
			return code;
		counted += member->counted;
	}
	if (!counted)
		return 0;
	code = 0;
	for (size_t i = 0; i < budgets->count && !code; i++)
		code = budgets->sources ? run_group(budgets, unit, i, reader)
		                        : run_course(budgets, pages[0], i, &reader->members[0]);
	if (code)
		return prn_error_set(error, code, "%s: %s", reader->members[0].page.url, prn_error_text(code));
	for (size_t j = 0; j < count && isinf(budgets->until); j++)
		for (size_t i = 0; i < budgets->count && reader->members[j].counted; i++) {
			struct progress *progress = progress_of(budgets, pages[j], i);
			struct prn_replay replay = progress->page.course.replay;

			replay.truth = &reader->members[j].truth;
			prn_replay_end(&replay, progress->scores);
		}
	return 0;
}

/* Tells whether the page is still watched when the stretch ends. */
static bool is_watched(const struct budgets *budgets, size_t page)
{
	return budgets->lives[page].end > budgets->until;
}

/* Sets the dial to the price of the policy, given the rates of pages; it is unchanged if no page is known to change. */
static int solve_by_price(const struct budgets *budgets, size_t i, double *dial)
{
	size_t pages = budgets->pages->count, n = 0;
	double *rates = calloc(pages, 2 * sizeof *rates), *weights;
	const struct prn_policy *policy = NULL;
	struct prn_curve curve;
	int code;

	if (!rates)
		return PRN_E_MEMORY;
	weights = rates + pages;
	for (size_t page = 0; page < pages; page++) {
		if (!is_watched(budgets, page))
			continue;
		policy = policy_of(budgets, page, i);
		weights[n] = budgets->lives[page].weight;
		rates[n++] = prn_policy_curve(policy, progress_of(budgets, page, i) + 1, &curve) ? curve.rate : 0;
	}
	code = policy ? prn_policy_price(policy, rates, weights, n, budgets->list[i].visits * (double)n, dial)
	              : 0;
	free(rates);
	return code == PRN_E_ARGUMENT ? 0 : code;
}

struct load {
	const struct budgets *budgets;
	size_t budget;
};

/* Returns the price of a visit that the page has learned; before its acquisition the mean one. */
static double price_of(const struct progress *progress)
{
	return progress->page.course.observed > 0 ? progress->page.course.price : 1;
}

/* Returns the policy's decision for a page at a dial, given what it knows and its hints. */
static struct prn_decision decide(const struct budgets *budgets, size_t page, size_t i, double dial, bool hears,
                                  struct prn_visit *last)
{
	const struct progress *progress = progress_of(budgets, page, i);
	const struct prn_course *course = &progress->page.course;
	struct prn_decision decision;

	*last = (struct prn_visit){ .time = course->visited, .threshold = dial,
		                    .weight = budgets->lives[page].weight / price_of(progress),
		                    .look = { budgets->pages->look_cost, prn_looks_rate(&course->looks) } };
	if (hears)
		last->hints = progress->page.hints;
	prn_policy_decide(policy_of(budgets, page, i), progress + 1, last, &decision);
	return decision;
}

/* Tells whether any page's hints make a difference to the policy. */
static bool heeds_hints(const struct budgets *budgets, size_t i)
{
	struct prn_visit last;

	for (size_t page = 0; page < budgets->pages->count; page++) {
		double dial = budgets->list[i].dial, heard, unheard;

		if (!is_watched(budgets, page) || !prn_hints_count(&progress_of(budgets, page, i)->page.hints))
			continue;
		heard = decide(budgets, page, i, dial, true, &last).expected;
		unheard = decide(budgets, page, i, dial, false, &last).expected;
		if (heard < unheard || heard > unheard)
			return true;
	}
	return false;
}

/*
 * Computes log(load / budget) at dial e^x, where the load is the cost of all pages by the current decisions.
 * Falls with x.
 */
static double excess(const void *context, double x)
{
	const struct load *load = context;
	const struct budgets *budgets = load->budgets;
	double visits = 0, budget = 0;

	for (size_t page = 0; page < budgets->pages->count; page++) {
		struct prn_decision decision;
		struct prn_visit last;
		double cost;

		if (!is_watched(budgets, page))
			continue;
		decision = decide(budgets, page, load->budget, exp(x), true, &last);
		/* Where bytes count, the learned price covers looks and fetches together. */
		cost = budgets->pages->mean_bytes > 0 ? price_of(progress_of(budgets, page, load->budget))
		                                      : prn_look_cost(&last.look, decision.expected);
		visits += cost / decision.expected;
		budget += budgets->list[load->budget].visits;
	}
	return log(fmax(visits, 1e-300) / budget);
}

/*
 * A dial accurate to 1 % of the budget suffices: rounding periods up to captures costs more.  If even the
 * largest dial would overspend by current decisions, on pages that must be visited to become known, the dial is
 * only raised by a step: with the largest one no page would ever become known.
 */
static void solve_by_load(const struct budgets *budgets, size_t i, double *dial)
{
	struct load load = { budgets, i };
	double low = excess(&load, DIAL_LOG_MIN), high = excess(&load, DIAL_LOG_MAX);

	if (low >= 0 && high <= 0)
		*dial = exp(prn_root_between(excess, &load, DIAL_LOG_MIN, DIAL_LOG_MAX, low, high, 0.01));
	else
		*dial = low < 0 ? exp(DIAL_LOG_MIN) : DIAL_STEP * *dial;
}

static int solve_budget(void *context, size_t thread, size_t i, struct prn_error *error)
{
	struct budgets *budgets = context;
	struct budget *budget = &budgets->list[i];
	int code;

	(void)thread;
	if (prn_contender_about(budget->sweep->contenders[0])->dial == PRN_DIAL_PERIOD)
		return 0;
	/* A policy's price assumes that every visit costs one and that no hint delays visits. */
	code = budgets->pages->look_cost > 0 || budgets->pages->mean_bytes > 0 || heeds_hints(budgets, i) 
	               ? PRN_E_UNSUPPORTED
	               : solve_by_price(budgets, i, &budget->dial);
	if (code == PRN_E_UNSUPPORTED) {
		solve_by_load(budgets, i, &budget->dial);
		code = 0;
	}
	return code ? prn_error_set(error, code, "%s", prn_error_text(code)) : 0;
}

/* Lists the budgets, and computes the memory of a page under all of them. */
static int list_budgets(struct budgets *budgets)
{
	const struct prn_evaluation *evaluation = budgets->evaluation;

	budgets->list = calloc(evaluation->settings + 1, sizeof *budgets->list);
	if (!budgets->list)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		const struct prn_sweep *sweep = &evaluation->sweeps[i];
		bool period = prn_contender_about(sweep->contenders[0])->dial == PRN_DIAL_PERIOD;
		size_t bytes = 0;

		for (size_t j = 0; j < budgets->pages->corpora; j++) {
			size_t own = prn_contender_state_size(sweep->contenders[j]);

			bytes = own > bytes ? own : bytes;
		}
		bytes = (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
		for (size_t j = 0; j < sweep->setting_count && sweep->budgets; j++) {
			double visits = sweep->settings[j].value;

			budgets->list[budgets->count++] = (struct budget){ sweep, evaluation->first[i] + j, visits,
				                                           period ? 1 / visits : 1, budgets->stride,
				                                           budgets->stride + sizeof(struct progress) + bytes };
			budgets->stride += sizeof(struct progress) + bytes + budgets->sources * sizeof(struct prn_page_hints);
		}
	}
	return 0;
}

static int reader_init(struct reader *reader, const struct budgets *budgets)
{
	size_t room = budgets->units.most ? budgets->units.most : 1;

	reader->members = calloc(room, sizeof *reader->members);
	if (!reader->members)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < room; i++) {
		prn_page_init(&reader->members[i].page);
		prn_truth_init(&reader->members[i].truth);
		prn_replay_hints_init(&reader->members[i].hearing);
	}
	return budgets->sources ? prn_group_init(&reader->group, room, budgets->sources, 0, false) : 0;
}

static void reader_release(struct reader *reader, size_t room)
{
	for (size_t i = 0; reader->members && i < room; i++) {
		prn_page_release(&reader->members[i].page);
		prn_truth_release(&reader->members[i].truth);
		prn_replay_hints_release(&reader->members[i].hearing);
	}
	prn_group_release(&reader->group);
	free(reader->members);
}

static int open_budgets(struct budgets *budgets, size_t threads)
{
	const struct prn_hint_log *hints = budgets->pages->hints;
	size_t pages = budgets->pages->count, trusts;
	int code = 0;

	budgets->sources = hints ? prn_hint_log_sources(hints) : 0;
	if (list_budgets(budgets) || prn_units_find(&budgets->units, budgets->pages, hints) ||
	    (budgets->stride && pages > SIZE_MAX / budgets->stride))
		return PRN_E_MEMORY;
	trusts = budgets->count * budgets->sources;
	budgets->readers = calloc(threads, sizeof *budgets->readers);
	budgets->lives = calloc(pages + 1, sizeof *budgets->lives);
	budgets->progress = calloc(pages + 1, budgets->stride + 1);
	budgets->trust = calloc(budgets->units.count + 1, (trusts + 1) * sizeof *budgets->trust);
	if (!budgets->readers || !budgets->lives || !budgets->progress || !budgets->trust)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < threads && !code; i++)
		code = reader_init(&budgets->readers[i], budgets);
	return code;
}

static void close_budgets(struct budgets *budgets, size_t threads)
{
	for (size_t i = 0; budgets->readers && i < threads; i++)
		reader_release(&budgets->readers[i], budgets->units.most ? budgets->units.most : 1);
	prn_units_release(&budgets->units);
	free(budgets->readers);
	free(budgets->lives);
	free(budgets->progress);
	free(budgets->trust);
	free(budgets->list);
}

/*
 * First the pages are read, and a dial is found from the decisions of policies for unknown pages.  The last
 * stretch has no end, and begins when no page's life continues.
 */
static int replay_stretches(struct budgets *budgets, size_t threads, struct prn_error *error)
{
	int code = prn_parallel_for(budgets->pages->count, threads, look_at_page, budgets, error);
	double longest_life = 0;

	for (size_t page = 0; page < budgets->pages->count; page++)
		longest_life = fmax(longest_life, budgets->lives[page].end);
	if (!code)
		code = prn_parallel_for(budgets->count, threads, solve_budget, budgets, error);
	for (budgets->until = budgets->evaluation->interval; !code; budgets->until *= 2) {
		code = prn_parallel_for(budgets->units.count, threads, replay_unit, budgets, error);
		budgets->from = budgets->until;
		if (code || isinf(budgets->until))
			break;
		code = prn_parallel_for(budgets->count, threads, solve_budget, budgets, error);
		if (budgets->until >= longest_life)
			budgets->until = INFINITY;
	}
	return code;
}

int prn_budgets_replay(struct prn_evaluation *evaluation, const struct prn_pages *pages, enum prn_clock clock,
                       size_t threads, struct prn_error *error)
{
	struct budgets budgets = { .evaluation = evaluation, .pages = pages, .clock = clock };
	int code = open_budgets(&budgets, threads);

	if (code)
		prn_error_set(error, code, "%s", prn_error_text(code));
	else if (budgets.count)
		code = replay_stretches(&budgets, threads, error);
	for (size_t page = 0; !code && page < pages->count; page++)
		for (size_t i = 0; i < budgets.count && budgets.lives[page].end > 0; i++)
			prn_evaluation_add(evaluation, page, budgets.list[i].setting, budgets.lives[page].weight,
			                   progress_of(&budgets, page, i)->scores);
	close_budgets(&budgets, threads);
	return code;
}
