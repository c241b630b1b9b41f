/*
 * How many visits, or bytes, per day all pages together want at each threshold of a grid.  It is kept up to date with every
 * page that changes, so that the threshold of a budget is known without a pass over the pages (doc/theory.md §10).
 *
 * A page's load at T is what a look at it is expected to cost (costs.h), divided by the time that its policy expects between
 * visits at T, or, where it fails, patience.h; between 10 minutes and 180 days.  Not counted are pages that only fail.  It depends only on the page's record and on the unit in which the store
 * counts looks, not on how a decider is run, so the load that was added for a page is the one that is subtracted later.  Loads
 * are integers, so no remainder builds up.
 *
 * Pages that cannot be read are not counted.
 *
 * The settings of the store hold them as "loads": the format's number and the number of pages, then the loads at the
 * thresholds in 2^-20 of a visit, or of 1000 bytes, 8 bytes each, big-endian, and the part of each that is of new pages; then the policy's specification and the
 * program's version, by which they were computed, and the unit in which looks are counted.
 */
#ifndef DECIDE_LOADS_H
#define DECIDE_LOADS_H

#include "decide/decider_internal.h"

#define PRN_LOADS 31
#define PRN_LOADS_FIRST 1e-9 /* the first threshold */
#define PRN_LOADS_RATIO 4.0  /* of each to the one before */
#define PRN_LOADS_LEAST_S 600.0 /* the shortest interval that is counted */

struct prn_loads {
	uint64_t pages;         /* that are counted */
	uint64_t at[PRN_LOADS]; /* their loads together at threshold PRN_LOADS_FIRST PRN_LOADS_RATIO^i, in the units above */
	uint64_t fresh[PRN_LOADS]; /* … and that part of these which is of pages that were never fetched */
};

/* Write and read the numbers of loads: the pages, all loads, and those of new pages, 8 bytes each, big-endian.  *at moves on. */
#define PRN_LOADS_BYTES (8 * (1 + 2 * PRN_LOADS))
void prn_loads_encode(const struct prn_loads *loads, unsigned char **at);
void prn_loads_decode(struct prn_loads *loads, const unsigned char **at);

/*
 * Reads the loads of a shard, or none where it has none that are current.  A root's loads are the sum of its shards', which
 * _put stages.
 */
int prn_loads_read(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_loads *loads,
                   struct prn_error *error);
int prn_loads_put(struct prn_decider *root, const struct prn_loads *loads, struct prn_error *error);

/*
 * Counts the loads of another store by this decider's policy, costs and budget, and stages them there.  Errors of views, and
 * of batches
 */
int prn_loads_of(struct prn_decider *decider, struct prn_view *view, struct prn_loads *loads, struct prn_error *error);
int prn_loads_put_to(const struct prn_decider *decider, struct prn_batch *batch, const struct prn_loads *loads, struct prn_error *error);

/* Adds the load of the page in hand, or subtracts it.  A load that was never added brings none below 0. */
void prn_loads_count_page(const struct prn_decider *decider, const struct prn_entry *entry, bool add, struct prn_loads *loads);

/* Add the loads of other pages, and subtract them: more than there is, as after damage, brings a load to 0. */
void prn_loads_add(struct prn_loads *to, const struct prn_loads *loads);
void prn_loads_subtract(struct prn_loads *from, const struct prn_loads *loads);

/* A hash of the program, policy and costs that loads are computed by. */
uint64_t prn_loads_maker(const struct prn_decider *decider);

/* Sets *current to whether the store has loads as this program would compute them with its policy.  Errors of the store */
int prn_loads_current(const struct prn_decider *decider, const struct prn_store_reader *reader, bool *current,
                      struct prn_error *error);

/* Commits what is staged, then counts all pages again and stages the result.  Errors of views and commits */
int prn_loads_count(struct prn_decider *decider, struct prn_error *error);

/*
 * Stages that no loads are kept until all pages are counted again.  Whatever changes what pages add to the loads, other than
 * by the two functions that follow, must call it.
 */
int prn_loads_drop(struct prn_decider *decider, struct prn_error *error);

/*
 * Stages the page in hand and, if loads are kept, replaces the load of its record by its new one.  Every change to what a
 * policy knows of a page, to its weight, and to whether it is visited at all must go through it.  _delete takes the page out
 * of the store.  Loads of another maker are dropped.
 */
int prn_decider_put(struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error);
int prn_decider_delete(struct prn_decider *decider, const struct prn_digest *key, struct prn_error *error);

/*
 * The days in which a budget pays for all pages that are counted once; PRN_PATIENCE_DAYS where there is no budget or no loads are
 * kept.  A shard takes the others to have as many pages.  Errors of the store
 */
int prn_loads_round(const struct prn_decider *decider, const struct prn_store_reader *reader, double *days, struct prn_error *error);

/*
 * What one look at each page is expected to cost in all, for those pages that ever are worth one.  It follows from their load
 * at the first threshold, where each has its shortest interval.  0 where no loads are kept.  Errors of the store
 */
int prn_loads_once(const struct prn_store_reader *reader, enum prn_unit unit, double *cost, struct prn_error *error);

/* Leaves of the loads, but not of the pages that they are of, a part in [0, 1]. */
void prn_loads_scale(struct prn_loads *loads, double part);

/*
 * The threshold at which all pages together want as much per day as aim; the first or the last threshold where they never do.  But
 * above the one that was found days before (INFINITY: none was), pages that were never fetched raise it no further than to where the
 * others want half of aim, and only as fast as these, if they are given half of aim, grow late.  Otherwise a long list would take
 * nearly all of the budget from them, from the moment at which it is added (doc/theory.md §10).  *held: that is so.  It is not so while
 * an hour of aim pays for all other pages once: they are too few to tell.
 * PRN_E_NOT_FOUND: no loads are kept.
 */
int prn_loads_threshold(const struct prn_store_reader *reader, const struct prn_budget *aim, double before, double days, double *threshold,
                        bool *held, struct prn_error *error);

/*
 * What all pages together want per day at a threshold, and what those of them want that were never fetched (may be NULL), by a decider's policy and these costs.  PRN_E_NOT_FOUND: no loads are
 * kept, or they were computed by another policy or costs
 */
int prn_loads_at(const struct prn_decider *decider, const struct prn_costs *costs, const struct prn_store_reader *reader,
                 double threshold, double *per_day, double *new_per_day, struct prn_error *error);

#endif
