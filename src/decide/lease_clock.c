#include "decide/lease_clock.h"

#include "base/clock.h"
#include "decide/pacing.h"
#include "perennial/due.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "lease-clock"

/* How far clocks of different machines may be apart without one of them having been set back. */
#define APART_S 60.0

/* If a clock is set back by this much, it may have been far ahead before. */
#define FAR_S PRN_DAY_S

/* The most that is taken to have passed between two calls. */
#define CALL_S (PRN_LEASE_MOST_S / 12)

/* Nobody knows how long it was until the clock was set back: it counts as as long as it was set back by. */
static int64_t unseen(double back_s)
{
	return back_s > APART_S ? (int64_t)fmin(back_s, CALL_S) : 0;
}

static const struct prn_lease_clock none = { .furthest = PRN_TIME_UNKNOWN, .reached = PRN_TIME_UNKNOWN, .left = PRN_TIME_UNKNOWN };

static void bring_to(struct prn_lease_clock *clock, int64_t now)
{
	bool ahead = clock->furthest == PRN_TIME_UNKNOWN || now >= clock->furthest;

	if (!ahead && clock->reached == PRN_TIME_UNKNOWN) {
		clock->passed_s = unseen((double)clock->furthest - (double)now);
		clock->gone_s = 0;
	} else if (!ahead) {
		double step_s = (double)now - (double)clock->reached;
		int64_t counted_s = step_s < 0 ? unseen(-step_s) : (int64_t)fmin(step_s, CALL_S);

		clock->passed_s = (int64_t)fmin((double)(clock->passed_s + counted_s), PRN_LEASE_MOST_S);
		clock->gone_s = (int64_t)fmax(0, (double)clock->gone_s + fmin(step_s, CALL_S));
	}
	clock->reached = now;
	if (!ahead && (double)clock->gone_s >= PRN_LEASE_MOST_S) {
		clock->left = prn_time_after(clock->furthest, (double)clock->gone_s);
		clock->left_at = now;
		ahead = true;
	}
	if (ahead) {
		clock->furthest = now;
		clock->reached = PRN_TIME_UNKNOWN;
		clock->passed_s = clock->gone_s = 0;
	}
}

int64_t prn_lease_clock_move(const struct prn_lease_clock *clock, int64_t end)
{
	double rest_s = (double)end - (double)clock->left;

	if (clock->left == PRN_TIME_UNKNOWN || rest_s <= 0 || rest_s > PRN_LEASE_MOST_S)
		return PRN_TIME_UNKNOWN;
	return prn_time_after(clock->left_at, rest_s);
}

static bool parse(struct prn_lease_clock *clock, const char *text)
{
	char *end;

	clock->furthest = strtoll(text, &end, 10);
	clock->reached = strtoll(end, &end, 10);
	clock->passed_s = strtoll(end, &end, 10);
	clock->gone_s = strtoll(end, &end, 10);
	if (*end) {
		clock->left = strtoll(end, &end, 10);
		clock->left_at = strtoll(end, &end, 10);
	}
	return !*end && clock->passed_s >= 0 && (double)clock->passed_s <= PRN_LEASE_MOST_S && clock->gone_s >= 0 &&
	       (double)clock->gone_s < PRN_LEASE_MOST_S;
}

static int read_stored(struct prn_lease_clock *clock, const struct prn_store_reader *reader, struct prn_error *error)
{
	struct prn_lease_clock read = none;
	const void *bytes = NULL;
	char text[192] = "";
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, KEY, strlen(KEY), &bytes, &count, error);

	if (code && code != PRN_E_NOT_FOUND)
		return code;
	if (!code && count < sizeof text)
		memcpy(text, bytes, count);
	*clock = *text && parse(&read, text) ? read : none;
	return 0;
}

int prn_lease_clock_read(struct prn_lease_clock *clock, struct prn_lease_clock *before, const struct prn_decider *decider,
                         const struct prn_store_reader *reader, int64_t now, struct prn_error *error)
{
	struct prn_store_reader root = { 0 };
	int code = 0;

	if (decider->lot) {
		*clock = *before = decider->lot->clock;
		return 0;
	}
	if (decider->root)
		code = prn_view_open(&root.view, decider->root->store, error);
	if (!code)
		code = read_stored(before, decider->root ? &root : reader, error);
	prn_view_close(root.view);
	if (code)
		return code;
	*clock = *before;
	bring_to(clock, now);
	return 0;
}

int64_t prn_lease_clock_time(const struct prn_lease_clock *clock)
{
	return prn_time_after(clock->furthest, (double)clock->passed_s);
}

/*
 * A clock that advances as it should is only written together with the leases taken by it; so is one that is behind by no
 * more than machines' clocks differ.
 */
int prn_lease_clock_put(const struct prn_lease_clock *clock, const struct prn_lease_clock *before, bool used, struct prn_batch *batch,
                        struct prn_error *error)
{
	bool forgot = clock->furthest < before->furthest;
	bool set_back = clock->reached != PRN_TIME_UNKNOWN && (double)clock->furthest - (double)clock->reached > FAR_S;
	char text[192];
	int length;

	if (!memcmp(clock, before, sizeof *clock) || !(used || forgot || set_back))
		return 0;
	length = snprintf(text, sizeof text, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, clock->furthest, clock->reached,
	                  clock->passed_s, clock->gone_s);
	if (clock->left != PRN_TIME_UNKNOWN)
		length += snprintf(text + length, sizeof text - (size_t)length, " %" PRId64 " %" PRId64, clock->left, clock->left_at);
	return prn_batch_side_put(batch, PRN_SIDE_META, KEY, strlen(KEY), text, (size_t)length, error);
}
