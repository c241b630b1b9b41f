/*
 * A host's record (store/host_record.h) as a decider reads and changes it, with how the host may be asked (host_settings.h).
 * Hosts of a group count as one host, known by the group's name.
 */
#ifndef DECIDE_HOST_H
#define DECIDE_HOST_H

#include "decide/entry.h"
#include "decide/host_settings.h"
#include "perennial/decider.h"
#include "perennial/due.h"
#include "store/host_record.h"

#define PRN_AHEAD_MOST_S (1.0 * PRN_DAY_S) /* how far clocks may differ; a time further ahead is of a clock that was wrong */
#define PRN_HOST_UNTIL_MOST_S (1.0 * PRN_DAY_S) /* how long a host is left alone at most, so that no page of it shuts out the others */

/*
 * How far the end of a lease may be after the beginning of those that are taken now (lease_clock.h).  A lease that was taken
 * while the clock was behind includes up to a day that had passed before.
 */
#define PRN_LEASE_END_MOST_S (2 * PRN_LEASE_MOST_S)

/* The host in hand: the name it is known under, its record, and how it may be asked. */
struct prn_known_host {
	char text[PRN_HOST_NAME_BYTES];
	struct prn_host_name name; /* in text */
	struct prn_host host;
	struct prn_host_settings settings;
};

/*
 * Takes a host or group in hand by the name it is known under.  A host of which nothing is known is free.  Errors of the store
 */
int prn_host_find(struct prn_known_host *known, const struct prn_store_reader *reader,
                  const struct prn_decider_options *options, struct prn_host_name name, struct prn_error *error);

/* Takes the host, or its group, of a normal URL in hand. */
int prn_host_find_of(struct prn_known_host *known, const struct prn_store_reader *reader,
                     const struct prn_decider_options *options, const char *normal_url, struct prn_error *error);

/* Stores the address that a host's page came from.  prn_host_find_of needs it where hosts are grouped by address. */
int prn_host_put_address(struct prn_batch *batch, const char *normal_url, const char *address, int64_t now,
                         struct prn_error *error);

/*
 * Stages a host's record, or removes it if the host may be asked at once and nothing else is known of it.  The record of a host
 * that had a share of a budget, or wanted to be left alone, is kept for a week.
 */
int prn_host_put(const struct prn_host *host, const struct prn_host_settings *settings, struct prn_batch *batch,
                 struct prn_host_name name, int64_t now, struct prn_error *error);

/* Stages another turn, or none (PRN_TIME_UNKNOWN); the caller still has to put the host. */
int prn_host_set_turn(struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t turn,
                      struct prn_error *error);

/*
 * Brings forward the turn of the pages that wait for the host, if it may be asked sooner than was planned.  since is the time
 * from which the page that came back has been due.  The caller still has to put the host.
 */
int prn_host_wake(struct prn_known_host *known, struct prn_batch *batch, int64_t since, int64_t now,
                  struct prn_error *error);

/* The time, not before now, from which the host may be asked for a page if no other were out. */
int64_t prn_host_opens(const struct prn_host *host, const struct prn_host_settings *settings, int64_t now);

/*
 * Handles an answer, fetched at time, by which the host wants to be left alone for wanted_s.  It is left alone for at most a
 * day, and for less the more of its other pages have come since it last said so.
 */
void prn_host_refuse(struct prn_host *host, int64_t time, double wanted_s, int64_t now);

/*
 * Counts a page of the host as no longer out.  fetched: when it was fetched, from which the host's delay counts;
 * PRN_TIME_UNKNOWN: it was not.
 */
void prn_host_take_back(struct prn_host *host, int64_t fetched, int64_t now);

/*
 * Counts content of the host that was fetched at a time: a sign that the host may be asked sooner than it said.  False: the host
 * has not refused since
 */
bool prn_host_came(struct prn_host *host, int64_t time, int64_t now);

/* Notes that the host was asked at a time, from which its delay counts. */
void prn_host_was_asked(struct prn_host *host, int64_t fetched, int64_t now);

/*
 * Whether a page that was fetched at a time without being out keeps the host from being asked at now: the host's delay counts
 * from that time.
 */
bool prn_host_delays(const struct prn_known_host *known, int64_t fetched, int64_t now);

/* Whether as many pages of the host are out as may be.  leased_from: where leases are counted from (lease_clock.h), not before now */
bool prn_host_is_full(const struct prn_host *host, const struct prn_host_settings *settings, int64_t now, int64_t leased_from);

#endif
