/* Hosts whose turn has come: pages wait for them, and they may be asked now. */
#ifndef DECIDE_TURNS_H
#define DECIDE_TURNS_H

#include "decide/gates.h"

struct prn_turn {
	uint64_t host;          /* the number of a host that has a gate */
	struct prn_turn_lane {
		bool begun;             /* some of the pages were read … */
		struct prn_queued next; /* … and this is the first that was not */
		bool over, ended;       /* no more of the pages are due; … or wait at all */
	} lanes[PRN_LANES];
	bool over; /* none of its pages is due any more */
};

/* _open, then _gather and _keep in turn, then _release. */
struct prn_turns {
	struct prn_gates *gates;
	struct prn_batch *batch;
	struct prn_walk *walk; /* NULL: no more hosts have their turn */
	struct prn_turn *items; /* [count] */
	size_t count, capacity;
	int64_t next; /* the first turn that has not come, once the walk has reached it; PRN_TIME_UNKNOWN: none */
};

/* batch NULL: nothing is staged.  Errors of views. */
int prn_turns_open(struct prn_turns *turns, struct prn_gates *gates, struct prn_view *view, struct prn_batch *batch,
                   struct prn_error *error);

/* All zero is fine. */
void prn_turns_release(struct prn_turns *turns);

/*
 * Adds hosts whose gates are open, in the order of their turns, until there are `most`.  A host whose turn has come and whose
 * gate is not open gets another turn when gates are settled.  Errors of the store; PRN_E_MEMORY
 */
int prn_turns_gather(struct prn_turns *turns, const struct prn_store_reader *reader, size_t most,
                     struct prn_error *error);

/* Drops hosts whose gates have closed, and those that are over. */
void prn_turns_keep(struct prn_turns *turns);

#endif
