/* Hosts that may not be asked for all that is due of them at once: whose turn it is, and when. */
#include "perennial/due.h"

#include "desk.h"

#include "base/random.h"
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
	ok(!totals.waiting && !totals.hosts && is_whole(&desk),
	   "once no page waits for a host the host is forgotten, and the store is whole");
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
	ok(found.stray == 2 && found.repaired == 2 && !prn_store_check(store, NULL, &found, NULL) && !found.stray,
	   "a repair finds the damaged turns and takes them out");
	prn_store_free(store);
	desk_release(&desk);
}

#define HOSTS 5
#define PAGES 60

/* What the test itself knows of a host. */
struct told {
	unsigned out;
	int64_t last;  /* when it was last asked, or a page of it was fetched */
	int64_t until; /* it wants to be left alone */
	bool refused;  /* it has said so, and successes pages have come since */
	unsigned successes;
	double delay_s; /* how it may be asked */
	unsigned limit;
	int64_t from, to; /* of the day; equal: at any time */
};

struct out {
	char url[64];
	unsigned host;
	int64_t end;
};

struct trial {
	struct prn_host_rule rules[4];
	char names[4][16];
	bool grouped; /* the last two hosts are one */
	struct desk desk;
	struct prn_random random;
	struct told hosts[HOSTS];
	struct out out[PAGES];
	size_t out_count;
	double lease_s;
	int64_t now;
	unsigned given, too_many, too_soon, idle, looked;
};

static unsigned host_in(const char *url)
{
	return (unsigned)(url[8] - '0');
}

/* What is known of a host, or of the group that it is in. */
static struct told *told_of(struct trial *trial, unsigned host)
{
	return &trial->hosts[trial->grouped && host == HOSTS - 1 ? HOSTS - 2 : host];
}

static bool sleeps(const struct told *told, int64_t now)
{
	int64_t clock = now % DAY;

	if (told->from == told->to)
		return false;
	return told->from < told->to ? clock < told->from || clock >= told->to : clock < told->from && clock >= told->to;
}

static void end_out(struct trial *trial, size_t i)
{
	told_of(trial, trial->out[i].host)->out--;
	trial->out[i] = trial->out[--trial->out_count];
}

static void note_given(struct trial *trial, const struct prn_due *due)
{
	struct told *told = told_of(trial, host_in(due->url));
	struct out *out = &trial->out[trial->out_count++];

	snprintf(out->url, sizeof out->url, "%s", due->url);
	out->host = host_in(due->url);
	out->end = due->lease;
	told->out++;
	trial->given++;
	trial->too_many += told->limit && told->out > told->limit;
	trial->too_soon += trial->now < told->until || (double)trial->now < (double)told->last + told->delay_s ||
	                   sleeps(told, trial->now);
	told->last = trial->now;
}

/* Pages that are due and are not out, though their host is free. */
static void look_for_idle(struct trial *trial)
{
	struct prn_record record;
	struct prn_view *view;
	struct prn_walk *walk = NULL;

	must(!prn_view_open(&view, prn_decider_store(trial->desk.decider), NULL) && !prn_walk_pages(&walk, view, NULL, NULL),
	     "walk over pages");
	while (prn_walk_pages_next(walk, &record, NULL) == 1) {
		const struct told *told = told_of(trial, host_in(record.url));
		bool blocked = (told->limit && told->out >= told->limit) || told->until > trial->now ||
		               (double)told->last + told->delay_s > (double)trial->now || sleeps(told, trial->now);

		trial->idle += record.lease == PRN_TIME_UNKNOWN && record.due != PRN_TIME_UNKNOWN &&
		               record.due <= trial->now && !blocked;
		trial->looked++;
	}
	prn_walk_free(walk);
	prn_view_close(view);
}

static void fetch(struct trial *trial)
{
	size_t limit = prn_random_below(&trial->random, 3) ? 2 * PAGES : 1 + prn_random_below(&trial->random, 4);

	for (size_t i = trial->out_count; i--;)
		if (trial->out[i].end <= trial->now)
			end_out(trial, i);
	desk_due(&trial->desk, &list, trial->now, limit, trial->lease_s);
	for (size_t i = 0; i < list.count; i++)
		note_given(trial, &list.items[i]);
	if (list.count < limit)
		look_for_idle(trial);
}

/* One that is out comes back: content, an error, or a wish to be left alone. */
static void report(struct trial *trial)
{
	size_t i = (size_t)prn_random_below(&trial->random, trial->out_count);
	struct told *told = told_of(trial, trial->out[i].host);
	struct prn_capture busy = status_of(trial->out[i].url, trial->now, 429);
	uint64_t kind = prn_random_below(&trial->random, 20), forgotten;

	busy.retry_after_s = (int64_t)prn_random_below(&trial->random, 200);
	told->last = kind ? trial->now : told->last;
	if (kind > 3)
		desk_text(&trial->desk, busy.url, trial->now, text_from((unsigned)kind));
	else if (kind > 1)
		desk_status(&trial->desk, busy.url, trial->now, 500);
	else if (kind)
		desk_answer(&trial->desk, busy);
	else
		must(!prn_decider_forget(trial->desk.decider, PRN_FORGET_URL, busy.url, &forgotten, NULL), "forget");
	if (kind > 3 && told->refused) {
		told->successes++;
		if (told->until > trial->now)
			told->until = trial->now + (told->until - trial->now) / 2;
	}
	if (kind == 1) {
		int64_t until = trial->now + busy.retry_after_s / (1 + (int64_t)told->successes);

		told->until = until > told->until ? until : told->until;
		told->refused = true;
		told->successes = 0;
	}
	end_out(trial, i);
}

static void add_one(struct trial *trial)
{
	char url[64];
	unsigned number = (unsigned)prn_random_below(&trial->random, PAGES);

	snprintf(url, sizeof url, number % 7 % HOSTS < HOSTS - 2 ? "http://h%u.example/%u" : "http://h%u.twins.example/%u",
	         number % 7 % HOSTS, number);
	put(&trial->desk, url, 1 + (double)prn_random_below(&trial->random, 5), trial->now);
}

/* A rule for one of the hosts, or for the group of the last two. */
static void add_rules(struct trial *trial)
{
	static const double delays[] = { 0, 3, 30 };
	size_t count = 0;

	for (unsigned i = 0; i < 3; i++) {
		bool group = i == 2 && trial->grouped;
		struct prn_host_rule *rule = &trial->rules[count];
		unsigned host = group ? HOSTS - 2 : i;

		if (prn_random_below(&trial->random, 2))
			continue;
		snprintf(trial->names[count], sizeof *trial->names, group ? "@pair" : "example,h%u", host);
		*rule = (struct prn_host_rule){ .hosts = trial->names[count++], .delay_s = -1, .limit = -1 };
		if (i == 1) {
			rule->from_s = (double)((T0 + 100 + (int64_t)prn_random_below(&trial->random, 300)) % DAY);
			rule->to_s = (double)((T0 + 500 + (int64_t)prn_random_below(&trial->random, 300)) % DAY);
			trial->hosts[host].from = (int64_t)rule->from_s;
			trial->hosts[host].to = (int64_t)rule->to_s;
		} else {
			rule->delay_s = trial->hosts[host].delay_s = delays[prn_random_below(&trial->random, 3)];
			rule->limit = trial->hosts[host].limit = (unsigned)prn_random_below(&trial->random, 3);
		}
	}
	snprintf(trial->names[3], sizeof *trial->names, "example,twins");
	if (trial->grouped)
		trial->rules[count++] = (struct prn_host_rule){ .hosts = trial->names[3], .delay_s = -1, .limit = -1, .group = "pair" };
	trial->desk.options.hosts = trial->rules;
	trial->desk.options.host_count = count;
}

static void run_trial(struct trial *trial, uint64_t seed)
{
	static const struct prn_interval_rule often[] = { { NULL, NULL, 20, 100 } };
	static const double delays[] = { 0, 0, 1, 7, 40 }, leases[] = { 5, 60, 300 };

	*trial = (struct trial){ .now = T0 };
	prn_random_seed(&trial->random, seed, 0);
	for (unsigned i = 0; i < HOSTS; i++)
		trial->hosts[i].last = trial->hosts[i].until = T0 - DAY;
	trial->lease_s = leases[prn_random_below(&trial->random, 3)];
	desk_open(&trial->desk, NULL, 0);
	trial->desk.options.intervals = often;
	trial->desk.options.interval_count = 1;
	trial->desk.options.retry_s = 30;
	trial->desk.options.host_limit = (unsigned)prn_random_below(&trial->random, 4);
	trial->desk.options.host_delay_s = delays[prn_random_below(&trial->random, 5)];
	trial->grouped = prn_random_below(&trial->random, 2);
	for (unsigned i = 0; i < HOSTS; i++) {
		trial->hosts[i].delay_s = trial->desk.options.host_delay_s;
		trial->hosts[i].limit = trial->desk.options.host_limit;
	}
	add_rules(trial);
	desk_reopen(&trial->desk);
	for (unsigned i = 0; i < PAGES / 2; i++)
		add_one(trial);
	for (unsigned step = 0; step < 300; step++) {
		uint64_t action = prn_random_below(&trial->random, 20);

		if (action == 0)
			add_one(trial);
		else if (action == 1 && !prn_decider_commit(trial->desk.decider, NULL))
			desk_reopen(&trial->desk);
		else if (action < 12 && trial->out_count)
			report(trial);
		else
			fetch(trial);
		trial->now += (int64_t)(prn_random_below(&trial->random, 4) ? 1 + prn_random_below(&trial->random, 3)
		                                                              : 1 + prn_random_below(&trial->random, 60));
	}
}

static void property(void)
{
	enum { TRIALS = 24 };
	unsigned given = 0, too_many = 0, too_soon = 0, idle = 0, looked = 0, whole = 0;
	struct trial trial;

	for (uint64_t seed = 0; seed < TRIALS; seed++) {
		run_trial(&trial, seed);
		given += trial.given;
		too_many += trial.too_many;
		too_soon += trial.too_soon;
		idle += trial.idle;
		looked += trial.looked;
		whole += is_whole(&trial.desk);
		desk_release(&trial.desk);
	}
	ok(!too_many && given > 1000, "of %u URLs, with random hosts, limits, delays, leases and answers, none was beyond its host's limit (%u)",
	   given, too_many);
	ok(!too_soon, "no URL was to be fetched sooner than its host allows (%u)", too_soon);
	ok(!idle && looked > 1000,
	   "no page that was due was left while its host was free (%u of %u looks)", idle, looked);
	ok(whole == TRIALS, "whatever was asked and reported, each store is whole");
}

int main(void)
{
	make_scratch();
	prn_due_list_init(&list);
	one_after_the_other();
	what_frees_a_host();
	pages_that_wait();
	who_only_looks();
	a_long_line();
	many_hosts();
	limits_that_change();
	more_than_were_looked_at();
	all_in_one_call();
	damaged_turns();
	property();
	prn_due_list_release(&list);
	return done();
}
