/* Leases that have run out: their URLs were handed out and did not come back. */
#include "decide/decider_internal.h"

/* Leases that are ended in one commit. */
#define BATCH 10000

/* The time of the last attempt stays as it was: a report from before the end of the lease may still arrive. */
static int end_lease(struct prn_decider *decider, const struct prn_queued *queued, int64_t now,
                     struct prn_error *error)
{
	struct prn_entry *entry = &decider->entry;
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_record record;
	int code = prn_decider_get_queued(decider, &reader, &queued->key, &record, error);

	if (!code)
		code = prn_entry_read(entry, &record, error);
	if (!code)
		code = prn_decider_unlease(decider, entry, now, error);
	if (code)
		return code;
	prn_decider_fail(decider, entry, queued->time);
	return prn_entry_put(entry, decider->batch, error);
}

/* Returns 1 if there may be more. */
static int end_some(struct prn_decider *decider, struct prn_walk *walk, int64_t now, struct prn_error *error)
{
	for (size_t n = 0; n < BATCH; n++) {
		struct prn_queued queued;
		int code = prn_walk_queue_next(walk, &queued, error);

		if (code != 1)
			return code;
		if (queued.time > now)
			return 0;
		code = end_lease(decider, &queued, now, error);
		if (code)
			return code;
	}
	return 1;
}

static int walk_some(struct prn_decider *decider, void *now, struct prn_error *error)
{
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int code = prn_decider_view(decider, &view, error);

	if (!code)
		code = prn_walk_queue(&walk, view, PRN_QUEUE_LEASES, INT64_MIN, error);
	if (!code)
		code = end_some(decider, walk, *(int64_t *)now, error);
	prn_walk_free(walk);
	return code;
}

int prn_decider_end_leases(struct prn_decider *decider, int64_t now, struct prn_error *error)
{
	return prn_decider_in_portions(decider, walk_some, &now, sizeof now, error);
}
