#include "decide/outlay.h"

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

void prn_outlay_init(struct prn_outlay *outlay)
{
	*outlay = (struct prn_outlay){ .reached = PRN_TIME_UNKNOWN, .furthest = PRN_TIME_UNKNOWN, .behind = PRN_TIME_UNKNOWN };
}

int prn_outlay_print(const struct prn_outlay *outlay, char text[PRN_OUTLAY_TEXT])
{
	int length = snprintf(text, PRN_OUTLAY_TEXT, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %zu", outlay->reached, outlay->furthest,
	                      outlay->behind, outlay->gone_s, outlay->count);

	for (size_t i = 0; i < outlay->count; i++)
		length += prn_number_print(text + length, PRN_OUTLAY_TEXT - (size_t)length, " %" PRId64 " %" PRId64 " %.9g", outlay->spans[i].from,
		                           outlay->spans[i].to, outlay->spans[i].amount);
	return length;
}

bool prn_outlay_parse(struct prn_outlay *outlay, const char *text)
{
	struct prn_outlay read;
	int64_t before = INT64_MIN;
	char *end, *at;

	prn_outlay_init(&read);
	read.reached = strtoll(text, &end, 10);
	read.furthest = strtoll(end, &end, 10);
	read.behind = strtoll(end, &end, 10);
	read.gone_s = strtoll(end, &end, 10);
	read.count = strtoul(end, &at, 10);
	if (at == end || read.count > PRN_OUTLAY_SPANS || read.gone_s < 0)
		return false;
	end = at;
	for (size_t i = 0; i < read.count; i++) {
		struct prn_outlay_span *span = &read.spans[i];

		span->from = strtoll(end, &end, 10);
		span->to = strtoll(end, &at, 10);
		span->amount = prn_number_scan(at, &end);
		if (end == at || span->from < before || span->to < span->from || !(span->amount >= 0) || isinf(span->amount))
			return false;
		before = span->to;
	}
	if (*end)
		return false;
	*outlay = read;
	return true;
}

void prn_outlay_advance(struct prn_outlay *outlay, int64_t now)
{
	double step_s = outlay->reached == PRN_TIME_UNKNOWN ? 0 : (double)now - (double)outlay->reached;

	outlay->gone_s = step_s < -APART_S ? 0 : (int64_t)fmax(0, fmin((double)outlay->gone_s + fmin(step_s, CALL_S), PRN_DAY_S));
	outlay->reached = now;
	if (outlay->furthest == PRN_TIME_UNKNOWN || now > outlay->furthest)
		outlay->furthest = now;
	if ((double)now < (double)outlay->furthest - APART_S)
		outlay->behind = outlay->furthest;
	if (now >= outlay->furthest || (double)outlay->gone_s < PRN_DAY_S)
		return;
	/* The amounts ahead were handed out by another clock, or by this one when it was wrong. */
	while (outlay->count && outlay->spans[outlay->count - 1].from > now)
		outlay->count--;
	outlay->furthest = outlay->behind = now;
}

/* Joins two neighbours.  Spans that are more than a window apart do not count together. */
static struct prn_outlay_span both(const struct prn_outlay_span *one, const struct prn_outlay_span *next)
{
	bool apart = (double)next->from - (double)one->to >= WINDOW_S;

	return (struct prn_outlay_span){ one->from, next->to, apart ? fmax(one->amount, next->amount) : one->amount + next->amount };
}

/* How inexact a span becomes when it is joined with the next, relative to how far it is from the present time. */
static double blur(const struct prn_outlay *outlay, size_t i)
{
	const struct prn_outlay_span span = both(&outlay->spans[i], &outlay->spans[i + 1]);
	double from = (double)span.from - (double)outlay->reached, to = (double)span.to - (double)outlay->reached;
	double away = from > 0 ? from : to < 0 ? -to : 0;

	return (to - from) / (away + SPAN_S);
}

static void make_room(struct prn_outlay *outlay)
{
	size_t least = 0;

	for (size_t i = 1; i + 1 < outlay->count; i++)
		if (blur(outlay, i) < blur(outlay, least))
			least = i;
	outlay->spans[least] = both(&outlay->spans[least], &outlay->spans[least + 1]);
	outlay->count--;
	memmove(&outlay->spans[least + 1], &outlay->spans[least + 2], (outlay->count - least - 1) * sizeof *outlay->spans);
}

static int64_t half_hour(int64_t time)
{
	return time / SPAN_S - (time % SPAN_S < 0);
}

/* The span that an amount handed out at a time belongs to; NULL: none. */
static struct prn_outlay_span *span_of(struct prn_outlay *outlay, int64_t time)
{
	for (size_t i = 0; i < outlay->count; i++) {
		struct prn_outlay_span *span = &outlay->spans[i];

		if ((span->from <= time && time <= span->to) ||
		    (half_hour(span->from) == half_hour(time) && half_hour(span->to) == half_hour(time)))
			return span;
	}
	return NULL;
}

static struct prn_outlay_span *insert(struct prn_outlay *outlay, int64_t time)
{
	size_t at;

	for (at = outlay->count; at && outlay->spans[at - 1].from > time; at--)
		outlay->spans[at] = outlay->spans[at - 1];
	outlay->count++;
	outlay->spans[at] = (struct prn_outlay_span){ time, time, 0 };
	return &outlay->spans[at];
}

void prn_outlay_add(struct prn_outlay *outlay, double amount)
{
	int64_t time = outlay->reached;
	struct prn_outlay_span *span = span_of(outlay, time);

	if (time == PRN_TIME_UNKNOWN || (!span && amount <= 0))
		return;
	if (!span && outlay->count == PRN_OUTLAY_SPANS) {
		/* The time may lie in the span that was just joined. */
		make_room(outlay);
		span = span_of(outlay, time);
	}
	if (!span)
		span = insert(outlay, time);
	/* An amount that comes back is not taken off a longer span, because the rest of that may be of other times. */
	if (amount > 0 || (double)span->to - (double)span->from < SPAN_S)
		span->amount = fmax(0, span->amount + amount);
	if (time < span->from)
		span->from = time;
	if (time > span->to)
		span->to = time;
}

static double in_window(const struct prn_outlay *outlay, double end)
{
	double sum = 0;

	for (size_t i = 0; i < outlay->count; i++)
		if ((double)outlay->spans[i].from <= end && (double)outlay->spans[i].to > end - WINDOW_S)
			sum += outlay->spans[i].amount;
	return sum;
}

/* The most in any window around a time.  It is enough to look at windows that end where a span begins. */
static double around(const struct prn_outlay *outlay, double time)
{
	double most = in_window(outlay, time);

	for (size_t i = 0; i < outlay->count; i++) {
		double end = (double)outlay->spans[i].from;

		if (end > time && end - WINDOW_S < time)
			most = fmax(most, in_window(outlay, end));
	}
	return most;
}

double prn_outlay_day(const struct prn_outlay *outlay)
{
	if (outlay->behind == PRN_TIME_UNKNOWN || (double)outlay->reached >= (double)outlay->behind + PRN_DAY_S)
		return 0;
	return around(outlay, (double)outlay->reached);
}

int64_t prn_outlay_wait(const struct prn_outlay *outlay, double most)
{
	double soonest = (double)outlay->reached + CALL_S;

	for (size_t i = 0; i < outlay->count; i++) {
		double left = (double)outlay->spans[i].to + WINDOW_S;

		if (left > (double)outlay->reached && left < soonest && around(outlay, left) <= most)
			soonest = left;
	}
	return prn_time_after(outlay->reached, soonest - (double)outlay->reached);
}
