/* Evaluations with hints: pages of a host learn together, and what does not hear is as it was. */
#include "evaluate/evaluation_internal.h"
#include "evaluate/units.h"
#include "perennial/hint_log.h"
#include "perennial/hints.h"
#include "synthetic.h"
#include "tap.h"

#include <unistd.h>

#define SETTINGS 3
#define POLICIES 6

static const struct prn_setting settings[SETTINGS] = { { 0.05, false }, { 0.3, false }, { 1, false } };
static const char *const names[POLICIES] = { "drift", "drift:hints=no", "nutch", "fs-s", "uniform", "bound-based" };
static const struct prn_contender *contenders[POLICIES];
static struct prn_sweep sweeps[POLICIES];

/* Specification NULL: no hints at all. */
static struct prn_evaluation *run(const struct prn_pages *pages, const char *specification, size_t threads)
{
	struct prn_evaluation *evaluation;
	struct prn_hint_log *log = NULL;
	struct prn_pages heard = *pages;

	if (specification && prn_hint_log_synthesize(&log, specification, NULL))
		abort();
	heard.hints = log;
	if (prn_evaluation_run(&evaluation, &heard, sweeps, POLICIES, PRN_CLOCK_STEPS, threads, NULL))
		abort();
	prn_hint_log_free(log);
	return evaluation;
}

static struct prn_score score(const struct prn_evaluation *evaluation, size_t policy, size_t setting)
{
	return prn_evaluation_score(evaluation, policy, setting, PRN_WINDOW_ALL);
}

static bool alike(const struct prn_evaluation *a, const struct prn_evaluation *b, size_t policy, double tolerance)
{
	bool holds = true;

	for (size_t i = 0; i < SETTINGS; i++) {
		struct prn_score x = score(a, policy, i), y = score(b, policy, i);

		holds &= fabs(x.cost - y.cost) <= tolerance && fabs(x.staleness - y.staleness) <= tolerance;
	}
	return holds;
}

/* Sums go by units, which are in another order than pages: alike to rounding. */
#define ROUNDING 1e-12

static void deaf_ones(const struct prn_pages *pages)
{
	struct prn_evaluation *none = run(pages, NULL, 2), *hints = run(pages, "", 1), *again = run(pages, "", 5);
	bool exact = true;

	ok(alike(none, hints, 1, ROUNDING), "a policy told not to heed hints is as it was without any");
	ok(alike(none, hints, 2, ROUNDING), "a policy that knows no hints is as it was without any");
	ok(alike(none, hints, 3, ROUNDING), "a yardstick is as it was without any hints");
	ok(!alike(none, hints, 0, 1e-3), "a policy that heeds hints is not as it was");
	for (size_t i = 0; i < POLICIES; i++)
		for (size_t j = 0; j < SETTINGS; j++) {
			struct prn_score x = score(hints, i, j), y = score(again, i, j);

			exact &= !memcmp(&x, &y, sizeof x);
		}
	ok(exact, "with hints an evaluation is the same, bit for bit, on one thread and on five");
	prn_evaluation_free(none);
	prn_evaluation_free(hints);
	prn_evaluation_free(again);
}

/* Captures at odd times, of which one in seven fails. */
static int unsteady_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct history history;

	(void)error;
	history_draw(&history, i);
	history_page(&history, synthetic_url(context, i), page);
	return 0;
}

static void failures(const struct prn_pages *pages)
{
	static const char *const told[] = { "", "recall=0:noise=.2" };
	struct prn_pages unsteady = *pages;
	struct prn_evaluation *none;

	unsteady.read = unsteady_read;
	none = run(&unsteady, NULL, 2);
	for (size_t i = 0; i < 2; i++) {
		struct prn_evaluation *hints = run(&unsteady, told[i], 2);

		for (size_t policy = 1; policy < POLICIES; policy++)
			ok(alike(none, hints, policy, ROUNDING), "where captures fail and hints are %s, %s is as it was without any",
			   i ? "false" : "true", names[policy]);
		prn_evaluation_free(hints);
	}
	prn_evaluation_free(none);
}

/* Less is better in both, and costs differ little: what a page is stale and what visits cost at T, taken together. */
static double loss(const struct prn_evaluation *evaluation, size_t policy, size_t setting)
{
	struct prn_score at = score(evaluation, policy, setting);

	return at.staleness + settings[setting].value * at.cost;
}

/* What is to be had on these pages, by the ratio of the losses with and without hints. */
static void worth(const struct prn_pages *pages)
{
	struct prn_evaluation *good = run(pages, "", 2), *fair = run(pages, "recall=.8:precision=.8", 2);
	struct prn_evaluation *random = run(pages, "recall=0:noise=.2", 2), *flood = run(pages, "recall=0:every=1", 2);
	double ratio[4] = { 0 };
	bool won = false;

	for (size_t i = 0; i < SETTINGS; i++) {
		ratio[0] += loss(good, 0, i) / loss(good, 1, i) / SETTINGS;
		ratio[1] += loss(fair, 0, i) / loss(fair, 1, i) / SETTINGS;
		ratio[2] += loss(random, 0, i) / loss(random, 1, i) / SETTINGS;
		ratio[3] += loss(flood, 0, i) / loss(flood, 1, i) / SETTINGS;
		won |= score(random, 0, i).cost > 1.05 * score(random, 1, i).cost ||
		       score(flood, 0, i).cost > 1.05 * score(flood, 1, i).cost;
	}
	ok(ratio[0] < 0.9, "hints that tell every change save a tenth of what is lost");
	ok(ratio[1] < 0.95, "hints with recall and precision of 0.8 save a twentieth");
	ok(ratio[2] < 1.03, "hints at random lose no 3 %%");
	ok(ratio[3] < 1.03, "hints at every capture lose no 3 %%");
	ok(!won, "false hints win a site no more visits");
	prn_evaluation_free(good);
	prn_evaluation_free(fair);
	prn_evaluation_free(random);
	prn_evaluation_free(flood);
}

/* Pages, captured every hour, of which one of ten parts is new in every fifth capture. */
#define STEADY_PAGES 40
#define STEADY_EVERY 5
#define STEADY_HALF (HISTORY_CAPTURES / 2)

static char steady_urls[STEADY_PAGES][80];
static size_t steady_fails_from = SIZE_MAX; /* the first of the captures that bring an error each */

static const char *steady_url(void *context, size_t i)
{
	(void)context;
	return steady_urls[i];
}

static int steady_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct history history = { .captures = HISTORY_CAPTURES };

	(void)context;
	(void)error;
	for (size_t at = 0; at < history.captures; at++) {
		size_t of = at < steady_fails_from ? at : steady_fails_from - 1;

		history.times[at] = (int64_t)at * HISTORY_STEP_S;
		history.kinds[at] = at < steady_fails_from ? PRN_KIND_CONTENT : PRN_KIND_ERROR;
		for (size_t j = 0; j < 10; j++)
			history.has[at][((of + i) / STEADY_EVERY + j) % HISTORY_FRAGMENTS] = true;
	}
	history_page(&history, steady_url(NULL, i), page);
	return 0;
}

/* So long before a capture that has a change it is hinted; and, from a capture on, instead so many pings between any two. */
struct telling {
	int before_s;
	size_t pings_from;
	int pings;
};

static void write_hints(FILE *file, size_t pages, const struct telling *telling)
{
	static const char line[] = "{\"url\":\"%s\",\"time\":%lld}\n";

	for (size_t i = 0; i < pages; i++)
		for (size_t at = 1; at < HISTORY_CAPTURES; at++) {
			long long time = (long long)at * HISTORY_STEP_S;

			if (at < telling->pings_from && (at + i) % STEADY_EVERY == 0)
				fprintf(file, line, steady_url(NULL, i), time - telling->before_s);
			for (int j = 1; at >= telling->pings_from && j <= telling->pings; j++)
				fprintf(file, line, steady_url(NULL, i), time - j * HISTORY_STEP_S / (telling->pings + 1));
		}
	if (fclose(file))
		abort();
}

/* drift on the first pages of these at one T, told so; NULL: told nothing. */
static struct prn_score told(size_t pages, double threshold, const struct telling *telling, enum prn_window window)
{
	char path[] = "/tmp/group-XXXXXX";
	const struct prn_setting setting = { threshold, false };
	const struct prn_sweep sweep = { &contenders[0], &setting, 1, false };
	struct prn_pages heard = { .count = pages, .corpora = 1, .url = steady_url, .corpus = synthetic_corpus, .read = steady_read };
	struct prn_evaluation *evaluation;
	struct prn_hint_log *log = NULL;
	struct prn_score score;
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		abort();
	if (telling)
		write_hints(file, pages, telling);
	if ((telling && prn_hint_log_read(&log, path, NULL)) || unlink(path))
		abort();
	heard.hints = log;
	if (prn_evaluation_run(&evaluation, &heard, &sweep, 1, PRN_CLOCK_STEPS, 2, NULL))
		abort();
	score = prn_evaluation_score(evaluation, 0, 0, window);
	prn_evaluation_free(evaluation);
	prn_hint_log_free(log);
	return score;
}

static void at_the_moment_of_a_visit(void)
{
	const struct telling before = { 1, SIZE_MAX, 0 }, then = { 0, SIZE_MAX, 0 }, after = { -1, SIZE_MAX, 0 };
	struct prn_score earlier = told(1, 0.05, &before, PRN_WINDOW_ALL), same = told(1, 0.05, &then, PRN_WINDOW_ALL);
	struct prn_score later = told(1, 0.05, &after, PRN_WINDOW_ALL);

	ok(fabs(same.cost - earlier.cost) <= ROUNDING && fabs(same.staleness - earlier.staleness) <= ROUNDING,
	   "a hint that comes at the moment of a visit is heard before it");
	ok(fabs(same.staleness - later.staleness) > 1e-3, "a hint that comes at the moment of a visit is not one that comes after it");
}

/* Where pages are captured at whole hours their periods are longer than decided: that may be told to win half a visit. */
#define OF_WHOLE_HOURS 0.5

/* Who told the truth for half of their lives pings then. */
static void pings(void)
{
	static const double thresholds[] = { 1, 1.5, 2.5 };

	for (int often = 2; often <= 4; often += 2)
		for (size_t i = 0; i < 3; i++) {
			const struct telling telling = { 1, STEADY_HALF, often };
			double untold = told(STEADY_PAGES, thresholds[i], NULL, PRN_WINDOW_STEADY).cost * STEADY_HALF;
			double pinged = told(STEADY_PAGES, thresholds[i], &telling, PRN_WINDOW_STEADY).cost * STEADY_HALF;

			printf("# T = %g: %.2f visits a page with %d pings an hour, %.2f without\n", thresholds[i], pinged, often, untold);
			ok(pinged <= untold + PRN_HINTS_AHEAD_MOST + OF_WHOLE_HOURS,
			   "at T = %g who was right and then pings %d times an hour wins a page no more visits than it may be ahead", thresholds[i], often);
		}
}

/* Who told the truth for half of their lives speaks on, where every visit fails. */
static void hints_of_failing_pages(void)
{
	static const double thresholds[] = { 0.05, 0.2, 1 };
	const struct telling silent = { 1, STEADY_HALF, 0 }, on = { 1, STEADY_HALF, 2 };

	steady_fails_from = STEADY_HALF;
	for (size_t i = 0; i < 3; i++) {
		double untold = told(STEADY_PAGES, thresholds[i], &silent, PRN_WINDOW_STEADY).cost * STEADY_HALF;
		double hinted = told(STEADY_PAGES, thresholds[i], &on, PRN_WINDOW_STEADY).cost * STEADY_HALF;

		printf("# T = %g: %.2f visits a page that fails with hints, %.2f without\n", thresholds[i], hinted, untold);
		ok(hinted <= untold + 1, "at T = %g a page that fails is tried no sooner for hints, but for the first time", thresholds[i]);
	}
	steady_fails_from = SIZE_MAX;
}

static const char *crowd_url(void *context, size_t i)
{
	static const char *const hosts[] = { "http://a.example/", "http://b.example/x", NULL, "http://A.example.com/" };

	(void)context;
	return hosts[i < 600 ? 0 : i % 4];
}

static size_t crowd_corpus(void *context, size_t i)
{
	(void)context;
	return i >= 500;
}

static void units(void)
{
	struct prn_pages pages = { .count = 600, .corpora = 2, .url = crowd_url, .corpus = crowd_corpus };
	struct prn_units units;
	bool whole = true, in_order = true;
	unsigned char seen[620] = { 0 };

	if (prn_units_find(&units, &pages, true))
		abort();
	ok(units.starts[1] == PRN_UNIT_PAGES && units.most == PRN_UNIT_PAGES, "a host of many pages is cut");
	ok(units.starts[2] == 500, "a corpus ends a unit of a host");
	prn_units_release(&units);
	pages.count = 620;
	if (prn_units_find(&units, &pages, true))
		abort();
	for (size_t i = 0; i < units.count; i++) {
		in_order &= !i || units.pages[units.starts[i - 1]] < units.pages[units.starts[i]];
		for (size_t j = units.starts[i]; j < units.starts[i + 1]; j++) {
			size_t first = units.pages[units.starts[i]], page = units.pages[j];
			const char *a = crowd_url(NULL, first), *b = crowd_url(NULL, page);

			seen[page]++;
			whole &= page == first || (a && b && !strcmp(a, b) && crowd_corpus(NULL, first) == crowd_corpus(NULL, page));
		}
	}
	ok(whole, "a unit is of one host in one corpus; pages without URL are alone");
	ok(in_order, "units are in the order of their first pages");
	ok(!memchr(seen, 0, sizeof seen) && !memchr(seen, 2, sizeof seen), "every page is in one unit");
	prn_units_release(&units);
	if (prn_units_find(&units, &pages, false))
		abort();
	ok(units.count == 620 && units.most == 1, "without hints every page is a unit");
	ok(units.pages[77] == 77, "without hints pages are in their order");
	prn_units_release(&units);
}

static struct prn_evaluation *run_budget(const struct prn_pages *pages, const char *specification, size_t threads)
{
	static const struct prn_setting budgets[1] = { { 0.15, false } };
	struct prn_sweep own[3];
	struct prn_evaluation *evaluation;
	struct prn_hint_log *log = NULL;
	struct prn_pages heard = *pages;
	struct prn_error error;

	for (size_t i = 0; i < 3; i++)
		own[i] = (struct prn_sweep){ &contenders[i], budgets, 1, true };
	if (specification && prn_hint_log_synthesize(&log, specification, NULL))
		abort();
	heard.hints = log;
	if (prn_evaluation_run(&evaluation, &heard, own, 3, PRN_CLOCK_STEPS, threads, &error)) {
		printf("# %s\n", error.text);
		abort();
	}
	prn_hint_log_free(log);
	return evaluation;
}

static void budget(const struct prn_pages *pages)
{
	struct prn_evaluation *none = run_budget(pages, NULL, 2), *hints = run_budget(pages, "", 1), *again = run_budget(pages, "", 5);
	struct prn_score deaf = score(none, 1, 0), told = score(hints, 0, 0), unheard = score(hints, 1, 0);
	bool exact = true;

	for (size_t i = 0; i < 3; i++) {
		struct prn_score x = score(hints, i, 0), y = score(again, i, 0);

		exact &= !memcmp(&x, &y, sizeof x);
	}
	printf("# under a budget of 0.15: cost %.4f, staleness %.4f; without heeding hints %.4f, %.4f\n", told.cost, told.staleness,
	       unheard.cost, unheard.staleness);
	ok(fabs(deaf.cost - unheard.cost) <= ROUNDING && fabs(deaf.staleness - unheard.staleness) <= ROUNDING,
	   "under a budget a policy that is told not to heed hints is as it was without any");
	ok(told.staleness < 0.95 * unheard.staleness && told.cost < 1.1 * unheard.cost,
	   "under a budget hints that tell every change save a twentieth of the staleness");
	ok(exact, "under a budget an evaluation with hints is the same, bit for bit, on one thread and on five");
	prn_evaluation_free(none);
	prn_evaluation_free(hints);
	prn_evaluation_free(again);
}

int main(void)
{
	struct synthetic synthetic = { .pages = 160, .hosts = 8 };
	struct prn_pages pages = synthetic_pages(&synthetic);

	for (size_t i = 0; i < POLICIES; i++) {
		struct prn_contender *contender;

		if (prn_contender_open(&contender, names[i], NULL, NULL))
			abort();
		contenders[i] = contender;
		sweeps[i] = (struct prn_sweep){ &contenders[i], settings, SETTINGS, false };
	}
	for (size_t i = 0; i < STEADY_PAGES; i++)
		snprintf(steady_urls[i], sizeof steady_urls[i], "http://h%zu.example/%zu", i % 4, i);
	units();
	deaf_ones(&pages);
	failures(&pages);
	worth(&pages);
	at_the_moment_of_a_visit();
	pings();
	hints_of_failing_pages();
	budget(&pages);
	for (size_t i = 0; i < POLICIES; i++)
		prn_contender_free((struct prn_contender *)(uintptr_t)contenders[i]);
	free(synthetic.urls);
	return done();
}
