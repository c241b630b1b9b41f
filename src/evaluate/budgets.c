#include "evaluate/budgets.h"
#include "base/parallel.h"
#include "base/root.h"
#include "evaluate/contender_internal.h"
#include "evaluate/replay.h"
#include "perennial/curve.h"

#include <math.h>
#include <stdlib.h>

/* Where a dial is looked for, where the policy has no price: any clock's thresholds are in between. */
#define DIAL_LOG_MIN (-14)
#define DIAL_LOG_MAX 14
#define DIAL_STEP 2

/* One budget of one sweep. */
struct budget {
	const struct prn_sweep *sweep;
	size_t setting; /* among those of all sweeps */
	double visits;  /* per page and clock unit */
	double dial;
	size_t offset; /* of its courses in a page's */
};

/* How a page fares under one budget; the policy's state follows it in memory.  At the end scores take the course's place. */
struct progress {
	union {
		struct prn_course course;
		struct prn_score scores[PRN_WINDOWS];
	};
};

struct reader {
	struct prn_page page;
	struct prn_truth truth;
};

/* What is known of a page whatever the budget. */
struct page_life {
	size_t corpus;
	double weight, end; /* of its life, clock units; 0: it was left out */
};

struct budgets {
	struct prn_evaluation *evaluation;
	const struct prn_pages *pages;
	enum prn_clock clock;
	struct reader *readers;  /* [threads] */
	struct budget *list;     /* [count] of all sweeps */
	size_t count, stride;    /* stride: bytes of a page under all of them */
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

/* One page under one budget over the stretch. */
static int run_course(const struct budgets *budgets, size_t page, size_t i, struct reader *reader)
{
	struct progress *progress = progress_of(budgets, page, i);
	struct prn_driver driver = { .truth = &reader->truth,
		                     .policy = policy_of(budgets, page, i),
		                     .dial = budgets->list[i].dial,
		                     .state = progress + 1 };
	int code = prn_truth_seen(&reader->truth, &reader->page, prn_policy_summary(driver.policy), &driver.matrix);

	if (code)
		return code;
	if (budgets->from <= 0)
		prn_course_begin(&progress->course, &driver);
	prn_course_run(&progress->course, &driver, budgets->until);
	if (isinf(budgets->until)) {
		struct prn_replay replay = progress->course.replay;

		prn_replay_end(&replay, progress->scores);
	}
	return 0;
}

/* Returns 1, 0 when the page is left out, or a negative code. */
static int read_page(const struct budgets *budgets, struct reader *reader, size_t page, struct prn_error *error)
{
	int code = budgets->pages->read(budgets->pages->context, page, &reader->page, error);

	if (code < 0)
		return code;
	reader->truth.look_cost = budgets->pages->look_cost;
	code = prn_truth_read(&reader->truth, &reader->page, budgets->clock);
	return code < 0 ? prn_error_set(error, code, "%s: %s", reader->page.url, prn_error_text(code)) : code;
}

static int look_at_page(void *context, size_t thread, size_t page, struct prn_error *error)
{
	struct budgets *budgets = context;
	const struct prn_truth *truth = &budgets->readers[thread].truth;
	int code = read_page(budgets, &budgets->readers[thread], page, error);

	if (code > 0)
		budgets->lives[page] = (struct page_life){ budgets->pages->corpus(budgets->pages->context, page),
			                                  truth->weight, truth->time[truth->captures - 1] };
	return code < 0 ? code : 0;
}

static int replay_page(void *context, size_t thread, size_t page, struct prn_error *error)
{
	struct budgets *budgets = context;
	struct reader *reader = &budgets->readers[thread];
	int code = budgets->lives[page].end > 0 ? read_page(budgets, reader, page, error) : 0;

	if (code <= 0)
		return code;
	code = 0;
	for (size_t i = 0; i < budgets->count && !code; i++)
		code = run_course(budgets, page, i, reader);
	return code ? prn_error_set(error, code, "%s: %s", reader->page.url, prn_error_text(code)) : 0;
}

/* Whether the page is still watched when the stretch ends. */
static bool is_watched(const struct budgets *budgets, size_t page)
{
	return budgets->lives[page].end > budgets->until;
}

/*
 * The dial by the price of the policy, which knows pages by their rates; unchanged where none is known to
 * change.
 */
static int solve_by_price(const struct budgets *budgets, size_t i, double *dial)
{
	size_t pages = budgets->pages->count, n = 0;
	double *rates = calloc(pages, 2 * sizeof *rates), *weights = rates + pages;
	const struct prn_policy *policy = NULL;
	struct prn_curve curve;
	int code;

	if (!rates)
		return PRN_E_MEMORY;
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

/* log(load / budget) at dial e^x: what all pages would cost by what is decided of each now.  Falls with x. */
static double excess(const void *context, double x)
{
	const struct load *load = context;
	const struct budgets *budgets = load->budgets;
	double visits = 0, budget = 0;

	for (size_t page = 0; page < budgets->pages->count; page++) {
		const struct progress *progress = progress_of(budgets, page, load->budget);
		struct prn_visit last = { .time = progress->course.visited, .threshold = exp(x),
			                  .weight = budgets->lives[page].weight,
			                  .look = { budgets->pages->look_cost, prn_looks_rate(&progress->course.looks) } };
		struct prn_decision decision;

		if (!is_watched(budgets, page))
			continue;
		prn_policy_decide(policy_of(budgets, page, load->budget), progress + 1, &last, &decision);
		visits += prn_look_cost(&last.look, decision.expected) / decision.expected;
		budget += budgets->list[load->budget].visits;
	}
	return log(fmax(visits, 1e-300) / budget);
}

/*
 * A dial that is good to 1 % of the budget is as good as any: rounding periods up to captures costs more.
 * Where even the largest one would spend more by what is decided now, on pages that have to be visited to be
 * known, it goes up a step: with the largest no page would ever be known.
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
	/* A policy's price is that of visits which all cost a fetch. */
	code = budgets->pages->look_cost > 0 ? PRN_E_UNSUPPORTED : solve_by_price(budgets, i, &budget->dial);
	if (code == PRN_E_UNSUPPORTED) {
		solve_by_load(budgets, i, &budget->dial);
		code = 0;
	}
	return code ? prn_error_set(error, code, "%s", prn_error_text(code)) : 0;
}

/* Lists the budgets, and how much memory a page takes under all of them. */
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
		for (size_t j = 0; j < sweep->setting_count && sweep->budgets; j++) {
			double visits = sweep->settings[j].value;

			budgets->list[budgets->count++] = (struct budget){ sweep, evaluation->first[i] + j, visits,
				                                           period ? 1 / visits : 1, budgets->stride };
			budgets->stride += sizeof(struct progress) + bytes;
		}
	}
	return 0;
}

static int open_budgets(struct budgets *budgets, size_t threads)
{
	size_t pages = budgets->pages->count;

	if (list_budgets(budgets) || (budgets->stride && pages > SIZE_MAX / budgets->stride))
		return PRN_E_MEMORY;
	budgets->readers = calloc(threads, sizeof *budgets->readers);
	budgets->lives = calloc(pages + 1, sizeof *budgets->lives);
	budgets->progress = calloc(pages + 1, budgets->stride + 1);
	if (!budgets->readers || !budgets->lives || !budgets->progress)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < threads; i++) {
		prn_page_init(&budgets->readers[i].page);
		prn_truth_init(&budgets->readers[i].truth);
	}
	return 0;
}

static void close_budgets(struct budgets *budgets, size_t threads)
{
	for (size_t i = 0; budgets->readers && i < threads; i++) {
		prn_page_release(&budgets->readers[i].page);
		prn_truth_release(&budgets->readers[i].truth);
	}
	free(budgets->readers);
	free(budgets->lives);
	free(budgets->progress);
	free(budgets->list);
}

static void add_scores(const struct budgets *budgets)
{
	for (size_t page = 0; page < budgets->pages->count; page++)
		for (size_t i = 0; i < budgets->count && budgets->lives[page].end > 0; i++)
			prn_evaluation_add(budgets->evaluation, page, budgets->list[i].setting,
			                   budgets->lives[page].weight, progress_of(budgets, page, i)->scores);
}

static double longest_life(const struct budgets *budgets)
{
	double longest = 0;

	for (size_t page = 0; page < budgets->pages->count; page++)
		longest = fmax(longest, budgets->lives[page].end);
	return longest;
}

/*
 * First the pages are looked at, for a dial by what policies decide of pages that they know nothing of.  The last
 * stretch has no end, and comes when no page's life goes on.
 */
static int replay_stretches(struct budgets *budgets, size_t threads, struct prn_error *error)
{
	int code = prn_parallel_for(budgets->pages->count, threads, look_at_page, budgets, error);

	if (!code)
		code = prn_parallel_for(budgets->count, threads, solve_budget, budgets, error);
	for (budgets->until = budgets->evaluation->interval; !code; budgets->until *= 2) {
		code = prn_parallel_for(budgets->pages->count, threads, replay_page, budgets, error);
		budgets->from = budgets->until;
		if (code || isinf(budgets->until))
			break;
		code = prn_parallel_for(budgets->count, threads, solve_budget, budgets, error);
		if (budgets->until >= longest_life(budgets))
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
	if (!code)
		add_scores(&budgets);
	close_budgets(&budgets, threads);
	return code;
}
