/*
 * The longevity of corpora: shares against the truth of the generative model, distributions against its
 * laws, and what holds of any corpus.
 */
#include "perennial/longevity.h"
#include "perennial/synth.h"
#include "histories.h"
#include "tap.h"

/* Pages of the generative model, in one corpus or dealt out to two; every 20th may be cut short. */
struct model {
	struct prn_synth *synth;
	char (*urls)[64];
	size_t corpora, failing;
	bool cut;
};

static const char *model_url(void *context, size_t i)
{
	return ((struct model *)context)->urls[i];
}

static size_t model_corpus(void *context, size_t i)
{
	return i % ((struct model *)context)->corpora;
}

static int model_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	struct model *model = context;
	int code = prn_synth_history(model->synth, i, page);

	if (i == model->failing)
		return prn_error_set(error, PRN_E_INPUT, "page %zu is damaged", i);
	if (!code && model->cut && i % 20 == 7)
		page->capture_count = 3;
	return code;
}

static struct prn_pages model_open(struct model *model, const struct prn_synth_options *options, size_t corpora)
{
	struct prn_error error = { 0 };

	*model = (struct model){ .corpora = corpora, .failing = SIZE_MAX };
	model->urls = calloc(options->pages, sizeof *model->urls);
	if (!model->urls || prn_synth_open(&model->synth, options, &error))
		abort();
	for (size_t i = 0; i < options->pages; i++) {
		struct prn_synth_page page;

		prn_synth_page(model->synth, i, &page);
		memcpy(model->urls[i], page.url, sizeof page.url);
	}
	return (struct prn_pages){ .count = options->pages, .corpora = corpora, .context = model, .url = model_url,
		                   .corpus = model_corpus, .read = model_read };
}

static void model_release(struct model *model)
{
	free(model->urls);
	prn_synth_free(model->synth);
}

static struct prn_longevity *run(const struct prn_pages *pages, uint64_t seed, size_t resamples, size_t draws)
{
	struct prn_longevity_options options = { .seed = seed, .resamples = resamples, .draws = draws };
	struct prn_longevity *longevity = NULL;
	struct prn_error error = { 0 };

	if (prn_longevity_run(&longevity, pages, &options, &error))
		printf("# %s\n", error.text);
	return longevity;
}

static struct prn_interval statistic(const struct prn_longevity *longevity, size_t scope, const char *name)
{
	return prn_longevity_statistic(longevity, scope, prn_statistic_find(name));
}

/* Pr[N >= j], N ~ Poisson(mean) given N >= 1: updates between two captures that differ. */
static double updates_at_least(unsigned j, double mean)
{
	double below = 0;

	for (unsigned i = 0; i < j; i++)
		below += exp(i * log(mean) - mean - lgamma(i + 1.0));
	return j <= 1 ? 1 : (1 - below) / -expm1(-mean);
}

/*
 * What of a region of K items looks like churn through captures: an item p places from the newest was born at the
 * last seen change if that hid more than p updates, and goes at the next if that hides K - p or more.
 */
static double seen_as_churn(unsigned items, double mean)
{
	double sum = 0;

	for (unsigned p = 0; p < items; p++)
		sum += updates_at_least(p + 1, mean) * updates_at_least(items - p, mean);
	return sum / items;
}

/* What of a region's items is left after so many captures: it looks static. */
static double seen_as_static(unsigned items, double mean)
{
	double sum = 0;

	for (unsigned k = 0; k < items; k++)
		sum += exp(k * log(mean) - mean - lgamma(k + 1.0)) * (items - k) / items;
	return sum;
}

/* The mean shares of pages with one region: as they are, or as captures a day apart show them. */
static struct prn_shares truth_of(const struct model *model, const struct prn_synth_options *options, bool seen)
{
	struct prn_shares mean = { 0, 0, 0 };

	for (size_t i = 0; i < options->pages; i++) {
		struct prn_synth_page page;
		double moving, left, churn;

		prn_synth_page(model->synth, i, &page);
		moving = page.region_count ? page.regions[0].share : 0;
		left = page.region_count && seen ? seen_as_static(page.regions[0].items, page.regions[0].rate_per_day *
		                                                                    (double)(options->captures - 1))
		                                 : 0;
		churn = !page.region_count ? 0
		        : seen             ? seen_as_churn(page.regions[0].items, page.regions[0].rate_per_day)
		                           : page.regions[0].items == 1;
		mean.constant += 1 - moving * (1 - left);
		mean.churn += moving * (1 - left) * churn;
		mean.scroll += moving * (1 - left) * (1 - churn);
	}
	mean.constant /= (double)options->pages;
	mean.churn /= (double)options->pages;
	mean.scroll /= (double)options->pages;
	return mean;
}

static void share_is(const struct prn_longevity *longevity, const char *name, double truth, double tolerance, const char *what)
{
	struct prn_interval share = statistic(longevity, 0, name);

	ok(share.low <= truth && truth <= share.high, "%s: the interval of %s, %.3f … %.3f, holds the truth, %.3f", what, name,
	   share.low, share.high, truth);
	near(share.value, truth, tolerance, "%s: %s is that of these very pages, %.4f", what, name, truth);
}

static void shares_are(const struct prn_synth_options *options, bool seen, double tolerance, const char *what)
{
	struct model model;
	struct prn_pages pages = model_open(&model, options, 1);
	struct prn_longevity *longevity = run(&pages, 1, 300, 0);
	struct prn_shares truth = truth_of(&model, options, seen);

	share_is(longevity, "static_share", truth.constant, tolerance, what);
	share_is(longevity, "churn_share", truth.churn, tolerance, what);
	share_is(longevity, "scroll_share", truth.scroll, tolerance, what);
	prn_longevity_free(longevity);
	model_release(&model);
}

static struct prn_synth_options one_region(size_t pages, size_t captures)
{
	struct prn_synth_options options;

	prn_synth_defaults(&options);
	options.pages = pages;
	options.captures = captures;
	options.regions = 1;
	return options;
}

static void test_shares(void)
{
	struct prn_synth_options options = one_region(200, 400);

	/* An update every ten days: a capture in twenty hides one, which makes some scroll of two items churn. */
	options.rate_per_day = 0.1;
	shares_are(&options, false, 0.005, "captures ten times as often as updates");

	/* Rates from 1/64 to 4 a capture: what the captures show, which for slow pages is one draw of a rare event. */
	options.rate_per_day = PRN_SYNTH_DRAWN;
	options.captures = 120;
	shares_are(&options, true, 0.015, "rates drawn, through daily captures");
}

/* The further a short watch is from the truth, the further its first half is from the whole. */
static void test_static_half(void)
{
	struct prn_synth_options options = one_region(200, 60);
	struct model model;
	struct prn_pages pages = model_open(&model, &options, 1);
	struct prn_longevity *longevity = run(&pages, 1, 0, 0);
	double half = statistic(longevity, 0, "static_half").value, whole = statistic(longevity, 0, "static_share").value;

	ok(half > whole + 0.005 && whole > truth_of(&model, &options, false).constant,
	   "after 60 captures %.3f looks static, after 30 %.3f: it is still falling towards %.3f", whole, half,
	   truth_of(&model, &options, false).constant);
	prn_longevity_free(longevity);
	model_release(&model);
}

/* The share of scaled lifetimes that outlast x. */
static double outlast(const struct prn_survival *survival, double x)
{
	const struct prn_survival_point *points = prn_survival_points(survival);
	double share = 1;

	for (size_t i = 0; i < prn_survival_count(survival) && points[i].duration <= x; i++)
		share = points[i].survival.value;
	return share;
}

/* One region of K items updated at a rate: everything about it has a law. */
static void test_laws(unsigned items)
{
	enum prn_nature nature = items > 1 ? PRN_NATURE_SCROLL : PRN_NATURE_CHURN;
	struct prn_synth_options options = one_region(60, 500);
	struct model model;
	struct prn_pages pages;
	struct prn_longevity *longevity;
	double worst = 0, rate = 0.15, p_change = -expm1(-rate), born = 0;

	options.static_share = 0.2;
	options.fragments = 200;
	options.items = items;
	options.rate_per_day = rate;
	pages = model_open(&model, &options, 1);
	longevity = run(&pages, 1, 200, 199);
	near(statistic(longevity, 0, "change_frequency").value, p_change, 0.02, "K = %u: a capture differs with probability 1 - e^-λ", items);
	near(statistic(longevity, 0, "hidden_changes").value, 1 - p_change / rate, 0.01,
	     "K = %u: as many updates are hidden by others as the model says", items);
	/* Items seen to be born at a capture: min(N, K) of N updates; K of them are there at any time. */
	for (unsigned j = 1; j <= items; j++)
		born += p_change * updates_at_least(j, rate);
	near(statistic(longevity, 0, "longevity_days").value, items / born, 0.05 * items / born,
	     "K = %u: the fragments that captures see live %.2f days in the mean", items, items / born);
	ok(statistic(longevity, 0, "poisson_p").value > 0.01, "K = %u: changes pass for a Poisson process, p = %.2f", items,
	   statistic(longevity, 0, "poisson_p").value);
	/* Lives are whole days, scaled by each page's own rate of changes: between the n-th and the next. */
	for (int n = 0; n < 12 * (int)items; n++)
		worst = fmax(worst, fabs(outlast(prn_longevity_scaled(longevity, 0, nature), (n + 0.5) * p_change) -
		                         prn_longevity_scaled_model(longevity, 0, nature, n * p_change)));
	/*
	 * The law knows nothing of captures.  For K = 1 lives come out geometric, up to e^-0.98 - (1 - p)^7 = 0.03 off; for
	 * K = 8 they last 7.4 seen changes, and the law takes a whole number of them: half a change off at a density of 0.14.
	 */
	if (items == 1 && ok(prn_survival_total(prn_longevity_k(longevity, 0), PRN_CENSORED_NOT) > 1000, "K = 1: many fragments were seen to die")) {
		ok(prn_survival_points(prn_longevity_k(longevity, 0))[0].duration == 1,
		   "K = 1: no fragment whose death was seen outlasted a change");
		ok(prn_survival_points(prn_longevity_k(longevity, 0))[0].known_only == 0,
		   "K = 1: every fragment whose death was seen was ended by the first change that it met");
	}
	near(worst, 0, items > 1 ? 0.08 : 0.04, "K = %u: lifetimes follow the model's law", items);
	prn_longevity_free(longevity);
	model_release(&model);
}

/* Pages most of which changed at every capture: what is hidden there follows from how often they were looked at. */
static void test_hidden_of_restless_pages(void)
{
	static const double rates[] = { 1, 2.5, 4 };

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		struct prn_synth_options options = one_region(400, 60);
		struct model model;
		struct prn_pages pages;
		struct prn_longevity *longevity;

		options.items = 1;
		options.rate_per_day = rates[i];
		pages = model_open(&model, &options, 1);
		longevity = run(&pages, 1, 200, 199);
		near(statistic(longevity, 0, "hidden_changes").value, 1 + expm1(-rates[i]) / rates[i], 0.02,
		     "%g updates between two captures: as many are hidden as the model says", rates[i]);
		prn_longevity_free(longevity);
		model_release(&model);
	}
}

/* Lifetimes on scroll pages, by the page's K. */
static int weigh(void *context, size_t i, const struct prn_page *page, const struct prn_study *study, double poisson_p,
                 struct prn_error *error)
{
	const struct prn_study_result *result = prn_study_result(study);
	double *weights = context;

	(void)i;
	(void)page;
	(void)poisson_p;
	(void)error;
	if (result->nature == PRN_NATURE_SCROLL && result->dominant_k && result->dominant_k < 32)
		weights[result->dominant_k] +=
			(double)(result->lifetimes[PRN_CENSORED_NOT] + result->lifetimes[PRN_CENSORED_RIGHT]);
	return 0;
}

/* 1 - P(K, x) by adding up the Gamma density. */
static double gamma_outlast(int k, double x)
{
	double integral = 0, step = 0.001;

	for (double y = step / 2; y < x; y += step)
		integral += step * exp((k - 1) * log(y) - y - lgamma(k));
	return 1 - integral;
}

static void test_model(void)
{
	struct prn_synth_options options = one_region(40, 200);
	struct model model;
	double weights[32] = { 0 }, total = 0, want = 0;
	struct prn_longevity_options asked = { .each = weigh, .context = weights };
	struct prn_longevity *longevity = NULL;
	struct prn_error error = { 0 };
	struct prn_pages pages;

	options.items = 4;
	options.static_share = 0;
	pages = model_open(&model, &options, 1);
	prn_longevity_run(&longevity, &pages, &asked, &error);
	for (int k = 1; k < 32; k++) {
		total += weights[k];
		want += weights[k] * gamma_outlast(k, 3);
	}
	near(prn_longevity_scaled_model(longevity, 0, PRN_NATURE_SCROLL, 3), want / total, 1e-6,
	     "the law of scroll lives is the Gamma distributions', by each page's K");
	near(prn_longevity_scaled_model(longevity, 0, PRN_NATURE_CHURN, 3), exp(-3), 1e-12,
	     "the law of churn lives is the exponential's");
	near(prn_longevity_scaled_model(longevity, 0, PRN_NATURE_SCROLL, 0), 1, 0,
	     "no fragment of scroll is gone at once");
	prn_longevity_free(longevity);
	model_release(&model);
}

/* Statistics of sums against the mean of pages as each of them is reported. */
struct seen {
	size_t pages;
	double frequency, n, x, y, xx, yy, xy;
};

static int see(void *context, size_t i, const struct prn_page *page, const struct prn_study *study, double poisson_p,
               struct prn_error *error)
{
	struct seen *seen = context;
	const struct prn_study_result *result = prn_study_result(study);
	double x = result->change_frequency, y = result->longevity_days;

	(void)i;
	(void)page;
	(void)poisson_p;
	(void)error;
	seen->pages++;
	seen->frequency += x;
	if (seen->pages == 90)
		return PRN_E_CANCELLED;
	if (isnan(y))
		return 0;
	seen->n++;
	seen->x += x;
	seen->y += y;
	seen->xx += x * x;
	seen->yy += y * y;
	seen->xy += x * y;
	return 0;
}

static void test_corpus(void)
{
	struct prn_synth_options options = one_region(100, 60);
	struct model model;
	struct prn_pages pages = model_open(&model, &options, 1);
	struct seen seen = { 0 };
	struct prn_longevity_options asked = { .each = see, .context = &seen };
	struct prn_longevity *longevity = NULL, *again, *other;
	struct prn_error error = { 0 };
	double r;

	model.cut = true;
	ok(prn_longevity_run(&longevity, &pages, &asked, &error) == PRN_E_CANCELLED,
	   "a callback can end a measurement");
	seen = (struct seen){ 0 };
	pages.count = 80;
	ok(!prn_longevity_run(&longevity, &pages, &asked, &error), "a corpus is measured");
	ok(prn_longevity_pages(longevity, 0) == 76 && seen.pages == 76, "every page that is long enough is seen");
	ok(prn_longevity_clusters(longevity, 0) == 8, "the intervals of ten pages a host are of hosts");
	ok(prn_longevity_left_out(longevity, 0) == 4, "pages that are too short are counted");
	near(statistic(longevity, 0, "change_frequency").value, seen.frequency / 76, 1e-12,
	     "a mean statistic is the mean over its pages");
	r = (seen.xy / seen.n - seen.x * seen.y / seen.n / seen.n) /
	    sqrt((seen.xx / seen.n - pow(seen.x / seen.n, 2)) * (seen.yy / seen.n - pow(seen.y / seen.n, 2)));
	near(statistic(longevity, 0, "correlation").value, r, 1e-9, "the correlation is that over its pages");
	ok(isnan(statistic(longevity, 0, "change_frequency").low),
	   "a measurement without resamples has no intervals");
	ok(isnan(statistic(longevity, 0, "poisson_p").value), "a measurement without draws has no p-value");
	prn_longevity_free(longevity);

	longevity = run(&pages, 7, 100, 49);
	again = run(&pages, 7, 100, 49);
	other = run(&pages, 8, 100, 49);
	r = statistic(longevity, 0, "churn_share").low;
	near(statistic(again, 0, "churn_share").low, r, 0, "the same seed gives the same intervals");
	ok(fabs(statistic(other, 0, "churn_share").low - r) > 0, "another seed gives other intervals");
	near(statistic(other, 0, "churn_share").value, statistic(again, 0, "churn_share").value, 0,
	     "another seed gives the same values");
	prn_longevity_free(longevity);
	prn_longevity_free(again);
	prn_longevity_free(other);
	model_release(&model);
}

static void test_scopes(void)
{
	struct prn_synth_options options = one_region(60, 60);
	struct model model;
	struct prn_pages pages = model_open(&model, &options, 2);
	struct prn_longevity *both = run(&pages, 1, 100, 49), *alone, *pooled;
	struct prn_interval a, b;

	ok(prn_longevity_scopes(both) == 3, "two corpora have three scopes");
	ok(prn_longevity_pages(both, 0) == 30 && prn_longevity_pages(both, 1) == 30, "the first scopes of two corpora are each of them");
	ok(prn_longevity_pages(both, 2) == 60, "the last scope of two corpora is both together");
	near(statistic(both, 2, "static_share").value,
	     (statistic(both, 0, "static_share").value + statistic(both, 1, "static_share").value) / 2, 0.02,
	     "the static share of two corpora together is the mean of theirs");
	model.corpora = 1;
	pages.corpora = 1;
	pooled = run(&pages, 1, 100, 49);
	a = statistic(both, 2, "churn_share");
	b = statistic(pooled, 0, "churn_share");
	near(a.value, b.value, 0, "two corpora together are measured as one corpus would be");
	ok(a.low == b.low && a.high == b.high, "two corpora together have the interval that one corpus would have");
	near(statistic(both, 2, "poisson_p").value, statistic(pooled, 0, "poisson_p").value, 0,
	     "the changes of two corpora together are tested as those of one corpus would be");
	prn_longevity_free(pooled);
	options.pages = 1;
	pages.count = 1;
	alone = run(&pages, 1, 100, 49);
	ok(isnan(statistic(alone, 0, "change_frequency").low),
	   "a single page, which says nothing about others, has no interval");
	prn_longevity_free(alone);
	prn_longevity_free(both);
	model_release(&model);
}

static void test_failures(void)
{
	struct prn_synth_options options = one_region(10, 10);
	struct model model;
	struct prn_pages pages = model_open(&model, &options, 1);
	struct prn_longevity_options asked = { .seed = 1 };
	struct prn_longevity *longevity = NULL;
	struct prn_error error = { 0 };

	model.failing = 4;
	ok(prn_longevity_run(&longevity, &pages, &asked, &error) == PRN_E_INPUT && !longevity,
	   "a damaged page fails the measurement");
	same(error.text, "page 4 is damaged", "the message about a damaged page says which it is");
	model.failing = SIZE_MAX;
	pages.count = 0;
	ok(prn_longevity_run(&longevity, &pages, &asked, &error) == PRN_E_NOT_FOUND,
	   "a measurement of no pages is refused");
	prn_longevity_free(NULL);
	model_release(&model);
}

/* Pages written by hand, each of a host of its own and with a capture a day. */
static const char *text_url(void *context, size_t i)
{
	static char url[32];

	(void)context;
	snprintf(url, sizeof url, "http://h%zu.example/", i);
	return url;
}

static int text_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const char *const *texts = context;
	struct history history;

	(void)error;
	history_read(&history, texts[i]);
	for (size_t at = 0; at < history.captures; at++)
		history.times[at] = (int64_t)at * 86400;
	history_page(&history, text_url(context, i), page);
	return 0;
}

static size_t only_corpus(void *context, size_t i)
{
	(void)context;
	(void)i;
	return 0;
}

static struct prn_longevity *run_texts(const char **texts, size_t count, size_t draws)
{
	const struct prn_pages pages = { .count = count, .corpora = 1, .context = texts, .url = text_url,
		                         .corpus = only_corpus, .read = text_read };

	return run(&pages, 1, 0, draws);
}

/* Bars hold their upper end: a page seen for 7 days was seen for up to a week. */
static void test_bars(void)
{
	const char *texts[] = { "a b c d e f g h", "- a b c d e f g -" };
	struct prn_longevity *longevity = run_texts(texts, 1, 0);

	near(statistic(longevity, 0, "interval_day").value, 1, 0, "a page that changes once a day is one of those that do so once a day or more often");
	near(statistic(longevity, 0, "lifespan_week").value, 1, 0, "a page seen for just 7 days was seen for up to a week");
	near(statistic(longevity, 0, "lifespan2_month").value, 1, 0,
	     "by method 2 a page seen for 7 days whose ends were not seen lives 14: up to 30 days");
	prn_longevity_free(longevity);
	longevity = run_texts(texts + 1, 1, 0);
	near(statistic(longevity, 0, "lifespan2_week").value, 1, 0,
	     "by method 2 a page whose both ends were seen lives as long as it was seen");
	prn_longevity_free(longevity);
}

/* Of 19 draws and the page itself, the page is the furthest from the mean: p is 1 / 20, which is at most 0.05. */
static void test_rejected(void)
{
	static char text[2 * HISTORY_CAPTURES + 1];
	const char *texts[] = { text };
	struct prn_longevity *longevity;

	for (size_t i = 0; i < HISTORY_CAPTURES; i++)
		snprintf(text + 2 * i, sizeof text - 2 * i, "%c ", 'a' + (char)(i / 4));
	longevity = run_texts(texts, 1, 19);
	near(statistic(longevity, 0, "poisson_p").value, 0.05, 0, "the least p that 19 draws can give is 0.05");
	near(statistic(longevity, 0, "poisson_rejected").value, 1, 0, "a page whose p is just 0.05 is rejected");
	prn_longevity_free(longevity);
}

static void test_names(void)
{
	bool found = true;
	size_t count = 0;

	for (; prn_statistic_info(count); count++)
		found = found && prn_statistic_find(prn_statistic_info(count)->name) == count && *prn_statistic_info(count)->title;
	ok(found && count > 40, "all %zu statistics have a title and a name of their own", count);
	ok(prn_statistic_find("no such") == SIZE_MAX, "a statistic that there is not is not found");
}

int main(void)
{
	test_shares();
	test_static_half();
	test_laws(1);
	test_laws(8);
	test_hidden_of_restless_pages();
	test_model();
	test_corpus();
	test_scopes();
	test_failures();
	test_bars();
	test_rejected();
	test_names();
	return done();
}
