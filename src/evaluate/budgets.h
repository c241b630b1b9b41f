/*
 * Replays under budgets.  A budget is divided among all pages at once, so all pages are replayed together: up
 * to a time; then the dial is solved anew from what the policy has learned of every page; then on.
 */
#ifndef EVALUATE_BUDGETS_H
#define EVALUATE_BUDGETS_H

#include "evaluate/evaluation_internal.h"

/*
 * Replays those sweeps of the evaluation that are of budgets, and adds their scores.  The dial is solved when
 * 1, 2, 4, 8, … of the shortest mean capture interval have passed since the acquisition: pages are then known
 * about twice as long as the time before.
 *
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_budgets_replay(struct prn_evaluation *evaluation, const struct prn_pages *pages, enum prn_clock clock,
                       size_t threads, struct prn_error *error);

#endif
