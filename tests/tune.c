/* The threshold of a budget, over real states. */
#include "perennial/due.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#include "desk.h"
#include "perennial/explanation.h"

static struct prn_tuning tune(struct desk *desk, double budget, bool apply)
{
	struct prn_tuning tuning = { 0 };
	struct prn_error error = { 0 };

	if (prn_decider_tune(desk->decider, &(struct prn_tuning_request){ .budget = { budget, PRN_UNIT_VISITS }, .apply = apply }, &tuning, &error))
		printf("# %s\n", error.text);
	return tuning;
}

/* n pages of all rates and weights, each visited five times. */
static void fill(struct desk *desk, int n)
{
	for (int i = 0; i < n; i++) {
		struct prn_capture capture;
		char url[64];

		snprintf(url, sizeof url, "http://h%d.example/%d", i % 7, i);
		for (int v = 0; v < 5; v++) {
			const char *text = text_from((unsigned)(v * (i % 40)));

			capture = status_of(url, T0 + v * DAY, 200);
			capture.content_type = "text/plain";
			capture.body = (const unsigned char *)text;
			capture.body_bytes = strlen(text);
			capture.weight = 1 + i % 5;
			desk_answer(desk, capture);
		}
	}
	prn_decider_commit(desk->decider, NULL);
}

static int add_load(void *context, const struct prn_explanation *page)
{
	*(double *)context +=
		page->status == PRN_PAGE_RETIRED ? 0 : 86400.0 / (double)(page->policy_next - page->visited);
	return 0;
}

static void budgets(const char *policy)
{
	struct prn_tuning found, again;
	double load = 0;
	struct desk desk;

	desk_open(&desk, policy, 0);
	fill(&desk, 300);
	found = tune(&desk, 150, false);
	ok(found.result == PRN_TUNING_MET, "%s: a budget of half a visit a page and day can be met", policy);
	ok(found.pages == 300, "%s: every page is counted when a budget is tuned for", policy);
	near(found.load_per_day, 150, 1.5, "%s: the T that is found, %g, spends the budget", policy, found.threshold);
	near(prn_decider_threshold(desk.decider), 0.25, 0, "%s: the T that is found is not applied unasked", policy);
	again = tune(&desk, 60, true);
	ok(again.threshold > found.threshold && again.load_per_day < 61, "%s: a smaller budget has a larger T",
	   policy);
	near(prn_decider_threshold(desk.decider), again.threshold, 0,
	     "%s: a T that is applied is the decider's", policy);
	desk_reopen(&desk);
	near(prn_decider_threshold(desk.decider), again.threshold, 0,
	     "%s: a T that was applied is there when the store is opened again", policy);
	prn_decider_each(desk.decider, T0 + 5 * DAY, add_load, &load, NULL);
	if (strcmp(policy, "uniform")) /* its next visit is at a multiple of its period, which may be near */
		near(load, again.load_per_day, 1e-6, "%s: the load of a T is what its pages add up to", policy);
	near(tune(&desk, 60, false).load_before, again.load_per_day, 1e-9,
	     "%s: the load that was found is the one before the next tuning", policy);
	desk_release(&desk);
}

/* What a randomised policy costs is a mean: the draws that its seed makes change nothing. */
static void random_draws(void)
{
	double thresholds[2];

	for (int seed = 1; seed <= 2; seed++) {
		struct prn_tuning found;
		struct desk desk;
		char policy[32];

		snprintf(policy, sizeof policy, "azar:seed=%d", seed);
		desk_open(&desk, policy, 0);
		fill(&desk, 300);
		found = tune(&desk, 150, false);
		near(found.load_per_day, 150, 1.5, "%s: a budget is met in the mean over the draws", policy);
		thresholds[seed - 1] = found.threshold;
		desk_release(&desk);
	}
	near(thresholds[1], thresholds[0], 0, "another seed of a randomised policy has the same T");
}

static void bounds(void)
{
	static const struct prn_interval_rule rules[] = { { NULL, NULL, 86400.0, 10 * 86400.0 } };
	struct prn_tuning found;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.intervals = rules;
	desk.options.interval_count = 1;
	desk_reopen(&desk);
	fill(&desk, 100);
	found = tune(&desk, 5, false);
	ok(found.result == PRN_TUNING_CANNOT, "a budget below what the maximum intervals want cannot be met");
	near(found.least_per_day, 10, 1e-9,
	     "the least load of 100 pages with a maximum interval of ten days is 10 visits a day");
	near(found.load_per_day, 10, 0.2,
	     "the T for a budget that cannot be met wants no more than the least load");
	found = tune(&desk, 500, false);
	ok(found.result == PRN_TUNING_NOT_NEEDED,
	   "a budget above what the minimum intervals allow is not needed");
	near(found.most_per_day, 100, 1e-9,
	     "the most load of 100 pages with a minimum interval of a day is 100 visits a day");
	near(found.load_per_day, 100, 2, "the T for a budget that is not needed takes the most load");
	desk_release(&desk);
}

static int count_late(void *context, const struct prn_explanation *page)
{
	*(int *)context += (double)(page->next - page->policy_next) > 0.1 * (double)(page->next - page->visited);
	return 0;
}

/* A T that was far too large has sent every page away for half a year. */
static void a_lower_threshold(void)
{
	struct prn_tuning found;
	struct desk desk;
	struct look failing;
	int late = 0;

	desk_open(&desk, NULL, 1e6);
	fill(&desk, 300);
	desk_status(&desk, "http://h0.example/0", T0 + 5 * DAY, 500);
	failing = desk_look(&desk, "http://h0.example/0");
	found = tune(&desk, 150, false);
	ok(desk_look(&desk, "http://h4.example/39").due > T0 + 180 * DAY && found.load_before < 2,
	   "with a T that is far too large pages are next visited after half a year");
	tune(&desk, 150, true);
	prn_decider_each(desk.decider, T0 + 5 * DAY, count_late, &late, NULL);
	ok(desk_look(&desk, "http://h4.example/39").due < T0 + 10 * DAY,
	   "a lower T does not wait for the visit in half a year");
	ok(late <= 1, "with a lower T every page has its place anew, but one that is tried again by back-off");
	ok(desk_look(&desk, "http://h0.example/0").due == failing.due,
	   "a page that is tried again by back-off keeps its time when T is lower");
	desk_release(&desk);
}

/* What comes of a page that is out is decided when it is reported. */
static void leased_pages(void)
{
	const struct prn_due_request request = { T0 + 200 * DAY, 1, 600 };
	struct prn_due_list list;
	char url[256];
	struct look before, after;
	struct desk desk;

	desk_open(&desk, NULL, 1e6);
	fill(&desk, 50);
	prn_due_list_init(&list);
	must(!prn_decider_due(desk.decider, &request, &list, NULL) && list.count == 1, "lease a page");
	snprintf(url, sizeof url, "%s", list.items[0].url);
	prn_due_list_release(&list);
	before = desk_look(&desk, url);
	tune(&desk, 50, true);
	after = desk_look(&desk, url);
	ok(before.lease == T0 + 200 * DAY + 600 && after.lease == before.lease, "a page that is out on lease stays out when T is lowered");
	ok(before.due > T0 + 100 * DAY && after.due == before.due, "a page that is out on lease keeps its time when T is lowered");
	desk_release(&desk);
}

static void retired_pages(void)
{
	struct prn_tuning before, after;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	fill(&desk, 50);
	before = tune(&desk, 10, false);
	for (int i = 0; i < 3; i++)
		desk_status(&desk, "http://h0.example/0", T0 + (10 + i) * DAY, 404);
	prn_decider_commit(desk.decider, NULL);
	after = tune(&desk, 10, false);
	ok(before.pages == 50 && after.pages == 49, "a threshold is found over all pages but those that are retired");
	ok(after.threshold < before.threshold, "pages that are retired cost nothing of a budget");
	desk_release(&desk);
}

/* Returns how many pages are handed out at a time. */
static size_t hand_out(struct desk *desk, int64_t now)
{
	const struct prn_due_request request = { now, 10000, 600 };
	struct prn_due_list list;
	size_t count;

	prn_due_list_init(&list);
	must(!prn_decider_due(desk->decider, &request, &list, NULL), "hand out");
	count = list.count;
	prn_due_list_release(&list);
	must(!prn_decider_release_all(desk->decider, PRN_RELEASE_ALL, NULL, now, NULL, NULL), "release");
	return count;
}

static struct prn_tuning tune_none(struct desk *desk, bool apply)
{
	const struct prn_tuning_request none = { .apply = apply, .none = true };
	struct prn_tuning tuning;

	must(!prn_decider_tune(desk->decider, &none, &tuning, NULL), "tune to no budget");
	return tuning;
}

/* What is learned while there is no budget counts when there is one again. */
static void no_budget(void)
{
	struct prn_tuning found, again;
	struct prn_stats stats;
	struct desk desk;
	int64_t now = T0 + 300 * DAY;
	size_t due;

	desk_open(&desk, NULL, 0);
	desk.options.host_share = 1;
	desk_reopen(&desk);
	fill(&desk, 50);
	must(tune(&desk, 24, true).result == PRN_TUNING_MET, "set a budget");
	due = hand_out(&desk, now);
	ok(due < 10, "under a budget few of 50 pages are handed out at once: %zu", due);
	found = tune_none(&desk, false);
	ok(prn_decider_budget(desk.decider) > 0, "that there is to be no budget is not applied unasked");
	again = tune_none(&desk, true);
	ok(again.result == PRN_TUNING_NONE, "to have no budget is a result of its own");
	near(again.threshold, prn_decider_threshold(desk.decider), 0, "without a budget the threshold stays");
	near(again.threshold, found.threshold_before, 0, "the threshold that stays is the one that was there");
	near(again.budget_per_day, 0, 0, "no budget is a budget of 0");
	due = hand_out(&desk, now + 30);
	ok(due == 50, "who takes a budget away has all that is due handed out at once: %zu of 50", due);
	desk_reopen(&desk);
	near(prn_decider_budget(desk.decider), 0, 0, "a store whose budget was taken away has none when it is opened again");
	near(prn_decider_threshold(desk.decider), again.threshold, 0, "a store whose budget was taken away keeps its threshold when it is opened again");
	due = hand_out(&desk, now + 60);
	ok(due == 50, "without a budget all that is due is handed out at once: %zu of 50", due);
	must(!prn_decider_load(desk.decider, &stats.load_per_day, NULL), "load");
	near(again.load_per_day, stats.load_per_day, 1e-9, "tuning without a budget tells what pages want");
	fill(&desk, 300);
	must(tune(&desk, 24, true).result == PRN_TUNING_MET, "set a budget again");
	due = hand_out(&desk, now + 120);
	ok(due == 1, "a budget that is set again begins anew, and not with what the one before had left: %zu", due);
	for (int64_t hour = 1; hour <= 8; hour++) /* every shard is asked */
		hand_out(&desk, now + hour * HOUR);
	must(!prn_decider_stats(desk.decider, now + 9 * HOUR, &stats, NULL), "stats");
	must(!prn_decider_load(desk.decider, &found.load_per_day, NULL), "load");
	near(stats.load_per_day / found.load_per_day, 1, 0.05, "pages that were added while there was no budget count when there is one again");
	desk_release(&desk);
}

static void bytes_to_none(void)
{
	const struct prn_tuning_request bytes = { .budget = { 1e6, PRN_UNIT_BYTES }, .apply = true };
	struct prn_tuning tuning;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	fill(&desk, 20);
	must(!prn_decider_tune(desk.decider, &bytes, &tuning, NULL) && prn_decider_unit(desk.decider) == PRN_UNIT_BYTES, "a budget in bytes");
	ok(tune_none(&desk, true).unit == PRN_UNIT_VISITS, "a store whose budget in bytes is taken away counts visits");
	desk_reopen(&desk);
	ok(prn_decider_unit(desk.decider) == PRN_UNIT_VISITS, "a store whose budget in bytes was taken away counts visits when it is opened again");
	desk_release(&desk);
	desk_open(&desk, NULL, 0);
	ok(tune_none(&desk, true).pages == 0, "a store without pages and without a budget may be told to have none");
	desk_release(&desk);
}

static void refusals(void)
{
	struct prn_tuning tuning;
	struct prn_decider *reader;
	struct prn_error error = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	ok(prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 10, PRN_UNIT_VISITS } }, &tuning, &error) == PRN_E_NOT_FOUND,
	   "a store without pages cannot be tuned: %s", error.text);
	ok(prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 0, PRN_UNIT_VISITS } }, &tuning, &error) == PRN_E_ARGUMENT,
	   "a budget of 0 is refused: %s", error.text);
	must(!prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, &error), "open for reading");
	ok(prn_decider_tune(reader, &(struct prn_tuning_request){ .budget = { 10, PRN_UNIT_VISITS }, .apply = true }, &tuning, &error) == PRN_E_ARGUMENT,
	   "a decider opened for reading does not apply a threshold: %s", error.text);
	prn_decider_free(reader);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	budgets("drift");
	budgets("cgm");
	budgets("curve-fitting:history=1");
	budgets("uniform");
	random_draws();
	bounds();
	a_lower_threshold();
	leased_pages();
	retired_pages();
	no_budget();
	bytes_to_none();
	refusals();
	return done();
}
