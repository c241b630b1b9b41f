#include "decide/shards_due_internal.h"

#include "base/monotonic.h"
#include "base/parallel.h"
#include "store/shards.h"
#include "store/shared.h"

#include <string.h>

/* As prn_due_others, of lists: this number and a share of all. */
#define OTHER_LISTS_LEAST 8
#define OTHER_LISTS_SHARE 64

/*
 * Whether nothing was written to the shard since its list noted, or this process was told, that nothing is due there yet.  Writes what
 * was found to *found.
 */
static bool is_unchanged(struct prn_due_call *call, size_t place, struct prn_shard_found *found)
{
	const struct prn_shard_entry *entry = &call->shards.entries[place];
	const struct prn_shard_answer *answer = call->root->shards->answers ? &call->root->shards->answers[place] : NULL;
	int64_t now = call->request->now;
	bool answered = prn_due_has_answered(call, place) && answer->version;
	bool listed = entry->is_known && entry->found.version && entry->found.asker == call->asker && entry->found.due > now &&
	              entry->found.now <= now && entry->found.threshold <= call->root->threshold;
	uint64_t version = 0;
	int failed;

	*found = entry->found;
	if (!answered && !listed)
		return false;
	failed = prn_shard_version(call->root->store, call->first_shard + place, &version, NULL);
	if (failed == PRN_E_BUSY)
		call->looks_are_silent = true;
	if (failed)
		return false;
	if (listed && version == found->version)
		return true;
	if (answered)
		*found = (struct prn_shard_found){ .due = answer->due, .next = answer->next, .pages = found->pages, .version = answer->version,
			                           .giants_wait = found->giants_wait };
	return answered && version == answer->version;
}

static int look_at_one(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct prn_due_call *call = context;
	size_t place = call->looked_at[item];

	(void)thread;
	(void)error;
	if (!call->looks_are_silent || prn_due_is_patient(prn_monotonic() - call->looks_began))
		call->shards.asked[place].unchanged = is_unchanged(call, place, &call->shards.asked[place].found);
	return 0;
}

/*
 * Asks at most *most of the shards that were not asked so far, though nothing is known to be due there.  A shard that is unchanged counts
 * as asked, with the answer that is known.
 */
static int ask_others(struct prn_due_call *call, size_t *most, bool all)
{
	size_t count = call->shards.count, looked_at = 0;

	for (size_t i = 0; i < count && *most && prn_due_goes_on(call); i++) {
		size_t place = (call->start + i) % count;

		if (!call->shards.entries[place].is_made || call->shards.asked[place].asked || (all && prn_due_needs_no_look(call, place)))
			continue;
		call->looked_at[looked_at++] = place;
		--*most;
	}
	call->looks_began = prn_monotonic();
	call->looks_are_silent = false;
	prn_parallel_for(looked_at, PRN_DUE_TURNS, look_at_one, call, NULL);
	call->silence_s += call->looks_are_silent ? prn_monotonic() - call->looks_began : 0;
	for (size_t i = 0; i < looked_at; i++) {
		size_t place = call->looked_at[i];
		struct prn_due_asked *asked = &call->shards.asked[place];

		if (!asked->unchanged) {
			call->queue[call->last++ % (2 * count)] = place;
			continue;
		}
		asked->asked = true;
		asked->next = asked->found.next;
		asked->loads = call->shards.entries[place].loads;
		prn_due_keep_answer(call, place, &asked->found);
	}
	return prn_due_ask_waiting(call);
}

/*
 * Asks the first shard in any case, so that each has its turn, whatever the list knows; then those that have something due by the
 * list, and some others; and if there is only one list and none of these had anything, all.
 */
int prn_due_ask_shards(struct prn_due_call *call)
{
	size_t count = call->shards.count, first = 0, all = count;
	int code;

	while (first < count && !call->shards.entries[(call->start + first) % count].is_made)
		first++;
	if (first == count)
		return 0;
	call->queue[call->last++] = (call->start + first) % count;
	for (size_t i = first + 1; i < count; i++) {
		size_t place = (call->start + i) % count;
		const struct prn_shard_entry *entry = &call->shards.entries[place];

		if (!prn_due_is_due(call, &call->shards, place))
			continue;
		call->shards.asked[place].for_giants = entry->is_known && entry->found.due > call->request->now;
		call->queue[call->last++] = place;
	}
	code = prn_due_ask_some(call);
	if (!code)
		code = prn_due_ask_waiting(call);
	if (!code)
		code = ask_others(call, &call->others, false);
	if (!code && !call->list->count && call->root->shards->list_count == 1)
		code = ask_others(call, &all, true);
	return code;
}

/*
 * What the budget has left when all that is known to be due was given is for pages before their time (due.c).  The shards whose
 * next pages become due soonest are asked, a few with each call.
 */
static int ask_early(struct prn_due_call *call)
{
	size_t count = call->shards.count;

	call->first = call->last = call->round_end = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t next = prn_due_next_of(&call->shards, i);
		size_t at = call->last;

		if (next == INT64_MAX)
			continue;
		for (; at && next < prn_due_next_of(&call->shards, call->queue[at - 1]); at--)
			if (at < PRN_DUE_TURNS)
				call->queue[at] = call->queue[at - 1];
		if (at < PRN_DUE_TURNS)
			call->queue[at] = i;
		call->last += call->last < PRN_DUE_TURNS;
	}
	call->lot.gives_early = true;
	return prn_due_ask_waiting(call);
}

/* Reads the entries of a list, at one moment. */
static int begin_list(struct prn_due_call *call)
{
	unsigned tries = 0;
	int code;

	do {
		code = prn_shards_take_price(call->index, call->error);
		if (!code)
			code = prn_shard_index_read(call->index, call->shards.entries, call->shards.count, call->error);
		if (!code && call->pacing.paced)
			code = prn_shard_index_sum(call->index, call->shards.entries, call->shards.count, call->error);
	} while (prn_decider_again(call->index, code, &tries));
	if (code)
		prn_decider_abandon(call->index);
	return code;
}

/* Commits the answers of a list's shards, and sums them up in *found. */
static int end_list(struct prn_due_call *call, struct prn_due_asked *found)
{
	struct prn_store_reader reader = prn_decider_reader(call->index);
	unsigned tries = 0;
	int code;

	do {
		code = prn_due_put_asked(call, call->index, &call->shards);
		if (!code && call->pacing.paced)
			code = prn_loads_read(call->index, &reader, &found->loads, call->error);
		if (!code)
			code = prn_decider_commit_alone(call->index, call->error);
	} while (prn_decider_again(call->index, code, &tries));
	if (code)
		prn_decider_abandon(call->index);
	found->asked = true;
	found->found = (struct prn_shard_found){ .due = prn_due_first(call), .pages = PRN_SHARD_PAGES_UNKNOWN };
	for (size_t i = 0; i < call->shards.count; i++)
		found->found.giants_wait |= call->shards.asked[i].asked ? call->shards.asked[i].found.giants_wait : call->shards.entries[i].found.giants_wait;
	found->next = prn_due_next(call, &call->shards);
	found->kept_back = prn_due_is_kept_back(call, &call->shards);
	call->unasked |= prn_due_has_unasked(call, &call->shards);
	return code;
}

static int ask_list(struct prn_due_call *call, size_t list, int (*ask)(struct prn_due_call *))
{
	struct prn_shards *shards = call->root->shards;
	int code = prn_shards_list_of(call->root, list, &call->index, call->error), ended;

	if (!code) {
		memset(call->shards.asked, 0, call->shards.count * sizeof *call->shards.asked);
		call->first_shard = list * call->shards.count;
		call->first = call->last = call->round_end = 0;
		call->next = call->start;
		code = begin_list(call);
	}
	if (code)
		return code;
	code = ask(call);
	ended = end_list(call, &call->lists.asked[list]);
	shards->start = 1 + (prn_due_goes_on(call) ? call->start : call->next);
	return code ? code : ended;
}

/* Asks lists as prn_due_ask_shards asks shards: the first, those that have something due, and some others. */
int prn_due_ask_lists(struct prn_due_call *call)
{
	struct prn_shards *shards = call->root->shards;
	size_t count = shards->list_count, start = (shards->start_list - 1) % count, others = OTHER_LISTS_LEAST + count / OTHER_LISTS_SHARE, last = start;
	int code = 0;

	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < count && !code && (!round || prn_due_goes_on(call)); i++) {
			size_t list = (start + i) % count;

			if (!call->lists.entries[list].is_made || call->lists.asked[list].asked ||
			    (round == 1 && !prn_due_is_due(call, &call->lists, list)) || (round == 2 && !others))
				continue;
			others -= round == 2;
			last = list;
			code = ask_list(call, list, prn_due_ask_shards);
			if (!round)
				break;
		}
	/* When nothing more is due, each list is begun once at each place. */
	if (prn_due_goes_on(call) && start + 1 == count)
		shards->start = 1 + (call->start + 1) % call->shards.count;
	shards->start_list = 1 + (prn_due_goes_on(call) ? start + 1 : last) % count;
	return code;
}

/* Asks, of several lists, the one with the shard whose next page becomes due soonest. */
static int ask_list_early(struct prn_due_call *call)
{
	struct prn_shards *shards = call->root->shards;
	int64_t soonest = INT64_MAX;
	size_t start = shards->start, list = 0;
	int code = 0;

	for (size_t i = 0; i < shards->list_count; i++) {
		int64_t next = prn_due_next_of(&call->lists, i);

		list = next < soonest ? i : list;
		soonest = next < soonest ? next : soonest;
	}
	if (soonest < INT64_MAX)
		code = ask_list(call, list, ask_early);
	shards->start = start;
	return code;
}

int prn_due_give_early(struct prn_due_call *call)
{
	struct prn_shards *shards = call->root->shards;
	int64_t nothing = shards->nothing_early, now = call->request->now;
	bool known_to_have_none = nothing != PRN_TIME_UNKNOWN && nothing <= now && (double)now - (double)nothing < PRN_DUE_ANSWERED_S;
	size_t before = call->list->count;
	int code;

	if (!call->pacing.paced || !prn_due_goes_on(call) || known_to_have_none)
		return 0;
	code = shards->list_count > 1 ? ask_list_early(call) : ask_early(call);
	shards->nothing_early = call->list->count == before ? call->request->now : PRN_TIME_UNKNOWN;
	return code;
}
