/* Passes targets of redirects on to the shards that they belong to. */
#include "base/buffer.h"
#include "decide/loads.h"
#include "decide/redirects.h"
#include "decide/shards.h"
#include "decide/target_note.h"
#include "store/shards.h"

#include <stdlib.h>
#include <string.h>

/* A page that was added in another way meanwhile stays as it is. */
static int add_target(struct prn_decider *shard, const struct prn_target *target, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(shard);
	struct prn_entry *page = &shard->other;
	int code = prn_decider_check_writer(shard, error);

	if (!code && target->is_asked)
		return prn_asked_tell(shard, target->url, &target->asked, error);
	if (!code)
		code = prn_target_find(page, &reader, target, error);
	return code || page->known ? code : prn_decider_put(shard, page, error);
}

/* Keeps the targets that are noted until they are durable, so that their notes are removed then. */
static void keep_noted(struct prn_decider *shard, size_t from)
{
	size_t kept = from;

	for (size_t i = from; i < shard->target_count; i++)
		if (shard->targets[i].is_noted)
			shard->targets[kept++] = shard->targets[i];
		else
			free(shard->targets[i].url);
	shard->target_count = kept;
}

int prn_shards_stage_targets(struct prn_decider *shard, uint64_t number, struct prn_error *error)
{
	size_t first = shard->target_count;
	int code = 0;

	while (first && shard->targets[first - 1].number > number)
		first--;
	for (size_t i = first; i < shard->target_count && !code; i++) {
		const struct prn_target *target = &shard->targets[i];
		struct prn_decider *other;

		code = prn_shards_route(shard->root, target->url, !target->is_asked, &other, error);
		if (code && target->is_asked) {
			code = 0;
			continue;
		}
		if (code)
			break;
		if (target->is_refused)
			prn_redirect_refuse(other, target->url, target->time);
		else
			code = add_target(other, target, error);
		if (target->is_asked)
			code = 0;
		prn_shards_done(other);
	}
	if (!code)
		keep_noted(shard, first);
	return code;
}

struct leading {
	size_t shard; /* the shard that the target belongs to */
	struct prn_target *target;
};

/* A target that is refused need not be known to be, nor what a host answered; and one that is noted can wait. */
static bool is_dispensable(const struct prn_target *target)
{
	return target->is_refused || target->is_asked || target->is_noted;
}

/*
 * Whether targets of a shard that is lost can wait.  Their notes stay, and are passed on by the process that next opens the shard of
 * the redirect when the lost one is there again.
 */
static bool can_wait(const struct leading *leading, size_t count)
{
	size_t waiting = 0;

	while (waiting < count && is_dispensable(leading[waiting].target))
		waiting++;
	for (size_t i = 0; waiting == count && i < count; i++)
		leading[i].target->is_noted = false;
	return waiting == count;
}

/* Passes on the first count targets, which all belong to one shard.  If all are answers of hosts, no failure holds others up. */
static int pass_on(struct prn_decider *root, const struct leading *leading, size_t count, struct prn_error *error)
{
	struct prn_decider *shard;
	unsigned tries = 0;
	bool all_asked = true;
	int code;

	for (size_t i = 0; i < count; i++)
		all_asked &= leading[i].target->is_asked;
	code = prn_shards_get(root, leading->shard, !all_asked, &shard, error);
	if (code && (all_asked || (code == PRN_E_DAMAGED && can_wait(leading, count))))
		return 0;
	if (code)
		return code;
	for (size_t i = 0; i < count; i++)
		if (leading[i].target->is_refused)
			prn_redirect_refuse(shard, leading[i].target->url, leading[i].target->time);
	/* The refused targets stay even if the changes below are abandoned. */
	shard->refused_committed = shard->refused_count;
	do {
		code = 0;
		for (size_t i = 0; i < count && !code; i++)
			if (!leading[i].target->is_refused)
				code = add_target(shard, leading[i].target, error);
		if (!code)
			code = prn_decider_commit_alone(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	if (code)
		prn_decider_abandon(shard);
	prn_shards_done(shard);
	return all_asked ? 0 : code;
}

/* Sorts targets by shard; those of one shard stay in their order, and answers of hosts follow them in the order of their times. */
static int compare_leading(const void *a, const void *b)
{
	const struct leading *x = a, *y = b;

	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	if (x->target->is_asked != y->target->is_asked)
		return x->target->is_asked ? 1 : -1;
	if (x->target->is_asked && x->target->time != y->target->time)
		return x->target->time < y->target->time ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

static int pass_all_on(struct prn_decider *root, struct leading *leading, size_t count, struct prn_error *error)
{
	int code = 0;

	qsort(leading, count, sizeof *leading, compare_leading);
	for (size_t i = 0, end; i < count && !code; i = end) {
		for (end = i + 1; end < count && leading[end].shard == leading[i].shard;)
			end++;
		code = pass_on(root, leading + i, end - i, error);
	}
	return code;
}

/* Targets of redirects that are durable. */
struct waiting {
	const struct prn_decider *root;
	struct leading *leading;
	size_t count, capacity;
	struct prn_error *error;
};

static int gather(void *context, struct prn_decider *from)
{
	struct waiting *waiting = context;
	size_t count = waiting->count + from->targets_durable;
	struct leading *grown = !from->targets_durable ? waiting->leading
	                                               : prn_array_grow(waiting->leading, &waiting->capacity, count, sizeof *grown);

	if (from->targets_durable && !grown)
		return prn_error_memory(waiting->error);
	waiting->leading = grown;
	for (size_t i = 0; i < from->targets_durable; i++)
		waiting->leading[waiting->count++] =
			(struct leading){ prn_shards_place(waiting->root, from->targets[i].url), &from->targets[i] };
	return 0;
}

/* Drops the notes of the first count targets, and commits. */
static int drop_notes(struct prn_decider *shard, size_t count, struct prn_error *error)
{
	unsigned tries = 0;
	int code;

	do {
		code = 0;
		for (size_t i = 0; i < count && !code; i++)
			if (shard->targets[i].is_noted)
				code = prn_target_note_drop(shard, &shard->targets[i], error);
		if (!code)
			code = prn_decider_commit_alone(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	if (code)
		prn_decider_abandon(shard);
	return code;
}

/*
 * Drops the targets that were passed on, which are before all others.  If their notes cannot be dropped yet, they are passed on
 * again later, which changes nothing.
 */
static int drop_passed_on(void *context, struct prn_decider *shard)
{
	size_t count = 0;
	bool noted = false;
	int code;

	for (; count < shard->target_count && shard->targets[count].is_told; count++)
		noted |= shard->targets[count].is_noted;
	code = noted ? drop_notes(shard, count, context) : 0;
	if (code)
		return code;
	for (size_t i = 0; i < count; i++)
		free(shard->targets[i].url);
	if (count)
		memmove(shard->targets, shard->targets + count, (shard->target_count - count) * sizeof *shard->targets);
	shard->target_count -= count;
	shard->targets_durable -= count;
	return 0;
}

/*
 * While a caller has staged changes, which a conflict here would drop, targets wait.  A shard with targets is not closed
 * meanwhile.
 */
int prn_shards_forward(struct prn_decider *root, struct prn_error *error)
{
	struct waiting waiting = { .root = root, .error = error };
	int code = prn_shards_each_open(root, gather, &waiting);

	if (!code && waiting.count && !prn_decider_staged(root)) {
		code = pass_all_on(root, waiting.leading, waiting.count, error);
		for (size_t i = 0; i < waiting.count && !code; i++)
			waiting.leading[i].target->is_told = true;
		if (!code)
			code = prn_shards_each_open(root, drop_passed_on, error);
	}
	free(waiting.leading);
	return code;
}
