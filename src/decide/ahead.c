/*
 * Voids what a clock that ran ahead left behind.  A single call with a time that is years ahead writes leases, visits and
 * turns of hosts that no later call would reach; a call whose clock is right must not believe them.  Times that are at most a
 * day ahead come from machines that disagree, and are kept.  Leases are kept until the time ahead is forgotten, and the rest of
 * their time even longer (lease_clock.h), because they may have been taken a moment ago.
 */
#include "base/clock.h"
#include "decide/gate_messages.h"
#include "decide/giants.h"
#include "decide/lease_clock.h"
#include "decide/loads.h"
#include "decide/unreadable.h"

#include "perennial/due.h"

#include <math.h>

#define AHEAD_S PRN_DAY_S

/* How many pages or hosts are looked at in one commit. */
#define BATCH 10000

/* A visit now sets no time that is further away than this, in seconds. */
static double longest(const struct prn_decider_options *options)
{
	double most = fmax(PRN_INTERVAL_MOST_S, fmax(options->retry_max_s, options->suspect_after_s));

	for (size_t i = 0; i < options->interval_count; i++)
		most = fmax(most, fmax(options->intervals[i].min_s, options->intervals[i].max_s));
	return most + options->future_s + AHEAD_S;
}

/* Moves all times of the page back.  A policy packs its state relative to the last visit (policy_kind.h, "pack"). */
static int move_back(struct prn_page_state *state, int64_t attempted, struct prn_error *error)
{
	int64_t back = state->attempted - attempted;
	unsigned char bytes[PRN_RECORD_STATE_BYTES];
	size_t length;

	state->attempted = attempted;
	if (!state->visits)
		return 0;
	length = prn_policy_pack(state->policy, state->policy_state, prn_page_days(state->visited), bytes,
	                         sizeof bytes);
	state->visited -= back;
	if (length > sizeof bytes || prn_policy_unpack(state->policy, bytes, length, prn_page_days(state->visited),
	                                               state->policy_state))
		return prn_error_set(error, PRN_E_DAMAGED, "a page's state cannot be moved in time");
	return 0;
}

int prn_decider_void_visit(const struct prn_decider *decider, struct prn_entry *entry, int64_t now, int64_t time,
                           bool *voided, struct prn_error *error)
{
	struct prn_page_state *state = &entry->state;
	int64_t last = prn_time_after(now, decider->options.future_s + AHEAD_S);
	double delay_s;
	bool waits = !state->visits && state->visited > last; /* for its host, since a time that is too far ahead */
	int code = 0;

	*voided = waits || state->attempted > last;
	if (!*voided)
		return 0;
	if (waits)
		state->visited = time;
	if (state->visits && state->visited <= last) {
		state->attempted = state->visited;
	} else if (state->attempted > last) {
		/* The delay that was decided stays: the last attempt moves to as long before the next one as it was. */
		delay_s = entry->due > state->attempted ? (double)entry->due - (double)state->attempted
		                                        : prn_decider_interval(decider, entry).min_s;
		code = move_back(state, prn_time_after(time, -delay_s), error);
	}
	if (entry->due != PRN_TIME_UNKNOWN)
		entry->due = time;
	return code;
}

/* Voids the page's next visit if no rule, whatever its settings, could have decided it from the times that are known of the page. */
static int void_due(struct prn_decider *decider, struct prn_entry *entry, int64_t now, bool *voided,
                    struct prn_error *error)
{
	int code = prn_decider_void_visit(decider, entry, now, now, voided, error);

	if (code || *voided || (entry->state.visits && entry->state.reason <= PRN_NEXT_MAXIMUM))
		return code;
	*voided = true;
	entry->due = now;
	return 0;
}

/*
 * A lease that was taken while the clock was behind a furthest time, which is now forgotten, lasts for the rest of its time,
 * and still takes up room at its host.
 */
static int void_lease(struct prn_decider *decider, struct prn_entry *entry, const struct prn_lease_clock *clock, int64_t now,
                      struct prn_error *error)
{
	int64_t end = prn_lease_clock_move(clock, entry->lease);
	size_t giant = prn_giant_find(decider, prn_host_name(prn_entry_normal(entry)));
	const struct prn_gate_message moved = { .giant = giant, .now = now, .end = entry->lease, .moved = end, .count = 1,
		                              .fetched = PRN_TIME_UNKNOWN, .time = now };
	struct prn_known_host known;
	int code;

	if (end <= now)
		return prn_decider_unlease(decider, entry, 0, now, error);
	entry->lease = end;
	if (giant != SIZE_MAX)
		return prn_gate_message_add(decider, &moved, error);
	code = prn_decider_host(decider, entry, &known, error);
	if (code)
		return code;
	if (known.host.leased_until > prn_time_after(now, PRN_LEASE_END_MOST_S))
		known.host.leased_until = end;
	known.host.leased_until = prn_time_later(known.host.leased_until, end);
	return prn_decider_put_host(decider, &known, now, error);
}

/* A page that cannot be read is queued again further on, so it too no longer stands in the way. */
static int void_page(const struct prn_queue_reading *reading, enum prn_queue queue, const struct prn_queued *queued,
                     const struct prn_lease_clock *clock, bool *voided, struct prn_error *error)
{
	const struct prn_place place = prn_queued_place(queue, 0, queued);
	struct prn_decider *decider = reading->decider;
	struct prn_entry *entry = &decider->entry;
	int64_t now = reading->now;
	int code = prn_queued_read(reading, &place, &queued->key, entry, error);

	*voided = true;
	if (code != 1)
		return code;
	code = queue == PRN_QUEUE_LEASES ? void_lease(decider, entry, clock, now, error)
	                                 : void_due(decider, entry, now, voided, error);
	return code || !*voided ? code : prn_decider_put(decider, entry, error);
}

/*
 * Whether there may be more to look at.  Entries that stay as they are come again with each portion and each call.  Where they
 * are most of a portion, the entries behind them are left to a later call, which comes when these are no longer ahead.
 */
static int is_there_more(int got, int voided)
{
	return got == 1 && 2 * voided < BATCH ? 0 : got;
}

/* Voids the entries of a lane of a queue from a time on.  Returns 1 if there may be more. */
static int void_pages(const struct prn_queue_reading *reading, struct prn_view *view, enum prn_queue queue, enum prn_lane lane, int64_t from,
                      const struct prn_lease_clock *clock, struct prn_error *error)
{
	struct prn_walk *walk = NULL;
	struct prn_queued queued;
	bool voided = false;
	int count = 0, got = 1,
	    code = prn_walk_lane(&walk, view, queue, lane, from, error);

	for (int n = 0; !code && n < BATCH && (got = prn_walk_queue_next(walk, &queued, error)) == 1; n++) {
		if (queued.lane != lane) {
			got = 0;
			break;
		}
		code = void_page(reading, queue, &queued, clock, &voided, error);
		count += !code && voided;
	}
	prn_walk_free(walk);
	return code ? code : is_there_more(got, count);
}

/* Gives the host a turn at now, so that the pages that wait for it are looked at; that sets the right turn. */
static int void_turn(struct prn_decider *decider, struct prn_host_name name, int64_t time, int64_t now,
                     bool *voided, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_known_host known;
	int code = prn_host_find(&known, &reader, &decider->options, name, error);

	*voided = !code && known.host.turn == time;
	if (!*voided)
		return code;
	code = prn_host_set_turn(&known.host, decider->batch, known.name, now, error);
	return code ? code : prn_decider_put_host(decider, &known, now, error);
}

/* Voids hosts' turns from a time on.  Returns 1 if there may be more. */
static int void_turns(struct prn_decider *decider, struct prn_view *view, int64_t from, int64_t now, struct prn_error *error)
{
	struct prn_walk *walk = NULL;
	bool voided = false;
	int count = 0, got = 1, code = prn_walk_turns(&walk, view, from, error);

	for (int n = 0; !code && n < BATCH; n++) {
		struct prn_host_name name;
		const void *key, *text;
		size_t key_bytes;
		uint64_t number;
		int64_t time;

		got = prn_walk_side_next(walk, &key, &key_bytes, &text, &name.length, error);
		if (got != 1)
			break;
		name.text = text;
		/* A damaged turn belongs to no host: 'perennial check --repair' removes it. */
		voided = false;
		if (!prn_turn_read(key, key_bytes, name, &time, &number))
			code = void_turn(decider, name, time, now, &voided, error);
		count += !code && voided;
	}
	prn_walk_free(walk);
	return code ? code : is_there_more(got, count);
}

/* The first turn that no host has at now. */
static int64_t beyond_turns(const struct prn_decider_options *options, int64_t now)
{
	double most = fmax(PRN_HOST_UNTIL_MOST_S + options->future_s,
	                   PRN_LEASE_MOST_S + fmax(options->host_delay_s, AHEAD_S));

	return prn_time_after(now, most + AHEAD_S + 1);
}

static int void_some_turns(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_decider_view(decider, &view, error);

	(void)context;
	return code ? code : void_turns(decider, view, PRN_TIME_FIRST + 1, PRN_TIME_FIRST, error);
}

int prn_decider_void_turns(struct prn_decider *decider, struct prn_error *error)
{
	char nothing = 0;

	return prn_decider_in_portions(decider, void_some_turns, &nothing, sizeof nothing, error);
}

/* The order matters: the next visit of a page whose lease ends may be void too, and both may move its host's turn. */
enum step { LEASES, NEXT_VISITS, NEXT_VISITS_END = NEXT_VISITS + PRN_LANES, TURNS = NEXT_VISITS_END, STEPS };

struct voiding {
	enum step step;
	int64_t now;
	uint64_t unreadable_before; /* this portion */
	struct prn_unreadable *unreadable;
};

static int void_some(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct voiding *voiding = context;
	const struct prn_queue_reading reading = { decider, prn_decider_reader(decider), voiding->now,
		                                   voiding->unreadable };
	enum step step = voiding->step;
	struct prn_lease_clock clock, before;
	struct prn_view *view;
	int64_t now = voiding->now, beyond = prn_time_after(now, longest(&decider->options) + 1);
	int code = prn_decider_view(decider, &view, error);

	if (!code)
		code = prn_lease_clock_read(&clock, &before, decider, &reading.reader, now, error);
	if (code)
		return code;
	voiding->unreadable->count = voiding->unreadable_before;
	code = step == LEASES ? void_pages(&reading, view, PRN_QUEUE_LEASES, PRN_LANE_KNOWN,
	                                   prn_time_after(prn_lease_clock_time(&clock), PRN_LEASE_END_MOST_S + 1), &clock, error)
	       : step < NEXT_VISITS_END ? void_pages(&reading, view, PRN_QUEUE_DUE, (enum prn_lane)(step - NEXT_VISITS), beyond, &clock, error)
	               : void_turns(decider, view, beyond_turns(&decider->options, now), now, error);
	voiding->unreadable_before = voiding->unreadable->count;
	return code;
}

int prn_decider_void_ahead(struct prn_decider *decider, int64_t now, struct prn_unreadable *unreadable,
                           struct prn_error *error)
{
	int code = 0;

	for (int step = LEASES; step < STEPS && !code; step++)
		code = prn_decider_in_portions(decider, void_some,
		                               &(struct voiding){ (enum step)step, now, unreadable->count, unreadable },
		                               sizeof(struct voiding), error);
	return code;
}

bool prn_decider_is_ahead(const struct prn_decider *decider, int64_t now, int64_t due)
{
	return due > prn_time_after(now, longest(&decider->options));
}
