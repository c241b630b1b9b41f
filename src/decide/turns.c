#include "decide/turns.h"

#include <stdlib.h>

#define LOOKED_AT 16 /* how many hosts are read for one that is wanted, at most */

int prn_turns_open(struct prn_turns *turns, struct prn_gates *gates, struct prn_view *view, struct prn_batch *batch,
                   struct prn_error *error)
{
	*turns = (struct prn_turns){ .gates = gates, .batch = batch, .next = PRN_TIME_UNKNOWN };
	return prn_walk_side(&turns->walk, view, PRN_SIDE_TURNS, error);
}

void prn_turns_release(struct prn_turns *turns)
{
	prn_walk_free(turns->walk);
	free(turns->items);
	*turns = (struct prn_turns){ 0 };
}

/* A turn and the host's record have the same time, unless the store was damaged: then the first turn that is found counts. */
static int take_turn(struct prn_turns *turns, const struct prn_store_reader *reader, struct prn_host_name name,
                     int64_t time, struct prn_error *error)
{
	struct prn_turn *grown;
	struct prn_gate *gate;
	int code = prn_gates_find(turns->gates, reader, name, &gate, error);

	if (code || gate->looked)
		return code;
	if (turns->batch)
		code = prn_host_set_turn(&gate->host, turns->batch, name, time, error);
	if (code)
		return code;
	gate->looked = gate->unread = true;
	if (!prn_gate_is_open(turns->gates, gate))
		return 0;
	grown = prn_array_grow(turns->items, &turns->capacity, turns->count + 1, sizeof *grown);
	if (!grown)
		return prn_error_memory(error);
	turns->items = grown;
	grown[turns->count++] = (struct prn_turn){ .host = gate->number };
	return 0;
}

int prn_turns_gather(struct prn_turns *turns, const struct prn_store_reader *reader, size_t most,
                     struct prn_error *error)
{
	for (size_t n = 0; turns->walk && turns->count < most && n < most * LOOKED_AT; n++) {
		struct prn_host_name name;
		const void *key, *text;
		size_t key_bytes;
		uint64_t number;
		int64_t time;
		int code = prn_walk_side_next(turns->walk, &key, &key_bytes, &text, &name.length, error);

		if (code < 0)
			return code;
		name.text = text;
		/* A damaged turn belongs to no host: 'perennial check --repair' removes it. */
		if (code == 1 && prn_turn_read(key, key_bytes, name, &time, &number))
			continue;
		if (code == 1 && time <= turns->gates->now) {
			code = take_turn(turns, reader, name, time, error);
			if (code)
				return code;
			continue;
		}
		if (code == 1)
			turns->next = time;
		prn_walk_free(turns->walk);
		turns->walk = NULL;
	}
	return 0;
}

void prn_turns_keep(struct prn_turns *turns)
{
	size_t kept = 0;

	for (size_t i = 0; i < turns->count; i++) {
		const struct prn_turn *turn = &turns->items[i];

		if (!turn->over && prn_gate_is_open(turns->gates, prn_gates_get(turns->gates, turn->host)))
			turns->items[kept++] = *turn;
	}
	turns->count = kept;
}
