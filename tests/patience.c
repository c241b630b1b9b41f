/* Pages that fail: when each is tried again, and what many of them take of a budget. */
#include "perennial/due.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#include "desk.h"

#include "decide/patience.h"

#include <math.h>

#define OLD "http://old.example/" /* was fetched before */
#define NEW "http://new.example/" /* never answered */

/* With T = .25 and drift's prior of α/β = .15/12 a day: where the line W a t²/2 reaches T. */
static const double prior_days = 6.3245553203;

/* The delay after as many failures in a row, the last of them at T0 + 400 days; in days. */
static double delay_after(struct desk *desk, const char *url, unsigned failures)
{
	int64_t now = T0 + 400 * DAY;

	for (unsigned i = 0; i < failures; i++)
		desk_status(desk, url, now - (int64_t)(failures - 1 - i) * HOUR, 500);
	return (double)(desk->outcome.next - now) / DAY;
}

static double delay_of(const char *url, unsigned failures)
{
	struct desk desk;
	double days;

	desk_open(&desk, "drift", 0.25);
	if (!strcmp(url, OLD)) {
		desk_text(&desk, url, T0, text_from(0));
		desk_text(&desk, url, T0 + 10 * DAY, text_from(20));
	}
	days = delay_after(&desk, url, failures);
	desk_release(&desk);
	return days;
}

static double interval_of_old(void)
{
	struct desk desk;
	double days;

	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, OLD, T0, text_from(0));
	desk_text(&desk, OLD, T0 + 10 * DAY, text_from(20));
	days = desk.outcome.period_s / DAY;
	desk_release(&desk);
	return days;
}

static void tries_again(void)
{
	double interval = interval_of_old();

	for (unsigned i = 0; i < 3; i++) {
		near(delay_of(OLD, i + 1), (1u << i) / 24.0, 1e-9, "a page that was fetched before is tried again after %u hours after failure %u in a row", 1u << i, i + 1);
		near(delay_of(NEW, i + 1), (1u << i) / 24.0, 1e-9, "and so is one that never answered: %u hours after failure %u", 1u << i, i + 1);
	}
	near(delay_of(OLD, 4), interval, 1e-4, "a page that was fetched before waits for its interval after the fourth");
	near(delay_of(OLD, 5), 2 * interval, 1e-4, "for twice its interval after the fifth");
	near(delay_of(OLD, 15), 12 * interval, 1e-4, "for twelve times its interval after the fifteenth");
	near(delay_of(OLD, 40), 12 * interval, 1e-4, "and no longer after the fortieth");
	near(delay_of(NEW, 4), prior_days, 1e-4, "a page that never answered waits for the interval of one of which nothing is known after the fourth");
	near(delay_of(NEW, 5), 2 * prior_days, 1e-4, "for twice that after the fifth");
	near(delay_of(NEW, 12), 2048 / 24.0, 1e-9, "where doubling from an hour on is longer, for that: after the twelfth");
	near(delay_of(NEW, 15), 180, 1e-9, "and no longer than 180 days after the fifteenth");
}

/* Of one that never answered it is the interval in which a budget pays for all pages, where that is longer. */
static void waits_for_budget(void)
{
	const struct prn_decider_settings settings = { .policy = "curve-fitting", .budget_per_day = 4, .shards = desk_shards() };
	struct desk desk = { 0 };
	double days;

	snprintf(desk.path, sizeof desk.path, "memory:waits");
	desk_create(&desk, &settings);
	for (unsigned i = 0; i < 200; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 1);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_names(&desk, T0, 100, 60);
	near(delay_after(&desk, "http://h7.example/0", 1), 1 / 24.0, 1e-9, "where there is a budget, a page that never answered is tried again quickly once");
	desk_status(&desk, "http://h7.example/0", T0 + 401 * DAY, 500);
	days = (double)(desk.outcome.next - T0 - 401 * DAY) / DAY;
	/* A shard that was not asked yet has counted no pages. */
	ok(days > (desk_shards() ? 6 : 45) && days < 65, "where 4 visits a day are for 200 pages, it waits for 50 days after its second failure: %.1f", days);
	desk_release(&desk);
}

/* A list that is added each day has dead pages. */
static void added_again(void)
{
	enum prn_added added;
	struct desk desk;
	unsigned tries = 0, first = 0;

	desk_open(&desk, "drift", 0.25);
	must(!prn_decider_add(desk.decider, NEW, 1, T0, &added, NULL) && added == PRN_ADDED_NEW, "add a page");
	while (desk_status(&desk, NEW, T0 + first * DAY, 404) != PRN_OUTCOME_RETIRED && first < 20)
		first++;
	ok(first + 1 == desk.options.retire_after, "a page is retired after as many answers of 404 as it takes: %u", first + 1);
	for (int64_t day = 20; day < 30; day++) {
		must(!prn_decider_add(desk.decider, NEW, 1, T0 + day * DAY, &added, NULL) && added == PRN_ADDED_REVIVED, "add it again");
		ok(desk_look(&desk, NEW).due == T0 + day * DAY, "it is to be visited at once when it is added again on day %d", (int)day);
		do
			tries++;
		while (desk_status(&desk, NEW, T0 + day * DAY + tries, 404) != PRN_OUTCOME_RETIRED && tries < 100);
	}
	ok(tries == 10, "and is retired by its next 404: %u in ten days", tries);
	must(!prn_decider_add(desk.decider, NEW, 1, T0 + 30 * DAY, &added, NULL), "add it again");
	desk_text(&desk, NEW, T0 + 30 * DAY, text_from(1));
	for (first = 0; desk_status(&desk, NEW, T0 + (31 + first) * DAY, 404) != PRN_OUTCOME_RETIRED && first < 20;)
		first++;
	ok(first + 1 == desk.options.retire_after, "if it answers it has as many tries as any: %u", first + 1);
	desk_release(&desk);
}

/* A host that wants fewer requests says nothing of its page, for five days. */
static void refusals(void)
{
	struct desk desk;
	int64_t now = T0;

	desk_open(&desk, "drift", 0.25);
	for (unsigned i = 1; i <= 7; i++) {
		desk_status(&desk, NEW, now, 429);
		near((double)(desk.outcome.next - now) / HOUR, 1u << (i - 1), 1e-9, "a page that its host refuses is tried again %u hours after refusal %u", 1u << (i - 1), i);
		now = desk.outcome.next;
	}
	desk_status(&desk, NEW, now, 429);
	near((double)(desk.outcome.next - now) / DAY, 5 * prior_days, 1e-4, "after the eighth it waits as any other that never answered");
	desk_release(&desk);
}

/* Three answers of 404 or 410 retire a page, whatever came before, but not within a day. */
static void retires(void)
{
	struct desk desk;
	int64_t now = T0;

	desk_open(&desk, "drift", 0.25);
	for (unsigned i = 0; i < 3; i++, now = desk.outcome.next)
		desk_status(&desk, NEW, now, 500);
	for (unsigned i = 0; i < 3; i++, now = desk.outcome.next) {
		desk_status(&desk, NEW, now, 404);
		if (!i)
			ok(desk.outcome.next == now + 8 * HOUR, "a page that is said to be gone after three failures does not wait for its interval: %.2f h", (double)(desk.outcome.next - now) / HOUR);
	}
	ok(desk_look(&desk, NEW).status == PRN_PAGE_RETIRED, "three answers of 404 after three failures retire a page");
	ok(desk.outcome.next == PRN_TIME_UNKNOWN, "for good");
	desk_release(&desk);
	desk_open(&desk, "drift", 0.25);
	desk_status(&desk, NEW, T0, 404);
	ok(desk.outcome.next == T0 + HOUR, "a page that is said to be gone is tried again an hour later");
	desk_status(&desk, NEW, T0 + HOUR, 404);
	ok(desk.outcome.next == T0 + HOUR + DAY, "and before it is retired, a day later");
	desk_text(&desk, NEW, T0 + HOUR + DAY, text_from(0));
	ok(desk_look(&desk, NEW).status == PRN_PAGE_LIVE, "so an outage of a day retires none");
	desk_release(&desk);
	desk_open(&desk, "drift", 0.25);
	desk_status(&desk, OLD, T0, 404);
	desk_status(&desk, OLD, T0 + HOUR, 404);
	must(*desk_names(&desk, desk.outcome.next, 1, 600) == 0, "a URL that ends in a slash is given");
	desk_names(&desk, desk.outcome.next + HOUR, 1, 600);
	must(desk_look(&desk, OLD).failures == 3, "a lease runs out");
	desk_status(&desk, OLD, desk.outcome.next + 9 * HOUR, 404);
	ok(desk_look(&desk, OLD).status == PRN_PAGE_RETIRED, "a lease that ran out among them says nothing of whether the page is gone");
	desk_release(&desk);
	desk_open(&desk, "drift", 0.25);
	desk_status(&desk, NEW, T0, 404);
	ok(delay_after(&desk, NEW, 6) > 2 * prior_days - 1e-4, "one such answer among other failures is no excuse for more visits");
	desk_release(&desk);
}

/* A page that answers is as it was before. */
static void forgives(void)
{
	struct desk desk;
	double interval = interval_of_old();

	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, OLD, T0, text_from(0));
	desk_text(&desk, OLD, T0 + 10 * DAY, text_from(20));
	for (unsigned i = 0; i < 9; i++)
		desk_status(&desk, OLD, T0 + 11 * DAY + i, 500);
	desk_answer(&desk, status_of(OLD, T0 + 12 * DAY, 304));
	ok(desk.outcome.period_s < 1.5 * interval * DAY, "a page that answers again waits for its interval, whatever it failed before: %.1f of %.1f days",
	   desk.outcome.period_s / DAY, interval);
	ok(fabs(delay_after(&desk, OLD, 1) - 1 / 24.0) < 1e-9, "and is tried again an hour after its next failure");
	desk_release(&desk);
}

/* Answers the page as often as many times, each after a failure. */
static void trouble(struct desk *desk, unsigned times, int status)
{
	for (unsigned i = 0; i < times; i++) {
		int64_t now = T0 + (11 + i) * DAY;

		desk_status(desk, OLD, now, status);
		desk_text(desk, OLD, now + HOUR, text_from(20));
	}
}

/* A page that often fails before it answers has fewer quick retries. */
static void learns_trouble(void)
{
	static const double quick[][3] = { { 1, 2, 4 }, { 1, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };

	for (unsigned times = 0; times < 6; times++)
		for (unsigned failures = 1; failures <= 3; failures++) {
			struct desk desk;
			double days;

			desk_open(&desk, "drift", 0.25);
			desk_text(&desk, OLD, T0, text_from(0));
			trouble(&desk, times, 500);
			days = delay_after(&desk, OLD, failures);
			if (quick[times][failures - 1] > 0)
				near(days * 24, quick[times][failures - 1], 1e-9, "a page of which %u answers came after failures is tried again quickly after its failure %u", times, failures);
			else
				ok(days > 1, "a page of which the last %u answers came after failures is not tried again quickly after its failure %u: but after %.1f days", times, failures, days);
			desk_release(&desk);
		}
}

/* Nor is one that is gone and back by turns; and one that has answered for long is trusted again. */
static void learns_gone(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, OLD, T0, text_from(0));
	trouble(&desk, 6, 404);
	desk_status(&desk, OLD, T0 + 30 * DAY, 404);
	ok(desk.outcome.next > T0 + 31 * DAY, "a page that is gone and back by turns is not tried again quickly");
	for (unsigned i = 0; i < 8; i++)
		desk_text(&desk, OLD, T0 + (40 + i) * DAY, text_from(20));
	near(delay_after(&desk, OLD, 2) * 24, 2, 1e-9, "one that has answered at once eight times is");
	desk_release(&desk);
	desk_open(&desk, "drift", 0.25);
	for (unsigned i = 0; i < 4; i++)
		desk_text(&desk, OLD, T0 + i * DAY, text_from(20));
	trouble(&desk, 1, 500);
	near(delay_after(&desk, OLD, 2) * 24, 2, 1e-9, "nor is one outage held against a page that had always answered");
	desk_release(&desk);
}

/* A report that comes late is that of the lease that ran out. */
static void late_reports(void)
{
	struct desk desk;
	int64_t now;

	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, OLD, T0, text_from(0));
	delay_after(&desk, OLD, 6);
	now = desk_look(&desk, OLD).due;
	must(*desk_names(&desk, now, 1, 600) == 0, "a URL that ends in a slash is given");
	desk_names(&desk, now + 700, 1, 600);
	ok(desk_look(&desk, OLD).failures == 7, "a lease that ran out is a failure");
	desk.clock = now + 800;
	desk_status(&desk, OLD, now + 300, 500);
	ok(desk_look(&desk, OLD).failures == 7, "an error of before the lease ran out that is reported late is the same failure");
	desk_status(&desk, OLD, now + 750, 500);
	ok(desk_look(&desk, OLD).failures == 8, "an error of a fetch that nobody asked for is another");
	desk_release(&desk);
}

static double load_of(struct desk *desk)
{
	double per_day = NAN;

	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_load(desk->decider, &per_day, NULL), "measure the load");
	return per_day;
}

static void loads(void)
{
	struct prn_tuning tuning;
	struct desk desk;
	double before;

	desk_open(&desk, "drift", 0.25);
	desk_add_pages(&desk, "new.example", 1);
	near(load_of(&desk), 1 / prior_days, 1e-6, "a new page is a load of a visit in its interval");
	delay_after(&desk, "http://new.example/0", 1);
	near(load_of(&desk), 1 / prior_days, 1e-6, "after a failure too");
	desk_status(&desk, "http://new.example/0", T0 + 401 * DAY, 500);
	near(load_of(&desk), 0, 1e-9, "after the second it is none: it is not the threshold that brings it back");
	desk_release(&desk);
	desk_open(&desk, "drift", 0.25);
	desk_text(&desk, OLD, T0, text_from(0));
	desk_text(&desk, OLD, T0 + 10 * DAY, text_from(20));
	before = load_of(&desk);
	delay_after(&desk, OLD, 3);
	near(load_of(&desk), before, 1e-9, "a page that was fetched before is as much of a load after three failures");
	for (unsigned i = 1; i < 6; i++)
		desk_status(&desk, OLD, T0 + 400 * DAY + i * HOUR, 500);
	near(load_of(&desk) / (before / 5), 1, 1e-5, "after eight, of a visit in five of its intervals");
	must(!prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 0.01, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	ok(fabs(tuning.load_per_day / 0.01 - 1) < 0.02, "a threshold for a budget counts it so: %.4f", tuning.load_per_day);
	desk_release(&desk);
}

/* What is kept up with every change counts pages that fail as a pass over them does. */
static void kept_loads(void)
{
	const struct prn_decider_settings settings = { .policy = "drift", .budget_per_day = 12, .shards = 0 };
	struct desk desk = { 0 };
	struct prn_stats stats;
	double before, after;

	snprintf(desk.path, sizeof desk.path, "memory:kept-loads");
	desk_create(&desk, &settings);
	for (unsigned i = 0; i < 20; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		desk_text(&desk, url, T0, text_from(100 * i));
		desk_text(&desk, url, T0 + 10 * DAY, text_from(100 * i + i));
	}
	desk_names(&desk, T0 + 10 * DAY, 1, 60);
	before = load_of(&desk);
	for (unsigned i = 0; i < 20; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		delay_after(&desk, url, 9);
	}
	after = load_of(&desk);
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_stats(desk.decider, T0 + 400 * DAY, &stats, NULL), "stats");
	ok(after < before / 4 && fabs(stats.load_per_day / after - 1) < 0.1, "stats tell of pages that fail what a pass finds: %.3f, %.3f, and before they failed %.3f",
	   stats.load_per_day, after, before);
	desk_release(&desk);
}

/* The value of a page that never answered, from when its time comes. */
static void values(void)
{
	static const char *const policies[] = { "drift", "cgm", "uniform" };
	static const double thresholds[] = { 1e-4, 0.25, 100 };
	struct prn_due_list list;

	prn_due_list_init(&list);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++) {
			struct desk desk;

			desk_open(&desk, policies[i], thresholds[j]);
			delay_after(&desk, NEW, 2 + 4 * (unsigned)j);
			desk_due(&desk, &list, desk.outcome.next, 1, HOUR);
			must(list.count == 1, "a page is due");
			ok(fabs(list.items[0].value / thresholds[j] - 1) < 1e-3,
			   "%s: a page that never answered is worth the threshold of %g when its time comes after %u failures: %g", policies[i],
			   thresholds[j], 2 + 4 * (unsigned)j, list.items[0].value);
			desk_release(&desk);
		}
	prn_due_list_release(&list);
}

/* A fetcher that is away for hours costs new pages hours. */
static void lost_leases(void)
{
	struct desk desk;
	int64_t now = T0;

	desk_open(&desk, "drift", 10);
	desk_add_pages(&desk, "a.example", 100);
	for (; now < T0 + 5 * HOUR; now += HOUR)
		desk_names(&desk, now, 200, 600);
	for (unsigned i = 0; i < 100; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%u", i);
		if (desk_look(&desk, url).due > T0 + 14 * HOUR)
			ok(false, "%s waits for more than nine hours after a fetcher that was away for five", url);
	}
	ok(desk_look(&desk, "http://a.example/0").failures >= 2, "leases run out while a fetcher is away for five hours");
	desk_release(&desk);
}

#define EACH 60

struct shares {
	unsigned dead, live; /* given in the second half … */
	unsigned days;       /* … of so many days */
};

/* How the other half fails. */
enum failing {
	FAILS_ALWAYS,
	FAILS_UNREPORTED, /* its leases run out */
	FAILS_LATER,      /* it is gone after three weeks */
	FAILS_GONE,       /* one answer of 404, and then leases run out */
	FAILS_MOSTLY,     /* three times, and then answers once */
	FAILS_BY_TURNS,   /* gone, and back */
	FAILINGS
};

/* Answers one URL: half of all hosts fail, and each page of the others gains some words every day. */
static void answer(struct desk *desk, const char *url, int64_t now, enum failing failing)
{
	bool dead = strstr(url, "//dead") && !(failing == FAILS_LATER && now < T0 + 21 * DAY);
	unsigned number, day = (unsigned)((now - T0) / DAY), failures = failing >= FAILS_MOSTLY ? desk_look(desk, url).failures : 0;

	must(sscanf(url, "http://%*4[a-z]%u.", &number) == 1, "a page of ours");
	if (failures >= (failing == FAILS_MOSTLY ? 3 : 1))
		dead = false;
	if (dead && (failing == FAILS_UNREPORTED || (failing == FAILS_GONE && desk_look(desk, url).failures)))
		return;
	if (dead)
		desk_status(desk, url, now, failing == FAILS_GONE || failing == FAILS_BY_TURNS ? 404 : 502);
	else
		desk_text(desk, url, now, text_from(1000 * number + day * (1 + number % 5) / 3));
}

static struct shares live_with(const char *policy, double budget_per_day, enum failing failing)
{
	const struct prn_decider_settings settings = { .policy = policy, .budget_per_day = budget_per_day, .shards = desk_shards() };
	const unsigned days = budget_per_day < 2 ? 480 : budget_per_day < 10 || failing >= FAILS_MOSTLY ? 240 : 120;
	struct prn_due_list list;
	struct shares shares = { .days = days / 2 };
	enum prn_added added;
	struct desk desk = { 0 };
	static unsigned number;

	snprintf(desk.path, sizeof desk.path, "memory:patience-%u", number++);
	desk_create(&desk, &settings);
	for (unsigned i = 0; i < 2 * EACH; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://%s%u.example/", i % 2 ? "dead" : "live", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add a page");
	}
	prn_due_list_init(&list);
	for (int64_t now = T0; now < T0 + days * DAY; now += 6 * HOUR) {
		desk_due(&desk, &list, now, 100, HOUR);
		for (size_t i = 0; i < list.count; i++) {
			if (now >= T0 + (days - shares.days) * DAY)
				*(strstr(list.items[i].url, "//dead") ? &shares.dead : &shares.live) += 1;
			answer(&desk, list.items[i].url, now + 1 + (int64_t)i, failing);
		}
	}
	prn_due_list_release(&list);
	desk_release(&desk);
	return shares;
}

/* Half of a list of URLs may be dead.  Before, they took all of a budget: they were tried once a week, and came first. */
static void dead_half(void)
{
	static const char *const names[FAILINGS] = { "never answer", "never come back", "are gone after three weeks", "answer 404 once, and never again",
		                                     "answer every fourth time", "are gone and back by turns" };
	static const struct {
		const char *policy;
		double budget;
		double dead;    /* the most that they may take where they do not come back … */
		double failing; /* … and where they do, of which the others have as much; 0: this takes longer than the test */
	} cases[] = { { "drift", 12, 0.25, 0.6 }, { "cgm", 12, 0.3, 0.6 }, { "curve-fitting", 12, 0.4, 0.6 }, { "bound-based", 12, 0.4, 0.66 },
		      { "drift", 3, 0.45, 0.6 }, { "cgm", 3, 0.45, 0 }, { "curve-fitting", 3, 0.45, 0 }, { "lambdacrawl", 3, 0.45, 0 },
		      /* All pages once take four months, and the longest interval is six: there is little to be shared. */
		      { "drift", 1, 0.8, 0 }, { "cgm", 1, 0.8, 0 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int failing = 0; failing < FAILINGS; failing++) {
			double most = failing < FAILS_MOSTLY ? cases[i].dead : cases[i].failing;
			struct shares shares;
			unsigned all;

			if (most <= 0)
				continue;
			shares = live_with(cases[i].policy, cases[i].budget, (enum failing)failing);
			all = shares.dead + shares.live;
			ok(shares.dead <= most * all && all >= 0.7 * cases[i].budget * shares.days,
			   "%s with %g visits a day: half of the pages %s, and take in the end no more than %g of it: %u of %u", cases[i].policy,
			   cases[i].budget, names[failing], most, shares.dead, all);
		}
}

int main(void)
{
	make_scratch();
	tries_again();
	waits_for_budget();
	added_again();
	refusals();
	retires();
	forgives();
	learns_trouble();
	learns_gone();
	late_reports();
	loads();
	kept_loads();
	values();
	lost_leases();
	dead_half();
	return done();
}
