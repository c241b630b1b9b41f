/* Which pages there are: added, revived, forgotten. */
#include "desk.h"

#include <stdio.h>

static uint64_t pages_of(struct desk *desk)
{
	struct prn_store_totals totals;

	must(!prn_store_totals(prn_decider_store(desk->decider), &totals, NULL), "count");
	return totals.pages;
}

static enum prn_added put(struct desk *desk, const char *url, double weight, int64_t now)
{
	enum prn_added added;
	struct prn_error error;

	must(!prn_decider_add(desk->decider, url, weight, now, &added, &error), "add a page");
	return added;
}

static uint64_t take(struct desk *desk, enum prn_forget by, const char *what)
{
	struct prn_error error = { 0 };
	uint64_t forgotten = 0;

	if (prn_decider_forget(desk->decider, by, what, &forgotten, &error))
		printf("# %s\n", error.text);
	return forgotten;
}

static void spellings(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	put(&desk, " <HTTP://A.example/page#top> ", 0, T0);
	ok(!strcmp(desk_look(&desk, PAGE).url, "HTTP://A.example/page#top"), "a page is spelled as it was added, bare");
	desk_release(&desk);
}

static void adding(void)
{
	struct desk desk;
	enum prn_added added;
	struct prn_error error = { 0 };

	desk_open(&desk, NULL, 0);
	ok(put(&desk, PAGE, 0, T0) == PRN_ADDED_NEW && desk_look(&desk, PAGE).due == T0, "a page that is added is new and due now");
	ok(desk_look(&desk, PAGE).weight >= 1 && desk_look(&desk, PAGE).weight <= 1,
	   "a page that is added without a weight has weight 1");
	ok(put(&desk, PAGE, 3, T0 + 5) == PRN_ADDED_KNOWN && desk_look(&desk, PAGE).weight > 2,
	   "adding a page again with a weight changes its weight");
	ok(desk_look(&desk, PAGE).due == T0, "adding a page again leaves when it is due");
	ok(put(&desk, PAGE, 0, T0 + 5) == PRN_ADDED_KNOWN && desk_look(&desk, PAGE).weight > 2,
	   "adding a page again without a weight leaves its weight");
	for (int i = 0; i < 3; i++)
		desk_status(&desk, PAGE, T0 + i, 404);
	ok(put(&desk, PAGE, 0, T0 + 9) == PRN_ADDED_REVIVED && desk_look(&desk, PAGE).status == PRN_PAGE_NEW,
	   "a retired page that is added again is revived as a new one");
	ok(desk_look(&desk, PAGE).due == T0 + 9, "a page that was revived is due now");
	ok(prn_decider_add(desk.decider, "ftp://a.example/", 0, T0, &added, &error) == PRN_E_INPUT && error.text[0],
	   "a page whose address is no URL of the web is refused: %s", error.text);
	ok(prn_decider_add(desk.decider, PAGE, NAN, T0, &added, &error) == PRN_E_ARGUMENT,
	   "a page whose weight is no number is refused: %s", error.text);
	ok(prn_decider_add(desk.decider, PAGE, 1e308, T0, &added, &error) == PRN_E_ARGUMENT,
	   "a page whose weight is beyond a billion is refused: %s", error.text);
	ok(!prn_decider_add(desk.decider, PAGE, 1e9, T0, &added, &error), "a weight of a billion is taken");
	desk_release(&desk);
}

static void forgetting(void)
{
	struct desk desk;
	char url[64];

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 12000; i++) {
		snprintf(url, sizeof url, "http://%s.example/%s/%d", i % 2 ? "a" : "www.a", i % 3 ? "x" : "news", i);
		put(&desk, url, 0, T0);
	}
	put(&desk, PAGE, 0, T0);
	ok(take(&desk, PRN_FORGET_URL, PAGE) == 1 && !desk_look(&desk, PAGE).known, "a page is forgotten by its URL");
	ok(pages_of(&desk) == 12000, "no other page is forgotten with the one whose URL is given");
	ok(take(&desk, PRN_FORGET_URL, PAGE) == 0, "a page that was forgotten is not forgotten again");
	ok(take(&desk, PRN_FORGET_SURT, "(example,a,)/news") == 2000 && pages_of(&desk) == 10000,
	   "pages are forgotten by a prefix of their SURT");
	ok(take(&desk, PRN_FORGET_HOST, "A.example") == 4000 && pages_of(&desk) == 6000,
	   "pages are forgotten by their host, not those of its subdomains");
	ok(take(&desk, PRN_FORGET_HOST, "www.a.example.org") == 0 && take(&desk, PRN_FORGET_HOST, "www.a.exampl") == 0,
	   "pages are not forgotten by a host whose name is longer or shorter than theirs");
	put(&desk, "http://b\xc3\xbc" "cher.example/1", 0, T0);
	ok(take(&desk, PRN_FORGET_HOST, "B\xc3\x9c" "cher.example") == 1, "pages of a host of another script are forgotten by its name");
	ok(take(&desk, PRN_FORGET_SURT, "") == 0 && take(&desk, PRN_FORGET_SURT, "HTTP://(") == 0,
	   "a SURT prefix that names no host is refused: it would be every page");
	ok(take(&desk, PRN_FORGET_SURT, "example,") == 6000 && pages_of(&desk) == 0,
	   "all pages of a domain are forgotten by a SURT prefix");
	desk_release(&desk);
}

/* What a page leaves in side tables goes with it: the check finds nothing stray. */
static void forgetting_suspects(void)
{
	struct prn_store_findings findings;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 3; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from((unsigned)i));
	desk_text(&desk, PAGE, T0 + 3 * DAY, text_from(1000));
	ok(desk.outcome.kind == PRN_OUTCOME_SUSPECT && take(&desk, PRN_FORGET_HOST, "a.example") == 1,
	   "a page that is suspect is forgotten");
	ok(!prn_store_check(prn_decider_store(desk.decider), NULL, &findings, NULL) && !findings.stray_sides,
	   "a suspect is forgotten with its page");
	ok(!findings.stray && !findings.unqueued, "a page that was suspect leaves nothing in a queue when it is forgotten");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	adding();
	spellings();
	forgetting();
	forgetting_suspects();
	return done();
}
