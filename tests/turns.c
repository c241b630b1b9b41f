/* Hosts that may not be asked for all that is due of them at once: whose turn it is, and when. */
#include "perennial/due.h"

#include "desk.h"

#include "perennial/explanation.h"
#include "store/tables.h"
#include "store/turn.h"

static struct prn_due_list list;

static void put(struct desk *desk, const char *url, double weight, int64_t now)
{
	enum prn_added added;

	must(!prn_decider_add(desk->decider, url, weight, now, &added, NULL), "add a page");
}

/* Pages of http://a.example/, numbered from 0, all due at a time. */
static void put_many(struct desk *desk, unsigned count, int64_t now)
{
	for (unsigned i = 0; i < count; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%u", i);
		put(desk, url, 1, now);
	}
}

static void explain(struct desk *desk, const char *url, int64_t now, int64_t *next, enum prn_next *reason)
{
	struct prn_explanation page;

	prn_explanation_init(&page);
	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_explain(desk->decider, url, now, &page, NULL),
	     "explain a page");
	*next = page.next;
	*reason = page.reason;
	prn_explanation_release(&page);
}

/* How many pages of the due queue itself are due: each call looks at these again. */
static unsigned count_due(struct desk *desk, int64_t now)
{
	struct prn_queued queued;
	struct prn_view *view;
	struct prn_walk *walk = NULL;
	unsigned count = 0;

	must(!prn_view_open(&view, prn_decider_store(desk->decider), NULL) &&
	             !prn_walk_queue(&walk, view, PRN_QUEUE_DUE, INT64_MIN, NULL), "walk a queue");
	while (prn_walk_queue_next(walk, &queued, NULL) == 1 && queued.time <= now)
		count++;
	prn_walk_free(walk);
	prn_view_close(view);
	return count;
}

static bool is_whole(struct desk *desk)
{
	struct prn_store_findings found;

	must(!prn_decider_commit(desk->decider, NULL) &&
	             !prn_store_check(prn_decider_store(desk->decider), NULL, &found, NULL), "check a store");
	return !found.unreadable && !found.unqueued && !found.stray && !found.stray_sides && !found.miscounted;
}

static struct prn_store_totals totals_of(struct desk *desk)
{
	struct prn_store_totals totals;

	must(!prn_store_totals(prn_decider_store(desk->decider), &totals, NULL), "count pages");
	return totals;
}

static void open_with(struct desk *desk, unsigned limit, double delay_s)
{
	desk_open(desk, NULL, 0);
	desk->options.host_limit = limit;
	desk->options.host_delay_s = delay_s;
	desk_reopen(desk);
}

/* A fetcher that brings each page three seconds after it was given. */
static void one_after_the_other(void)
{
	int64_t now = T0;
	struct desk desk;
	unsigned brought = 0;

	open_with(&desk, 1, 0);
	put_many(&desk, 20, T0);
	while (now < T0 + 6 * HOUR && desk_due(&desk, &list, now, 10, HOUR) == 1) {
		now += 3;
		brought += desk_text(&desk, list.items[0].url, now, text_from(0)) == PRN_OUTCOME_OBSERVED;
	}
	ok(brought == 20 && now == T0 + 60,
	   "twenty pages of a host, one out at a time, each brought after three seconds, take a minute: %u in %d s", brought,
	   (int)(now - T0));
	ok(!totals_of(&desk).waiting && !totals_of(&desk).hosts,
	   "once every page of a host was brought nothing is remembered of the host");
	desk_release(&desk);
}

static void what_frees_a_host(void)
{
	enum prn_next reason;
	struct desk desk;
	uint64_t forgotten;
	int64_t next;

	open_with(&desk, 1, 0);
	put_many(&desk, 6, T0);
	desk_due(&desk, &list, T0, 10, 600);
	ok(list.count == 1 && totals_of(&desk).waiting == 5,
	   "when a host is full its other pages that are due wait for it");
	ok(!desk_due(&desk, &list, T0 + 1, 10, 600) && count_due(&desk, T0 + 1) == 0,
	   "pages that wait are not looked at again while their host is full");
	explain(&desk, "http://a.example/5", T0 + 1, &next, &reason);
	if (reason != PRN_NEXT_HOST)
		explain(&desk, "http://a.example/4", T0 + 1, &next, &reason);
	ok(reason == PRN_NEXT_HOST && next == T0 + 600,
	   "a page that waits is explained to wait for its host, to the lease's end at most");
	desk_status(&desk, "http://b.example/", T0 + 1, 500);
	ok(!desk_due(&desk, &list, T0 + 2, 10, 600), "a report of another host frees nothing");
	desk_due(&desk, &list, T0, 0, 600);
	must(!prn_decider_forget(desk.decider, PRN_FORGET_HOST, "b.example", &forgotten, NULL), "forget");

	must(desk_due(&desk, &list, T0 + 600, 10, 600) == 1, "a lease that ends");
	ok(list.items[0].reason == PRN_NEXT_HOST, "the end of a lease frees its host");
	explain(&desk, "http://a.example/5", T0 + 600, &next, &reason);
	if (next != T0 + 1200)
		explain(&desk, "http://a.example/4", T0 + 600, &next, &reason);
	ok(next == T0 + 1200, "when a lease has ended the next pages wait to the end of the next lease");
	desk_status(&desk, list.items[0].url, T0 + 601, 500);
	ok(desk_due(&desk, &list, T0 + 601, 10, 600) == 1, "an error that is reported frees its host");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, list.items[0].url, &forgotten, NULL) && forgotten == 1, "forget");
	ok(desk_due(&desk, &list, T0 + 602, 10, 600) == 1, "a page that is forgotten frees its host");
	desk_status(&desk, list.items[0].url, T0 + 603, 429);
	ok(!desk_due(&desk, &list, T0 + 604, 10, 600), "an answer that wants its host left alone does not free it");
	explain(&desk, "http://a.example/5", T0 + 604, &next, &reason);
	ok(desk_due(&desk, &list, T0 + 603 + HOUR - 1, 10, 600) == 0 && desk_due(&desk, &list, T0 + 603 + HOUR, 10, 600) == 1,
	   "a host that wants to be left alone is free again when that time has passed, and not before");
	ok(is_whole(&desk), "whatever frees a host, the store is whole");
	desk_release(&desk);
}

/* A page that nobody has on lease, as one that is brought late: it was fetched all the same. */
static void pages_that_were_not_out(void)
{
	struct desk desk;

	open_with(&desk, 0, 30);
	put_many(&desk, 3, T0);
	desk_text(&desk, "http://a.example/late", T0, text_from(0));
	ok(!desk_due(&desk, &list, T0 + 29, 10, 600) && list.next == T0 + 30,
	   "the delay of a host counts from a page of it that was brought and was not out");
	must(desk_due(&desk, &list, T0 + 30, 10, 600) == 1, "ask");
	desk_status(&desk, "http://a.example/late", T0 + 50, 500);
	ok(!desk_due(&desk, &list, T0 + 79, 10, 600) && desk_due(&desk, &list, T0 + 80, 10, 600) == 1,
	   "the delay of a host counts from an error of a page of it that was not out");
	desk_text(&desk, "http://a.example/early", T0 + 60, text_from(0));
	ok(desk_due(&desk, &list, T0 + 110, 10, 600) == 1, "what was fetched before the host was asked last puts nothing off");
	desk_release(&desk);
}

/* What waits is still a page like any other. */
static void pages_that_wait(void)
{
	struct prn_store_totals totals;
	enum prn_next reason;
	struct desk desk;
	uint64_t forgotten;
	int64_t next;

	open_with(&desk, 1, 0);
	put(&desk, "http://a.example/dear", 9, T0);
	put_many(&desk, 3, T0);
	must(desk_due(&desk, &list, T0, 10, 600) == 1, "ask");
	same(list.items[0].url, "http://a.example/dear", "the most valuable page of a full host is out");
	put(&desk, "http://a.example/2", 5, T0 + 1);
	put(&desk, "http://a.example/new", 7, T0 + 1);
	ok(!desk_due(&desk, &list, T0 + 1, 10, 600) && totals_of(&desk).waiting == 4,
	   "a page that comes when its host is full waits with the others");
	explain(&desk, "http://a.example/1", T0 + 1, &next, &reason);
	ok(next == T0 + 600, "a page that comes later puts off none that wait");
	desk_text(&desk, "http://a.example/0", T0 + 2, text_from(0));
	desk_look(&desk, "http://a.example/0");
	ok(totals_of(&desk).waiting == 3, "a page that is reported without being asked for waits no more");
	ok(desk_look(&desk, "http://a.example/0").due == desk.outcome.next,
	   "a page that is reported while it waits is due at its next visit");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, "http://a.example/1", &forgotten, NULL), "forget");
	ok(totals_of(&desk).waiting == 2, "a page that is forgotten waits no more");
	desk_text(&desk, "http://a.example/dear", T0 + 3, text_from(0));
	must(desk_due(&desk, &list, T0 + 3, 10, 600) == 1, "ask");
	same(list.items[0].url, "http://a.example/new", "the most valuable of the pages that wait is next");
	desk_reopen(&desk);
	desk_text(&desk, "http://a.example/new", T0 + 4, text_from(0));
	must(desk_due(&desk, &list, T0 + 4, 10, 600) == 1, "ask");
	same(list.items[0].url, "http://a.example/2",
	     "pages that wait keep their order though the store was closed in between");
	put(&desk, "http://a.example/last", 1, T0 + 4);
	must(!desk_due(&desk, &list, T0 + 4, 10, 600), "ask");
	desk_text(&desk, "http://a.example/2", T0 + 5, text_from(0));
	ok(!desk_due(&desk, &list, T0 + 2, 10, 600) && totals_of(&desk).waiting == 1,
	   "no page is given before it was due, though the clock was put back");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, "http://a.example/last", &forgotten, NULL), "forget");
	must(!desk_due(&desk, &list, T0 + 5, 10, 600), "ask");
	totals = totals_of(&desk);
	ok(!totals.waiting && !totals.hosts, "once no page waits for a host the host is forgotten");
	ok(is_whole(&desk), "a store is whole once a host that no page waits for was forgotten");
	desk_release(&desk);
}

static void who_only_looks(void)
{
	struct desk desk;

	open_with(&desk, 1, 0);
	put_many(&desk, 3, T0);
	must(desk_due(&desk, &list, T0, 1, 600) == 1 && desk_due(&desk, &list, T0, 9, 600) == 0, "ask");
	ok(desk_due(&desk, &list, T0 + 1, 9, 0) == 0, "who asks without a lease sees no page of a full host");
	desk_text(&desk, list.count ? list.items[0].url : "http://a.example/0", T0 + 2, text_from(0));
	for (unsigned i = 0; i < 3; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%u", i);
		if (desk_look(&desk, url).lease != PRN_TIME_UNKNOWN)
			desk_text(&desk, url, T0 + 2, text_from(0));
	}
	ok(desk_due(&desk, &list, T0 + 3, 9, 0) > 0,
	   "who asks without a lease sees the pages that wait for a host that has room");
	ok(totals_of(&desk).waiting == list.count, "pages that were only looked at wait on");
	desk_release(&desk);
}

/* A hundred thousand pages of one host, of which one may be out, and one page of another. */
static void a_long_line(void)
{
	enum { PAGES = 100000 };
	int64_t now = T0;
	struct desk desk;
	unsigned calls = 0, given = 0, others = 0;

	open_with(&desk, 1, 0);
	put_many(&desk, PAGES, T0);
	put(&desk, "http://b.example/", 1, T0 + 1);
	for (; calls < 20 && !others; calls++) {
		desk_due(&desk, &list, ++now, 2, HOUR);
		for (size_t i = 0; i < list.count; i++)
			others += list.items[i].url[7] == 'b';
	}
	/* 16 slices of 1000 a call. */
	ok(others == 1 && calls == 7, "a page behind a hundred thousand of a full host is found in the call that has passed them");
	ok(totals_of(&desk).waiting == PAGES - 1 && count_due(&desk, now) == 0,
	   "the pages of a full host wait apart from the due queue, where no call looks at them");
	put(&desk, "http://c.example/", 1, now);
	ok(desk_due(&desk, &list, ++now, 2, HOUR) == 1,
	   "a page that is due later is found at once beside a hundred thousand that wait");
	for (unsigned i = 0; i < PAGES; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%u", i);
		if (desk_look(&desk, url).lease == PRN_TIME_UNKNOWN)
			continue;
		desk_text(&desk, url, ++now, text_from(0));
		break;
	}
	for (; given < 200 && desk_due(&desk, &list, now, 5, HOUR) == 1; given++)
		desk_text(&desk, list.items[0].url, ++now, text_from(0));
	ok(given == 200,
	   "the pages of a host with a hundred thousand come out one by one, as fast as they are brought");
	desk_release(&desk);
}

/* More hosts have their turn than are looked at in a slice. */
static void many_hosts(void)
{
	enum { HOSTS = 3000, EACH = 3 };
	struct desk desk;
	size_t given = 0, calls = 0;
	int64_t now = T0;

	open_with(&desk, 1, 0);
	for (unsigned i = 0; i < HOSTS * EACH; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % HOSTS, i);
		put(&desk, url, 1 + i % 7, T0);
	}
	for (; given < HOSTS * EACH && calls < 200; calls++) {
		given += desk_due(&desk, &list, ++now, 100, HOUR);
		for (size_t i = 0; i < list.count; i++)
			desk_text(&desk, list.items[i].url, now, text_from(0));
	}
	ok(given == HOSTS * EACH && calls == HOSTS * EACH / 100,
	   "when thousands of hosts take turns every call is filled");
	ok(is_whole(&desk) && !totals_of(&desk).waiting,
	   "when every page of thousands of hosts was brought none waits and the store is whole");
	desk_release(&desk);
}

/* Options are those of a call, not of the pages that wait. */
static void limits_that_change(void)
{
	struct desk desk;
	unsigned given = 0;

	open_with(&desk, 1, 0);
	put_many(&desk, 4, T0);
	must(desk_due(&desk, &list, T0, 10, 600) == 1, "ask");
	desk.options.host_limit = 3;
	desk_reopen(&desk);
	put(&desk, "http://a.example/new", 1, T0 + 1);
	ok(desk_due(&desk, &list, T0 + 1, 10, 600) == 1,
	   "with a limit that is raised a host has room for a page that comes now");
	same(list.items[0].url, "http://a.example/new", "the page that comes when a limit was raised is given");
	ok(desk_due(&desk, &list, T0 + 2, 10, 600) == 1,
	   "pages that waited have their turn when the limit of their host was raised");
	for (int64_t now = T0 + 600; now < T0 + 3000; now += 300)
		given += (unsigned)desk_due(&desk, &list, now, 10, 200);
	ok(given >= 2 && !totals_of(&desk).waiting,
	   "all pages that waited are given under a limit that was raised");
	desk_release(&desk);
}

/* Each host's pages are worth more than the next one's, so that some have all given that were looked at. */
static void more_than_were_looked_at(void)
{
	enum { MANY = 250, EACH = 12 };
	size_t given = 0, calls = 0;
	struct desk desk;

	open_with(&desk, 1, 0);
	for (unsigned i = 0; i < MANY * EACH; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % MANY, i);
		put(&desk, url, 1 + i % MANY, T0);
	}
	must(desk_due(&desk, &list, T0, MANY, HOUR) == MANY && !desk_due(&desk, &list, T0, 1, HOUR), "ask");
	ok(totals_of(&desk).waiting == MANY * (EACH - 1), "one page of each host is out, and the others wait");
	desk.options.host_limit = 100;
	desk_reopen(&desk);
	for (; given < MANY * (EACH - 1) && calls < 20; calls++)
		given += desk_due(&desk, &list, T0 + HOUR, MANY, HOUR);
	ok(given == MANY * (EACH - 1) && calls == EACH - 1,
	   "all pages that waited are given once the limit is raised, in calls that are full");
	desk_release(&desk);
}

/* One host has more than are looked at at a time, and others only one. */
static void all_in_one_call(void)
{
	enum { MANY = 400, LONG = 200 };
	struct desk desk;

	open_with(&desk, 1, 0);
	for (unsigned i = 0; i < MANY; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		put(&desk, url, 2, T0);
		snprintf(url, sizeof url, "http://h%u.example/second", i);
		put(&desk, url, 1, T0);
	}
	put_many(&desk, LONG + 1, T0);
	must(desk_due(&desk, &list, T0, 3000, HOUR) == MANY + 1, "ask");
	desk.options.host_limit = 1000;
	desk_reopen(&desk);
	ok(desk_due(&desk, &list, T0 + HOUR, 1000, HOUR) == MANY + LONG && !totals_of(&desk).waiting,
	   "what waits for many hosts, and much for one of them, is given in one call that has room, each page once: %zu",
	   list.count);
	ok(totals_of(&desk).leased == MANY + LONG && is_whole(&desk),
	   "every page that was given in one call is on lease, and the store is whole");
	desk_release(&desk);
}

/* Turns as no commit leaves them. */
static void damaged_turns(void)
{
	unsigned char key[2][PRN_TURN_BYTES];
	struct prn_change changes[] = {
		{ PRN_TABLE_TURNS, false, { key[0], PRN_TURN_BYTES }, { "a.example", 9 } },
		{ PRN_TABLE_TURNS, false, { key[1], PRN_TURN_BYTES }, { "another", 7 } },
		{ PRN_TABLE_TURNS, false, { "\xff", 1 }, { "a.example", 9 } },
	};
	const struct prn_store_check_options mending = { .repair = true };
	struct prn_store_findings found;
	struct prn_tables *tables;
	struct prn_store *store;
	struct desk desk;

	open_with(&desk, 1, 0);
	put_many(&desk, 4, T0);
	must(desk_due(&desk, &list, T0, 10, 600) == 1, "ask");
	desk_close(&desk);
	prn_turn_key(T0 - 5, prn_host_number(prn_host_name("http://a.example/")), key[0]);
	prn_turn_key(T0 - 4, prn_host_number(prn_host_name("http://a.example/")), key[1]);
	must(!prn_tables_open(&tables, desk.path, true, 0, NULL) && !tables->kind->write(tables, changes, 3, NULL), "damage a store");
	prn_tables_free(tables);
	desk.options.host_limit = 3;
	desk_reopen(&desk);
	ok(desk_due(&desk, &list, T0 + 600, 10, 600) == 3 && totals_of(&desk).leased == 3,
	   "a turn too many, one of another host and one that is none do no harm: each page is given once");
	desk_close(&desk);
	must(!prn_store_open(&store, desk.path, PRN_STORE_WRITE, 0, NULL) && !prn_store_check(store, &mending, &found, NULL),
	     "check a store");
	ok(found.stray == 2 && found.repaired == 2, "a repair finds the damaged turns and takes them out");
	ok(!prn_store_check(store, NULL, &found, NULL) && !found.stray, "after a repair no damaged turn is left");
	prn_store_free(store);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	prn_due_list_init(&list);
	one_after_the_other();
	what_frees_a_host();
	pages_that_were_not_out();
	pages_that_wait();
	who_only_looks();
	a_long_line();
	many_hosts();
	limits_that_change();
	more_than_were_looked_at();
	all_in_one_call();
	damaged_turns();
	prn_due_list_release(&list);
	return done();
}
