/*
 * Has the policy learn visits: the page's slots hold summaries, and the policy learns how far the present version is from each
 * (policy.h).
 */
#include "decide/decider_internal.h"

#include <math.h>

/* The weight of a new visit in the usual divergence, once there are enough visits for a mean. */
#define USUAL_FADE 0.1

/* A text and a digest have no divergence: it is not known whether the page has changed, and it counts as "not modified". */
static bool is_comparable(const struct prn_page_slot *slot, const struct prn_summary *summary)
{
	return summary && summary->of_digest == slot->summary.of_digest;
}

static double distance(const struct prn_page_slot *slot, const struct prn_summary *summary)
{
	return is_comparable(slot, summary) ? prn_summary_divergence(&slot->summary, summary) : slot->moved;
}

double prn_page_nearest(const struct prn_page_state *state, const struct prn_summary *summary)
{
	double nearest = INFINITY;

	for (size_t i = 0; i < state->slot_count; i++)
		if (state->slots[i].used)
			nearest = fmin(nearest, distance(&state->slots[i], summary));
	return isinf(nearest) ? 0 : nearest;
}

bool prn_page_compares(const struct prn_page_state *state, const struct prn_summary *summary)
{
	for (size_t i = 0; i < state->slot_count; i++)
		if (state->slots[i].used && is_comparable(&state->slots[i], summary))
			return true;
	return false;
}

double prn_page_change(const struct prn_page_state *state, const struct prn_summary *summary)
{
	int present = prn_page_present(state);

	if (!summary || !prn_page_compares(state, summary))
		return 0;
	return present >= 0 ? distance(&state->slots[present], summary) : prn_page_nearest(state, summary);
}

int prn_page_present(const struct prn_page_state *state)
{
	for (size_t i = 0; i < state->slot_count; i++)
		if (state->slots[i].used && !state->slots[i].stand_in && state->slots[i].moved <= 0)
			return (int)i;
	return -1;
}

/*
 * The policy wants the present version kept, but this visit brought no content and no slot holds the version.  The
 * slot's old summary stands in for it: the next content is compared with that once, and then replaces it.
 */
static void stand_in(struct prn_page_slot *slot)
{
	slot->used = true;
	slot->stand_in = true;
	slot->moved = 0;
}

/* Updates the slots after the visit; divergence[slot_count] is what the policy has learned. */
static void move_slots(struct prn_page_state *state, const struct prn_summary *summary, const double *divergence,
                       int keep)
{
	int present;

	for (size_t i = 0; i < state->slot_count; i++) {
		struct prn_page_slot *slot = &state->slots[i];

		/* If the present version is now known in another form, that is kept, so that the next content can be compared with it. */
		if (summary && (slot->stand_in || (slot->used && !is_comparable(slot, summary) && slot->moved <= 0)))
			prn_page_state_keep(state, i, summary);
		else if (slot->used)
			slot->moved = prn_page_share(divergence[i]);
	}
	present = prn_page_present(state);
	if (keep >= 0 && summary)
		prn_page_state_keep(state, (size_t)keep, summary);
	else if (keep >= 0 && present >= 0)
		prn_page_state_keep(state, (size_t)keep, &state->slots[present].summary);
	else if (keep >= 0)
		stand_in(&state->slots[keep]);
}

void prn_decider_visit(const struct prn_decider *decider, struct prn_entry *entry,
                      const struct prn_content_visit *content, struct prn_decision *decision)
{
	struct prn_page_state *state = &entry->state;
	double divergence[PRN_POLICY_SLOTS] = { 0 };
	struct prn_visit visit = { .time = prn_page_days(content->time), .weight = prn_entry_weight(entry),
		                   .threshold = decider->threshold, .divergence = divergence,
		                   .page = entry->key.low, .hints = state->hints,
		                   .siblings = content->siblings };

	if (content->modified != PRN_TIME_UNKNOWN)
		visit.since_modified = visit.time - prn_page_days(content->modified);
	for (size_t i = 0; i < state->slot_count; i++)
		if (state->slots[i].used)
			divergence[i] = distance(&state->slots[i], content->summary);
	if (state->visits) {
		double nearest = prn_page_nearest(state, content->summary);
		double share = fmax(USUAL_FADE, 1.0 / state->visits);

		state->usual = prn_page_share(state->usual + share * (nearest - state->usual));
	}
	prn_policy_visit(state->policy, state->policy_state, &visit, decision);
	move_slots(state, content->summary, divergence, decision->keep);
	state->status = PRN_PAGE_LIVE;
	state->visits += state->visits < UINT32_MAX;
	state->visited = content->time;
	state->failures = state->gones = 0;
}
