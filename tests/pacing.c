/* A budget is kept: how many pages are handed out in a day, and at which threshold. */
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/settings_change.h"
#include "perennial/stats.h"
#include "perennial/tuning.h"

#include "desk.h"

#include "base/random.h"
#include "decide/ledger.h"
#include "decide/loads.h"

#include <math.h>

static struct prn_due_list list;

static size_t ask(struct desk *desk, int64_t now, size_t limit)
{
	return desk_due(desk, &list, now, limit, HOUR);
}

static void open_paced_at(struct desk *desk, const char *path, const char *policy, double budget_per_day)
{
	const struct prn_decider_settings settings = { .policy = policy, .budget_per_day = budget_per_day, .shards = desk_shards() };

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "%s", path);
	desk_create(desk, &settings);
}

/* In memory: weeks of a store in a file take their time. */
static void open_paced(struct desk *desk, const char *policy, double budget_per_day)
{
	static unsigned number;
	char path[64];

	snprintf(path, sizeof path, "memory:paced-%u", number++);
	open_paced_at(desk, path, policy, budget_per_day);
}

static void first_minute(void)
{
	struct prn_stats stats;
	struct desk desk;
	size_t given = 0;

	open_paced(&desk, NULL, 10);
	desk_add_pages(&desk, "a.example", 1000);
	ok(ask(&desk, T0, 1000) == 1 && list.over_budget, "of a budget of ten a day a thousand new pages are given one at first");
	ok(list.next == T0 + DAY / 10, "a list that the budget ended says when there is room for another page");
	ok(!ask(&desk, T0 + DAY / 10 - 1, 1000) && list.over_budget, "before the budget has room nothing is given");
	ok(list.next == T0 + DAY / 10, "who asks before the budget has room is told when there is some, as before");
	ok(ask(&desk, T0 + DAY / 10, 1000) == 1, "when the budget has room a page is given");
	for (int64_t now = T0 + DAY / 10 + 600; now < T0 + DAY; now += 600)
		given += ask(&desk, now, 1000);
	ok(given == 8, "on the first day ten pages are given in all");
	ok(ask(&desk, T0 + 4 * DAY, 5) == 5 && !list.over_budget, "a limit below what has accrued ends the list before the budget");
	ok(ask(&desk, T0 + 4 * DAY, 1000) == 5, "what was not asked for accrues, to a day's budget and no more");
	ok(ask(&desk, T0 + 4 * DAY + DAY / 2, 1000) == 0, "after a day's budget was given at once nothing is given for half a day");
	ok(ask(&desk, T0 + 5 * DAY, 1000) == 10, "a day after a day's budget was given it is given again");
	desk_reopen(&desk);
	ok(!ask(&desk, T0 + 5 * DAY, 1000), "what was given is known when the store is opened again");
	must(!prn_decider_stats(desk.decider, T0 + 50 * DAY, &stats, NULL), "look at the budget");
	near(stats.left, 10, 1e-9, "what is left is a day's budget at most, however long nothing was asked for");
	desk_release(&desk);
}

/* A list ends by the budget only where the budget keeps something back. */
static void nothing_kept_back(void)
{
	struct desk desk;
	char url[64];

	open_paced(&desk, NULL, 24);
	desk_add_pages(&desk, "a.example", 2);
	must(ask(&desk, T0, 100) == 1 && list.over_budget && list.next == T0 + HOUR, "ask");
	ok(ask(&desk, T0 + HOUR, 100) == 1 && !list.over_budget, "a list to which the budget added the last page that was due is not over the budget");
	ok(!ask(&desk, T0 + HOUR + 1, 100) && !list.over_budget, "where nothing is due a budget that has no room keeps nothing back");
	ok(list.next == T0 + 2 * HOUR, "where the budget keeps nothing back the next time is when a page is due, and there is room");
	desk_add_pages(&desk, "b.example", 1);
	ok(!ask(&desk, T0 + HOUR + 2, 100) && list.over_budget,
	   "a page that is due is kept back by a budget that has no room");
	ok(list.next == T0 + 2 * HOUR, "where the budget keeps a page back the next time is when there is room");
	desk_release(&desk);

	open_paced(&desk, NULL, 48);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	desk_add_pages(&desk, "a.example", 2);
	must(ask(&desk, T0, 100) == 1, "ask");
	snprintf(url, sizeof url, "%s", list.items[0].url);
	desk_add_pages(&desk, "b.example", 1);
	must(ask(&desk, T0 + 1, 100) == 1, "ask");
	ok(!ask(&desk, T0 + 2, 100) && !list.over_budget, "a page that its host keeps back is not kept back by the budget");
	desk_text(&desk, url, T0 + 3, text_from(0));
	ok(!ask(&desk, T0 + 4, 100) && list.over_budget, "a page that waited for its host, which may be asked again, is kept back by the budget");
	desk_release(&desk);
}

/* What is left over while nothing is due is made up for at twice the rate. */
static void made_up_for(void)
{
	struct desk desk;
	size_t given = 0;

	open_paced(&desk, NULL, 240);
	for (int64_t now = T0; now < T0 + 12 * HOUR; now += MINUTE)
		must(!ask(&desk, now, 1000), "ask");
	desk_add_pages(&desk, "a.example", 1000);
	for (int64_t now = T0 + 12 * HOUR; now < T0 + 13 * HOUR; now += MINUTE)
		given += ask(&desk, now, 1000);
	ok(given >= 20 && given <= 31, "who asks every minute is given what is left over at twice the rate, not at once: %u an hour",
	   (unsigned)given);
	desk_release(&desk);
}

/* A call that asks for less than there is room for. */
static void short_asks(void)
{
	struct desk desk;

	open_paced(&desk, NULL, 200);
	desk_add_pages(&desk, "a.example", 1000);
	must(ask(&desk, T0, 1000) == 8, "ask");
	ok(ask(&desk, T0 + DAY, 3) == 3 && ask(&desk, T0 + DAY + 1, 1000) > 150,
	   "room that a call did not ask for is there for the next one");
	desk_release(&desk);
}

static void small_budgets(void)
{
	struct desk desk;
	size_t given = 0;

	open_paced(&desk, NULL, 1.9);
	desk_add_pages(&desk, "a.example", 100);
	for (int64_t now = T0; now < T0 + 10 * DAY; now += 3 * HOUR)
		given += ask(&desk, now, 10);
	ok(given >= 17 && given <= 20, "a budget of 1.9 a day is 19 in ten days: %u", (unsigned)given);
	desk_release(&desk);
}

/* Times before 1970, where half hours are counted down. */
static void before_1970(void)
{
	struct desk desk;
	size_t given = 0;

	open_paced(&desk, NULL, 48);
	desk.options.future_s = 1e9;
	desk_add_pages(&desk, "a.example", 300);
	for (int64_t now = -2 * DAY; now < DAY; now += 1000)
		given += ask(&desk, now, 10);
	ok(given >= 140 && given <= 150, "a budget is kept over the first second of 1970: %u of 144 in three days", (unsigned)given);
	given = 0;
	for (int64_t now = T0; now < T0 + DAY - HOUR; now += 1000)
		given += ask(&desk, now, 100);
	ok(given >= 40 && given <= 50, "a ledger that began before 1970 is kept on: %u of 48", (unsigned)given);
	desk_release(&desk);
}

/* A clock that was wrong for a call. */
static void clocks(void)
{
	struct desk desk;

	open_paced(&desk, NULL, 24);
	desk_add_pages(&desk, "a.example", 100);
	must(ask(&desk, T0, 100) == 1, "ask");
	ok(ask(&desk, T0 + 20 * 365 * DAY, 100) == 24, "a clock that runs far ahead is given a day's budget");
	ok(!ask(&desk, T0 + HOUR / 2, 100),
	   "a clock that comes back from far ahead is given nothing more of the day's budget");
	ok(ask(&desk, T0 + DAY + HOUR, 100) == 24,
	   "a day after a clock came back from far ahead a day's budget is given again");
	ok(ask(&desk, T0 + DAY, 100) == 0 && ask(&desk, T0 + DAY + HOUR, 100) == 0, "an hour that comes twice accrues once");
	desk_release(&desk);
}

/* Asks twice a day for five days. */
static unsigned ask_for_days(struct desk *desk, int64_t from)
{
	unsigned given = 0;

	for (int64_t now = from; now < from + 5 * DAY; now += DAY / 2)
		given += (unsigned)ask(desk, now, 1000);
	return given;
}

/* A clock that was set back by days, and then right. */
static void clocks_set_back(void)
{
	struct desk desk;
	unsigned given;

	open_paced(&desk, NULL, 24);
	desk_add_pages(&desk, "a.example", 500);
	must(ask(&desk, T0, 100) == 1 && ask(&desk, T0 + 40 * DAY, 100) == 24, "ask");
	ok(!ask(&desk, T0 + 31 * DAY, 100), "a clock that is set back by days is given nothing that was given already");
	given = ask_for_days(&desk, T0 + 32 * DAY);
	ok(given >= 5 * 24 - 12 && given <= 5 * 24 + 12, "before the clock is right again a day has its budget: %u of 120 in five", given);
	ok(!ask(&desk, T0 + 39 * DAY + 2 * HOUR, 100), "within a day before a day's budget that was given no more is given");
	desk_reopen(&desk);
	ok(!ask(&desk, T0 + 40 * DAY + HOUR, 100), "a day that a clock comes to twice is given its budget once, also by another process");
	ok(ask(&desk, T0 + 41 * DAY + HOUR, 100) == 24, "the day after is as any other");
	desk_release(&desk);
}

/* A clock that is right and wrong by turns. */
static void clocks_by_turns(void)
{
	const int64_t right = T0 + 9 * DAY, wrong = T0 + 4 * DAY;
	struct desk desk;
	size_t given = 0;

	open_paced(&desk, NULL, 1000);
	desk_add_pages(&desk, "a.example", 6000);
	for (int64_t minute = 0; minute < 4; minute++) {
		given += ask(&desk, right + minute * MINUTE, 10000);
		given += ask(&desk, wrong + minute * MINUTE, 10000);
	}
	ok(given <= 45, "a clock that is set back by days and forward again within minutes is given those minutes': %zu of 1000 a day", given);
	desk_release(&desk);
}

/* A ledger as a program wrote it that kept 48 slots by their number: 24 visits in the half hour before the last one. */
static const char *older_text(bool clock)
{
	static char text[4096];
	int64_t slot = (T0 + 40 * DAY) / 1800;
	int length = snprintf(text, sizeof text, "0 0 %lld 1.5 3 0.25 0 0 0 %lld", (long long)(T0 + 40 * DAY), (long long)slot);

	for (int64_t i = 0; i < 48; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %d", i == (slot - 1) % 48 ? 24 : 0);
	for (int i = 0; i < 48; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " 0.5");
	for (int i = 0; i < PRN_SHARING_HOSTS; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %d %lld", i, (long long)T0);
	if (clock)
		snprintf(text + length, sizeof text - (size_t)length, " 0 0");
	return text;
}

static bool read_ledger(struct desk *desk, const char *text, struct prn_ledger *ledger)
{
	struct prn_store_reader reader;

	must(!prn_batch_side_put(desk->decider->batch, PRN_SIDE_META, "ledger", 6, text, strlen(text), NULL) &&
	     !prn_decider_commit(desk->decider, NULL), "write");
	reader = prn_decider_reader(desk->decider);
	must(!prn_ledger_read(ledger, 24, &reader, NULL), "read");
	return ledger->at != PRN_TIME_UNKNOWN;
}

static void older_ledgers(void)
{
	static const char *const with[] = { "without", "with" };
	int64_t half_hour = (T0 + 40 * DAY) / 1800 * 1800;
	struct prn_store_reader reader;
	struct prn_ledger ledger;
	struct desk desk;
	const void *bytes;
	char text[8192];
	size_t length;

	open_paced(&desk, NULL, 24);
	for (int clock = 0; clock < 2; clock++) {
		if (!ok(read_ledger(&desk, older_text(clock), &ledger),
		        "an older ledger is read, %s the place to which a clock had gone", with[clock]))
			continue;
		ok(ledger.at == T0 + 40 * DAY,
		   "an older ledger says when it was written, %s a clock's place", with[clock]);
		near(ledger.gain, 1.5, 1e-12, "an older ledger has its gain, %s a clock's place", with[clock]);
		near(prn_ledger_day(&ledger, 24, half_hour + DAY - 1801), 24, 1e-9,
		     "what an older ledger had given stays in the day until its half hour is a day ago, %s a clock's place", with[clock]);
		near(prn_ledger_day(&ledger, 24, half_hour + DAY - 900), 12, 1e-9,
		     "what an older ledger had given leaves the day as evenly as its half hour, %s a clock's place", with[clock]);
		near(prn_ledger_day(&ledger, 24, half_hour + DAY), 0, 1e-9,
		     "what an older ledger had given has left the day a day after its half hour, %s a clock's place", with[clock]);
	}
	desk_add_pages(&desk, "a.example", 5);
	must(ask(&desk, T0 + 50 * DAY, 100) == 5, "ask");
	reader = prn_decider_reader(desk.decider);
	must(!prn_store_reader_side(&reader, PRN_SIDE_META, "ledger", 6, &bytes, &length, NULL) && length < sizeof text, "read");
	memcpy(text, bytes, length);
	text[length] = 0;
	ok(read_ledger(&desk, text, &ledger) && fabs(prn_ledger_day(&ledger, 24, ledger.at) - 5) < 1e-9, "a ledger is read as it was written");
	*strrchr(text, ' ') = 0;
	ok(!read_ledger(&desk, text, &ledger), "a ledger of which a number is missing begins anew");
	desk_release(&desk);
}

static void put_side(struct desk *desk, const char *name, const char *text)
{
	must(!prn_batch_side_put(desk->decider->batch, PRN_SIDE_META, name, strlen(name), text, strlen(text), NULL) &&
	     !prn_decider_commit(desk->decider, NULL), "write");
}

static void read_now(struct desk *desk, struct prn_ledger *ledger)
{
	struct prn_store_reader reader = prn_decider_reader(desk->decider);

	must(!prn_ledger_read(ledger, 24, &reader, NULL), "read");
}

/* What hosts brought beyond their shares is forgiven up to a day's budget, or the largest, and owed beyond that. */
static void forgiven(void)
{
	static const char *const older[] = { "5 0 0", "5 0 0 2" };
	struct prn_ledger ledger;
	struct desk desk;
	const void *bytes;
	char text[8192];
	size_t length;
	struct prn_store_reader reader;

	open_paced(&desk, NULL, 24);
	for (size_t i = 0; i < 2; i++) {
		must(read_ledger(&desk, older_text(true), &ledger), "read");
		put_side(&desk, "settled", older[i]);
		read_now(&desk, &ledger);
		ok(fabs(ledger.left + 5) < 1e-9 && ledger.forgiven <= 0, "what an older program settled, '%s', is read, and all of it owed", older[i]);
	}
	put_side(&desk, "settled", "");
	must(!prn_ledger_settle(desk.decider->batch, 2, 40, 0, NULL) && !prn_ledger_settle(desk.decider->batch, 2, 10, 0, NULL) &&
	     !prn_decider_commit(desk.decider, NULL), "settle");
	read_now(&desk, &ledger);
	near(ledger.forgiven, 40, 1e-9, "of hosts' debts the largest is forgiven, or a day's budget");
	near(ledger.left, -14, 1e-9, "hosts' debts beside the largest, and their shares, are owed");
	must(!prn_ledger_put(&ledger, desk.decider->batch, NULL) && !prn_decider_commit(desk.decider, NULL), "put");
	read_now(&desk, &ledger);
	near(ledger.forgiven, 40, 1e-9, "what was forgiven is read as it was written");
	near(ledger.slots[prn_ledger_place(ledger.slot)].forgiven, 40, 1e-9,
	     "what was forgiven is read with the half hour that it was forgiven in");
	near(ledger.left, -14, 1e-9, "what was forgiven is counted once when a ledger is read: what is left stays");
	prn_ledger_advance(&ledger, 24, ledger.at + DAY / 2);
	near(ledger.forgiven, 28, 1e-9, "what was forgiven fades at the rate of the budget");
	prn_ledger_add_settled(&ledger, 24, &(struct prn_settled){ .excess = 5, .largest = 5 });
	near(ledger.forgiven, 28, 1e-9, "while more than a day's budget has not faded nothing is forgiven");
	near(ledger.left, -14 + 12 - 5, 1e-9,
	     "while more than a day's budget has not faded all that is settled is owed");
	reader = prn_decider_reader(desk.decider);
	must(!prn_store_reader_side(&reader, PRN_SIDE_META, "ledger", 6, &bytes, &length, NULL) && length < sizeof text, "read");
	memcpy(text, bytes, length);
	text[length] = 0;
	*strstr(text, " outlay") = 0;
	must(read_ledger(&desk, text, &ledger), "read without what is written last");
	*strrchr(text, ' ') = 0;
	ok(!read_ledger(&desk, text, &ledger), "a ledger of which a number of what was forgiven is missing begins anew");
	desk_release(&desk);
}

/* What calls have shown moves what pages are taken to want. */
static void learning(void)
{
	struct prn_ledger before = { .at = T0, .gain = 1 }, ledger = before;

	prn_ledger_learn(&ledger, 240, 5, 0, T0 + DAY);
	near(ledger.gain, 1, 1e-12, "where all was given that was due, and nothing was left, loads are what they seem");
	ledger.unmet = 240;
	prn_ledger_learn(&ledger, 240, 5, 0, T0 + DAY);
	ok(ledger.gain < 0.95, "where a day's budget was due and unmet for a day loads are more than they seem: %g", ledger.gain);
	ledger = before;
	ledger.unmet = 40;
	prn_ledger_learn(&ledger, 240, 5, 0, T0 + DAY);
	near(ledger.gain, 1, 1e-12, "a sixth of a day's budget may always be unmet");
	ledger = before;
	ledger.spare = 120;
	prn_ledger_learn(&ledger, 240, 5, 0, T0 + DAY);
	ok(ledger.gain > 1.05, "where half a day's budget was left over for a day loads are less than they seem: %g", ledger.gain);
	ledger = before;
	prn_ledger_learn(&ledger, 240, 5, 120, T0);
	ok(ledger.gain > 1.05, "where half a day's budget was given before its time loads are less than they seem: %g", ledger.gain);
	ledger = before;
	prn_ledger_learn(&ledger, 240, 500, 120, T0);
	ok(ledger.gain > 1 && ledger.gain < 1.002, "the less of all pages a day's budget is, the less moves loads: %g", ledger.gain);
	ledger = before;
	ledger.left = ledger.pace = 24;
	prn_ledger_advance(&ledger, 24, T0);
	prn_ledger_spend(&ledger, 24);
	prn_ledger_advance(&ledger, 24, T0 - 9 * DAY);
	near(prn_ledger_day(&ledger, 24, ledger.at), 24, 1e-9, "what a day had been given counts when the clock is set back by days");
}

struct given {
	int64_t time;
	size_t count;
};

/* The most of what was given within so long. */
static size_t most_within(const struct given *given, size_t count, int64_t span)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		size_t sum = 0;

		for (size_t j = i; j < count && given[j].time < given[i].time + span; j++)
			sum += given[j].count;
		most = sum > most ? sum : most;
	}
	return most;
}

#define CALLS 1500

/* Whoever asks, whenever: at short and long intervals, after days of silence, in processes that begin anew. */
static void any_day(void)
{
	static const double budgets[] = { 7.5, 24, 100 };
	struct given given[CALLS];
	struct prn_random random;
	struct desk desk;

	for (size_t k = 0; k < 3; k++) {
		int64_t now = T0;
		size_t most;

		prn_random_seed(&random, 23, k);
		open_paced(&desk, NULL, budgets[k]);
		desk_add_pages(&desk, "a.example", 3000);
		for (size_t i = 0; i < CALLS; i++) {
			double kind = prn_random_unit(&random);

			now += kind < 0.04 ? (int64_t)(3 * DAY * prn_random_unit(&random)) : kind < 0.5 ? 60 : (int64_t)prn_random_below(&random, 4 * HOUR);
			if (prn_random_unit(&random) < 0.02)
				desk_reopen(&desk);
			given[i] = (struct given){ now, ask(&desk, now, 1 + (size_t)prn_random_below(&random, 200)) };
		}
		most = most_within(given, CALLS, DAY - HOUR / 2);
		/* What accrued in half a day, and came with a call at a day's beginning, counts for the day before (tests/rhythm.c). */
		ok((double)most <= ceil(1.55 * budgets[k]) + 1 && (double)most >= 0.9 * budgets[k],
		   "whenever it is asked for, no more than a budget of %g, and what a call gave for the half day before, is given within a day: %zu",
		   budgets[k], most);
		desk_release(&desk);
	}
}

/* Who was away for days takes a day's budget in portions. */
static void after_silence(void)
{
	struct desk desk;
	size_t given = 0;

	open_paced(&desk, NULL, 100);
	desk_add_pages(&desk, "a.example", 3000);
	must(ask(&desk, T0, 1000) == 4, "ask");
	for (int64_t now = T0 + 3 * DAY; now < T0 + 3 * DAY + 23 * HOUR; now += 10 * MINUTE)
		given += ask(&desk, now, 20);
	ok(given >= 95 && given <= 105, "of 23 hours that follow days without a call none has more than a day's budget, in whatever portions it is asked for: %zu of 100",
	   given);
	desk_release(&desk);
}

/* The clock by which a day's budget is counted has no half hours: who takes all at once gets no more until a day, less an hour, is over. */
static void days_end(void)
{
	struct desk desk;
	int64_t next;

	open_paced(&desk, NULL, 48);
	desk_add_pages(&desk, "a.example", 3000);
	must(ask(&desk, T0, 1000) == 2 && ask(&desk, T0 + 5 * DAY + 7 * MINUTE, 1000) == 48 && list.over_budget, "ask");
	ok(!ask(&desk, T0 + 6 * DAY - 54 * MINUTE, 1000) && list.over_budget, "within 23 hours of a day's budget that was given at once nothing is");
	next = list.next;
	ok(next > T0 + 6 * DAY - 54 * MINUTE && next <= T0 + 6 * DAY - 50 * MINUTE,
	   "a list that the day ended says that there is room within minutes of 23 hours after a day's budget was given");
	ok(!ask(&desk, next - 1, 1000), "a second before the time that a list said there is no room");
	ok(ask(&desk, next, 1000) == 1, "at the time that a list said there is room for a page");
	ok(ask(&desk, T0 + 6 * DAY + 7 * MINUTE, 1000) == 47, "a day after a day's budget was given, to the minute, the day has left it behind");
	desk_release(&desk);
}

#define PAGES 240

/* Pages that change at their own rates, and a fetcher that comes every so often and brings all that it is given. */
struct world {
	struct desk desk;
	struct prn_random random;
	double budget;
	uint64_t given[24 * 20]; /* an hour */
};

static void bring(struct world *world, int64_t now)
{
	for (size_t i = 0; i < list.count; i++) {
		unsigned page = (unsigned)strtoul(strrchr(list.items[i].url, '/') + 1, NULL, 10);
		/* From some changes a day to one in a month; each brings some words that last and some that do not. */
		double every = (double)DAY * pow(1.02, (double)page) / 4;
		unsigned version = (unsigned)((double)(now - T0) / every);

		desk_text(&world->desk, list.items[i].url, now + 1, text_from(1000 * page + version * 3));
	}
}

static void run(struct world *world, const char *policy, double budget, int64_t days, int64_t every)
{
	*world = (struct world){ .budget = budget };
	prn_random_seed(&world->random, 7, 0);
	open_paced(&world->desk, policy, budget);
	desk_add_pages(&world->desk, "a.example", PAGES);
	for (int64_t now = T0; now < T0 + days * DAY; now += every / 2 + (int64_t)prn_random_below(&world->random, (uint64_t)every)) {
		world->given[(now - T0) / HOUR] += ask(&world->desk, now, 1000);
		bring(world, now);
	}
}

/* The least and the most of what was handed out in any 24 hours that begin at a whole hour, from one on. */
static void extremes(const struct world *world, size_t from, size_t hours, uint64_t *least, uint64_t *most)
{
	*least = UINT64_MAX;
	*most = 0;
	for (size_t i = from; i + 24 <= hours; i++) {
		uint64_t sum = 0;

		for (size_t j = i; j < i + 24; j++)
			sum += world->given[j];
		*least = sum < *least ? sum : *least;
		*most = sum > *most ? sum : *most;
	}
}

static void budgets(void)
{
	static const struct {
		const char *policy;
		double budget;
		int64_t every; /* the fetcher comes */
		double call;   /* what may come with one call, of the budget: a day that begins with it has that beside its own */
	} cases[] = { { "drift", 60, 600, 0.02 },   { "drift", 240, 600, 0.01 },   { "drift", 240, 4 * HOUR, 0.25 },
		      { "cgm", 120, 600, 0.01 },   { "uniform", 120, 600, 0.01 }, { "curve-fitting", 60, 600, 0.02 } };
	struct world world;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct prn_tuning tuning;
		struct prn_stats stats;
		uint64_t least, most;
		double threshold;

		run(&world, cases[i].policy, cases[i].budget, 12, cases[i].every);
		extremes(&world, 0, 12 * 24, &least, &most);
		ok((double)most <= (1.03 + cases[i].call) * cases[i].budget, "%s: within no day more than the budget of %g is handed out (%u)", cases[i].policy,
		   cases[i].budget, (unsigned)most);
		extremes(&world, 4 * 24, 12 * 24, &least, &most);
		ok((double)least >= (0.97 - cases[i].call) * cases[i].budget,
		   "%s: within no day after the fourth clearly less than the budget of %g is (%u)", cases[i].policy, cases[i].budget,
		   (unsigned)least);
		threshold = prn_decider_threshold(world.desk.decider);
		must(!prn_decider_commit(world.desk.decider, NULL) &&
		     !prn_decider_tune(world.desk.decider, &(struct prn_tuning_request){ .budget = { cases[i].budget, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
		ok(tuning.load_before > 0.5 * tuning.sought * cases[i].budget && tuning.load_before < 2 * tuning.sought * cases[i].budget,
		   "%s: the threshold is where a pass over all pages finds about the budget of %g: %.1f at %g", cases[i].policy,
		   cases[i].budget, tuning.load_before, threshold);
		must(!prn_decider_stats(world.desk.decider, T0 + 12 * DAY, &stats, NULL), "look at the budget");
		ok(stats.load_per_day > 0.7 * stats.sought * cases[i].budget && stats.load_per_day < 1.3 * stats.sought * cases[i].budget,
		   
		   "%s: what stats tells that pages want a day is about what is sought: %.1f, of %g times %g", cases[i].policy,
		   stats.load_per_day, stats.sought, cases[i].budget);
		near(stats.load_per_day / tuning.load_before, 1, 0.2,
		     "%s: stats tells as well as a pass over all pages what they want a day",
		     cases[i].policy);
		desk_release(&world.desk);
	}
}

/* A host of many pages that has had its share does not raise the threshold of all others. */
static void one_big_host(unsigned shards)
{
	const struct prn_decider_settings settings = { .policy = "drift", .budget_per_day = 20, .shards = shards };
	unsigned others = 0, all = 0;
	struct desk desk = { 0 };
	char host[32];

	snprintf(desk.path, sizeof desk.path, "memory:big-host-%u", shards);
	desk_create(&desk, &settings);
	for (unsigned i = 0; i < 100; i++) {
		snprintf(host, sizeof host, "live%u.example", i);
		desk_add_pages(&desk, host, 1);
	}
	for (int64_t now = T0; now < T0 + 50 * DAY; now += 6 * HOUR) {
		if (now == T0 + 20 * DAY)
			desk_add_pages(&desk, "big.example", 1500);
		ask(&desk, now, 100);
		for (size_t i = 0; i < list.count; i++) {
			bool big = strstr(list.items[i].url, "big.example");
			unsigned number = 0;

			sscanf(list.items[i].url, "http://live%u.", &number);
			desk_text(&desk, list.items[i].url, now + 1 + (int64_t)i,
			          text_from(big ? 77777 : 1000 * number + (unsigned)((now - T0) / DAY) * (1 + number % 4) / 2));
			others += now >= T0 + 30 * DAY && !big;
			all += now >= T0 + 30 * DAY;
		}
	}
	ok(all > 380 && others > 0.8 * all, "a host of 1500 new pages, held at its share, leaves the rest of a budget to the hundred that have been there%s: %u of %u",
	   shards > 1 ? ", on four shards" : "", others, all);
	desk_release(&desk);
}

/* What a maximum interval has due takes what is left of a budget: known pages are not to wait for it. */
static void forced_pages(void)
{
	static const struct prn_interval_rule hourly = { "example,forced", NULL, 0, HOUR };
	unsigned live = 0, all = 0;
	struct desk desk;

	open_paced_at(&desk, "memory:forced", "drift", 20);
	desk.options.intervals = &hourly;
	desk.options.interval_count = 1;
	desk_reopen(&desk);
	/* Each has a host of its own, for a host would be held at its share. */
	for (unsigned i = 0; i < 100; i++) {
		char host[32];

		snprintf(host, sizeof host, "f%u.forced.example", i);
		if (i < 20)
			desk_add_pages(&desk, host, 1);
		snprintf(host, sizeof host, "live%u.example", i);
		desk_add_pages(&desk, host, 1);
	}
	for (int64_t now = T0; now < T0 + 60 * DAY; now += 6 * HOUR) {
		ask(&desk, now, 100);
		for (size_t i = 0; i < list.count; i++) {
			bool forced = strstr(list.items[i].url, "forced");
			unsigned number = 0;

			sscanf(list.items[i].url, "http://live%u.", &number);
			desk_text(&desk, list.items[i].url, now + 1 + (int64_t)i, text_from(forced ? 0 : 1000 * number + (unsigned)((now - T0) / DAY) * (1 + number % 4) / 2));
			live += now >= T0 + 30 * DAY && !forced;
			all += now >= T0 + 30 * DAY;
		}
	}
	ok(all > 580 && live > 0.85 * all, "pages that are due by their maximum interval alone, and worth nothing, take what a budget leaves: others %u of %u", live, all);
	desk_release(&desk);
}

/* What calls leave over says nothing of what intervals allow, nor raises for ever what is sought. */
static void bounds_of_intervals(void)
{
	static const struct prn_interval_rule rules[] = { { NULL, NULL, 2 * HOUR, 180 * DAY } };
	struct world world = { .budget = 1000 };
	struct prn_tuning tuning;
	struct prn_stats stats;
	double load = 0;

	prn_random_seed(&world.random, 7, 0);
	open_paced_at(&world.desk, "memory:bounds-of-intervals", NULL, 1000);
	desk_add_pages(&world.desk, "a.example", 20);
	for (int64_t now = T0; now < T0 + 6 * DAY; now += 3 * HOUR) {
		ask(&world.desk, now, 1000);
		bring(&world, now);
	}
	must(!prn_decider_commit(world.desk.decider, NULL) &&
	     !prn_decider_tune(world.desk.decider, &(struct prn_tuning_request){ .budget = { 1000, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	near(tuning.most_per_day, 20 * DAY / 600.0, 1e-6, "however much of a budget calls left over, intervals allow 20 pages a visit each ten minutes");
	ok(tuning.result == PRN_TUNING_MET && tuning.load_per_day > 990, "a budget that intervals allow can be met, whatever calls left of it: %g", tuning.load_per_day);
	near(tuning.sought, 20 * DAY / 600.0 / 1150, 1e-6, "what is sought rises no further than the least threshold can follow");
	must(!prn_decider_stats(world.desk.decider, T0 + 6 * DAY, &stats, NULL), "look at the budget");
	ok(fabs(stats.load_per_day / tuning.load_before - 1) < 1e-3 && fabs(stats.sought - tuning.sought) < 1e-9,
	   "stats tells of what pages want what a pass finds: %g, %g", stats.load_per_day, tuning.load_before);
	ok(!prn_decider_load(world.desk.decider, &load, NULL) && fabs(load - tuning.load_before) < 1e-9,
	   "what pages want at the store's threshold is asked for alone: %g", load);
	world.desk.options.intervals = rules;
	world.desk.options.interval_count = 1;
	desk_reopen(&world.desk);
	must(!prn_decider_tune(world.desk.decider, &(struct prn_tuning_request){ .budget = { 1000, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	ok(tuning.result == PRN_TUNING_NOT_NEEDED && fabs(tuning.most_per_day - 240) < 1e-6,
	   "of a budget that minimum intervals do not allow it is told what they do: %g", tuning.most_per_day);
	ok(!prn_decider_load(world.desk.decider, &load, NULL) && fabs(load - 240) < 1e-6,
	   "what pages want is told within the intervals that a decider was opened with: %g", load);
	desk_release(&world.desk);
}

/* What all pages want at a threshold, by the loads that are kept; less than 0 where none are. */
static double load_at(struct desk *desk, double threshold)
{
	struct prn_store_reader reader = prn_decider_reader(desk->decider);
	double load = 0;
	int code = prn_loads_at(desk->decider, &desk->decider->costs, &reader, threshold, &load, NULL, NULL);

	must(!code || code == PRN_E_NOT_FOUND, "read loads");
	return code ? -1 : load;
}

static void tune_to(struct desk *desk, double budget, enum prn_unit unit, const char *cost_304)
{
	const struct prn_tuning_request request = { .budget = { budget, unit }, .cost_304 = cost_304, .apply = true };
	struct prn_tuning tuning;

	must(!prn_decider_tune(desk->decider, &request, &tuning, NULL), "tune");
}

/* What calls left over of a large budget says little of a small one. */
static void smaller_budget(void)
{
	struct prn_tuning tuning;
	struct prn_stats stats;
	struct desk desk;
	double gain;

	open_paced_at(&desk, "memory:smaller-budget", NULL, 400);
	desk_add_pages(&desk, "a.example", 5);
	for (int64_t now = T0; now < T0 + 20 * DAY; now += 6 * HOUR) {
		ask(&desk, now, 1000);
		for (size_t i = 0; i < list.count; i++)
			desk_text(&desk, list.items[i].url, now + 1, text_from((unsigned)((now - T0) / DAY)));
	}
	must(!prn_decider_commit(desk.decider, NULL) &&
	     !prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 400, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	gain = tuning.sought;
	must(gain > 1.5 && !prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 800, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	near(tuning.sought, gain, 1e-9, "what calls left over of a budget they would leave of a larger one");
	tune_to(&desk, 4, PRN_UNIT_VISITS, NULL);
	must(!prn_decider_tune(desk.decider, &(struct prn_tuning_request){ .budget = { 4, PRN_UNIT_VISITS } }, &tuning, NULL), "tune");
	near(tuning.sought, 1 + (gain - 1) / 100, 1e-6, "of a hundredth of it a threshold is sought for little more");
	must(!prn_decider_stats(desk.decider, T0 + 20 * DAY, &stats, NULL), "stats");
	near(stats.sought, 1 + (gain - 1) / 100, 1e-6, "and is from then on");
	desk_release(&desk);
}

/* What is kept up with every change is what a pass counts. */
static void kept_loads(void)
{
	double kept[2], counted[2], thresholds[] = { 0.01, 1 };
	struct world world;
	uint64_t forgotten;
	enum prn_added added;

	run(&world, "drift", 240, 6, 600);
	kept[0] = load_at(&world.desk, 0.01);
	for (int i = 0; i < 3; i++)
		desk_status(&world.desk, "http://a.example/17", T0 + 7 * DAY + i, 410);
	kept[1] = load_at(&world.desk, 0.01);
	ok(kept[1] < kept[0], "a page that is retired takes its load with it: %.3f, %.3f", kept[0], kept[1]);
	must(!prn_decider_forget(world.desk.decider, PRN_FORGET_URL, "http://a.example/18", &forgotten, NULL) &&
	     !prn_decider_add(world.desk.decider, "http://a.example/19", 5, T0 + 7 * DAY, &added, NULL), "change pages");
	for (int i = 0; i < 2; i++)
		kept[i] = load_at(&world.desk, thresholds[i]);
	must(!prn_loads_count(world.desk.decider, NULL), "count loads");
	for (int i = 0; i < 2; i++)
		counted[i] = load_at(&world.desk, thresholds[i]);
	near(kept[0], counted[0], 1e-12, "loads that were kept up with visits, retirements, weights and what was forgotten are those that a pass counts");
	near(kept[1], counted[1], 1e-12, "loads that were kept up are at another threshold too those that a pass counts");
	desk_release(&world.desk);
}

/* What is given back was not spent; what ran out was. */
static void given_back(void)
{
	struct desk desk;
	uint64_t count;
	bool released;
	char url[64];

	open_paced(&desk, NULL, 24);
	desk_add_pages(&desk, "a.example", 100);
	must(ask(&desk, T0, 100) == 1, "ask");
	snprintf(url, sizeof url, "%s", list.items[0].url);
	must(!prn_decider_release(desk.decider, url, T0 + 1, &released, NULL) && released, "release");
	must(!prn_decider_release(desk.decider, url, T0 + 1, &released, NULL) && !released, "release again");
	ok(ask(&desk, T0 + 2, 100) == 1 && !ask(&desk, T0 + 3, 100), "what is given back comes back to the budget, once");
	must(ask(&desk, T0 + DAY, 100) == 23 || list.count == 24, "ask");
	must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0 + DAY + 1, &count, NULL) && count == list.count, "release all");
	ok(ask(&desk, T0 + DAY + 2, 100) == count, "all that is given back at once comes back to the budget");
	snprintf(url, sizeof url, "%s", list.items[0].url);
	must(!prn_decider_release(desk.decider, url, T0 + DAY + 2 * HOUR, &released, NULL), "release");
	ok(!released && ask(&desk, T0 + DAY + 2 * HOUR, 100) <= 3,
	   "a lease that has run out is not given back: neither its page nor the budget");
	ok(desk_look(&desk, url).failures == 1, "a lease that has run out stays a failure");
	desk_release(&desk);
}

/* Who comes once a day comes at about the same time. */
static void once_a_day(void)
{
	struct desk desk;
	unsigned least = UINT32_MAX, most = 0;

	open_paced(&desk, NULL, 480);
	desk_add_pages(&desk, "a.example", 6000);
	must(ask(&desk, T0, 10000) == 20, "ask");
	for (int64_t day = 1; day <= 10; day++) {
		unsigned given = (unsigned)ask(&desk, T0 + day * DAY + (day * 37) % 60 - 30, 10000);

		least = given < least ? given : least;
		most = given > most ? given : most;
	}
	ok(least >= 456 && most <= 504, "who asks once a day, half a minute more or less, is given a day's budget: %u to %u of 480", least,
	   most);
	desk_release(&desk);
}

/* A look is not limited, and takes nothing. */
static void looks(void)
{
	const struct prn_due_request request = { T0, 1000, 0 };
	struct desk desk;

	open_paced(&desk, NULL, 24);
	desk_add_pages(&desk, "a.example", 50);
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_due(desk.decider, &request, &list, NULL), "look");
	ok(list.count == 50 && !list.over_budget, "who only looks is shown all that is due, whatever the budget");
	ok(ask(&desk, T0, 1000) == 1, "who only looked has taken nothing of the budget");
	desk_release(&desk);
}

/* Two machines whose clocks differ by a second take turns. */
static void clocks_apart(void)
{
	uint64_t of_one = 0, given = 0;
	struct desk desk;
	char host[32];

	open_paced(&desk, NULL, 480);
	desk_add_pages(&desk, "greedy.example", 500);
	for (unsigned i = 0; i < 30; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 50);
	}
	for (int64_t now = T0; now < T0 + 3 * DAY; now += 300) {
		ask(&desk, now / 300 % 2 ? now : now - 301, 1000);
		for (size_t i = 0; i < list.count; i++) {
			given += now >= T0 + DAY;
			of_one += now >= T0 + DAY && strstr(list.items[i].url, "greedy") != NULL;
		}
	}
	ok(given <= 1000, "a budget holds between clocks that differ: %u of 960 in two days", (unsigned)given);
	ok(of_one <= 104, "the share of a host holds between clocks that differ: %u of %u", (unsigned)of_one, (unsigned)given);
	desk_release(&desk);
}

/* Many hosts that are one server are one host, which a budget is not shared with. */
static void one_server(void)
{
	uint64_t given = 0;
	struct desk desk;
	char url[64];

	open_paced(&desk, NULL, 480);
	desk.options.group_by_address = true;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 30; i++) {
		struct prn_capture capture;

		snprintf(url, sizeof url, "http://h%u.example/", i);
		capture = status_of(url, T0 - DAY, 304);
		snprintf(capture.address, sizeof capture.address, "192.0.2.7");
		desk_answer(&desk, capture);
		snprintf(url, sizeof url, "h%u.example", i);
		desk_add_pages(&desk, url, 40);
	}
	for (int64_t now = T0; now < T0 + 2 * DAY; now += 600)
		given += ask(&desk, now, 1000);
	ok(given >= 900, "thirty hosts at one address are one, which may have all of the budget: %u of 960", (unsigned)given);
	desk_release(&desk);
}

/* A host that may have all. */
static void whole_shares(void)
{
	uint64_t of_one = 0;
	struct desk desk;
	char host[32];

	open_paced(&desk, NULL, 240);
	desk.options.host_share = 1;
	desk_reopen(&desk);
	for (unsigned i = 0; i < 30; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 3);
	}
	for (int64_t now = T0; now < T0 + DAY; now += 600)
		ask(&desk, now, 1000);
	desk_add_pages(&desk, "greedy.example", 2000);
	for (int64_t now = T0 + DAY; now < T0 + 2 * DAY; now += 600) {
		ask(&desk, now, 1000);
		for (size_t i = 0; i < list.count; i++)
			of_one += strstr(list.items[i].url, "greedy") != NULL;
	}
	ok(of_one > 48, "with a share of 1 a host may have what the others do not want: %u of 240", (unsigned)of_one);
	desk_release(&desk);
}

/* Loads that another program computed. */
static void loads_of_others(void)
{
	static const char key[] = "loads";
	struct prn_store_reader reader;
	struct desk desk;
	const void *bytes;
	unsigned char changed[2048];
	double load, again;
	size_t count;
	bool current;

	open_paced(&desk, NULL, 240);
	desk_add_pages(&desk, "a.example", 50);
	must(ask(&desk, T0, 1000) == 10, "ask");
	reader = prn_decider_reader(desk.decider);
	load = load_at(&desk, 0.1);
	must(!prn_batch_side(desk.decider->batch, PRN_SIDE_META, key, 5, &bytes, &count, NULL) &&
	     count < sizeof changed, "read loads");
	memcpy(changed, bytes, count);
	memset(changed + 16, 0xff, 8);
	changed[count - 1]++;
	must(!prn_batch_side_put(desk.decider->batch, PRN_SIDE_META, key, 5, changed, count, NULL) &&
	     !prn_loads_current(desk.decider, &reader, &current, NULL), "change loads");
	ok(!current && load_at(&desk, 0.1) < 0, "loads that another program, or another policy, computed are not taken for one's own");
	ask(&desk, T0 + HOUR, 1000);
	again = load_at(&desk, 0.1);
	near(again, load, 1e-9, "loads that another program computed are counted anew");
	desk_release(&desk);
}

/* What is given back is not taken from its host's share either; and nothing comes back of what another unit paid for. */
static void shares_given_back(void)
{
	struct desk desk;
	uint64_t count;
	size_t given = 0;
	char host[32];

	open_paced(&desk, NULL, 2400);
	for (unsigned i = 0; i < 25; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 40);
	}
	for (int i = 0; i < 12; i++) {
		given = ask(&desk, T0 + 1 + 2 * i, 1000);
		must(!prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0 + 2 + 2 * i, &count, NULL) && count == given, "release all");
	}
	ok(given == 100, "however often all is handed out and given back, it is handed out again: %zu", given);
	given = ask(&desk, T0 + 60, 1000);
	tune_to(&desk, 1e6, PRN_UNIT_BYTES, NULL);
	ask(&desk, T0 + 61, 0);
	must(given == 100 && !prn_decider_release_all(desk.decider, PRN_RELEASE_ALL, NULL, T0 + 62, &count, NULL) && count == given, "release all");
	given = ask(&desk, T0 + 63, 1000);
	ok(given < 10, "what was handed out by a budget of visits gives nothing back to one of bytes: %zu", given);
	desk_release(&desk);
}

/* Nothing waits longer than any visit sets; what is added for later waits till then. */
static void added_for_later(void)
{
	enum prn_added added;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	must(!prn_decider_add_due(desk.decider, "http://a.example/1", 1, T0 + 365 * DAY, T0, &added, NULL) &&
	     !prn_decider_add_due(desk.decider, "http://a.example/2", 1, T0 + 20 * DAY, T0, &added, NULL), "add");
	ok(!ask(&desk, T0 + 1, 10) && list.next == T0 + 20 * DAY, "pages that are added for later are not due before");
	ok(ask(&desk, T0 + 20 * DAY, 10) == 1 && list.next == T0 + 180 * DAY,
	   "a page that is added for a later time than any visit sets is due at the latest of these");
	desk_release(&desk);
}

/* The loads that are kept are those of the pages that there are. */
static bool are_true(struct desk *desk)
{
	struct prn_decider *shard = desk_shard(desk, "http://a.example/1");
	struct prn_store_reader reader = prn_decider_reader(shard);
	struct prn_loads kept, counted;
	struct prn_view *view;

	must(!prn_decider_commit(desk->decider, NULL) && !prn_loads_read(shard, &reader, &kept, NULL) &&
	     !prn_view_open(&view, prn_decider_store(shard), NULL) && !prn_loads_of(shard, view, &counted, NULL), "count loads");
	prn_view_close(view);
	return kept.pages && !memcmp(&kept, &counted, sizeof kept);
}

static void change_to(struct desk *desk, const struct prn_settings_change *change)
{
	desk_close(desk);
	must(!prn_settings_change(desk->path, change, NULL, NULL), "change settings");
	desk_reopen(desk);
}

/* A change that is taken back finds no loads of before it: what pages have become since then is not in them. */
static void makers_taken_back(void)
{
	const struct prn_settings_change to_cgm = { .policy = "cgm", .threshold = 1 }, to_drift = { .policy = "drift", .threshold = 1 };
	const struct prn_settings_change to_words = { .shingle_words = 3 };
	struct desk desk;

	open_paced_at(&desk, in_scratch("makers"), "drift", 240);
	desk_add_pages(&desk, "a.example", 10);
	ask(&desk, T0, 1);
	ok(are_true(&desk), "the loads of ten pages that were added are those that a pass counts");
	tune_to(&desk, 1e6, PRN_UNIT_BYTES, NULL);
	desk_add_pages(&desk, "b.example", 100);
	tune_to(&desk, 240, PRN_UNIT_VISITS, NULL);
	ask(&desk, T0 + HOUR, 1);
	ok(are_true(&desk), "pages that were added under a budget of bytes are counted in one of visits");
	tune_to(&desk, 240, PRN_UNIT_VISITS, "0.5");
	ask(&desk, T0 + HOUR, 1);
	tune_to(&desk, 240, PRN_UNIT_VISITS, "0.7");
	desk_text(&desk, "http://a.example/1", T0 + HOUR + 1, "another text, so that the page has been visited and has another load");
	tune_to(&desk, 240, PRN_UNIT_VISITS, "0.5");
	ask(&desk, T0 + 2 * HOUR, 1);
	ok(are_true(&desk), "what was visited while looks had another cost is counted");
	for (int i = 0; i < 4; i++)
		desk_text(&desk, "http://a.example/1", T0 + (3 + i) * HOUR, text_from(100 * (unsigned)i));
	ask(&desk, T0 + 8 * HOUR, 1);
	must(are_true(&desk), "visit");
	change_to(&desk, &to_cgm);
	change_to(&desk, &to_drift);
	ok(load_at(&desk, 0.1) < 0, "after a change of the policy and back no load is known");
	ask(&desk, T0 + 9 * HOUR, 1);
	ok(are_true(&desk), "what pages have lost by a change of the policy and back is counted");
	for (int i = 0; i < 4; i++)
		desk_text(&desk, "http://a.example/1", T0 + (10 + i) * HOUR, text_from(100 * (unsigned)i));
	change_to(&desk, &to_words);
	ask(&desk, T0 + 20 * HOUR, 1);
	ok(are_true(&desk), "what pages lose where shingles have another length is counted");
	desk_release(&desk);
}

/* A call that fails has spent nothing, and has set nothing. */
static void failures(void)
{
	const struct prn_due_request request = { T0, 1000, HOUR };
	uint64_t forgotten;
	double threshold;
	struct desk desk;

	open_paced_at(&desk, in_scratch("paced"), NULL, 240);
	desk_add_pages(&desk, "a.example", 3);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_make_newer(&desk, "http://a.example/1");
	threshold = prn_decider_threshold(desk.decider);
	ok(prn_decider_due(desk.decider, &request, &list, NULL) == PRN_E_VERSION, "a call that meets a page of a newer program fails");
	ok(fabs(prn_decider_threshold(desk.decider) - threshold) < 1e-15, "a call that fails leaves the threshold as it was");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, "http://a.example/1", &forgotten, NULL), "forget a page");
	desk_add_pages(&desk, "b.example", 30);
	ok(ask(&desk, T0, 1000) == 10, "a call that fails has spent nothing of the budget");
	desk_release(&desk);
}

/* A page that a repair takes out. */
static void repaired_loads(void)
{
	const struct prn_store_check_options mending = { .repair = true };
	struct prn_store_findings found;
	struct prn_store *store;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_add_pages(&desk, "a.example", 3);
	must(!prn_loads_count(desk.decider, NULL) && !prn_decider_commit(desk.decider, NULL), "count loads");
	desk_spoil(&desk, "http://a.example/1");
	desk_close(&desk);
	must(!prn_store_open(&store, desk.path, PRN_STORE_WRITE, 0, NULL) && !prn_store_check(store, &mending, &found, NULL) &&
	     found.unreadable == 1, "repair");
	prn_store_free(store);
	desk_reopen(&desk);
	ok(load_at(&desk, 1) < 0, "a repair that takes out pages has loads counted anew");
	desk_release(&desk);
}

/* Pages that are given before their time do not wait for a host that may not be asked. */
static void early_and_hosts(void)
{
	unsigned waiting = 0, before_time = 0;
	struct prn_explanation page;
	struct desk desk;
	int64_t now = T0;
	char url[64];

	open_paced(&desk, NULL, 40);
	desk.options.host_limit = 1;
	desk_reopen(&desk);
	desk_add_pages(&desk, "a.example", 100);
	for (; now < T0 + 12 * DAY; now += HOUR / 2)
		for (ask(&desk, now, 1); list.count; ask(&desk, now, 1))
			desk_text(&desk, list.items[0].url, now, text_from(100 * (unsigned)strtoul(strrchr(list.items[0].url, '/') + 1, NULL, 10) + (unsigned)((now - T0) / DAY)));
	for (int64_t end = now + 6 * HOUR; now < end; now += HOUR / 2)
		desk_due(&desk, &list, now, 10, DAY);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_explanation_init(&page);
	for (unsigned i = 0; i < 100; i++) {
		snprintf(url, sizeof url, "http://a.example/%u", i);
		must(!prn_decider_explain(desk.decider, url, now, &page, NULL), "explain");
		waiting += page.waits;
		before_time += page.waits && desk_look(&desk, url).due > now;
	}
	ok(waiting && !before_time, "of %u pages that wait for a host %u have not come to their time", waiting, before_time);
	prn_explanation_release(&page);
	desk_release(&desk);
}

/* One host of many. */
static void shares(void)
{
	uint64_t of_one = 0, given = 0;
	struct prn_stats stats;
	struct desk desk;
	char host[32];

	open_paced(&desk, NULL, 240);
	desk_add_pages(&desk, "greedy.example", 2000);
	for (unsigned i = 0; i < 30; i++) {
		snprintf(host, sizeof host, "h%u.example", i);
		desk_add_pages(&desk, host, 50);
	}
	for (int64_t now = T0; now < T0 + 4 * DAY; now += 600) {
		ask(&desk, now, 1000);
		for (size_t i = 0; i < list.count; i++) {
			given += now >= T0 + DAY;
			of_one += now >= T0 + DAY && strstr(list.items[i].url, "greedy") != NULL;
			desk_text(&desk, list.items[i].url, now + 1, text_from((unsigned)(now % 100000)));
		}
	}
	must(!prn_decider_commit(desk.decider, NULL) && !prn_decider_stats(desk.decider, T0 + 4 * DAY - 600, &stats, NULL), "take stats");
	ok(stats.held_hosts && !strcmp(stats.hosts[0].name, "greedy.example"),
	   "stats names the host that had its share");
	ok(stats.hosts[0].held == PRN_HELD_SHARE && stats.hosts[0].spent > 0,
	   "stats says that it is its share that holds a host, and what was spent on it");
	ok(stats.hosts[0].until > T0 + 4 * DAY - 600, "stats says until when a host is held");
	ok(given >= 690 && given <= 740, "a budget is spent where hosts are held to their shares: %u of 720 in three days", (unsigned)given);
	ok(of_one <= 76, "no host has more than a tenth of the budget, whatever it has to show: %u of %u", (unsigned)of_one, (unsigned)given);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	prn_due_list_init(&list);
	first_minute();
	nothing_kept_back();
	made_up_for();
	short_asks();
	small_budgets();
	before_1970();
	clocks();
	clocks_set_back();
	clocks_by_turns();
	older_ledgers();
	forgiven();
	learning();
	any_day();
	after_silence();
	days_end();
	budgets();
	one_big_host(1);
	one_big_host(4);
	forced_pages();
	bounds_of_intervals();
	smaller_budget();
	kept_loads();
	given_back();
	once_a_day();
	looks();
	clocks_apart();
	one_server();
	whole_shares();
	loads_of_others();
	makers_taken_back();
	shares_given_back();
	added_for_later();
	failures();
	repaired_loads();
	early_and_hosts();
	shares();
	prn_due_list_release(&list);
	return done();
}
