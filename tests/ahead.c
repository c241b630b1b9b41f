/*
 * A clock that ran ahead once: what a single call with a time of years ahead wrote is void for the next one; but its leases stand until
 * the clock has gone on for a day, and a clock that is set back and forward at random is given nothing twice.
 */
#include "desk.h"
#include "base/clock.h"
#include "base/random.h"
#include "perennial/due.h"
#include "perennial/explanation.h"

#define AHEAD (T0 + 4000 * DAY)

static void put(struct desk *desk, const char *url, double weight, int64_t now)
{
	enum prn_added added;

	must(!prn_decider_add(desk->decider, url, weight, now, &added, NULL), "add a page");
}

/* A page of six daily visits, each of which found some of it new. */
static void history(struct desk *desk, const char *url)
{
	for (unsigned i = 0; i < 6; i++)
		desk_text(desk, url, T0 + i * DAY, text_from(10 * i));
}

/* The clock goes on for a day, in calls that take nothing; when that is. */
static int64_t go_on(struct desk *desk, int64_t from)
{
	for (int i = 0; i <= 12; i++)
		desk_names(desk, from + 2 * i * HOUR, 0, 600);
	return from + DAY;
}

static void leases(void)
{
	int64_t later;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 3, T0);
	put(&desk, "http://b.example/2", 2, T0);
	put(&desk, "http://c.example/3", 1, T0);
	same(desk_names(&desk, AHEAD, 100, 600), "1 2 3", "a clock that runs ahead hands out every page");
	same(desk_names(&desk, T0, 100, 600), "", "what a clock that ran ahead has just handed out is not handed out again when it is right");
	for (int i = 1; i < 12; i++)
		desk_names(&desk, T0 + 2 * i * HOUR, 0, 600);
	desk_reopen(&desk);
	same(desk_names(&desk, T0 + DAY - 1, 100, 600), "",
	     "what a clock that ran ahead has handed out is not handed out before the longest lease has passed since it is right");
	later = T0 + DAY;
	same(desk_names(&desk, later, 100, 600), "1 2 3",
	     "what a clock that ran ahead has handed out is handed out again when the longest lease has passed since it is right");
	ok(desk_look(&desk, "http://a.example/1").failures == 0, "a lease that is void is no failure of its page");
	ok(desk_look(&desk, "http://a.example/1").lease == later + 600, "a page whose lease was void is on lease anew");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0);
	desk_names(&desk, AHEAD, 100, 600);
	desk_text(&desk, "http://a.example/1", T0, text_from(0));
	put(&desk, "http://a.example/2", 1, T0);
	same(desk_names(&desk, T0 + 1, 100, 600), "2", "behind where it was a clock is given what is not on lease");
	desk_names(&desk, T0 + 20 * DAY, 100, 600);
	desk_names(&desk, T0 + 10 * DAY, 100, 600);
	same(desk_names(&desk, T0 + 19 * DAY, 100, 600), "", "a jump forward that ends behind where the clock has been ends no lease");
	desk_release(&desk);
}

static void leases_set_back(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0 - 20 * DAY);
	desk_names(&desk, T0, 100, 600);
	for (int i = 0; i < 5; i++)
		desk_names(&desk, T0 - 10 * DAY + i * HOUR, 0, 600);
	put(&desk, "http://a.example/2", 1, T0 - 20 * DAY);
	same(desk_names(&desk, T0 - 10 * DAY + 5 * HOUR, 100, 600), "2", "a page is given hours after the clock was set back");
	same(desk_names(&desk, T0 + 5 * HOUR, 100, 600), "1",
	     "a page given by a clock that was set back is on lease still when the clock is right again at once, as others are not");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0 - 40 * DAY);
	desk_names(&desk, T0, 100, 600);
	for (int i = 0; i < 14; i++)
		desk_names(&desk, T0 - (10 + i) * DAY, 0, 600);
	put(&desk, "http://a.example/2", 1, T0 - 40 * DAY);
	same(desk_names(&desk, T0 - 30 * DAY, 100, HOUR), "2", "a page is given by a clock that was set back again and again");
	same(desk_names(&desk, T0 + MINUTE, 100, HOUR), "",
	     "the lease of a page given by a clock that was set back again and again is not void when the clock is right");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0 - 10);
	same(desk_names(&desk, T0, 100, PRN_LEASE_MOST_S), "1", "a page is given on the longest lease there is");
	same(desk_names(&desk, T0, 100, PRN_LEASE_MOST_S), "",
	     "the longest lease that may be taken now is not void now");
	same(desk_names(&desk, T0 - 1, 100, PRN_LEASE_MOST_S), "", "a clock that is set back by a second voids no lease");
	desk_release(&desk);
}

/* What was given behind the furthest time stays on lease when that is forgotten. */
static void forgotten(const char *where)
{
	int64_t end = T0 + 23 * HOUR + 50 * MINUTE;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 1, T0);
	desk_names(&desk, AHEAD, 100, HOUR);
	put(&desk, "http://b.example/2", 2, T0);
	put(&desk, "http://b.example/3", 1, T0);
	for (int i = 0; i < 12; i++)
		desk_names(&desk, T0 + 2 * i * HOUR, 0, 600);
	same(desk_names(&desk, end, 100, HOUR), "2", "a page is given minutes before the furthest time is forgotten%s", where);
	end += HOUR;
	desk_reopen(&desk);
	same(desk_names(&desk, T0 + DAY, 100, 2 * HOUR), "1",
	     "a page on lease when the furthest time is forgotten is not given again, and its host is full%s", where);
	must(desk_look(&desk, "http://b.example/2").lease >= end, "be on lease as long");
	ok(desk_look(&desk, "http://b.example/2").lease <= end + 2 * HOUR,
	   "a lease from before the furthest time is forgotten ends two hours later at most than by a clock that was always right%s", where);
	end = desk_look(&desk, "http://b.example/2").lease;
	same(desk_names(&desk, end - 1, 100, 600), "",
	     "a page on lease when the furthest time is forgotten is not given a second before the end of its lease%s", where);
	same(desk_names(&desk, end - 1 - 10 * DAY, 100, 600), "", "a clock that is set back after that is given nothing that is on lease%s", where);
	same(desk_names(&desk, end, 100, 600), "3",
	     "the host of a page on lease when the furthest time is forgotten is free when that lease ends%s", where);
	desk_release(&desk);
}

/* Days until what a clock that ran ahead handed out is handed out again, by calls at such intervals; and how many calls later that is. */
static void wait_behind(double hours, double days, int calls)
{
	int64_t now = T0;
	struct desk desk;
	int n = 0;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0);
	desk_names(&desk, AHEAD, 100, 600);
	while (!*desk_names(&desk, now, 100, 600) && n++ < 1000)
		now += (int64_t)(hours * (double)HOUR);
	ok(n == calls && fabs((double)(now - T0) - days * (double)DAY) < 1,
	   "by calls %g hours apart what a clock that ran ahead handed out is handed out again after %.3g days, %d calls later: %.3g and %d", hours, days,
	   calls, (double)(now - T0) / (double)DAY, n);
	desk_release(&desk);
}

/* A clock that is set back a little, once; and machines whose clocks are apart. */
static void little(void)
{
	int64_t most = 0;
	enum prn_added added;
	struct desk desk;
	char url[64];

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 60; i++) {
		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0 - DAY, &added, NULL), "add a page");
	}
	for (int i = 0; i < 12; i++) {
		struct prn_due_list list;
		int64_t now = T0 - (i > 0) * 10 * MINUTE + i * 10;

		prn_due_list_init(&list);
		must(desk_due(&desk, &list, now, 1, 600) == 1, "be given a page");
		most = prn_time_later(most, list.items[0].lease - now);
		prn_due_list_release(&list);
	}
	ok(most <= 600 + 2 * 10 * MINUTE, "each call after a clock was set back by ten minutes takes leases that are as much longer, twice at most: %lld s", (long long)most);
	most = 0;
	for (int i = 0; i < 24; i++) {
		struct prn_due_list list;
		int64_t now = T0 + HOUR + i * MINUTE - (i % 2) * 5 * MINUTE;

		prn_due_list_init(&list);
		must(desk_due(&desk, &list, now, 1, 600) == 1, "be given a page");
		most = prn_time_later(most, list.items[0].lease - now);
		prn_due_list_release(&list);
	}
	ok(most <= 600 + 2 * 5 * MINUTE, "of two machines five minutes apart the slower takes leases that are as much longer, twice at most: %lld s", (long long)most);
	desk_release(&desk);
}

static void new_pages(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, AHEAD);
	same(desk_names(&desk, T0, 100, 600), "1", "a page that was added in the future is due now");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	desk_status(&desk, "http://a.example/1", AHEAD, 500);
	same(desk_names(&desk, T0, 100, 600), "1", "a page that failed in the future is due now");
	ok(desk_text(&desk, "http://a.example/1", T0 + 1, text_from(0)) == PRN_OUTCOME_OBSERVED,
	   "a page that failed in the future may be visited now");
	desk_release(&desk);
}

static void visits(void)
{
	const int64_t now = T0 + 20 * DAY;
	struct look look;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	history(&desk, "http://a.example/1");
	history(&desk, "http://b.example/2");
	must(desk_text(&desk, "http://a.example/1", AHEAD, text_from(60)) == PRN_OUTCOME_OBSERVED, "observe far ahead");
	must(desk_text(&desk, "http://b.example/2", AHEAD, text_from(60)) == PRN_OUTCOME_OBSERVED, "observe far ahead");
	ok(desk_text(&desk, "http://b.example/2", now - 1, text_from(70)) == PRN_OUTCOME_OBSERVED,
	   "a visit counts of a page that was visited in the future");
	look = desk_look(&desk, "http://b.example/2");
	ok(look.visits == 8, "a visit after one in the future is counted as the eighth");
	ok(look.due > now && look.due < now + 180 * DAY,
	   "a page that was visited in the future, and then now, is next visited within its longest interval");
	same(desk_names(&desk, now, 100, 600), "1", "a page that was visited in the future is due now");
	ok(desk_look(&desk, "http://a.example/1").visits == 7, "what was learned of a page in the future is not forgotten");
	ok(desk_text(&desk, "http://a.example/1", now + 60, text_from(70)) == PRN_OUTCOME_OBSERVED,
	   "a page that was handed out since it was visited in the future may be reported");
	look = desk_look(&desk, "http://a.example/1");
	ok(look.due > now && look.due < now + 180 * DAY,
	   "a page that came back since it was visited in the future is next visited within its longest interval");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	history(&desk, "http://a.example/1");
	ok(desk_text(&desk, "http://a.example/1", T0 + 5 * DAY - HOUR, text_from(70)) == PRN_OUTCOME_PAST,
	   "a visit that clocks which disagree put before the last one is refused: nothing is void of an hour");
	desk_release(&desk);
}

static void suspects(void)
{
	const int64_t now = T0 + 20 * DAY;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 6; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from(0));
	ok(desk_text(&desk, PAGE, AHEAD, text_from(1000)) == PRN_OUTCOME_SUSPECT,
	   "a page that changed as a whole in the future is suspect");
	ok(desk_text(&desk, PAGE, now, text_from(1000)) == PRN_OUTCOME_CONFIRMED,
	   "a suspect of the future is confirmed by a visit now");
	ok(desk_look(&desk, PAGE).due < now + 180 * DAY,
	   "a page whose suspect was of the future is next visited within its longest interval");
	desk_release(&desk);
}

static void hosts(void)
{
	int64_t later;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0);
	same(desk_names(&desk, AHEAD, 100, 600), "1", "a clock that runs ahead keeps to a host's limit");
	same(desk_names(&desk, T0, 100, 600), "", "a host's limit holds for a page that was handed out in the future");
	put(&desk, "http://b.example/3", 1, T0);
	put(&desk, "http://b.example/4", 0.5, T0);
	same(desk_names(&desk, T0, 100, 600), "3", "another host has room behind the furthest time");
	same(desk_names(&desk, T0 + 601, 100, 600), "",
	     "a host with a page out behind the furthest time is full when the time of its lease has passed by a clock that was set back");
	desk_text(&desk, "http://b.example/3", T0 + 602, text_from(0));
	desk_text(&desk, "http://b.example/4", T0 + 602, text_from(0));
	later = go_on(&desk, T0 + 1);
	same(desk_names(&desk, later, 100, 600), "1", "a host that a lease of the future filled has room again when that lease is void");
	desk_text(&desk, "http://a.example/1", later + 1, text_from(0));
	same(desk_names(&desk, later + 1, 100, 600), "2", "a page that waited for its host in the future gets its turn now");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 0;
	desk.options.host_delay_s = 1000;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0);
	same(desk_names(&desk, AHEAD, 100, 600), "1", "a clock that runs ahead keeps to a host's delay");
	put(&desk, "http://a.example/3", 0.5, T0);
	same(desk_names(&desk, T0, 100, 600), "2", "a host's delay that began in the future is void");
	same(desk_names(&desk, T0 + 999, 100, 600), "", "after a delay of the future was void the next one holds");
	same(desk_names(&desk, T0 + 1000, 100, 600), "3", "a delay that follows one of the future that was void holds until it is over");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0);
	put(&desk, "http://a.example/2", 1, T0);
	must(desk_status(&desk, "http://a.example/1", AHEAD, 429) == PRN_OUTCOME_HOST_DELAYED, "delay a host");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(*desk_names(&desk, T0, 100, 600), "a host that asked in the future to be left alone may be asked now");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, AHEAD);
	put(&desk, "http://a.example/2", 1, AHEAD);
	same(desk_names(&desk, AHEAD + 1, 100, 600), "1",
	     "pages that were added in the future are handed out in the future");
	desk_text(&desk, "http://a.example/1", T0, text_from(0));
	same(desk_names(&desk, T0, 100, 600), "2",
	     "a page that was added in the future, and waited there for its host, is due now");
	desk_release(&desk);
}

/* How many pages are due after a time, the earliest of them at *first. */
static size_t due_after(struct desk *desk, int64_t time, int64_t *first)
{
	struct prn_queued queued;
	struct prn_view *view;
	struct prn_walk *walk = NULL;
	size_t count = 0;

	*first = INT64_MAX;
	must(!prn_view_open(&view, prn_decider_store(desk->decider), NULL) &&
	             !prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, NULL),
	     "walk the queue");
	while (prn_walk_queue_next(walk, &queued, NULL) == 1)
		if (queued.time > time) {
			*first = queued.time < *first ? queued.time : *first;
			count++;
		}
	prn_walk_free(walk);
	prn_view_close(view);
	return count;
}

/* More than are ended in one commit. */
static void many(void)
{
	struct prn_store_totals totals;
	struct desk desk;
	int64_t first;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 10500; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		put(&desk, url, 1, AHEAD);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_names(&desk, T0, 100, 600);
	ok(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL) && totals.leased == 100,
	   "of pages that were added in the future as many are given as are asked for");
	ok(!due_after(&desk, T0, &first), "every page that was added in the future is due now");
	desk_release(&desk);
}

/* A next visit that a longer interval set, and no clock. */
static void long_intervals(void)
{
	const struct prn_interval_rule rule = { .min_s = 1000.0 * DAY, .max_s = 1000.0 * DAY };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.intervals = &rule;
	desk.options.interval_count = 1;
	desk_reopen(&desk);
	history(&desk, "http://a.example/1");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk.options.interval_count = 0;
	desk_reopen(&desk);
	same(desk_names(&desk, T0 + 6 * DAY, 100, 600), "",
	     "a next visit that a longer interval set is not void when intervals are shorter");
	desk_release(&desk);
}

/* Some that stay in front of more than are ended in one commit. */
static void many_behind_some(void)
{
	const struct prn_interval_rule rule = { .min_s = 1000.0 * DAY, .max_s = 1000.0 * DAY };
	struct desk desk;
	int64_t first;

	desk_open(&desk, NULL, 0);
	desk.options.intervals = &rule;
	desk.options.interval_count = 1;
	desk_reopen(&desk);
	history(&desk, "http://a.example/1");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk.options.interval_count = 0;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 10500; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		put(&desk, url, 1, AHEAD);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_names(&desk, T0 + 6 * DAY, 1000, 600);
	ok(due_after(&desk, T0 + 6 * DAY, &first) == 1 && first < AHEAD, "a page that stays where it is keeps none of the future from being due");
	desk_release(&desk);
}

#define JUMPING 40 /* pages */
#define LEASE 3600
#define APART 60 /* that clocks of machines may be, and leases end earlier */
#define CALLS 1500

/* Where a clock goes that is not right. */
struct jumps {
	double near_s, far_s; /* behind */
	double ahead_s;
};

/* When pages were last handed out, and the furthest that the clock had come by then. */
struct given {
	int64_t real[JUMPING], furthest[JUMPING];
	unsigned count, early, early_by_furthest;
};

static void give_at(struct desk *desk, struct given *given, int64_t real, int64_t now, int64_t *furthest)
{
	struct prn_due_list list;
	unsigned page;

	prn_due_list_init(&list);
	if (desk_due(desk, &list, now, 5, LEASE) && now > *furthest)
		*furthest = now;
	for (size_t i = 0; i < list.count; i++, given->count++) {
		must(sscanf(list.items[i].url, "http://h%u.example/", &page) == 1 && page < JUMPING, "tell which page that is");
		if (real - given->real[page] < LEASE - APART) {
			given->early++;
			given->early_by_furthest += *furthest - given->furthest[page] < LEASE;
		}
		given->real[page] = real;
		given->furthest[page] = *furthest;
	}
	prn_due_list_release(&list);
}

/* Calls minutes apart by a clock that is somewhere else after a few of them; none comes back but by the end of its lease. */
static void jump(struct given *given, const struct jumps *jumps, uint64_t seed)
{
	/* So that pages of which nothing is ever reported come often, too. */
	static const struct prn_interval_rule often = { NULL, NULL, 0, 600 };
	struct prn_random random;
	int64_t real = T0, offset = 0, furthest = INT64_MIN;
	struct desk desk;
	enum prn_added added;
	char url[64];

	prn_random_seed(&random, seed, 1);
	desk_open(&desk, NULL, 0);
	desk.options.retry_max_s = 60;
	desk.options.intervals = &often;
	desk.options.interval_count = 1;
	desk_reopen(&desk);
	for (unsigned i = 0; i < JUMPING; i++) {
		given->real[i] = given->furthest[i] = INT64_MIN / 2;
		snprintf(url, sizeof url, "http://h%u.example/", i);
		must(!prn_decider_add(desk.decider, url, 1, T0, &added, NULL), "add a page");
	}
	for (unsigned i = 0; i < CALLS; i++) {
		double way = prn_random_unit(&random), size = prn_random_unit(&random);

		give_at(&desk, given, real, real + offset, &furthest);
		real += 1 + (int64_t)prn_random_below(&random, 5 * MINUTE);
		if (way < 0.2)
			offset = 0;
		else if (way < 0.5)
			offset = -(int64_t)(jumps->near_s * pow(jumps->far_s / jumps->near_s, size));
		else if (way < 0.6 && jumps->ahead_s > 0)
			offset = (int64_t)pow(jumps->ahead_s, size);
	}
	desk_release(&desk);
}

static void jumping(const char *where)
{
	const struct jumps back = { 4.0 * DAY, 3000.0 * DAY, 0 }, any = { 1, 3000.0 * DAY, 300.0 * DAY };
	struct given given = { 0 };

	for (uint64_t seed = 1; seed <= 4; seed++)
		jump(&given, &back, seed);
	printf("# %u handed out, %u of them within their leases\n", given.count, given.early);
	ok(given.count > 1000 && !given.early, "a clock that is set back by days to years, and comes forward as far as it was, is given nothing twice within a lease%s", where);
	given = (struct given){ 0 };
	for (uint64_t seed = 5; seed <= 8; seed++)
		jump(&given, &any, seed);
	printf("# %u handed out, %u of them within their leases, %u before the clock had come as much further than ever\n", given.count, given.early,
	       given.early_by_furthest);
	ok(given.count > 300 && !given.early_by_furthest,
	   "whatever a clock does nothing is given twice within a lease, unless the clock has come a lease further than it ever was%s", where);
}

int main(void)
{
	make_scratch();
	leases();
	leases_set_back();
	forgotten("");
	wait_behind(0.25, 1, 96);
	wait_behind(2, 1, 12);
	wait_behind(5, 2.5, 12);
	wait_behind(24, 12, 12);
	little();
	jumping("");
	setenv("PERENNIAL_SHARDS", "4", 1);
	jumping(", by a store of four shards");
	forgotten(", by a store of four shards");
	unsetenv("PERENNIAL_SHARDS");
	new_pages();
	visits();
	suspects();
	hosts();
	many();
	long_intervals();
	many_behind_some();
	return done();
}
