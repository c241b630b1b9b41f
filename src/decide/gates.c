#include "decide/gates.h"

#include "base/clock.h"
#include "decide/decider_internal.h"
#include "decide/giant_gates.h"
#include "perennial/due.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST 64

void prn_gates_init(struct prn_gates *gates, const struct prn_decider_options *options, int64_t now, double lease_s)
{
	*gates = (struct prn_gates){ .options = options, .now = now, .leased_from = now, .lease_s = lease_s, .share = prn_share_none(),
		                     .next = PRN_TIME_UNKNOWN };
}

void prn_gates_release(struct prn_gates *gates)
{
	for (size_t i = 0; i < gates->count; i++)
		if (gates->items[i].shared && !gates->looks) {
			prn_giant_gate_release(gates->items[i].shared);
			free(gates->items[i].shared);
		}
	free(gates->items);
	free(gates->places);
	gates->items = NULL;
	gates->places = NULL;
	prn_buffer_release(&gates->names);
}

/* The place of a number, or the free place where it would be put. */
static uint32_t *place_of(const struct prn_gates *gates, uint64_t number)
{
	size_t mask = gates->place_count - 1, at = number & mask;

	while (gates->places[at] && gates->items[gates->places[at] - 1].number != number)
		at = (at + 1) & mask;
	return &gates->places[at];
}

/* Makes room for one more gate. */
static int make_room(struct prn_gates *gates)
{
	struct prn_gate *items = prn_array_grow(gates->items, &gates->capacity, gates->count + 1, sizeof *items);
	size_t wanted = gates->place_count ? 2 * gates->place_count : FEWEST;
	uint32_t *places;

	if (!items)
		return PRN_E_MEMORY;
	gates->items = items;
	if (gates->count * 2 < gates->place_count)
		return 0;
	places = calloc(wanted, sizeof *places);
	if (!places)
		return PRN_E_MEMORY;
	free(gates->places);
	gates->places = places;
	gates->place_count = wanted;
	for (size_t i = 0; i < gates->count; i++)
		*place_of(gates, items[i].number) = (uint32_t)i + 1;
	return 0;
}

/* Reads the root's gate for a giant; does nothing for any other host. */
static int read_shared(const struct prn_gates *gates, struct prn_host_name name, struct prn_gate *gate, struct prn_error *error)
{
	size_t giant = gates->shard ? prn_giant_find(gates->shard, name) : SIZE_MAX;
	int code;

	if (giant == SIZE_MAX)
		return 0;
	gate->giant = giant;
	if (gates->looks) {
		struct prn_giant_look *look = &gates->looks[giant];

		code = look->is_read ? 0 : prn_giant_read(gates->shard, giant, &look->gate, error);
		look->is_read = !code;
		gate->shared = code ? NULL : &look->gate;
		return code;
	}
	gate->shared = calloc(1, sizeof *gate->shared);
	if (!gate->shared)
		return prn_error_memory(error);
	code = prn_giant_read(gates->shard, giant, gate->shared, error);
	if (!code)
		return 0;
	prn_giant_gate_release(gate->shared);
	free(gate->shared);
	gate->shared = NULL;
	return code;
}

/* Finds the gate of a known host, or adds it. */
static int add_gate(struct prn_gates *gates, const struct prn_known_host *known, struct prn_gate **gate,
                    struct prn_error *error)
{
	struct prn_gate added = { .number = prn_host_number(known->name), .host = known->host, .settings = known->settings,
		                  .name_at = gates->names.length, .name_length = known->name.length };
	int code;

	*gate = prn_gates_get(gates, added.number);
	if (*gate)
		return 0;
	if (make_room(gates) || prn_buffer_append(&gates->names, known->name.text, known->name.length))
		return prn_error_memory(error);
	code = read_shared(gates, known->name, &added, error);
	if (code)
		return code;
	*gate = &gates->items[gates->count++];
	**gate = added;
	*place_of(gates, added.number) = (uint32_t)gates->count;
	return 0;
}

int prn_gates_find(struct prn_gates *gates, const struct prn_store_reader *reader, struct prn_host_name name,
                   struct prn_gate **gate, struct prn_error *error)
{
	struct prn_known_host known;
	int code;

	*gate = prn_gates_get(gates, prn_host_number(name));
	if (*gate)
		return 0;
	code = prn_host_find(&known, reader, gates->options, name, error);
	return code ? code : add_gate(gates, &known, gate, error);
}

int prn_gates_find_of(struct prn_gates *gates, const struct prn_store_reader *reader, const char *normal_url,
                      struct prn_gate **gate, struct prn_error *error)
{
	struct prn_known_host known;
	int code;

	if (!gates->options->host_count && !gates->options->group_by_address)
		return prn_gates_find(gates, reader, prn_host_name(normal_url), gate, error);
	code = prn_host_find_of(&known, reader, gates->options, normal_url, error);
	return code ? code : add_gate(gates, &known, gate, error);
}

struct prn_gate *prn_gates_get(struct prn_gates *gates, uint64_t number)
{
	uint32_t which = gates->count ? *place_of(gates, number) : 0;

	return which ? &gates->items[which - 1] : NULL;
}

struct prn_host_name prn_gate_name(const struct prn_gates *gates, const struct prn_gate *gate)
{
	return (struct prn_host_name){ (const char *)gates->names.data + gate->name_at, gate->name_length };
}

/* What is asked of a giant's gate. */
static struct prn_giant_wish wish_of(const struct prn_gates *gates, const struct prn_gate *gate, double cost)
{
	return (struct prn_giant_wish){ .settings = gate->settings, .share = &gates->share, .now = gates->now, .leased_from = gates->leased_from,
		                        .end = prn_time_after(gates->leased_from, ceil(gates->lease_s)), .cost = cost, .most = gates->most };
}

/* The permits of a giant that the shard holds; NULL: none are taken. */
static struct prn_permits *permits_of(const struct prn_gates *gates, const struct prn_gate *gate)
{
	return gates->taking ? &gates->shard->permits[gate->giant] : NULL;
}

static int64_t shared_opens(const struct prn_gates *gates, const struct prn_gate *gate)
{
	const struct prn_permits *permits = permits_of(gates, gate);
	const struct prn_giant_wish wish = wish_of(gates, gate, 0);

	return permits && permits->used < permits->taken ? gates->now : prn_giant_opens(gate->shared, &wish);
}

bool prn_gate_is_open(const struct prn_gates *gates, const struct prn_gate *gate)
{
	const struct prn_host *host = &gate->host;

	if (gate->shared)
		return shared_opens(gates, gate) <= gates->now;
	return !prn_host_is_full(host, &gate->settings, gates->now, gates->leased_from) &&
	       prn_host_opens(host, &gate->settings, gates->now) <= gates->now &&
	       prn_share_opens(&gates->share, host, gates->now) <= gates->now;
}

/* Uses a permit that the shard holds, or one of those that are taken now; a call that only looks takes none. */
static int pass_giant(const struct prn_gates *gates, struct prn_gate *gate, double cost, bool *passed, struct prn_error *error)
{
	const struct prn_giant_wish wish = wish_of(gates, gate, cost);
	struct prn_permits *permits = permits_of(gates, gate);
	unsigned given = 0;
	int code;

	if (!permits) {
		code = prn_giant_pass(gate->shared, &wish, passed);
		return code ? prn_error_memory(error) : 0;
	}
	*passed = false;
	if (permits->used == permits->taken) {
		code = prn_giant_take(gates->shard, gate->giant, &wish, &given, gate->shared, error);
		if (code || !given)
			return code;
		permits->taken += given;
		permits->paid += given * cost;
		permits->end = wish.end;
	}
	permits->used++;
	permits->spent += cost;
	gate->changed = *passed = true;
	return 0;
}

int prn_gate_pass(const struct prn_gates *gates, struct prn_gate *gate, double cost, bool *passed, struct prn_error *error)
{
	struct prn_host *host = &gate->host;
	int64_t end = prn_time_after(gates->leased_from, ceil(gates->lease_s));

	*passed = prn_gate_is_open(gates, gate);
	if (!*passed)
		return 0;
	if (gate->shared)
		return pass_giant(gates, gate, cost, passed, error);
	host->asked = gates->now;
	/* A lease that has ended, or that was never possible, is no longer counted (prn_host_is_full). */
	if (host->leased_until <= gates->now || host->leased_until > prn_time_after(gates->leased_from, PRN_LEASE_END_MOST_S)) {
		host->leased = 0;
		host->leased_until = end;
	}
	host->leased++;
	host->leased_until = prn_time_later(host->leased_until, end);
	prn_share_spend(&gates->share, host, cost, gates->now);
	/* A host that nothing limits is not stored. */
	gate->changed |= gate->settings.limit || gate->settings.delay_s > 0 || host->crawl_delay_s ||
	                 gates->share.counted;
	return 0;
}

/*
 * When the pages that wait are to be considered again: when the gate opens by itself.  For a host that is full, that is when
 * the last lease ends; a page that comes back before moves the turn (prn_decider_unlease).
 */
static int64_t next_turn(const struct prn_gates *gates, const struct prn_gate *gate)
{
	int64_t turn = gates->now, before = gate->host.turn;

	if (!prn_gate_is_open(gates, gate)) {
		turn = prn_time_later(turn + 1, prn_host_opens(&gate->host, &gate->settings, gates->now));
		turn = prn_time_later(turn, prn_share_opens(&gates->share, &gate->host, gates->now));
		if (prn_host_is_full(&gate->host, &gate->settings, gates->now, gates->leased_from))
			turn = prn_time_later(turn, gate->host.leased_until);
		/* Rules may change, so pages that wait for long are considered once a day. */
		turn = turn < prn_time_after(gates->now, PRN_DAY_S) ? turn : prn_time_after(gates->now, PRN_DAY_S);
	}
	/* A host that could have had its turn keeps its place, and no turn is put off before it has come. */
	if (before != PRN_TIME_UNKNOWN && before < turn && (before > gates->now || turn <= gates->now))
		turn = before;
	return turn;
}

/*
 * The pages of a giant are considered with each call that asks the shard, because a page that comes back in another shard moves no turn here.
 * They keep their turn until some were handed out, and then go behind others.
 */
static int settle_giant(struct prn_gates *gates, struct prn_gate *gate, bool waits, struct prn_batch *batch, struct prn_error *error)
{
	struct prn_host_name name = prn_gate_name(gates, gate);
	int64_t before = gate->host.turn, turn = waits ? gates->now : PRN_TIME_UNKNOWN,
	        opens = waits ? prn_time_later(shared_opens(gates, gate), gates->now) : PRN_TIME_UNKNOWN;
	int code;

	if (waits && (gates->next == PRN_TIME_UNKNOWN || opens < gates->next))
		gates->next = opens;
	gates->giants_wait |= waits;
	if (waits && !gate->changed && before != PRN_TIME_UNKNOWN && before < turn)
		turn = before;
	if (!batch || turn == before)
		return 0;
	code = prn_host_set_turn(&gate->host, batch, name, turn, error);
	return code ? code : prn_host_put(&gate->host, &gate->settings, batch, name, gates->now, error);
}

int prn_gates_settle(struct prn_gates *gates, struct prn_batch *batch, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < gates->count && !code; i++) {
		struct prn_gate *gate = &gates->items[i];
		struct prn_host_name name = prn_gate_name(gates, gate);
		bool waits = gate->waiting || gate->unread || (!gate->looked && gate->host.turn != PRN_TIME_UNKNOWN);
		int64_t turn;

		if (!(gate->changed || gate->looked || gate->waiting))
			continue;
		if (gate->shared) {
			code = settle_giant(gates, gate, waits, batch, error);
			continue;
		}
		turn = waits ? next_turn(gates, gate) : PRN_TIME_UNKNOWN;
		if (waits && (gates->next == PRN_TIME_UNKNOWN || turn < gates->next))
			gates->next = turn;
		if (!batch)
			continue;
		code = prn_host_set_turn(&gate->host, batch, name, turn, error);
		if (!code)
			code = prn_host_put(&gate->host, &gate->settings, batch, name, gates->now, error);
	}
	return code;
}
