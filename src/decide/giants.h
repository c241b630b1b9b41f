/*
 * Giants: hosts whose pages are spread over several shards (store/shards.h) by their paths.  All pages of any other host are
 * in one shard.
 *
 * The list of giants is given when the store is made, and does not change.  The parts of a giant are a power of two shards
 * apart, and the first is in the shard that the host's name selects.  A page's path selects its part; a slash at its end is
 * ignored, so that a page that only moves between http and https stays in its shard.
 *
 * A giant is one host to whoever fetches it, so its gate is one entry of the root.  The gate holds until when the host wants
 * to be left alone, when it was asked last, how much of the budget it had, and a permit for each of its pages that is out, by the
 * end of its lease.  A shard keeps only its own part of the host: the turn of the pages that wait there, and how many pages
 * redirects have added.
 *
 * A page is handed out in two commits.  The first takes a permit, or a lot of them, at the gate and counts the host as asked.
 * The second leases the page in its shard until the permit's end.  A process that dies in between leaves a permit without a
 * page: the permit counts until its end, and the host's delay counts from there.
 * A report takes two commits in the other order: first the page's, then one in which a message tells the gate that the permit is
 * over and what the host said.  A process that dies in between leaves a permit for a page that is back, which also counts until
 * its end.
 * So there are always at least as many permits as pages on lease, and never more permits than the host may have pages out.
 *
 * Unused permits of a lot are given back when the shard's part of the call is durable.  If it is not known to be durable, they
 * count until their end.
 */
#ifndef DECIDE_GIANTS_H
#define DECIDE_GIANTS_H

#include "base/buffer.h"
#include "decide/host.h"
#include "decide/share.h"

#define PRN_GIANTS_NAME "giants" /* a root's setting: text, "HOST/PARTS" separated by spaces */
#define PRN_GIANTS_PARTS 64      /* the most parts where their number is not given */
#define PRN_PERMIT_ENDS 4096     /* the most different ends of a gate's permits: with as many it is full */

#define PRN_GATE_KEY "gate/"     /* a root's setting, followed by the host's name: its gate */

struct prn_decider;
struct prn_shards;

/* Permits that end at a time. */
struct prn_permits_out {
	int64_t end;
	uint32_t count;
};

/* The gate of a giant.  All zero is an empty gate; _init and _release. */
struct prn_giant_gate {
	struct prn_host host; /* except leased, leased_until, turn, address and what redirects added */
	struct prn_permits_out *out; /* [count], in the order of ends */
	size_t count, capacity;
};

struct prn_giant {
	char *name; /* of the host, as it stands in normal URLs */
	size_t parts, home;
	uint64_t number;
	struct prn_giant_gate gate; /* as this process last read or wrote it; under the lock of gates */
};

/* What is asked of a giant's gate. */
struct prn_giant_wish {
	struct prn_host_settings settings;
	const struct prn_share *share;
	int64_t now, leased_from, end; /* leased_from: where leases are counted from (lease_clock.h); end: of those that are taken now */
	double cost;   /* of a page */
	unsigned most; /* how many permits are of use */
};

/* The gate of a giant as it would be if the pages that a look in all shards has listed had been handed out. */
struct prn_giant_look {
	bool is_read;
	struct prn_giant_gate gate;
};

/* A lot of permits that a shard holds while it hands out. */
struct prn_permits {
	unsigned taken, used;
	int64_t end;
	double paid, spent; /* of the budget: at the gate for all of them, and by the pages that they were used for */
};

/* A message to a gate, sent once the change that it follows from is durable. */
struct prn_gate_message {
	uint64_t number; /* among the messages of its shard, from 1 on; prn_gate_message_add sets it */
	size_t giant;
	int64_t now;
	int64_t end;     /* of the permits that are over; PRN_TIME_UNKNOWN: there are none */
	int64_t moved;   /* their new end, if they are not over; PRN_TIME_UNKNOWN: they are over */
	uint32_t count;
	int64_t fetched; /* when the host was asked; PRN_TIME_UNKNOWN: it was not */
	bool came;       /* the host answered with content, or "not modified", at time */
	bool again;      /* the message may have been sent before */
	bool told;       /* whoever reported what it says was told that it failed, and may report it again */
	bool refused;    /* the host wants to be left alone, for wanted_s from time on */
	bool has_crawl_delay;
	uint32_t crawl_delay_s;
	int64_t time;
	double wanted_s, beyond; /* beyond: the cost beyond what was spent at the gate */
};

/*
 * Checks whether hosts can be split over shards as asked, each "HOST/PARTS" or "HOST", and writes the root's setting to *text,
 * which the caller frees.  PRN_E_ARGUMENT, PRN_E_MEMORY
 */
int prn_giants_write(const char *const *hosts, size_t host_count, size_t shards, char **text, struct prn_error *error);

/* Reads a root's giants, in the order of their numbers.  PRN_E_DAMAGED, PRN_E_MEMORY, errors of views */
int prn_giants_open(struct prn_decider *root, struct prn_error *error);

/*
 * Reads giants from the text alone: shards must have the number of shards, and gets giants.  PRN_E_DAMAGED; PRN_E_MEMORY, and
 * then shards has some of them
 */
int prn_giants_read(struct prn_shards *shards, const char *text, size_t length);
void prn_giants_free(struct prn_giant *giants, size_t count);

/* The place of a giant among its root's giants; decider is a root or a shard.  SIZE_MAX: the host is not a giant. */
size_t prn_giant_find(const struct prn_decider *decider, struct prn_host_name host);

/* The part of its host that a page is in, and the shard of a part. */
size_t prn_giant_part(const struct prn_giant *giant, const char *normal_url);
size_t prn_giant_shard(const struct prn_giant *giant, size_t part, size_t shards);

/* Whether the shard has a part of the giant, and which one: *part. */
bool prn_giant_has(const struct prn_giant *giant, size_t shard, size_t shards, size_t *part);

/*
 * A shard's share of a number that is set for a host, which may be a giant.  The shares of all its parts add up to that
 * number.
 */
unsigned prn_giant_share_of(const struct prn_decider *shard, struct prn_host_name host, unsigned most);

void prn_giant_gate_init(struct prn_giant_gate *gate);
void prn_giant_gate_release(struct prn_giant_gate *gate);

/*
 * The format of a gate, in the root's settings under "gate/" and the host's name: the length of the host's record, one byte,
 * and the record (host_record.h); then, big-endian, the permits, each its end, 8 bytes, and count, 4; and a checksum of all
 * (base/checksum.h).  _encode appends it to bytes.  _decode: PRN_E_DAMAGED, and *gate is untouched; PRN_E_MEMORY
 */
int prn_giant_gate_encode(const struct prn_giant_gate *gate, struct prn_buffer *bytes);
int prn_giant_gate_decode(struct prn_giant_gate *gate, const void *bytes, size_t length);

/*
 * _read reads a gate from the root's settings, and _put stages it; reader and batch must be the root's.  A gate that is missing or
 * damaged is read as empty.  Errors of the store, and of batches
 */
int prn_giant_gate_read(const struct prn_store_reader *reader, const struct prn_giant *giant, struct prn_giant_gate *gate,
                        struct prn_error *error);
int prn_giant_gate_put(const struct prn_giant_gate *gate, struct prn_batch *batch, const struct prn_giant *giant, struct prn_error *error);

/* Adds count permits that end at a time.  PRN_E_MEMORY */
int prn_giant_gate_add(struct prn_giant_gate *gate, int64_t end, uint32_t count);

/* When the giant may be asked for one more page, not before now; it may be sooner if a page comes back. */
int64_t prn_giant_opens(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish);

/* Hands out one page if the gate is open.  Changes only the gate in hand.  PRN_E_MEMORY */
int prn_giant_pass(struct prn_giant_gate *gate, const struct prn_giant_wish *wish, bool *passed);

/* Reads the committed gate, from any thread.  Errors of views */
int prn_giant_read(struct prn_decider *decider, size_t giant, struct prn_giant_gate *gate, struct prn_error *error);

/* Reads all gates again, so that the root's writer knows what is committed.  Errors of views */
int prn_giants_look(struct prn_decider *root, struct prn_error *error);

/*
 * Takes some permits, in the thread that asks a shard what is due, as far as the gate allows and so that the giant's other
 * parts get some too.  The permits are durable on return; *gate is as it is then.  Errors of commits
 */
int prn_giant_take(struct prn_decider *shard, size_t giant, const struct prn_giant_wish *wish, unsigned *given, struct prn_giant_gate *gate,
                   struct prn_error *error);

/* Adds a message that goes with what is staged in a shard.  PRN_E_MEMORY */
int prn_gate_message_add(struct prn_decider *shard, const struct prn_gate_message *message, struct prn_error *error);

/*
 * Sends the messages whose changes are durable.  Those that cannot be sent now are sent with the next commit.  PRN_E_BUSY: other
 * changes are staged in the root; errors of commits
 */
int prn_giants_forward(struct prn_decider *shard, struct prn_error *error);

/*
 * That a host wants to be left alone must not be lost with this process.  _owe says whether a durable message of a shard, or of any
 * open shard of a root, says so and was not sent, and whoever reported it does not know that.  _admit sends those messages once more, and
 * fails, once, if they cannot be sent: so a commit fails, though all is durable, the report is not acknowledged, and comes again.
 * Errors of _forward
 */
bool prn_giants_owe(const struct prn_decider *decider);
int prn_giants_admit(struct prn_decider *decider, struct prn_error *error);

/* Drops messages that are not durable and have a higher number. */
void prn_giants_drop(struct prn_decider *shard, uint64_t number);

/*
 * Merges a giant's gate into the shard's own record of the host, for callers that ask what holds the host back.  Errors of
 * views
 */
int prn_giant_merge(struct prn_decider *shard, struct prn_known_host *known, int64_t now, struct prn_error *error);

#endif
