#include "decide/spending.h"

#include "base/clock.h"
#include "base/number.h"
#include "perennial/time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most by which clocks of machines differ without one of them having been set back. */
#define APART_S 3600.0

/* The most that a call counts for, of the day after which a clock is taken to be right. */
#define CALL_S 7200.0

#define WINDOW_S (23 * 3600.0)
#define SPAN_S 1800

void prn_spending_init(struct prn_spending *spending)
{
	*spending = (struct prn_spending){ .reached = PRN_TIME_UNKNOWN, .furthest = PRN_TIME_UNKNOWN, .behind = PRN_TIME_UNKNOWN };
}

int prn_spending_print(const struct prn_spending *spending, char text[PRN_SPENDING_TEXT])
{
	int length = snprintf(text, PRN_SPENDING_TEXT, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %zu", spending->reached, spending->furthest,
	                      spending->behind, spending->gone_s, spending->count);

	for (size_t i = 0; i < spending->count; i++)
		length += prn_number_print(text + length, PRN_SPENDING_TEXT - (size_t)length, " %" PRId64 " %" PRId64 " %.9g", spending->spans[i].from,
		                           spending->spans[i].to, spending->spans[i].amount);
	return length;
}

bool prn_spending_parse(struct prn_spending *spending, const char *text)
{
	struct prn_spending read;
	int64_t before = INT64_MIN;
	char *end, *at;

	prn_spending_init(&read);
	read.reached = strtoll(text, &end, 10);
	read.furthest = strtoll(end, &end, 10);
	read.behind = strtoll(end, &end, 10);
	read.gone_s = strtoll(end, &end, 10);
	read.count = strtoul(end, &at, 10);
	if (at == end || read.count > PRN_SPENDING_SPANS || read.gone_s < 0)
		return false;
	end = at;
	for (size_t i = 0; i < read.count; i++) {
		struct prn_spending_span *span = &read.spans[i];

		span->from = strtoll(end, &end, 10);
		span->to = strtoll(end, &at, 10);
		span->amount = prn_number_scan(at, &end);
		if (end == at || span->from < before || span->to < span->from || !(span->amount >= 0) || isinf(span->amount))
			return false;
		before = span->to;
	}
	if (*end)
		return false;
	*spending = read;
	return true;
}

void prn_spending_advance(struct prn_spending *spending, int64_t now)
{
	double step_s = spending->reached == PRN_TIME_UNKNOWN ? 0 : (double)now - (double)spending->reached;

	spending->gone_s = step_s < -APART_S ? 0 : (int64_t)fmax(0, fmin((double)spending->gone_s + fmin(step_s, CALL_S), PRN_DAY_S));
	spending->reached = now;
	if (spending->furthest == PRN_TIME_UNKNOWN || now > spending->furthest)
		spending->furthest = now;
	if ((double)now < (double)spending->furthest - APART_S)
		spending->behind = spending->furthest;
	if (now >= spending->furthest || (double)spending->gone_s < PRN_DAY_S)
		return;
	/* The amounts ahead were handed out by another clock, or by this one when it was wrong. */
	while (spending->count && spending->spans[spending->count - 1].from > now)
		spending->count--;
	spending->furthest = spending->behind = now;
}

/* Joins two neighbours.  Spans that are more than a window apart do not count together. */
static struct prn_spending_span both(const struct prn_spending_span *one, const struct prn_spending_span *next)
{
	bool apart = (double)next->from - (double)one->to >= WINDOW_S;

	return (struct prn_spending_span){ one->from, next->to, apart ? fmax(one->amount, next->amount) : one->amount + next->amount };
}

/* How inexact a span becomes when it is joined with the next, relative to how far it is from the present time. */
static double blur(const struct prn_spending *spending, size_t i)
{
	const struct prn_spending_span span = both(&spending->spans[i], &spending->spans[i + 1]);
	double from = (double)span.from - (double)spending->reached, to = (double)span.to - (double)spending->reached;
	double away = from > 0 ? from : to < 0 ? -to : 0;

	return (to - from) / (away + SPAN_S);
}

static void make_room(struct prn_spending *spending)
{
	size_t least = 0;

	for (size_t i = 1; i + 1 < spending->count; i++)
		if (blur(spending, i) < blur(spending, least))
			least = i;
	spending->spans[least] = both(&spending->spans[least], &spending->spans[least + 1]);
	spending->count--;
	memmove(&spending->spans[least + 1], &spending->spans[least + 2], (spending->count - least - 1) * sizeof *spending->spans);
}

static int64_t half_hour(int64_t time)
{
	return time / SPAN_S - (time % SPAN_S < 0);
}

/* The span that an amount handed out at a time belongs to; NULL: none. */
static struct prn_spending_span *span_of(struct prn_spending *spending, int64_t time)
{
	for (size_t i = 0; i < spending->count; i++) {
		struct prn_spending_span *span = &spending->spans[i];

		if ((span->from <= time && time <= span->to) ||
		    (half_hour(span->from) == half_hour(time) && half_hour(span->to) == half_hour(time)))
			return span;
	}
	return NULL;
}

static struct prn_spending_span *insert(struct prn_spending *spending, int64_t time)
{
	size_t at;

	for (at = spending->count; at && spending->spans[at - 1].from > time; at--)
		spending->spans[at] = spending->spans[at - 1];
	spending->count++;
	spending->spans[at] = (struct prn_spending_span){ time, time, 0 };
	return &spending->spans[at];
}

void prn_spending_add(struct prn_spending *spending, double amount)
{
	int64_t time = spending->reached;
	struct prn_spending_span *span = span_of(spending, time);

	if (time == PRN_TIME_UNKNOWN || (!span && amount <= 0))
		return;
	if (!span && spending->count == PRN_SPENDING_SPANS) {
		/* The time may lie in the span that was just joined. */
		make_room(spending);
		span = span_of(spending, time);
	}
	if (!span)
		span = insert(spending, time);
	/* An amount that comes back is not taken off a longer span, because the rest of that may be of other times. */
	if (amount > 0 || (double)span->to - (double)span->from < SPAN_S)
		span->amount = fmax(0, span->amount + amount);
	if (time < span->from)
		span->from = time;
	if (time > span->to)
		span->to = time;
}

static double in_window(const struct prn_spending *spending, double end)
{
	double sum = 0;

	for (size_t i = 0; i < spending->count; i++)
		if ((double)spending->spans[i].from <= end && (double)spending->spans[i].to > end - WINDOW_S)
			sum += spending->spans[i].amount;
	return sum;
}

/* The most in any window around a time.  It is enough to look at windows that end where a span begins. */
static double around(const struct prn_spending *spending, double time)
{
	double most = in_window(spending, time);

	for (size_t i = 0; i < spending->count; i++) {
		double end = (double)spending->spans[i].from;

		if (end > time && end - WINDOW_S < time)
			most = fmax(most, in_window(spending, end));
	}
	return most;
}

double prn_spending_day(const struct prn_spending *spending)
{
	if (spending->behind == PRN_TIME_UNKNOWN || (double)spending->reached >= (double)spending->behind + PRN_DAY_S)
		return 0;
	return around(spending, (double)spending->reached);
}

int64_t prn_spending_wait(const struct prn_spending *spending, double most)
{
	double soonest = (double)spending->reached + CALL_S;

	for (size_t i = 0; i < spending->count; i++) {
		double left = (double)spending->spans[i].to + WINDOW_S;

		if (left > (double)spending->reached && left < soonest && around(spending, left) <= most)
			soonest = left;
	}
	return prn_time_after(spending->reached, soonest - (double)spending->reached);
}
