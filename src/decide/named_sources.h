/*
 * The sources of hints that statistics name one by one: prn_stats.named.
 *
 * There may be a document on every host, and some speak of several; who tells most is known when all hosts have been seen.  So many
 * more are summed than have a place, and where there are more than that those that told least so far are left out, and from then on
 * whatever comes under their names: what is named at the end is of all its hosts, in a bounded room.
 */
#ifndef DECIDE_NAMED_SOURCES_H
#define DECIDE_NAMED_SOURCES_H

#include "perennial/error.h"
#include "perennial/stats.h"

struct prn_named_sources;

/* Some hundred KiB.  PRN_E_MEMORY */
int prn_named_sources_open(struct prn_named_sources **out, struct prn_error *error);
/* NULL is fine. */
void prn_named_sources_free(struct prn_named_sources *named);

/* As after opening it. */
void prn_named_sources_clear(struct prn_named_sources *named);

/* Makes one what another is: a look that is repeated begins where it began. */
void prn_named_sources_copy(struct prn_named_sources *to, const struct prn_named_sources *from);

/* Adds what a source came to, on a host or on several, to the one of its name. */
void prn_named_sources_add(struct prn_named_sources *named, const char *name, const struct prn_source_sum *sum);

/*
 * Writes those that have a place to statistics: names that were given before documents, of each those that told most; in order
 * of that.  *named is to be cleared or freed then.
 */
void prn_named_sources_tell(struct prn_named_sources *named, struct prn_stats *stats);

/* Adds one sum to another. */
void prn_source_sum_add(struct prn_source_sum *to, const struct prn_source_sum *sum);

#endif
