#include "decide/shard_message.h"

#include "base/buffer.h"
#include "decide/target_note.h"

#include <stdlib.h>
#include <string.h>

/* Adds a message to those of a shard, with its own copy of the URL and its note. */
static int add(struct prn_decider *shard, const struct prn_shard_message *message, struct prn_error *error)
{
	struct prn_shard_message *grown = prn_array_grow(shard->messages, &shard->message_capacity, shard->message_count + 1, sizeof *grown);
	struct prn_shard_message *added;
	char *url = strdup(message->url);
	int code = 0;

	if (grown)
		shard->messages = grown;
	if (!grown || !url) {
		free(url);
		return prn_error_memory(error);
	}
	added = &grown[shard->message_count];
	*added = *message;
	added->url = url;
	added->number = shard->messages_ever + 1;
	if (added->is_noted)
		code = prn_target_note_put(shard, added, error);
	if (code)
		free(url);
	shard->message_count += !code;
	shard->messages_ever += !code;
	return code;
}

int prn_shards_send_target(struct prn_decider *shard, const char *target, int64_t time, const struct prn_entry *page, bool is_noted,
                           struct prn_error *error)
{
	struct prn_shard_message message = { .kind = page ? PRN_MESSAGE_TARGET : PRN_MESSAGE_REFUSED, .url = (char *)(uintptr_t)target,
		                             .is_noted = page && is_noted, .time = time };

	if (page)
		message.target = (struct prn_target){ page->weight, page->state.redirects, page->state.from_elsewhere };
	return add(shard, &message, error);
}

int prn_shards_send_answer(struct prn_decider *shard, const char *normal_url, const struct prn_host_answer *asked, struct prn_error *error)
{
	const struct prn_shard_message message = { .kind = PRN_MESSAGE_ANSWER, .url = (char *)(uintptr_t)normal_url, .time = asked->time,
		                                   .asked = *asked };

	return add(shard, &message, error);
}

void prn_shards_drop_messages(struct prn_decider *shard, uint64_t number)
{
	while (shard->message_count > shard->messages_durable && shard->messages[shard->message_count - 1].number > number)
		free(shard->messages[--shard->message_count].url);
}
