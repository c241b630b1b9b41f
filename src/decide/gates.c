#include "decide/gates.h"

#include "base/clock.h"
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
	free(gates->places);
	gates->places = NULL;
	prn_buffer_release(&gates->names);
}

/* The place of a number, or the free one where it would stand. */
static struct prn_gate *place_of(struct prn_gate *places, size_t capacity, uint64_t number)
{
	size_t at = number & (capacity - 1);

	while (places[at].number && places[at].number != number)
		at = (at + 1) & (capacity - 1);
	return &places[at];
}

static int grow_places(struct prn_gates *gates)
{
	size_t capacity = gates->capacity ? gates->capacity * 2 : FEWEST;
	struct prn_gate *places;

	if (gates->count * 2 < gates->capacity)
		return 0;
	places = calloc(capacity, sizeof *places);
	if (!places)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < gates->capacity; i++)
		if (gates->places[i].number)
			*place_of(places, capacity, gates->places[i].number) = gates->places[i];
	free(gates->places);
	gates->places = places;
	gates->capacity = capacity;
	return 0;
}

/* The gate of a host in hand. */
static int add_gate(struct prn_gates *gates, const struct prn_known_host *known, struct prn_gate **gate,
                    struct prn_error *error)
{
	uint64_t number = prn_host_number(known->name);
	struct prn_gate *place;

	if (grow_places(gates))
		return prn_error_memory(error);
	*gate = place = prn_gates_get(gates, number);
	if (place->number)
		return 0;
	if (prn_buffer_append(&gates->names, known->name.text, known->name.length))
		return prn_error_memory(error);
	place->host = known->host;
	place->settings = known->settings;
	place->name_at = gates->names.length - known->name.length;
	place->name_length = known->name.length;
	place->number = number;
	gates->count++;
	return 0;
}

int prn_gates_find(struct prn_gates *gates, const struct prn_store_reader *reader, struct prn_host_name name,
                   struct prn_gate **gate, struct prn_error *error)
{
	struct prn_known_host known;
	int code;

	if (gates->count) {
		*gate = prn_gates_get(gates, prn_host_number(name));
		if ((*gate)->number)
			return 0;
	}
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
	return place_of(gates->places, gates->capacity, number);
}

struct prn_host_name prn_gate_name(const struct prn_gates *gates, const struct prn_gate *gate)
{
	return (struct prn_host_name){ (const char *)gates->names.data + gate->name_at, gate->name_length };
}

bool prn_gate_is_open(const struct prn_gates *gates, const struct prn_gate *gate)
{
	const struct prn_host *host = &gate->host;

	return !prn_host_is_full(host, &gate->settings, gates->now, gates->leased_from) &&
	       prn_host_opens(host, &gate->settings, gates->now) <= gates->now &&
	       prn_share_opens(&gates->share, host, gates->now) <= gates->now;
}

bool prn_gate_pass(const struct prn_gates *gates, struct prn_gate *gate, double cost)
{
	struct prn_host *host = &gate->host;
	int64_t end = prn_time_after(gates->leased_from, ceil(gates->lease_s));

	if (!prn_gate_is_open(gates, gate))
		return false;
	host->asked = gates->now;
	/* What ended, or was never to be, is no longer counted (prn_host_is_full). */
	if (host->leased_until <= gates->now || host->leased_until > prn_time_after(gates->leased_from, PRN_LEASE_END_MOST_S)) {
		host->leased = 0;
		host->leased_until = end;
	}
	host->leased++;
	host->leased_until = prn_time_later(host->leased_until, end);
	prn_share_spend(&gates->share, host, cost, gates->now);
	/* Where nothing is asked of a host's past, it needs none. */
	gate->changed |= gate->settings.limit || gate->settings.delay_s > 0 || host->crawl_delay_s ||
	                 gates->share.counted;
	return true;
}

/*
 * When those that wait are to be looked at again: when the gate opens by itself.  Of a host that is full that is when
 * the last lease ends; what comes back before has it moved (prn_decider_unlease).
 */
static int64_t next_turn(const struct prn_gates *gates, const struct prn_gate *gate)
{
	int64_t turn = gates->now, before = gate->host.turn;

	if (!prn_gate_is_open(gates, gate)) {
		turn = prn_time_later(turn + 1, prn_host_opens(&gate->host, &gate->settings, gates->now));
		turn = prn_time_later(turn, prn_share_opens(&gates->share, &gate->host, gates->now));
		if (prn_host_is_full(&gate->host, &gate->settings, gates->now, gates->leased_from))
			turn = prn_time_later(turn, gate->host.leased_until);
		/* Rules change: what waits for long is looked at once a day. */
		turn = turn < prn_time_after(gates->now, PRN_DAY_S) ? turn : prn_time_after(gates->now, PRN_DAY_S);
	}
	/* A host that could have had its turn keeps its place, and no turn is put off before it has come. */
	if (before != PRN_TIME_UNKNOWN && before < turn && (before > gates->now || turn <= gates->now))
		turn = before;
	return turn;
}

int prn_gates_settle(struct prn_gates *gates, struct prn_batch *batch, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < gates->capacity && !code; i++) {
		struct prn_gate *gate = &gates->places[i];
		struct prn_host_name name = prn_gate_name(gates, gate);
		bool waits = gate->waiting || gate->unread || (!gate->looked && gate->host.turn != PRN_TIME_UNKNOWN);
		int64_t turn;

		if (!gate->number || !(gate->changed || gate->looked || gate->waiting))
			continue;
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
