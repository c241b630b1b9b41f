/*
 * The gate of a giant (giants.h): when the host may be asked, how many of its pages are out, and what it had of the budget.
 */
#ifndef DECIDE_GIANT_GATE_H
#define DECIDE_GIANT_GATE_H

#include "base/buffer.h"
#include "decide/host.h"
#include "decide/share.h"

#define PRN_PERMIT_ENDS 4096 /* the most different ends of a gate's permits: with as many it is full */

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

/* What is asked of a giant's gate. */
struct prn_giant_wish {
	struct prn_host_settings settings;
	const struct prn_share *share;
	int64_t now, leased_from, end; /* leased_from: where leases are counted from (lease_clock.h); end: of those that are taken now */
	double cost;   /* of a page */
	unsigned most; /* how many permits are of use */
};

/* A lot of permits that a shard holds while it hands out. */
struct prn_permits {
	unsigned taken, used;
	int64_t end;
	double paid, spent; /* of the budget: at the gate for all of them, and by the pages that they were used for */
};

void prn_giant_gate_init(struct prn_giant_gate *gate);
void prn_giant_gate_release(struct prn_giant_gate *gate);

/* Makes a gate one like another.  PRN_E_MEMORY, and it is as it was */
int prn_giant_gate_copy(struct prn_giant_gate *to, const struct prn_giant_gate *from);

/*
 * The format of a gate, in the root's settings under "gate/" and the host's name: the length of the host's record, one byte,
 * and the record (host_record.h); then, big-endian, the permits, each its end, 8 bytes, and count, 4; and a checksum of all
 * (base/checksum.h).  _encode appends it to bytes.  _decode: PRN_E_DAMAGED, and *gate is untouched; PRN_E_MEMORY
 */
int prn_giant_gate_encode(const struct prn_giant_gate *gate, struct prn_buffer *bytes);
int prn_giant_gate_decode(struct prn_giant_gate *gate, const void *bytes, size_t length);

/* The permits that count. */
uint64_t prn_giant_gate_out(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish);

/* Drops the permits that have ended. */
void prn_giant_gate_drop_ended(struct prn_giant_gate *gate, int64_t now);

/* Takes back up to count permits that end at a time, and returns how many there were. */
uint32_t prn_giant_gate_take(struct prn_giant_gate *gate, int64_t end, uint32_t count);

/* Adds count permits that end at a time.  PRN_E_MEMORY */
int prn_giant_gate_add(struct prn_giant_gate *gate, int64_t end, uint32_t count);

/* When the giant may be asked for one more page, not before now; it may be sooner if a page comes back. */
int64_t prn_giant_opens(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish);

/* Hands out one page if the gate is open.  Changes only the gate in hand.  PRN_E_MEMORY */
int prn_giant_pass(struct prn_giant_gate *gate, const struct prn_giant_wish *wish, bool *passed);

#endif
