/*
 * The sources of hints that statistics name one by one: prn_stats.named.
 *
 * There may be one document per host, and some give hints of several hosts, so it is known only when all hosts have been seen
 * which ones gave most hints.  Therefore many more are summed than have a place in the statistics.  If there are more still,
 * those with the fewest hints so far are left out, and so is whatever comes under their names afterwards.  So every source that
 * is named at the end was summed over all its hosts, in bounded memory.
 */
#ifndef DECIDE_NAMED_SOURCES_H
#define DECIDE_NAMED_SOURCES_H

#include "perennial/error.h"
#include "perennial/stats.h"

struct prn_named_sources;

/* It takes some hundred KiB.  PRN_E_MEMORY */
int prn_named_sources_open(struct prn_named_sources **out, struct prn_error *error);
/* NULL is fine. */
void prn_named_sources_free(struct prn_named_sources *named);

/* Makes it empty, as after opening. */
void prn_named_sources_clear(struct prn_named_sources *named);

/* Copies *from to *to.  A look that is repeated begins with such a copy. */
void prn_named_sources_copy(struct prn_named_sources *to, const struct prn_named_sources *from);

/* Adds the sum of a source, on one host or several, to the source of that name. */
void prn_named_sources_add(struct prn_named_sources *named, const char *name, const struct prn_source_sum *sum);

/*
 * Writes the sources that have a place to statistics, those with most hints first.  If there are too many, given names take
 * precedence over documents, and sources with more hints over others of their kind.  Afterwards *named must be cleared or freed.
 */
void prn_named_sources_write(struct prn_named_sources *named, struct prn_stats *stats);

/* Adds one sum to another. */
void prn_source_sum_add(struct prn_source_sum *to, const struct prn_source_sum *sum);

#endif
