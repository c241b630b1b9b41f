/* Budgets in bytes, and what a look costs that is answered "not modified". */
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#include "desk.h"

#include "base/random.h"
#include "decide/costs.h"
#include "decide/ledger.h"
#include "decide/loads.h"

#include <math.h>

#define PAGES 240
#define DAYS 16
#define HEAD PRN_COST_HEAD_BYTES

static struct prn_due_list list;

static void budget_texts(void)
{
	static const struct {
		const char *text;
		double per_day;
		enum prn_unit unit;
	} good[] = {
		{ "10/day", 10, PRN_UNIT_VISITS },       { "1e3/hour", 24000, PRN_UNIT_VISITS },
		{ "14/week", 2, PRN_UNIT_VISITS },       { "2GB/day", 2e9, PRN_UNIT_BYTES },
		{ "1.5gb/day", 1.5e9, PRN_UNIT_BYTES },  { "7MB/week", 1e6, PRN_UNIT_BYTES },
		{ "1KiB/day", 1024, PRN_UNIT_BYTES },    { "1GiB/day", 1073741824.0, PRN_UNIT_BYTES },
		{ "5kB/hour", 120000, PRN_UNIT_BYTES },  { "1TB/day", 1e12, PRN_UNIT_BYTES },
		{ "100B/day", 100, PRN_UNIT_BYTES },
	};
	static const char *const bad[] = { "", "10", "/day", "10/", "10/year", "2G/day", "2 GB/day", "GB/day", "-1/day", "0/day",
		                           "0GB/day", "1e-308/day", "1e-7/day", "1e-300B/day", "nan/day", "inf/day", "1e308TB/hour", "2GB", "2GB/days", "2GBB/day" };
	struct prn_budget budget = { 7, PRN_UNIT_VISITS };
	char text[PRN_AMOUNT_TEXT];

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		bool read = prn_budget_parse(good[i].text, &budget);

		if (ok(read, "'%s' is a budget", good[i].text)) {
			near(budget.per_day / good[i].per_day, 1, 1e-12,
			     "the budget '%s' is read as %g a day", good[i].text, good[i].per_day);
			same(prn_unit_name(budget.unit), prn_unit_name(good[i].unit), "the budget '%s' is read in its unit", good[i].text);
		}
	}
	budget = (struct prn_budget){ 7, PRN_UNIT_VISITS };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!prn_budget_parse(bad[i], &budget) && fabs(budget.per_day - 7) < 1, "'%s' is no budget", bad[i]);
	same(prn_amount_format(0, PRN_UNIT_BYTES, text), "0 B", "no bytes are written as 0 B");
	same(prn_amount_format(999.4, PRN_UNIT_BYTES, text), "999 B", "bytes below a thousand are whole");
	same(prn_amount_format(999.6, PRN_UNIT_BYTES, text), "1 kB", "what rounds to a thousand bytes is a kilobyte");
	same(prn_amount_format(1999e6, PRN_UNIT_BYTES, text), "2 GB", "an amount of bytes has three digits");
	same(prn_amount_format(-2.5e6, PRN_UNIT_BYTES, text), "-2.5 MB", "an amount that is owed has its sign");
	same(prn_amount_format(0.25, PRN_UNIT_VISITS, text), "0.25", "visits are written as a number");
}

static void cost_texts(void)
{
	static const char *const bad[] = { "0", "-1", "1.1", "x", "0.1,,0.2", ",", "=0.1", "text/html=", "text/html=0", "0.1 ", "nan" };
	struct prn_costs costs;
	struct prn_page_state state = { .cost = { 1, 1, 0 } };
	struct prn_error error = { 0 };

	prn_costs_init(&costs);
	ok(!prn_costs_are_counted(&costs), "by itself a visit costs one, whatever it brings");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(prn_costs_parse(&costs, bad[i], &error) == PRN_E_ARGUMENT && !costs.given, "'%s' is no cost of a 304: %.60s…", bad[i],
		   error.text);
	must(!prn_costs_parse(&costs, "0.2,application/pdf=0.02,image/*=0.5", &error), "read costs");
	near(prn_cost_expected(&costs, &state), 0.2, 1e-12, "a page of which nothing else is said has the cost that all pages have");
	state.media = prn_media_code("application/pdf");
	near(prn_cost_expected(&costs, &state), 0.02, 1e-12, "a page of a media type that has a cost of its own has that");
	state.media = prn_media_code("image/png");
	near(prn_cost_expected(&costs, &state), 0.5, 1e-12, "a page of a kind of media that has a cost of its own has that");
	state.cost.same = 0.5;
	near(prn_cost_expected(&costs, &state), 0.75, 1e-12, "a look is expected to cost what half of the looks cost that were like it");
	must(!prn_costs_parse(&costs, "", &error), "read none");
	ok(!prn_costs_are_counted(&costs), "an empty cost of a 304 is none");
}

/* What a look brings is learned, and stays within its bounds. */
static void learned(void)
{
	struct prn_costs costs = { .unit = PRN_UNIT_BYTES, .unchanged = 1 };
	struct prn_page_state state = { 0 };
	struct prn_observation look = { .kind = PRN_KIND_CONTENT, .status = 200, .bytes = 50000 };
	double expected;

	near(prn_cost_expected(&costs, &state), PRN_COST_FIRST_BYTES, 1e-9, "of a page that was never seen 100 kB are expected");
	prn_cost_learn(&costs, &state, &look);
	near(prn_cost_expected(&costs, &state), 50000 + HEAD, 20, "after a first look a page is expected to cost its bytes and those of the heads");
	look.bytes = 100000;
	prn_cost_learn(&costs, &state, &look);
	near(prn_cost_expected(&costs, &state), 75000 + HEAD, 40, "after two looks their mean is expected");
	for (int i = 0; i < 200; i++)
		prn_cost_learn(&costs, &state, &look);
	near(prn_cost_expected(&costs, &state), 100000 + HEAD, 300, "what was brought long ago is forgotten");
	look = (struct prn_observation){ .kind = PRN_KIND_SAME, .status = 304 };
	near(prn_cost_of(&costs, &state, &look), HEAD, 1e-9, "a 304 costs its head");
	for (int i = 0; i < 200; i++)
		prn_cost_learn(&costs, &state, &look);
	/* A tenth of a share above 65530 of 65535 is less than half of one of these. */
	near(prn_cost_expected(&costs, &state), HEAD, 1e5 * 5 / 65535, "where every answer is a 304 no body is expected");
	look = (struct prn_observation){ .kind = PRN_KIND_CONTENT, .status = 200, .bytes = 100000 };
	for (int i = 0; i < 200; i++)
		prn_cost_learn(&costs, &state, &look);
	near(prn_cost_expected(&costs, &state), 100000 + HEAD, 300 + 1e5 * 5 / 65535, "where no answer is a 304 any more a body is expected");
	look = (struct prn_observation){ .kind = PRN_KIND_SAME, .status = 304 };
	for (int i = 0; i < 50; i++)
		prn_cost_learn(&costs, &state, &look);
	look.repeated = true;
	near(prn_cost_of(&costs, &state, &look), 100000 + HEAD, 300, "a record that repeats another one's body cost what bodies of the page cost");
	look = (struct prn_observation){ .kind = PRN_KIND_ERROR, .status = 503 };
	near(prn_cost_of(&costs, &state, &look), HEAD, 1e-9, "a failure without a body costs its head");
	look.bytes = 16000000;
	near(prn_cost_of(&costs, &state, &look), HEAD + 16e6, 1e-9, "a failure costs its body");
	for (int i = 0; i < 4; i++)
		prn_cost_learn(&costs, &state, &look);
	ok(prn_cost_expected(&costs, &state) > 1e6, "what fails at greater cost than it answers is expected to: %g", prn_cost_expected(&costs, &state));
	expected = prn_cost_expected(&costs, &state);
	look.bytes = 1000;
	for (int i = 0; i < 20; i++)
		prn_cost_learn(&costs, &state, &look);
	near(prn_cost_expected(&costs, &state), expected, 1e-9, "that a page fails at little cost says nothing of what it costs when it answers");
	look = (struct prn_observation){ .kind = PRN_KIND_SAME, .status = 304, .bytes = 5000 };
	near(prn_cost_of(&costs, &state, &look), HEAD + 5000, 1e-9, "a 304 costs a body that it ought not to have");
	costs.unit = PRN_UNIT_VISITS;
	prn_cost_learn(&costs, &state, &look);
	ok(!state.cost.looks && !(state.cost.bytes > 0), "where looks are not counted what was learned of them is forgotten");
}

static void open_store(struct desk *desk, const struct prn_decider_settings *settings)
{
	static unsigned number;

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "memory:costs-%u", number++);
	desk_create(desk, settings);
}

/* A report of so many bytes of which only some are there to be read; NULL: a 304. */
static double report(struct desk *desk, const char *url, int64_t time, const char *text, double bytes)
{
	struct prn_capture capture = status_of(url, time, text ? 200 : 304);
	char normal[PRN_URL_BYTES + 1];
	struct prn_outcome outcome;

	must(!prn_url_normalize(url, SIZE_MAX, normal, sizeof normal), "read a URL");
	capture.normal_url = normal;
	if (text) {
		capture.content_type = "text/plain";
		capture.body = (const unsigned char *)text;
		capture.body_bytes = strlen(text);
	}
	must(!prn_observation_make(&desk->observation, &capture, prn_decider_summary(desk->decider), desk->extractor, 0, NULL), "make");
	desk->observation.bytes = text ? (uint64_t)bytes : 0;
	must(!prn_decider_observe(desk->decider, &desk->observation, time, &outcome, NULL), "observe");
	return HEAD + (text ? bytes : 0);
}

/* From 5 kB to 600 kB, in no order that has to do with how often pages change. */
static double bytes_of(unsigned page)
{
	return 5000 * pow(1.02, (page * 97) % PAGES);
}

static unsigned version_of(unsigned page, int64_t now)
{
	return (unsigned)((double)(now - T0) * 4 / ((double)DAY * pow(1.02, page)));
}

/* Pages that change at their own rates, and a fetcher that brings what it is given. */
struct world {
	struct desk desk;
	struct prn_random random;
	unsigned versions[PAGES]; /* that it has; 0: none */
	bool conditional;         /* it asks whether there is another one */
	double spent[24 * DAYS];  /* in an hour, by its own count */
	uint64_t looks, unchanged;
};

static void bring(struct world *world, int64_t now)
{
	for (size_t i = 0; i < list.count; i++) {
		unsigned page = (unsigned)strtoul(strrchr(list.items[i].url, '/') + 1, NULL, 10);
		unsigned version = 1 + version_of(page, now);
		bool same = world->conditional && version == world->versions[page];
		double bytes = bytes_of(page) * (0.8 + 0.4 * prn_random_unit(&world->random));
		double cost = report(&world->desk, list.items[i].url, now + 1, same ? NULL : text_from(1000 * page + version * 3), bytes);

		world->versions[page] = version;
		world->spent[(now - T0) / HOUR] += prn_decider_unit(world->desk.decider) == PRN_UNIT_BYTES ? cost : same ? 0.1 : 1;
		world->looks++;
		world->unchanged += same;
	}
}

static void run(struct world *world, const struct prn_decider_settings *settings, bool conditional, int64_t every)
{
	*world = (struct world){ .conditional = conditional };
	prn_random_seed(&world->random, 7, 0);
	open_store(&world->desk, settings);
	desk_add_pages(&world->desk, "a.example", PAGES);
	for (int64_t now = T0; now < T0 + DAYS * DAY; now += every / 2 + (int64_t)prn_random_below(&world->random, (uint64_t)every)) {
		desk_due(&world->desk, &list, now, 1000, HOUR);
		bring(world, now);
	}
}

/* The least and the most of what was spent in any 24 hours that begin at a whole hour, from one on. */
static void extremes(const struct world *world, size_t from, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t i = from; i + 24 <= 24 * DAYS; i++) {
		double sum = 0;

		for (size_t j = i; j < i + 24; j++)
			sum += world->spent[j];
		*least = fmin(*least, sum);
		*most = fmax(*most, sum);
	}
}

/* Day by day, once it binds. */
static void kept(const char *what, double budget, enum prn_unit unit, const char *cost, bool conditional, int64_t every, double room)
{
	const struct prn_decider_settings settings = { .budget_per_day = budget, .unit = unit, .cost_304 = cost };
	struct prn_stats stats;
	struct world world;
	double least, most;

	run(&world, &settings, conditional, every);
	extremes(&world, 24 * 5, &least, &most);
	ok(most <= (1.05 + room) * budget, "%s: within no day more than the budget is spent (%.3f of it)", what, most / budget);
	ok(least >= (0.95 - room) * budget, "%s: within no day clearly less is (%.3f of it; of %u looks %u were unchanged)", what, least / budget,
	   (unsigned)world.looks, (unsigned)world.unchanged);
	must(!prn_decider_stats(world.desk.decider, T0 + DAYS * DAY, &stats, NULL), "look at the budget");
	ok(fabs(stats.given_day / budget - 1) < 0.1 + room, "%s: stats tells what was spent (%.3f of the budget)", what, stats.given_day / budget);
	ok(stats.load_per_day > 0.7 * budget && stats.load_per_day < 2 * budget, "%s: stats tells what all pages want (%.2f of the budget)", what,
	   stats.load_per_day / budget);
	desk_release(&world.desk);
}

static void budgets(void)
{
	kept("20 MB a day", 20e6, PRN_UNIT_BYTES, NULL, false, 600, 0);
	/*
	 * Some pages are a thirtieth of the budget, and it is not known beforehand which of them have changed.  And all are of one
	 * pattern, and are taken for alike until each is known itself.
	 */
	kept("20 MB a day of conditional requests", 20e6, PRN_UNIT_BYTES, NULL, true, 600, 0.02);
	kept("20 MB a day, asked for some times a day", 20e6, PRN_UNIT_BYTES, NULL, false, 4 * HOUR, 0.25);
	kept("200 fetches a day, of which a 304 is a tenth", 200, PRN_UNIT_VISITS, "0.1", true, 600, 0);
}

/* The most particular rule counts, in whatever order they are given. */
static void particular(void)
{
	static const char *const orders[] = { "0.9,text/*=0.5,text/html=0.1", "text/html=0.1,text/*=0.5,0.9" };
	const struct prn_observation look = { .kind = PRN_KIND_SAME, .status = 304 };
	static const struct { const char *media; double cost; } pages[] = {
		{ "text/html", 0.1 }, { "text/plain", 0.5 }, { "image/png", 0.9 },
	};

	for (size_t i = 0; i < 2; i++) {
		struct prn_costs costs = { .unit = PRN_UNIT_VISITS };

		must(!prn_costs_parse(&costs, orders[i], NULL), "read costs");
		for (size_t j = 0; j < sizeof pages / sizeof *pages; j++) {
			struct prn_page_state state = { .media = prn_media_code(pages[j].media) };

			near(prn_cost_of(&costs, &state, &look), pages[j].cost, 1e-12, "of '%s' what is most particular counts for %s", orders[i],
			     pages[j].media);
		}
	}
}

/* Where looks are mostly 304s a budget in fetches gives more of them. */
static void more_looks(void)
{
	struct prn_decider_settings settings = { .budget_per_day = 400 };
	struct world plain, cheap;

	run(&plain, &settings, true, 600);
	settings.cost_304 = "0.1";
	run(&cheap, &settings, true, 600);
	ok((double)cheap.looks > 1.5 * (double)plain.looks, "the same budget gives %u looks in place of %u where a 304 costs a tenth",
	   (unsigned)cheap.looks, (unsigned)plain.looks);
	desk_release(&plain.desk);
	desk_release(&cheap.desk);
}

static uint32_t visits_of(struct desk *desk, const char *url)
{
	struct prn_explanation page;
	uint32_t visits;

	prn_explanation_init(&page);
	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_explain(desk->decider, url, T0, &page, NULL), "explain");
	visits = page.visits;
	prn_explanation_release(&page);
	return visits;
}

/* Pages that change alike, one ten times as large. */
static void large_pages(void)
{
	const struct prn_decider_settings settings = { .budget_per_day = 10e6, .unit = PRN_UNIT_BYTES };
	uint32_t small = 0, large = 0;
	struct desk desk;
	char url[64];

	open_store(&desk, &settings);
	desk_add_pages(&desk, "a.example", 60);
	for (int64_t now = T0; now < T0 + 10 * DAY; now += 600) {
		desk_due(&desk, &list, now, 1000, HOUR);
		for (size_t i = 0; i < list.count; i++) {
			unsigned page = (unsigned)strtoul(strrchr(list.items[i].url, '/') + 1, NULL, 10);

			report(&desk, list.items[i].url, now + 1, text_from(1000 * page + 3 * (unsigned)((now - T0) / (6 * HOUR))),
			       page % 2 ? 20e3 : 200e3);
		}
	}
	for (unsigned i = 0; i < 60; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		*(i % 2 ? &small : &large) += visits_of(&desk, url);
	}
	ok(small > 2 * large, "of pages that change alike those that are a tenth as large are visited more than twice as often: %u, %u", small,
	   large);
	desk_release(&desk);
}

/* What a page is explained to cost, and whether by what others bring. */
static double explained_cost(struct desk *desk, const char *url, bool guessed)
{
	struct prn_explanation page;
	double cost;

	prn_explanation_init(&page);
	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_explain(desk->decider, url, T0, &page, NULL), "explain");
	cost = page.cost_guessed == guessed ? page.cost : NAN;
	prn_explanation_release(&page);
	return cost;
}

static double left_of(struct desk *desk, int64_t now)
{
	struct prn_stats stats;

	must(!prn_decider_commit(desk->decider, NULL) && !prn_decider_stats(desk->decider, now, &stats, NULL), "look at the budget");
	return stats.left;
}

/* One answer of many times the budget is its own host's, by a store of so many shards. */
static void large_answers(unsigned shards)
{
	const struct prn_decider_settings settings = { .budget_per_day = 1e6, .unit = PRN_UNIT_BYTES, .shards = shards };
	/* Of shards none gives pages before their time, so that it takes a day until the threshold has followed. */
	double honest = 0, greedy = 0, least = shards ? 1.2e6 : 1.7e6;
	struct desk desk;
	char host[32];

	open_store(&desk, &settings);
	for (unsigned i = 0; i < 30; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 20);
	}
	for (int64_t now = T0; now < T0 + 6 * DAY; now += HOUR / 2) {
		desk_due(&desk, &list, now, 1000, HOUR);
		for (size_t i = 0; i < list.count; i++) {
			bool is_greedy = strstr(list.items[i].url, "//h7.example/") && now >= T0 + 3 * DAY;
			double cost = report(&desk, list.items[i].url, now + 1, text_from((unsigned)(i + (size_t)((now - T0) / HOUR))),
			                     is_greedy && greedy <= 0 ? 16e6 : 5e3);

			greedy += is_greedy ? cost : 0;
			honest += !is_greedy && now >= T0 + 4 * DAY ? cost : 0;
		}
	}
	ok(greedy > 16e6, "a host answers with many times the budget of %u shards: %.3g bytes", shards, greedy);
	ok(honest > least, "what a host answered beyond its share of a day takes nothing from others: %.3g bytes of 2e6 in two days, with %u shards",
	   honest, shards);
	ok(greedy < 16.2e6, "a host that owes is not asked: %.3g bytes, with %u shards", greedy, shards);
	desk_release(&desk);
}

#define MANY 60
#define MANY_DAYS 30

/* Hosts that answer with little once, and then with a day's budget each time. */
struct many {
	struct desk desk;
	unsigned visits[MANY];
	double hours[24 * MANY_DAYS], brought; /* in an hour, and in all */
};

/* Whether there were any. */
static bool answer_some(struct many *many, int64_t now, size_t limit)
{
	desk_due(&many->desk, &list, now, limit, HOUR);
	for (size_t i = 0; i < list.count; i++) {
		unsigned host = (unsigned)strtoul(list.items[i].url + strlen("http://h"), NULL, 10);
		double cost = report(&many->desk, list.items[i].url, now + 1, text_from(100 * host + many->visits[host]),
		                     many->visits[host] ? 2e6 : 2e3);

		many->visits[host]++;
		many->hours[(now - T0) / HOUR] += cost;
		many->brought += cost;
	}
	must(!prn_decider_commit(many->desk.decider, NULL), "commit");
	return list.count > 0;
}

static double most_of_a_day(const struct many *many)
{
	double most = 0;

	for (size_t i = 0; i + 24 <= 24 * MANY_DAYS; i++) {
		double sum = 0;

		for (size_t j = i; j < i + 24; j++)
			sum += many->hours[j];
		most = fmax(most, sum);
	}
	return most;
}

static void answer_until(struct many *many, int64_t from, int64_t to, size_t limit, struct prn_stats *stats)
{
	for (int64_t now = from; now < to; now += HOUR / 2)
		while (answer_some(many, now, limit))
			continue;
	must(!prn_decider_stats(many->desk.decider, to - HOUR / 2 + 2, stats, NULL), "look at the budget");
}

/*
 * The debts of hosts that the budget does not count are never more than a day's, and fade in a day: what came, and is not owed, is
 * at most what accrued and as much again, and a day's budget.  Of pages that come one by one that bounds what comes in any day.
 */
static void many_large_answers(unsigned shards, size_t limit)
{
	const double budget = 2e6;
	const struct prn_decider_settings settings = { .budget_per_day = budget, .unit = PRN_UNIT_BYTES, .shards = shards };
	struct many many = { 0 };
	struct prn_stats stats;
	char host[32], what[64];

	snprintf(what, sizeof what, "%u shards, %zu pages at once", shards, limit);
	open_store(&many.desk, &settings);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&many.desk, host, 1);
	}
	answer_until(&many, T0, T0 + DAY, limit, &stats);
	ok(many.brought > 2 * budget, "hosts bring more than the budget in the first day: %.4g bytes; %s", many.brought, what);
	near(stats.given_day, many.brought, many.brought * 1e-4, "stats tells all that came; %s", what);
	ok(stats.forgiven_day > 0.8 * budget && stats.forgiven_day < 2.1 * budget, "… and what of it the budget does not count: %.4g bytes; %s",
	   stats.forgiven_day, what);
	ok(many.brought + stats.left < 3.1 * budget, "within a day three budgets come that are not owed: %.4g bytes; %s", many.brought + stats.left, what);
	desk_reopen(&many.desk);
	answer_until(&many, T0 + DAY, T0 + MANY_DAYS * DAY, limit, &stats);
	ok(many.brought + stats.left < (2 * MANY_DAYS + 1.1) * budget, "in %u days two budgets a day come that are not owed: %.4g bytes; %s",
	   MANY_DAYS, many.brought + stats.left, what);
	if (limit == 1)
		ok(most_of_a_day(&many) < 4.1 * budget, "within no day more than three budgets and one answer come: %.4g bytes; %s",
		   most_of_a_day(&many), what);
	desk_release(&many.desk);
}

/* What is handed out is paid for, and what comes of it settles that. */
static void settled(void)
{
	const struct prn_decider_settings settings = { .budget_per_day = 24e6, .unit = PRN_UNIT_BYTES };
	struct desk desk;
	bool released;
	double left;

	open_store(&desk, &settings);
	desk_add_pages(&desk, "a.example", 3);
	near(explained_cost(&desk, "http://a.example/1", false), PRN_COST_FIRST_BYTES, 1e-9, "a page of which nothing is known is explained with 100 kB");
	must(desk_due(&desk, &list, T0, 1, HOUR) == 1, "ask");
	near(left_of(&desk, T0), 1e6 - PRN_COST_FIRST_BYTES, 1, "a page of which nothing is known is paid for with 100 kB");
	report(&desk, list.items[0].url, T0, text_from(0), 300e3);
	near(left_of(&desk, T0), 1e6 - 300e3 - HEAD, 1, "the bytes of a report take the place of the expected ones");
	desk_reopen(&desk);
	left = explained_cost(&desk, strstr(list.items[0].url, "/1") ? "http://a.example/2" : "http://a.example/1", true);
	must(desk_due(&desk, &list, T0, 1, HOUR) == 1, "ask");
	near(left_of(&desk, T0), 1e6 - 300e3 - HEAD - left, 1, "a page that was never handed out is explained with what it is then charged");
	near(left_of(&desk, T0), 1e6 - 2 * (300e3 + HEAD), 100, "another new page is paid for with what those before it brought, also by another process");
	must(!prn_decider_release(desk.decider, list.items[0].url, T0, &released, NULL) && released, "give it back");
	near(left_of(&desk, T0), 1e6 - 300e3 - HEAD, 100, "what is given back is paid back");
	must(desk_due(&desk, &list, T0, 1, HOUR) == 1, "ask");
	desk_status(&desk, list.items[0].url, T0, 503);
	near(left_of(&desk, T0), 1e6 - 300e3 - 2 * HEAD, 100, "a failure costs its head");
	left = left_of(&desk, T0);
	report(&desk, "http://other.example/", T0, text_from(7), 500e3);
	near(left_of(&desk, T0), left, 1, "what was not handed out is not paid for");
	must(desk_due(&desk, &list, T0, 1, HOUR) == 1, "ask");
	report(&desk, list.items[0].url, T0, text_from(9), 5e6);
	ok(left_of(&desk, T0) < -4e6, "what brings more than there was is owed");
	ok(!desk_due(&desk, &list, T0 + 2 * HOUR, 1, HOUR), "while something is owed nothing is handed out");
	desk_release(&desk);
}

/* A page larger than a day's budget. */
static void huge_page(void)
{
	const struct prn_decider_settings settings = { .budget_per_day = 1e6, .unit = PRN_UNIT_BYTES };
	unsigned given = 0;
	struct desk desk;

	open_store(&desk, &settings);
	desk_add_pages(&desk, "a.example", 1);
	for (int64_t now = T0; now < T0 + 40 * DAY; now += HOUR)
		if (desk_due(&desk, &list, now, 10, HOUR / 2)) {
			report(&desk, list.items[0].url, now + 1, text_from(3 * given), 4e6);
			given++;
		}
	ok(given >= 5 && given <= 11, "a page of four days' budget comes every fourth day: %u times in forty", given);
	desk_release(&desk);
}

/* The store's loads are those of a count of its own, in whatever unit. */
static void loads(void)
{
	static const struct prn_decider_settings settings[] = {
		{ .budget_per_day = 20e6, .unit = PRN_UNIT_BYTES },
		{ .budget_per_day = 100, .cost_304 = "0.1" },
	};
	struct world world;

	for (size_t i = 0; i < 2; i++) {
		struct prn_store_reader reader;
		double sums[2];

		run(&world, &settings[i], true, HOUR);
		reader = prn_decider_reader(world.desk.decider);
		must(!prn_loads_at(world.desk.decider, &world.desk.decider->costs, &reader, 0.1, &sums[0], NULL, NULL) &&
		     !prn_loads_count(world.desk.decider, NULL) &&
		     !prn_loads_at(world.desk.decider, &world.desk.decider->costs, &reader, 0.1, &sums[1], NULL, NULL), "read loads");
		near(sums[0] / sums[1], 1, 1e-9, "loads in %s kept up page by page are those of all pages counted anew",
		     prn_unit_name(settings[i].unit));
		desk_release(&world.desk);
	}
}

/* Another unit, and another cost, from now on. */
static void tuned(void)
{
	const struct prn_decider_settings settings = { .budget_per_day = 100 };
	struct prn_tuning_request request = { .budget = { 20e6, PRN_UNIT_BYTES }, .apply = true };
	struct prn_tuning tuning;
	struct prn_error error = { 0 };
	struct prn_stats stats;
	struct world world;

	run(&world, &settings, true, HOUR);
	must(!prn_decider_tune(world.desk.decider, &request, &tuning, NULL), "tune");
	ok(tuning.unit == PRN_UNIT_BYTES && fabs(tuning.load_per_day / 20e6 - 1) < 0.1,
	   "tune finds the threshold of a budget in bytes: %.3g bytes a day", tuning.load_per_day);
	must(!prn_decider_stats(world.desk.decider, T0 + DAYS * DAY, &stats, NULL), "look at the budget");
	ok(stats.unit == PRN_UNIT_BYTES && stats.budget_per_day > 19e6, "a budget in bytes that was tuned for is the store's from then on");
	ok(stats.given_day < 1, "of a budget that another unit has taken the place of nothing is spent yet");
	desk_reopen(&world.desk);
	ok(prn_decider_unit(world.desk.decider) == PRN_UNIT_BYTES, "the unit of the budget is known when the store is opened again");
	request.cost_304 = "0.5,text/html=0.05";
	must(!prn_decider_tune(world.desk.decider, &request, &tuning, NULL), "tune");
	desk_reopen(&world.desk);
	must(!prn_decider_stats(world.desk.decider, T0 + DAYS * DAY, &stats, NULL), "look at the budget");
	same(stats.cost_304, "0.5,text/html=0.05", "what a 304 costs is kept");
	request.cost_304 = "2";
	ok(prn_decider_tune(world.desk.decider, &request, &tuning, &error) == PRN_E_ARGUMENT, "a cost of a 304 above a fetch is refused: %.60s…",
	   error.text);
	desk_release(&world.desk);
}

/* A state of either kind comes back, and takes four bytes more at most. */
static void states(void)
{
	struct prn_policy *policy;
	struct prn_page_state state, back;
	unsigned char bytes[256];
	size_t plain, length, good = 0;

	prn_policy_open(&policy, "drift", NULL, NULL);
	must(!prn_page_state_init(&state, policy, 8) && !prn_page_state_init(&back, policy, 8), "make states");
	plain = prn_page_state_encode(&state, bytes, sizeof bytes);
	for (int i = 0; i < 8; i++) {
		state.cost = (struct prn_page_cost){ i & 1 ? 15 : 1, i & 2 ? prn_page_same(0.3) : 0, prn_page_bytes(i & 4 ? 123456 : 0) };
		state.hints = (struct prn_hints){ 0 };
		if (i & 1)
			prn_page_state_hint(&state, &(struct prn_hints){ 0.5, 0.1, 3, 0 });
		length = prn_page_state_encode(&state, bytes, sizeof bytes);
		good += !prn_page_state_decode(&back, bytes, length, NULL) && back.cost.looks == state.cost.looks &&
		        fabs(back.cost.same - state.cost.same) < 1e-12 && fabs(back.cost.bytes - state.cost.bytes) < 1e-6 &&
		        fabs(back.hints.count - state.hints.count) < 1e-12;
	}
	ok(good == 8, "what looks cost comes back with a state, with hints and without");
	state.hints = (struct prn_hints){ 0 };
	length = prn_page_state_encode(&state, bytes, sizeof bytes);
	ok(length <= plain + 6, "what looks cost takes six bytes at most, with that of redirects: %u", (unsigned)(length - plain));
	bytes[0] = 4; /* as it was: a byte less, 255ths */
	must(length > 7 && bytes[4] == 15 + 16, "find what looks cost");
	bytes[5] = 251;
	memmove(bytes + 6, bytes + 7, length - 7);
	ok(!prn_page_state_decode(&back, bytes, length - 1, NULL), "a state of before, with a coarser share of answers of 304, is read");
	ok(back.cost.looks == 15, "a state of before has how many looks there were");
	near(back.cost.same, 251.0 / 255, 1e-12, "a state of before has the share of looks that were answered 304");
	near(back.cost.bytes, state.cost.bytes, 1e-6, "a state of before has how many bytes a look takes");
	near(prn_page_bytes(1e6), 1e6, 400, "bytes are kept to a thousandth");
	near(prn_page_bytes(1e12), 4294967296.0, 3e6, "more than 4 GiB are kept as that");
	prn_page_state_release(&state);
	prn_page_state_release(&back);
	prn_policy_free(policy);
}

int main(void)
{
	prn_due_list_init(&list);
	make_scratch();
	budget_texts();
	cost_texts();
	learned();
	budgets();
	particular();
	more_looks();
	large_pages();
	large_answers(0);
	large_answers(4);
	many_large_answers(0, 1000);
	many_large_answers(4, 1000);
	many_large_answers(0, 1);
	many_large_answers(4, 1);
	settled();
	huge_page();
	loads();
	tuned();
	states();
	prn_due_list_release(&list);
	return done();
}
