/*
 * What a decider does with what is known of a host (store/host_record.h), and how it may be asked (host_settings.h).
 * Hosts of a group are one host, known by the group's name.
 */
#ifndef DECIDE_HOST_H
#define DECIDE_HOST_H

#include "decide/entry.h"
#include "decide/host_settings.h"
#include "perennial/decider.h"
#include "perennial/due.h"
#include "store/host_record.h"

#define PRN_AHEAD_MOST_S (1.0 * PRN_DAY_S) /* that clocks differ; a time further ahead is of a clock that was wrong */
#define PRN_HOST_UNTIL_MOST_S (1.0 * PRN_DAY_S) /* for which a host's wish is heeded, so that no page of it shuts the
                                                 * others out */

/* That a lease may end after what those that are taken now begin at (lease_clock.h): one that was taken behind has up to a day of what passed before it. */
#define PRN_LEASE_END_MOST_S (2 * PRN_LEASE_MOST_S)

/* A host in hand: under which name it is known, what is known of it, and how it may be asked. */
struct prn_known_host {
	char text[PRN_HOST_NAME_BYTES];
	struct prn_host_name name; /* in text */
	struct prn_host host;
	struct prn_host_settings settings;
};

/*
 * Takes a host or group in hand by the name it is known under; one that nothing is known of is free.  Errors of the
 * store
 */
int prn_host_find(struct prn_known_host *known, const struct prn_store_reader *reader,
                  const struct prn_decider_options *options, struct prn_host_name name, struct prn_error *error);

/* The host, or its group, of a normal URL. */
int prn_host_find_of(struct prn_known_host *known, const struct prn_store_reader *reader,
                     const struct prn_decider_options *options, const char *normal_url, struct prn_error *error);

/* Remembers the address that a host's page came from: for prn_host_find_of, where hosts are grouped by address. */
int prn_host_put_address(struct prn_batch *batch, const char *normal_url, const char *address, int64_t now,
                         struct prn_error *error);

/*
 * Stages what is known; of a host that may be asked at once and that nothing else is known of, nothing.  One that had a
 * share of a budget, or wanted to be left alone, is remembered for a week.
 */
int prn_host_put(const struct prn_host *host, const struct prn_host_settings *settings, struct prn_batch *batch,
                 struct prn_host_name name, int64_t now, struct prn_error *error);

/* Has another turn staged, or none (PRN_TIME_UNKNOWN); the host itself is still to be put. */
int prn_host_set_turn(struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t turn,
                      struct prn_error *error);

/*
 * Has the pages that wait for the host looked at sooner, if it may be asked sooner than it was to be; since: how long
 * a page of it that is no longer out has been due.  The host itself is still to be put.
 */
int prn_host_wake(struct prn_known_host *known, struct prn_batch *batch, int64_t since, int64_t now,
                  struct prn_error *error);

/* From which time on, not before now, the host may be asked for a page, were no other out. */
int64_t prn_host_opens(const struct prn_host *host, const struct prn_host_settings *settings, int64_t now);

/*
 * An answer that was fetched at time says that the host wants to be left alone: it is, for a day at most, and for
 * less the more of its other pages have come since it last said so.
 */
void prn_host_refuse(struct prn_host *host, int64_t time, double wanted_s, int64_t now);

/*
 * A page of it is no longer out: it was fetched at a time, from which the host's delay counts, or not
 * (PRN_TIME_UNKNOWN).
 */
void prn_host_take_back(struct prn_host *host, int64_t fetched, int64_t now);

/* It was asked at a time, from which its delay counts. */
void prn_host_was_asked(struct prn_host *host, int64_t fetched, int64_t now);

/* Whether a page that was fetched at a time without being out keeps the host from being asked at now: its delay counts from there. */
bool prn_host_delays(const struct prn_known_host *known, int64_t fetched, int64_t now);

/* Whether as many of its pages are out as may be; leases are counted from a time (lease_clock.h) that is not before now. */
bool prn_host_is_full(const struct prn_host *host, const struct prn_host_settings *settings, int64_t now, int64_t leased_from);

#endif
