#include "decide/giant_gates.h"

#include "decide/shards.h"

#include <stdio.h>

#define KEY PRN_GATE_KEY
#define TRIES 1000 /* how often a change is tried again because others write meanwhile */

static size_t write_key(const struct prn_giant *giant, char key[PRN_HOST_NAME_BYTES + sizeof KEY])
{
	return (size_t)snprintf(key, PRN_HOST_NAME_BYTES + sizeof KEY, KEY "%s", giant->name);
}

int prn_giant_gate_read(const struct prn_store_reader *reader, const struct prn_giant *giant, struct prn_giant_gate *gate,
                        struct prn_error *error)
{
	char key[PRN_HOST_NAME_BYTES + sizeof KEY];
	const void *bytes;
	size_t length;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, key, write_key(giant, key), &bytes, &length, error);

	prn_host_init(&gate->host);
	gate->count = 0;
	if (!code)
		code = prn_giant_gate_decode(gate, bytes, length);
	return code == PRN_E_MEMORY ? prn_error_memory(error) : code == PRN_E_NOT_FOUND || code == PRN_E_DAMAGED ? 0 : code;
}

int prn_giant_gate_put(const struct prn_giant_gate *gate, struct prn_batch *batch, const struct prn_giant *giant, struct prn_error *error)
{
	char key[PRN_HOST_NAME_BYTES + sizeof KEY];
	struct prn_buffer bytes = { 0 };
	int code = prn_giant_gate_encode(gate, &bytes);

	code = code ? prn_error_memory(error)
	            : prn_batch_side_put(batch, PRN_SIDE_META, key, write_key(giant, key), bytes.data, bytes.length, error);
	prn_buffer_release(&bytes);
	return code;
}

int prn_giant_read(struct prn_decider *decider, size_t place, struct prn_giant_gate *gate, struct prn_error *error)
{
	struct prn_decider *root = decider->root ? decider->root : decider;
	struct prn_giant *giant = &root->shards->giants[place];
	struct prn_store_reader reader = { 0 };
	unsigned tries = 0;
	int code;

	do {
		code = prn_view_open(&reader.view, root->store, error);
		if (code)
			return code;
		code = prn_giant_gate_read(&reader, giant, gate, error);
		prn_view_close(reader.view);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

int prn_giants_look(struct prn_decider *root, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(root);
	struct prn_shards *shards = root->shards;
	int code = 0;

	pthread_mutex_lock(&shards->gates);
	for (size_t i = 0; i < shards->giant_count && !code; i++)
		code = prn_giant_gate_read(&reader, &shards->giants[i], &shards->giants[i].gate, error);
	pthread_mutex_unlock(&shards->gates);
	return code;
}

int prn_giant_gates_change(struct prn_decider *root, prn_giant_gates_change_fn *change, void *context, struct prn_error *error)
{
	struct prn_batch *batch = root->batch;
	int code = PRN_E_CONFLICT;

	for (unsigned tries = 0; tries < TRIES && code == PRN_E_CONFLICT; tries++) {
		bool waits;

		code = change(root, context, error);
		waits = prn_batch_changes(batch) > 0;
		if (!code)
			code = prn_batch_commit(batch, error);
		/* What the batch has read may be outdated. */
		if (code)
			prn_batch_abandon(batch);
		root->commits += !code && waits;
		root->conflicts += code == PRN_E_CONFLICT;
	}
	/* Earlier commits of the caller stand, so it must not begin again: this is no PRN_E_CONFLICT to it. */
	return code != PRN_E_CONFLICT ? code : prn_error_set(error, PRN_E_BUSY, "%s: others wrote first each time", prn_store_path(root->store));
}

struct taking {
	struct prn_giant *giant;
	const struct prn_giant_wish *wish;
	unsigned given;
};

static int take_permits(struct prn_decider *root, void *context, struct prn_error *error)
{
	const struct prn_store_reader reader = { .batch = root->batch };
	struct taking *taking = context;
	const struct prn_giant_wish *wish = taking->wish;
	struct prn_giant_gate *gate = &taking->giant->gate;
	uint64_t out, lot;
	bool passed;
	int code = prn_giant_gate_read(&reader, taking->giant, gate, error);

	if (code)
		return code;
	/* The pages that the host may still have out are divided, so that each of its parts gets some. */
	out = prn_giant_gate_out(gate, wish);
	lot = !wish->settings.limit ? wish->most : wish->settings.limit > out ? wish->settings.limit - out : 0;
	lot /= taking->giant->parts;
	lot = lot > 1 ? lot : 1;
	lot = lot < wish->most ? lot : wish->most;
	passed = lot > 0;
	for (taking->given = 0; passed && taking->given < lot; taking->given += passed)
		if (prn_giant_pass(gate, wish, &passed))
			return prn_error_memory(error);
	return taking->given ? prn_giant_gate_put(gate, root->batch, taking->giant, error) : 0;
}

int prn_giant_take(struct prn_decider *shard, size_t place, const struct prn_giant_wish *wish, unsigned *given, struct prn_giant_gate *gate,
                   struct prn_error *error)
{
	struct prn_shards *shards = shard->root->shards;
	struct taking taking = { .giant = &shards->giants[place], .wish = wish };
	int code;

	pthread_mutex_lock(&shards->gates);
	code = prn_giant_gates_change(shard->root, take_permits, &taking, error);
	if (!code && prn_giant_gate_copy(gate, &taking.giant->gate))
		code = prn_error_memory(error);
	pthread_mutex_unlock(&shards->gates);
	*given = code ? 0 : taking.given;
	return code;
}

int prn_giant_merge(struct prn_decider *shard, struct prn_known_host *known, int64_t now, struct prn_error *error)
{
	size_t place = shard->root ? prn_giant_find(shard, known->name) : SIZE_MAX;
	const struct prn_share none = prn_share_none();
	const struct prn_giant_wish wish = { .settings = known->settings, .share = &none, .now = now, .leased_from = now };
	struct prn_giant_gate gate;
	struct prn_host own = known->host;
	int code;

	if (place == SIZE_MAX)
		return 0;
	prn_giant_gate_init(&gate);
	code = prn_giant_read(shard, place, &gate, error);
	if (!code) {
		prn_giant_gate_drop_ended(&gate, now);
		known->host = gate.host;
		known->host.leased = (uint32_t)prn_giant_gate_out(&gate, &wish);
		known->host.leased_until = known->host.leased ? gate.out[0].end : PRN_TIME_UNKNOWN;
		known->host.turn = own.turn != PRN_TIME_UNKNOWN ? prn_giant_opens(&gate, &wish) : PRN_TIME_UNKNOWN;
		known->host.redirects = own.redirects;
		known->host.fruitless = own.fruitless;
	}
	prn_giant_gate_release(&gate);
	return code;
}
