/*
 * Pages that cannot be read: the record is damaged; or the policy cannot read the state that it packed, as can happen when a
 * program's own policy was changed; or a queue names a page that is not there.  due.h says how they are handled.
 */
#ifndef DECIDE_UNREADABLE_H
#define DECIDE_UNREADABLE_H

#include "decide/decider_internal.h"
#include "store/shared.h"

/* The pages that could not be read. */
struct prn_unreadable {
	uint64_t count;
	struct prn_error first; /* the error of the first one */
};

/* How queues are walked. */
struct prn_queue_reading {
	struct prn_decider *decider;
	struct prn_store_reader reader; /* the batch, or else a view, and then nothing is written */
	int64_t now;
	struct prn_unreadable *unreadable;
};

/*
 * Takes the page in hand that a queue's entry at a place names, and returns 1.  It returns 0 if the page cannot be read: that
 * is counted in *unreadable and, with a batch, the entry is staged to come again a day after now, or removed if there is no such
 * page.  If the page is at another place, the entry is removed and not counted.  _get reads the record without decoding its
 * state.  Errors of the store; PRN_E_VERSION: the state is of a newer program
 */
int prn_queued_read(const struct prn_queue_reading *reading, const struct prn_place *place,
                    const struct prn_digest *key, struct prn_entry *entry, struct prn_error *error);
int prn_queued_get(const struct prn_queue_reading *reading, const struct prn_place *place, const struct prn_digest *key,
                   struct prn_record *record, struct prn_error *error);

/*
 * Takes the page in hand, whose state cannot be read, off lease and off its host's count, and stages it as due at a time, with
 * its state unchanged.  Errors of batches
 */
int prn_unreadable_put(struct prn_decider *decider, struct prn_entry *entry, int64_t due, int64_t now,
                       struct prn_error *error);

/* How many were found within a day before now, by the setting "unreadable".  Errors of the store */
int prn_unreadable_count(const struct prn_store_reader *reader, int64_t now, uint64_t *count, struct prn_error *error);

#endif
