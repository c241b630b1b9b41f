/* Pages of more versions than have a matrix: each divergence is what it is by the matrix of all pairs, to the last bit. */
#include "history/truth.h"
#include "evaluate/replay.h"
#include "evaluate/offline.h"
#include "histories.h"
#include "perennial/study.h"
#include "perennial/summary.h"
#include "tap.h"

#define VERSIONS (PRN_TRUTH_WHOLE + 500)
#define MANY 40000

static struct prn_page page;
static struct prn_truth whole, few;
static uint64_t state[2][4096];

/* Pairs in an order that takes rows up again, lengthens them and drives them out. */
static size_t count_unlike(const struct prn_truth *a, const struct prn_truth *b)
{
	size_t unlike = 0, captures = a->captures;

	for (size_t stride = 1; stride < captures; stride = 2 * stride + 1)
		for (size_t i = 0; i < captures; i++)
			for (size_t k = 0; k < 3; k++) {
				size_t j = (i * k + stride) % captures;

				unlike += prn_truth_divergence(a, i, j) != prn_truth_divergence(b, i, j);
			}
	for (size_t i = 0; i + 1 < captures; i++) {
		size_t to = i + 1 + (i * 7) % (captures - i - 1);

		unlike += prn_truth_integral(a, i, i, to) != prn_truth_integral(b, i, i, to);
		unlike += prn_truth_holistic_integral(a, i, i, to) != prn_truth_holistic_integral(b, i, i, to);
	}
	return unlike;
}

static size_t count_unlike_estimates(size_t m)
{
	const struct prn_seen *a, *b;
	size_t unlike = 0;

	if (prn_truth_seen(&whole, &page, m, &a) || prn_truth_seen(&few, &page, m, &b))
		return SIZE_MAX;
	for (uint32_t i = 0; i < whole.versions.count; i++)
		for (uint32_t j = i % 5; j < whole.versions.count; j += 5)
			unlike += prn_seen_divergence(a, i, j) != prn_seen_divergence(b, i, j);
	return unlike;
}

static void replay(struct prn_truth *truth, const char *specification, double dial, uint64_t *own, struct prn_score *scores)
{
	struct prn_policy *policy;
	struct prn_driver driver = { .truth = truth, .dial = dial, .state = own };

	if (prn_policy_open(&policy, specification, "", NULL) ||
	    prn_truth_seen(truth, &page, prn_policy_summary(policy), &driver.seen))
		abort();
	driver.policy = policy;
	prn_replay_policy(&driver, scores);
	prn_policy_free(policy);
}

/* Policies that keep one version and many, of exact divergences and of estimates; and all yardsticks. */
static bool replays_alike(void)
{
	static const char *const policies[] = { "uniform", "drift", "curve-fitting:summary=4", "bound-based" };
	struct prn_score scores[2][PRN_WINDOWS];
	struct prn_offline offline;
	bool alike = true;

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
		for (double dial = 0.05; dial < 50; dial *= 5) {
			replay(&whole, policies[i], dial, state[0], scores[0]);
			replay(&few, policies[i], dial, state[1], scores[1]);
			alike = alike && !memcmp(scores[0], scores[1], sizeof scores[0]);
		}
	prn_offline_init(&offline);
	for (int i = 0; i < PRN_YARDSTICKS; i++)
		for (double dial = 0.05; dial < 50; dial *= 5) {
			alike = alike && !prn_offline_study(&offline, &whole);
			prn_offline_replay(&offline, &whole, (enum prn_yardstick)i, dial, scores[0]);
			alike = alike && !prn_offline_study(&offline, &few);
			prn_offline_replay(&offline, &few, (enum prn_yardstick)i, dial, scores[1]);
			alike = alike && !memcmp(scores[0], scores[1], sizeof scores[0]);
		}
	prn_offline_release(&offline);
	return alike;
}

static void by_chance(void)
{
	size_t unlike = 0, estimates = 0;
	bool replays = true, eagerness = true;

	few.whole = 0;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct history history;

		history_draw(&history, seed);
		history_page(&history, "http://a.example/", &page);
		if (prn_truth_read(&whole, &page, PRN_CLOCK_STEPS) != 1 || prn_truth_read(&few, &page, PRN_CLOCK_STEPS) != 1)
			continue;
		if (!whole.exact.matrix || few.exact.matrix)
			abort();
		eagerness = eagerness && whole.eagerness == few.eagerness && whole.holistic_eagerness == few.holistic_eagerness;
		unlike += count_unlike(&whole, &few);
		estimates += count_unlike_estimates(1 + seed % 9);
		replays = replays && replays_alike();
	}
	ok(!unlike, "60 random pages: rows have the divergences and integrals of the matrix");
	ok(eagerness, "60 random pages: rows have the eagerness of the matrix");
	ok(!estimates, "60 random pages: pairs have the estimates of the matrix");
	ok(replays, "60 random pages: policies and yardsticks score the same");
}

/* A page that scrolls, with fragments that flip: version v has flips of the bits of v, and its own last ten. */
static void make_long(size_t versions)
{
	enum { OWN = 10, FLIPS = 8 };
	size_t runs = 0;

	prn_page_release(&page);
	prn_page_init(&page);
	page.url = strdup("http://long.example/");
	page.weight = 1;
	page.capture_count = versions;
	page.captures = calloc(versions, sizeof *page.captures);
	page.stripes = calloc(versions + FLIPS, sizeof *page.stripes);
	page.runs = calloc(versions * 2 + FLIPS, sizeof *page.runs);
	if (!page.url || !page.captures || !page.stripes || !page.runs)
		abort();
	for (size_t i = 0; i < versions; i++) {
		page.captures[i] = (struct prn_page_capture){ .time = (int64_t)i * 600, .modified = PRN_TIME_UNKNOWN,
			                                      .kind = PRN_KIND_CONTENT };
		page.stripes[i] = (struct prn_stripe){ history_hash(i + 100), (uint32_t)runs, 1 };
		page.runs[runs++] = (struct prn_run){ (uint32_t)i, (uint32_t)(i + OWN < versions ? i + OWN : versions) };
	}
	for (size_t bit = 0; bit < FLIPS; bit++) {
		struct prn_stripe *stripe = &page.stripes[versions + bit];

		*stripe = (struct prn_stripe){ history_hash(bit), (uint32_t)runs, 0 };
		for (size_t from = (size_t)2 << bit; from < versions; from += (size_t)4 << bit, stripe->count++)
			page.runs[runs++] = (struct prn_run){ (uint32_t)from, (uint32_t)(from + ((size_t)2 << bit) < versions ? from + ((size_t)2 << bit) : versions) };
	}
	page.stripe_count = versions + FLIPS;
	page.run_count = runs;
}

static void by_length(void)
{
	make_long(VERSIONS);
	whole.whole = VERSIONS;
	few.whole = PRN_TRUTH_WHOLE;
	ok(prn_truth_read(&whole, &page, PRN_CLOCK_DAYS) == 1 && whole.versions.count == VERSIONS,
	   "a page of %d versions is read with all of them", VERSIONS);
	ok(whole.exact.matrix != NULL,
	   "a page of %d versions has a matrix of all pairs where it is asked for", VERSIONS);
	ok(prn_truth_read(&few, &page, PRN_CLOCK_DAYS) == 1 && !few.exact.matrix,
	   "a page of %d versions has no matrix of all pairs by itself", VERSIONS);
	ok(!count_unlike(&whole, &few), "a long page's rows have the divergences and integrals of its matrix");
	ok(!count_unlike_estimates(6), "a long page's pairs have the estimates of its matrix");
	ok(replays_alike(), "policies and yardsticks score the same on a long page's rows as on its matrix");
	whole.whole = PRN_TRUTH_WHOLE;
}

/* A matrix of all pairs would take 19 GB. */
static void by_thousands(void)
{
	struct prn_study *study;
	struct prn_score scores[PRN_WINDOWS];
	size_t room;

	make_long(MANY);
	ok(prn_truth_read(&few, &page, PRN_CLOCK_DAYS) == 1 && few.versions.count == MANY, "a page of %d versions is read", MANY);
	room = few.rows.cells_capacity * sizeof(double) + few.rows.standing_capacity * sizeof(uint32_t) + few.exact.capacity * sizeof(double);
	ok(room < (size_t)MANY * 2048,
	   "the memory for a long page's divergences goes with its versions, not with their square");
	replay(&few, "drift", 1, state[0], scores);
	ok(scores[PRN_WINDOW_ALL].staleness > 0 && scores[PRN_WINDOW_ALL].cost > 0, "a page of %d versions is replayed", MANY);
	if (prn_study_open(&study))
		abort();
	ok(prn_study_read(study, &page) == 1 && prn_study_result(study)->changes == MANY - 1,
	   "a page of %d versions is studied", MANY);
	ok(!prn_study_result(study)->returns, "a study sees that no version of a page comes back where each is new");
	prn_study_free(study);
}

int main(void)
{
	prn_page_init(&page);
	prn_truth_init(&whole);
	prn_truth_init(&few);
	by_chance();
	by_length();
	by_thousands();
	prn_truth_release(&few);
	prn_truth_release(&whole);
	prn_page_release(&page);
	return done();
}
