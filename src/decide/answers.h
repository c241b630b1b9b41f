/*
 * Counts of how a store's pages answered looks.  The settings hold them as "answers": text, numbers separated by spaces, in
 * the order of struct prn_answers.
 * They are kept only where looks are counted by what they cost, because there every report writes to the ledger anyway.
 * Elsewhere there is no entry that all reports write, and this one would make several daemons of a store conflict.
 */
#ifndef DECIDE_ANSWERS_H
#define DECIDE_ANSWERS_H

#include "decide/costs.h"
#include "decide/entry.h"
#include "perennial/stats.h"

#define PRN_ANSWERS_NAME "answers"

/* Reads what the store has; all zero where it has none, or a damaged one.  Errors of the store */
int prn_answers_read(struct prn_answers *answers, const struct prn_store_reader *reader, struct prn_error *error);

/* _put stages the counts; _add adds the counts of other looks.  Errors of batches */
int prn_answers_put(const struct prn_answers *answers, struct prn_batch *batch, struct prn_error *error);
void prn_answers_add(struct prn_answers *to, const struct prn_answers *answers);

/* Stages that no answers are known.  Errors of batches */
int prn_answers_drop(struct prn_batch *batch, struct prn_error *error);

/*
 * Counts a look at a page and stages the result; state is the page's state before the look.  Errors of the store and of
 * batches
 */
int prn_answers_count(struct prn_batch *batch, const struct prn_page_state *state, const struct prn_observation *look,
                      struct prn_error *error);

#endif
