/* Pages of the generative model: as the theory says, the same by seed, and the same as text. */
#include "perennial/curve.h"
#include "perennial/import.h"
#include "perennial/synth.h"
#include "perennial/trace.h"
#include "history/page_check.h"
#include "random_page.h"
#include "tap.h"

#include <unistd.h>

static char folder[] = "/tmp/perennial-synth-XXXXXX";

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static struct prn_synth *open_synth(const struct prn_synth_options *options)
{
	struct prn_synth *synth;
	struct prn_error error;

	if (!prn_synth_open(&synth, options, &error))
		return synth;
	printf("# %s\n", error.text);
	exit(1);
}

/* The divergence of captures a and b, by counting. */
static double divergence(const struct prn_page *page, uint32_t a, uint32_t b)
{
	size_t both = 0, either = 0;

	for (size_t i = 0; i < page->stripe_count; i++) {
		bool in_a = false, in_b = false;

		for (uint32_t r = 0; r < page->stripes[i].count; r++) {
			struct prn_run run = page->runs[page->stripes[i].first + r];

			in_a |= run.from <= a && a < run.to;
			in_b |= run.from <= b && b < run.to;
		}
		both += in_a && in_b;
		either += in_a || in_b;
	}
	return either ? 1 - (double)both / (double)either : 0;
}

/* Mean divergence at a lag over bases and pages, against D*(t) of doc/theory.md §3 with the true parameters. */
static void follows_theory(unsigned items, double rate_per_day, uint32_t lag)
{
	struct prn_synth_options options;
	struct prn_synth_page truth;
	struct prn_synth *synth;
	struct prn_page page;
	double sum = 0, squares = 0, error, mean, want;

	prn_synth_defaults(&options);
	options.pages = 60;
	options.captures = 120;
	options.fragments = 320;
	options.static_share = 0.4;
	options.regions = 1;
	options.items = items;
	options.rate_per_day = rate_per_day;
	synth = open_synth(&options);
	prn_page_init(&page);
	for (size_t i = 0; i < options.pages; i++) {
		double of_page = 0;
		uint32_t bases = 0;

		prn_synth_history(synth, i, &page);
		for (uint32_t base = 0; base + lag < options.captures; base += 4, bases++)
			of_page += divergence(&page, base, base + lag);
		of_page /= bases;
		sum += of_page;
		squares += of_page * of_page;
	}
	prn_synth_page(synth, 0, &truth);
	mean = sum / (double)options.pages;
	error = sqrt((squares / (double)options.pages - mean * mean) / (double)(options.pages - 1));
	want = prn_curve_divergence(
		&(struct prn_curve){ .form = PRN_CURVE_SCROLL, .items = items, .share = truth.regions[0].share,
	                             .rate = rate_per_day }, lag);
	/* Pages are independent: four standard errors of their mean. */
	near(mean, want, 4 * error, "K = %u, rate = %g: mean divergence after %u days is D* = %.4f", items, rate_per_day, lag,
	     want);
	prn_page_release(&page);
	prn_synth_free(synth);
}

static void well_formed(void)
{
	struct prn_synth_options options;
	struct prn_synth *synth, *again;
	struct prn_page page, other;
	struct prn_synth_page truth;
	size_t formed = 0, same_again = 0, sizes = 0, still = 0;

	prn_synth_defaults(&options);
	options.pages = 200;
	options.captures = 30;
	synth = open_synth(&options);
	again = open_synth(&options);
	prn_page_init(&page);
	prn_page_init(&other);
	for (size_t i = 0; i < options.pages; i++) {
		size_t now = 0;

		prn_synth_history(synth, i, &page);
		prn_synth_history(again, i, &other);
		prn_synth_page(synth, i, &truth);
		formed += !prn_page_check(&page, NULL);
		same_again += same_page(&page, &other);
		for (size_t s = 0; s < page.stripe_count; s++)
			now += page.runs[page.stripes[s].first].from <= 17 && 17 < page.runs[page.stripes[s].first].to;
		sizes += now == truth.fragments;
		still += !truth.region_count;
	}
	ok(formed == options.pages, "every page of synth is well-formed");
	ok(same_again == options.pages, "a seed makes the same pages each time");
	ok(sizes == options.pages, "a page has the number of fragments that its truth tells");
	/* 200 draws with probability 1/4: four standard deviations are 24.5. */
	near((double)still, 50, 24.5, "a quarter of the pages is wholly static");
	options.seed = 2;
	prn_synth_free(again);
	again = open_synth(&options);
	prn_synth_history(again, 0, &other);
	prn_synth_history(synth, 0, &page);
	ok(!same_page(&page, &other), "another seed makes other pages");
	prn_page_release(&page);
	prn_page_release(&other);
	prn_synth_free(synth);
	prn_synth_free(again);
}

static int compare_patterns(const void *a, const void *b, void *context)
{
	const struct prn_stripe *x = a, *y = b;
	const struct prn_run *runs = context;
	int order = memcmp(&runs[x->first], &runs[y->first], sizeof *runs);

	return x->count != y->count ? (x->count < y->count ? -1 : 1) : order;
}

/* Whether two pages have the same run patterns, each as often; in these pages a fragment has one run. */
static bool same_structure(struct prn_page *a, struct prn_page *b)
{
	if (a->capture_count != b->capture_count || a->stripe_count != b->stripe_count || strcmp(a->url, b->url) != 0)
		return false;
	for (size_t i = 0; i < a->capture_count; i++)
		if (a->captures[i].time != b->captures[i].time || a->captures[i].kind != b->captures[i].kind)
			return false;
	qsort_r(a->stripes, a->stripe_count, sizeof *a->stripes, compare_patterns, a->runs);
	qsort_r(b->stripes, b->stripe_count, sizeof *b->stripes, compare_patterns, b->runs);
	for (size_t i = 0; i < a->stripe_count; i++)
		if (a->stripes[i].count != 1 || b->stripes[i].count != 1 ||
		    memcmp(&a->runs[a->stripes[i].first], &b->runs[b->stripes[i].first], sizeof *a->runs) != 0)
			return false;
	return true;
}

static int import(const char *warc, const char *trace)
{
	struct prn_import_options options = { 0 };
	struct prn_importer *importer;
	int failed = prn_importer_open(&importer, &options, NULL);

	if (failed)
		return failed;
	failed = prn_importer_add(importer, warc, NULL);
	if (!failed)
		failed = prn_importer_finish(importer, trace, NULL);
	if (!failed && prn_importer_counts(importer)->unresolved)
		failed = 1;
	prn_importer_free(importer);
	return failed;
}

static void as_text(const char *name, struct prn_synth_options *options)
{
	const char *made = in_folder("made.trace"), *imported = in_folder("imported.trace"), *warc = in_folder(name);
	struct prn_synth *synth = open_synth(options);
	struct prn_trace *a, *b;
	struct prn_page page, other;
	size_t alike = 0;
	int failed = prn_synth_trace(synth, made, NULL) || prn_synth_warc(synth, warc, NULL);

	prn_synth_free(synth);
	if (!ok(!failed && !import(warc, imported), "%s is written and imported, no revisit unresolved", name))
		return;
	if (!ok(!prn_trace_open(&a, made, NULL) && !prn_trace_open(&b, imported, NULL),
	        "the trace that was made and the one that was imported open"))
		return;
	prn_page_init(&page);
	prn_page_init(&other);
	for (size_t i = 0; i < options->pages; i++)
		alike += !prn_trace_page(a, i, &page, NULL) && !prn_trace_page(b, i, &other, NULL) &&
		         same_structure(&page, &other);
	ok(alike == options->pages && prn_trace_pages(b) == options->pages,
	   "the text of %zu of %zu pages has the very stripes of the model", alike, options->pages);
	prn_page_release(&page);
	prn_page_release(&other);
	prn_trace_free(a);
	prn_trace_free(b);
}

static void refuses(const char *what, struct prn_synth_options options)
{
	struct prn_synth *synth;
	struct prn_error error;

	ok(prn_synth_open(&synth, &options, &error) == PRN_E_ARGUMENT, "%s is refused: %s", what, error.text);
}

int main(void)
{
	struct prn_synth_options options;
	char command[300];

	if (!mkdtemp(folder))
		return 1;
	follows_theory(1, 0.3, 1);
	follows_theory(1, 0.3, 5);
	follows_theory(4, 0.5, 3);
	follows_theory(16, 0.5, 10);
	follows_theory(16, 2, 6);
	well_formed();
	prn_synth_defaults(&options);
	options.pages = 25;
	options.captures = 20;
	as_text("drawn.warc.gz", &options);
	options.regions = 4;
	options.static_share = 0;
	options.interval = 3600;
	options.rate_per_day = 30;
	as_text("busy.warc", &options);
	prn_synth_defaults(&options);
	options.pages = 0;
	refuses("no page", options);
	prn_synth_defaults(&options);
	options.static_share = 1.5;
	refuses("a static share of 1.5", options);
	options.static_share = NAN;
	refuses("a static share of NaN", options);
	prn_synth_defaults(&options);
	options.rate_per_day = 1e9;
	refuses("a billion updates a day", options);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ok(!system(command), "the scratch folder is removed");
	return done();
}
