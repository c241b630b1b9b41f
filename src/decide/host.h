/*
 * What a decider does with what is known of a host: until when it wants to be left alone, what it was asked for, how many
 * pages its redirects have brought, and when the pages that wait for it get their turn.
 */
#ifndef DECIDE_HOST_H
#define DECIDE_HOST_H

#include "decide/entry.h"
#include "perennial/decider.h"
#include "store/turn.h"

/* What is known of a host; one that nothing is known of is free.  Errors of the store. */
int prn_host_read(struct prn_host *host, const struct prn_store_reader *reader, struct prn_host_name name,
                  struct prn_error *error);

/* Stages what is known; of a host that is free at now, that no page waits for and whose redirects brought none, nothing. */
int prn_host_put(const struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t now,
                 struct prn_error *error);

/* Has another turn staged, or none (PRN_TIME_UNKNOWN); the host itself is still to be put. */
int prn_host_set_turn(struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t turn,
                      struct prn_error *error);

/* From which time on, not before now, the host may be asked for a URL, were no other out. */
int64_t prn_host_free(const struct prn_host *host, const struct prn_decider_options *options, int64_t now);

/* Whether as many of its URLs are out as may be. */
bool prn_host_is_full(const struct prn_host *host, const struct prn_decider_options *options);

#endif
