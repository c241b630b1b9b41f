/*
 * What a decider knows of a host: until when it wants to be left alone, what it was asked for, and how many pages its
 * redirects have brought.
 */
#ifndef DECIDE_HOST_H
#define DECIDE_HOST_H

#include "decide/entry.h"

struct prn_host {
	int64_t until;   /* nothing before: Retry-After; PRN_TIME_UNKNOWN: no such time */
	int64_t free_at; /* when the host delay after its last URL ends; PRN_TIME_UNKNOWN: none */
	uint32_t leased; /* URLs on lease */
	uint32_t redirects; /* pages that were added because one of its pages sent its visitor there, ever */
};

/* The host of a normal URL; one that nothing is known of is free.  Errors of the store. */
int prn_host_read(struct prn_host *host, const struct prn_shelf *shelf, const char *normal_url,
                  struct prn_error *error);

/* Stages what is known; of a host that is free at now, and whose redirects brought nothing, nothing is kept. */
int prn_host_put(const struct prn_host *host, struct prn_batch *batch, const char *normal_url, int64_t now,
                 struct prn_error *error);

#endif
