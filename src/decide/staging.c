/* Staged changes of a decider, or of the deciders of all shards: commits them, drops them, and repeats after conflicts. */
#include "decide/settings_place.h"
#include "decide/gate_messages.h"
#include "decide/shard_message.h"
#include "decide/shards.h"

#include "store/shared.h"

#include <stdlib.h>

/* How often something is decided again, at most, because others write to the store meanwhile. */
#define TRIES 1000

int prn_decider_set_options(struct prn_decider *decider, const struct prn_decider_options *options,
                            struct prn_error *error)
{
	struct prn_decider_options usual;
	int code;

	prn_decider_options_init(&usual);
	if (!options)
		options = &usual;
	code = prn_decider_check_options(options, error);
	if (!code && decider->shards)
		code = prn_shards_check_options(options, error);
	if (code)
		return code;
	if (decider->shards) {
		prn_shards_set_options(decider, options);
		return 0;
	}
	prn_shards_part_options(decider, options);
	return 0;
}

void prn_decider_free(struct prn_decider *decider)
{
	if (!decider)
		return;
	prn_shards_end(decider);
	prn_decider_free_alone(decider);
}

/* Reads the settings again.  If nothing is staged, a conflict can be handled here, because no caller has to repeat anything. */
static int read_anew(struct prn_decider *decider, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	unsigned tries = 0;
	int code;

	do {
		code = prn_decider_read_threshold(&reader, &decider->threshold, error);
		if (!code)
			code = prn_decider_read_budget(&reader, &decider->budget_per_day, &decider->costs, error);
		if (!code)
			code = prn_settings_check_pages(decider, &reader, error);
	} while (!prn_batch_changes(decider->batch) && prn_decider_again(decider, code, &tries));
	decider->is_stale = code != 0;
	return code;
}

int prn_decider_check_writer(struct prn_decider *decider, struct prn_error *error)
{
	int code = prn_decider_check_mode(decider, error);

	if (!code && decider->root)
		return prn_shards_take_price(decider, error);
	return code || !decider->is_stale ? code : read_anew(decider, error);
}

bool prn_decider_again(struct prn_decider *decider, int code, unsigned *tries)
{
	if (code != PRN_E_CONFLICT || *tries == TRIES)
		return false;
	++*tries;
	decider->conflicts++;
	prn_decider_abandon(decider);
	return true;
}

uint64_t prn_decider_conflicts(const struct prn_decider *decider)
{
	return decider->conflicts + prn_shards_sums(decider).conflicts;
}

uint64_t prn_decider_commits(const struct prn_decider *decider)
{
	return decider->commits + prn_shards_sums(decider).commits;
}

size_t prn_decider_staged(const struct prn_decider *decider)
{
	return (decider->batch ? prn_batch_changes(decider->batch) : 0) + prn_shards_sums(decider).staged;
}

/* Older entries that were overwritten since do not come back: the target of such a redirect may become a page. */
static void forget_refused(struct prn_decider *decider, uint64_t after)
{
	for (size_t i = 0; decider->refused && i < PRN_REFUSED && decider->refused_count > after; i++)
		if (decider->refused[i].number > after)
			decider->refused[i].number = 0;
}

static int abandon_shard(void *context, struct prn_decider *shard)
{
	(void)context;
	prn_decider_abandon(shard);
	return 0;
}

static void abandon_shards(struct prn_decider *decider)
{
	prn_shards_each_open(decider, abandon_shard, NULL);
}

void prn_decider_abandon(struct prn_decider *decider)
{
	if (!decider->batch)
		return;
	prn_batch_abandon(decider->batch);
	decider->is_stale = prn_store_is_shared(decider->store);
	forget_refused(decider, decider->refused_committed);
	prn_shards_drop_messages(decider, 0);
	prn_giants_drop(decider, 0);
	abandon_shards(decider);
}

struct prn_decider_savepoint prn_decider_save(struct prn_decider *decider)
{
	return (struct prn_decider_savepoint){ prn_batch_save(decider->batch), decider->refused_count, decider->messages_ever, decider->gate_messages_ever };
}

void prn_decider_restore(struct prn_decider *decider, const struct prn_decider_savepoint *savepoint)
{
	bool earlier = savepoint->refused < decider->refused_committed;

	prn_batch_restore(decider->batch, &savepoint->batch);
	forget_refused(decider, earlier ? decider->refused_committed : savepoint->refused);
	prn_shards_drop_messages(decider, savepoint->messages);
	prn_giants_drop(decider, savepoint->gate_messages);
	abandon_shards(decider);
}

void prn_decider_guard_commits(struct prn_decider *decider, prn_decider_guard_fn *guard, void *context)
{
	decider->guard = guard;
	decider->guard_context = context;
}

int prn_decider_commit_alone(struct prn_decider *decider, struct prn_error *error)
{
	const struct prn_decider *root = decider->root ? decider->root : decider;
	int code = prn_decider_check_mode(decider, error);
	bool waits = !code && prn_batch_changes(decider->batch);

	if (!code && root->guard)
		code = root->guard(root->guard_context, error);
	if (!code)
		code = prn_batch_commit(decider->batch, error);
	if (code)
		return code;
	decider->commits += waits;
	decider->is_stale = prn_store_is_shared(decider->store);
	decider->refused_committed = decider->refused_count;
	decider->messages_durable = decider->message_count;
	decider->gate_messages_durable = decider->gate_message_count;
	if (decider->shards && waits)
		prn_shards_price_changed(decider);
	if (decider->root && waits && decider->root->shards->answers)
		decider->root->shards->answers[decider->shard].at = 0;
	/* What cannot be told now is told later, or admitted to who reported it. */
	if (decider->root)
		(void)prn_giants_forward(decider, NULL);
	return 0;
}
