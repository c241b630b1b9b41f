#include "decide/gate_messages.h"

#include "decide/giant_gates.h"
#include "decide/shards.h"

#include <math.h>
#include <string.h>

int prn_gate_message_add(struct prn_decider *shard, const struct prn_gate_message *message, struct prn_error *error)
{
	struct prn_gate_message *grown = prn_array_grow(shard->gate_messages, &shard->gate_message_capacity, shard->gate_message_count + 1, sizeof *grown);

	if (!grown)
		return prn_error_memory(error);
	shard->gate_messages = grown;
	grown[shard->gate_message_count] = *message;
	grown[shard->gate_message_count++].number = ++shard->gate_messages_ever;
	return 0;
}

void prn_giants_drop(struct prn_decider *shard, uint64_t number)
{
	while (shard->gate_message_count > shard->gate_messages_durable && shard->gate_messages[shard->gate_message_count - 1].number > number)
		shard->gate_message_count--;
}

/* Applies a message to a gate; *changed becomes true if that changes anything. */
static int apply(struct prn_giant_gate *gate, const struct prn_gate_message *message, bool *changed)
{
	struct prn_host *host = &gate->host;
	int64_t asked = host->asked;
	uint32_t over = message->end != PRN_TIME_UNKNOWN ? prn_giant_gate_take(gate, message->end, message->count) : 0;

	if (over && message->moved != PRN_TIME_UNKNOWN && prn_giant_gate_add(gate, message->moved, over))
		return PRN_E_MEMORY;
	if (message->fetched != PRN_TIME_UNKNOWN)
		prn_host_was_asked(host, message->fetched, message->now);
	*changed |= over > 0 || host->asked != asked;
	if (message->came && host->until != PRN_TIME_UNKNOWN && message->time > host->refused) {
		host->successes += host->successes < UINT32_MAX;
		if (host->until > message->now)
			host->until = message->now + (host->until - message->now) / 2;
		*changed = true;
	}
	/* A reporter may send a refusal again, because it does not know that it was sent before: then it changes nothing. */
	if (message->refused && !(message->again && host->refused == message->time)) {
		prn_host_refuse(host, message->time, message->wanted_s, message->now);
		*changed = true;
	}
	if (message->has_crawl_delay && message->crawl_delay_s != host->crawl_delay_s) {
		host->crawl_delay_s = message->crawl_delay_s;
		*changed = true;
	}
	if (fabs(message->beyond) > 0 && host->spent > 0) {
		host->spent = fmax(0, host->spent + message->beyond);
		*changed = true;
	}
	return 0;
}

static int apply_all(struct prn_decider *root, void *context, struct prn_error *error)
{
	const struct prn_store_reader reader = { .batch = root->batch };
	const struct prn_decider *shard = context;
	int code = 0;

	for (size_t i = 0; i < root->shards->giant_count && !code; i++) {
		struct prn_giant *giant = &root->shards->giants[i];
		bool begun = false, changed = false;

		for (size_t j = 0; j < shard->gate_messages_durable && !code; j++) {
			if (shard->gate_messages[j].giant != i)
				continue;
			if (!begun)
				code = prn_giant_gate_read(&reader, giant, &giant->gate, error);
			begun = true;
			if (!code && apply(&giant->gate, &shard->gate_messages[j], &changed))
				code = prn_error_memory(error);
		}
		if (!code && changed)
			code = prn_giant_gate_put(&giant->gate, root->batch, giant, error);
	}
	return code;
}

/* The change may have been written all the same, so nothing that is counted is sent twice; the permits count until their end. */
static void keep_messages(struct prn_decider *shard, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		shard->gate_messages[i].end = PRN_TIME_UNKNOWN;
		shard->gate_messages[i].beyond = 0;
		shard->gate_messages[i].came = false;
		shard->gate_messages[i].again = true;
	}
}

static void drop_messages(struct prn_decider *shard, size_t count)
{
	memmove(shard->gate_messages, shard->gate_messages + count, (shard->gate_message_count - count) * sizeof *shard->gate_messages);
	shard->gate_message_count -= count;
	shard->gate_messages_durable = 0;
}

int prn_giants_forward(struct prn_decider *shard, struct prn_error *error)
{
	struct prn_decider *root = shard->root;
	size_t sent = shard->gate_messages_durable;
	int code;

	if (!sent)
		return 0;
	pthread_mutex_lock(&root->shards->gates);
	/* Changes that another caller staged in the root are not committed here, so the messages wait for the next commit. */
	if (prn_batch_changes(root->batch))
		code = prn_error_set(error, PRN_E_BUSY, "%s: another call is writing what is to be handed out: report it again",
		                     prn_store_path(root->store));
	else {
		code = prn_giant_gates_change(root, apply_all, shard, error);
		if (code)
			keep_messages(shard, sent);
		else
			drop_messages(shard, sent);
	}
	pthread_mutex_unlock(&root->shards->gates);
	return code;
}

static bool owes(const struct prn_decider *shard)
{
	for (size_t i = 0; i < shard->gate_messages_durable; i++) {
		const struct prn_gate_message *message = &shard->gate_messages[i];

		if ((message->refused || message->has_crawl_delay) && !message->told)
			return true;
	}
	return false;
}

bool prn_giants_owe(const struct prn_decider *decider)
{
	const struct prn_shards *shards = decider->shards;
	bool any = owes(decider);

	for (size_t i = 0; shards && shards->giant_count && i < shards->slots && !any; i++)
		any = shards->open[i] && owes(shards->open[i]);
	return any;
}

static int admit(struct prn_decider *shard, struct prn_error *error)
{
	int code = owes(shard) ? prn_giants_forward(shard, error) : 0;

	for (size_t i = 0; code && i < shard->gate_messages_durable; i++)
		shard->gate_messages[i].told = true;
	return code;
}

int prn_giants_admit(struct prn_decider *decider, struct prn_error *error)
{
	const struct prn_shards *shards = decider->shards;
	struct prn_error other;
	int code = admit(decider, error);

	for (size_t i = 0; shards && shards->giant_count && i < shards->slots; i++) {
		int failed = shards->open[i] ? admit(shards->open[i], code ? &other : error) : 0;

		code = code ? code : failed;
	}
	return code;
}
