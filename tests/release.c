/* Leases that a fetcher gives back: the pages are due as they were. */
#include "desk.h"
#include "perennial/due.h"

/* How many pages are handed out. */
static size_t take(struct desk *desk, int64_t now)
{
	const struct prn_due_request request = { now, 100, 600 };
	struct prn_due_list list;
	size_t count;

	prn_due_list_init(&list);
	must(!prn_decider_due(desk->decider, &request, &list, NULL), "take what is due");
	count = list.count;
	prn_due_list_release(&list);
	return count;
}

static void put(struct desk *desk, const char *url)
{
	enum prn_added added;

	must(!prn_decider_add(desk->decider, url, 1, T0, &added, NULL), "add a page");
}

/* A desk of pages of different hosts, and a place. */
static void open_with_pages(struct desk *desk)
{
	desk_open(desk, NULL, 0);
	desk->options.host_limit = 0;
	desk->options.host_delay_s = 0;
	desk_reopen(desk);
	put(desk, "http://a.example/news/1");
	put(desk, "http://a.example/news/2");
	put(desk, "http://a.example/old");
	put(desk, "http://b.example/");
}

static void by_url(void)
{
	struct prn_error error = { 0 };
	struct look before, after;
	bool released = false;
	struct desk desk;

	open_with_pages(&desk);
	before = desk_look(&desk, "http://b.example/");
	must(take(&desk, T0 + 60) == 4, "take all");
	ok(!prn_decider_release(desk.decider, "HTTP://B.example", T0 + 120, &released, NULL) && released,
	   "a page on lease is given back by any spelling of its URL");
	after = desk_look(&desk, "http://b.example/");
	ok(after.lease == PRN_TIME_UNKNOWN && after.due == before.due,
	   "a page that is given back is due as it was before it was handed out");
	ok(after.failures == 0, "a page that is given back has no failure for it");
	ok(take(&desk, T0 + 120) == 1, "a page that is given back is handed out again at once");
	must(desk_text(&desk, "http://b.example/", T0 + 130, text_from(0)) == PRN_OUTCOME_OBSERVED, "observe");
	ok(!prn_decider_release(desk.decider, "http://b.example/", T0 + 140, &released, NULL) && !released,
	   "a page that came back is not on lease");
	ok(!prn_decider_release(desk.decider, "http://nowhere.example/", T0 + 140, &released, NULL) && !released,
	   "a page that is not known is not on lease");
	ok(desk_look(&desk, "http://b.example/").due > T0 + 130, "a page that is not on lease stays as it is");
	ok(prn_decider_release(desk.decider, "ftp://b.example/", T0, &released, &error) == PRN_E_INPUT,
	   "what is no URL of a page cannot be given back: %s", error.text);
	desk_release(&desk);
}

static void all(void)
{
	struct prn_error error = { 0 };
	struct prn_store_totals totals;
	uint64_t count = 99;
	struct desk desk;

	open_with_pages(&desk);
	must(take(&desk, T0) == 4, "take all");
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_SURT, "example,a)/news", T0, &count, NULL) && count == 2,
	   "what is on lease under a prefix is given back");
	ok(take(&desk, T0) == 2, "what was given back by a prefix is handed out again");
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_HOST, "A.example", T0, &count, NULL) && count == 3,
	   "what is on lease of a host is given back");
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_HOST, "A.example", T0, &count, NULL) && count == 0,
	   "what was given back is not on lease any more");
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0, &count, NULL) && count == 1,
	   "all that is on lease is given back");
	must(!prn_store_totals(prn_decider_store(desk.decider), &totals, NULL), "count");
	ok(totals.leased == 0, "when all was given back no page is on lease");
	ok(totals.due == 4, "when all was given back every page is due");
	ok(prn_decider_release_all(desk.decider, PRN_RELEASE_SURT, "", T0, &count, &error) == PRN_E_ARGUMENT,
	   "an empty prefix gives nothing back by mistake: %s", error.text);
	desk_release(&desk);
}

static void of_full_hosts(void)
{
	bool released;
	struct desk desk;

	open_with_pages(&desk);
	desk.options.host_limit = 1;
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	must(take(&desk, T0) == 2 && take(&desk, T0 + 1) == 0, "fill the hosts");
	for (int i = 1; i <= 3; i++) {
		const char *urls[] = { "http://a.example/news/1", "http://a.example/news/2", "http://a.example/old" };

		for (int j = 0; j < 3; j++)
			must(!prn_decider_release(desk.decider, urls[j], T0 + i, &released, NULL), "release");
		ok(take(&desk, T0 + i) == 1, "a page that is given back leaves its place at a full host, %d of 3 times", i);
	}
	desk_release(&desk);
}

/* More than are ended in one commit. */
static void many(void)
{
	const struct prn_due_request request = { T0, 12000, 600 };
	struct prn_due_list list;
	uint64_t count = 0;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 12000; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/", i);
		put(&desk, url);
	}
	prn_due_list_init(&list);
	must(!prn_decider_due(desk.decider, &request, &list, NULL) && list.count == 12000, "take all");
	prn_due_list_release(&list);
	ok(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0, &count, NULL) && count == 12000,
	   "more pages are given back than one commit takes");
	desk_release(&desk);
}

static void who_may(void)
{
	struct prn_error error = { 0 };
	struct prn_decider *reader = NULL;
	uint64_t count;
	bool released;
	struct desk desk;

	open_with_pages(&desk);
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, NULL),
	     "open for reading");
	ok(prn_decider_release(reader, "http://b.example/", T0, &released, &error) == PRN_E_ARGUMENT,
	   "a page is not given back to a store that is open for reading: %s", error.text);
	ok(prn_decider_release_all(reader, PRN_RELEASE_ALL, NULL, T0, &count, &error) == PRN_E_ARGUMENT,
	   "pages are not given back to a store that is open for reading: %s", error.text);
	prn_decider_free(reader);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	by_url();
	all();
	of_full_hosts();
	many();
	who_may();
	return done();
}
