/* What was handed out around a time, however a clock comes to it: a ledger that is asked by clocks that jump. */
#include "desk.h"

#include "base/random.h"
#include "decide/ledger.h"

#include <math.h>

#define BUDGET 24.0
#define CALLS 20000

struct given {
	int64_t time;
	double amount;
};

static struct given calls[CALLS];

static void begin(struct prn_ledger *ledger)
{
	*ledger = (struct prn_ledger){ .at = PRN_TIME_UNKNOWN, .gain = 1, .ahead_at = PRN_TIME_UNKNOWN };
	prn_spending_init(&ledger->spending);
}

/* Hands out what there is room for, or limit. */
static double ask(struct prn_ledger *ledger, int64_t now, double limit)
{
	int64_t next;
	double amount;

	prn_ledger_advance(ledger, BUDGET, now);
	amount = fmin(limit, (double)prn_ledger_room(ledger, BUDGET, &next));
	prn_ledger_spend(ledger, amount);
	return amount;
}

static int by_time(const void *a, const void *b)
{
	const struct given *one = a, *other = b;

	return (one->time > other->time) - (one->time < other->time);
}

/* The most that was handed out in a window of times, (end - length, end]. */
static double most_within(size_t count, int64_t length)
{
	double sum = 0, most = 0;
	size_t first = 0;

	qsort(calls, count, sizeof *calls, by_time);
	for (size_t i = 0; i < count; i++) {
		sum += calls[i].amount;
		while (calls[first].time <= calls[i].time - length)
			sum -= calls[first++].amount;
		most = fmax(most, sum);
	}
	return most;
}

/* Three times in turn, each more than a day from the others. */
static void three_clocks(void)
{
	const int64_t times[] = { T0 + 60 * HOUR, T0, T0 + 30 * HOUR };
	struct prn_ledger ledger;
	double given[3] = { 0 };

	begin(&ledger);
	ask(&ledger, T0 - DAY, 100);
	for (int i = 0; i < 300; i++)
		given[i % 3] += ask(&ledger, times[i % 3], 100);
	for (int i = 0; i < 3; i++)
		ok(given[i] <= BUDGET,
		   "of three times that a clock comes to by turns number %d is given a day's budget at most: %g of %g", i,
		   given[i], BUDGET);
	ok(given[0] + given[1] + given[2] >= BUDGET,
	   "three times that a clock comes to by turns are given a day's budget in all, or more: %g", given[0] + given[1] + given[2]);
}

/*
 * Times drawn from a span of hours.  Where a clock was not set back yet, or is a day beyond where it was, the ledger itself counts
 * amounts over the time before (ledger.h): half a day's budget more may be in a day.
 */
static void random_clocks(int64_t hours, size_t count, uint64_t seed)
{
	struct prn_random random;
	struct prn_ledger ledger;
	double sum = 0, most;

	prn_random_seed(&random, seed, (uint64_t)hours);
	begin(&ledger);
	for (size_t i = 0; i < count; i++) {
		calls[i].time = T0 + (int64_t)(prn_random_bits(&random) % (uint64_t)(hours * HOUR));
		calls[i].amount = ask(&ledger, calls[i].time, (double)(1 + prn_random_bits(&random) % 30));
		sum += calls[i].amount;
	}
	most = most_within(count, 23 * HOUR);
	ok(most <= 1.52 * BUDGET, "of times drawn from %lld hours no 23 hours are given more than a day's budget: %g of %g (seed %llu)",
	   (long long)hours, most, BUDGET, (unsigned long long)seed);
	ok(sum >= BUDGET, "of times drawn from %lld hours more than a day's budget is given: %g", (long long)hours, sum);
}

/* A clock that was days ahead for days, and is right again. */
static void right_again(void)
{
	struct prn_ledger ledger;
	double given[6] = { 0 };

	begin(&ledger);
	for (int64_t hour = 0; hour < 15 * 24; hour++)
		ask(&ledger, T0 + hour * HOUR, 100);
	for (int64_t hour = 0; hour < 6 * 24; hour++)
		given[hour / 24] += ask(&ledger, T0 + 5 * DAY + hour * HOUR, 100);
	ok(given[0] <= 3, "times for which a budget was given are given next to none when a clock comes to them again: %g", given[0]);
	ok(given[1] >= 1,
	   "when a clock that came back has gone on for a day what is ahead of it is forgotten: %g on the second day", given[1]);
	for (int day = 2; day < 6; day++)
		ok(given[day] >= BUDGET - 4 && given[day] <= 1.02 * BUDGET, "day %d of a clock that is right again has its budget: %g", day + 1, given[day]);
}

/* What is ahead counts until a clock has gone on for a day, and that from when it was last set back. */
static void set_back_again(void)
{
	struct prn_spending spending;

	prn_spending_init(&spending);
	prn_spending_advance(&spending, T0 + 2 * DAY);
	prn_spending_add(&spending, 24);
	for (int64_t hour = 0; hour < 23; hour++)
		prn_spending_advance(&spending, T0 + hour * HOUR);
	for (int64_t hour = 20; hour < 43; hour++)
		prn_spending_advance(&spending, T0 + hour * HOUR);
	near(prn_spending_day(&spending), 24, 0, "a clock that is set back by two hours has not gone on for a day before it has since");
	prn_spending_advance(&spending, T0 + 43 * HOUR);
	near(prn_spending_day(&spending), 24, 0,
	     "a clock that is set back by two hours has not gone on for a day an hour before it has");
	prn_spending_advance(&spending, T0 + 44 * HOUR);
	near(prn_spending_day(&spending), 0, 0,
	     "once a clock that was set back has gone on for a day what is ahead is forgotten");
}

/* What a clock that is never set back is given is the ledger's business alone. */
static void steady_clock(void)
{
	struct prn_ledger ledger;
	bool none = true;

	begin(&ledger);
	for (int64_t minute = 0; minute < 40 * 24 * 60; minute += 7) {
		ask(&ledger, T0 + minute * MINUTE - (minute % 3) * MINUTE, 100);
		none &= prn_spending_day(&ledger.spending) <= 0;
	}
	ok(none, "clocks of machines that are minutes apart are not taken for one that is set back");
	ok(ledger.spending.count == PRN_SPENDING_SPANS, "of forty days as many spans are kept as there is room for");
}

static void waits(void)
{
	struct prn_spending spending;

	prn_spending_init(&spending);
	prn_spending_advance(&spending, T0);
	prn_spending_add(&spending, 24);
	prn_spending_advance(&spending, T0 + 60 * HOUR);
	prn_spending_advance(&spending, T0 + 22 * HOUR);
	near(prn_spending_day(&spending), 24, 0, "what was given is in a window of 23 hours with a time 22 hours later");
	ok(prn_spending_wait(&spending, 23) == T0 + 23 * HOUR, "who waits is told when what was given is 23 hours ago");
	prn_spending_advance(&spending, T0 - 22 * HOUR);
	near(prn_spending_day(&spending), 24, 0, "what was given counts at a time 22 hours before, too");
	ok(prn_spending_wait(&spending, 23) == T0 - 20 * HOUR, "who would wait for longer is to ask again in two hours");
	prn_spending_add(&spending, -10);
	near(prn_spending_day(&spending), 24, 0, "what comes back at another time than it was given at stays counted");
	prn_spending_advance(&spending, T0 + 10);
	prn_spending_add(&spending, -10);
	near(prn_spending_day(&spending), 14, 0, "what comes back of a time counts no more");
	prn_spending_advance(&spending, T0 + 23 * HOUR + 10);
	near(prn_spending_day(&spending), 0, 0, "23 hours later what was given no longer counts");
}

static void texts(void)
{
	char text[PRN_SPENDING_TEXT], again[PRN_SPENDING_TEXT];
	static const char *const wrong[] = { " 0 0 0 0 1 5 4 1", " 0 0 0 0 1 4 5 -1", " 0 0 0 0 99", " 0 0 0 0 2 4 5 1 4 6 1", " 0 0 0 0 1 4 5 1 x" };
	struct prn_spending spending, read;
	bool cut = true;

	prn_spending_init(&spending);
	for (int i = 0; i < 3 * PRN_SPENDING_SPANS; i++) {
		prn_spending_advance(&spending, T0 + i * (INT64_MAX / 1000) * (i % 2 ? 1 : -1));
		prn_spending_add(&spending, 1 / 3.0 * (i + 1));
	}
	prn_spending_print(&spending, text);
	prn_spending_init(&read);
	ok(prn_spending_parse(&read, text), "an spending is read, however many spans there are");
	ok(prn_spending_print(&read, again) && !strcmp(text, again),
	   "an spending that was read is written as it was, however many spans there are");
	for (size_t length = strlen(text); length && cut; length--)
		if (text[length] == ' ') {
			text[length] = 0;
			cut = !prn_spending_parse(&read, text);
		}
	ok(cut, "an spending that is cut off behind a number is not read");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(!prn_spending_parse(&read, wrong[i]), "'%s' is no spending", wrong[i]);
}

int main(void)
{
	three_clocks();
	random_clocks(72, 2000, 1);
	random_clocks(72, 2000, 2);
	random_clocks(30, 2000, 3);
	random_clocks(24 * 60, 20000, 4);
	random_clocks(24 * 3650, 20000, 5);
	right_again();
	set_back_again();
	steady_clock();
	waits();
	texts();
	return done();
}
