#include "decide/ledger.h"

#include "decide/loads.h"

#include "base/clock.h"
#include "base/number.h"
#include "perennial/time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "ledger"
#define KEY_SETTLED "settled"
#define BEGINS_WITH_S 3600.0

/* gain stays between 1 / GAIN_MOST and GAIN_MOST. */
#define GAIN_MOST 32.0

/*
 * The threshold is sought for somewhat more than the budget, because pages do not become due evenly.  Where a little more is
 * due than may be handed out, the most valuable pages are handed out and none of the budget is left over.
 */
#define ASK 1.15

/* The share of a day's budget that may always be unmet. */
#define WAITING 0.2

/* The share of the budget that may be handed out beyond it within a day, because calls do not come at the ideal times. */
#define OVER 0.02

/*
 * An amount that is spent at once counts as spent evenly while it accrued, if that took at most this share of a day.  The
 * longer it took beyond that, the shorter is the time over which the amount counts, down to an hour for a day and more.
 */
#define LUMP 0.5
#define DAYS_LUMP_S 3600.0

/* Amounts left over are made up for at MAKE_UP times the budget's rate; PACE_KEPT is the share of a day's budget kept for the next call. */
#define MAKE_UP 2.0
#define PACE_KEPT 0.01

/* How long a host counts as asked recently. */
#define LATE_S (7.0 * PRN_DAY_S)

#define TEXT_BYTES (340 + PRN_LEDGER_SLOTS * 84 + PRN_SHARING_HOSTS * 42 + 64 + PRN_SPENDING_TEXT)
#define SETTLED_BYTES 192

/* Text that begins with this has the spare amount and the times of slots; older programs wrote neither, and 48 slots. */
#define WRITTEN_AS "2 slots "
#define OLDER_SLOTS 48

/* The words before the spending, and of one whose threshold was sought, which older programs do not write. */
#define SPENDING " outlay"
#define SOUGHT " sought"

static double most_left(double budget_per_day)
{
	return fmax(1, budget_per_day);
}

static void begin(struct prn_ledger *ledger)
{
	*ledger = (struct prn_ledger){ .at = PRN_TIME_UNKNOWN, .gain = 1, .ahead_at = PRN_TIME_UNKNOWN, .sought_at = PRN_TIME_UNKNOWN };
	prn_spending_init(&ledger->spending);
}

/* Older programs placed a slot by its number within a day; when something was spent within the half hour is not known. */
static void place_older(struct prn_ledger *ledger)
{
	struct prn_ledger_slot older[OLDER_SLOTS];

	memcpy(older, ledger->slots, sizeof older);
	memset(ledger->slots, 0, sizeof ledger->slots);
	for (int64_t slot = ledger->slot - OLDER_SLOTS + 1; slot <= ledger->slot; slot++) {
		struct prn_ledger_slot *place = &ledger->slots[prn_ledger_place(slot)];

		*place = older[(slot % OLDER_SLOTS + OLDER_SLOTS) % OLDER_SLOTS];
		place->last = PRN_LEDGER_SLOT_S;
	}
}

static bool parse_slots(struct prn_ledger *ledger, size_t count, char **end)
{
	for (size_t i = 0; i < count; i++) {
		if (**end != ' ')
			return false;
		ledger->slots[i].amount = prn_number_scan(*end, end);
		if (!isfinite(ledger->slots[i].amount))
			return false;
	}
	for (size_t i = 0; i < count; i++)
		ledger->slots[i].threshold = prn_number_scan(*end, end);
	return true;
}

/* Parses the part that is present only where something was forgiven. */
static bool parse_forgiven(struct prn_ledger *ledger, char **end)
{
	ledger->forgiven = prn_number_scan(*end, end);
	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++) {
		char *before = *end;

		ledger->slots[i].forgiven = prn_number_scan(before, end);
		if (*end == before || !(ledger->slots[i].forgiven >= 0) || isinf(ledger->slots[i].forgiven))
			return false;
	}
	return ledger->forgiven >= 0 && isfinite(ledger->forgiven);
}

/* Parses what older programs do not write. */
static bool parse_newer(struct prn_ledger *ledger, char **end)
{
	ledger->spare = prn_number_scan(*end, end);
	ledger->ahead_at = strtoll(*end, end, 10);
	ledger->ahead_left = prn_number_scan(*end, end);
	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++) {
		char *before = *end;

		ledger->slots[i].last = strtoll(before, end, 10);
		before = *end;
		ledger->slots[i].gap = strtoll(before, end, 10);
		if (*end == before || ledger->slots[i].last < 0 || ledger->slots[i].last > PRN_LEDGER_SLOT_S || ledger->slots[i].gap < 0)
			return false;
	}
	if (**end && !parse_forgiven(ledger, end))
		return false;
	return ledger->spare >= 0 && isfinite(ledger->spare) && isfinite(ledger->ahead_left);
}

static bool parse(struct prn_ledger *ledger, char *text)
{
	bool newer = !strncmp(text, WRITTEN_AS, strlen(WRITTEN_AS));
	char *spending = strstr(text, SPENDING), *sought, *end;

	if (spending) {
		*spending = 0;
		if (!prn_spending_parse(&ledger->spending, spending + strlen(SPENDING)))
			return false;
	}
	sought = strstr(text, SOUGHT);
	if (sought) {
		*sought = 0;
		ledger->sought_at = strtoll(sought + strlen(SOUGHT), &end, 10);
		if (*end)
			return false;
	}
	ledger->left = prn_number_scan(text + (newer ? strlen(WRITTEN_AS) : 0), &end);
	ledger->pace = prn_number_scan(end, &end);
	ledger->at = strtoll(end, &end, 10);
	ledger->gain = prn_number_scan(end, &end);
	ledger->unmet = prn_number_scan(end, &end);
	ledger->requeuing.queued_at = prn_number_scan(end, &end);
	ledger->requeuing.highest = prn_number_scan(end, &end);
	ledger->requeuing.cursor.high = strtoull(end, &end, 10);
	ledger->requeuing.cursor.low = strtoull(end, &end, 10);
	ledger->slot = strtoll(end, &end, 10);
	if (!parse_slots(ledger, newer ? PRN_LEDGER_SLOTS : OLDER_SLOTS, &end))
		return false;
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++) {
		ledger->hosts[i].number = strtoull(end, &end, 10);
		ledger->hosts[i].asked = strtoll(end, &end, 10);
	}
	if (*end) {
		ledger->ahead = strtoll(end, &end, 10);
		ledger->ahead_count = prn_number_scan(end, &end);
	}
	/* A slot is a time in half hours. */
	if (fmax(fabs((double)ledger->slot), fabs((double)ledger->ahead)) > 9e18 / PRN_LEDGER_SLOT_S)
		return false;
	if (newer && !parse_newer(ledger, &end))
		return false;
	if (!newer)
		place_older(ledger);
	return !*end && isfinite(ledger->ahead_count) && isfinite(ledger->left) && isfinite(ledger->pace) && ledger->gain >= 1 / GAIN_MOST && ledger->gain <= GAIN_MOST &&
	       ledger->unmet >= 0 && isfinite(ledger->unmet);
}

/* A damaged entry counts as nothing settled. */
int prn_settled_read(struct prn_settled *settled, const struct prn_store_reader *reader, struct prn_error *error)
{
	const void *bytes = NULL;
	char text[SETTLED_BYTES], *end;
	size_t count = 0;
	struct prn_settled found = { 0 };
	int code = prn_store_reader_side(reader, PRN_SIDE_META, KEY_SETTLED, strlen(KEY_SETTLED), &bytes, &count, error);

	*settled = (struct prn_settled){ 0 };
	if (code || count >= sizeof text)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	memcpy(text, bytes, count);
	text[count] = 0;
	found.beyond = prn_number_scan(text, &end);
	found.answer_bytes = prn_number_scan(end, &end);
	found.answers = prn_number_scan(end, &end);
	if (*end)
		found.returned = prn_number_scan(end, &end);
	if (*end) {
		found.excess = prn_number_scan(end, &end);
		found.largest = prn_number_scan(end, &end);
	}
	if (!*end && isfinite(found.beyond) && isfinite(found.answer_bytes) && found.answer_bytes >= 0 && found.answers >= 0 &&
	    found.returned >= 0 && isfinite(found.returned) && found.excess >= found.largest && found.largest >= 0 && isfinite(found.excess))
		*settled = found;
	return 0;
}

static int put_settled(const struct prn_settled *settled, struct prn_batch *batch, struct prn_error *error)
{
	char text[SETTLED_BYTES];
	int length = prn_number_print(text, sizeof text, "%.17g %.9g %.9g", settled->beyond, settled->answer_bytes, settled->answers);

	/* Older programs read three numbers, or four. */
	if (settled->returned > 0 || settled->excess > 0)
		length += prn_number_print(text + length, sizeof text - (size_t)length, " %.17g", settled->returned);
	if (settled->excess > 0)
		length += prn_number_print(text + length, sizeof text - (size_t)length, " %.17g %.17g", settled->excess, settled->largest);
	return prn_batch_side_put(batch, PRN_SIDE_META, KEY_SETTLED, strlen(KEY_SETTLED), text, (size_t)length, error);
}

int prn_ledger_settle(struct prn_batch *batch, double beyond, double excess, double answer_bytes, struct prn_error *error)
{
	struct prn_store_reader reader = { .batch = batch };
	struct prn_settled settled;
	int code = prn_settled_read(&settled, &reader, error);

	if (code)
		return code;
	settled.beyond += beyond;
	settled.excess += excess;
	settled.largest = fmax(settled.largest, excess);
	if (answer_bytes > 0) {
		settled.answers = fmin(settled.answers + 1, PRN_LEDGER_ANSWERS);
		settled.answer_bytes += (answer_bytes - settled.answer_bytes) / settled.answers;
	}
	return put_settled(&settled, batch, error);
}

int prn_ledger_return(struct prn_batch *batch, double cost, struct prn_error *error)
{
	struct prn_store_reader reader = { .batch = batch };
	struct prn_settled settled;
	int code = prn_settled_read(&settled, &reader, error);

	settled.returned += cost;
	return code ? code : put_settled(&settled, batch, error);
}

int prn_ledger_take_settled(struct prn_batch *batch, struct prn_settled *settled, struct prn_error *error)
{
	struct prn_store_reader reader = { .batch = batch };
	int code = prn_settled_read(settled, &reader, error);

	if (code || (fabs(settled->beyond) <= 0 && settled->answers <= 0 && settled->returned <= 0 && settled->excess <= 0))
		return code;
	return prn_batch_side_put(batch, PRN_SIDE_META, KEY_SETTLED, strlen(KEY_SETTLED), NULL, 0, error);
}

void prn_settled_add(struct prn_settled *to, const struct prn_settled *more)
{
	double answers = to->answers + more->answers;

	if (more->answers > 0)
		to->answer_bytes += (more->answer_bytes - to->answer_bytes) * more->answers / answers;
	to->answers = answers;
	to->beyond += more->beyond;
	to->returned += more->returned;
	to->excess += more->excess;
	to->largest = fmax(to->largest, more->largest);
}

/*
 * The actual costs replace the expected ones, which are counted as spent already, so the differences are added.  Amounts beyond
 * hosts' shares are forgiven as far as the ledger still forgives any.
 */
static void count_settled(struct prn_ledger *ledger, double budget_per_day, const struct prn_settled *settled)
{
	struct prn_ledger_slot *slot = &ledger->slots[prn_ledger_place(ledger->slot)];
	double may_be = fmax(budget_per_day, settled->largest) - ledger->forgiven;
	double forgiven = fmax(0, fmin(settled->excess, may_be)), beyond = settled->beyond + settled->excess - forgiven;

	ledger->left -= beyond;
	ledger->pace -= beyond;
	slot->amount += beyond;
	prn_spending_add(&ledger->spending, beyond);
	ledger->forgiven += forgiven;
	slot->forgiven += forgiven;
}

void prn_ledger_add_settled(struct prn_ledger *ledger, double budget_per_day, const struct prn_settled *settled)
{
	struct prn_settled sum = { .answer_bytes = ledger->answer_bytes, .answers = ledger->answers };

	prn_settled_add(&sum, settled);
	if (settled->answers > 0) {
		ledger->answer_bytes = sum.answer_bytes;
		ledger->answers = fmin(sum.answers, PRN_LEDGER_ANSWERS);
		ledger->settled = true;
	}
	if (ledger->at == PRN_TIME_UNKNOWN)
		return;
	count_settled(ledger, budget_per_day, settled);
	if (settled->returned > 0)
		prn_ledger_spend(ledger, -settled->returned);
}

int prn_ledger_drop(struct prn_batch *batch, struct prn_error *error)
{
	int code = prn_batch_side_put(batch, PRN_SIDE_META, KEY, strlen(KEY), NULL, 0, error);

	return code ? code : prn_batch_side_put(batch, PRN_SIDE_META, KEY_SETTLED, strlen(KEY_SETTLED), NULL, 0, error);
}

static int read_own(struct prn_ledger *ledger, const struct prn_store_reader *reader, struct prn_error *error)
{
	const void *bytes = NULL;
	char text[TEXT_BYTES];
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, KEY, strlen(KEY), &bytes, &count, error);

	begin(ledger);
	if (code || count >= sizeof text)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	memcpy(text, bytes, count);
	text[count] = 0;
	if (!parse(ledger, text))
		begin(ledger);
	return 0;
}

int prn_ledger_read(struct prn_ledger *ledger, double budget_per_day, const struct prn_store_reader *reader,
                    struct prn_error *error)
{
	struct prn_settled settled;
	int code = read_own(ledger, reader, error);

	if (!code)
		code = prn_settled_read(&settled, reader, error);
	if (code)
		return code;
	ledger->answer_bytes = settled.answer_bytes;
	ledger->answers = settled.answers;
	ledger->settled = settled.beyond != 0 || settled.excess > 0;
	if (!ledger->settled || ledger->at == PRN_TIME_UNKNOWN)
		return 0;
	count_settled(ledger, budget_per_day, &settled);
	return 0;
}

static bool has_forgiven(const struct prn_ledger *ledger)
{
	bool has = ledger->forgiven > 0;

	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
		has |= ledger->slots[i].forgiven > 0;
	return has;
}

int prn_ledger_put(const struct prn_ledger *ledger, struct prn_batch *batch, struct prn_error *error)
{
	char text[TEXT_BYTES];
	const struct prn_requeuing *requeuing = &ledger->requeuing;
	int length = prn_number_print(text, sizeof text,
	                      WRITTEN_AS "%.17g %.17g %" PRId64 " %.17g %.17g %.17g %.17g %" PRIu64 " %" PRIu64 " %" PRId64,
	                      ledger->left, ledger->pace, ledger->at, ledger->gain, ledger->unmet, requeuing->queued_at, requeuing->highest,
	                      requeuing->cursor.high, requeuing->cursor.low, ledger->slot), code;

	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
		length += prn_number_print(text + length, sizeof text - (size_t)length, " %.17g", ledger->slots[i].amount);
	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
		length += prn_number_print(text + length, sizeof text - (size_t)length, " %.5g", ledger->slots[i].threshold);
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %" PRIu64 " %" PRId64, ledger->hosts[i].number,
		                   ledger->hosts[i].asked);
	length += prn_number_print(text + length, sizeof text - (size_t)length, " %" PRId64 " %.17g %.17g %" PRId64 " %.17g",
	                   ledger->ahead, ledger->ahead_count, ledger->spare, ledger->ahead_at, ledger->ahead_left);
	for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %" PRId64 " %" PRId64,
		                   ledger->slots[i].last, ledger->slots[i].gap);
	if (has_forgiven(ledger)) {
		length += prn_number_print(text + length, sizeof text - (size_t)length, " %.17g", ledger->forgiven);
		for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
			length += prn_number_print(text + length, sizeof text - (size_t)length, " %.9g", ledger->slots[i].forgiven);
	}
	if (ledger->sought_at != PRN_TIME_UNKNOWN)
		length += snprintf(text + length, sizeof text - (size_t)length, SOUGHT " %" PRId64, ledger->sought_at);
	length += snprintf(text + length, sizeof text - (size_t)length, SPENDING);
	length += prn_spending_print(&ledger->spending, text + length);
	code = prn_batch_side_put(batch, PRN_SIDE_META, KEY, strlen(KEY), text, (size_t)length, error);
	if (code || !ledger->settled)
		return code;
	return put_settled(&(struct prn_settled){ .answer_bytes = ledger->answer_bytes, .answers = ledger->answers }, batch, error);
}

/* The time over which an amount counts that took so many days to accrue. */
static double counted_s(double days)
{
	double lump_s = LUMP * PRN_DAY_S;

	if (days <= LUMP)
		return days * PRN_DAY_S;
	return fmax(DAYS_LUMP_S, lump_s - (lump_s - DAYS_LUMP_S) * (days - LUMP) / (1 - LUMP));
}

/* How much of what a slot has spent counts as spent after a time. */
static double counted_after(const struct prn_ledger_slot *slot, int64_t number, double budget_per_day, double time)
{
	double last = (double)number * PRN_LEDGER_SLOT_S + (double)slot->last;
	double calls_days = (double)(slot->gap > slot->last ? slot->gap : slot->last) / PRN_DAY_S, over_s;

	if (last <= time)
		return 0;
	if (slot->amount <= 0)
		return slot->amount;
	over_s = fmax(1, fmin(counted_s(slot->amount / budget_per_day), counted_s(calls_days)));
	return slot->amount * fmin(1, (last - time) / over_s);
}

double prn_ledger_day(const struct prn_ledger *ledger, double budget_per_day, int64_t time)
{
	double sum = 0;

	for (int64_t slot = ledger->slot - PRN_LEDGER_SLOTS + 1; slot <= ledger->slot; slot++)
		sum += counted_after(&ledger->slots[prn_ledger_place(slot)], slot, budget_per_day,
		                     (double)time - PRN_DAY_S);
	if (fabs((double)ledger->slot - (double)ledger->ahead) < PRN_LEDGER_SLOTS)
		sum += ledger->ahead_count;
	return fmax(0, sum);
}

static int64_t slot_of(int64_t time)
{
	return time / PRN_LEDGER_SLOT_S - (time % PRN_LEDGER_SLOT_S < 0);
}

size_t prn_ledger_place(int64_t slot)
{
	return (size_t)((slot % PRN_LEDGER_SLOTS + PRN_LEDGER_SLOTS) % PRN_LEDGER_SLOTS);
}

/*
 * The half hours that have passed since are empty.  A clock that is set back by days may have been far ahead, or may be wrong
 * now: the slots are moved to the half hours that end now, and count once more when the clock is where it was.
 */
static void advance_slots(struct prn_ledger *ledger, int64_t slot)
{
	double gone = (double)slot - (double)ledger->slot;

	if (gone >= PRN_LEDGER_SLOTS) {
		memset(ledger->slots, 0, sizeof ledger->slots);
		ledger->slot = slot;
	}
	if (gone < 0) {
		struct prn_ledger_slot before[PRN_LEDGER_SLOTS];
		double spent = 0;

		memcpy(before, ledger->slots, sizeof before);
		for (int64_t i = 0; i < PRN_LEDGER_SLOTS; i++) {
			spent += before[i].amount;
			ledger->slots[prn_ledger_place(slot - i)] = before[prn_ledger_place(ledger->slot - i)];
		}
		ledger->ahead_count = fmax(0, spent);
		ledger->ahead = ledger->slot;
		ledger->slot = slot;
	}
	while (ledger->slot < slot)
		ledger->slots[prn_ledger_place(++ledger->slot)] = (struct prn_ledger_slot){ 0 };
}

void prn_ledger_learn(struct prn_ledger *ledger, double budget_per_day, double pages_days, double early, int64_t now)
{
	double day = most_left(budget_per_day), days = 0, lean, most;

	if (ledger->at != PRN_TIME_UNKNOWN)
		days = ((double)now - (double)ledger->at) / PRN_DAY_S;
	/*
	 * If something could be spent and was not, the loads promise too much; if visits were unmet, they promise too little.
	 * But some visits always wait where pages become due together.
	 */
	lean = fmax(-1, fmin(1, (fmin(ledger->spare, day) - fmax(0, ledger->unmet - WAITING * day)) / day));
	ledger->gain *= exp((fmax(0, fmin(days, 1)) * lean + early / day) / (1 + pages_days));
	/*
	 * At the least threshold pages are visited as often as they ever are.  Where even that takes less than the budget that is
	 * aimed at, a lower threshold gains nothing: what calls leave over then says nothing about loads, and learning from it
	 * would have to be undone later.
	 */
	most = fmax(1, fmin(pages_days * PRN_DAY_S / PRN_LOADS_LEAST_S / ASK, GAIN_MOST));
	ledger->gain = fmax(1 / GAIN_MOST, fmin(ledger->gain, most));
}

static bool is_behind(const struct prn_ledger *ledger)
{
	return ledger->ahead_at != PRN_TIME_UNKNOWN && ledger->at < ledger->ahead_at;
}

void prn_ledger_advance(struct prn_ledger *ledger, double budget_per_day, int64_t now)
{
	double days = ((double)now - (double)ledger->at) / PRN_DAY_S;

	prn_spending_advance(&ledger->spending, now);
	if (ledger->at == PRN_TIME_UNKNOWN) {
		ledger->left = ledger->pace = fmax(1, budget_per_day * BEGINS_WITH_S / PRN_DAY_S);
		ledger->slot = slot_of(now);
		days = 0;
	}
	/* If a clock goes back a little, nothing is taken away and nothing accrues twice; one that was far ahead begins anew. */
	if (days < 0 && days >= -1)
		now = ledger->at;
	if (days > 0) {
		double kept = fmax(1, PACE_KEPT * budget_per_day);

		ledger->left += days * budget_per_day;
		ledger->forgiven = fmax(0, ledger->forgiven - days * budget_per_day);
		/*
		 * A short time adds no more to the pace than is kept from call to call, so that no pace gathers while nothing is
		 * due; but what a long time has added stays until it is used.
		 */
		ledger->pace = fmax(ledger->pace, fmin(ledger->pace, kept) + MAKE_UP * days * budget_per_day);
	}
	/*
	 * A clock that comes forward again, over days or at once, finds what was left there, whatever accrued in between.
	 * Otherwise a clock that is wrong every now and then would bring a day's budget each time.
	 */
	if (is_behind(ledger) && now >= ledger->ahead_at) {
		double since = ((double)now - (double)ledger->ahead_at) / PRN_DAY_S;

		ledger->left = fmin(ledger->left, ledger->ahead_left + since * budget_per_day);
		ledger->ahead_at = PRN_TIME_UNKNOWN;
	}
	if (days < -1 && !is_behind(ledger)) {
		ledger->ahead_at = ledger->at;
		ledger->ahead_left = ledger->left;
	}
	ledger->gap = days > 0 ? (int64_t)fmin(days * PRN_DAY_S, 1e9) : 0;
	ledger->left = fmin(ledger->left, most_left(budget_per_day));
	ledger->at = now;
	advance_slots(ledger, slot_of(now));
}

/* The first time, within a day from now, at which no more than most counts as spent within the day before. */
static int64_t when_spent(const struct prn_ledger *ledger, double budget_per_day, double most)
{
	int64_t from = ledger->at, to = prn_time_after(ledger->at, PRN_DAY_S);

	while (to - from > 1) {
		int64_t middle = from + (to - from) / 2;

		if (prn_ledger_day(ledger, budget_per_day, middle) > most)
			from = middle;
		else
			to = middle;
	}
	return to;
}

/* The most that may be spent within a day. */
static double most_within_day(double budget_per_day)
{
	return fmax((1 + OVER) * most_left(budget_per_day), ceil(budget_per_day));
}

double prn_ledger_spare(const struct prn_ledger *ledger, double budget_per_day)
{
	double day = prn_ledger_day(ledger, budget_per_day, ledger->at);

	return fmax(0, fmin(ledger->left, most_within_day(budget_per_day) - fmax(day, prn_spending_day(&ledger->spending))));
}

uint64_t prn_ledger_room(const struct prn_ledger *ledger, double budget_per_day, int64_t *next)
{
	double most = most_within_day(budget_per_day), day = most - prn_ledger_day(ledger, budget_per_day, ledger->at);
	double around = most - prn_spending_day(&ledger->spending);
	double ready = fmin(ledger->left, ledger->pace), room = floor(fmin(ready, fmin(day, around)) + 1e-9);

	*next = ledger->at;
	if (room >= 1)
		return (uint64_t)fmin(room, 1e18);
	if (ready < 1)
		*next = prn_time_after(ledger->at, ceil(fmax((1 - ledger->left) / budget_per_day,
		                                             (1 - ledger->pace) / (MAKE_UP * budget_per_day)) * PRN_DAY_S));
	if (day < 1)
		*next = prn_time_later(*next, when_spent(ledger, budget_per_day, most - 1 + 1e-9));
	if (around < 1)
		*next = prn_time_later(*next, prn_spending_wait(&ledger->spending, most - 1 + 1e-9));
	return 0;
}

void prn_ledger_spend(struct prn_ledger *ledger, double amount)
{
	struct prn_ledger_slot *slot = &ledger->slots[prn_ledger_place(ledger->slot)];

	/* An amount that was handed out before this ledger began, in another unit, was not spent in it. */
	if (amount < 0) {
		double spent = 0;

		for (size_t i = 0; i < PRN_LEDGER_SLOTS; i++)
			spent += fmax(0, ledger->slots[i].amount);
		amount = fmax(amount, -spent);
	}
	ledger->left -= amount;
	ledger->pace -= amount;
	prn_spending_add(&ledger->spending, amount);
	/* An amount that was handed out in an earlier half hour, and comes back, stays counted there. */
	slot->amount = fmax(fmin(slot->amount, 0), slot->amount + amount);
	if (amount > 0) {
		slot->last = ledger->at - ledger->slot * PRN_LEDGER_SLOT_S;
		slot->gap = slot->gap > ledger->gap ? slot->gap : ledger->gap;
	}
}

void prn_ledger_ask(struct prn_ledger *ledger, uint64_t host)
{
	struct prn_ledger_host *place = ledger->hosts;

	/* The host keeps its place, or takes that of the host that was asked longest ago. */
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++) {
		struct prn_ledger_host *other = &ledger->hosts[i];

		if (other->number == host) {
			place = other;
			break;
		}
		if (!other->number || (place->number && other->asked < place->asked))
			place = other;
	}
	*place = (struct prn_ledger_host){ host, ledger->at };
}

bool prn_ledger_is_shared(const struct prn_ledger *ledger)
{
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++)
		if (!ledger->hosts[i].number || (double)ledger->hosts[i].asked + LATE_S < (double)ledger->at)
			return false;
	return true;
}

double prn_ledger_gain_under(const struct prn_ledger *ledger, double budget_before, double budget_per_day)
{
	double part = fmin(1, budget_per_day / budget_before);

	return ledger->gain > 1 ? 1 + (ledger->gain - 1) * part : ledger->gain;
}

double prn_ledger_aim(const struct prn_ledger *ledger, double budget_per_day)
{
	return ASK * budget_per_day * ledger->gain;
}
