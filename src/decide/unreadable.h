/*
 * Pages that cannot be read: the record is damaged; or the policy cannot read what it packed of the page's state, as can happen
 * when a policy that a program brought was built anew; or a queue names a page that is not there.  due.h says what becomes of
 * them.
 */
#ifndef DECIDE_UNREADABLE_H
#define DECIDE_UNREADABLE_H

#include "decide/decider_internal.h"
#include "store/shared.h"

/* The unreadable pages that were met. */
struct prn_unreadable {
	uint64_t count;
	struct prn_error first; /* of the first: which, and why */
};

/* How queues are walked. */
struct prn_queue_reading {
	struct prn_decider *decider;
	struct prn_store_reader reader; /* the batch, or else a view, and then nothing is written */
	int64_t now;
	struct prn_unreadable *met;
};

/*
 * Takes the page in hand that a queue's entry at a place names, and returns 1.  It returns 0 if the page cannot be read: that
 * is counted in *met and, with a batch, the entry is staged to be met again a day after now, or taken out where there is no
 * page.  If the page stands elsewhere, the entry is taken out and not counted.  _get reads the record without its
 * state, whatever that is.  Errors of the store; PRN_E_VERSION: the state is of a newer program
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

/* How many were met within a day before now, in the settings as "unreadable".  Errors of the store */
int prn_unreadable_count(const struct prn_store_reader *reader, int64_t now, uint64_t *count, struct prn_error *error);

#endif
