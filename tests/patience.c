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

	near(delay_of(OLD, 1), 1 / 24.0, 1e-9, "a page that was fetched before is tried again an hour after its first failure");
	near(delay_of(OLD, 2), 2 / 24.0, 1e-9, "two hours after the second");
	near(delay_of(OLD, 3), 4 / 24.0, 1e-9, "four hours after the third");
	near(delay_of(OLD, 4), interval, 1e-4, "after its interval after the fourth");
	near(delay_of(OLD, 5), 2 * interval, 1e-4, "after twice its interval after the fifth");
	near(delay_of(OLD, 15), 12 * interval, 1e-4, "after twelve times its interval after the fifteenth");
	near(delay_of(OLD, 40), 12 * interval, 1e-4, "and no longer after the fortieth");
	near(delay_of(NEW, 1), 1 / 24.0, 1e-9, "a page that never answered is tried again an hour after its first failure");
	near(delay_of(NEW, 2), prior_days, 1e-4, "after the interval of a page of which nothing is known after the second");
	near(delay_of(NEW, 3), 2 * prior_days, 1e-4, "after twice that after the third");
	near(delay_of(NEW, 10), 9 * prior_days, 1e-4, "after nine times that after the tenth");
	near(delay_of(NEW, 12), 2048 / 24.0, 1e-9, "where doubling from an hour on is longer, that counts: after the twelfth");
	near(delay_of(NEW, 15), 180, 1e-9, "and no more than 180 days after the fifteenth");
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
	near((double)(desk.outcome.next - now) / DAY, 7 * prior_days, 1e-4, "after the eighth it waits as any other that never answered");
	desk_release(&desk);
}

/* Three answers of 404 or 410 retire a page within hours. */
static void retires(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	desk_status(&desk, NEW, T0, 404);
	desk_status(&desk, NEW, T0 + HOUR, 404);
	ok(desk.outcome.next == T0 + 3 * HOUR, "a page that never answered and is said to be gone twice is tried again two hours later");
	desk_status(&desk, NEW, T0 + 3 * HOUR, 404);
	ok(desk_look(&desk, NEW).status == PRN_PAGE_RETIRED, "and retired the third time");
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
	before = load_of(&desk);
	near(before, 1 / prior_days, 1e-6, "a new page is a load of a visit in its interval");
	desk_status(&desk, "http://new.example/0", T0 + 1, 500);
	near(load_of(&desk), before, 1e-9, "after one failure too");
	for (unsigned i = 2; i < 7; i++)
		desk_status(&desk, "http://new.example/0", T0 + i, 500);
	near(load_of(&desk), before / 5, 1e-7, "after six failures in a row, of a visit in five intervals");
	must(!prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 0.01, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	ok(fabs(tuning.load_per_day / 0.01 - 1) < 0.02, "a threshold for a budget counts it so: %.4f", tuning.load_per_day);
	desk_text(&desk, "http://new.example/0", T0 + DAY, text_from(0));
	ok(load_of(&desk) > before / 2, "once it answers it is a whole load again");
	desk_release(&desk);
}

/* The value of a page that never answered, when its time comes. */
static void values(void)
{
	static const unsigned failures[] = { 2, 3, 9 };
	struct prn_due_list list;

	prn_due_list_init(&list);
	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
		struct desk desk;

		desk_open(&desk, "drift", 0.25);
		delay_after(&desk, NEW, failures[i]);
		desk_due(&desk, &list, desk.outcome.next, 1, HOUR);
		must(list.count == 1, "a page is due");
		ok(fabs(list.items[0].value / 0.25 - 1) < 1e-3, "a page that failed %u times and never answered is worth the threshold when its time comes: %.4f",
		   failures[i], list.items[0].value);
		desk_release(&desk);
	}
	prn_due_list_release(&list);
}

#define EACH 60
#define DAYS 120
#define HALF 60

struct shares {
	unsigned dead, live, calls; /* given from day HALF on */
};

/* How the other half fails. */
enum failing {
	FAILS_ALWAYS,
	FAILS_UNREPORTED, /* its leases run out */
	FAILS_LATER,      /* it is gone after three weeks */
	FAILINGS
};

/* Answers one URL: half of all hosts fail, and each page of the others gains some words every day. */
static void answer(struct desk *desk, const char *url, int64_t now, enum failing failing)
{
	bool dead = strstr(url, "//dead") && !(failing == FAILS_LATER && now < T0 + 21 * DAY);
	unsigned number, day = (unsigned)((now - T0) / DAY);

	must(sscanf(url, "http://%*4[a-z]%u.", &number) == 1, "a page of ours");
	if (dead && failing == FAILS_UNREPORTED)
		return;
	if (dead)
		desk_status(desk, url, now, 502);
	else
		desk_text(desk, url, now, text_from(1000 * number + day * (1 + number % 5) / 3));
}

static struct shares live_with(const char *policy, enum failing failing)
{
	const struct prn_decider_settings settings = { .policy = policy, .budget_per_day = 12, .shards = desk_shards() };
	struct prn_due_list list;
	struct shares shares = { 0 };
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
	for (int64_t now = T0; now < T0 + DAYS * DAY; now += 6 * HOUR) {
		desk_due(&desk, &list, now, 100, HOUR);
		for (size_t i = 0; i < list.count; i++) {
			if (now >= T0 + HALF * DAY)
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
	static const char *const names[FAILINGS] = { "never answer", "never come back", "are gone after three weeks" };
	/* What the two others decide of a page does not go by a threshold alone. */
	static const struct {
		const char *policy;
		double most;
	} cases[] = { { "drift", 0.25 }, { "cgm", 0.25 }, { "curve-fitting", 0.4 }, { "bound-based", 0.4 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int failing = 0; failing < FAILINGS; failing++) {
			struct shares shares = live_with(cases[i].policy, (enum failing)failing);
			unsigned all = shares.dead + shares.live;

			ok(shares.dead <= cases[i].most * all && all >= 0.95 * 12 * (DAYS - HALF),
			   "%s: half of the pages %s, and take after two months no more than %g of a budget: %u of %u", cases[i].policy,
			   names[failing], cases[i].most, shares.dead, all);
		}
}

int main(void)
{
	make_scratch();
	tries_again();
	refusals();
	retires();
	forgives();
	loads();
	values();
	dead_half();
	return done();
}
