#include "decide/shards_due_internal.h"

#include "base/monotonic.h"
#include "store/shared.h"

#include <math.h>
#include <string.h>

/* After so long a call begins to wait for no shard any more: it takes twice as long at most, where each is given up after as long. */
#define SILENCE_S 10.0

int64_t prn_due_giants_open(const struct prn_due_call *call, const struct prn_due_places *places, size_t place)
{
	struct prn_shards *shards = call->root->shards;
	int64_t opens = INT64_MAX;
	size_t part;

	if (!places->entries[place].found.giants_wait)
		return opens;
	pthread_mutex_lock(&shards->gates);
	for (size_t i = 0; i < shards->giant_count; i++) {
		const struct prn_giant *giant = &shards->giants[i];
		const struct prn_host_name name = { giant->name, strlen(giant->name) };
		const struct prn_giant_wish wish = { .settings = prn_host_settings_find(&call->root->options, name), .share = &call->lot.share,
			                             .now = call->request->now, .leased_from = prn_lease_clock_time(&call->lot.clock) };
		int64_t time;

		if (!places->are_lists && !prn_giant_has(giant, call->first_shard + place, shards->count, &part))
			continue;
		time = prn_giant_opens(&giant->gate, &wish);
		opens = time < opens ? time : opens;
	}
	pthread_mutex_unlock(&shards->gates);
	return opens;
}

bool prn_due_is_due(const struct prn_due_call *call, const struct prn_due_places *places, size_t place)
{
	const struct prn_shard_entry *entry = &places->entries[place];

	return entry->is_made && !places->asked[place].asked &&
	       (!entry->is_known || entry->found.due <= call->request->now || prn_due_giants_open(call, places, place) <= call->request->now);
}

bool prn_due_has_answered(const struct prn_due_call *call, size_t place)
{
	const struct prn_shard_answer *answers = call->root->shards->answers, *answer = answers ? &answers[place] : NULL;
	int64_t now = call->request->now;

	return answer && answer->at > 0 && prn_monotonic() - answer->at < PRN_DUE_ANSWERED_S && answer->now <= now &&
	       (double)now - (double)answer->now < PRN_DUE_ANSWERED_S && answer->due > now &&
	       fabs(answer->threshold - call->root->threshold) <= 0;
}

bool prn_due_needs_no_look(const struct prn_due_call *call, size_t place)
{
	return !prn_store_is_shared(call->root->store) && prn_due_has_answered(call, place);
}

int64_t prn_due_next_of(const struct prn_due_places *places, size_t place)
{
	const struct prn_shard_found *found = &places->entries[place].found;

	if (!places->entries[place].is_made || places->asked[place].damaged)
		return INT64_MAX;
	return places->asked[place].asked ? places->asked[place].next : places->are_lists ? found->due : found->next;
}

int64_t prn_due_next(const struct prn_due_call *call, const struct prn_due_places *places)
{
	int64_t now = call->request->now, next = INT64_MAX;

	for (size_t i = 0; i < places->count; i++) {
		int64_t due = places->entries[i].is_known ? places->entries[i].found.due : now, opens = prn_due_giants_open(call, places, i);

		if (places->asked[i].asked)
			due = places->asked[i].next;
		else if (!places->are_lists && prn_due_has_answered(call, i))
			due = call->root->shards->answers[i].next;
		due = (!places->asked[i].asked || places->asked[i].unchanged) && opens < due ? opens : due;
		if (places->entries[i].is_made && (!places->asked[i].damaged || places->asked[i].is_silent) && due < next)
			next = due;
	}
	return next;
}

int64_t prn_due_first(const struct prn_due_call *call)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < call->shards.count; i++) {
		int64_t due = call->shards.asked[i].asked ? call->shards.asked[i].found.due : call->shards.entries[i].found.due;

		if (call->shards.entries[i].is_made && !call->shards.asked[i].damaged && due < first)
			first = due;
	}
	return first;
}

bool prn_due_has_unasked(const struct prn_due_call *call, const struct prn_due_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->entries[i].is_made && !places->asked[i].asked && !(!places->are_lists && prn_due_needs_no_look(call, i)))
			return true;
	return false;
}

bool prn_due_is_kept_back(const struct prn_due_call *call, const struct prn_due_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->asked[i].kept_back || prn_due_is_due(call, places, i))
			return true;
	return false;
}

bool prn_due_goes_on(const struct prn_due_call *call)
{
	/* A sum of shares is not quite one. */
	return call->list->count < call->request->limit && call->lot.room >= 1 - 1e-9 && prn_due_is_patient(call->silence_s);
}

bool prn_due_is_patient(double silence_s)
{
	return silence_s < SILENCE_S;
}

void prn_due_set_next(struct prn_due_call *call, const struct prn_ledger *ledger)
{
	const struct prn_due_places *places = prn_due_of_root(call);
	struct prn_due_list *list = call->list;
	int64_t now = call->request->now, next = prn_due_next(call, places), room_time;
	bool spent = call->pacing.paced && list->count < call->request->limit && call->lot.room < 1 - 1e-9;

	/* Reports may have come that no list knows of, so where not all shards were asked there may be something soon. */
	if (next <= now || call->unasked || prn_due_has_unasked(call, places))
		next = prn_time_after(now, 1);
	list->next = list->count == call->request->limit ? now : next == INT64_MAX ? PRN_TIME_UNKNOWN : next;
	list->over_budget = spent && prn_due_is_kept_back(call, places);
	if (!spent || list->next == PRN_TIME_UNKNOWN)
		return;
	if (!prn_ledger_room(ledger, call->root->budget_per_day, &room_time))
		list->next = prn_time_later(list->next, room_time);
	else
		call->has_room = list->over_budget;
}
