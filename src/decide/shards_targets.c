/* Targets of redirects that are pages of other shards. */
#include "base/buffer.h"
#include "decide/loads.h"
#include "decide/redirects.h"
#include "decide/shards.h"
#include "decide/target_note.h"
#include "store/shards.h"

#include <stdlib.h>
#include <string.h>

/* One that came by another way meanwhile stays as it is. */
static int add_target(struct prn_decider *shard, const struct prn_target *target, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(shard);
	struct prn_entry *page = &shard->other;
	int code = prn_decider_check_writer(shard, error);

	if (!code)
		code = prn_target_find(page, &reader, target, error);
	return code || page->known ? code : prn_decider_put(shard, page, error);
}

/* Those that are noted stay until they are durable, so that their notes are taken out. */
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

		code = prn_shards_route(shard->root, target->url, true, &other, error);
		if (code)
			break;
		if (target->is_refused)
			prn_redirect_refuse(other, target->url, target->time);
		else
			code = add_target(other, target, error);
		prn_shards_done(other);
	}
	if (!code)
		keep_noted(shard, first);
	return code;
}

struct leading {
	size_t shard; /* to it */
	struct prn_target *target;
};

/* What is noted is told when the shard is there again, by whoever opens the other one then. */
static bool can_wait(const struct leading *leading, size_t count)
{
	size_t waiting = 0;

	while (waiting < count && (leading[waiting].target->is_refused || leading[waiting].target->is_noted))
		waiting++;
	for (size_t i = 0; waiting == count && i < count; i++)
		leading[i].target->is_noted = false;
	return waiting == count;
}

/* The first count, which all lead to one shard. */
static int tell_targets(struct prn_decider *root, const struct leading *leading, size_t count, struct prn_error *error)
{
	struct prn_decider *shard;
	unsigned tries = 0;
	int code = prn_shards_get(root, leading->shard, true, &shard, error);

	/* A shard that is lost need not know what it is to refuse. */
	if (code == PRN_E_DAMAGED && can_wait(leading, count))
		return 0;
	if (code)
		return code;
	for (size_t i = 0; i < count; i++)
		if (leading[i].target->is_refused)
			prn_redirect_refuse(shard, leading[i].target->url, leading[i].target->time);
	/* That stays, whatever is abandoned. */
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
	return code;
}

/* Those to one shard stand together, in the order in which they were met. */
static int compare_leading(const void *a, const void *b)
{
	const struct leading *x = a, *y = b;

	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

static int tell_all(struct prn_decider *root, struct leading *leading, size_t count, struct prn_error *error)
{
	int code = 0;

	qsort(leading, count, sizeof *leading, compare_leading);
	for (size_t i = 0, end; i < count && !code; i = end) {
		for (end = i + 1; end < count && leading[end].shard == leading[i].shard;)
			end++;
		code = tell_targets(root, leading + i, end - i, error);
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

/* Those that have been told stand before all others. */
static size_t count_told(const struct prn_decider *shard)
{
	size_t told = 0;

	while (told < shard->target_count && shard->targets[told].is_told)
		told++;
	return told;
}

static int drop_notes(struct prn_decider *shard, size_t told, struct prn_error *error)
{
	unsigned tries = 0;
	int code;

	do {
		code = 0;
		for (size_t i = 0; i < told && !code; i++)
			if (shard->targets[i].is_noted)
				code = prn_target_note_drop(shard, &shard->targets[i], error);
		if (!code)
			code = prn_decider_commit_alone(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	if (code)
		prn_decider_abandon(shard);
	return code;
}

static void forget_told(struct prn_decider *shard, size_t told)
{
	for (size_t i = 0; i < told; i++)
		free(shard->targets[i].url);
	if (told)
		memmove(shard->targets, shard->targets + told, (shard->target_count - told) * sizeof *shard->targets);
	shard->target_count -= told;
	shard->targets_durable -= told;
}

/* What could not be taken out yet is told again: it is there. */
static int drop(void *context, struct prn_decider *shard)
{
	size_t told = count_told(shard);
	bool noted = false;
	int code;

	for (size_t i = 0; i < told; i++)
		noted |= shard->targets[i].is_noted;
	code = noted ? drop_notes(shard, told, context) : 0;
	if (!code)
		forget_told(shard, told);
	return code;
}

/*
 * What a conflict would drop is to be told again by whoever staged it: while there is such, targets wait.  Who has some is
 * not closed.
 */
int prn_shards_forward(struct prn_decider *root, struct prn_error *error)
{
	struct waiting waiting = { .root = root, .error = error };
	int code = prn_shards_each_open(root, gather, &waiting);

	if (!code && waiting.count && !prn_decider_staged(root)) {
		code = tell_all(root, waiting.leading, waiting.count, error);
		for (size_t i = 0; i < waiting.count && !code; i++)
			waiting.leading[i].target->is_told = true;
		if (!code)
			code = prn_shards_each_open(root, drop, error);
	}
	free(waiting.leading);
	return code;
}
