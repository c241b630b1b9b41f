/* Sweeps of many policies: which settings are chosen, whose they are, and that a program gets the command's numbers. */
#include "perennial/comparison.h"
#include "perennial/sweep.h"
#include "corpora.h"
#include "synthetic.h"
#include "tap.h"

static struct prn_sweeps *open_sweeps(const char *const *policies, size_t count)
{
	struct prn_sweeps *sweeps;

	if (prn_sweeps_open(&sweeps, policies, count, NULL, 1, NULL))
		abort();
	return sweeps;
}

static void choosing(void)
{
	const struct prn_life lives[] = {
		{ .weight = 2, .interval = 1, .captures = 10 },
		{ .weight = 1, .interval = 8, .captures = 4 },
		{ .weight = 1000, .interval = 1000 }, /* left out */
	};
	const struct prn_life apart[] = { { .weight = 1, .interval = 1e-9, .captures = 5 },
		                          { .weight = 1, .interval = 1e9, .captures = 5 } };
	struct prn_setting settings[PRN_SETTINGS];
	size_t n = prn_settings_choose(PRN_DIAL_PERIOD, lives, 3, settings);
	bool even = true, sparse = true;

	near(settings[0].value, 1, 1e-12, "the shortest period is one capture of the page captured most often");
	near(settings[n - 1].value, 8 * 64, 1e-9, "the longest is 64 captures of the page captured least often; what is left out does not count");
	for (size_t i = 1; i < n; i++) {
		double step = log(settings[i].value / settings[i - 1].value);

		even &= fabs(step - log(8 * 64) / (double)(n - 1)) < 1e-9;
		sparse &= step <= log(10) / 12 + 1e-9;
	}
	ok(even, "settings are evenly spaced in logarithm");
	ok(sparse, "there are at least twelve settings to a factor of ten");
	n = prn_settings_choose(PRN_DIAL_THRESHOLD, lives, 3, settings);
	near(settings[0].value, 0.002 * 2, 1e-12, "the least threshold is scaled by interval and weight");
	near(settings[n - 1].value, 20 * 8, 1e-9, "the largest threshold is scaled by interval and weight");
	n = prn_settings_choose(PRN_DIAL_SCALE, &lives[1], 1, settings);
	near(settings[0].value, 0.002, 1e-12, "a scale has no unit: its range never begins above that of one interval");
	n = prn_settings_choose(PRN_DIAL_PERIOD, NULL, 0, settings);
	ok(n > 1 && n <= PRN_SETTINGS, "settings are chosen even where there are no pages");
	n = prn_settings_choose(PRN_DIAL_PERIOD, apart, 2, settings);
	ok(n == PRN_SETTINGS, "however far intervals lie apart, there are no more settings than stated");
}

/* The mean interval of a page's captures, in days. */
static void intervals(void)
{
	struct synthetic synthetic = { .pages = 3, .hosts = 1 };
	struct prn_pages pages = synthetic_pages(&synthetic);
	struct prn_life lives[3];
	struct prn_page page;

	prn_page_init(&page);
	if (prn_lives_read(lives, &pages, PRN_CLOCK_DAYS, 1, NULL) ||
	    synthetic_read(&synthetic, 1, &page, NULL) < 0)
		abort();
	near(lives[1].interval,
	     (double)(page.captures[page.capture_count - 1].time - page.captures[0].time) / 86400 / (double)(page.capture_count - 1),
	     1e-12, "by days a page's interval is the time from its first capture to the last, by the number of intervals");
	prn_page_release(&page);
	free(synthetic.urls);
}

static int no_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	(void)context;
	(void)page;
	return prn_error_set(error, PRN_E_IO, "page %zu was read", i);
}

static void setting(void)
{
	static const char *const policies[] = { "drift:kappa=3", "uniform", "drift", "cgm" };
	const struct prn_setting thresholds[] = { { 0.1, false }, { 1, false } }, period = { 86400, true };
	const double budgets[] = { 0.5, 0.25, 0.125 };
	struct synthetic synthetic = { .pages = 3, .hosts = 1 };
	struct prn_pages pages = synthetic_pages(&synthetic);
	struct prn_sweeps *sweeps = open_sweeps(policies, 4), *none = NULL;
	const struct prn_sweep *all = prn_sweeps_all(sweeps);
	struct prn_error error = { 0 };
	int code;

	ok(prn_sweeps_count(sweeps) == 4, "there is a sweep for each policy");
	same(prn_sweeps_specification(sweeps, 0), "drift:kappa=3", "a sweep has the specification of its policy as it was given");
	ok(prn_sweeps_find(sweeps, "drift") == 2, "a policy is found by its specification before its name");
	ok(prn_sweeps_find(sweeps, "uniform") == 1, "a policy is found by its name");
	ok(prn_sweeps_find(sweeps, "azar") == PRN_NO_SWEEP, "a policy that is not there is not found");
	ok(!all[0].setting_count && !all[1].setting_count, "sweeps that were just opened have no settings");

	prn_sweeps_set(sweeps, PRN_DIAL_THRESHOLD, thresholds, 2, NULL);
	ok(all[0].setting_count == 2 && all[3].setting_count == 2, "thresholds go to every policy that has one");
	ok(!all[1].setting_count, "thresholds do not go to a policy whose dial is a period");
	prn_sweeps_set(sweeps, PRN_DIAL_PERIOD, &period, 1, NULL);
	ok(all[1].setting_count == 1 && all[1].settings[0].in_seconds, "a period in seconds is kept as one");
	pages.read = no_read;
	ok(!prn_sweeps_choose(sweeps, &pages, PRN_CLOCK_STEPS, 1, NULL), "where every policy has settings no page is read to choose some");
	prn_sweeps_set(sweeps, PRN_DIAL_PERIOD, NULL, 0, NULL);
	code = prn_sweeps_choose(sweeps, &pages, PRN_CLOCK_STEPS, 1, &error);
	ok(code == PRN_E_IO, "a page that cannot be read to choose settings is an error");
	same(error.text, "page 0 was read", "the error of choosing settings is the one of the page");
	pages.read = synthetic_read;
	prn_sweeps_choose(sweeps, &pages, PRN_CLOCK_STEPS, 1, NULL);
	ok(all[1].setting_count > 10 && all[0].setting_count == 2, "settings are chosen for the dials that have none, and only for them");

	prn_sweeps_set_budgets(sweeps, budgets, 3, NULL);
	ok(all[0].budgets && all[1].budgets, "budgets are for every policy whatever its dial");
	ok(all[1].setting_count == 3, "a policy has as many settings as there are budgets");
	ok(all[2].settings[1].value == 0.25 && !all[2].settings[1].in_seconds, "a budget is the setting's value");
	prn_sweeps_set_budgets(sweeps, NULL, 0, NULL);
	ok(!all[0].budgets && all[0].setting_count == 2, "without budgets the settings of the dials hold again");
	prn_sweeps_free(sweeps);

	code = prn_sweeps_open(&none, (const char *const[]){ "uniform", "nonsense" }, 2, NULL, 1, &error);
	ok(code == PRN_E_NOT_FOUND && !none, "one unknown policy and no sweeps are opened");
	ok(strstr(error.text, "nonsense") != NULL, "the unknown policy is named");
	free(synthetic.urls);
}

/* What `perennial evaluate --policy=… --at-cost=…` does, as a program does it. */
static void program(void)
{
	static const char *const policies[] = { "uniform", "cgm", "drift" }, *const names[] = { "watch", "terms-ai" };
	const double costs[] = { 0.1, 0.3 };
	struct prn_comparison comparison = { .axis = PRN_AXIS_COST, .window = PRN_WINDOW_STEADY, .targets = costs,
		                             .target_count = 2, .reference = PRN_NO_REFERENCE, .seed = 1,
		                             .resamples = 40, .threads = 2 };
	struct prn_compared compared[6];
	struct prn_evaluation *evaluation;
	struct prn_sweeps *sweeps;
	struct corpora corpora;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	corpora_open(&corpora, names, 2);
	if (!out || prn_sweeps_open(&sweeps, policies, 3, NULL, 2, NULL) ||
	    prn_sweeps_choose(sweeps, &corpora.pages, PRN_CLOCK_STEPS, 2, NULL) ||
	    prn_evaluation_run(&evaluation, &corpora.pages, prn_sweeps_all(sweeps), prn_sweeps_count(sweeps),
	                       PRN_CLOCK_STEPS, 2, NULL) ||
	    prn_evaluation_compare(evaluation, &comparison, compared))
		abort();
	fputs("policy\twindow\tcost\tstaleness\tlow\thigh\n", out);
	for (size_t i = 0; i < 6; i++)
		fprintf(out, "%s\tsteady\t%g\t%.17g\t%.17g\t%.17g\n", prn_sweeps_specification(sweeps, i / 2), costs[i % 2],
		        compared[i].value.value, compared[i].value.low, compared[i].value.high);
	fclose(out);
	same_output(text, "evaluate watch.trace terms-ai.trace --policy=uniform,cgm,drift --at-cost=0.1,0.3 --window=steady "
	                  "--bootstrap=40",
	            "a program that opens sweeps and lets them choose their settings has the command's numbers");
	free(text);
	prn_evaluation_free(evaluation);
	prn_sweeps_free(sweeps);
	corpora_close(&corpora);
}

int main(void)
{
	choosing();
	intervals();
	setting();
	if (has_command())
		program();
	else
		skip("PERENNIAL and SRCDIR do not say where the command and the corpora are");
	return done();
}
