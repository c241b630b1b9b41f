/* Pages that join a site which is watched already: who joins, what they are told of the others, and what it is worth. */
#include "perennial/digest.h"
#include "perennial/evaluation.h"
#include "perennial/policy_kind.h"
#include "synthetic.h"
#include "tap.h"

#define PAGES 60
#define HOSTS 4
#define LOG 4096

/* A policy that notes what it is told, and says of itself how often it was visited. */
struct spy {
	uint64_t visits;
};

static struct {
	uint64_t page, visits;
	struct prn_siblings siblings;
} noted[LOG];
static size_t note_count;

static int spy_visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	struct spy *spy = bytes;

	(void)parameters;
	if (note_count < LOG) {
		noted[note_count].page = now->page;
		noted[note_count].visits = spy->visits;
		noted[note_count++].siblings = now->siblings;
	}
	spy->visits++;
	return -1;
}

static void spy_decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                       struct prn_decision *decision)
{
	(void)parameters;
	(void)bytes;
	prn_bounds_decide(NULL, now->threshold, 1, now, decision);
}

static int spy_evidence(const void *parameters, const void *bytes, struct prn_evidence *evidence)
{
	const struct spy *spy = bytes;

	(void)parameters;
	*evidence = (struct prn_evidence){ 0.25 * (double)spy->visits, (double)spy->visits };
	return 1;
}

static void spy_pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	uint32_t visits = (uint32_t)((struct spy *)bytes)->visits;

	(void)parameters;
	prn_packing_count(packing, &visits, UINT32_MAX);
}

static const struct prn_policy_key spy_keys[] = { PRN_KEYS_END };

static const struct prn_policy_kind spy_kind = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "spy", .title = "notes what it is told", .source = "this test", .dial = PRN_DIAL_PERIOD, .keys = spy_keys },
	.parameters_size = 8,
	.slots = 1,
	.state_size = sizeof(struct spy),
	.visit = spy_visit,
	.decide = spy_decide,
	.pack = spy_pack,
	.evidence = spy_evidence,
};

/* Of every host two thirds of the pages are under /a/, the others under /b/. */
static bool is_under_a(size_t page)
{
	return page / HOSTS % 3;
}

static struct prn_pages make_pages(struct synthetic *synthetic)
{
	struct prn_pages pages = synthetic_pages(synthetic);

	for (size_t i = 0; i < synthetic->pages; i++)
		snprintf(synthetic->urls[i], sizeof *synthetic->urls, "http://h%zu.example/%s/%zu.html", i % synthetic->hosts,
		         is_under_a(i) ? "a" : "b", i);
	return pages;
}

static size_t page_of(const struct synthetic *synthetic, uint64_t hash)
{
	for (size_t i = 0; i < synthetic->pages; i++)
		if (prn_digest_bytes(synthetic->urls[i], strlen(synthetic->urls[i])).low == hash)
			return i;
	return SIZE_MAX;
}

static struct prn_evaluation *run(const struct prn_pages *pages, const char *specification, double setting,
                                  const struct prn_late *late, size_t threads, int *code)
{
	struct prn_setting settings = { setting, false };
	struct prn_contender *contender;
	const struct prn_contender *borrowed;
	struct prn_evaluation *evaluation = NULL;
	struct prn_pages joined = *pages;
	struct prn_sweep sweep = { &borrowed, &settings, 1, false };

	joined.late = late;
	if (prn_contender_open(&contender, specification, NULL, NULL))
		abort();
	borrowed = contender;
	*code = prn_evaluation_run(&evaluation, &joined, &sweep, 1, PRN_CLOCK_STEPS, threads, NULL);
	prn_contender_free(contender);
	return evaluation;
}

/* What each page was told at its first visit, against sums over all that the others had noted before. */
static void test_told(const struct synthetic *synthetic, const struct prn_pages *pages)
{
	const struct prn_late late = { 0.5, 3 };
	double said[PAGES] = { 0 }, worst = 0;
	bool acquired[PAGES] = { false };
	size_t strangers = 0, welcomed = 0;
	struct prn_evaluation *evaluation;
	int code;

	note_count = 0;
	evaluation = run(pages, "spy", 2.5, &late, 1, &code);
	ok(!code && note_count > 100, "%zu visits are noted", note_count);
	ok(note_count < LOG, "the visits that are noted, %zu, have room", note_count);
	for (size_t i = 0; i < note_count; i++) {
		size_t page = page_of(synthetic, noted[i].page);
		double host = 0, pattern = 0;

		for (size_t j = 0; j < PAGES && page < PAGES && !acquired[page]; j++) {
			if (j % HOSTS != page % HOSTS)
				continue;
			host += said[j];
			pattern += is_under_a(j) == is_under_a(page) ? said[j] : 0;
		}
		worst = fmax(worst, fabs(noted[i].siblings.host.known - host) + fabs(noted[i].siblings.pattern.known - pattern));
		worst = fmax(worst, fabs(noted[i].siblings.host.drift - host / 4) + fabs(noted[i].siblings.pattern.drift - pattern / 4));
		strangers += page == SIZE_MAX;
		if (page < PAGES && !acquired[page]) {
			welcomed += host > 0;
			acquired[page] = true;
		} else if (page < PAGES) {
			said[page] = (double)noted[i].visits + 1;
		}
	}
	ok(!strangers, "every page that is told is known");
	near(worst, 0, 1e-9, "a page is told what the others of its pattern and of its host had said by its first visit, and later nothing");
	/* 15 pages a host: 7 join late.  Of all 60 every tenth has too few captures. */
	ok(welcomed > 20 && welcomed <= 28, "%zu pages, those that join late, find a site that is known", welcomed);
	ok(prn_evaluation_pages(evaluation) == welcomed, "just those that join late are judged");
	prn_evaluation_free(evaluation);
}

static bool alike(const struct prn_evaluation *a, const struct prn_evaluation *b)
{
	bool holds = true;

	for (int window = 0; window < PRN_WINDOWS; window++) {
		struct prn_score x = prn_evaluation_score(a, 0, 0, (enum prn_window)window);
		struct prn_score y = prn_evaluation_score(b, 0, 0, (enum prn_window)window);

		holds &= !memcmp(&x, &y, sizeof x);
	}
	return holds;
}

static void test_draw(const struct prn_pages *pages)
{
	const struct prn_late half = { 0.5, 3 }, other = { 0.5, 4 }, none = { 0, 3 };
	int code;
	struct prn_evaluation *one = run(pages, "drift", 0.3, &half, 1, &code), *five = run(pages, "drift", 0.3, &half, 5, &code);
	struct prn_evaluation *seed = run(pages, "drift", 0.3, &other, 1, &code), *all = run(pages, "drift", 0.3, &none, 2, &code);
	struct prn_evaluation *deaf = run(pages, "drift:siblings=no", 0.3, &none, 1, &code);
	struct prn_evaluation *apart = run(pages, "drift", 0.3, NULL, 1, &code);
	struct prn_score a = prn_evaluation_score(deaf, 0, 0, PRN_WINDOW_ALL), b = prn_evaluation_score(apart, 0, 0, PRN_WINDOW_ALL);

	ok(alike(one, five), "pages that join late are judged the same, bit for bit, on one thread and on five");
	ok(!alike(one, seed), "another seed draws other pages");
	ok(prn_evaluation_pages(all) == prn_evaluation_pages(apart), "with a share of 0 all pages are judged");
	ok(fabs(a.cost - b.cost) < 1e-12 && fabs(a.staleness - b.staleness) < 1e-12,
	   "a policy that does not heed siblings is as it is on pages by themselves");
	ok(alike(all, deaf), "where all pages begin together, nothing being known of their site, each is as without siblings");
	prn_evaluation_free(one);
	prn_evaluation_free(five);
	prn_evaluation_free(seed);
	prn_evaluation_free(all);
	prn_evaluation_free(deaf);
	prn_evaluation_free(apart);
}

static void test_refused(const struct prn_pages *pages)
{
	const struct prn_setting budget = { 0.1, false };
	const struct prn_late late = { 0.5, 1 };
	struct prn_pages joined = *pages;
	struct prn_contender *contender;
	const struct prn_contender *borrowed;
	struct prn_evaluation *evaluation = NULL;
	struct prn_error error;
	struct synthetic lonely = { .pages = 5, .hosts = 5 };
	struct prn_pages alone = synthetic_pages(&lonely);
	int code;

	if (prn_contender_open(&contender, "drift", NULL, NULL))
		abort();
	borrowed = contender;
	joined.late = &late;
	ok(prn_evaluation_run(&evaluation, &joined, &(struct prn_sweep){ &borrowed, &budget, 1, true }, 1, PRN_CLOCK_STEPS, 1, &error) ==
	           PRN_E_UNSUPPORTED,
	   "a budget is refused where pages join late");
	run(&alone, "drift", 0.3, &late, 1, &code);
	ok(code == PRN_E_NOT_FOUND, "an evaluation of late pages fails where every host has one page");
	prn_contender_free(contender);
	free(lonely.urls);
}

/* Pages under /a/ scroll all the time, those under /b/ never: what is lost by those that join, with and without siblings. */
static int read_apart(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct synthetic *synthetic = context;
	struct history history;

	(void)error;
	history = (struct history){ .captures = 41 };
	for (size_t at = 0; at < history.captures; at++) {
		history.times[at] = (int64_t)at * HISTORY_STEP_S;
		for (size_t j = 0; j < 20; j++)
			history.has[at][is_under_a(i) ? (at + j) % HISTORY_FRAGMENTS : j] = true;
	}
	history_page(&history, synthetic->urls[i], page);
	return 0;
}

static void test_worth(const struct prn_pages *pages)
{
	const struct prn_late late = { 0.5, 3 };
	struct prn_pages apart = *pages;
	struct prn_evaluation *with, *without;
	struct prn_score a, b;
	int code;

	apart.read = read_apart;
	with = run(&apart, "drift", 0.3, &late, 1, &code);
	without = run(&apart, "drift:siblings=no", 0.3, &late, 1, &code);
	a = prn_evaluation_score(with, 0, 0, PRN_WINDOW_WARM_UP);
	b = prn_evaluation_score(without, 0, 0, PRN_WINDOW_WARM_UP);
	ok(a.staleness + 0.3 * a.cost < 0.9 * (b.staleness + 0.3 * b.cost),
	   "where patterns differ siblings save a tenth of what new pages lose at first (%.3f, %.3f)", a.staleness + 0.3 * a.cost,
	   b.staleness + 0.3 * b.cost);
	prn_evaluation_free(with);
	prn_evaluation_free(without);
}

int main(void)
{
	struct synthetic synthetic = { .pages = PAGES, .hosts = HOSTS };
	struct prn_pages pages = make_pages(&synthetic);

	if (prn_policy_register(&spy_kind, NULL))
		abort();
	test_told(&synthetic, &pages);
	test_draw(&pages);
	test_refused(&pages);
	test_worth(&pages);
	free(synthetic.urls);
	return done();
}
