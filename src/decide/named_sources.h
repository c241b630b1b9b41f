/* The sources of hints that statistics name one by one: prn_stats.named. */
#ifndef DECIDE_NAMED_SOURCES_H
#define DECIDE_NAMED_SOURCES_H

#include "perennial/stats.h"

/* Adds what a source came to, on a host or on several, to the one of its name. */
void prn_named_sources_add(struct prn_stats *stats, const char *name, const struct prn_source_sum *sum);

/* Those that told most come first. */
void prn_named_sources_order(struct prn_stats *stats);

/* Adds one sum to another. */
void prn_source_sum_add(struct prn_source_sum *to, const struct prn_source_sum *sum);

#endif
