#include "decide/requeue.h"

#include "store/shared.h"

#include <math.h>

/* Pages whose interval becomes shorter by less than this share of it are not moved. */
#define SOONER 0.1

/* A pass begins only if the threshold has fallen by more than this share, because intervals are about its square root. */
#define FALLEN 0.15

int prn_requeue(struct prn_decider *decider, const struct prn_record *record, double threshold, struct prn_error *error)
{
	struct prn_entry *entry = &decider->entry;
	enum prn_next reason;
	int64_t next;
	int readable = prn_entry_try(entry, record, NULL, error);

	/* A page that cannot be read stays where it is, and is left out when its turn to be handed out comes (unreadable.h). */
	if (readable < 0)
		return readable;
	if (!readable || entry->lease != PRN_TIME_UNKNOWN ||
	    !prn_decider_next(decider, entry, threshold, &next, &reason) ||
	    (double)entry->due - (double)next <= SOONER * ((double)entry->due - (double)entry->state.visited))
		return 0;
	entry->due = next;
	entry->state.reason = reason;
	return prn_entry_put(entry, decider->batch, error);
}

/* Returns 1 if there may be more. */
static int requeue_from(struct prn_decider *decider, struct prn_digest *cursor, uint64_t most, struct prn_error *error)
{
	struct prn_record record;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	bool whole;
	int got = 1, code = prn_decider_view(decider, &view, error);

	if (!code)
		code = prn_walk_pages(&walk, view, cursor, error);
	for (uint64_t n = 0; !code && n < most && (got = prn_walk_pages_any(walk, &record, &whole, error)) == 1; n++) {
		code = whole ? prn_requeue(decider, &record, decider->threshold, error) : 0;
		*cursor = record.key;
	}
	prn_walk_free(walk);
	return code ? code : got;
}

int prn_requeue_some(struct prn_decider *decider, struct prn_requeuing *requeuing, uint64_t most,
                     struct prn_error *error)
{
	double threshold = decider->threshold;
	int more;

	requeuing->queued_at = fmax(requeuing->queued_at, threshold);
	if (!(requeuing->highest > 0) && threshold > (1 - FALLEN) * requeuing->queued_at)
		return 0;
	requeuing->highest = fmax(requeuing->highest, threshold);
	more = requeue_from(decider, &requeuing->cursor, most, error);
	if (more)
		return more < 0 ? more : 0;
	*requeuing = (struct prn_requeuing){ .queued_at = requeuing->highest };
	return 0;
}
