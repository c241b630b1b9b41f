/*
 * Giants: hosts whose pages are spread over several shards (store/shards.h), by their paths, where those of any other host are in one.
 *
 * Which they are is said when the store is made, and stays.  Each part of a giant is a power of two shards from the next, the first in
 * the shard that the host's name tells; which part a page is of its path tells, without a slash at its end, so that what
 * only moves between http and https stays in its shard.
 *
 * A giant is one host to whoever fetches it, so its gate is one entry of the root: until when it wants to be left alone, when it was
 * asked last, what it had of the budget, and a permit for each of its pages that is out, by when its lease ends.  A shard keeps of
 * the host only what is its own: the turn of the pages that wait there, and how many pages redirects have added.
 *
 * A page is handed out in two commits.  The first takes a permit at the gate, or a lot of them, and counts the host as asked; the second
 * leases the page in its shard, until the permit's end.  Who dies in between has left a permit without a page: it counts until its end, and
 * from that on the host's delay.  A report is two commits the other way round: the page's, and then the gate is told that the permit is
 * over and what the host said.  Who dies in between has left a permit for a page that is back, which counts until its end likewise.
 * So at any moment there are at least as many permits as pages on lease, and never more permits than the host may have pages out.
 *
 * Permits of a lot that were not used are given back when the shard's part of the call is durable.  Where it is not known
 * whether it is, they end with their time.
 */
#ifndef DECIDE_GIANTS_H
#define DECIDE_GIANTS_H

#include "base/buffer.h"
#include "decide/host.h"
#include "decide/share.h"

#define PRN_GIANTS_NAME "giants" /* of a root's settings: text, "HOST/PARTS" apart by spaces */
#define PRN_GIANTS_PARTS 64      /* at most, where it is not said how many */
#define PRN_PERMIT_ENDS 4096     /* of a gate, that differ, at most: it is full then */

#define PRN_GATE_KEY "gate/"     /* likewise: a gate, with the host's name behind it */

struct prn_decider;
struct prn_shards;

/* Permits that end at a time. */
struct prn_permits_out {
	int64_t end;
	uint32_t count;
};

/* The gate of a giant.  All zero is none; _init and _release. */
struct prn_giant_gate {
	struct prn_host host; /* but for leased, leased_until, turn, address and what redirects added */
	struct prn_permits_out *out; /* [count], in the order of ends */
	size_t count, capacity;
};

struct prn_giant {
	char *name; /* of the host, as it stands in normal URLs */
	size_t parts, home;
	uint64_t number;
	struct prn_giant_gate gate; /* as it was last read or written here; under the lock of gates */
};

/* How a page is to be handed out. */
struct prn_giant_wish {
	struct prn_host_settings settings;
	const struct prn_share *share;
	int64_t now, leased_from, end; /* of leases (lease_clock.h); end: of those that are taken now */
	double cost;   /* of a page */
	unsigned most; /* permits that are of use */
};

/* The gate of a giant as it would be after what was only looked at, in all shards. */
struct prn_giant_look {
	bool is_read;
	struct prn_giant_gate gate;
};

/* A lot that a shard has in hand while it hands out. */
struct prn_permits {
	unsigned taken, used;
	int64_t end;
	double paid, spent; /* of the budget: at the gate for all of them, and by the pages that they were used for */
};

/* What a gate is told, once that is durable from which it follows. */
struct prn_giant_tell {
	size_t giant;
	int64_t now;
	int64_t end;     /* of the permits that are over; PRN_TIME_UNKNOWN: there are none */
	int64_t moved;   /* where they go on until then; PRN_TIME_UNKNOWN: they are over */
	uint32_t count;
	int64_t fetched; /* it was asked then; PRN_TIME_UNKNOWN: it was not */
	bool came;       /* with content, or "not modified", fetched at time */
	bool again;      /* it may have been told before */
	bool refused;    /* it wants to be left alone, for wanted_s from time on */
	bool has_crawl_delay;
	uint32_t crawl_delay_s;
	int64_t time;
	double wanted_s, beyond; /* beyond: what was paid */
};

/* Whether hosts can be split so, over shards: "HOST/PARTS" or "HOST" each; *text, which the caller frees, is what the root is to have.  PRN_E_ARGUMENT, PRN_E_MEMORY */
int prn_giants_write(const char *const *hosts, size_t host_count, size_t shards, char **text, struct prn_error *error);

/* Reads what a root has, in the order of numbers.  PRN_E_DAMAGED, PRN_E_MEMORY, errors of views */
int prn_giants_open(struct prn_decider *root, struct prn_error *error);

/* The same of the text alone: shards has the number of shards, and gets giants.  PRN_E_DAMAGED; PRN_E_MEMORY, and then it has some of them */
int prn_giants_read(struct prn_shards *shards, const char *text, size_t length);
void prn_giants_free(struct prn_giant *giants, size_t count);

/* The place of a giant among its root's, of a root or a shard; SIZE_MAX: the host is none. */
size_t prn_giant_find(const struct prn_decider *decider, struct prn_host_name host);

/* Which part of its host a page is, and the shard of a part. */
size_t prn_giant_part(const struct prn_giant *giant, const char *normal_url);
size_t prn_giant_shard(const struct prn_giant *giant, size_t part, size_t shards);

/* Whether the shard has a part of it, *part. */
bool prn_giant_has(const struct prn_giant *giant, size_t shard, size_t shards, size_t *part);

/* What of a number that holds for a host is a shard's, where the host may be a giant: of all its parts together just that. */
unsigned prn_giant_share_of(const struct prn_decider *shard, struct prn_host_name host, unsigned most);

void prn_giant_gate_init(struct prn_giant_gate *gate);
void prn_giant_gate_release(struct prn_giant_gate *gate);

/*
 * As it lies in the root's settings under "gate/" and the host's name: how long the host's record is, one byte, and that (host_record.h);
 * then, big-endian, of permits the end, 8 bytes, and the count, 4; and a checksum of all (base/checksum.h).  Appended to bytes.  _decode:
 * PRN_E_DAMAGED, and *gate is untouched; PRN_E_MEMORY
 */
int prn_giant_gate_encode(const struct prn_giant_gate *gate, struct prn_buffer *bytes);
int prn_giant_gate_decode(struct prn_giant_gate *gate, const void *bytes, size_t length);

/* As a root has it, whose settings reader and batch are of; what is not there, or damaged, tells nothing.  Errors of the store, and of batches */
int prn_giant_gate_read(const struct prn_store_reader *reader, const struct prn_giant *giant, struct prn_giant_gate *gate,
                        struct prn_error *error);
int prn_giant_gate_put(const struct prn_giant_gate *gate, struct prn_batch *batch, const struct prn_giant *giant, struct prn_error *error);

/* Permits more, which end at a time.  PRN_E_MEMORY */
int prn_giant_gate_add(struct prn_giant_gate *gate, int64_t end, uint32_t count);

/* When it may be asked for one page more, not before now, unless a page comes back before. */
int64_t prn_giant_opens(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish);

/* Hands out one page, if it is open: only of what is in hand.  PRN_E_MEMORY */
int prn_giant_pass(struct prn_giant_gate *gate, const struct prn_giant_wish *wish, bool *passed);

/* The gate as it is committed, by any thread.  Errors of views */
int prn_giant_read(struct prn_decider *decider, size_t giant, struct prn_giant_gate *gate, struct prn_error *error);

/* Reads the gates of all anew, by the root's writer: what it knows of them then is what is committed.  Errors of views */
int prn_giants_look(struct prn_decider *root, struct prn_error *error);

/*
 * Takes permits, by the thread that asks a shard of what is due: some, as far as the gate allows and its other parts have some too.
 * Durable; *gate is as it is then.  Errors of commits
 */
int prn_giant_take(struct prn_decider *shard, size_t giant, const struct prn_giant_wish *wish, unsigned *given, struct prn_giant_gate *gate,
                   struct prn_error *error);

/* Goes with what is staged in a shard.  PRN_E_MEMORY */
int prn_giant_tell(struct prn_decider *shard, const struct prn_giant_tell *tell, struct prn_error *error);

/* Tells gates what is durable.  What cannot be told is told with the next commit: it is no failure of what is durable without it. */
void prn_giants_forward(struct prn_decider *shard);

/* Drops tells behind the first count. */
void prn_giants_drop(struct prn_decider *shard, size_t count);

/* What is known of a host in a shard, with what its gate says if it is a giant's: for who asks what keeps it back.  Errors of views */
int prn_giant_merge(struct prn_decider *shard, struct prn_known_host *known, int64_t now, struct prn_error *error);

#endif
