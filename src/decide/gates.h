/*
 * The gates of hosts while URLs are handed out: whether and when each host may be asked for one more page; and, once all is
 * handed out, when the pages that wait for it get their turn.
 */
#ifndef DECIDE_GATES_H
#define DECIDE_GATES_H

#include "base/buffer.h"
#include "decide/giants.h"
#include "decide/share.h"

struct prn_gate {
	uint64_t number; /* of the host */
	struct prn_host host;
	struct prn_host_settings settings;
	bool changed;    /* something was handed out */
	bool looked;     /* the pages that wait for it were read … */
	bool unread;     /* … but not all of them */
	size_t waiting;  /* pages known to wait: those that were read and not handed out, and those that were added */
	struct prn_giant_gate *shared; /* of a giant, as it was last read; host is then the shard's own part of it.  NULL: no giant */
	size_t giant;                  /* the place of the giant */

	size_t name_at, name_length; /* private */
};

struct prn_gates {
	const struct prn_decider_options *options;
	int64_t now;
	int64_t leased_from; /* the time from which leases are counted (lease_clock.h) */
	double lease_s;
	struct prn_share share; /* each host's share of the budget */
	struct prn_gate *items; /* [count], in the order in which they were found */
	size_t count, capacity;
	uint32_t *places; /* [place_count], a power of two, at most half full: 1 + which of items has a number that belongs there, or 0 */
	size_t place_count;
	struct prn_buffer names;
	int64_t next; /* the earliest turn that was settled; PRN_TIME_UNKNOWN: none */
	struct prn_decider *shard; /* where there are giants, else NULL */
	struct prn_giant_look *looks; /* of each giant, for a caller that looks at several shards; NULL: each gate has its own */
	bool taking;    /* giants' permits are taken: pages are leased, and not only looked at */
	unsigned most;  /* pages that may still be handed out */
	bool giants_wait; /* after _settle: pages wait for giants */
};

/* Sets no share, and leases from now on; both may be set afterwards. */
void prn_gates_init(struct prn_gates *gates, const struct prn_decider_options *options, int64_t now, double lease_s);
void prn_gates_release(struct prn_gates *gates);

/* Finds the gate of a host by the name it is known under, valid until the next call.  Errors of the store; PRN_E_MEMORY */
int prn_gates_find(struct prn_gates *gates, const struct prn_store_reader *reader, struct prn_host_name name,
                   struct prn_gate **gate, struct prn_error *error);

/* Finds the gate of the host, or of its group, of a normal URL. */
int prn_gates_find_of(struct prn_gates *gates, const struct prn_store_reader *reader, const char *normal_url,
                      struct prn_gate **gate, struct prn_error *error);

/* The gate that was found before for a host's number, valid until the next one is found; NULL: none was. */
struct prn_gate *prn_gates_get(struct prn_gates *gates, uint64_t number);

/* Valid until the next gate is found. */
struct prn_host_name prn_gate_name(const struct prn_gates *gates, const struct prn_gate *gate);

/* Whether a page of the host may be handed out now.  The gate of a giant is the one that was last read. */
bool prn_gate_is_open(const struct prn_gates *gates, const struct prn_gate *gate);

/*
 * Hands out one page of a host if its gate is open; cost is what the page is expected to cost of a budget.  PRN_E_MEMORY; for
 * giants, errors of commits
 */
int prn_gate_pass(const struct prn_gates *gates, struct prn_gate *gate, double cost, bool *passed, struct prn_error *error);

/* Stages the hosts as they now are, each with its next turn if pages wait for it.  With batch NULL it only finds next. */
int prn_gates_settle(struct prn_gates *gates, struct prn_batch *batch, struct prn_error *error);

#endif
