#include "decide/gates.h"

#include "decide/decider_internal.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST 64

void prn_gates_init(struct prn_gates *gates, const struct prn_decider_options *options, int64_t now, double lease_s)
{
	*gates = (struct prn_gates){ .options = options, .now = now, .lease_s = lease_s };
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

static int make_room(struct prn_gates *gates)
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

int prn_gates_find(struct prn_gates *gates, const struct prn_store_reader *reader, struct prn_host_name name,
                   struct prn_gate **gate, struct prn_error *error)
{
	uint64_t number = prn_host_number(name);
	struct prn_gate *place;
	int code;

	if (make_room(gates))
		return prn_error_memory(error);
	place = prn_gates_get(gates, number);
	*gate = place;
	if (place->number)
		return 0;
	code = prn_host_read(&place->host, reader, name, error);
	if (code)
		return code;
	prn_host_void_ahead(&place->host, gates->options, gates->now);
	if (prn_buffer_append(&gates->names, name.text, name.length))
		return prn_error_memory(error);
	place->name_at = gates->names.length - name.length;
	place->name_length = name.length;
	place->number = number;
	gates->count++;
	return 0;
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
	return !prn_host_is_full(&gate->host, gates->options) && gate->host.until <= gates->now &&
	       prn_host_free(&gate->host, gates->options, gates->now) <= prn_time_after(gates->now, gates->lease_s);
}

bool prn_gate_pass(const struct prn_gates *gates, struct prn_gate *gate, int64_t *when)
{
	const struct prn_decider_options *options = gates->options;

	if (!prn_gate_is_open(gates, gate))
		return false;
	*when = prn_host_free(&gate->host, options, gates->now);
	if (options->host_delay_s > 0)
		gate->host.free_at = prn_time_after(*when, ceil(options->host_delay_s));
	gate->host.leased += gates->lease_s > 0;
	/* Without a delay or a limit for hosts, nothing asks what a host was given. */
	gate->changed |= options->host_limit || options->host_delay_s > 0;
	return true;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/*
 * When those that wait are to be looked at again: when the gate opens by itself.  Of a host that is full that is when the
 * last lease of this call ends; what comes back before has it moved (prn_decider_unlease).
 */
static int64_t next_turn(const struct prn_gates *gates, const struct prn_gate *gate)
{
	int64_t turn = gates->now, before = gate->host.turn;

	if (!prn_gate_is_open(gates, gate)) {
		turn = later(turn + 1, gate->host.until);
		if (gates->options->host_delay_s > 0)
			turn = later(turn, prn_time_after(gate->host.free_at, -floor(gates->lease_s)));
		if (prn_host_is_full(&gate->host, gates->options))
			turn = later(turn, prn_time_after(gates->now, gates->lease_s));
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

		if (!gate->number || !(gate->changed || gate->looked || gate->waiting))
			continue;
		code = prn_host_set_turn(&gate->host, batch, name, waits ? next_turn(gates, gate) : PRN_TIME_UNKNOWN, error);
		if (!code)
			code = prn_host_put(&gate->host, batch, name, gates->now, error);
	}
	return code;
}
