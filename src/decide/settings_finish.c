#include "decide/settings_finish.h"

#include "base/number.h"
#include "decide/loads.h"
#include "decide/settings_place.h"
#include "decide/shards.h"
#include "policy/policy_internal.h"
#include "store/schema.h"
#include "store/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many pages, or hosts, make a portion. */
#define PORTION 20000

static const struct prn_digest last_key = { UINT64_MAX, UINT64_MAX };

static int read_target(const struct prn_decider *root, struct prn_settings_target *target, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(root);
	char text[PRN_CHANGE_TEXT];
	int code = prn_settings_read_text(&reader, PRN_KEY_CHANGE, text, sizeof text, error);
	char *words_end, *end;

	if (code)
		return code;
	target->words = (unsigned)strtoul(text, &words_end, 10);
	target->threshold = prn_number_scan(words_end, &end);
	if (words_end == text || end == words_end || *end != ' ' || !end[1])
		return prn_settings_damaged(PRN_KEY_CHANGE, text, error);
	target->number = root->changes + 1;
	target->specification = strdup(end + 1);
	return target->specification ? 0 : prn_error_memory(error);
}

/* One change of settings in a store, or a shard. */
struct changing {
	const struct prn_settings_target *target;
	struct prn_decider *to;     /* a decider with the new policy, and no store */
	bool states_stay, words_stay;
	struct prn_settings_changed counted;
};

_Static_assert(sizeof(struct changing) <= PRN_PORTION_CONTEXT, "counts are reset with their portion");

/*
 * Has the new policy learn the page's present version, as if that visit had been the first.  Returns false if no version is kept that
 * the policy can continue from.
 */
static bool begin_with_version(struct changing *changing, const struct prn_page_state *from, struct prn_entry *to)
{
	int present = changing->words_stay ? prn_page_present(from) : -1;
	struct prn_summary summary = { 0 };
	struct prn_content_visit content = { .time = from->visited, .modified = PRN_TIME_UNKNOWN, .summary = &summary };
	struct prn_decision decision;

	if (!from->visits || (present < 0 && prn_policy_slots(to->state.policy)))
		return false;
	if (present >= 0) {
		const struct prn_summary *kept = &from->slots[present].summary;

		/* If fewer hashes are kept than the new policy wants, the others are not known. */
		if (to->state.summary_limit > from->summary_limit && !kept->complete)
			return false;
		summary = to->state.summary_limit < kept->limit ? prn_summary_smallest(kept, to->state.summary_limit) : *kept;
		summary.limit = to->state.summary_limit;
	}
	prn_decider_visit(changing->to, to, &content, &decision);
	return true;
}

static int change_page(struct changing *changing, struct prn_decider *part, struct prn_error *error)
{
	const struct prn_page_state *from = &part->entry.state;
	struct prn_entry *to = &changing->to->entry;
	int code = prn_entry_become(to, &part->entry, error);
	bool begun;

	if (code)
		return code;
	begun = begin_with_version(changing, from, to);
	to->state.status = from->status == PRN_PAGE_SUSPECT ? PRN_PAGE_LIVE : from->status;
	if (!begun && to->state.status == PRN_PAGE_LIVE)
		to->state.status = PRN_PAGE_NEW;
	/* A page whose policy begins anew is not one that never answered. */
	to->state.failures = from->visits && !to->state.visits ? 0 : from->failures;
	to->state.gones = from->gones;
	if (from->visits) {
		changing->counted.begun += begun;
		changing->counted.anew += !begun;
	}
	if (from->status == PRN_PAGE_SUSPECT)
		code = prn_suspect_put(NULL, part->batch, &part->entry.key, error);
	return code ? code : prn_entry_put(to, part->batch, error);
}

/* Changes the pages after the place, at most a portion of them.  Returns 1 if there may be more. */
static int change_pages(struct changing *changing, struct prn_decider *part, struct prn_settings_place *place, struct prn_error *error)
{
	struct prn_record record;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	struct prn_digest from = place->from;
	bool whole;
	int more = 1, code = prn_decider_view(part, &view, error);

	if (!code)
		code = prn_walk_pages(&walk, view, place->number ? &from : NULL, error);
	for (size_t n = 0; !code && n < PORTION && (more = prn_walk_pages_any(walk, &record, &whole, error)) == 1; n++) {
		int readable;

		if (place->under_way && !prn_digest_compare(&record.key, &from))
			continue;
		place->from = record.key;
		changing->counted.pages++;
		readable = whole ? prn_entry_try(&part->entry, &record, NULL, error) : 0;
		code = readable < 0 ? readable : readable ? change_page(changing, part, error) : 0;
		changing->counted.untouched += !readable;
	}
	prn_walk_free(walk);
	return code ? code : more;
}

/* Drops the patterns of siblings, at most a portion of them.  Returns 1 if there may be more. */
static int drop_siblings(struct prn_decider *part, struct prn_error *error)
{
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	char key[PRN_TABLE_KEY_BYTES];
	const void *name, *bytes;
	size_t length, count, n = 0;
	int more = 0, code = prn_decider_view(part, &view, error);

	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_SIBLINGS, error);
	for (; !code && n < PORTION && (more = prn_walk_side_next(walk, &name, &length, &bytes, &count, error)) == 1; n++) {
		memcpy(key, name, length);
		code = prn_batch_side_put(part->batch, PRN_SIDE_SIBLINGS, key, length, NULL, 0, error);
	}
	prn_walk_free(walk);
	return code ? code : more;
}

/* Checks that the pages of the store, or shard, follow the change before, or have begun to follow this one. */
static int check_before(const struct prn_settings_target *target, struct prn_decider *part, const struct prn_settings_place *place, struct prn_error *error)
{
	bool has = false;
	int code = place->number + 1 < target->number ? prn_settings_has_pages(part, &has, error) : 0;

	if (!code && place->number > target->number)
		return prn_error_set(error, PRN_E_BUSY, "%s: another process has changed its policy meanwhile", prn_store_path(part->store));
	if (!code && has)
		return prn_error_set(error, PRN_E_VERSION, "%s: its pages are from before the store's policy was changed the last time, as in a "
		                     "copy from then: they cannot be read", prn_store_path(part->store));
	return code;
}

/* Continues from the place that the store has, not from one that this process knows, because another may be changing the store too. */
static int change_some(struct prn_decider *part, void *context, struct prn_error *error)
{
	struct changing *changing = context;
	struct prn_store_reader reader = prn_decider_reader(part);
	struct prn_settings_place place;
	int code = prn_settings_read_place(&reader, &place, error), more = 0;

	if (!code)
		code = check_before(changing->target, part, &place, error);
	if (code || (place.number == changing->target->number && !place.under_way))
		return code;
	if (!place.under_way && changing->states_stay)
		place.from = last_key;
	else if (!place.under_way || prn_digest_compare(&place.from, &last_key))
		more = change_pages(changing, part, &place, error);
	place.number = changing->target->number;
	place.under_way = true;
	if (!more) {
		place.from = last_key;
		more = drop_siblings(part, error);
		place.under_way = more == 1;
	}
	if (more < 0)
		return more;
	if (!place.under_way)
		code = prn_settings_put_text(part, PRN_SIBLINGS_NAME, NULL, error);
	/* The loads of the changed pages were not updated one by one. */
	if (!code)
		code = prn_loads_drop(part, error);
	if (!code)
		code = prn_settings_put_place(part, &place, error);
	return code ? code : more;
}

static int change_part(void *context, struct prn_decider *part, struct prn_error *error)
{
	return prn_decider_in_portions(part, change_some, context, sizeof(struct changing), error);
}

int prn_settings_make_to(struct prn_decider **out, const struct prn_decider *from, const struct prn_settings_target *target, struct prn_error *error)
{
	struct prn_decider *to = calloc(1, sizeof *to);
	int code;

	if (!to)
		return prn_error_memory(error);
	to->options = from->options;
	to->costs = from->costs;
	to->threshold = target->threshold > 0 ? target->threshold : from->threshold;
	to->specification = strdup(target->specification);
	code = to->specification ? prn_decider_open_policy(&to->policy, target->specification, error) : prn_error_memory(error);
	if (!code)
		code = prn_decider_prepare(to, error);
	if (code)
		prn_decider_free_alone(to);
	else
		*out = to;
	return code;
}

/* Puts the new settings into the root, or the only store. */
static int put_settings(struct prn_decider *root, const struct prn_settings_target *target, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(root);
	char text[PRN_CHANGE_TEXT];
	int code = prn_settings_read_text(&reader, PRN_KEY_CHANGE, text, sizeof text, error);

	/* If another process was faster, it has put them. */
	if (code || !text[0])
		return code;
	snprintf(text, sizeof text, "%" PRIu64, target->number);
	code = prn_settings_put_text(root, PRN_KEY_CHANGES, text, error);
	if (!code)
		code = prn_settings_put_text(root, PRN_KEY_CHANGE, NULL, error);
	if (!code)
		code = prn_settings_put_text(root, PRN_SIBLINGS_NAME, NULL, error);
	if (!code)
		code = prn_decider_put_policy(root, target->specification, target->words, error);
	return code || !(target->threshold > 0) ? code : prn_decider_put_threshold(root, target->threshold, error);
}

/* A shard that was damaged since the change began is left out, because otherwise a store that gives it up could not be opened. */
static int finish(struct prn_decider *root, const struct prn_settings_target *target, struct changing *changing, struct prn_error *error)
{
	struct prn_shards_damaged damaged;
	unsigned tries = 0;
	int code = prn_policy_same_states(root->specification, target->specification, PRN_STORE_POLICY_DEFAULTS, &changing->states_stay, error);

	changing->words_stay = target->words == root->shingle_words;
	changing->states_stay &= changing->words_stay;
	if (!code)
		code = root->shards ? prn_shards_each_whole(root, change_part, changing, &damaged, error) : change_part(changing, root, error);
	if (code)
		return code;
	do {
		code = put_settings(root, target, error);
		if (!code)
			code = prn_decider_commit_alone(root, error);
	} while (prn_decider_again(root, code, &tries));
	return code;
}

int prn_settings_change_finish(struct prn_decider *decider, struct prn_settings_changed *changed, struct prn_error *error)
{
	struct prn_settings_target target = { 0 };
	struct changing changing = { .target = &target };
	int code;

	if (!decider->batch)
		return prn_error_set(error, PRN_E_BUSY, "%s: its policy is being changed: if that was broken off, 'perennial set' goes on with it, "
		                     "and so does whatever writes to it", prn_store_path(decider->store));
	code = read_target(decider, &target, error);
	if (!code)
		code = prn_settings_make_to(&changing.to, decider, &target, error);
	if (!code)
		code = finish(decider, &target, &changing, error);
	if (!code && changed) {
		*changed = changing.counted;
		changed->states_stayed = changing.states_stay;
	}
	if (changing.to)
		prn_decider_free_alone(changing.to);
	free(target.specification);
	return code;
}

