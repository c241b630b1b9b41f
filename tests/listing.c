/* The first pages of a store in some order, against all of its pages explained and sorted here. */
#include "decide/listing.h"

#include "base/random.h"
#include "desk.h"
#include "perennial/explanation.h"

#include <math.h>

#define PAGES 240
#define NOW (T0 + 40 * DAY)

static const char *const names[] = { "next", "value", "visits", "failures", "suspect" };

/* A page as explained, and where it should stand; not at all: -INFINITY. */
struct told {
	char url[64];
	double rank;
	int64_t next;
};

static struct told told[PAGES + 8];
static size_t told_count;
static enum prn_listing_by asked;

/* A page that has only failed, and more than once, is worth T when its time comes, and four times that a week later. */
static double value_of_unanswered(const struct prn_explanation *page)
{
	double weeks = fmax(0, (double)(NOW - page->next) / PRN_DAY_S / 7);

	return page->threshold * (1 + weeks) * (1 + weeks);
}

static double rank_of(const struct prn_explanation *page)
{
	bool out = page->lease != PRN_TIME_UNKNOWN, retired = page->status == PRN_PAGE_RETIRED;

	switch (asked) {
	case PRN_LISTING_NEXT:
		return out || page->waits || page->next == PRN_TIME_UNKNOWN ? -INFINITY : -(double)page->next;
	case PRN_LISTING_VALUE:
		if (out || retired)
			return -INFINITY;
		if (!page->visits && page->failures > 1)
			return value_of_unanswered(page);
		return page->visits ? page->utility : page->weight * (page->threshold + (double)(NOW - page->next) / PRN_DAY_S);
	case PRN_LISTING_VISITS:
		return page->visits ? (double)page->visits : -INFINITY;
	case PRN_LISTING_FAILURES:
		return page->failures && !retired ? (double)page->failures : -INFINITY;
	default:
		return page->status == PRN_PAGE_SUSPECT ? (double)page->attempted : -INFINITY;
	}
}

static int tell(void *context, const struct prn_explanation *page)
{
	struct told *to = &told[told_count];

	(void)context;
	snprintf(to->url, sizeof to->url, "%s", page->url);
	to->rank = rank_of(page);
	to->next = page->next;
	told_count += to->rank > -INFINITY;
	return 0;
}

static int best_first(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	return (x->rank < y->rank) - (x->rank > y->rank);
}

static const struct told *find(const char *url)
{
	for (size_t i = 0; i < told_count; i++)
		if (!strcmp(told[i].url, url))
			return &told[i];
	return NULL;
}

/* All that could be listed, the best first. */
static void sort_all(struct desk *desk, enum prn_listing_by by)
{
	asked = by;
	told_count = 0;
	must(!prn_decider_each(desk->decider, NOW, tell, NULL, NULL), "explain all pages");
	qsort(told, told_count, sizeof *told, best_first);
}

static struct prn_listing listing;

static int list(struct desk *desk, enum prn_listing_by by, size_t limit, size_t look)
{
	struct prn_error error = { 0 };
	int code = prn_decider_list(desk->decider, by, NOW, limit, look, &listing, &error);

	if (code)
		printf("# %s\n", error.text);
	return code;
}

/* The n-th of the list has the rank of the n-th of all: pages of the same rank may change places. */
static bool is_first(size_t limit)
{
	size_t wanted = told_count < limit ? told_count : limit;

	if (listing.count != wanted)
		return false;
	for (size_t i = 0; i < wanted; i++) {
		const struct told *page = find(listing.items[i].url);

		if (!page || fabs(page->rank - told[i].rank) > 1e-9 * fabs(told[i].rank) || page->next != listing.items[i].next)
			return false;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(listing.items[i].url, listing.items[j].url))
				return false;
	}
	return true;
}

/* Pages of some hosts, as weeks of visits leave them. */
static void fill(struct desk *desk)
{
	struct prn_random random = { 0 };
	enum prn_added added;

	prn_random_seed(&random, 7, 0);
	for (unsigned i = 0; i < PAGES; i++) {
		unsigned visits = (unsigned)prn_random_below(&random, 7), kind = (unsigned)prn_random_below(&random, 8);
		char url[64];

		snprintf(url, sizeof url, "http://h%u.example/%u", i % 11, i);
		must(!prn_decider_add(desk->decider, url, 0.5 + 3 * prn_random_unit(&random), T0 + 10 * i, &added, NULL), "add");
		for (unsigned v = 0; v < visits; v++)
			desk_text(desk, url, T0 + v * 3 * DAY + i, text_from(v % 2 ? v * (i % 5) : v));
		if (kind == 0)
			for (unsigned n = 0; n <= i % 4; n++)
				desk_status(desk, url, T0 + (int64_t)(visits + n) * 3 * DAY + HOUR, 503);
		if (kind == 1 && visits > 4)
			desk_text(desk, url, T0 + 30 * DAY + i, "captcha: are you a robot at all, or are you not one of them at all");
		if (kind == 2)
			for (unsigned n = 0; n < 12; n++)
				desk_status(desk, url, T0 + (int64_t)(visits + n) * 3 * DAY + HOUR, 410);
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

/* Some are out. */
static void lease_some(struct desk *desk)
{
	struct prn_due_list due;

	prn_due_list_init(&due);
	ok(desk_due(desk, &due, NOW, 5, 3600) == 5, "some pages are out");
	prn_due_list_release(&due);
}

static void check_orders(struct desk *desk, const char *what)
{
	for (int by = 0; by < PRN_LISTINGS; by++) {
		sort_all(desk, (enum prn_listing_by)by);
		ok(told_count > 2, "there are pages of %s to list by %s", what, names[by]);
		ok(!list(desk, (enum prn_listing_by)by, PRN_LISTING_MOST, PAGES) && is_first(PRN_LISTING_MOST),
		   "by %s the first hundred of %s are those of all of its pages", names[by], what);
		ok(!list(desk, (enum prn_listing_by)by, 3, PAGES) && is_first(3), "by %s the first three of %s are those of all of its pages",
		   names[by], what);
	}
}

static void test_one(void)
{
	struct desk desk;
	size_t all;

	desk_open(&desk, "drift", 0.25);
	fill(&desk);
	lease_some(&desk);
	check_orders(&desk, "a store");
	ok(!list(&desk, PRN_LISTING_VISITS, 10, PAGES) && listing.looked == PAGES, "as many pages of a store are looked at as may be");
	ok(listing.whole, "a store whose every page was looked at is told as whole");
	all = listing.found;
	sort_all(&desk, PRN_LISTING_VISITS);
	ok(all == told_count, "a listing has the number of all pages beside the first of them");
	ok(!list(&desk, PRN_LISTING_VISITS, 10, 50) && !listing.whole,
	   "of a store with more pages than are looked at it is said that it is a sample");
	ok(listing.looked == 50 && listing.found <= 50, "of a store with more pages than are looked at no more are looked at");
	ok(listing.count == 10, "of a sample of a store as many pages are listed as are asked for");
	ok(!list(&desk, PRN_LISTING_NEXT, 10, 10) && listing.whole,
	   "a listing of what comes next is whole, however few pages are looked at");
	ok(listing.looked == 10, "what comes next is found without a look at others");
	sort_all(&desk, PRN_LISTING_NEXT);
	ok(!list(&desk, PRN_LISTING_NEXT, 10, 10) && is_first(10), "the pages that come next are listed, however few are looked at");
	ok(!list(&desk, PRN_LISTING_VALUE, 20, 20) && listing.looked > 20,
	   "to list pages of most worth those that are due first are looked at too");
	desk_spoil(&desk, "http://h0.example/0");
	desk_make_newer(&desk, "http://h1.example/1");
	ok(list(&desk, PRN_LISTING_VISITS, 10, PAGES) == PRN_E_VERSION && !listing.count,
	   "a page of a newer program ends a listing, which is empty then");
	desk_release(&desk);
}

static void test_spoilt(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (unsigned i = 0; i < 9; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%u", i);
		desk_text(&desk, url, T0, text_from(i));
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_spoil(&desk, "http://a.example/4");
	for (int by = 0; by < PRN_LISTING_FAILURES; by++) {
		ok(!list(&desk, (enum prn_listing_by)by, 50, 50) && listing.unreadable == 1,
		   "by %s one page that cannot be read is counted", names[by]);
		ok(listing.count == 8, "by %s the pages beside one that cannot be read are listed", names[by]);
	}
	desk_release(&desk);
}

static void test_shards(void)
{
	const struct prn_decider_settings settings = { .policy = "drift", .threshold = 0.25, .shards = 4 };
	struct desk desk = { 0 };

	snprintf(desk.path, sizeof desk.path, "%s/shards", scratch);
	desk_create(&desk, &settings);
	fill(&desk);
	lease_some(&desk);
	check_orders(&desk, "a store of four shards");
	ok(!list(&desk, PRN_LISTING_VISITS, 10, 80) && !listing.whole,
	   "of four shards that have more pages than are looked at it is said that it is a sample");
	ok(listing.looked <= 80, "of four shards each looks at its part of the pages that are to be looked at");
	desk_release(&desk);
}

static void test_bad(void)
{
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (int by = 0; by < PRN_LISTINGS; by++) {
		ok(!list(&desk, (enum prn_listing_by)by, 10, 10) && !listing.count,
		   "of an empty store nothing is listed by %s", names[by]);
		ok(listing.whole, "a listing of an empty store by %s is whole", names[by]);
	}
	ok(list(&desk, PRN_LISTINGS, 10, 10) == PRN_E_ARGUMENT, "an order that there is not is refused");
	ok(list(&desk, PRN_LISTING_NEXT, 0, 10) == PRN_E_ARGUMENT, "a listing of no page is refused");
	ok(list(&desk, PRN_LISTING_NEXT, PRN_LISTING_MOST + 1, 10) == PRN_E_ARGUMENT, "a listing of more than a hundred pages is refused");
	ok(prn_decider_list(desk.decider, PRN_LISTING_NEXT, PRN_TIME_UNKNOWN, 10, 10, &listing, NULL) == PRN_E_ARGUMENT,
	   "a listing at no time is refused");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	prn_listing_init(&listing);
	test_one();
	test_spoilt();
	test_shards();
	test_bad();
	prn_listing_release(&listing);
	return done();
}
