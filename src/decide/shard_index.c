#include "decide/shard_index.h"

#include "decide/shards.h"
#include "store/big_endian.h"
#include "store/shards.h"

#include <string.h>
#include <xxhash.h>

#define FORMAT 2

static void read_entry(struct prn_shard_entry *entry, const void *value, size_t length)
{
	const unsigned char *bytes = value;
	uint64_t threshold;

	*entry = (struct prn_shard_entry){ .is_made = true, .found.pages = PRN_SHARD_PAGES_UNKNOWN };
	if (length != PRN_SHARD_INDEX_BYTES || prn_big_take(&bytes, 8) != FORMAT)
		return;
	entry->is_known = true;
	entry->found.due = prn_big_take_time(&bytes);
	entry->maker = prn_big_take(&bytes, 8);
	prn_loads_decode(&entry->loads, &bytes);
	entry->found.pages = prn_big_take(&bytes, 8);
	entry->found.version = prn_big_take(&bytes, 8);
	entry->found.next = prn_big_take_time(&bytes);
	entry->found.now = prn_big_take_time(&bytes);
	threshold = prn_big_take(&bytes, 8);
	memcpy(&entry->found.threshold, &threshold, sizeof threshold);
	entry->found.asker = prn_big_take(&bytes, 8);
	entry->found.giants_wait = prn_big_take(&bytes, 8) == 1;
}

int prn_shard_index_read(struct prn_decider *list, struct prn_shard_entry *entries, size_t count, struct prn_error *error)
{
	const void *name, *value;
	size_t name_bytes, length, place;
	struct prn_walk *walk = NULL;
	struct prn_view *view;
	int code = prn_decider_view(list, &view, error);

	memset(entries, 0, count * sizeof *entries);
	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_META, error);
	while (!code && (code = prn_walk_side_next(walk, &name, &name_bytes, &value, &length, error)) == 1) {
		code = 0;
		if (prn_shard_key_read(name, name_bytes, &place) && place < count)
			read_entry(&entries[place], value, length);
	}
	prn_walk_free(walk);
	return code < 0 ? code : 0;
}

/* Replaces one shard's part of the sum; a part that is more than the sum, as after damage, brings it to 0. */
static void change(struct prn_loads *sum, const struct prn_loads *from, const struct prn_loads *to)
{
	prn_loads_subtract(sum, from);
	prn_loads_add(sum, to);
}

void prn_shard_index_encode(const struct prn_shard_entry *entry, unsigned char bytes[PRN_SHARD_INDEX_BYTES])
{
	unsigned char *at = bytes;
	uint64_t threshold;

	prn_big_put(&at, 8, FORMAT);
	prn_big_put_time(&at, entry->found.due);
	prn_big_put(&at, 8, entry->maker);
	prn_loads_encode(&entry->loads, &at);
	prn_big_put(&at, 8, entry->found.pages);
	prn_big_put(&at, 8, entry->found.version);
	prn_big_put_time(&at, entry->found.next);
	prn_big_put_time(&at, entry->found.now);
	memcpy(&threshold, &entry->found.threshold, sizeof threshold);
	prn_big_put(&at, 8, threshold);
	prn_big_put(&at, 8, entry->found.asker);
	prn_big_put(&at, 8, entry->found.giants_wait);
}

int prn_shard_index_find(const struct prn_store_reader *list, size_t place, struct prn_shard_entry *entry, struct prn_error *error)
{
	char key[PRN_SHARD_KEY_BYTES + 1];
	const void *value;
	size_t length;
	int code;

	*entry = (struct prn_shard_entry){ .found.pages = PRN_SHARD_PAGES_UNKNOWN };
	prn_shard_key(place, key);
	code = prn_store_reader_side(list, PRN_SIDE_META, key, PRN_SHARD_KEY_BYTES, &value, &length, error);
	if (!code)
		read_entry(entry, value, length);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_shard_index_put(struct prn_decider *list, size_t place, const struct prn_shard_found *found, const struct prn_loads *loads,
                        struct prn_error *error)
{
	static const struct prn_loads none = { 0 };
	struct prn_store_reader reader = prn_decider_reader(list);
	uint64_t maker = prn_loads_maker(list), pages;
	unsigned char bytes[PRN_SHARD_INDEX_BYTES];
	char key[PRN_SHARD_KEY_BYTES + 1];
	struct prn_shard_entry entry;
	struct prn_loads sum;
	int code = prn_shard_index_find(&reader, place, &entry, error);

	if (code)
		return code;
	if (loads) {
		code = prn_loads_read(list, &reader, &sum, error);
		change(&sum, entry.maker == maker ? &entry.loads : &none, loads);
		entry.loads = *loads;
		entry.maker = maker;
		if (!code)
			code = prn_loads_put(list, &sum, error);
	}
	pages = found->pages != PRN_SHARD_PAGES_UNKNOWN ? found->pages : entry.found.pages;
	entry.found = *found;
	entry.found.pages = pages;
	if (code)
		return code;
	prn_shard_index_encode(&entry, bytes);
	prn_shard_key(place, key);
	return prn_batch_side_put(list->batch, PRN_SIDE_META, key, PRN_SHARD_KEY_BYTES, bytes, sizeof bytes, error);
}

int prn_shard_index_sum(struct prn_decider *list, const struct prn_shard_entry *entries, size_t count,
                        struct prn_error *error)
{
	static const struct prn_loads none = { 0 };
	struct prn_store_reader reader = prn_decider_reader(list);
	uint64_t maker = prn_loads_maker(list);
	struct prn_loads sum = { 0 };
	bool current;
	int code = prn_loads_current(list, &reader, &current, error);

	if (code || current)
		return code;
	for (size_t i = 0; i < count; i++)
		if (entries[i].maker == maker)
			change(&sum, &none, &entries[i].loads);
	/* If nothing is known, no threshold follows. */
	return sum.pages ? prn_loads_put(list, &sum, error) : 0;
}

#define MIX(field) sum = XXH3_64bits_withSeed(&(field), sizeof(field), sum)

static uint64_t mix_text(uint64_t sum, const char *text)
{
	return text ? XXH3_64bits_withSeed(text, strlen(text) + 1, sum) : sum + 1;
}

/* Hashes everything that may decide when a page or its host has its turn.  Hashing too much only has shards asked in vain. */
uint64_t prn_shard_index_asker(const struct prn_decider *root)
{
	const struct prn_decider_options *options = &root->options;
	uint64_t sum = prn_loads_maker(root);

	for (size_t i = 0; i < options->interval_count; i++) {
		const struct prn_interval_rule *rule = &options->intervals[i];

		sum = mix_text(mix_text(sum, rule->surt), rule->media);
		MIX(rule->min_s);
		MIX(rule->max_s);
	}
	for (size_t i = 0; i < options->host_count; i++) {
		const struct prn_host_rule *rule = &options->hosts[i];

		sum = mix_text(mix_text(sum, rule->hosts), rule->group);
		MIX(rule->delay_s);
		MIX(rule->limit);
		MIX(rule->from_s);
		MIX(rule->to_s);
	}
	MIX(options->retire_after);
	MIX(options->suspect_above);
	MIX(options->suspect_usual);
	MIX(options->suspect_after_s);
	MIX(options->retry_s);
	MIX(options->retry_max_s);
	MIX(options->host_delay_s);
	MIX(options->host_limit);
	MIX(options->group_by_address);
	MIX(options->host_share);
	return sum;
}
