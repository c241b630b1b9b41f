/*
 * What the files of prn_decider_due for several shards share: one call, and what it knows of the shards that it may ask.
 *
 *	shards_due.c		the call as a whole
 *	shards_due_lot.c	its lot of the budget, off the root's ledger and back
 *	shards_due_lists.c	which lists, and which of their shards, are asked
 *	shards_due_turns.c	some shards are asked at a time
 *	shards_due_known.c	what is known of shards without asking, and when there may be more
 */
#ifndef DECIDE_SHARDS_DUE_INTERNAL_H
#define DECIDE_SHARDS_DUE_INTERNAL_H

#include <xxhash.h>

#include "decide/pacing.h"
#include "decide/shard_index.h"
#include "decide/shards_due.h"

/*
 * For how long the answer of a shard counts that was asked, and not written to since by this process; and for how long all shards are
 * taken to have nothing early.
 */
#define PRN_DUE_ANSWERED_S 60.0

#define PRN_DUE_TURNS 8 /* shards that are asked at a time where they are slow to reach */

/* The result of asking a shard, or a list. */
struct prn_due_asked {
	bool asked, kept_back; /* kept_back: something of it is due, and the budget has no room for it */
	bool damaged;          /* it could not be asked … */
	bool is_silent;        /* … because it did not answer, and may soon */
	bool for_giants;       /* it is asked only for pages that wait for giants */
	bool unchanged;        /* it was not asked, because its list knows the answer */
	struct prn_shard_found found;
	int64_t next; /* as found.due, unless a lease runs out before */
	struct prn_loads loads;
};

/* The shards of a list, or the lists: what their index says of them, and what they answered to this call. */
struct prn_due_places {
	bool are_lists;
	size_t count;
	struct prn_shard_entry *entries; /* [count] */
	struct prn_due_asked *asked;     /* [count] */
};

/* One of several shards that are asked at a time, with its part of the limit and of the lot. */
struct prn_due_turn {
	size_t place, limit;
	struct prn_decider *shard;
	struct prn_lot lot;
	struct prn_due_list list;
	uint64_t pages; /* of the shard if they were counted, else PRN_SHARD_PAGES_UNKNOWN */
	struct prn_error error;
	int code;
};

struct prn_due_call {
	struct prn_decider *root;
	const struct prn_due_request *request;
	struct prn_due_list *list;  /* while it grows, its URLs are offsets into text */
	struct prn_due_turn *turns; /* [PRN_DUE_TURNS] */
	struct prn_pacing pacing;   /* of the root, as it began */
	struct prn_lot lot;
	double taken; /* by the lot off the ledger */
	uint64_t asker; /* prn_shard_index_asker */

	/* The list that is being asked. */
	struct prn_decider *index;
	size_t first_shard;
	struct prn_due_places shards;
	size_t *looked_at;            /* [shards.count] */
	size_t *queue, first, last;   /* the places of shards that wait to be asked: a ring of [2 shards.count], from first to last */
	size_t start, next;           /* where this call begins, and where another call will */
	size_t round_end, fair_limit; /* up to round_end each waiting shard has at most this limit … */
	double fair_room;             /* … and this much of the lot */

	/* Of several lists. */
	struct prn_due_places lists;
	size_t others; /* how many shards may be asked although nothing is known to be due there */
	bool unasked;  /* a list that was asked has shards that were not */

	struct prn_giant_look *giants; /* of a call that leases nothing */
	double silence_s;              /* how long shards were waited for that did not answer */
	double looks_began;            /* by prn_monotonic: the looks that are under way (shards_due_lists.c) … */
	_Atomic bool looks_are_silent; /* … and whether one was not answered */
	bool has_room; /* the budget has room in the end, and something that is due was kept back before */
	struct prn_error *error;
};

/* How many shards of a list a call asks, at most, although nothing is known to be due there. */
static inline size_t prn_due_others(size_t count)
{
	return 64 + count / 64;
}

/*
 * Where the first call of a process begins among count shards, or lists.  Whatever the numbers of processes and the times of their calls
 * have in common, as where a script runs as many programs each hour, all places come.
 */
static inline size_t prn_due_start(uint64_t process, int64_t now, size_t count)
{
	return (size_t)(XXH3_64bits_withSeed(&now, sizeof now, process) % count);
}

/* What the root's own index is of. */
static inline struct prn_due_places *prn_due_of_root(struct prn_due_call *call)
{
	return call->root->shards->list_count > 1 ? &call->lists : &call->shards;
}

/*
 * shards_due_known.c: whether there is something to hand out at a place that was not asked.  _next_of: when its next page becomes due, by
 * its answer or else by its entry; INT64_MAX: none does.  _giants_open: when the first giant may be asked, by its gate as it was last
 * read, among those with a part in a shard, or, in the list of lists, among all; INT64_MAX: no pages wait for giants there.
 */
bool prn_due_is_due(const struct prn_due_call *call, const struct prn_due_places *places, size_t place);
int64_t prn_due_next_of(const struct prn_due_places *places, size_t place);
int64_t prn_due_giants_open(const struct prn_due_call *call, const struct prn_due_places *places, size_t place);

/*
 * _has_answered: whether this process asked a shard within a minute, by its clock and by the times of calls, and it had nothing more.
 * _needs_no_look: whether that is still so without asking, because nobody else writes to the store.
 */
bool prn_due_has_answered(const struct prn_due_call *call, size_t place);
bool prn_due_needs_no_look(const struct prn_due_call *call, size_t place);

/*
 * Of all places: _next: when there may be more to hand out, by the answers of those that were asked, and by the entries of others;
 * INT64_MAX: never.  _first: when there is something in the shards, including leases that run out.  _has_unasked: whether one was not
 * asked that ought to be.  _is_kept_back: whether something is due that was not handed out.
 */
int64_t prn_due_next(const struct prn_due_call *call, const struct prn_due_places *places);
int64_t prn_due_first(const struct prn_due_call *call);
bool prn_due_has_unasked(const struct prn_due_call *call, const struct prn_due_places *places);
bool prn_due_is_kept_back(const struct prn_due_call *call, const struct prn_due_places *places);

/* Whether more may be handed out: limit, lot and patience are not used up. */
bool prn_due_goes_on(const struct prn_due_call *call);

/* Whether a call that has waited so long for shards that do not answer may wait for more of them; otherwise they are for the next call. */
bool prn_due_is_patient(double silence_s);

/* Sets, of the list, when there may be more, and whether the budget kept something back. */
void prn_due_set_next(struct prn_due_call *call, const struct prn_ledger *ledger);

/*
 * shards_due_turns.c: _ask_some asks the first waiting shards, and puts those that may have more behind the others; _ask_waiting goes on
 * with that.  _ask_shard asks the shard of a turn, and _take_turn takes its answer.  One that is lost or silent is told in the list.
 * Errors of shards, PRN_E_MEMORY
 */
int prn_due_ask_some(struct prn_due_call *call);
int prn_due_ask_waiting(struct prn_due_call *call);
void prn_due_ask_shard(const struct prn_due_call *call, struct prn_due_turn *turn);
int prn_due_take_turn(struct prn_due_call *call, const struct prn_due_turn *turn);

/* Keeps what a shard was found to have, for later calls of this process. */
void prn_due_keep_answer(const struct prn_due_call *call, size_t place, const struct prn_shard_found *found);

/* Puts the list in order when it no longer grows. */
void prn_due_finish_list(struct prn_due_list *list);

/*
 * shards_due_lot.c: _begin spends a lot of the budget in the ledger, durably, before any of it is handed out.  _end gives back what is
 * left, and stages and commits what was found; what could not be written is owed.  Errors of commits
 */
int prn_due_begin(struct prn_due_call *call);
int prn_due_end(struct prn_due_call *call, struct prn_ledger *ledger);

/* Stages the answers of the shards, or lists, that were asked in the index of them.  Errors of batches */
int prn_due_put_asked(struct prn_due_call *call, struct prn_decider *index, const struct prn_due_places *places);

/*
 * shards_due_lists.c: _ask_shards asks shards of the root's own list, or of the list that is being asked; _ask_lists asks several lists.
 * _give_early hands out what is due soonest, where the budget has room left.  Errors of shards and commits
 */
int prn_due_ask_shards(struct prn_due_call *call);
int prn_due_ask_lists(struct prn_due_call *call);
int prn_due_give_early(struct prn_due_call *call);

#endif
