#include "evaluate/market.h"
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
struct stall {
	const struct prn_sweep *sweep;
	size_t setting; /* among those of all sweeps */
	double budget;  /* visits per page and clock unit */
	double dial;
	size_t offset; /* of its courses in a page's */
};

/* A page at a stall; the policy's state follows it in memory.  At the end the scores take the course's place. */
struct seat {
	union {
		struct prn_course course;
		struct prn_score scores[PRN_WINDOWS];
	};
};

struct reader {
	struct prn_page page;
	struct prn_truth truth;
};

/* What is known of a page whatever the stall. */
struct customer {
	size_t corpus;
	double weight, end; /* of its life, clock units; 0: it was left out */
};

struct market {
	struct prn_evaluation *evaluation;
	const struct prn_pages *pages;
	enum prn_clock clock;
	struct reader *readers; /* [threads] */
	struct stall *stalls;
	size_t count, stride;
	struct customer *customers; /* [pages] */
	unsigned char *seats;       /* [pages][stride] */
	double from, until;         /* the stretch of time that is being replayed */
};

static struct seat *seat_of(const struct market *market, size_t page, size_t stall)
{
	return (struct seat *)&market->seats[page * market->stride + market->stalls[stall].offset];
}

static const struct prn_policy *policy_of(const struct market *market, size_t page, size_t stall)
{
	return market->stalls[stall].sweep->contenders[market->customers[page].corpus]->online;
}

/* One page at one stall over the stretch. */
static int visit_stall(const struct market *market, size_t page, size_t stall, struct reader *reader)
{
	struct seat *seat = seat_of(market, page, stall);
	struct prn_driver driver = { .truth = &reader->truth,
		                     .policy = policy_of(market, page, stall),
		                     .dial = market->stalls[stall].dial,
		                     .state = seat + 1 };
	int code = prn_truth_seen(&reader->truth, &reader->page, prn_policy_summary(driver.policy), &driver.matrix);

	if (code)
		return code;
	if (market->from <= 0)
		prn_course_begin(&seat->course, &driver);
	prn_course_run(&seat->course, &driver, market->until);
	if (isinf(market->until)) {
		struct prn_replay replay = seat->course.replay;

		prn_replay_end(&replay, seat->scores);
	}
	return 0;
}

/* Returns 1, 0 when the page is left out, or a negative code. */
static int read_page(const struct market *market, struct reader *reader, size_t page, struct prn_error *error)
{
	int code = market->pages->read(market->pages->context, page, &reader->page, error);

	if (code < 0)
		return code;
	code = prn_truth_read(&reader->truth, &reader->page, market->clock);
	return code < 0 ? prn_error_set(error, code, "%s: %s", reader->page.url, prn_error_text(code)) : code;
}

static int meet_page(void *context, size_t thread, size_t page, struct prn_error *error)
{
	struct market *market = context;
	const struct prn_truth *truth = &market->readers[thread].truth;
	int code = read_page(market, &market->readers[thread], page, error);

	if (code > 0)
		market->customers[page] = (struct customer){ market->pages->corpus(market->pages->context, page),
			                                     truth->weight, truth->time[truth->captures - 1] };
	return code < 0 ? code : 0;
}

static int replay_page(void *context, size_t thread, size_t page, struct prn_error *error)
{
	struct market *market = context;
	struct reader *reader = &market->readers[thread];
	int code = market->customers[page].end > 0 ? read_page(market, reader, page, error) : 0;

	if (code <= 0)
		return code;
	code = 0;
	for (size_t i = 0; i < market->count && !code; i++)
		code = visit_stall(market, page, i, reader);
	return code ? prn_error_set(error, code, "%s: %s", reader->page.url, prn_error_text(code)) : 0;
}

/* Whether the page is still watched when the stretch ends. */
static bool stays(const struct market *market, size_t page)
{
	return market->customers[page].end > market->until;
}

/*
 * The dial by the price of the policy, which knows pages by their rates; unchanged where none is known to
 * change.
 */
static int solve_by_price(const struct market *market, size_t stall, double *dial)
{
	size_t pages = market->pages->count, n = 0;
	double *rates = calloc(pages, 2 * sizeof *rates), *weights = rates + pages;
	const struct prn_policy *policy = NULL;
	struct prn_curve curve;
	int code;

	if (!rates)
		return PRN_E_MEMORY;
	for (size_t page = 0; page < pages; page++) {
		if (!stays(market, page))
			continue;
		policy = policy_of(market, page, stall);
		weights[n] = market->customers[page].weight;
		rates[n++] = prn_policy_curve(policy, seat_of(market, page, stall) + 1, &curve) ? curve.rate : 0;
	}
	code = policy ? prn_policy_price(policy, rates, weights, n, market->stalls[stall].budget * (double)n, dial)
	              : 0;
	free(rates);
	return code == PRN_E_RANGE ? 0 : code;
}

struct load {
	const struct market *market;
	size_t stall;
};

/* log(load / budget) at dial e^x: what all pages would cost by what is decided of each now.  Falls with x. */
static double excess(const void *context, double x)
{
	const struct load *load = context;
	const struct market *market = load->market;
	double visits = 0, budget = 0;

	for (size_t page = 0; page < market->pages->count; page++) {
		const struct seat *seat = seat_of(market, page, load->stall);
		struct prn_visit last = { .time = seat->course.visited, .threshold = exp(x),
			                  .weight = market->customers[page].weight };
		struct prn_decision decision;

		if (!stays(market, page))
			continue;
		prn_policy_decide(policy_of(market, page, load->stall), seat + 1, &last, &decision);
		visits += 1 / decision.expected;
		budget += market->stalls[load->stall].budget;
	}
	return log(fmax(visits, 1e-300) / budget);
}

/*
 * A dial that is good to 1 % of the budget is as good as any: rounding periods up to captures costs more.
 * Where even the largest one would spend more by what is decided now, on pages that have to be visited to be
 * known, it goes up a step: with the largest no page would ever be known.
 */
static void solve_by_load(const struct market *market, size_t stall, double *dial)
{
	struct load load = { market, stall };
	double low = excess(&load, DIAL_LOG_MIN), high = excess(&load, DIAL_LOG_MAX);

	if (low >= 0 && high <= 0)
		*dial = exp(prn_root_between(excess, &load, DIAL_LOG_MIN, DIAL_LOG_MAX, low, high, 0.01));
	else
		*dial = low < 0 ? exp(DIAL_LOG_MIN) : DIAL_STEP * *dial;
}

static int solve_stall(void *context, size_t thread, size_t i, struct prn_error *error)
{
	struct market *market = context;
	struct stall *stall = &market->stalls[i];
	int code;

	(void)thread;
	if (prn_contender_about(stall->sweep->contenders[0])->dial == PRN_DIAL_PERIOD)
		return 0;
	code = solve_by_price(market, i, &stall->dial);
	if (code == PRN_E_UNSUPPORTED) {
		solve_by_load(market, i, &stall->dial);
		code = 0;
	}
	return code ? prn_error_set(error, code, "%s", prn_error_text(code)) : 0;
}

/* Finds the stalls and how much memory a page takes at all of them. */
static int open_stalls(struct market *market)
{
	const struct prn_evaluation *evaluation = market->evaluation;

	market->stalls = calloc(evaluation->settings + 1, sizeof *market->stalls);
	if (!market->stalls)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		const struct prn_sweep *sweep = &evaluation->sweeps[i];
		bool period = prn_contender_about(sweep->contenders[0])->dial == PRN_DIAL_PERIOD;
		size_t bytes = 0;

		for (size_t j = 0; j < market->pages->corpora; j++) {
			size_t own = prn_contender_state_size(sweep->contenders[j]);

			bytes = own > bytes ? own : bytes;
		}
		for (size_t j = 0; j < sweep->setting_count && sweep->budgets; j++) {
			double budget = sweep->settings[j].value;

			market->stalls[market->count++] = (struct stall){ sweep, evaluation->first[i] + j, budget,
				                                          period ? 1 / budget : 1, market->stride };
			market->stride += sizeof(struct seat) + bytes;
		}
	}
	return 0;
}

static int open_market(struct market *market, size_t threads)
{
	size_t pages = market->pages->count;

	if (open_stalls(market) || (market->stride && pages > SIZE_MAX / market->stride))
		return PRN_E_MEMORY;
	market->readers = calloc(threads, sizeof *market->readers);
	market->customers = calloc(pages + 1, sizeof *market->customers);
	market->seats = calloc(pages + 1, market->stride + 1);
	if (!market->readers || !market->customers || !market->seats)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < threads; i++) {
		prn_page_init(&market->readers[i].page);
		prn_truth_init(&market->readers[i].truth);
	}
	return 0;
}

static void close_market(struct market *market, size_t threads)
{
	for (size_t i = 0; market->readers && i < threads; i++) {
		prn_page_release(&market->readers[i].page);
		prn_truth_release(&market->readers[i].truth);
	}
	free(market->readers);
	free(market->customers);
	free(market->seats);
	free(market->stalls);
}

static void add_scores(const struct market *market)
{
	for (size_t page = 0; page < market->pages->count; page++)
		for (size_t i = 0; i < market->count && market->customers[page].end > 0; i++)
			prn_evaluation_add(market->evaluation, page, market->stalls[i].setting,
			                   market->customers[page].weight, seat_of(market, page, i)->scores);
}

static double longest_life(const struct market *market)
{
	double longest = 0;

	for (size_t page = 0; page < market->pages->count; page++)
		longest = fmax(longest, market->customers[page].end);
	return longest;
}

/*
 * First the pages are looked at, for a dial by what policies decide of pages that they know nothing of.  The last
 * stretch has no end, and comes when no page's life goes on.
 */
static int replay_stretches(struct market *market, size_t threads, struct prn_error *error)
{
	int code = prn_parallel_for(market->pages->count, threads, meet_page, market, error);

	if (!code)
		code = prn_parallel_for(market->count, threads, solve_stall, market, error);
	for (market->until = market->evaluation->interval; !code; market->until *= 2) {
		code = prn_parallel_for(market->pages->count, threads, replay_page, market, error);
		market->from = market->until;
		if (code || isinf(market->until))
			break;
		code = prn_parallel_for(market->count, threads, solve_stall, market, error);
		if (market->until >= longest_life(market))
			market->until = INFINITY;
	}
	return code;
}

int prn_market_replay(struct prn_evaluation *evaluation, const struct prn_pages *pages, enum prn_clock clock,
                      size_t threads, struct prn_error *error)
{
	struct market market = { .evaluation = evaluation, .pages = pages, .clock = clock };
	int code = open_market(&market, threads);

	if (code)
		prn_error_set(error, code, "%s", prn_error_text(code));
	else if (market.count)
		code = replay_stretches(&market, threads, error);
	if (!code)
		add_scores(&market);
	close_market(&market, threads);
	return code;
}
