/* What answers do to a page: the rules of statuses, as a fetcher meets them. */
#include "desk.h"
#include "perennial/observer.h"

static void content_is_told_to_the_policy(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	ok(desk_text(&desk, PAGE, T0, text_from(0)) == PRN_OUTCOME_OBSERVED && desk.outcome.added,
	   "a page that is not known becomes one with its first content");
	near(desk.outcome.period_s, sqrt(2 * 0.25 / (0.15 / 12)) * 86400, 1,
	     "the period of a new page is drift's with nothing but the prior: sqrt(2T/s), s = α/β");
	near((double)desk.outcome.next, (double)T0 + desk.outcome.period_s, 0.5,
	     "the next visit of a new page is a period after its first");
	near(desk.outcome.utility, 0.25, 1e-4, "the next visit of a new page is when W U reaches T");
	ok(desk.outcome.reason == PRN_NEXT_RULE, "the reason of a new page's next visit is the rule");
	ok(desk_text(&desk, PAGE, T0 + DAY, text_from(50)) == PRN_OUTCOME_OBSERVED,
	   "a page that is half new is observed");
	ok(desk.outcome.divergence > 0.3 && desk.outcome.divergence < 1,
	   "a page that is half new diverges by about two thirds: %.2f", desk.outcome.divergence);
	ok(desk_look(&desk, PAGE).visits == 2, "both visits of a page are in the store");
	ok(desk_look(&desk, PAGE).due == desk.outcome.next, "a page that was visited is queued for its next visit");
	desk_release(&desk);
}

static void unchanged_content(void)
{
	struct desk bytes, same, text;

	desk_open(&bytes, NULL, 0);
	desk_open(&same, NULL, 0);
	desk_open(&text, NULL, 0);
	bytes.skips_known = true;
	for (int i = 0; i < 5; i++) {
		int64_t time = T0 + i * DAY;

		desk_text(&bytes, PAGE, time, text_from(i == 1));
		if (i < 2)
			desk_text(&same, PAGE, time, text_from(i == 1));
		else
			desk_status(&same, PAGE, time, 304);
		desk_text(&text, PAGE, time, text_from(50 * (unsigned)i));
		if (i == 3)
			ok(!bytes.observation.summarised && bytes.outcome.kind == PRN_OUTCOME_SAME,
			   "bytes that are the same are known by their digest, and not read");
		if (i == 1)
			continue;
		ok(same.outcome.kind == (i ? PRN_OUTCOME_SAME : PRN_OUTCOME_OBSERVED),
		   "visit %d: content is observed at first, and a 304 later on is the same", i);
	}
	ok(bytes.outcome.next == same.outcome.next && bytes.outcome.next > text.outcome.next,
	   "to the policy a 304 is the same as the same bytes: divergence 0");
	desk_release(&bytes);
	desk_release(&same);
	desk_release(&text);
}

static void a_304_of_nothing(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	ok(desk_status(&desk, PAGE, T0, 304) == PRN_OUTCOME_ERROR && desk.outcome.next == T0 + HOUR,
	   "a 304 of a page that never brought content says nothing: tried again");
	desk_release(&desk);
}

/* Curve fitting with h = 1 opens a profile at the 13th visit; here that is a 304 of a version which it did not
 * keep. */
static void a_304_of_a_version_not_kept(void)
{
	struct desk desk;
	bool zero = true;

	desk_open(&desk, "curve-fitting:history=1", 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	for (int i = 1; i <= 14; i++)
		if (i == 1)
			desk_text(&desk, PAGE, T0 + i * DAY, text_from(30));
		else
			desk_status(&desk, PAGE, T0 + i * DAY, 304);
	zero &= desk.outcome.divergence <= 0;
	desk_text(&desk, PAGE, T0 + 15 * DAY, text_from(60));
	ok(zero && desk.outcome.kind == PRN_OUTCOME_OBSERVED,
	   "content after a 304 of a version not kept is compared with what stood in for it");
	desk_text(&desk, PAGE, T0 + 16 * DAY, text_from(61));
	ok(desk.outcome.divergence < 0.2,
	   "content takes the place of what stood in for a version not kept: %.2f", desk.outcome.divergence);
	desk_release(&desk);
}

static void redirects(void)
{
	enum prn_added added;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	ok(desk_redirect(&desk, PAGE, T0, "/elsewhere?x#y") == PRN_OUTCOME_REDIRECT && desk.outcome.target_added,
	   "a redirect is content: its Location");
	ok(desk_look(&desk, "http://a.example/elsewhere?x").known &&
	   desk_look(&desk, "http://a.example/elsewhere?x").due == T0,
	   "the target of a redirect is a new page, due at once");
	desk_redirect(&desk, PAGE, T0 + DAY, "/elsewhere?x#y");
	ok(desk.outcome.divergence <= 0 && !desk.outcome.target_added,
	   "a redirect with the same Location is no change");
	desk_redirect(&desk, PAGE, T0 + 2 * DAY, "https://b.example/");
	ok(desk.outcome.divergence >= 1 && desk_look(&desk, "https://b.example/").known,
	   "a redirect with another Location is a whole change");
	prn_decider_add(desk.decider, "http://a.example/heavy", 7, T0, &added, NULL);
	desk_redirect(&desk, "http://a.example/heavy", T0, "/heir");
	near(desk_look(&desk, "http://a.example/heir").weight, 7, 0.05, "the target of a redirect has the weight of the page that leads to it");
	ok(desk_redirect(&desk, PAGE, T0 + 3 * DAY, PAGE "#top") == PRN_OUTCOME_ERROR && !desk.outcome.target_added,
	   "a redirect of a page to itself is a failure, and adds no page");
	ok(desk_look(&desk, PAGE).visits == 3, "a redirect of a page to itself is no visit");
	ok(desk_text(&desk, PAGE, T0 + 3 * DAY, text_from(0)) == PRN_OUTCOME_OBSERVED,
	   "content in the same second as a redirect of the page to itself is observed");
	ok(desk_redirect(&desk, PAGE, T0 + 3 * DAY, PAGE) == PRN_OUTCOME_DUPLICATE &&
	           desk_text(&desk, PAGE, T0 + 3 * DAY, text_from(0)) == PRN_OUTCOME_DUPLICATE,
	   "a redirect to itself and content of the same second are duplicates when they come again");
	ok(desk_redirect(&desk, PAGE, T0 + 3 * DAY + 1, "") == PRN_OUTCOME_ERROR,
	   "a redirect to nowhere is a failure");
	desk_redirect(&desk, "http://a.example/in", T0, "http://169.254.169.254/latest/meta-data/");
	ok(!desk.outcome.target_added && desk.outcome.target_refused, "a redirect to an address that is private adds no page, and is told as refused");
	desk_redirect(&desk, "http://a.example/in", T0 + 1, "http://user:pw@b.example/");
	ok(!desk.outcome.target_added && desk.outcome.target_refused, "a redirect with a user and password adds no page, and is told as refused");
	desk_redirect(&desk, "http://10.1.2.3/in", T0, "http://10.1.2.4/other");
	ok(desk.outcome.target_added, "within a private network redirects add pages");
	desk_redirect(&desk, PAGE, T0 + 4 * DAY, "mailto:a@b.example");
	ok(!desk.outcome.target_added, "a redirect to what is no web address adds no page");
	desk_release(&desk);
}

/* Redirects of a page to so many fresh addresses, format with numbers from first on: how many became pages. */
static unsigned lead_away(struct desk *desk, const char *url, const char *format, unsigned first, unsigned count)
{
	unsigned added = 0;

	for (unsigned i = first; i < first + count; i++) {
		char to[128];

		snprintf(to, sizeof to, format, i);
		desk_redirect(desk, url, T0 + i, to);
		added += desk->outcome.target_added;
		must(desk->outcome.target_added != desk->outcome.target_refused, "add or refuse");
	}
	return added;
}

static void redirects_without_end(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	ok(lead_away(&desk, PAGE, "/login?state=%u", 0, 500) == 5,
	   "a page that leads to a fresh address of its site at each of 500 visits adds five, while none of them brings content");
	desk_text(&desk, "http://a.example/login?state=3", T0 + 500, text_from(0));
	ok(lead_away(&desk, PAGE, "/login?again=%u", 500, 5) == 1,
	   "a page that leads to fresh addresses of its site adds one more for each that brings content");
	ok(lead_away(&desk, PAGE, "http://b%u.example/", 505, 500) == 94,
	   "a page that leads elsewhere adds pages until they are a hundred of its host in all");
	ok(desk.outcome.kind == PRN_OUTCOME_REDIRECT && desk.outcome.target_refused,
	   "a redirect beyond the cap of its host is told with its target refused");
	ok(desk.outcome.next > T0, "a page whose redirects are beyond the cap is visited on");
	ok(lead_away(&desk, "http://a.example/other", "https://b.example/%u", 500, 3) == 0,
	   "a redirect of another page of a host at its cap adds no page, wherever it leads");
	ok(lead_away(&desk, "http://c.example/", "/%u", 503, 3) == 3,
	   "redirects of another host add pages when one host is at its cap");
	desk_redirect(&desk, PAGE, T0 + 1600, "/login?state=4");
	ok(!desk.outcome.target_added && !desk.outcome.target_refused,
	   "the target of a redirect that is known is not refused, though the host is at its cap");
	desk_redirect(&desk, PAGE, T0 + 1601, "https://www.a.example/page/");
	ok(desk.outcome.target_added,
	   "a page that only moved to https, to www. or to a slash is added, though its host is at its cap");
	desk_redirect(&desk, PAGE, T0 + 1602, "https://www.a.example/page//");
	ok(desk.outcome.target_refused,
	   "a page that moved to a second slash is refused when its host is at its cap");
	desk_look(&desk, PAGE);
	desk_reopen(&desk);
	ok(lead_away(&desk, PAGE, "http://e%u.example/", 1603, 2) == 0, "the count of a host's redirects is durable");
	desk.options.redirects_per_host = 102;
	desk_reopen(&desk);
	ok(lead_away(&desk, PAGE, "http://e%u.example/", 1605, 5) == 2,
	   "a higher cap of redirects counts on from where the lower one was reached");
	desk.options.redirects_per_host = 0;
	desk_reopen(&desk);
	ok(lead_away(&desk, "http://d.example/", "/%u", 610, 2) == 0, "with a cap of 0 redirects add nothing");
	desk_redirect(&desk, "http://d.example/x", T0, "https://d.example/x");
	ok(desk.outcome.target_refused, "with a cap of 0 redirects do not even add pages that have only moved");
	desk_release(&desk);
}

/* A site with more than one host, whose redirects bring content. */
static void redirects_within_a_site(void)
{
	unsigned added = 0;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 40; i++) {
		char from[64], to[64];

		snprintf(from, sizeof from, "http://www.shop.co.uk/%u", i);
		snprintf(to, sizeof to, "http://m.shop.co.uk/p%u", i);
		desk_redirect(&desk, from, T0 + 2 * i, to);
		added += desk.outcome.target_added;
		desk_text(&desk, to, T0 + 2 * i + 1, text_from(i));
	}
	ok(added == 40, "redirects to another host of the site go on adding pages as long as these bring content: %u", added);
	ok(lead_away(&desk, "http://x.other.co.uk/", "http://y%u.other.co.uk/", 100, 20) == 5,
	   "of another site under the same short country name five without content are added");
	for (unsigned i = 0; i < 5; i++) {
		char from[64], to[64];

		snprintf(from, sizeof from, "http://stranger%u.example/", i);
		snprintf(to, sizeof to, "http://www.other.co.uk/%u", i);
		desk_redirect(&desk, from, T0 + HOUR + 2 * i, to);
		desk_text(&desk, to, T0 + HOUR + 2 * i + 1, text_from(i));
	}
	ok(lead_away(&desk, "http://x.other.co.uk/", "http://z%u.other.co.uk/", 7300, 20) == 0,
	   "pages that another site led to pay for none of a site's own without content");
	desk_release(&desk);
}

/* None of the pages on the way to content was added in vain. */
static void chains_to_content(void)
{
	unsigned whole = 0;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 30; i++) {
		char from[64], to[64];

		snprintf(from, sizeof from, "http://a.example/%u", i);
		for (unsigned step = 0; step < 3; step++) {
			snprintf(to, sizeof to, "http://a.example/%u/%u", i, step);
			desk_redirect(&desk, from, T0 + 10 * i + step, to);
			memcpy(from, to, sizeof from);
		}
		whole += desk.outcome.target_added;
		desk_text(&desk, to, T0 + 10 * i + 3, text_from(i));
	}
	ok(whole == 30, "any number of pages of a site may lead over three redirects each to content: %u of 30", whole);
	desk.options.redirect_chain = 12;
	desk_reopen(&desk);
	whole = 0;
	for (unsigned step = 0; step < 15; step++) {
		char from[64], to[64];

		snprintf(from, sizeof from, "http://b.example/%u", step);
		snprintf(to, sizeof to, "http://b.example/%u", step + 1);
		desk_redirect(&desk, from, T0 + step, to);
		whole += desk.outcome.target_added;
		if (!desk.outcome.target_added)
			break;
	}
	ok(whole == 12, "a chain within a site may be as long as chains may: %u of 12", whole);
	desk_release(&desk);
}

/* A fetcher that follows redirects by itself reports the target next. */
static void targets_that_are_reported(void)
{
	struct desk desk;
	enum prn_added added;
	struct prn_decider_savepoint before;

	desk_open(&desk, NULL, 0);
	desk.options.redirects_per_host = 1;
	desk_reopen(&desk);
	must(lead_away(&desk, PAGE, "/%u", 0, 2) == 1, "lead away");
	ok(desk_text(&desk, "http://a.example/0", T0 + 1, text_from(0)) == PRN_OUTCOME_OBSERVED && !desk.outcome.added,
	   "the target of a redirect that was added is observed");
	ok(desk_text(&desk, "http://a.example/1", T0 + MINUTE, text_from(0)) == PRN_OUTCOME_UNKNOWN &&
	           !desk_look(&desk, "http://a.example/1").known,
	   "a target that was refused does not become a page by being fetched along with its redirect");
	ok(desk_redirect(&desk, "http://a.example/1", T0 + MINUTE, "http://b.example/2") == PRN_OUTCOME_UNKNOWN &&
	           desk_text(&desk, "http://b.example/2", T0 + 2 * MINUTE, text_from(0)) == PRN_OUTCOME_UNKNOWN,
	   "what a refused target leads to does not become a page by being fetched");
	ok(desk_text(&desk, "http://a.example/1", T0 + 2 * HOUR, text_from(0)) == PRN_OUTCOME_OBSERVED,
	   "a target that was refused becomes a page when it is reported hours later");
	ok(!prn_decider_add(desk.decider, "http://b.example/2", 0, T0, &added, NULL) &&
	           desk_text(&desk, "http://b.example/2", T0 + 1, text_from(0)) == PRN_OUTCOME_OBSERVED,
	   "a target that was refused is observed at once when it is added by name");
	before = prn_decider_save(desk.decider);
	desk_redirect(&desk, PAGE, T0 + 3 * HOUR, "http://a.example/3");
	must(desk.outcome.target_refused, "refuse");
	prn_decider_restore(desk.decider, &before);
	ok(desk_text(&desk, "http://a.example/3", T0 + 3 * HOUR, text_from(0)) == PRN_OUTCOME_OBSERVED,
	   "a target whose refusal was taken back is observed");
	desk_redirect(&desk, PAGE, T0 + 4 * HOUR, "http://a.example/4");
	must(desk.outcome.target_refused, "refuse");
	prn_decider_abandon(desk.decider);
	ok(desk_text(&desk, "http://a.example/4", T0 + 4 * HOUR, text_from(0)) == PRN_OUTCOME_OBSERVED,
	   "a target whose refusal was never committed and was dropped is observed");
	desk_release(&desk);
}

/* A Location is one fragment, whatever who made the capture says of its type: places under one path are no half changes. */
static void redirects_without_types(void)
{
	static const char *const types[] = { NULL, "text/html; charset=utf-8", "text/plain" };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 6; i++) {
		struct prn_capture capture = status_of(PAGE, T0 + i * DAY, 302);
		char place[96];

		snprintf(place, sizeof place, "http://a.example/one/two/three/four/five/six/seven/%c?<p>", 'a' + i);
		capture.content_type = types[i % 3];
		capture.body = (const unsigned char *)place;
		capture.body_bytes = strlen(place);
		desk_answer(&desk, capture);
		near(desk.outcome.divergence, i > 0, 0, "a redirect to another place, number %d of type %s, is a whole change", i,
		     types[i % 3] ? types[i % 3] : "(none)");
	}
	desk_release(&desk);
}

/* Each host sends its visitor on to another one, with names that cost nothing. */
/* Servers write Locations as they like, and fetchers report what they asked for. */
static void spellings_of_targets(void)
{
	static const struct {
		const char *location, *reported;
	} targets[] = {
		{ "/a b", "http://a.example/a%20b" },
		{ "/%7Eann", "http://a.example/~ann" },
		{ "/~bob", "http://a.example/%7ebob" },
		{ "/caf\xc3\xa9", "http://a.example/caf%C3%A9" },
		{ "/caf\xe9", "http://a.example/caf%e9" },
		{ "/x/../y|z?", "http://a.example/y%7Cz" },
		{ "http://b\xc3\xbc" "cher.example/", "http://xn--bcher-kva.example" },
		{ "//B.example:80\\c", "http://b.example/c" },
	};
	struct desk desk;

	desk_open(&desk, "drift", 0.25);
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		char from[64];
		bool added;

		snprintf(from, sizeof from, "http://a.example/from/%zu", i);
		desk_redirect(&desk, from, T0, targets[i].location);
		added = desk.outcome.target_added;
		desk_text(&desk, targets[i].reported, T0 + 1, text_from(1));
		ok(added && !desk.outcome.added, "a Location %s and a report of %s are one page", targets[i].location,
		   targets[i].reported);
	}
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk.options.redirects_per_host = 1;
	desk_reopen(&desk);
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		char from[64], location[64], reported[64];

		if (targets[i].location[0] != '/' || targets[i].location[1] == '/')
			continue;
		snprintf(from, sizeof from, "http://a.example/again/%zu", i);
		snprintf(location, sizeof location, "/more%s", targets[i].location);
		snprintf(reported, sizeof reported, "http://a.example/more%s", targets[i].reported + strlen("http://a.example"));
		desk_redirect(&desk, from, T0 + 2, location);
		ok(desk.outcome.target_refused && desk_text(&desk, reported, T0 + 3, text_from(1)) == PRN_OUTCOME_UNKNOWN,
		   "a target %s that was refused does not become a page by being reported as %s", location, reported);
	}
	desk_release(&desk);
}

static void chains_of_redirects(void)
{
	char url[128] = "http://a0.example/", to[128];
	enum prn_added added;
	struct desk desk;
	unsigned length = 0, hosts;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 1; i < 50; i++) {
		snprintf(to, sizeof to, "http://a%u.example/", i);
		desk_redirect(&desk, url, T0 + i, to);
		if (!desk.outcome.target_added)
			break;
		length++;
		memcpy(url, to, sizeof url);
	}
	ok(length == 5 && desk.outcome.target_refused, "a chain over fresh hosts ends after five redirects: %u", length);
	ok(desk_look(&desk, "http://a1.example/").status == PRN_PAGE_RETIRED && desk_look(&desk, "http://a0.example/").status == PRN_PAGE_LIVE,
	   "a page that only a redirect brought and that leads on is retired, and the one that was named is not");
	ok(!prn_decider_add(desk.decider, url, 0, T0, &added, NULL) && added == PRN_ADDED_REVIVED,
	   "a page that a chain of redirects ended at is there again when it is added by name");
	ok(lead_away(&desk, url, "http://b%u.example/", 100, 1) == 1,
	   "a page that is added by name begins another chain of redirects");
	ok(lead_away(&desk, "http://a1.example/", "http://c%u.example/", 200, 20) == 0 &&
	           lead_away(&desk, "http://b100.example/", "http://d%u.example/", 300, 20) == 1,
	   "a page that a redirect brought adds one page by its own redirects, and no more");
	desk_look(&desk, url);
	desk_reopen(&desk);
	ok(lead_away(&desk, "http://b100.example/", "http://e%u.example/", 400, 1) == 0 &&
	           lead_away(&desk, "http://d300.example/", "http://f%u.example/", 400, 1) == 1,
	   "how far a chain of redirects has come is durable");
	desk.options.redirect_chain = 20;
	desk_reopen(&desk);
	ok(lead_away(&desk, url, "http://g%u.example/", 500, 1) == 1,
	   "a page that was named goes on with its own chain of redirects");
	for (hosts = 0; hosts < 100; hosts++) {
		snprintf(url, sizeof url, "http://h%u.example/", hosts);
		snprintf(to, sizeof to, "https://www.h%u.example/", hosts);
		desk_redirect(&desk, url, T0, to);
		if (!desk.outcome.target_added || lead_away(&desk, to, "/%u", 600, 3) != 3)
			break;
	}
	ok(hosts == 100,
	   "a page that has only moved is as the one that was named: no link of a chain of redirects");
	desk_release(&desk);
}

/* A site every page of which has content now, and leads to a name of the site that is new then. */
static void names_bring_no_number(void)
{
	enum { NAMED = 20, MOST = 4000, PER_HOST = 10 };
	static char urls[MOST][40];
	struct desk desk;
	size_t known = 0, names = 0;

	desk_open(&desk, NULL, 0);
	desk.options.redirects_per_host = PER_HOST;
	desk.options.redirect_chain = 5;
	desk_reopen(&desk);
	for (; known < NAMED; known++)
		snprintf(urls[known], sizeof urls[known], "http://names.example/%zu", known);
	for (int64_t day = 0; day < 40; day++)
		for (size_t at = 0, end = known; at < end && known < MOST; at++) {
			char to[40];

			desk_text(&desk, urls[at], T0 + day * DAY, text_from((unsigned)day));
			snprintf(to, sizeof to, "http://n%zu.names.example/", names++);
			desk_redirect(&desk, urls[at], T0 + day * DAY + HOUR, to);
			if (desk.outcome.target_added)
				memcpy(urls[known++], to, sizeof to);
		}
	ok(known - NAMED >= PER_HOST && known - NAMED <= 2 * PER_HOST,
	   "what a site's redirects add under ever new names counts as if it were one host: %zu pages", known - NAMED);
	desk_release(&desk);

	/* None of its hosts adds more than a few. */
	desk_open(&desk, NULL, 0);
	desk.options.redirects_per_host = PER_HOST;
	desk_reopen(&desk);
	known = 0;
	for (unsigned i = 0; i < NAMED; i++)
		for (unsigned k = 0; k < 2; k++) {
			char url[40], to[40];

			snprintf(url, sizeof url, "http://w%u.names.example/%u", i, k);
			desk_text(&desk, url, T0, text_from(i));
			snprintf(to, sizeof to, "http://n%u-%u.names.example/", i, k);
			desk_redirect(&desk, url, T0 + HOUR, to);
			known += desk.outcome.target_added;
			if (desk.outcome.target_added)
				desk_text(&desk, to, T0 + 2 * HOUR, text_from(i));
		}
	ok(known == PER_HOST, "so does what many hosts of a site add, however little each: %zu pages", known);
	known = 0;
	for (unsigned i = 0; i < NAMED; i++) {
		char url[40], to[40];

		snprintf(url, sizeof url, "http://w%u.names.example/%u", i, 0);
		snprintf(to, sizeof to, "http://w%u.names.example/own", i);
		desk_redirect(&desk, url, T0 + 3 * HOUR, to);
		known += desk.outcome.target_added;
		if (desk.outcome.target_added)
			desk_text(&desk, to, T0 + 4 * HOUR, text_from(i));
	}
	ok(known == NAMED, "what a host adds under its own name is not held against its site: %zu pages", known);
	desk_release(&desk);
}

/* A site whose names and addresses never end, visited wherever it leads: breadth first. */
static void a_trap_is_bounded(void)
{
	enum { VISITS = 40000, PER_PAGE = 20 };
	static char urls[VISITS][40];
	struct desk desk;
	size_t known = 1, at = 0, visits = 0;

	desk_open(&desk, NULL, 0);
	desk.options.redirects_per_host = 10;
	desk.options.redirect_chain = 3;
	desk_reopen(&desk);
	strcpy(urls[0], "http://trap.example/");
	for (; at < known && visits < VISITS; at++)
		for (int i = 0; i < PER_PAGE && visits < VISITS; i++, visits++) {
			char to[40];

			snprintf(to, sizeof to, "http://h%zu.trap.example/", visits);
			desk_redirect(&desk, urls[at], T0 + i, to);
			if (desk.outcome.target_added)
				memcpy(urls[known++], to, sizeof to);
		}
	ok(known == 1 + 5 && at == known, "what a page leads to over names of its site without number ends with five: %zu pages", known);
	desk_release(&desk);
}

static void gone_pages_retire(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	ok(desk_status(&desk, PAGE, T0 + 10 * HOUR, 404) == PRN_OUTCOME_GONE && desk.outcome.next == T0 + 11 * HOUR,
	   "a page is tried again an hour after its first 404");
	ok(desk_status(&desk, PAGE, T0 + 11 * HOUR, 410) == PRN_OUTCOME_GONE && desk.outcome.next == T0 + 35 * HOUR,
	   "a page is tried again a day after the second 404 or 410 in a row");
	ok(desk_status(&desk, PAGE, T0 + 13 * HOUR, 500) == PRN_OUTCOME_ERROR,
	   "a 500 between answers that a page is gone is an error");
	desk_status(&desk, PAGE, T0 + 20 * HOUR, 404);
	ok(desk_status(&desk, PAGE, T0 + 30 * HOUR, 404) == PRN_OUTCOME_GONE,
	   "after an error the answers that a page is gone count from the beginning");
	ok(desk_status(&desk, PAGE, T0 + 50 * HOUR, 404) == PRN_OUTCOME_RETIRED, "the third 404 in a row retires the page");
	ok(desk.outcome.next == PRN_TIME_UNKNOWN && isinf(desk.outcome.period_s),
	   "a page that is retired has no next visit");
	ok(desk_look(&desk, PAGE).status == PRN_PAGE_RETIRED, "a page that is retired stays in the store as such");
	ok(desk_look(&desk, PAGE).due == PRN_TIME_UNKNOWN, "a page that is retired is in no queue");
	ok(desk_text(&desk, PAGE, T0 + 60 * HOUR, text_from(0)) == PRN_OUTCOME_SAME,
	   "the same content of a retired page is compared with its last");
	ok(desk.outcome.next > T0 && desk_look(&desk, PAGE).status == PRN_PAGE_LIVE,
	   "content brings a retired page back");
	ok(desk_look(&desk, PAGE).visits == 2, "a page that was brought back has the visits from before it was retired");
	desk_release(&desk);
}

static void errors_back_off(void)
{
	static const int statuses[] = { 500, 0, 403 }, others[] = { 503, 206, 502 };
	struct desk desk, other;
	int64_t time = T0, delay = HOUR, next;
	bool doubling = true, failed = true;

	desk_open(&desk, NULL, 0);
	desk_open(&other, NULL, 0);
	desk_text(&desk, PAGE, time, text_from(0));
	desk_text(&other, PAGE, time, text_from(0));
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++, delay *= 2) {
		time = desk.outcome.next;
		doubling &= desk_status(&desk, PAGE, time, statuses[i]) == PRN_OUTCOME_ERROR &&
		            desk.outcome.next == time + delay && desk.outcome.reason == PRN_NEXT_RETRY;
	}
	ok(doubling, "errors of all kinds are tried again after 1, 2, 4 … hours");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		failed &= desk_status(&desk, PAGE, desk.outcome.next, others[i]) == PRN_OUTCOME_ERROR;
	ok(failed, "503 without Retry-After, a part of the content and 502 are errors");
	time = desk.outcome.next;
	desk_text(&desk, PAGE, time, text_from(40));
	next = desk.outcome.next;
	desk_text(&other, PAGE, time, text_from(40));
	ok(next == other.outcome.next,
	   "the policy never hears of errors: the next period is as if there had been none");
	ok(desk_look(&desk, PAGE).failures == 0, "content ends a row of errors");
	desk_release(&desk);
	desk_release(&other);
}

static void hosts_are_left_alone(void)
{
	struct desk desk;
	struct prn_capture busy = status_of(PAGE, T0 + DAY, 503);

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	busy.retry_after_s = 2 * HOUR;
	ok(desk_answer(&desk, busy) == PRN_OUTCOME_HOST_DELAYED && desk.outcome.host_until == T0 + DAY + 2 * HOUR,
	   "503 with Retry-After delays the host");
	ok(desk.outcome.next == T0 + DAY + 2 * HOUR && desk.outcome.reason == PRN_NEXT_HOST,
	   "503 with Retry-After delays the page for as long as its host");
	busy = status_of("http://a.example/other", T0 + DAY, 429);
	busy.retry_after_s = 60;
	ok(desk_answer(&desk, busy) == PRN_OUTCOME_HOST_DELAYED && desk.outcome.host_until == T0 + DAY + 2 * HOUR,
	   "a shorter Retry-After does not shorten the delay of a host");
	ok(desk.outcome.next == T0 + DAY + 2 * HOUR && desk.outcome.reason == PRN_NEXT_HOST,
	   "a page that was told a shorter Retry-After waits for its host all the same");
	ok(desk_status(&desk, "http://b.example/", T0, 429) == PRN_OUTCOME_HOST_DELAYED &&
	   desk.outcome.host_until == T0 + HOUR, "429 without Retry-After delays the host by an hour");
	ok(desk.outcome.next == T0 + HOUR && desk.outcome.reason == PRN_NEXT_HOST,
	   "a page that waits just as long as its host is told that it waits for the host");
	desk_status(&desk, "http://b.example/", T0 + HOUR, 500);
	ok(desk_status(&desk, "http://b.example/", T0 + DAY, 429) == PRN_OUTCOME_HOST_DELAYED &&
	           desk.outcome.host_until == T0 + DAY + HOUR,
	   "429 of a page that has failed before delays the host by an hour as well");
	ok(desk.outcome.next == T0 + DAY + 4 * HOUR && desk.outcome.reason == PRN_NEXT_RETRY,
	   "a page that has failed so often that it waits longer than its host is told so");
	ok(desk_status(&desk, "http://c.example/", T0, 503) == PRN_OUTCOME_ERROR,
	   "503 without Retry-After is an error");
	busy = status_of("http://d.example/", T0, 429);
	busy.retry_after_s = INT64_MAX;
	desk_answer(&desk, busy);
	ok(desk.outcome.host_until == T0 + DAY, "a host is left alone for a day at most, whatever one of its pages says");
	ok(desk.outcome.next == T0 + 7 * DAY && desk.outcome.reason == PRN_NEXT_HOST,
	   "the page that says so is left alone for as long as the longest back-off");
	for (int i = 0; i < 3; i++)
		desk_text(&desk, "http://d.example/good", T0 + DAY + i * HOUR, text_from((unsigned)i));
	busy.time = T0 + 2 * DAY;
	desk_answer(&desk, busy);
	ok(desk.outcome.host_until == T0 + 2 * DAY + DAY / 4,
	   "after three other pages have come from a host it is left alone for a quarter of the time");
	desk_text(&desk, "http://d.example/good", T0 + 2 * DAY + HOUR, text_from(9));
	busy.time = T0 + 2 * DAY + 2 * HOUR;
	busy.retry_after_s = 1;
	desk_answer(&desk, busy);
	ok(desk.outcome.host_until == T0 + 2 * DAY + HOUR + 5 * HOUR / 2,
	   "a page that comes while its host is to be left alone halves the time that is left");
	desk_release(&desk);
}

/* Three quiet visits, then a page with nothing in common. */
static void make_suspect(struct desk *desk)
{
	desk_open(desk, NULL, 0);
	for (int i = 0; i < 3; i++)
		desk_text(desk, PAGE, T0 + i * DAY, text_from((unsigned)i));
	desk_text(desk, PAGE, T0 + 3 * DAY, text_from(1000));
}

static void suspects(void)
{
	struct desk desk, plain;
	int64_t next;

	make_suspect(&desk);
	ok(desk.outcome.kind == PRN_OUTCOME_SUSPECT, "a near-total change of a quiet page is suspect");
	ok(desk.outcome.next == T0 + 3 * DAY + HOUR && desk.outcome.reason == PRN_NEXT_SUSPECT,
	   "a page that is suspect is looked at again in an hour");
	ok(desk_look(&desk, PAGE).status == PRN_PAGE_SUSPECT, "a page that is suspect is so in the store");
	ok(desk_look(&desk, PAGE).visits == 3, "the policy has not heard of a visit that is suspect");
	ok(desk_text(&desk, PAGE, T0 + 3 * DAY + HOUR, text_from(3)) == PRN_OUTCOME_DISMISSED &&
	           desk.outcome.divergence < 0.2,
	   "a suspect is dismissed when the page is back");
	next = desk.outcome.next;
	desk_release(&desk);

	desk_open(&plain, NULL, 0);
	for (int i = 0; i < 3; i++)
		desk_text(&plain, PAGE, T0 + i * DAY, text_from((unsigned)i));
	desk_text(&plain, PAGE, T0 + 3 * DAY + HOUR, text_from(3));
	ok(plain.outcome.next == next,
	   "after a suspect was dismissed the next visit is as if it had never been");
	desk_release(&plain);

	make_suspect(&desk);
	ok(desk_text(&desk, PAGE, T0 + 3 * DAY + HOUR, text_from(1001)) == PRN_OUTCOME_CONFIRMED,
	   "a suspect is confirmed when the next visit is as far from all before");
	ok(desk.outcome.divergence < 0.2, "the visit that confirms a suspect is compared with it");
	ok(desk_look(&desk, PAGE).visits == 5, "when a suspect is confirmed both visits are told to the policy");
	desk_release(&desk);

	make_suspect(&desk);
	desk.skips_known = true;
	ok(desk_text(&desk, PAGE, T0 + 3 * DAY + HOUR, text_from(1000)) == PRN_OUTCOME_CONFIRMED,
	   "the same bytes confirm a suspect");
	desk_release(&desk);

	make_suspect(&desk);
	ok(desk_status(&desk, PAGE, T0 + 3 * DAY + HOUR, 500) == PRN_OUTCOME_ERROR &&
	   desk_look(&desk, PAGE).status == PRN_PAGE_SUSPECT,
	   "an error does not decide whether a suspect is true");
	ok(desk_status(&desk, PAGE, T0 + 3 * DAY + 2 * HOUR, 304) == PRN_OUTCOME_CONFIRMED,
	   "a 304 confirms a suspect");
	desk_release(&desk);

	make_suspect(&desk);
	for (int i = 1; i <= 3; i++)
		desk_status(&desk, PAGE, T0 + 3 * DAY + i * DAY, 404);
	ok(desk.outcome.kind == PRN_OUTCOME_RETIRED &&
	           desk_text(&desk, PAGE, T0 + 9 * DAY, text_from(3)) == PRN_OUTCOME_OBSERVED,
	   "a suspect that is gone for good is forgotten with the page");
	desk_release(&desk);

	make_suspect(&desk);
	for (int i = 1; i <= 3; i++)
		desk_status(&desk, PAGE, T0 + 3 * DAY + i * DAY, 404);
	ok(desk_text(&desk, PAGE, T0 + 9 * DAY, text_from(1000)) == PRN_OUTCOME_OBSERVED && desk.outcome.divergence >= 1,
	   "a forgotten suspect's body is not the page's last one: when it comes back it is a whole change");
	desk_release(&desk);
}

/* A suspect page is looked at again early: never later than it would have been visited anyhow. */
static void suspects_of_busy_pages(void)
{
	static const struct prn_interval_rule often[] = { { NULL, NULL, 0, 1800 } };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.intervals = often;
	desk.options.interval_count = 1;
	desk_reopen(&desk);
	for (int i = 0; i < 3; i++)
		desk_text(&desk, PAGE, T0 + i * DAY, text_from((unsigned)i));
	ok(desk_text(&desk, PAGE, T0 + 3 * DAY, text_from(1000)) == PRN_OUTCOME_SUSPECT &&
	           desk.outcome.next == T0 + 3 * DAY + 1800,
	   "a suspect page that is visited each half hour is looked at again in half an hour, not in an hour");
	desk_release(&desk);
}

/* Two visits without a change: by the naive estimator the page never changes. */
static void pages_that_never_change(void)
{
	struct desk desk;

	desk_open(&desk, "cgm:estimator=naive:learning=none", 0.25);
	desk_text(&desk, PAGE, T0, text_from(0));
	desk_text(&desk, PAGE, T0 + DAY, text_from(0));
	ok(desk.outcome.reason == PRN_NEXT_NEVER && desk.outcome.period_s == 180 * 86400,
	   "a page that its policy would never visit again is visited after the longest interval, and is told so");
	desk_release(&desk);
}

static void restless_pages_are_not_suspect(void)
{
	struct desk desk;
	bool observed = true;

	desk_open(&desk, NULL, 0);
	for (unsigned i = 0; i < 10; i++)
		observed &= desk_text(&desk, PAGE, T0 + i * DAY, text_from(1000 * i)) == PRN_OUTCOME_OBSERVED;
	ok(observed, "a page that is always new is never suspect");
	desk_release(&desk);
}

/* What the store has of a page, as bytes. */
static size_t copy_state(struct desk *desk, unsigned char *out)
{
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_record record;
	struct prn_view *view = NULL;
	size_t length;

	must(!prn_decider_commit(desk->decider, NULL) &&
	             !prn_view_open(&view, prn_decider_store(desk->decider), NULL) &&
	             !prn_view_get(view, &key, &record, NULL),
	     "read a page");
	length = record.state_bytes;
	memcpy(out, record.state, length);
	memcpy(out + length, &record.due, sizeof record.due);
	prn_view_close(view);
	return length + sizeof record.due;
}

static void the_same_observation_twice_changes_nothing(void)
{
	unsigned char once[512], twice[512];
	struct desk desk;
	size_t length;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	desk_text(&desk, PAGE, T0 + DAY, text_from(5));
	length = copy_state(&desk, once);
	desk.clock = T0 + 30 * DAY;
	ok(desk_text(&desk, PAGE, T0 + DAY, text_from(5)) == PRN_OUTCOME_DUPLICATE && desk.outcome.next > T0,
	   "an attempt of a time that is known is a duplicate");
	ok(desk_text(&desk, PAGE, T0, text_from(0)) == PRN_OUTCOME_PAST, "an attempt from before the last one is past");
	ok(copy_state(&desk, twice) == length && !memcmp(once, twice, length),
	   "neither a duplicate nor a past attempt changes anything of a page");
	ok(desk_status(&desk, PAGE, T0 + DAY / 2, 404) == PRN_OUTCOME_PAST, "a failure from before the last attempt is past");
	ok(copy_state(&desk, twice) == length && !memcmp(once, twice, length), "a past failure changes nothing of a page");
	desk.clock = T0 + 2 * DAY;
	ok(desk_text(&desk, PAGE, T0 + 2 * DAY + 61, text_from(9)) == PRN_OUTCOME_FUTURE,
	   "an attempt from more than a minute in the future is refused");
	ok(copy_state(&desk, twice) == length && !memcmp(once, twice, length),
	   "an attempt from the future changes nothing of a page");
	ok(prn_outcome_is_refusal(desk.outcome.kind), "an attempt from the future is a refusal");
	ok(!prn_outcome_is_refusal(PRN_OUTCOME_RETIRED), "that a page retires is no refusal");
	ok(desk_text(&desk, PAGE, T0 + 2 * DAY + 60, text_from(9)) == PRN_OUTCOME_OBSERVED, "a fetcher's clock may be ahead by a minute");
	desk.options.future_s = 600;
	desk_reopen(&desk);
	ok(desk_text(&desk, PAGE, T0 + 2 * DAY + 600, text_from(9)) == PRN_OUTCOME_OBSERVED,
	   "clocks may differ by as much as the options allow");
	desk_release(&desk);
}

static void pages_that_are_not_known(void)
{
	struct desk desk;
	enum prn_added added;

	desk_open(&desk, NULL, 0);
	desk.options.known_only = true;
	desk_reopen(&desk);
	ok(desk_text(&desk, PAGE, T0, text_from(0)) == PRN_OUTCOME_UNKNOWN && !desk_look(&desk, PAGE).known,
	   "with known_only a page that is not known is refused");
	ok(!prn_decider_add(desk.decider, "HTTP://A.Example:80/page#x", 2, T0, &added, NULL) && added == PRN_ADDED_NEW,
	   
	   "with known_only a page can be added by name");
	ok(desk_look(&desk, PAGE).due == T0, "with known_only a page that is added by name is due at once");
	same(desk_look(&desk, PAGE).url, "HTTP://A.Example:80/page#x",
	     "a page that is added keeps the spelling it came with");
	ok(desk_redirect(&desk, PAGE, T0 + 1, "/to") == PRN_OUTCOME_REDIRECT &&
	           !desk_look(&desk, "http://a.example/to").known,
	   "with known_only a redirect adds no page");
	desk_release(&desk);
}

static void asked_hosts(void)
{
	struct prn_capture capture = status_of(PAGE, T0, 404);
	struct prn_observation observation;
	struct prn_error error = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	capture.normal_url = PAGE;
	prn_observation_init(&observation);
	capture.asked_url = "HTTP://B.example";
	ok(prn_observation_make(&observation, &capture, prn_decider_summary(desk.decider), desk.extractor, 0, &error) == PRN_E_ARGUMENT,
	   "the URL that gave an answer has to be normal: %s", error.text);
	capture.asked_url = "http://b.example/9";
	must(!prn_observation_make(&observation, &capture, prn_decider_summary(desk.decider), desk.extractor, 0, NULL), "observe");
	same(observation.asked, "http://b.example/9", "an observation says that another host than the page's gave the answer");
	capture.asked_url = "http://a.example/elsewhere";
	must(!prn_observation_make(&observation, &capture, prn_decider_summary(desk.decider), desk.extractor, 0, NULL), "observe");
	same(observation.asked, "", "an answer of another page of the host is one of the page's own host");
	capture.asked_url = "http://b.example/9";
	must(!prn_observation_make(&observation, &capture, prn_decider_summary(desk.decider), desk.extractor, 0, NULL), "observe");
	capture.asked_url = NULL;
	must(!prn_observation_make(&observation, &capture, prn_decider_summary(desk.decider), desk.extractor, 0, NULL), "observe");
	same(observation.asked, "", "an observation that is made again forgets which host gave the last answer");
	prn_observation_release(&observation);
	desk_release(&desk);
}

static void weights(void)
{
	struct desk light, heavy;
	struct prn_capture capture = status_of(PAGE, T0, 200);

	desk_open(&light, NULL, 0);
	desk_open(&heavy, NULL, 0);
	capture.body = (const unsigned char *)"x";
	capture.body_bytes = 1;
	capture.weight = 4;
	desk_answer(&heavy, capture);
	capture.weight = 0;
	desk_answer(&light, capture);
	near(light.outcome.period_s, 2 * heavy.outcome.period_s, 2,
	     "a page of weight 4 is visited twice as often, by drift");
	near(heavy.outcome.utility, 0.25, 1e-4, "W U of a page of weight 4 reaches T at its next visit");
	capture.time += DAY;
	desk_answer(&heavy, capture);
	near(desk_look(&heavy, PAGE).weight, 4, 0, "a weight stays until another is told");
	desk_release(&light);
	desk_release(&heavy);
}

static void bodies_that_changed_in_between(void)
{
	struct desk desk;
	struct prn_observation first;
	struct prn_error error;
	struct prn_capture capture = status_of(PAGE, T0 + DAY, 200);
	struct prn_outcome outcome;
	uint64_t known = 0;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	ok(!prn_decider_body(desk.decider, &desk.observation.key, &known, &error) && known == desk.observation.body,
	   "any thread may ask for the page's last body");
	capture.normal_url = PAGE;
	capture.body = (const unsigned char *)text_from(0);
	capture.body_bytes = strlen((const char *)capture.body);
	capture.time = T0 + 2 * DAY;
	prn_observation_init(&first);
	prn_observation_make(&first, &capture, prn_decider_summary(desk.decider), desk.extractor, known, &error);
	desk_text(&desk, PAGE, T0 + DAY, text_from(7));
	ok(!prn_decider_observe(desk.decider, &first, T0 + 2 * DAY, &outcome, &error) &&
	           outcome.kind == PRN_OUTCOME_STALE,
	   "an observation made against a body that is no longer the page's last is stale");
	prn_observation_make(&first, &capture, prn_decider_summary(desk.decider), desk.extractor, 0, &error);
	ok(!prn_decider_observe(desk.decider, &first, T0 + 2 * DAY, &outcome, &error) &&
	           outcome.kind == PRN_OUTCOME_OBSERVED,
	   "a stale observation that is made again is observed");
	prn_observation_release(&first);
	desk_release(&desk);
}

static void intervals(void)
{
	static const struct prn_interval_rule rules[] = {
		{ NULL, NULL, 2 * 86400.0, 0 },
		{ NULL, "text/*", 0, 3 * 86400.0 },
		{ NULL, "text/plain", 4 * 86400.0, 5 * 86400.0 },
		{ "(example,b,)/news", NULL, 60, 120 },
		{ "example,b", NULL, 30 * 86400.0, 40 * 86400.0 },
	};
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.intervals = rules;
	desk.options.interval_count = sizeof rules / sizeof *rules;
	desk_reopen(&desk);
	desk_text(&desk, PAGE, T0, text_from(0));
	ok(desk.outcome.period_s == 5 * 86400 && desk.outcome.reason == PRN_NEXT_MAXIMUM,
	   "the maximum interval of a media type comes before that of its kind");
	desk_redirect(&desk, "http://a.example/r", T0, "/s");
	ok(desk.outcome.reason == PRN_NEXT_RULE,
	   "a redirect, which has no media type, is bound by no maximum interval of one");
	desk_text(&desk, "http://b.example/x", T0, text_from(0));
	ok(desk.outcome.period_s == 30 * 86400 && desk.outcome.reason == PRN_NEXT_MINIMUM,
	   "the minimum interval of a place comes before that of a media type");
	desk_text(&desk, "http://b.example/news/x", T0, text_from(0));
	ok(desk.outcome.period_s == 120,
	   "the interval of the longer prefix comes before that of the shorter one");
	ok(desk_status(&desk, "http://b.example/x", T0 + 1, 500) == PRN_OUTCOME_ERROR &&
	           desk.outcome.period_s == 30 * 86400,
	   "back-off keeps to minimum intervals as well");
	desk_release(&desk);
}

/* A server that says a page was modified when it was fetched, or later, tells what its clock says, and no more. */
static void modification_times(void)
{
	struct prn_capture capture = status_of(PAGE, T0, 304);
	struct desk desk;

	desk_open(&desk, NULL, 0);
	capture.modified = T0 - 60;
	desk_answer(&desk, capture);
	ok(desk.observation.modified == T0 - 60, "an observation has the time at which its page was modified");
	capture.modified = T0;
	desk_answer(&desk, capture);
	ok(desk.observation.modified == PRN_TIME_UNKNOWN, "a page modified at the second of its fetch has no such time");
	capture.modified = T0 + 60;
	desk_answer(&desk, capture);
	ok(desk.observation.modified == PRN_TIME_UNKNOWN, "a page modified after its fetch has no such time");
	desk_release(&desk);
}

static void options_that_cannot_be(void)
{
	static const struct prn_interval_rule crossed[] = { { NULL, NULL, 20, 10 } },
					      twice[] = { { "a", "b", 1, 2 } };
	struct prn_decider *decider = NULL;
	struct desk desk;
	struct prn_error error;

	desk_open(&desk, NULL, 0);
	desk_close(&desk);
	desk.options.intervals = crossed;
	desk.options.interval_count = 1;
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_READ, &desk.options, &error) == PRN_E_ARGUMENT && !decider,
	   "options with a minimum interval above its maximum are refused: %s", error.text);
	desk.options.intervals = twice;
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_READ, &desk.options, &error) == PRN_E_ARGUMENT,
	   "an interval that is for a place and a media type at once is refused: %s", error.text);
	desk.options.interval_count = 0;
	desk.options.retire_after = 16;
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_READ, &desk.options, &error) == PRN_E_ARGUMENT,
	   "retiring a page after 16 answers that it is gone is refused: %s", error.text);
	desk.options.retire_after = 3;
	desk.options.redirect_chain = 21;
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_READ, &desk.options, &error) == PRN_E_ARGUMENT,
	   "a chain of 21 redirects is refused: %s", error.text);
	desk.options.redirect_chain = 5;
	desk.options.retry_s = NAN;
	ok(prn_decider_open(&decider, desk.path, PRN_STORE_READ, &desk.options, &error) == PRN_E_ARGUMENT,
	   "a first back-off that is no number is refused: %s", error.text);
	desk.options.retry_s = 3600;
	desk_reopen(&desk);
	for (size_t i = 0; i < 5; i++) {
		struct prn_decider_options options = desk.options;
		const struct { const char *name; double *seconds; } delays[] = {
			{ "the delay before a suspect is looked at again", &options.suspect_after_s },
			{ "the first back-off", &options.retry_s },
			{ "the longest back-off", &options.retry_max_s },
			{ "the delay between pages of a host", &options.host_delay_s },
			{ "what a clock may be ahead", &options.future_s },
		};

		*delays[i].seconds = INFINITY;
		ok(prn_decider_set_options(desk.decider, &options, &error) == PRN_E_ARGUMENT, "%s must end: %s", delays[i].name,
		   error.text);
		*delays[i].seconds = -1;
		ok(prn_decider_set_options(desk.decider, &options, &error) == PRN_E_ARGUMENT, "%s must be 0 or more: %s",
		   delays[i].name, error.text);
		*delays[i].seconds = 0;
		ok(!prn_decider_set_options(desk.decider, &options, &error), "%s may be 0", delays[i].name);
	}
	desk_release(&desk);
}

static void settings(void)
{
	const struct prn_decider_settings all = { .policy = "drift:summary=all" }, wrong = { .policy = "drfit" },
	                                  nan = { .threshold = NAN }, debt = { .budget_per_day = -1 },
	                                  long_shingles = { .shingle_words = 65 };
	struct prn_error error = { 0 };
	struct prn_decider *reader;
	struct prn_outcome outcome;
	struct desk desk;

	ok(prn_decider_create(in_scratch("all"), &all, &error) == PRN_E_ARGUMENT,
	   "a store cannot keep all hashes: %s", error.text);
	ok(prn_decider_create(in_scratch("all"), &wrong, &error) == PRN_E_NOT_FOUND,
	   "no store is made of a policy that there is not: %s", error.text);
	ok(prn_decider_create(in_scratch("all"), &nan, &error) == PRN_E_ARGUMENT,
	   "no store is made with a threshold that is no number: %s", error.text);
	ok(prn_decider_create(in_scratch("all"), &debt, &error) == PRN_E_ARGUMENT,
	   "no store is made with a budget below 0: %s", error.text);
	ok(prn_decider_create(in_scratch("all"), &long_shingles, &error) == PRN_E_ARGUMENT,
	   "no store is made with shingles of 65 words: %s", error.text);
	desk_open(&desk, "drift:summary=64:alpha=0.02", 0.5);
	ok(prn_decider_summary(desk.decider) == 64, "a store keeps the summary that its policy was given");
	ok(prn_decider_threshold(desk.decider) == 0.5, "a store keeps the threshold it was made with");
	ok(prn_decider_shingle_words(desk.decider) == PRN_SHINGLE_WORDS,
	   "a store made without a length of shingles has the usual one");
	same(prn_decider_specification(desk.decider), "drift:summary=64:alpha=0.02",
	     "a store keeps the policy it was made with, as it was written");
	desk_text(&desk, PAGE, T0, text_from(0));
	must(!prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, &error), "open for reading");
	ok(prn_decider_observe(reader, &desk.observation, T0, &outcome, &error) == PRN_E_ARGUMENT,
	   "a decider opened for reading cannot observe: %s", error.text);
	ok(prn_decider_commit(reader, &error) == PRN_E_ARGUMENT, "a decider opened for reading cannot commit: %s", error.text);
	prn_decider_free(reader);
	desk_release(&desk);
}

/* Changes a setting behind the back of the decider, which is closed. */
static void change_setting(struct desk *desk, const char *key, const char *value)
{
	struct prn_store *store = NULL;
	struct prn_batch *batch = NULL;

	desk_close(desk);
	must(!prn_store_open(&store, desk->path, PRN_STORE_WRITE, 0, NULL) && !prn_batch_open(&batch, store, NULL) &&
	     !prn_batch_side_put(batch, PRN_SIDE_META, key, strlen(key), value, value ? strlen(value) : 0, NULL) &&
	     !prn_batch_commit(batch, NULL), "change a setting");
	prn_batch_free(batch);
	prn_store_free(store);
}

static int open_with(const char *key, const char *value, struct prn_error *error)
{
	struct prn_decider *decider = NULL;
	struct desk desk;
	int code;

	desk_open(&desk, NULL, 0);
	change_setting(&desk, key, value);
	code = prn_decider_open(&decider, desk.path, PRN_STORE_READ, NULL, error);
	prn_decider_free(decider);
	desk_release(&desk);
	return code;
}

static void settings_that_cannot_be(void)
{
	struct prn_error error = { 0 };

	ok(open_with("policy", "of-2030", &error) == PRN_E_VERSION, "a store of an unknown policy is refused: %s", error.text);
	ok(open_with("fragment-rule", "3", &error) == PRN_E_VERSION,
	   "a store of fragments of a newer rule is refused: %s", error.text);
	ok(open_with("threshold", "much", &error) == PRN_E_DAMAGED,
	   "a store whose threshold is no number is refused: %s", error.text);
	ok(open_with("threshold", "-1", &error) == PRN_E_DAMAGED,
	   "a store whose threshold is below 0 is refused: %s", error.text);
	ok(open_with("shingle-words", "0", &error) == PRN_E_DAMAGED,
	   "a store whose shingles have no words is refused: %s", error.text);
	ok(open_with("policy", NULL, &error) == PRN_E_DAMAGED, "a store without a policy is refused: %s", error.text);
}

/* A store asks before the fragments of two rules are compared in it; what compares none goes on. */
static void fragments_of_an_older_rule(void)
{
	struct prn_outcome outcome;
	struct prn_observer *observer = NULL;
	struct prn_decider *reader;
	struct prn_error error = { 0 };
	struct desk desk;
	enum prn_added added;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	change_setting(&desk, "fragment-rule", "1");
	desk_reopen(&desk);
	ok(desk_look(&desk, PAGE).known, "a page of a store whose fragments are of an older rule can be read");
	ok(!prn_decider_add(desk.decider, "http://a.example/other", 1, T0, &added, &error) && added == PRN_ADDED_NEW,
	   "a page can be added to a store whose fragments are of an older rule");
	ok(prn_decider_observe(desk.decider, &desk.observation, T0 + DAY, &outcome, &error) == PRN_E_VERSION &&
	           strstr(error.text, "--new-fragments"),
	   "content is not observed in a store whose fragments are of an older rule: %s", error.text);
	ok(prn_observer_open(&observer, desk.decider, &error) == PRN_E_VERSION && !observer, "no observer is opened for a store whose fragments are of an older rule: %s", error.text);
	must(!prn_decider_open(&reader, desk.path, PRN_STORE_READ, NULL, NULL), "open for reading");
	ok(prn_decider_take_rule(reader, &error) == PRN_E_ARGUMENT, "who only reads a store cannot have it take the new rule: %s", error.text);
	prn_decider_free(reader);
	ok(!prn_decider_take_rule(desk.decider, &error), "who writes to a store can have it take the new rule");
	desk_reopen(&desk);
	ok(desk_look(&desk, "http://a.example/other").known, "what was staged is durable once the new rule is taken");
	desk_text(&desk, PAGE, T0 + DAY, text_from(0));
	ok(desk.outcome.kind == PRN_OUTCOME_SAME, "content is observed in a store that has taken the new rule, also when it is opened again");
	ok(!prn_observer_open(&observer, desk.decider, &error), "an observer is opened for a store that has taken the new rule");
	prn_observer_free(observer);
	desk_release(&desk);
}

static void what_was_not_committed_is_gone(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	ok(prn_decider_staged(desk.decider) == 1, "an observation is staged until it is committed");
	desk_reopen(&desk);
	ok(!desk_look(&desk, PAGE).known,
	   "an observation that was not committed is gone when the store is opened again");
	desk_text(&desk, PAGE, T0, text_from(0));
	prn_decider_commit(desk.decider, NULL);
	desk_reopen(&desk);
	ok(desk_look(&desk, PAGE).visits == 1,
	   "an observation that was committed is there when the store is opened again");
	desk_release(&desk);
}

static void what_was_abandoned_is_gone(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_text(&desk, PAGE, T0, text_from(0));
	prn_decider_abandon(desk.decider);
	ok(!prn_decider_staged(desk.decider) && !desk_look(&desk, PAGE).known,
	   "an observation that was staged and abandoned is gone");
	ok(desk_text(&desk, PAGE, T0, text_from(0)) == PRN_OUTCOME_OBSERVED && desk_look(&desk, PAGE).visits == 1,
	   "an observation that was abandoned may be told again");
	desk_release(&desk);
}

/* Lets some commits pass, and none after them. */
static int refuse(void *context, struct prn_error *error)
{
	int *passing = context;

	return (*passing)-- > 0 ? 0 : prn_error_set(error, PRN_E_CANCELLED, "the policy failed");
}

static void commits_are_guarded(unsigned shards)
{
	const struct prn_due_request request = { T0 + 60 * DAY, 10, 60 };
	const struct prn_decider_settings settings = { .shards = shards };
	struct prn_error error = { 0 };
	struct prn_due_list list;
	struct desk desk = { 0 };
	int passing = 0;

	snprintf(desk.path, sizeof desk.path, "%s/guarded-%u", scratch, shards);
	desk_create(&desk, &settings);
	prn_due_list_init(&list);
	prn_decider_guard_commits(desk.decider, refuse, &passing);
	desk_text(&desk, PAGE, T0, text_from(0));
	ok(prn_decider_commit(desk.decider, &error) == PRN_E_CANCELLED && !strcmp(error.text, "the policy failed"),
	   "%u shards: a commit that its guard refuses fails with the guard's code and text: %s", shards, error.text);
	ok(prn_decider_commit(desk_shard(&desk, PAGE), NULL) == PRN_E_CANCELLED,
	   "%u shards: the guard of the whole is asked for each of them", shards);
	ok(prn_decider_staged(desk.decider) > 0, "%u shards: what a guard refused is still staged", shards);
	passing = 100;
	ok(!prn_decider_commit(desk.decider, &error), "%u shards: what a guard lets pass is committed", shards);
	for (int i = 0; i < 2; i++) {
		passing = i;
		ok(prn_decider_due(desk.decider, &request, &list, &error) == PRN_E_CANCELLED && !list.count,
		   "%u shards: pages are not handed out where a guard refuses commit %d of that", shards, i + 1);
	}
	prn_decider_guard_commits(desk.decider, NULL, NULL);
	ok(!prn_decider_due(desk.decider, &request, &list, &error) && list.count == 1,
	   "%u shards: a page that a guard kept from being handed out is handed out once there is no guard", shards);
	prn_due_list_release(&list);
	desk_release(&desk);
}

/* An observation is made apart from the decider, so it may have been made for another one. */
static void summaries_of_another_limit(unsigned shards)
{
	static const size_t limits[] = { 4, 64 };
	const struct prn_decider_settings settings = { .shards = shards };
	struct prn_capture capture = text_of(PAGE, T0, text_from(0));
	struct prn_extractor *wide = NULL;
	struct prn_observation made;
	struct prn_outcome outcome;
	struct prn_error error = { 0 };
	struct desk desk = { 0 };

	snprintf(desk.path, sizeof desk.path, "%s/limits-%u", scratch, shards);
	desk_create(&desk, &settings);
	must(!prn_extractor_open(&wide, prn_decider_shingle_words(desk.decider), 64), "open an extractor");
	prn_observation_init(&made);
	capture.normal_url = PAGE;
	for (size_t i = 0; i < 2; i++) {
		must(!prn_observation_make(&made, &capture, limits[i], wide, 0, NULL), "make an observation");
		ok(prn_decider_observe(desk.decider, &made, T0, &outcome, &error) == PRN_E_ARGUMENT &&
		           !strcmp(error.text, tap_text(PAGE ": a summary with %zu hashes of at most %zu, where the store's have at most 8",
		                                        limits[i], limits[i])),
		   "%u shards: a summary of %zu hashes is refused where the store's have 8: %s", shards, limits[i], error.text);
	}
	made.summary.limit = 8;
	ok(prn_decider_observe(desk.decider, &made, T0, &outcome, NULL) == PRN_E_ARGUMENT,
	   "%u shards: a summary with more hashes than it says is refused", shards);
	ok(!desk_look(&desk, PAGE).known, "%u shards: an observation that is refused for its summary adds no page", shards);
	prn_observation_release(&made);
	prn_extractor_free(wide);
	desk_release(&desk);
}

static void options_change_while_it_runs(void)
{
	struct prn_decider_options options;
	struct prn_error error = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	options = desk.options;
	options.known_only = true;
	ok(!prn_decider_set_options(desk.decider, &options, &error),
	   "options may be changed while a decider is open");
	ok(desk_text(&desk, PAGE, T0, text_from(0)) == PRN_OUTCOME_UNKNOWN,
	   "options that were changed hold from then on");
	options.known_only = false;
	options.retire_after = 0;
	ok(prn_decider_set_options(desk.decider, &options, &error) == PRN_E_ARGUMENT,
	   "options that cannot be are refused while a decider is open: %s",
	   error.text);
	ok(desk_text(&desk, PAGE, T0 + 1, text_from(0)) == PRN_OUTCOME_UNKNOWN,
	   "when options are refused those before hold on");
	desk_release(&desk);
}

static void names(void)
{
	same(prn_outcome_name(PRN_OUTCOME_STALE), "stale", "every outcome has a name");
	same(prn_outcome_name((enum prn_outcome_kind)99), "?", "a number that is no outcome has no name");
}

/* A capture of which an index has no more than the digest of its content. */
static enum prn_outcome_kind desk_digest(struct desk *desk, int64_t time, int status, const char *digest)
{
	struct prn_capture capture;

	prn_capture_init(&capture, PAGE, PAGE, time, prn_kind_of_status(status));
	capture.status = status;
	capture.content_type = "application/octet-stream";
	capture.is_digest = true;
	capture.body = (const unsigned char *)digest;
	capture.body_bytes = strlen(digest);
	return desk_answer(desk, capture);
}

/* What a store seeded from an index makes of the first text, by a policy that keeps few versions or many. */
static void seeded_by_digests(const char *policy, bool keeps_last)
{
	struct desk desk;
	int64_t next;

	desk_open(&desk, policy, 0);
	for (int i = 0; i < 4; i++)
		desk_digest(&desk, T0 + i * DAY, 200, i ? "one" : "zero");
	desk_text(&desk, PAGE, T0 + 4 * DAY, text_from(0));
	ok(desk.outcome.kind == PRN_OUTCOME_OBSERVED && desk.outcome.divergence <= 0,
	   "%s: no divergence can be told between a digest and a text, and none is: %s", policy,
	   prn_outcome_name(desk.outcome.kind));
	next = desk.outcome.next;
	desk_text(&desk, PAGE, T0 + 5 * DAY, text_from(50));
	ok(desk.outcome.divergence > 0.3 && desk.outcome.divergence < 1,
	   "%s: from the first text on texts are compared: %.2f", policy, desk.outcome.divergence);
	desk_digest(&desk, T0 + 6 * DAY, 200, "two");
	ok(!keeps_last || (desk.outcome.kind == PRN_OUTCOME_OBSERVED && desk.outcome.divergence <= 0),
	   "%s: no divergence is measured between a text and a digest, where the last version is kept", policy);
	desk_digest(&desk, T0 + 7 * DAY, 200, "three");
	ok(!keeps_last || desk.outcome.divergence >= 1, "%s: digests are compared again after a text, where the last version is kept", policy);
	desk_release(&desk);
	desk_open(&desk, policy, 0);
	for (int i = 0; i < 4; i++)
		desk_digest(&desk, T0 + i * DAY, 200, i ? "one" : "zero");
	desk_status(&desk, PAGE, T0 + 4 * DAY, 304);
	ok(desk.outcome.next == next, "%s: the first text is to the policy what \"not modified\" is", policy);
	desk_release(&desk);
}

static void pages_known_by_digests(void)
{
	struct desk desk;

	seeded_by_digests("drift", true);
	seeded_by_digests("curve-fitting", false);
	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 4; i++)
		desk_digest(&desk, T0 + i * DAY, 200, "one");
	desk_digest(&desk, T0 + 4 * DAY, 200, "two");
	must(desk.outcome.kind == PRN_OUTCOME_SUSPECT, "go on without a suspect");
	desk_text(&desk, PAGE, T0 + 5 * DAY, text_from(0));
	ok(desk.outcome.kind == PRN_OUTCOME_DISMISSED && desk.outcome.divergence <= 0,
	   "a text does not confirm a suspect that is known by its digest alone");
	desk_release(&desk);
	desk_open(&desk, NULL, 0);
	ok(desk_digest(&desk, T0, 301, "YYYYYYYYYYYYYYYY") == PRN_OUTCOME_REDIRECT,
	   "a redirect may be known by its digest alone");
	ok(!desk.outcome.target_added && !desk.outcome.target_refused,
	   "a redirect that is known by its digest leads nowhere that could be told: no page is added, and none refused");
	desk_redirect(&desk, PAGE, T0 + DAY, "http://b.example/");
	ok(desk.outcome.divergence <= 0 && desk.outcome.target_added,
	   "the first Location after a redirect that was known by its digest is no change, and is followed");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	content_is_told_to_the_policy();
	unchanged_content();
	a_304_of_nothing();
	a_304_of_a_version_not_kept();
	redirects();
	redirects_without_end();
	redirects_within_a_site();
	chains_to_content();
	targets_that_are_reported();
	redirects_without_types();
	spellings_of_targets();
	chains_of_redirects();
	names_bring_no_number();
	a_trap_is_bounded();
	gone_pages_retire();
	errors_back_off();
	hosts_are_left_alone();
	suspects();
	pages_known_by_digests();
	restless_pages_are_not_suspect();
	the_same_observation_twice_changes_nothing();
	pages_that_are_not_known();
	weights();
	asked_hosts();
	bodies_that_changed_in_between();
	suspects_of_busy_pages();
	pages_that_never_change();
	intervals();
	modification_times();
	options_that_cannot_be();
	settings();
	settings_that_cannot_be();
	fragments_of_an_older_rule();
	what_was_not_committed_is_gone();
	what_was_abandoned_is_gone();
	commits_are_guarded(1);
	commits_are_guarded(4);
	summaries_of_another_limit(0);
	summaries_of_another_limit(4);
	options_change_while_it_runs();
	names();
	return done();
}
