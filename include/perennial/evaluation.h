/*
 * Judges policies on page histories: refreshes against staleness (doc/theory.md §7, §8).
 *
 * Policies are replayed over every page at several settings of their dials (sweep.h); an evaluation holds the result, and a
 * comparison (comparison.h) reads policies off at equal cost or equal staleness.  Everything is the same, bit for bit, for
 * any number of threads.
 */
#ifndef PERENNIAL_EVALUATION_H
#define PERENNIAL_EVALUATION_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "perennial/life.h"
#include "perennial/pages.h"
#include "perennial/partial.h"
#include "perennial/score.h"
#include "perennial/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_evaluation;

/*
 * Replays every sweep over every page, on so many threads; 0: all processors.  With hints (pages->hints), the pages of one host in one corpus go through time
 * together, and sources are believed according to how their hints came out so far (trust.h).
 *
 * Memory: one page a thread (with hints a host's, at most 256), and six numbers per window, setting and cluster of pages (at
 * most PRN_CLUSTERS; of a part up to half as many more); for budgets also half a kilobyte per page and budget. sweeps and all
 * that they hold are borrowed for as long as *out lives.
 *
 * PRN_E_ARGUMENT	a setting is not positive and finite, or in seconds for a threshold or a budget; or there is no such clock
 * PRN_E_UNSUPPORTED	a budget for a policy that knows pages beforehand: an offline one, or one that skips static pages;
 *			or with hints; or of a part of the pages
 * PRN_E_NOT_FOUND	no page has PRN_LIFE_CAPTURES captures in its life, and pages are no part
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_evaluation_run(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                       size_t sweep_count, enum prn_clock clock, size_t threads, struct prn_error *error);
void prn_evaluation_free(struct prn_evaluation *evaluation);

/*
 * Adds to an evaluation another of the same sweeps over the same pages, from another start of their histories
 * (prn_pages_part): its scores become means over both, in which a page counts once for each start after which it has
 * PRN_LIFE_CAPTURES captures.
 *
 * PRN_E_ARGUMENT	it is of other sweeps, or of pages of other hosts
 */
int prn_evaluation_merge(struct prn_evaluation *evaluation, const struct prn_evaluation *other);

/*
 * Saves what was evaluated on a part of the pages (pages->part), or on all as part 1 of 1, to a file (partial.h).  about has
 * settings and extra; the rest of it is filled in.
 *
 * PRN_E_LIMIT	settings, extra or the result are too long
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_evaluation_save(const struct prn_evaluation *evaluation, const char *path, const struct prn_partial_about *about,
                        struct prn_error *error);

/*
 * Joins what was evaluated on all parts: the evaluation of all pages, to the last bit, but for merging it.  sweeps have the
 * settings that the parts were evaluated at; they and all that they hold are borrowed for as long as *out lives.
 *
 * PRN_E_ARGUMENT	as prn_partials_check; or it is another kind of result
 * PRN_E_INPUT		a result is damaged, or not of these sweeps
 * PRN_E_NOT_FOUND	no page of any part has PRN_LIFE_CAPTURES captures in its life
 * PRN_E_MEMORY
 */
int prn_evaluation_of_partials(struct prn_evaluation **out, const struct prn_sweep *sweeps, size_t sweep_count,
                               const struct prn_partial *const *partials, size_t count, struct prn_error *error);

/*
 * Pages that were replayed, from any start, and pages that were left out for too few captures.
 */
size_t prn_evaluation_pages(const struct prn_evaluation *evaluation);
size_t prn_evaluation_left_out(const struct prn_evaluation *evaluation);

/*
 * Clusters of these pages, as intervals resample them (comparison.h).  Even were all of fewer than PRN_CLUSTERS_LEAST on one side,
 * chance would put them there more often than one time in 20 (a sign test): intervals of so few say little.
 */
#define PRN_CLUSTERS_LEAST 6
size_t prn_evaluation_clusters(const struct prn_evaluation *evaluation);

/* Whether all pages are of one host: clusters are pages then, and intervals say nothing of other hosts. */
bool prn_evaluation_is_of_one_host(const struct prn_evaluation *evaluation);

/*
 * The mean number of captures of the pages that were replayed, from the start of each replay.  With fewer than PRN_CAPTURES_LEAST,
 * a page has less than one visit in the steady window at a visit in every five captures: intervals tell how the first visits came
 * to fall, not how policies learn.
 */
#define PRN_CAPTURES_LEAST 10
double prn_evaluation_captures(const struct prn_evaluation *evaluation);

/* Whether enough was seen to say that one policy is better than another: PRN_CLUSTERS_LEAST clusters, PRN_CAPTURES_LEAST captures. */
bool prn_evaluation_is_enough(const struct prn_evaluation *evaluation);

/*
 * Whether pages changed, and every time wholly, as in histories that only say that a page changed: policies that look at
 * fragments see there what all others see.
 */
bool prn_evaluation_changes_are_whole(const struct prn_evaluation *evaluation);

/* The mean over pages for one sweep at one of its settings, both by their place among those that were evaluated: there must be such. */
struct prn_score prn_evaluation_score(const struct prn_evaluation *evaluation, size_t sweep, size_t setting,
                                      enum prn_window window);

#ifdef __cplusplus
}
#endif

#endif
