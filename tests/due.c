/* What is handed out, in which order, and what of it does not come back. */
#include "perennial/due.h"

#include "desk.h"

#include "perennial/explanation.h"
#include "perennial/tuning.h"
#include "store/tables.h"

/* The next visit, as it is explained. */
static int64_t desk_next(struct desk *desk, const char *url)
{
	struct prn_explanation page;
	int64_t next;

	prn_explanation_init(&page);
	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_explain(desk->decider, url, T0, &page, NULL),
	     "explain a page");
	next = page.next;
	prn_explanation_release(&page);
	return next;
}

static void put(struct desk *desk, const char *url, double weight, int64_t now)
{
	enum prn_added added;

	must(!prn_decider_add(desk->decider, url, weight, now, &added, NULL), "add a page");
}

/* A page visited daily for n days that changes by so many of its 100 words each time. */
static void history(struct desk *desk, const char *url, int n, unsigned words)
{
	for (int i = 0; i < n; i++)
		desk_text(desk, url, T0 + i * DAY, text_from((unsigned)i * words));
}

static void most_valuable_first(void)
{
	struct desk desk;
	struct prn_due_list list;
	const struct prn_due_request request = { T0 + 60 * DAY, 10, 0 };

	desk_open(&desk, NULL, 0);
	history(&desk, "http://a.example/slow", 6, 1);
	history(&desk, "http://b.example/fast", 6, 30);
	history(&desk, "http://c.example/middle", 6, 8);
	put(&desk, "http://d.example/new", 1, T0 + 60 * DAY);
	prn_decider_commit(desk.decider, NULL);
	prn_due_list_init(&list);
	ok(!prn_decider_due(desk.decider, &request, &list, NULL) && list.count == 4,
	   "all pages that are due are given");
	same(desk_names(&desk, T0 + 60 * DAY, 10, 0), "fast middle slow new",
	     "the pages that are due come with the most valuable first");
	near(list.items[3].value, 0.25, 1e-9,
	     "a page that was never visited is worth T at the time when it was added");
	ok(list.items[0].value > list.items[1].value && list.items[1].value > list.items[2].value,
	   "of pages visited before that is worth most which changes most: %.2f, %.2f, %.2f", list.items[0].value, list.items[1].value,
	   list.items[2].value);
	ok(list.items[2].value > 0.25, "pages visited before are worth more than T: %.2f", list.items[2].value);
	ok(list.items[3].reason == PRN_NEXT_NEW && list.items[0].reason == PRN_NEXT_RULE,
	   "each page that is given says what made it due");
	ok(list.items[0].lease == PRN_TIME_UNKNOWN, "a page that is given without a lease has none");
	same(desk_names(&desk, T0 + 60 * DAY, 2, 0), "fast middle", "a limit leaves out the least valuable pages");
	same(desk_names(&desk, T0 + 60 * DAY, 0, 0), "", "with a limit of 0 no page is given");
	ok(!strcmp(desk_names(&desk, T0 + 5 * DAY + 1, 10, 0), "") && !strcmp(desk_names(&desk, T0 + 5 * DAY + 1, 10, 60), ""),
	   "before its time no page is due");
	put(&desk, "http://d.example/new", 10000, T0);
	prn_decider_commit(desk.decider, NULL);
	same(desk_names(&desk, T0 + 60 * DAY, 1, 0), "new",
	     "a page of a large weight comes before pages that are worth more without it");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* Pages of equal value, which only multiples of a day give exactly. */
static void ties(void)
{
	const int64_t now = T0 / DAY * DAY;
	char urls[5][64];
	struct desk desk;
	struct prn_digest before = { 0, 0 };
	const char *given;
	bool by_key = true;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/came", 5, now);
	put(&desk, "http://b.example/waited", 1, now - DAY);
	prn_decider_commit(desk.decider, NULL);
	given = desk_names(&desk, now, 10, 0);
	same(given, "waited came", "of pages that are worth the same the one that has waited longest comes first");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 5; i++) {
		snprintf(urls[i], sizeof urls[i], "http://h%d.example/%d", i, i);
		put(&desk, urls[i], 1, now);
	}
	prn_decider_commit(desk.decider, NULL);
	given = desk_names(&desk, now, 10, 0);
	for (const char *at = given; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL) {
		struct prn_digest key = prn_url_key(urls[*at - '0']);

		by_key &= prn_digest_compare(&before, &key) < 0;
		before = key;
	}
	ok(strlen(given) == 9 && by_key, "pages that are alike in value and wait come in the order of their keys: %s", given);
	desk_release(&desk);
}

/* Whether one of the words given is name. */
static bool lists(const char *given, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(given, name); at; at = strstr(at + 1, name))
		if ((at == given || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/*
 * States are rounded: at the second that was decided a page is due, whatever its state, read again, would decide.  That of
 * curve fitting is rounded most: the lags of its profiles, to 2^-11.
 */
static void due_to_the_second(const char *policy)
{
	struct desk desk;
	int64_t due[60];
	char name[16], url[64];
	unsigned given = 0;

	desk_open(&desk, policy, 0);
	for (unsigned i = 0; i < 60; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i, i);
		for (unsigned visit = 0; visit < 12; visit++)
			desk_text(&desk, url, T0 + visit * (DAY + 977 * i), text_from(visit * (i % 7)));
		due[i] = desk.outcome.next;
	}
	prn_decider_commit(desk.decider, NULL);
	for (unsigned i = 0; i < 60; i++) {
		snprintf(name, sizeof name, "%u", i);
		given += lists(desk_names(&desk, due[i], 1000, 0), name);
	}
	ok(given == 60, "%s: each of 60 pages is due at the very second that was decided: %u are", policy, given);
	desk_release(&desk);
}

static void policies_without_a_curve(void)
{
	struct desk desk;

	desk_open(&desk, "bound-based", 0.25);
	desk_text(&desk, "http://a.example/late", T0, text_from(0));
	desk_text(&desk, "http://b.example/later", T0 - DAY, text_from(0));
	prn_decider_commit(desk.decider, NULL);
	same(desk_names(&desk, T0 + 2 * DAY, 10, 0), "later late",
	     "where no curve is learned, pages come by how many periods they are late");
	desk_release(&desk);
}

static void leases(void)
{
	struct desk desk;
	struct look look;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 3, T0);
	put(&desk, "http://a.example/2", 2, T0);
	put(&desk, "http://a.example/3", 1, T0);
	same(desk_names(&desk, T0, 2, 600), "1 2", "pages are given on lease though they were only staged");
	same(desk_names(&desk, T0, 2, 600), "3", "a page that is out on lease is not given again");
	same(desk_names(&desk, T0 + 599, 2, 600), "", "no page is given before its lease runs out");
	desk_text(&desk, "http://a.example/1", T0 + 300, text_from(0));
	ok(desk_look(&desk, "http://a.example/1").lease == PRN_TIME_UNKNOWN,
	   "an answer ends the lease of its page");
	ok(desk_look(&desk, "http://a.example/2").lease == T0 + 600,
	   "an answer leaves the lease of another page as it is");
	same(desk_names(&desk, T0 + 600, 10, 600), "", "a page whose lease has run out is not given at once");
	look = desk_look(&desk, "http://a.example/2");
	ok(look.failures == 1, "a lease that runs out is a failure of its page");
	ok(look.due == T0 + 600 + HOUR, "a page whose lease ran out backs off from when the lease ended");
	ok(look.lease == PRN_TIME_UNKNOWN, "a lease that ran out is not kept");
	ok(desk_text(&desk, "http://a.example/2", T0 + 500, text_from(0)) == PRN_OUTCOME_OBSERVED &&
	           desk_look(&desk, "http://a.example/2").failures == 0,
	   "an answer from within the lease that is reported after its end still counts");
	same(desk_names(&desk, T0 + 600 + HOUR, 10, 600), "3",
	     "a page whose lease ran out is given again once its back-off has ended");
	desk_reopen(&desk);
	same(desk_names(&desk, T0 + 600 + HOUR + 1, 10, 600), "",
	     "leases are kept when the store is closed and opened again");
	desk_release(&desk);
}

static void host_delays(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_delay_s = 10;
	desk_reopen(&desk);
	for (int i = 0; i < 3; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%d", i);
		put(&desk, url, 10 - i, T0);
	}
	put(&desk, "http://b.example/b", 1, T0);
	same(desk_names(&desk, T0, 10, 600), "0 b",
	     "of a host that wants a delay one page is given at a time, and one of another host");
	same(desk_names(&desk, T0 + 9, 10, 600), "", "before a host's delay is over no other page of it is given");
	same(desk_names(&desk, T0 + 10, 10, 600), "1", "when a host's delay is over its next page is given");
	desk_text(&desk, "http://a.example/1", T0 + 17, text_from(0));
	same(desk_names(&desk, T0 + 20, 10, 600), "",
	     "a host's delay counts from when its last page was fetched, if that was later");
	ok(desk_next(&desk, "http://a.example/2") == T0 + 27, "a page that waits is explained to wait for the end of its host's delay");
	same(desk_names(&desk, T0 + 27, 10, 600), "2",
	     "a page whose host's delay was put off is given when it is over");
	desk_release(&desk);
}

/* How many pages are due, and when the next one is, after T0. */
static const char *next_told(struct desk *desk, const struct prn_due_request *request, struct prn_due_list *list)
{
	static char text[80];

	if (prn_decider_due(desk->decider, request, list, NULL))
		return "refused";
	if (list->next == PRN_TIME_UNKNOWN)
		snprintf(text, sizeof text, "%zu given, none to come", list->count);
	else
		snprintf(text, sizeof text, "%zu given, more after %lld s", list->count, (long long)(list->next - T0));
	return text;
}

/* What is to come is told with what is due. */
static void when_next(void)
{
	struct prn_due_request request = { T0, 1, 600 };
	struct prn_due_list list;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_delay_s = 10;
	desk_reopen(&desk);
	prn_due_list_init(&list);
	same(next_told(&desk, &request, &list), "0 given, none to come", "an empty store knows of no next page");
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0);
	put(&desk, "http://c.example/3", 1, T0 + 30);
	same(next_told(&desk, &request, &list), "1 given, more after 0 s", "a list that is full says that there may be more now");
	request.limit = 10;
	same(next_told(&desk, &request, &list), "0 given, more after 10 s", "a list with room says when the next host's delay is over");
	request.now = T0 + 10;
	same(next_told(&desk, &request, &list), "1 given, more after 30 s", "a list with room says when the next page becomes due");
	request.lease_s = 0;
	same(next_told(&desk, &request, &list), "0 given, more after 30 s", "a look says when the next page becomes due");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A page is fetched within whole seconds, and so are the delays between pages. */
static void delays_of_half_a_second(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_delay_s = 0.5;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0);
	same(desk_names(&desk, T0, 10, 60), "1",
	     "a host that wants half a second between pages is given one at a time");
	same(desk_names(&desk, T0 + 1, 10, 60), "2",
	     "a host that wants half a second between pages is given one a second");
	desk_release(&desk);
}

/* A host that is given one page, with nothing left to wait for it. */
static void delays_are_remembered(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_delay_s = 10;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 2, T0);
	put(&desk, "http://a.example/2", 1, T0 + 3);
	same(desk_names(&desk, T0, 1, 60), "1", "a page is given while it is the only one of its host that is due");
	same(desk_names(&desk, T0 + 3, 10, 60), "",
	     "a page that becomes due after another of its host was given waits");
	same(desk_names(&desk, T0 + 10, 10, 60), "2",
	     "a page that became due after another of its host is given when the delay is over");
	desk_release(&desk);
}

static void host_limits(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 2;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 9, T0);
	put(&desk, "http://a.example/2", 8, T0);
	put(&desk, "http://a.example/3", 7, T0);
	put(&desk, "http://A.example:8080/4", 6, T0);
	put(&desk, "http://b.example/5", 5, T0);
	prn_decider_commit(desk.decider, NULL);
	same(desk_names(&desk, T0, 10, 0), "1 2 5", "a look shows no more URLs of a host than its limit");
	same(desk_names(&desk, T0, 10, 600), "1 2 5", "no more URLs of a host are out than its limit");
	ok(desk_next(&desk, "http://a.example/3") == T0 + 600 && desk_next(&desk, "http://a.example:8080/4") == T0 + 600,
	   "URLs over the limit of their host wait until the leases of the others end at the latest");
	desk_text(&desk, "http://a.example/1", T0 + 1, text_from(0));
	same(desk_names(&desk, T0 + 1, 10, 600), "3",
	     "when a URL of a host comes back there is room for another of it");
	desk_text(&desk, "http://a.example/2", T0 + 1, text_from(0));
	same(desk_names(&desk, T0 + 1, 10, 600), "4",
	     "when a second URL of a host comes back there is room for one more");
	desk_release(&desk);
}

/* The first of two leases of a host ends: the second one is still out. */
static void leases_of_a_host_one_by_one(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 2;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 9, T0);
	put(&desk, "http://a.example/2", 8, T0);
	put(&desk, "http://a.example/3", 7, T0);
	put(&desk, "http://a.example/4", 6, T0);
	put(&desk, "http://a.example/5", 5, T0);
	prn_decider_commit(desk.decider, NULL);
	same(desk_names(&desk, T0, 1, 60), "1", "a URL of a host is given");
	same(desk_names(&desk, T0 + 30, 10, 60), "2", "a second one, up to the limit of the host");
	same(desk_names(&desk, T0 + 70, 10, 60), "3", "when the first lease has ended there is room for one, beside the second");
	desk_release(&desk);
}

/* Two pages of each of 200 hosts, which are met twice while the table of hosts grows. */
static void many_hosts(void)
{
	struct desk desk;
	struct prn_due_list list;
	const struct prn_due_request request = { T0, 1000, 600 };
	unsigned given[200] = { 0 }, most = 0;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 400; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % 200, i);
		put(&desk, url, 1 + i % 7, T0);
	}
	prn_decider_commit(desk.decider, NULL);
	prn_due_list_init(&list);
	must(!prn_decider_due(desk.decider, &request, &list, NULL), "ask for pages");
	for (size_t i = 0; i < list.count; i++) {
		unsigned host = (unsigned)strtoul(list.items[i].url + strlen("http://h"), NULL, 10);

		must(host < 200, "know a host");
		most = ++given[host] > most ? given[host] : most;
	}
	ok(list.count == 200 && most == 1, "of each of 200 hosts its one page is given: %zu pages, %u of a host", list.count, most);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A name that is longer than any host's. */
static void long_host_names(void)
{
	char url[800];
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	snprintf(url, sizeof url, "http://%0700d.example/1", 0);
	put(&desk, url, 3, T0);
	same(desk_names(&desk, T0, 10, 600), "1", "a page whose host has a name of 700 letters is given like others");
	desk_release(&desk);
}

/* What was given while there was no limit was not counted. */
static void limits_that_are_new(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, "http://a.example/1", 3, T0);
	put(&desk, "http://a.example/2", 2, T0);
	same(desk_names(&desk, T0, 1, 600), "1", "a page is given while its host has no limit");
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	desk_text(&desk, "http://a.example/1", T0 + 1, text_from(0));
	same(desk_names(&desk, T0 + 2, 10, 600), "2",
	     "a page that was given before its host had a limit leaves room for another when it comes back");
	desk_release(&desk);
}

/* A host with more pages to visit than it has turns for: they are all new, all the time. */
static void turns_of_a_busy_host(void)
{
	int64_t now = T0 + 3 * DAY;
	struct desk desk;
	int hours = 0;

	desk_open(&desk, NULL, 0.02);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 120; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%u", i % 40);
		desk_text(&desk, url, T0 + i / 40 * DAY, text_from(1000 * i));
	}
	put(&desk, "http://a.example/new", 0, now);
	for (; hours < 150 && !desk_look(&desk, "http://a.example/new").visits; hours++, now += HOUR) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%.40s", desk_names(&desk, now, 10, 1800));
		desk_text(&desk, url, now + 60, text_from(100000 + 1000 * (unsigned)hours));
	}
	ok(hours < 72, "a page never visited gets its turn by how long it has waited: after %d hours", hours);
	desk_release(&desk);
}

/* What is forgotten on lease leaves room for others. */
static void forgotten_leases(void)
{
	struct prn_store_totals totals;
	struct desk desk;
	uint64_t forgotten;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	put(&desk, "http://a.example/1", 9, T0);
	put(&desk, "http://a.example/2", 8, T0);
	same(desk_names(&desk, T0, 10, 600), "1", "a host with a limit of one has one page out on lease");
	same(desk_names(&desk, T0, 10, 600), "", "a host with its limit of pages out is given no other");
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_URL, "http://a.example/1", &forgotten, NULL) &&
	           forgotten == 1,
	   "a page is forgotten while it is out on lease");
	ok(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL) && totals.leased == 0,
	   "the lease of a page that was forgotten is counted no more");
	same(desk_names(&desk, T0 + 1, 10, 600), "2",
	     "a page that was forgotten on lease leaves room for another of its host");
	ok(!prn_decider_forget(desk.decider, PRN_FORGET_URL, "http://a.example/2", &forgotten, NULL),
	   "the last page of a host is forgotten");
	ok(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL) && totals.hosts == 0,
	   "when the last page of a host is forgotten, nothing is remembered of the host");
	desk_release(&desk);
}

static void busy_hosts(void)
{
	struct prn_capture busy = status_of("http://a.example/1", T0, 503);
	struct desk desk;

	desk_open(&desk, NULL, 0);
	busy.retry_after_s = 2 * HOUR;
	desk_answer(&desk, busy);
	put(&desk, "http://a.example/2", 2, T0);
	put(&desk, "http://b.example/3", 0, T0);
	prn_decider_commit(desk.decider, NULL);
	same(desk_names(&desk, T0 + HOUR, 10, 0), "3", "no page is given of a host that asked to be left alone");
	desk_names(&desk, T0 + HOUR, 10, 600);
	ok(desk_next(&desk, "http://a.example/2") == T0 + 2 * HOUR,
	   "a page whose host asked to be left alone is due when that time is over");
	same(desk_names(&desk, T0 + 2 * HOUR, 10, 600), "2 1",
	     "pages are given again when the time for which their host asked to be left alone is over");
	desk_release(&desk);
}

/* 5000 pages overdue by a month, 100 at a time. */
static void no_stampede(void)
{
	const struct prn_due_request request = { T0 + 30 * DAY, 100, 600 };
	struct prn_due_list list;
	struct desk desk;
	size_t given = 0, calls = 0;
	bool sorted = true, full = true;

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 5000; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%d.example/%d", i % 50, i);
		put(&desk, url, 1 + i * 7919 % 5000, T0 + i % 100);
	}
	prn_due_list_init(&list);
	do {
		must(!prn_decider_due(desk.decider, &request, &list, NULL), "ask");
		for (size_t i = 1; i < list.count; i++)
			sorted &= list.items[i].value <= list.items[i - 1].value;
		full &= list.count == 100 || !list.count;
		given += list.count;
		calls++;
	} while (list.count);
	ok(given == 5000, "each page of a backlog is given once: %zu of 5000", given);
	ok(calls == 51 && full, "a backlog comes out as fast as it is asked for: in %zu calls", calls);
	ok(sorted, "each call for pages of a backlog gives them by value");
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* A host's backlog does not stand in the way of others, however long. */
static void no_starvation(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	for (int i = 0; i < 3000; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%d", i);
		put(&desk, url, 9, T0);
	}
	put(&desk, "http://b.example/b", 1, T0 + 1);
	ok(strstr(desk_names(&desk, T0 + 2, 2, 600), " b") != NULL,
	   "a page of another host is found behind thousands of one host");
	desk_release(&desk);
}

/* A fetcher that is slower than the lease. */
static void late_answers(void)
{
	struct desk desk;
	int64_t again;

	desk_open(&desk, NULL, 0);
	put(&desk, PAGE, 0, T0);
	same(desk_names(&desk, T0, 1, 600), "page", "a page is given on lease to a fetcher");
	same(desk_names(&desk, T0 + 700, 1, 600), "",
	     "a page that did not come back within its lease is not given at once");
	ok(desk_look(&desk, PAGE).failures == 1, "a page that did not come back within its lease has a failure");
	desk.clock = T0 + 800;
	ok(desk_status(&desk, PAGE, T0 + 300, 500) == PRN_OUTCOME_ERROR && desk_look(&desk, PAGE).failures == 1,
	   "an error that is reported late is the same failure as the lease that ran out");
	ok(desk.outcome.next == T0 + 300 + HOUR,
	   "a page whose error is reported late backs off from when it was fetched");
	desk.clock = T0 + 2 * HOUR;
	desk_status(&desk, PAGE, T0 + 2 * HOUR, 500);
	ok(desk_look(&desk, PAGE).failures == 2, "an error after one that was reported late is another failure");
	again = desk_look(&desk, PAGE).due;
	same(desk_names(&desk, again, 1, 600), "page", "a page that failed is given again");
	desk_names(&desk, again + 600, 1, 600);
	desk.clock = again + 900;
	ok(desk_look(&desk, PAGE).failures == 3, "another lease that ran out is a third failure");
	ok(desk_status(&desk, PAGE, again + 700, 500) == PRN_OUTCOME_ERROR,
	   "an error of a fetch after the end of the lease is taken");
	ok(desk_look(&desk, PAGE).failures == 4, "an error of a fetch after the end of the lease is not the failure of that lease");
	desk.clock = again + HOUR;
	ok(desk_text(&desk, PAGE, again + HOUR, text_from(0)) == PRN_OUTCOME_OBSERVED &&
	   desk_look(&desk, PAGE).failures == 0, "content ends the failures of its page");
	desk_release(&desk);
}

static void thresholds_that_changed(void)
{
	struct prn_tuning tuning;
	struct desk desk;
	int64_t due;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, "http://a.example/1", T0, text_from(0));
	due = desk.outcome.next;
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 0.05, PRN_UNIT_VISITS }, .apply = true }, &tuning, NULL), "tune");
	same(desk_names(&desk, due, 10, 600), "", "a page that is due no more at a larger T is not given");
	due = desk_look(&desk, "http://a.example/1").due;
	ok(due > T0 + 10 * DAY && due < T0 + 20 * DAY,
	   "a page due no more at a larger T is queued for somewhat more than the new budget, a visit in 20 days: %.1f days",
	   (double)(due - T0) / DAY);
	due = desk_look(&desk, "http://a.example/1").due;
	same(desk_names(&desk, due, 10, 600), "1",
	     "a page that was queued anew for a larger T is given at its new time");
	desk_release(&desk);
}

static void intervals_that_changed(void)
{
	static const struct prn_interval_rule rare[] = { { NULL, NULL, 100 * 86400.0, 0 } };
	struct desk desk;
	int64_t due;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, "http://a.example/1", T0, text_from(0));
	due = desk.outcome.next;
	prn_decider_commit(desk.decider, NULL);
	same(desk_names(&desk, due, 10, 0), "1", "a page is due at the time its policy decided");
	desk.options.intervals = rare;
	desk.options.interval_count = 1;
	ok(!prn_decider_set_options(desk.decider, &desk.options, NULL) && !strcmp(desk_names(&desk, due, 10, 0), ""),
	   "a page is due no more when its interval must be longer");
	same(desk_names(&desk, due, 10, 600), "", "a page whose interval must be longer is not given on lease");
	ok(desk_look(&desk, "http://a.example/1").due == T0 + 100 * DAY,
	   "a page whose interval must be longer is queued for the end of that interval");
	desk_release(&desk);
}

static void who_may_ask(void)
{
	struct prn_due_request request = { T0, 10, 600 };
	struct prn_decider *reader;
	struct prn_due_list list;
	struct prn_error error = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, PAGE, 1, T0);
	prn_decider_commit(desk.decider, NULL);
	prn_due_list_init(&list);
	must(!prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, &error), "open for reading");
	ok(prn_decider_due(reader, &request, &list, &error) == PRN_E_ARGUMENT,
	   "a store opened for reading gives no lease: %s",
	   error.text);
	request.lease_s = 0;
	ok(!prn_decider_due(reader, &request, &list, &error) && list.count == 1,
	   "a store opened for reading shows what is due without a lease");
	request.lease_s = NAN;
	ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_ARGUMENT,
	   "a lease that is no number is refused: %s",
	   error.text);
	request.lease_s = nextafter(PRN_LEASE_MOST_S, INFINITY);
	ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_ARGUMENT,
	   "a lease longer than PRN_LEASE_MOST_S is refused: %s", error.text);
	ok(desk_look(&desk, PAGE).lease == PRN_TIME_UNKNOWN, "a lease that is refused is not taken");
	request.lease_s = PRN_LEASE_MOST_S;
	ok(!prn_decider_due(desk.decider, &request, &list, &error), "a lease of PRN_LEASE_MOST_S is given");
	ok(list.count == 1 && list.items[0].lease == T0 + DAY, "a lease of PRN_LEASE_MOST_S is a day");
	prn_due_list_release(&list);
	prn_decider_free(reader);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	most_valuable_first();
	ties();
	due_to_the_second("drift");
	due_to_the_second("curve-fitting");
	policies_without_a_curve();
	leases();
	host_delays();
	when_next();
	delays_of_half_a_second();
	delays_are_remembered();
	host_limits();
	leases_of_a_host_one_by_one();
	many_hosts();
	limits_that_are_new();
	long_host_names();
	turns_of_a_busy_host();
	forgotten_leases();
	busy_hosts();
	no_stampede();
	no_starvation();
	late_answers();
	thresholds_that_changed();
	intervals_that_changed();
	who_may_ask();
	return done();
}
