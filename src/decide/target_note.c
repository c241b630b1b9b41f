#include "decide/target_note.h"

#include "base/buffer.h"
#include "store/big_endian.h"
#include "store/record.h"

#include "perennial/url.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "target/"
#define PREFIX_BYTES (sizeof PREFIX - 1)
#define NAME_BYTES (PREFIX_BYTES + 2 * PRN_KEY_BYTES)
#define HEAD_BYTES (8 + 8 + 4 + 1)

static void name_note(const char *url, char name[NAME_BYTES])
{
	static const char digits[] = "0123456789abcdef";
	struct prn_digest key = prn_url_key(url);
	unsigned char bytes[PRN_KEY_BYTES];

	prn_key_bytes(&key, bytes);
	memcpy(name, PREFIX, PREFIX_BYTES);
	for (size_t i = 0; i < PRN_KEY_BYTES; i++) {
		name[PREFIX_BYTES + 2 * i] = digits[bytes[i] >> 4];
		name[PREFIX_BYTES + 2 * i + 1] = digits[bytes[i] & 15];
	}
}

bool prn_target_note_is(const void *name, size_t name_bytes)
{
	return name_bytes >= PREFIX_BYTES && !memcmp(name, PREFIX, PREFIX_BYTES);
}

int prn_target_note_read(struct prn_shard_message *target, const void *name, size_t name_bytes, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	struct prn_shard_message read = { .kind = PRN_MESSAGE_TARGET, .is_noted = true };
	char of_url[NAME_BYTES];
	uint64_t weight, flag;

	if (name_bytes != NAME_BYTES || count <= HEAD_BYTES || count > HEAD_BYTES + PRN_URL_BYTES)
		return PRN_E_DAMAGED;
	read.time = prn_big_take_time(&at);
	weight = prn_big_take(&at, 8);
	memcpy(&read.target.weight, &weight, sizeof weight);
	read.target.redirects = (uint32_t)prn_big_take(&at, 4);
	flag = prn_big_take(&at, 1);
	read.target.from_elsewhere = flag;
	if (read.time == PRN_TIME_UNKNOWN || !isfinite(read.target.weight) || read.target.weight < 0 || read.target.redirects > PRN_PAGE_PASSED_ON || flag > 1)
		return PRN_E_DAMAGED;
	read.url = strndup((const char *)at, count - HEAD_BYTES);
	if (!read.url)
		return PRN_E_MEMORY;
	name_note(read.url, of_url);
	if (strlen(read.url) != count - HEAD_BYTES || !prn_decider_is_normal(read.url) || memcmp(of_url, name, NAME_BYTES) != 0) {
		free(read.url);
		return PRN_E_DAMAGED;
	}
	*target = read;
	return 0;
}

int prn_target_note_put(struct prn_decider *shard, const struct prn_shard_message *target, struct prn_error *error)
{
	size_t length = strlen(target->url);
	unsigned char *bytes = malloc(HEAD_BYTES + length), *at = bytes;
	char name[NAME_BYTES];
	uint64_t weight;
	int code;

	if (!bytes)
		return prn_error_memory(error);
	memcpy(&weight, &target->target.weight, sizeof weight);
	prn_big_put_time(&at, target->time);
	prn_big_put(&at, 8, weight);
	prn_big_put(&at, 4, target->target.redirects);
	prn_big_put(&at, 1, target->target.from_elsewhere);
	memcpy(at, target->url, length);
	name_note(target->url, name);
	code = prn_batch_side_put(shard->batch, PRN_SIDE_META, name, NAME_BYTES, bytes, HEAD_BYTES + length, error);
	free(bytes);
	return code;
}

int prn_target_note_has(struct prn_decider *shard, const char *normal_url, bool *has, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(shard);
	char name[NAME_BYTES];
	const void *bytes;
	size_t count;
	int code;

	name_note(normal_url, name);
	code = prn_store_reader_side(&reader, PRN_SIDE_META, name, NAME_BYTES, &bytes, &count, error);
	*has = !code;
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_target_note_drop(struct prn_decider *shard, const struct prn_shard_message *target, struct prn_error *error)
{
	char name[NAME_BYTES];

	name_note(target->url, name);
	return prn_batch_side_put(shard->batch, PRN_SIDE_META, name, NAME_BYTES, NULL, 0, error);
}

static int take_up(struct prn_decider *shard, const void *name, size_t name_bytes, const void *bytes, size_t count,
                   struct prn_error *error)
{
	struct prn_shard_message *grown = prn_array_grow(shard->messages, &shard->message_capacity, shard->message_count + 1, sizeof *grown);
	int code;

	if (!grown)
		return prn_error_memory(error);
	shard->messages = grown;
	code = prn_target_note_read(&grown[shard->message_count], name, name_bytes, bytes, count);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	shard->message_count += !code;
	return 0;
}

static int take_all_up(struct prn_decider *shard, struct prn_view *view, struct prn_error *error)
{
	const void *name, *bytes;
	size_t name_bytes, count;
	struct prn_walk *walk = NULL;
	int got = 1, code = prn_walk_side(&walk, view, PRN_SIDE_META, error);

	while (!code && shard->message_count < PRN_TARGET_NOTES &&
	       (got = prn_walk_side_next(walk, &name, &name_bytes, &bytes, &count, error)) == 1)
		code = prn_target_note_is(name, name_bytes) ? take_up(shard, name, name_bytes, bytes, count, error) : 0;
	prn_walk_free(walk);
	return code ? code : got < 0 ? got : 0;
}

int prn_target_notes_take_up(struct prn_decider *shard, struct prn_error *error)
{
	struct prn_view *view;
	unsigned tries = 0;
	int code;

	do {
		while (shard->message_count)
			free(shard->messages[--shard->message_count].url);
		code = prn_decider_look(shard, tries, &view, error);
		if (code)
			return code;
		code = take_all_up(shard, view, error);
		prn_view_close(view);
	} while (prn_decider_looks_again(code, &tries));
	shard->messages_durable = shard->message_count;
	return code;
}

int prn_target_find(struct prn_entry *page, const struct prn_store_reader *reader, const struct prn_shard_message *target,
                    struct prn_error *error)
{
	struct prn_digest key = prn_url_key(target->url);
	int code = prn_entry_find(page, reader, &key, target->url, target->url, error);

	if (code || page->known)
		return code;
	page->weight = target->target.weight;
	page->due = target->time;
	page->state.redirects = target->target.redirects;
	page->state.from_elsewhere = target->target.from_elsewhere;
	return 0;
}
