/* A budget is kept at whatever rhythm it is asked for: day by day, from a store of new pages on. */
#include "perennial/due.h"

#include "desk.h"

#include "base/random.h"

#include <math.h>

#define CALLS 12000
#define HOSTS 10

static struct prn_due_list list;

/* Calls, and what each was given. */
struct calls {
	int64_t times[CALLS];
	double given[CALLS];
	size_t count;
	double lowest, highest; /* thresholds, in the last week */
};

static void open_paced(struct desk *desk, const char *policy, double budget_per_day)
{
	static unsigned number;
	const struct prn_decider_settings settings = { .policy = policy, .budget_per_day = budget_per_day };

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "memory:rhythm-%u", number++);
	desk_create(desk, &settings);
}

/* Pages of which the first changes four times a day, the last once a month. */
static void bring(struct desk *desk, unsigned pages, int64_t now)
{
	for (size_t i = 0; i < list.count; i++) {
		const char *url = list.items[i].url;
		unsigned page = (unsigned)strtoul(strrchr(url, '/') + 1, NULL, 10) * HOSTS + (unsigned)(url[8] - '0');
		double every = (double)DAY / 4 * pow(120, (double)page / pages);

		desk_text(desk, url, now + 1, text_from(1000 * page + 3 * (unsigned)((double)(now - T0) / every)));
	}
}

/* Calls every so many seconds, more or less by a share of it. */
static void run(struct calls *calls, const char *policy, unsigned pages, double budget, double every, double jitter, int days)
{
	struct prn_random random;
	struct desk desk;
	char host[32];

	prn_random_seed(&random, 11, 0);
	open_paced(&desk, policy, budget);
	for (unsigned i = 0; i < HOSTS; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, pages / HOSTS);
	}
	*calls = (struct calls){ .lowest = INFINITY };
	for (double time = 0; time < (double)days * (double)DAY && calls->count < CALLS;
	     time += every * (1 + jitter * (2 * prn_random_unit(&random) - 1))) {
		int64_t now = T0 + (int64_t)time;
		double threshold;

		calls->times[calls->count] = now;
		calls->given[calls->count++] = (double)desk_due(&desk, &list, now, 100000, HOUR);
		bring(&desk, pages, now);
		threshold = prn_decider_threshold(desk.decider);
		if (now >= T0 + (days - 7) * DAY) {
			calls->lowest = fmin(calls->lowest, threshold);
			calls->highest = fmax(calls->highest, threshold);
		}
	}
	desk_release(&desk);
}

/* The least and the most within a day that begins with a call, from a time on, as shares of the budget. */
static void extremes(const struct calls *calls, double budget, int64_t from, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t i = 0; i < calls->count; i++) {
		double sum = 0;

		if (calls->times[i] < from || calls->times[i] + DAY > calls->times[calls->count - 1])
			continue;
		for (size_t j = i; j < calls->count && calls->times[j] < calls->times[i] + DAY; j++)
			sum += calls->given[j] / budget;
		*least = fmin(*least, sum);
		*most = fmax(*most, sum);
	}
}

static double mean_of(const struct calls *calls, double budget)
{
	double sum = 0;

	for (size_t i = 1; i < calls->count; i++)
		sum += calls->given[i];
	return sum / budget / ((double)(calls->times[calls->count - 1] - calls->times[0]) / (double)DAY);
}

/* A new store first has more than enough to give, then what was first visited in a few days becomes due in some, and not in others. */
static void regular(void)
{
	static const struct {
		const char *policy;
		unsigned pages;
		double budget, every_h;
		int from, days; /* a budget of two visits a page and day is met once something is known of them */
	} cases[] = { { NULL, 300, 100, 1.0 / 60, 0, 8 },     { NULL, 1500, 240, 1.0 / 6, 0, 24 }, { NULL, 1500, 240, 1, 0, 24 },
		      { NULL, 1500, 240, 4, 0, 24 },          { NULL, 1500, 240, 6, 0, 40 },       { NULL, 1500, 240, 12, 0, 24 },
		      { NULL, 1500, 240, 24, 0, 40 },         { NULL, 4000, 1500, 6, 0, 16 },      { NULL, 400, 800, 6, 2, 16 },
		      { NULL, 200, 20, 6, 0, 40 },            { "cgm", 1500, 240, 6, 0, 24 },      { "curve-fitting", 1500, 240, 6, 0, 24 },
		      { "bound-based", 1500, 240, 6, 0, 24 }, { "uniform", 1500, 240, 24, 0, 24 } };
	static struct calls calls;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *policy = cases[i].policy ? cases[i].policy : "drift";
		double least, most;

		run(&calls, cases[i].policy, cases[i].pages, cases[i].budget, cases[i].every_h * (double)HOUR, 0, cases[i].days);
		/* It begins with an hour's, and what it gives first is that of a day from the second call on. */
		extremes(&calls, cases[i].budget, T0 + cases[i].from * DAY + 1, &least, &most);
		ok(least >= 0.95, "%s, %u pages, asked every %.3g hours: no day has less than 95%% of a budget of %g (%.3f)", policy,
		   cases[i].pages, cases[i].every_h, cases[i].budget, least);
		ok(most <= 1.05, "%s, %u pages, asked every %.3g hours: no day has more than 105%% of a budget of %g (%.3f)", policy,
		   cases[i].pages, cases[i].every_h, cases[i].budget, most);
	}
}

/*
 * Calls that come at no regular times: what has accrued is given, so that nothing of the budget is lost, and a day that begins
 * with a call has that call's beside its own.
 */
static void irregular(void)
{
	static const struct {
		double every_h, jitter, least; /* of the budget, in the mean: what half a day and more without a call left is not all made up for */
	} cases[] = { { 1, 0.5, 0.98 }, { 4, 0.5, 0.98 }, { 6, 0.02, 0.98 }, { 6, 0.5, 0.98 }, { 8, 0.7, 0.95 }, { 12, 0.04, 0.97 } };
	static struct calls calls;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double longest = cases[i].every_h * (1 + cases[i].jitter) / 24, least, most, mean;

		run(&calls, NULL, 1500, 240, cases[i].every_h * (double)HOUR, cases[i].jitter, 40);
		extremes(&calls, 240, T0 + 1, &least, &most);
		mean = mean_of(&calls, 240);
		ok(mean >= cases[i].least && mean <= 1.01, "asked every %g hours, more or less by %g%%: the budget is spent (%.3f of it)",
		   cases[i].every_h, 100 * cases[i].jitter, mean);
		ok(most <= 1.03 + longest, "asked every %g hours, more or less by %g%%: no day has more than its own and one call's (%.3f)",
		   cases[i].every_h, 100 * cases[i].jitter, most);
	}
}

/* The threshold does not go up and down from call to call: without that, a call finds nothing due, and the next one too much. */
static void thresholds(void)
{
	static struct calls calls;

	run(&calls, NULL, 1500, 240, 6 * (double)HOUR, 0.2, 40);
	ok(calls.highest < 1.5 * calls.lowest, "in a week the threshold stays within a factor of 1.5: %g to %g", calls.lowest,
	   calls.highest);
}

/* Who asks often: a day is a day, whatever was not asked for before. */
static void often(void)
{
	static struct calls calls;
	struct prn_random random;
	struct desk desk;
	double most, least;
	int64_t now = T0;

	prn_random_seed(&random, 5, 0);
	open_paced(&desk, NULL, 100);
	desk_add_pages(&desk, "h0.example", 3000);
	calls = (struct calls){ 0 };
	while (now < T0 + 20 * DAY) {
		/* Some ask for few, and for some hours of some days all ask for none. */
		bool idle = (now - T0) % (2 * DAY) < 9 * HOUR;

		calls.times[calls.count] = now;
		calls.given[calls.count++] = (double)desk_due(&desk, &list, now, idle ? 0 : 1 + (size_t)prn_random_below(&random, 20), HOUR);
		if (prn_random_unit(&random) < 0.01)
			desk_reopen(&desk);
		now += 60 + (int64_t)prn_random_below(&random, 10 * MINUTE);
	}
	extremes(&calls, 100, T0, &least, &most);
	ok(most <= 1.05, "who asks every few minutes is given no more than 105%% of a budget within 24 hours (%.3f)", most);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	prn_due_list_init(&list);
	regular();
	irregular();
	thresholds();
	often();
	prn_due_list_release(&list);
	return done();
}
