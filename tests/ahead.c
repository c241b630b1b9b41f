/* A clock that ran ahead once: what a single call with a time of years ahead wrote is void for the next one. */
#include "desk.h"
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

static void leases(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 3, T0);
	put(&desk, "http://b.example/2", 2, T0);
	put(&desk, "http://c.example/3", 1, T0);
	same(desk_names(&desk, AHEAD, 100, 600), "1 2 3", "a clock that runs ahead hands out every page");
	same(desk_names(&desk, T0, 100, 600), "1 2 3",
	     "what a clock that ran ahead handed out is handed out again when it is right");
	ok(desk_look(&desk, "http://a.example/1").failures == 0, "a lease that is void is no failure of its page");
	ok(desk_look(&desk, "http://a.example/1").lease == T0 + 600, "a page whose lease was void is on lease anew");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 1, T0 - 10);
	same(desk_names(&desk, T0, 100, PRN_LEASE_MOST_S), "1", "a page is given on the longest lease there is");
	same(desk_names(&desk, T0, 100, PRN_LEASE_MOST_S), "",
	     "the longest lease that may be taken now is not void now");
	same(desk_names(&desk, T0 - 1, 100, PRN_LEASE_MOST_S), "1",
	     "a lease is void that ends later than any lease taken now would");
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
	ok(look.visits == 8 && look.due > now && look.due < now + 180 * DAY,
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
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0);
	same(desk_names(&desk, AHEAD, 100, 600), "1", "a clock that runs ahead keeps to a host's limit");
	same(desk_names(&desk, T0, 100, 600), "1",
	     "a host's limit has room again when the lease of the future is void");
	desk_text(&desk, "http://a.example/1", T0 + 1, text_from(0));
	same(desk_names(&desk, T0 + 1, 100, 600), "2",
	     "a page that waited for its host in the future gets its turn now");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 0;
	desk.options.host_delay_s = 1000;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0);
	same(desk_names(&desk, AHEAD, 100, 600), "1", "a clock that runs ahead keeps to a host's delay");
	same(desk_names(&desk, T0, 100, 600), "1", "a host's delay that began in the future is void");
	same(desk_names(&desk, T0 + 1000, 100, 600), "2", "after a delay of the future was void the next one holds");
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

/* More than are ended in one commit. */
static void many(void)
{
	struct prn_store_totals totals;
	struct prn_queued queued;
	struct prn_view *view;
	struct prn_walk *walk = NULL;
	struct desk desk;

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
	must(!prn_view_open(&view, prn_decider_store(desk.decider), NULL) &&
	             !prn_walk_queue(&walk, view, PRN_QUEUE_DUE, T0 + 1, NULL),
	     "walk the queue");
	ok(prn_walk_queue_next(walk, &queued, NULL) == 0, "every page that was added in the future is due now");
	prn_walk_free(walk);
	prn_view_close(view);
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
	struct prn_queued queued;
	struct prn_view *view;
	struct prn_walk *walk = NULL;
	struct desk desk;

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
	must(!prn_view_open(&view, prn_decider_store(desk.decider), NULL) &&
	             !prn_walk_queue(&walk, view, PRN_QUEUE_DUE, T0 + 6 * DAY + 1, NULL),
	     "walk the queue");
	ok(prn_walk_queue_next(walk, &queued, NULL) == 1 && queued.time < AHEAD && !prn_walk_queue_next(walk, &queued, NULL),
	   "a page that stays where it is keeps none of the future from being due");
	prn_walk_free(walk);
	prn_view_close(view);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	leases();
	new_pages();
	visits();
	suspects();
	hosts();
	many();
	long_intervals();
	many_behind_some();
	return done();
}
