/*
 * Measures an evaluation of 10,000 pages of 60 captures with all nine policies and 14 settings each.  It is run on a tenth of
 * the pages, drawn from the generative model (doc/theory.md §3), and scaled: time is linear in pages.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/parallel.h"
#include "base/random.h"
#include "bench.h"
#include "perennial/comparison.h"
#include "perennial/time.h"

#define PAGES 1000
#define SCALE 10
#define CAPTURES 60
#define STATIC 120
#define ITEMS 16      /* items of the scroll region */
#define PER_ITEM 8    /* fragments of an item */
#define CHURN 40      /* fragments that are all replaced at once */
#define SETTINGS 14
#define GOAL_S 60

static const char *const policies[] = { "uniform",     "cgm",  "curve-fitting", "bound-based", "drift",
	                                "fs-s", "hs-s", "fs-d",          "hs-d" };

#define POLICIES (sizeof policies / sizeof *policies)

/* Adds n fragments present in captures from … to-1. */
static void add(struct prn_page *page, struct prn_random *random, uint32_t from, uint32_t to, size_t n)
{
	for (size_t i = 0; i < n && from < to; i++) {
		page->runs[page->run_count] = (struct prn_run){ from, to };
		page->stripes[page->stripe_count++] =
			(struct prn_stripe){ prn_random_bits(random), (uint32_t)page->run_count++, 1 };
	}
}

/* A region of items, each living until the region's count of updates has passed it by. */
static void add_region(struct prn_page *page, struct prn_random *random, double rate, size_t items, size_t fragments)
{
	double next = prn_random_exponential(random, 1 / rate);
	uint32_t born[ITEMS] = { 0 };
	size_t oldest = 0;

	for (uint32_t at = 0; at < CAPTURES; at++)
		for (; next < at; next += prn_random_exponential(random, 1 / rate)) {
			add(page, random, born[oldest], at, fragments);
			born[oldest] = at;
			oldest = (oldest + 1) % items;
		}
	for (size_t i = 0; i < items; i++)
		add(page, random, born[i], CAPTURES, fragments);
}

static int read_page(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct prn_random random;
	double rate;

	(void)context;
	(void)error;
	if (!page->captures) {
		size_t most = STATIC + (CAPTURES * 20 + ITEMS) * PER_ITEM + CAPTURES * 20 * CHURN;

		page->captures = calloc(CAPTURES, sizeof *page->captures);
		page->stripes = calloc(most, sizeof *page->stripes);
		page->runs = calloc(most, sizeof *page->runs);
		if (!page->captures || !page->stripes || !page->runs)
			abort();
	}
	page->stripe_count = page->run_count = 0;
	page->capture_count = CAPTURES;
	for (size_t at = 0; at < CAPTURES; at++)
		page->captures[at] = (struct prn_page_capture){ .time = (int64_t)at * PRN_DAY_S, .modified = PRN_TIME_UNKNOWN, .kind = PRN_KIND_CONTENT };
	prn_random_seed(&random, 1, i);
	rate = 0.01 * pow(200, prn_random_unit(&random));
	add(page, &random, 0, CAPTURES, STATIC);
	add_region(page, &random, rate, ITEMS, PER_ITEM);
	if (prn_random_unit(&random) < 0.5)
		add_region(page, &random, 0.5, 1, CHURN);
	return 0;
}

static const char *no_url(void *context, size_t i)
{
	(void)context;
	(void)i;
	return NULL;
}

static size_t one_corpus(void *context, size_t i)
{
	(void)context;
	(void)i;
	return 0;
}

struct bench {
	struct prn_sweep sweeps[POLICIES];
	struct prn_contender *contenders[POLICIES];
	struct prn_setting settings[PRN_DIALS][SETTINGS]; /* by dial */
};

static void open_sweeps(struct bench *bench)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		bench->settings[PRN_DIAL_THRESHOLD][i].value = 0.005 * pow(4000, (double)i / (SETTINGS - 1));
		bench->settings[PRN_DIAL_PERIOD][i].value = pow(40, (double)i / (SETTINGS - 1));
		bench->settings[PRN_DIAL_SCALE][i].value = 0.005 * pow(4000, (double)i / (SETTINGS - 1));
	}
	for (size_t i = 0; i < POLICIES; i++) {
		struct prn_sweep *sweep = &bench->sweeps[i];

		if (prn_contender_open(&bench->contenders[i], policies[i], NULL, NULL))
			abort();
		sweep->contenders = (const struct prn_contender *const *)&bench->contenders[i];
		sweep->settings = bench->settings[prn_contender_about(bench->contenders[i])->dial];
		sweep->setting_count = SETTINGS;
	}
}

static double seconds(const struct prn_sweep *sweeps, size_t count)
{
	struct prn_pages pages = { .count = PAGES, .corpora = 1, .url = no_url, .corpus = one_corpus, .read = read_page };
	struct prn_evaluation *evaluation;
	double start = bench_now(BENCH_WALL);

	if (prn_evaluation_run(&evaluation, &pages, sweeps, count, PRN_CLOCK_STEPS, prn_parallel_processors(), NULL))
		abort();
	prn_evaluation_free(evaluation);
	return bench_now(BENCH_WALL) - start;
}

int main(void)
{
	static struct bench bench;
	char figure[80];
	double all;

	open_sweeps(&bench);
	snprintf(figure, sizeof figure, "evaluate, 10k pages, %zu cores (1k, x10)", prn_parallel_processors());
	all = SCALE * seconds(bench.sweeps, POLICIES);
	bench_row(figure, "<= 60 s on 2 cores", all, "s", all <= GOAL_S);
	for (size_t i = 0; i < POLICIES; i++) {
		snprintf(figure, sizeof figure, "  of which %s", policies[i]);
		bench_row(figure, "", SCALE * seconds(&bench.sweeps[i], 1), "s", 1);
	}
	for (size_t i = 0; i < POLICIES; i++)
		prn_contender_free(bench.contenders[i]);
	return 0;
}
