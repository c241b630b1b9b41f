/*
 * Hosts as reports tell of them: what their robots.txt asks for, which of them are one server, what redirects lead to; and
 * what stats says holds them back.
 */
#include "perennial/due.h"
#include "perennial/stats.h"

#include "decide/decider_internal.h"
#include "desk.h"
#include "store/turn.h"

#include <math.h>

static struct prn_due_list list;
static struct prn_stats stats;

static void add_page(struct desk *desk, const char *url)
{
	enum prn_added added;

	must(!prn_decider_add(desk->decider, url, 1, T0, &added, NULL), "add a page");
}

static void look(struct desk *desk, int64_t now)
{
	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_stats(desk->decider, now, &stats, NULL), "take stats");
}

/* A page that comes with what is told of its host. */
static void bring(struct desk *desk, const char *url, int64_t time, int crawl_delay_s, const char *address)
{
	struct prn_capture capture = status_of(url, time, 200);

	capture.content_type = "text/plain";
	capture.body = (const unsigned char *)text_from(0);
	capture.body_bytes = strlen((const char *)capture.body);
	capture.has_crawl_delay = crawl_delay_s >= 0;
	capture.crawl_delay_s = crawl_delay_s >= 0 ? (uint32_t)crawl_delay_s : 0;
	snprintf(capture.address, sizeof capture.address, "%s", address);
	desk_answer(desk, capture);
}

static void crawl_delays(void)
{
	struct desk desk;
	char url[64];

	desk_open(&desk, NULL, 0);
	desk.options.host_delay_s = 2;
	desk_reopen(&desk);
	for (int i = 0; i < 8; i++) {
		snprintf(url, sizeof url, "http://a.example/%d", i);
		add_page(&desk, url);
	}
	bring(&desk, "http://a.example/robots", T0 - 30, 30, "");
	must(desk_due(&desk, &list, T0, 1, 600) == 1, "ask");
	ok(!desk_due(&desk, &list, T0 + 29, 10, 600) && list.next == T0 + 30,
	   "a host whose robots.txt wants half a minute is not asked sooner");
	ok(desk_due(&desk, &list, T0 + 30, 10, 600) == 1,
	   "a host whose robots.txt wants half a minute is asked after half a minute");
	desk_reopen(&desk);
	ok(!desk_due(&desk, &list, T0 + 50, 10, 600),
	   "what a robots.txt wants is known when the store is opened again");
	bring(&desk, "http://a.example/robots", T0 + 51, -1, "");
	ok(!desk_due(&desk, &list, T0 + 55, 10, 600),
	   "a report that does not tell of robots.txt leaves what it wants");
	bring(&desk, "http://a.example/robots", T0 + 60, 1, "");
	ok(desk_due(&desk, &list, T0 + 90, 1, 600) == 1, "a host is asked once the half minute that its robots.txt wanted before is over");
	ok(!desk_due(&desk, &list, T0 + 91, 1, 600), "a robots.txt that wants less than the host delay does not shorten it");
	ok(desk_due(&desk, &list, T0 + 92, 1, 600) == 1,
	   "a host whose robots.txt wants less than the host delay is asked after that delay");
	bring(&desk, "http://a.example/robots", T0 + 93, 3600, "");
	bring(&desk, "http://a.example/robots", T0 + 94, 0, "");
	ok(desk_due(&desk, &list, T0 + 97, 1, 600) == 1,
	   "a robots.txt that wants nothing any more takes back what it wanted");
	desk_release(&desk);
}

static void addresses(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk.options.group_by_address = true;
	desk_reopen(&desk);
	bring(&desk, "http://a.example/", T0, -1, "192.0.2.1");
	bring(&desk, "http://b.example/", T0, -1, "192.0.2.1");
	bring(&desk, "http://c.example/", T0, -1, "192.0.2.2");
	add_page(&desk, "http://a.example/1");
	add_page(&desk, "http://b.example/1");
	add_page(&desk, "http://c.example/1");
	add_page(&desk, "http://d.example/1");
	desk_due(&desk, &list, T0 + 1, 10, 600);
	ok(list.count == 3, "of two hosts of one address one page is out at a time: %zu of 3", list.count);
	look(&desk, T0 + 1);
	ok(stats.held_hosts == 1 && !strcmp(stats.hosts[0].name, "@192.0.2.1"), "a group by address is held back under its address: %s",
	   stats.held_hosts ? stats.hosts[0].name : "none");
	ok(stats.hosts[0].held == PRN_HELD_LIMIT, "a group by address with a page out is held back by its limit");
	desk_release(&desk);

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	bring(&desk, "http://a.example/", T0, -1, "192.0.2.1");
	bring(&desk, "http://b.example/", T0, -1, "192.0.2.1");
	add_page(&desk, "http://a.example/1");
	add_page(&desk, "http://b.example/1");
	ok(desk_due(&desk, &list, T0 + 1, 10, 600) == 2,
	   "without being told to, hosts of one address are asked each for itself");
	desk_release(&desk);
}

/* How many pages due has to give of a host; what it gives is out then. */
static unsigned given_of(const char *host)
{
	unsigned given = 0;

	for (size_t i = 0; i < list.count; i++)
		given += strstr(list.items[i].url, host) != NULL;
	return given;
}

/* Pages that are out while a report moves their host to the group of an address. */
static void addresses_change(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk.options.host_delay_s = 2;
	desk.options.group_by_address = true;
	desk_reopen(&desk);
	bring(&desk, "http://a.example/", T0, -1, "192.0.2.1");
	bring(&desk, "http://b.example/", T0, -1, "192.0.2.1");
	add_page(&desk, "http://a.example/1");
	add_page(&desk, "http://new.example/");
	must(desk_due(&desk, &list, T0 + 10, 10, HOUR) == 2, "ask for a page of an address, and one of a host without any");
	add_page(&desk, "http://b.example/1");
	bring(&desk, "http://new.example/", T0 + 20, -1, "192.0.2.1");
	ok(desk_due(&desk, &list, T0 + 30, 10, HOUR) == 0,
	   "a host's first page, come back from an address of which another page is out, makes no room for one more there");
	bring(&desk, "http://a.example/1", T0 + 40, -1, "192.0.2.1");
	must(desk_due(&desk, &list, T0 + 50, 10, HOUR) == 1 && given_of("b.example"), "ask for the next one of the address");
	add_page(&desk, "http://a.example/2");
	add_page(&desk, "http://new.example/2");
	bring(&desk, "http://b.example/1", T0 + 60, -1, "192.0.2.9");
	ok(desk_due(&desk, &list, T0 + 70, 10, HOUR) == 1,
	   "a page that comes back from another address than its host's has made room at the address that it was given for");
	add_page(&desk, "http://b.example/2");
	ok(desk_due(&desk, &list, T0 + 71, 10, HOUR) == 1 && given_of("b.example"), "a host that has moved is asked at its new address");
	add_page(&desk, "http://b.example/3");
	bring(&desk, "http://b.example/2", T0 + 80, -1, "192.0.2.10");
	ok(desk_due(&desk, &list, T0 + 81, 10, HOUR) == 0 && desk_due(&desk, &list, T0 + 82, 10, HOUR) == 1,
	   "the delay counts from a page that came from a new address");
	desk_release(&desk);
}

/* A page that moved is not a step on the way, whatever brought it. */
static void pages_with_a_past(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_redirect(&desk, "http://a.example/", T0, "/news");
	desk_text(&desk, "http://a.example/news", T0 + 1, text_from(0));
	desk_redirect(&desk, "http://a.example/news", T0 + DAY, "/maintenance");
	ok(desk.outcome.target_added && desk_look(&desk, "http://a.example/news").status == PRN_PAGE_LIVE,
	   "a page that a redirect brought, and that has had content, is visited on when it leads elsewhere once");
	desk_release(&desk);
}

/* A host that is at its cap counts nothing against its site. */
static void full_hosts(void)
{
	struct desk desk;
	unsigned added = 0;

	desk_open(&desk, NULL, 0);
	desk.options.redirects_per_host = 2;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 30; i++) {
		char to[64];

		snprintf(to, sizeof to, "/%u", i);
		desk_redirect(&desk, "http://www.a.example/", T0 + i, to);
	}
	for (unsigned i = 0; i < 30; i++) {
		char from[64], to[64];

		snprintf(from, sizeof from, "http://h%u.a.example/", i);
		snprintf(to, sizeof to, "http://h%u.a.example/x", i);
		desk_redirect(&desk, from, T0 + i, to);
		added += desk.outcome.target_added;
	}
	ok(added == 3, "what a host at its cap was refused does not count against its site: %u of 3", added);
	desk_release(&desk);
}

static unsigned refused_of(struct desk *desk, const char *from, const char *host)
{
	unsigned refused = 0;
	char to[64];

	for (unsigned i = 0; i < 15; i++) {
		snprintf(to, sizeof to, "http://%s/%u", host, i);
		desk_redirect(desk, from, T0 + i, to);
		refused += desk->outcome.target_refused;
	}
	return refused;
}

/* What is one site: who can make up names of it. */
static void sites(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	ok(refused_of(&desk, "http://www.a.example/", "x.y.a.example") == 10, "names under one of two labels are one site");
	ok(refused_of(&desk, "http://www.b.example/", "a.example") == 0, "another name of two labels is another site");
	ok(refused_of(&desk, "http://a.co.uk/", "b.co.uk") == 0, "names under a country's short name are sites of their own");
	ok(refused_of(&desk, "http://192.0.2.1/", "198.51.2.1") == 0, "addresses are sites of their own, however they end");
	ok(refused_of(&desk, "http://[2001:db8::1]/", "[2001:db8::1]") == 10, "an address of IPv6 is a site");
	ok(refused_of(&desk, "http://localhost/", "localhost") == 10, "a name of one label is a site");
	desk_release(&desk);
}

/* What holds hosts back, each told as what it is. */
static void held(void)
{
	static const struct prn_host_rule night[] = { { "example,night", -1, -1, 0, 0, NULL } };
	static const struct {
		enum prn_held held;
		unsigned hosts;
	} counted[] = { { PRN_HELD_WISH, 1 }, { PRN_HELD_HOURS, 1 }, { PRN_HELD_DELAY, 1 }, { PRN_HELD_SHARE, 0 }, { PRN_HELD_LIMIT, 0 } };
	struct prn_host_rule rules[1];
	struct prn_capture busy;
	struct desk desk;
	char url[64];

	desk_open(&desk, NULL, 0);
	rules[0] = night[0];
	rules[0].from_s = (double)((T0 + 2 * HOUR) % DAY);
	rules[0].to_s = (double)((T0 + 3 * HOUR) % DAY);
	desk.options.hosts = rules;
	desk.options.host_count = 1;
	desk.options.host_delay_s = 60;
	desk_reopen(&desk);
	look(&desk, T0);
	ok(!stats.held_hosts && !stats.totals.pages, "an empty store holds no host back");
	ok(!(stats.budget_per_day > 0), "an empty store that was given no budget has none");
	busy = status_of("http://busy.example/0", T0, 429);
	busy.retry_after_s = 2 * HOUR;
	desk_answer(&desk, busy);
	for (int i = 1; i < 4; i++) {
		static const char *const hosts[] = { "busy", "night", "slow" };

		for (int j = 0; j < 3; j++) {
			snprintf(url, sizeof url, "http://%s.example/%d", hosts[j], i);
			add_page(&desk, url);
		}
	}
	desk_due(&desk, &list, T0 + 1, 100, 600);
	look(&desk, T0 + 1);
	ok(stats.held_hosts == 3, "three hosts are held back: %u", (unsigned)stats.held_hosts);
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		ok(stats.held_by[counted[i].held] == counted[i].hosts, "of hosts that are held back %u are so by %s", counted[i].hosts,
		   prn_held_name(counted[i].held));
	for (size_t i = 0; i < stats.held_hosts && i < 3; i++) {
		const struct prn_held_host *host = &stats.hosts[i];

		if (!strcmp(host->name, "busy.example"))
			ok(host->held == PRN_HELD_WISH && host->until == T0 + 2 * HOUR,
			   "a host that wants to be left alone is held back by that, until it is over");
		else if (!strcmp(host->name, "night.example"))
			ok(host->held == PRN_HELD_HOURS && host->until == T0 + 2 * HOUR,
			   "a host that may be asked later in the day is held back by that, until then");
		else
			ok(host->held == PRN_HELD_DELAY && host->until == T0 + 61, "a host with a delay is held back until it is over");
	}
	ok(stats.totals.leased == 1 && stats.totals.waiting == 8, "pages that are out are told apart from those that wait for their hosts");
	ok(!stats.overdue && stats.due == 8, "pages that wait for their hosts are due, and not among those that wait for nobody");
	ok(!stats.ended, "a lease that runs has not ended");
	look(&desk, T0 + 601);
	ok(stats.ended == 1 && stats.totals.leased == 1, "a page whose lease has ended is told, and out until it is taken for a failure");
	desk_release(&desk);
	same(prn_held_name(PRN_HELD_SHARE), "share", "being held back by a share has a name");
	same(prn_held_name(PRN_HELD_WISH), "retry-after", "being held back by the host's own wish has a name");
	same(prn_held_name((enum prn_held)9), "?", "what holds no host back has no name");
}

/* A lease that was long and is over, and a short one that runs. */
static void leases_of_two_lengths(void)
{
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	add_page(&desk, "http://a.example/1");
	add_page(&desk, "http://a.example/2");
	must(desk_due(&desk, &list, T0, 10, DAY) == 1, "ask");
	desk_text(&desk, list.items[0].url, T0 + 5, text_from(0));
	must(desk_due(&desk, &list, T0 + 10, 10, 10) == 1, "ask");
	add_page(&desk, "http://a.example/3");
	desk_due(&desk, &list, T0 + 15, 10, 10);
	ok(!list.count && list.next == T0 + 20,
	   "the next page of a host is told for the end of the lease that runs, not of one that was reported: in %d s",
	   (int)(list.next - T0 - 15));
	desk_release(&desk);
}

/* Pages that are out while their host's group changes: counted where they were until their leases end, and no longer. */
static void group_changes(void)
{
	static const struct prn_host_rule group[] = { { "example", -1, -1, 0, 0, "all" } };
	struct desk desk;
	char url[64];

	desk_open(&desk, NULL, 0);
	desk.options.host_limit = 1;
	desk.options.hosts = group;
	desk.options.host_count = 1;
	desk_reopen(&desk);
	for (int i = 0; i < 4; i++) {
		snprintf(url, sizeof url, "http://a.example/%d", i);
		add_page(&desk, url);
	}
	must(desk_due(&desk, &list, T0, 10, HOUR) == 1, "ask");
	snprintf(url, sizeof url, "%s", list.items[0].url);
	desk.options.host_count = 0;
	desk_reopen(&desk);
	must(desk_due(&desk, &list, T0 + 5, 10, HOUR) <= 1, "ask without the group");
	ok(desk_due(&desk, &list, T0 + 10, 10, HOUR) == 0, "a host whose group was taken away has one more page out, and no more than that");
	desk_text(&desk, url, T0 + 20, text_from(0));
	ok(desk_due(&desk, &list, T0 + 21, 10, HOUR) <= 1 && desk_due(&desk, &list, T0 + 22, 10, HOUR) == 0,
	   "a page that was out under a group, and comes back without it, makes room for one page at most");
	desk.options.host_count = 1;
	desk_reopen(&desk);
	ok(desk_due(&desk, &list, T0 + 30, 10, HOUR) == 0, "a group that is back is full until the lease ends that was counted for it");
	ok(desk_due(&desk, &list, T0 + HOUR + 30, 10, HOUR) == 1, "after that lease the group is asked again");
	desk_release(&desk);
}

/* Rules that come between two calls leave turns behind that have come. */
static void no_time_before_now(void)
{
	static const struct prn_host_rule group[] = { { "example", -1, -1, 0, 0, "all" }, { "@all", -1, 5, 0, 0, NULL } };
	struct prn_capture busy = status_of("http://a.example/0", T0, 429);
	struct desk desk;

	desk_open(&desk, NULL, 0);
	busy.retry_after_s = 7200;
	desk_answer(&desk, busy);
	for (int i = 1; i < 4; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a.example/%d", i);
		add_page(&desk, url);
	}
	desk_due(&desk, &list, T0 + 1, 10, 600);
	desk.options.hosts = group;
	desk.options.host_count = 2;
	desk_reopen(&desk);
	desk_due(&desk, &list, T0 + DAY, 10, 0);
	ok(list.next == PRN_TIME_UNKNOWN || list.next >= T0 + DAY, "the next page is never due before now");
	desk_release(&desk);
}

/* Turns as the store has them, more than stats looks at. */
static void many_hosts(void)
{
	struct prn_host_rule rule = { NULL, -1, -1, (double)((T0 + 2 * HOUR) % DAY), (double)((T0 + 3 * HOUR) % DAY), NULL };
	unsigned char key[PRN_TURN_BYTES];
	struct desk desk;
	char text[32];

	desk_open(&desk, NULL, 0);
	desk.options.hosts = &rule;
	desk.options.host_count = 1;
	desk_reopen(&desk);
	for (int i = 0; i < PRN_STATS_WAITED_FOR + 5; i++) {
		struct prn_host_name name = { text, (size_t)snprintf(text, sizeof text, "h%d.example", i) };

		prn_turn_key(T0, prn_host_number(name), key);
		must(!prn_batch_side_put(desk.decider->batch, PRN_SIDE_TURNS, key, sizeof key, name.text, name.length, NULL), "put a turn");
	}
	look(&desk, T0);
	ok(stats.held_hosts == PRN_STATS_WAITED_FOR, "of very many hosts that pages wait for stats looks at a hundred thousand");
	desk_close(&desk);
}

int main(void)
{
	make_scratch();
	prn_due_list_init(&list);
	crawl_delays();
	addresses();
	addresses_change();
	pages_with_a_past();
	full_hosts();
	sites();
	held();
	leases_of_two_lengths();
	no_time_before_now();
	group_changes();
	many_hosts();
	prn_due_list_release(&list);
	return done();
}
