/*
 * How many visits, or bytes, a day all pages together want, at each of a grid of thresholds: kept up with every page that changes, so
 * that the threshold of a budget is known without a pass over them (doc/theory.md §10).
 *
 * A page's load at T is what a look at it is expected to cost (costs.h) over what its policy expects between visits at T,
 * between 10 minutes and 180 days.  That depends on the page's record and on what the store's looks are counted in alone, not on how a decider is run: what was added is what is taken out again.  Loads are integers,
 * so that nothing is left over.
 *
 * Pages that cannot be read are not counted.
 *
 * In the settings of the store as "loads": the format's number and how many pages are counted, then the loads at the
 * thresholds in 2^-20 of a visit, or of 1000 bytes; 8 bytes each, big-endian; and the policy's specification and the program's
 * version, by which they were computed, and what looks are counted in.
 */
#ifndef DECIDE_LOADS_H
#define DECIDE_LOADS_H

#include "decide/decider_internal.h"

#define PRN_LOADS 31
#define PRN_LOADS_FIRST 1e-9 /* the first threshold */
#define PRN_LOADS_RATIO 4.0  /* of each to the one before */
#define PRN_LOADS_LEAST_S 600.0 /* the shortest interval that is counted */

/* The loads of some pages. */
struct prn_loads {
	uint64_t pages;
	uint64_t at[PRN_LOADS];
};

/* Those of a shard, or of none where it has none that are current; of a root they are the sum of its shards', which _put stages. */
int prn_loads_read(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_loads *loads,
                   struct prn_error *error);
int prn_loads_put(struct prn_decider *root, const struct prn_loads *loads, struct prn_error *error);

/* The same of another store, whose policy, costs and budget are a decider's: what its pages come to, and staged there.  Errors of views, and of batches */
int prn_loads_of(struct prn_decider *decider, struct prn_view *view, struct prn_loads *loads, struct prn_error *error);
int prn_loads_put_to(const struct prn_decider *decider, struct prn_batch *batch, const struct prn_loads *loads, struct prn_error *error);

/* Adds those of other pages. */
void prn_loads_add(struct prn_loads *to, const struct prn_loads *loads);

/* By which program, policy and costs loads are computed: a number, the same for the same. */
uint64_t prn_loads_maker(const struct prn_decider *decider);

/* Whether the store has loads that this program with its policy would compute: *current.  Errors of the store */
int prn_loads_current(const struct prn_decider *decider, const struct prn_store_reader *reader, bool *current,
                      struct prn_error *error);

/* Counts all pages anew, and stages what comes of it.  Commits what is staged before.  Errors of views and commits */
int prn_loads_count(struct prn_decider *decider, struct prn_error *error);

/*
 * Stages that none are kept, until all pages are counted anew: for whoever changes what pages come to otherwise than by
 * the two that follow.
 */
int prn_loads_drop(struct prn_decider *decider, struct prn_error *error);

/*
 * Stages the page in hand and takes its load in the place of what the record had, if loads are kept: for every change of
 * what a policy knows of a page, of its weight, and of whether it is visited at all.  _delete: takes it out of the store.  Loads of another maker are dropped.
 */
int prn_decider_put(struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error);
int prn_decider_delete(struct prn_decider *decider, const struct prn_digest *key, struct prn_error *error);

/*
 * What a look at each page once is expected to cost in all, of those that ever are worth one: from their load at the first
 * threshold, where each has its shortest interval.  0 where no loads are kept.  Errors of the store
 */
int prn_loads_once(const struct prn_store_reader *reader, enum prn_unit unit, double *cost, struct prn_error *error);

/*
 * The threshold at which all pages together want as much a day; the first or the last threshold where they never do.
 * PRN_E_NOT_FOUND: no loads are kept.
 */
int prn_loads_threshold(const struct prn_store_reader *reader, const struct prn_budget *aim, double *threshold,
                        struct prn_error *error);

/* What all pages together want a day at a threshold, by a decider's policy and these costs.  PRN_E_NOT_FOUND: no loads are kept, or those of others */
int prn_loads_at(const struct prn_decider *decider, const struct prn_costs *costs, const struct prn_store_reader *reader,
                 double threshold, double *per_day, struct prn_error *error);

#endif
