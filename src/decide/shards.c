#include "decide/settings_place.h"
#include "decide/shards.h"

#include "base/buffer.h"
#include "base/monotonic.h"
#include "decide/shard_message.h"
#include "decide/target_note.h"
#include "store/shards.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(PRN_SHARDS_MOST == PRN_STORE_SHARDS, "a decider takes as many shards as a store");

/* The greatest age of the root's price. */
#define PRICE_S 1.0

int prn_shards_check_options(const struct prn_decider_options *options, struct prn_error *error)
{
	bool grouped = options->group_by_address;

	for (size_t i = 0; i < options->host_count; i++)
		grouped |= options->hosts[i].group != NULL;
	return !grouped ? 0
	                : prn_error_set(error, PRN_E_ARGUMENT,
	                                "hosts cannot be asked as one in a store of several shards: "
	                                "leave out host-group and group-by-address");
}

static void free_shards(struct prn_shards *shards)
{
	pthread_mutex_destroy(&shards->lock);
	pthread_mutex_destroy(&shards->gates);
	pthread_cond_destroy(&shards->done);
	free(shards->lists);
	free(shards->lists_busy);
	free(shards->at);
	free(shards->at_busy);
	free(shards->answers);
	free(shards->open);
	free(shards);
}

static struct prn_shards *make_shards(size_t count)
{
	struct prn_shards *shards = calloc(1, sizeof *shards);

	if (!shards)
		return NULL;
	pthread_mutex_init(&shards->lock, NULL);
	pthread_mutex_init(&shards->gates, NULL);
	pthread_cond_init(&shards->done, NULL);
	shards->count = count;
	shards->list_count = prn_shards_lists(count);
	shards->list_size = prn_shards_list_size(count);
	shards->at = calloc(count, sizeof *shards->at);
	shards->at_busy = calloc(count, sizeof *shards->at_busy);
	shards->lists = calloc(shards->list_count, sizeof *shards->lists);
	shards->lists_busy = calloc(shards->list_count, sizeof *shards->lists_busy);
	if (shards->list_count == 1)
		shards->answers = calloc(count, sizeof *shards->answers);
	if (!shards->at || !shards->at_busy || !shards->lists || !shards->lists_busy || (shards->list_count == 1 && !shards->answers)) {
		free_shards(shards);
		return NULL;
	}
	return shards;
}

int prn_shards_begin(struct prn_decider *decider, enum prn_store_mode mode, struct prn_error *error)
{
	struct prn_shards *shards;
	size_t count;
	int code = prn_shards_count(decider->store, &count, error);

	if (code || count == 1)
		return code;
	code = prn_shards_check_options(&decider->options, error);
	if (code)
		return code;
	shards = make_shards(count);
	if (!shards)
		return prn_error_memory(error);
	shards->most = PRN_SHARDS_OPEN;
	shards->mode = mode;
	shards->price_at = -1;
	shards->nothing_early = PRN_TIME_UNKNOWN;
	decider->shards = shards;
	return prn_giants_open(decider, error);
}

void prn_shards_end(struct prn_decider *root)
{
	struct prn_shards *shards = root->shards;

	if (!shards)
		return;
	for (size_t i = 0; i < shards->slots; i++)
		if (shards->open[i])
			prn_decider_free_alone(shards->open[i]);
	for (size_t i = 0; i < shards->list_count; i++)
		if (shards->lists[i])
			prn_decider_free_alone(shards->lists[i]);
	prn_giants_free(shards->giants, shards->giant_count);
	free_shards(shards);
	root->shards = NULL;
}

int prn_shards_each_open(const struct prn_decider *root, prn_open_shard_fn *run, void *context)
{
	struct prn_shards *shards = root->shards;
	bool more = shards != NULL;
	int code = 0;

	for (size_t i = 0; more && !code; i++) {
		struct prn_decider *shard = NULL;

		pthread_mutex_lock(&shards->lock);
		more = i < shards->slots;
		if (more && (shard = shards->open[i]))
			shard->users++;
		pthread_mutex_unlock(&shards->lock);
		if (!shard)
			continue;
		code = run(context, shard);
		/* Looking at all shards does not count as using one of them. */
		pthread_mutex_lock(&shards->lock);
		shard->users--;
		pthread_mutex_unlock(&shards->lock);
	}
	return code;
}

struct prn_shards_sums prn_shards_sums(const struct prn_decider *decider)
{
	struct prn_shards *shards = decider->shards;
	struct prn_shards_sums sums = { 0 };

	if (!shards)
		return sums;
	pthread_mutex_lock(&shards->lock);
	sums.conflicts = shards->conflicts;
	sums.commits = shards->commits;
	for (size_t i = 0; i < shards->slots; i++) {
		const struct prn_decider *shard = shards->open[i];

		if (!shard)
			continue;
		sums.conflicts += shard->conflicts;
		sums.commits += shard->commits;
		sums.staged += shard->batch ? prn_batch_changes(shard->batch) : 0;
	}
	pthread_mutex_unlock(&shards->lock);
	return sums;
}

void prn_shards_set_options(struct prn_decider *root, const struct prn_decider_options *options)
{
	struct prn_shards *shards = root->shards;

	pthread_mutex_lock(&shards->lock);
	if (shards->answers)
		memset(shards->answers, 0, shards->count * sizeof *shards->answers);
	prn_shards_part_options(root, options);
	for (size_t i = 0; i < shards->slots; i++)
		if (shards->open[i])
			prn_shards_part_options(shards->open[i], options);
	for (size_t i = 0; i < shards->list_count; i++)
		if (shards->lists[i])
			prn_shards_part_options(shards->lists[i], options);
	pthread_mutex_unlock(&shards->lock);
}

size_t prn_shards_place(const struct prn_decider *root, const char *normal_url)
{
	const struct prn_shards *shards = root->shards;
	struct prn_host_name host = prn_host_name(normal_url);
	size_t place = prn_giant_find(root, host);
	const struct prn_giant *giant;

	if (place == SIZE_MAX)
		return prn_shard_of(host, shards->count);
	giant = &shards->giants[place];
	return prn_giant_shard(giant, prn_giant_part(giant, normal_url), shards->count);
}

int prn_shards_route(struct prn_decider *root, const char *normal_url, bool make, struct prn_decider **out,
                     struct prn_error *error)
{
	return prn_shards_get(root, prn_shards_place(root, normal_url), make, out, error);
}

int prn_shards_each_of_host(struct prn_decider *root, struct prn_host_name name, prn_shard_fn *run, void *context, struct prn_error *error)
{
	const struct prn_shards *shards = root->shards;
	size_t place = prn_giant_find(root, name), parts = place == SIZE_MAX ? 1 : shards->giants[place].parts;
	int code = 0;

	for (size_t part = 0; part < parts && !code; part++) {
		struct prn_decider *shard;
		size_t at = place == SIZE_MAX ? prn_shard_of(name, shards->count) : prn_giant_shard(&shards->giants[place], part, shards->count);

		code = prn_shards_get(root, at, false, &shard, error);
		if (!code) {
			code = run(context, shard, error);
			prn_shards_done(shard);
		}
		code = code == PRN_E_NOT_FOUND ? 0 : code;
	}
	return code;
}

size_t prn_decider_shards(const struct prn_decider *decider)
{
	return decider->shards ? decider->shards->count : 1;
}

bool prn_shards_is_silent(const struct prn_decider *root, int code)
{
	return code == PRN_E_BUSY && !prn_settings_check_root(root, NULL);
}

/* Counts a shard that is lost, if the caller asked to count such shards; the others can be used without it. */
static int count_damaged(const struct prn_decider *root, struct prn_shards_damaged *damaged, int code, const struct prn_error *why,
                         struct prn_error *error)
{
	if (damaged && (prn_shards_is_lost(code) || (damaged->or_silent && prn_shards_is_silent(root, code)))) {
		if (!damaged->count++)
			damaged->first = *why;
		return 0;
	}
	if (code && error)
		*error = *why;
	return code;
}

static int each_of_list(struct prn_decider *root, size_t list, bool *listed, prn_made_shard_fn *run, void *context,
                        struct prn_shards_damaged *damaged, struct prn_error *error)
{
	size_t size = root->shards->list_size;
	struct prn_error why = { 0 };
	struct prn_decider *index;
	int code = prn_shards_list_of(root, list, &index, &why);

	if (!code)
		code = prn_shards_list(index->store, listed, size, &why);
	if (code)
		return count_damaged(root, damaged, code, &why, error);
	for (size_t i = 0; i < size && !code; i++)
		if (listed[i])
			code = run(context, list * size + i, error);
	return code;
}

int prn_shards_each_made(struct prn_decider *root, prn_made_shard_fn *run, void *context, struct prn_error *error)
{
	return prn_shards_each_listed(root, run, context, NULL, error);
}

int prn_shards_each_listed(struct prn_decider *root, prn_made_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                           struct prn_error *error)
{
	size_t lists = root->shards->list_count;
	bool *made = calloc(lists, sizeof *made), *listed = calloc(root->shards->list_size, sizeof *listed);
	int code = made && listed ? 0 : prn_error_memory(error);

	if (!code && lists > 1)
		code = prn_shards_list(root->store, made, lists, error);
	for (size_t i = 0; i < lists && !code; i++)
		if (lists == 1 || made[i])
			code = each_of_list(root, i, listed, run, context, damaged, error);
	free(made);
	free(listed);
	return code;
}

struct running {
	struct prn_decider *root;
	prn_shard_fn *run;
	void *context;
};

static int run_open(void *context, size_t place, struct prn_error *error)
{
	const struct running *running = context;
	struct prn_decider *shard;
	int code = prn_shards_get(running->root, place, false, &shard, error);

	if (code)
		return code;
	code = running->run(running->context, shard, error);
	prn_shards_done(shard);
	return code;
}

int prn_shards_each(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_error *error)
{
	struct running running = { root, run, context };

	return prn_shards_each_made(root, run_open, &running, error);
}

struct running_whole {
	struct running running;
	struct prn_shards_damaged *damaged;
};

static int run_whole(void *context, size_t place, struct prn_error *error)
{
	struct running_whole *whole = context;
	struct prn_error why = { 0 };
	int code = run_open(&whole->running, place, &why);

	return count_damaged(whole->running.root, whole->damaged, code, &why, error);
}

int prn_shards_each_whole(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                          struct prn_error *error)
{
	struct running_whole whole = { { root, run, context }, damaged };

	*damaged = (struct prn_shards_damaged){ 0 };
	return prn_shards_each_listed(root, run_whole, &whole, damaged, error);
}

int prn_shards_each_answering(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                              struct prn_error *error)
{
	struct running_whole whole = { { root, run, context }, damaged };

	*damaged = (struct prn_shards_damaged){ .or_silent = true };
	return prn_shards_each_listed(root, run_whole, &whole, damaged, error);
}

int prn_decider_price(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_price *price,
                      struct prn_error *error)
{
	int code;

	code = prn_settings_check_pages(decider, reader, error);
	if (code)
		return code;
	if (decider->root)
		return prn_shards_price(decider->root, price, error);
	code = prn_decider_read_threshold(reader, &price->threshold, error);
	return code ? code : prn_decider_read_budget(reader, &price->budget_per_day, &price->costs, error);
}

static int read_price(struct prn_decider *root, struct prn_price *price, struct prn_error *error)
{
	struct prn_store_reader reader = { 0 };
	int code = prn_view_open(&reader.view, root->store, error);

	if (code)
		return code;
	code = prn_decider_price(root, &reader, price, error);
	prn_view_close(reader.view);
	return code;
}

/* Called under the lock, which is released while it reads. */
static int read_anew(struct prn_decider *root, struct prn_error *error)
{
	struct prn_shards *shards = root->shards;
	uint64_t changes = shards->price_changes;
	double now = prn_monotonic();
	struct prn_price price;
	unsigned tries = 0;
	int code;

	shards->price_busy = true;
	pthread_mutex_unlock(&shards->lock);
	do
		code = read_price(root, &price, error);
	while (prn_decider_looks_again(code, &tries));
	pthread_mutex_lock(&shards->lock);
	shards->price_busy = false;
	pthread_cond_broadcast(&shards->done);
	if (!code)
		shards->price = price;
	/* The price that was read may not include a change that was made meanwhile. */
	shards->price_at = code || shards->price_changes != changes ? -1 : now;
	return code;
}

int prn_shards_price(struct prn_decider *root, struct prn_price *price, struct prn_error *error)
{
	struct prn_shards *shards = root->shards;
	int code = 0;

	pthread_mutex_lock(&shards->lock);
	while (shards->price_busy)
		pthread_cond_wait(&shards->done, &shards->lock);
	if (shards->price_at < 0 || prn_monotonic() - shards->price_at > PRICE_S)
		code = read_anew(root, error);
	if (!code)
		*price = shards->price;
	pthread_mutex_unlock(&shards->lock);
	return code;
}

void prn_shards_price_changed(struct prn_decider *root)
{
	pthread_mutex_lock(&root->shards->lock);
	root->shards->price_at = -1;
	root->shards->price_changes++;
	pthread_mutex_unlock(&root->shards->lock);
}

int prn_shards_take_price(struct prn_decider *shard, struct prn_error *error)
{
	struct prn_price price;
	int code = prn_shards_price(shard->root, &price, error);

	if (code)
		return code;
	shard->threshold = price.threshold;
	shard->budget_per_day = price.budget_per_day;
	shard->costs = price.costs;
	shard->is_stale = false;
	return prn_settings_check_pages(shard, &(struct prn_store_reader){ .batch = shard->batch }, error);
}

bool prn_shards_is_elsewhere(const struct prn_decider *decider, const char *normal_url)
{
	return decider->root && prn_shards_place(decider->root, normal_url) != decider->shard;
}

static int knows_committed(struct prn_decider *shard, const char *normal_url, bool *known, struct prn_error *error)
{
	struct prn_digest key = prn_url_key(normal_url);
	struct prn_decider *other;
	struct prn_record record;
	struct prn_view *view;
	int code = prn_shards_route(shard->root, normal_url, false, &other, error);

	if (code)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	code = prn_view_open(&view, other->store, error);
	if (code) {
		prn_shards_done(other);
		return code;
	}
	code = prn_view_get(view, &key, &record, error);
	prn_view_close(view);
	prn_shards_done(other);
	*known = !code;
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_shards_knows(struct prn_decider *shard, const char *normal_url, bool *known, bool *lost, struct prn_error *error)
{
	struct prn_error why = { 0 };
	int code;

	/* A page that a target on its way will add counts as known. */
	*known = *lost = false;
	for (size_t i = 0; i < shard->message_count; i++)
		*known |= shard->messages[i].kind == PRN_MESSAGE_TARGET && !strcmp(shard->messages[i].url, normal_url);
	if (*known)
		return 0;
	code = knows_committed(shard, normal_url, known, &why);
	*lost = prn_shards_is_lost(code);
	if (*lost)
		return prn_target_note_has(shard, normal_url, known, error);
	if (code && error)
		*error = why;
	return code;
}
