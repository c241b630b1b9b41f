/*
 * What looks at a store's pages were answered: as "answers" in its settings, text, numbers apart by spaces, in the order of
 * struct prn_answers.  Only where looks are counted by what they cost, for there every report settles that in the ledger:
 * elsewhere nothing is written by all reports, and several daemons of a store would be in each other's way by this.
 */
#ifndef DECIDE_ANSWERS_H
#define DECIDE_ANSWERS_H

#include "decide/costs.h"
#include "decide/entry.h"
#include "perennial/stats.h"

#define PRN_ANSWERS_NAME "answers"

/* What the store has; all zero where it has none, or a damaged one.  Errors of the store */
int prn_answers_read(struct prn_answers *answers, const struct prn_store_reader *reader, struct prn_error *error);

/* Stages them; adds those of other looks.  Errors of batches */
int prn_answers_put(const struct prn_answers *answers, struct prn_batch *batch, struct prn_error *error);
void prn_answers_add(struct prn_answers *to, const struct prn_answers *answers);

/* Stages that nothing is known of them.  Errors of batches */
int prn_answers_drop(struct prn_batch *batch, struct prn_error *error);

/* Counts a look at a page whose state is as it was before, and stages that.  Errors of the store and of batches */
int prn_answers_count(struct prn_batch *batch, const struct prn_page_state *state, const struct prn_observation *look,
                      struct prn_error *error);

#endif
