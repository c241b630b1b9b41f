/*
 * A store of several shards (store/shards.h): the shard that a page or host belongs to, a decider for each shard, opened when it
 * is first asked for, and messages from one shard to another (shard_message.h).
 */
#ifndef DECIDE_SHARDS_H
#define DECIDE_SHARDS_H

#include "decide/host_answer.h"
#include "decide/decider_internal.h"
#include "decide/giants.h"
#include "decide/ledger.h"
#include "store/turn.h"

#include <pthread.h>

/* How many deciders of shards are kept open, some 35 kB each; more only if they are in use or have something staged. */
#define PRN_SHARDS_OPEN 1024

/* When a shard will have something to hand out.  The answer counts for a while, unless something is written to the shard. */
struct prn_shard_answer {
	double at;        /* by prn_monotonic; 0: there is none */
	int64_t now, due; /* due: when something is due; INT64_MAX: nothing will be */
	int64_t next;     /* likewise, unless a lease runs out before */
	double threshold; /* for which it was asked */
	uint64_t version; /* of the shard then; 0: unknown */
};

struct prn_shards {
	size_t count;
	enum prn_store_mode mode;
	size_t list_count, list_size; /* the number of lists of shards (1: the root's own), and the shards of each */
	pthread_mutex_t lock;      /* of the members up to answers.  No thread reads a store or opens one under it: the thread sets a busy flag … */
	pthread_cond_t done;       /* … and this wakes the threads that wait for the flag */
	struct prn_decider **lists; /* [list_count]: deciders of lists, without pages; NULL: not open so far */
	struct prn_decider **at;   /* [count]; NULL: not open */
	bool *lists_busy, *at_busy; /* [list_count], [count]: a thread opens or closes it */
	struct prn_decider **open; /* [slots]: the open shards; NULL: a free slot */
	size_t slots, capacity, open_count, most;
	uint64_t uses;             /* ever */
	uint64_t conflicts, commits; /* of shards that were closed */
	struct prn_price price;    /* of the root, as it was read … */
	double price_at;           /* … at this time by prn_monotonic; below 0: it must be read again */
	bool price_busy;           /* a thread reads it */
	uint64_t price_changes;    /* ever */
	struct prn_shard_answer *answers; /* [count]: each belongs to the thread that writes to its shard; NULL: there are several lists */
	struct prn_giant *giants;  /* [giant_count], in the order of their numbers; the set does not change */
	size_t giant_count;
	pthread_mutex_t gates;     /* of the giants' gates, and meanwhile of the root's batch */
	size_t start, start_list;  /* the writer's: where the next prn_decider_due begins, plus 1; 0: not set so far */
	int64_t nothing_early;     /* the writer's: when shards last had no pages before their time; PRN_TIME_UNKNOWN: unknown */
	struct prn_settled owed;   /* the writer's: amounts taken off shards that could not be written to the root's ledger */
};

/*
 * Makes a decider a root if its store has several shards.  PRN_E_ARGUMENT: hosts are to be asked as one that may be in several
 * shards; errors of views, PRN_E_MEMORY
 */
int prn_shards_begin(struct prn_decider *decider, enum prn_store_mode mode, struct prn_error *error);
void prn_shards_end(struct prn_decider *root);

/* _check_options: PRN_E_ARGUMENT as above.  _set_options gives options that were checked to the root and to all its parts. */
int prn_shards_check_options(const struct prn_decider_options *options, struct prn_error *error);
void prn_shards_set_options(struct prn_decider *root, const struct prn_decider_options *options);

/* Gives the root's options to a decider of the root, a list or a shard. */
void prn_shards_part_options(struct prn_decider *part, const struct prn_decider_options *options);

/*
 * _get returns the decider of a shard, to any thread, which calls _done when it no longer uses it.  Then shards may be closed, those
 * first that were used longest ago.  _done does nothing for a decider that is not a shard's.  make: in a store opened for writing, a
 * shard that was not made yet is made.  A thread waits only while another opens or closes the same shard.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) the shard was not made yet
 * Errors of prn_shard_open
 */
int prn_shards_get(struct prn_decider *root, size_t shard, bool make, struct prn_decider **out,
                   struct prn_error *error);

void prn_shards_done(struct prn_decider *shard);

/*
 * Whether a shard is open, or is being opened or closed.  If so, this process would not read and write a file that is put in its
 * place.
 */
bool prn_shards_is_open(struct prn_decider *root, size_t shard);

/* The shard of a root that a page is in, by the page's normal URL. */
size_t prn_shards_place(const struct prn_decider *root, const char *normal_url);

/* As prn_shards_get, for a page by its normal URL. */
int prn_shards_route(struct prn_decider *root, const char *normal_url, bool make, struct prn_decider **out,
                     struct prn_error *error);

/*
 * Runs a function for the shard of a host, or for the shards of all parts of a giant, of those that were made.  A result of
 * run other than 0 ends it and is returned.  Errors of opening
 */
typedef int prn_shard_fn(void *context, struct prn_decider *shard, struct prn_error *error);
int prn_shards_each_of_host(struct prn_decider *root, struct prn_host_name name, prn_shard_fn *run, void *context, struct prn_error *error);

/*
 * Runs a function for each shard that was made, in order.  A result of run other than 0 ends it and is returned.  Errors of
 * views and of opening
 */
typedef int prn_made_shard_fn(void *context, size_t shard, struct prn_error *error);
int prn_shards_each_made(struct prn_decider *root, prn_made_shard_fn *run, void *context, struct prn_error *error);

/* Does the same with the decider of each shard. */
int prn_shards_each(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_error *error);

/*
 * Likewise, but shards that are damaged, gone or another store's, or that run finds damaged, are counted and left out.  A list that is lost
 * counts as one, because it is not known how many shards it had.
 */
struct prn_shards_damaged {
	uint64_t count;
	struct prn_error first; /* the error of the first one */
	bool or_silent;         /* private: those that do not answer count too */
};
int prn_shards_each_whole(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                          struct prn_error *error);

/* Likewise, but shards that do not answer (prn_shards_is_silent) are counted and left out too, by whoever only reads. */
int prn_shards_each_answering(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                              struct prn_error *error);

/* As prn_shards_each_made, but lists that are lost are left out and added to *damaged, unless that is NULL. */
int prn_shards_each_listed(struct prn_decider *root, prn_made_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                           struct prn_error *error);

/*
 * The decider that has a list of shards, the first of which is list * list_size: the root itself, or the decider of a list, which
 * is the writer's, like the root, and stays open.  PRN_E_NOT_FOUND: as _get.  Errors of prn_shards_list_open
 */
int prn_shards_list_of(struct prn_decider *root, size_t list, struct prn_decider **out, struct prn_error *error);

/*
 * Resets the entry of a shard, or list, that was replaced by another one, so that the old one's loads no longer count, and the new
 * one is asked.  Errors of commits
 */
int prn_shards_forget(struct prn_decider *root, size_t shard, struct prn_error *error);
int prn_shards_forget_list(struct prn_decider *root, size_t list, struct prn_error *error);

/* The root's threshold and budget, at most about a second old.  By any thread.  Errors of views */
int prn_shards_price(struct prn_decider *root, struct prn_price *price, struct prn_error *error);

/* Notes that the threshold or the budget has changed, so that they are read again. */
void prn_shards_price_changed(struct prn_decider *root);

/* Gives a shard's writer the root's present threshold and budget. */
int prn_shards_take_price(struct prn_decider *shard, struct prn_error *error);

/*
 * _is_elsewhere: whether a page belongs to another shard than that of a decider.  _knows: whether it is known there, as committed,
 * or will be, by a message of this shard.  *lost: the other shard is lost, and the page counts as known if this shard has a note of it
 * (target_note.h).  Errors of views
 */
bool prn_shards_is_elsewhere(const struct prn_decider *decider, const char *normal_url);
int prn_shards_knows(struct prn_decider *shard, const char *normal_url, bool *known, bool *lost, struct prn_error *error);

/*
 * Sends the messages of open shards whose changes are durable (shard_message.h), and commits in the shards that they are for.  One
 * that fails holds the others up as little as one that is lost: the first error is returned when all were tried.  Errors of commits
 */
int prn_shards_forward(struct prn_decider *root, struct prn_error *error);

/* Whether an error says that a shard cannot be used as it is, though others can: it is damaged, cut off, or of another version. */
static inline bool prn_shards_is_lost(int code)
{
	return code == PRN_E_DAMAGED || code == PRN_E_VERSION || code == PRN_E_TRUNCATED;
}

/*
 * Whether an error of a shard says that it does not answer, though the root does.  Where the cluster as a whole is silent, or the settings
 * are being changed, it is an error of the store.  Asks the root
 */
bool prn_shards_is_silent(const struct prn_decider *root, int code);

/*
 * Stages what follows from the messages with a higher number in the shards that they are for, and drops them here, except for those
 * that are noted.  A shard that is lost does not refuse what is noted.  Errors of batches
 */
int prn_shards_stage_messages(struct prn_decider *shard, uint64_t number, struct prn_error *error);


/*
 * Brings the amounts that were settled in shards that are open, and have nothing staged, to the root's ledger, and commits both.  If
 * the process dies in between, amounts that should come back stay spent.  For other shards _due does it (shards_due.h).  Errors of
 * commits: then the amounts taken off shards are owed, and are brought by the next call or the next _due of this process
 */
int prn_shards_settle(struct prn_decider *root, struct prn_error *error);

/* Notes as owed what was taken off shards and could not be brought to the ledger. */
void prn_shards_owe(struct prn_decider *root, const struct prn_settled *settled);

/* The sums over shards, open or closed, of commits and conflicts ever, and of staged changes; all 0 for a store without shards. */
struct prn_shards_sums {
	uint64_t conflicts, commits;
	size_t staged;
};
struct prn_shards_sums prn_shards_sums(const struct prn_decider *decider);

/* Runs a function for each shard that is open.  A result of run other than 0 ends it and is returned. */
typedef int prn_open_shard_fn(void *context, struct prn_decider *shard);
int prn_shards_each_open(const struct prn_decider *root, prn_open_shard_fn *run, void *context);

#endif
