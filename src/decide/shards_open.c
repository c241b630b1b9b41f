#include "decide/settings_place.h"
#include "decide/shards.h"
#include "decide/target_note.h"

#include "base/buffer.h"
#include "store/shards.h"

#include <stdlib.h>

void prn_shards_part_options(struct prn_decider *part, const struct prn_decider_options *options)
{
	part->options = *options;
	part->hints_wanted = options->hints;
}

/* Makes the decider of a shard or list, which has its root's policy and is freed before it.  Called under the lock. */
static struct prn_decider *decider_of(struct prn_decider *root)
{
	struct prn_decider *part = calloc(1, sizeof *part);

	if (!part)
		return NULL;
	part->root = root;
	prn_shards_part_options(part, &root->options);
	part->policy = root->policy;
	part->specification = root->specification;
	part->shingle_words = root->shingle_words;
	return part;
}

/* Opens the store of a part that decider_of has made. */
typedef int open_fn(struct prn_decider *part, size_t number, bool make, struct prn_error *error);

/*
 * Opens a part into *slot if that is empty.  The first thread does it, and the others wait.  Called under the lock, which is released
 * while the part is opened.  *opened: this call has opened it
 */
static int open_once(struct prn_decider *root, struct prn_decider **slot, bool *busy, open_fn *open, size_t number, bool make,
                bool *opened, struct prn_error *error)
{
	struct prn_shards *shards = root->shards;
	struct prn_decider *part;
	int code;

	*opened = false;
	while (*busy)
		pthread_cond_wait(&shards->done, &shards->lock);
	if (*slot)
		return 0;
	part = decider_of(root);
	if (!part)
		return prn_error_memory(error);
	*busy = true;
	pthread_mutex_unlock(&shards->lock);
	code = open(part, number, make && shards->mode == PRN_STORE_WRITE, error);
	if (code)
		prn_decider_free_alone(part);
	pthread_mutex_lock(&shards->lock);
	*busy = false;
	pthread_cond_broadcast(&shards->done);
	if (code)
		return code;
	/* The options may have changed meanwhile. */
	prn_shards_part_options(part, &root->options);
	*slot = part;
	*opened = true;
	return 0;
}

static int prepare(struct prn_decider *part, struct prn_error *error)
{
	int code = prn_decider_prepare(part, error);

	if (!code && part->root->shards->mode == PRN_STORE_WRITE)
		code = prn_batch_open(&part->batch, part->store, error);
	return code;
}

static int open_list(struct prn_decider *part, size_t list, bool make, struct prn_error *error)
{
	struct prn_decider *root = part->root;
	int code = prn_shards_list_open(&part->store, root->store, list, root->shards->mode, make, root->options.lock_wait_s, error);

	return code ? code : prepare(part, error);
}

static int find_list(struct prn_decider *root, size_t list, bool make, struct prn_decider **out, struct prn_error *error)
{
	struct prn_shards *shards = root->shards;
	bool opened;
	int code;

	if (shards->list_count == 1) {
		*out = root;
		return 0;
	}
	pthread_mutex_lock(&shards->lock);
	code = open_once(root, &shards->lists[list], &shards->lists_busy[list], open_list, list, make, &opened, error);
	if (!code)
		*out = shards->lists[list];
	pthread_mutex_unlock(&shards->lock);
	return code;
}

int prn_shards_list_of(struct prn_decider *root, size_t list, struct prn_decider **out, struct prn_error *error)
{
	return find_list(root, list, false, out, error);
}

static int open_shard(struct prn_decider *shard, size_t place, bool make, struct prn_error *error)
{
	struct prn_decider *root = shard->root, *list;
	int code = find_list(root, place / root->shards->list_size, make, &list, error);

	if (code)
		return code;
	shard->shard = place;
	code = prn_shard_open(&shard->store, root->store, list->store, place, root->shards->mode, make, root->options.lock_wait_s,
	                      error);
	/* A shard whose file is cut off is damaged. */
	if (code == PRN_E_TRUNCATED) {
		code = PRN_E_DAMAGED;
		if (error)
			error->code = code;
	}
	if (!code)
		code = prepare(shard, error);
	if (!code && shard->batch)
		code = prn_target_notes_take_up(shard, error);
	return code ? code : prn_settings_check_shard(shard, error);
}

/* The slot of the shard that was used longest ago, among those that are not in use and have nothing staged; SIZE_MAX: there is none. */
static size_t find_idle(const struct prn_shards *shards)
{
	size_t oldest = SIZE_MAX;

	for (size_t i = 0; i < shards->slots; i++) {
		const struct prn_decider *shard = shards->open[i];
		bool staged = shard && shard->batch && prn_batch_changes(shard->batch);

		if (shard && !shard->users && !staged && !shard->message_count && !shard->gate_message_count &&
		    (oldest == SIZE_MAX || shard->used < shards->open[oldest]->used))
			oldest = i;
	}
	return oldest;
}

/*
 * Closes idle shards until at most `most` are open.  The targets that a shard has refused are forgotten with it, so they may become pages.
 * Called under the lock, which is released while one closes.
 */
static void close_idle(struct prn_shards *shards, size_t most)
{
	size_t idle;

	while (shards->open_count > most && (idle = find_idle(shards)) != SIZE_MAX) {
		struct prn_decider *shard = shards->open[idle];
		bool *busy = &shards->at_busy[shard->shard];

		shards->conflicts += shard->conflicts;
		shards->commits += shard->commits;
		shards->open[idle] = shards->at[shard->shard] = NULL;
		shards->open_count--;
		*busy = true;
		pthread_mutex_unlock(&shards->lock);
		prn_decider_free_alone(shard);
		pthread_mutex_lock(&shards->lock);
		*busy = false;
		pthread_cond_broadcast(&shards->done);
	}
}

static int keep_open(struct prn_shards *shards, struct prn_decider *shard, struct prn_error *error)
{
	size_t slot = 0;

	while (slot < shards->slots && shards->open[slot])
		slot++;
	if (slot == shards->slots) {
		struct prn_decider **grown = prn_array_grow(shards->open, &shards->capacity, slot + 1, sizeof *grown);

		if (!grown)
			return prn_error_memory(error);
		shards->open = grown;
		shards->slots++;
	}
	shards->open[slot] = shard;
	shards->open_count++;
	return 0;
}

int prn_shards_get(struct prn_decider *root, size_t place, bool make, struct prn_decider **out, struct prn_error *error)
{
	struct prn_shards *shards = root->shards;
	struct prn_decider *shard;
	bool opened;
	int code;

	pthread_mutex_lock(&shards->lock);
	code = open_once(root, &shards->at[place], &shards->at_busy[place], open_shard, place, make, &opened, error);
	if (!code && opened && (code = keep_open(shards, shards->at[place], error))) {
		prn_decider_free_alone(shards->at[place]);
		shards->at[place] = NULL;
	}
	if (!code) {
		*out = shard = shards->at[place];
		shard->users++;
	}
	pthread_mutex_unlock(&shards->lock);
	return code;
}

void prn_shards_done(struct prn_decider *shard)
{
	struct prn_shards *shards = shard->root ? shard->root->shards : NULL;

	if (!shards)
		return;
	pthread_mutex_lock(&shards->lock);
	shard->users--;
	shard->used = ++shards->uses;
	close_idle(shards, shards->most);
	pthread_mutex_unlock(&shards->lock);
}

bool prn_shards_is_open(struct prn_decider *root, size_t place)
{
	struct prn_shards *shards = root->shards;
	bool open;

	pthread_mutex_lock(&shards->lock);
	open = shards->at[place] || shards->at_busy[place];
	pthread_mutex_unlock(&shards->lock);
	return open;
}
