/* Ends leases that have run out, because their URLs were handed out and not reported. */
#include "decide/pacing.h"
#include "decide/unreadable.h"

/* How many leases are ended in one commit. */
#define BATCH 10000

/* The time of the last attempt stays as it was: a report from before the end of the lease may still arrive. */
static int end_lease(const struct prn_queue_reading *reading, const struct prn_queued *queued, struct prn_error *error)
{
	const struct prn_place place = prn_queued_place(PRN_QUEUE_LEASES, 0, queued);
	struct prn_decider *decider = reading->decider;
	struct prn_entry *entry = &decider->entry;
	int code = prn_queued_read(reading, &place, &queued->key, entry, error);

	if (code != 1)
		return code;
	code = prn_decider_unlease(decider, entry, 0, reading->now, error);
	if (code)
		return code;
	code = prn_decider_fail(decider, entry, queued->time, PRN_FAILURE_SILENT, error);
	return code ? code : prn_decider_put(decider, entry, error);
}

/* Returns 1 if there may be more. */
static int end_some(const struct prn_queue_reading *reading, struct prn_walk *walk, struct prn_error *error)
{
	for (size_t n = 0; n < BATCH; n++) {
		struct prn_queued queued;
		int code = prn_walk_queue_next(walk, &queued, error);

		if (code != 1)
			return code;
		if (queued.time > reading->now) {
			if (reading->decider->lot)
				reading->decider->lot->lease_end = queued.time;
			return 0;
		}
		code = end_lease(reading, &queued, error);
		if (code)
			return code;
	}
	return 1;
}

struct ending {
	int64_t now;
	uint64_t unreadable_before; /* this portion */
	struct prn_unreadable *unreadable;
};

/* The count of unreadable pages is reset, so that a repeated portion does not count any of them twice. */
static int walk_some(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct ending *ending = context;
	const struct prn_queue_reading reading = { decider, prn_decider_reader(decider), ending->now,
		                                   ending->unreadable };
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int code = prn_decider_view(decider, &view, error);

	ending->unreadable->count = ending->unreadable_before;
	if (!code)
		code = prn_walk_queue(&walk, view, PRN_QUEUE_LEASES, INT64_MIN, error);
	if (!code)
		code = end_some(&reading, walk, error);
	prn_walk_free(walk);
	ending->unreadable_before = ending->unreadable->count;
	return code;
}

int prn_decider_end_leases(struct prn_decider *decider, int64_t now, struct prn_unreadable *unreadable,
                           struct prn_error *error)
{
	struct ending ending = { now, unreadable->count, unreadable };

	return prn_decider_in_portions(decider, walk_some, &ending, sizeof ending, error);
}
