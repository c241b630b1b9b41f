/*
 * What was evaluated is what runs: the decider, fed by an honest server, visits histories when the evaluator's replay
 * of the same policy does, though it keeps rounded states and hashes in a store.
 */
#include "desk.h"
#include "evaluate/replay.h"
#include "histories.h"

#define PAGES 150

static struct prn_page page;
static struct prn_truth truth;
static uint64_t state[4096];

/* A history whose captures all brought something: failures are scheduled differently (outcome.h). */
static void draw(struct history *history, uint64_t seed)
{
	history_draw(history, seed);
	for (size_t i = 0; i < history->captures; i++)
		history->kinds[i] = PRN_KIND_CONTENT;
	history_page(history, PAGE, &page);
	for (size_t i = 1; i < page.capture_count; i++)
		if ((seed + i) % 3)
			page.captures[i].modified = page.captures[i].time - (int64_t)((seed * 31 + i * 17) % 3600);
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The version at a capture as an observation: its digest is that of its fragments. */
static void observe(struct desk *desk, const struct history *history, size_t at, size_t before)
{
	struct prn_observation *observation = &desk->observation;
	uint64_t sorted[HISTORY_FRAGMENTS], hashes[HISTORY_FRAGMENTS];
	struct prn_summary whole = { sorted, 0, PRN_SUMMARY_ALL, true, false };
	bool same = at && !memcmp(history->has[at], history->has[before], sizeof history->has[at]);
	struct prn_error error;

	for (size_t j = 0; j < HISTORY_FRAGMENTS; j++)
		if (history->has[at][j])
			sorted[whole.count++] = history_hash(j);
	qsort(sorted, whole.count, sizeof *sorted, ascending);
	*observation = (struct prn_observation){
		.url = (char *)PAGE,
		.normal_url = (char *)PAGE,
		.key = prn_url_key(PAGE),
		.time = page.captures[at].time,
		.modified = page.captures[at].modified < page.captures[at].time ? page.captures[at].modified
		                                                                : PRN_TIME_UNKNOWN,
		.retry_after_s = PRN_TIME_UNKNOWN,
		.kind = same && at % 2 ? PRN_KIND_SAME : PRN_KIND_CONTENT,
		.body = prn_digest_bytes(sorted, whole.count * sizeof *sorted).high,
		.summarised = true,
		.summary = prn_summary_coarsen(&whole, prn_decider_summary(desk->decider), hashes),
	};
	if (observation->kind == PRN_KIND_SAME)
		observation->body = observation->summarised = false;
	must(!prn_decider_observe(desk->decider, observation, observation->time, &desk->outcome, &error), "observe");
	prn_observation_init(observation);
}

/* Visits when the decider says, to its scores. */
static void decide(struct desk *desk, const struct history *history, struct prn_score scores[PRN_WINDOWS])
{
	struct prn_replay replay;
	uint64_t forgotten;
	size_t at = 0, before = 0;

	prn_replay_begin(&replay, &truth);
	for (;;) {
		observe(desk, history, at, before);
		before = at;
		at = prn_truth_capture_at(&truth, at + 1,
		                          ((double)desk->outcome.next - (double)page.captures[0].time) / 86400);
		if (at == truth.captures)
			break;
		prn_replay_visit(&replay, at);
	}
	prn_replay_end(&replay, scores);
	must(!prn_decider_forget(desk->decider, PRN_FORGET_URL, PAGE, &forgotten, NULL), "forget");
}

static const struct prn_interval_rule free_intervals[] = { { NULL, NULL, 1, 1e9 } };

static void open_free(struct desk *desk, const char *specification, double threshold)
{
	desk_open(desk, specification, threshold);
	desk->options.intervals = free_intervals;
	desk->options.interval_count = 1;
	desk->options.suspect_above = 2;
	desk_reopen(desk);
}

/* tolerance: relative, of the means. */
static void compare(const char *specification, double threshold, double alike_share, double tolerance)
{
	double cost = 0, cost_run = 0, stale = 0, stale_run = 0;
	size_t alike = 0, pages = 0;
	struct prn_policy *policy;
	struct desk desk;

	must(!prn_policy_open(&policy, specification, "summary=8", NULL), "open a policy");
	open_free(&desk, specification, threshold);
	for (uint64_t seed = 1; seed <= PAGES; seed++) {
		struct prn_score evaluated[PRN_WINDOWS], run[PRN_WINDOWS];
		struct history history;
		const struct prn_seen *seen;

		draw(&history, seed);
		if (prn_truth_read(&truth, &page, PRN_CLOCK_DAYS) != 1)
			continue;
		must(!prn_truth_seen(&truth, &page, prn_policy_summary(policy), &seen), "estimate divergences");
		prn_replay_policy(&(struct prn_driver){ .truth = &truth, .policy = policy, .seen = seen,
		                                        .dial = threshold, .state = state }, evaluated);
		decide(&desk, &history, run);
		alike += fabs(evaluated[PRN_WINDOW_ALL].cost - run[PRN_WINDOW_ALL].cost) < 1e-9 &&
		         fabs(evaluated[PRN_WINDOW_ALL].staleness - run[PRN_WINDOW_ALL].staleness) < 1e-9;
		cost += evaluated[PRN_WINDOW_ALL].cost, cost_run += run[PRN_WINDOW_ALL].cost;
		stale += evaluated[PRN_WINDOW_ALL].staleness, stale_run += run[PRN_WINDOW_ALL].staleness;
		pages++;
	}
	ok(pages > 100 && (double)alike >= alike_share * (double)pages,
	   "%s at T = %g: %zu of %zu pages are visited at the same captures", specification, threshold, alike,
	   pages);
	ok(cost > 0 && fabs(cost_run - cost) <= tolerance * cost, "%s at T = %g: the mean cost, evaluated as %.4f, is %.4f",
	   specification, threshold, cost / (double)pages, cost_run / (double)pages);
	ok(fabs(stale_run - stale) <= tolerance * stale, "%s at T = %g: the mean staleness, evaluated as %.4f, is %.4f", specification,
	   threshold, stale / (double)pages, stale_run / (double)pages);
	prn_policy_free(policy);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	prn_page_init(&page);
	prn_truth_init(&truth);
	compare("drift", 0.002, 0.95, 0.001);
	compare("drift:alpha=0.3:beta=0.1", 0.02, 0.95, 0.001);
	compare("uniform", 0.1, 0.95, 0.001);
	compare("cgm", 0.01, 0.95, 0.001);
	compare("cgm:estimator=last-modified", 0.01, 0.95, 0.001);
	compare("lambdacrawl:seed=3", 0.02, 0.95, 0.001);
	/*
	 * These compare (which curve is closer, U_max < T): where that is nearly even rounding may tip it.  And
	 * what they would keep may have come as a 304 of a version that they did not.
	 */
	compare("curve-fitting:history=1", 0.005, 0.7, 0.03);
	compare("curve-fitting:history=5", 0.005, 0.9, 0.03);
	compare("bound-based:history=5", 0.005, 0.9, 0.03);
	prn_truth_release(&truth);
	prn_page_release(&page);
	return done();
}
