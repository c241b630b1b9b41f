/*
 * A store of several shards (store/shards.h) as its decider has it: which shard pages and hosts belong to, a decider for each
 * shard, opened when it is first asked for, and what leads from one shard to another.
 */
#ifndef DECIDE_SHARDS_H
#define DECIDE_SHARDS_H

#include "decide/decider_internal.h"
#include "decide/giants.h"
#include "decide/ledger.h"
#include "store/turn.h"

#include <pthread.h>

typedef int prn_shards_forward_fn(struct prn_decider *root, struct prn_error *error);

/* Deciders of shards that are kept open, some 35 kB each, but for those in use or with something staged. */
#define PRN_SHARDS_OPEN 1024

/* What a shard had to hand out when it was asked.  The answer is believed for a while, unless something is written there. */
struct prn_shard_answer {
	double at;        /* by prn_monotonic; 0: it is not to be believed */
	int64_t now, due; /* due: from when on there is something, unless a lease runs out; INT64_MAX: nothing is to become due */
	double threshold; /* by which */
};

struct prn_shards {
	size_t count;
	prn_shards_forward_fn *forward, *settle; /* prn_shards_forward and _settle, which a commit comes to */
	enum prn_store_mode mode;
	size_t list_count, list_size; /* lists of shards, 1: the root's own; and shards of each */
	pthread_mutex_t lock;      /* of what follows; nobody reads or opens anything while he has it … */
	pthread_cond_t done;       /* … but is busy with it, and this tells who waits that he no longer is */
	struct prn_decider **lists; /* [list_count]: deciders of lists, which have nothing else; NULL: not open so far */
	struct prn_decider **at;   /* [count]; NULL: not open */
	bool *lists_busy, *at_busy; /* [list_count], [count]: somebody opens or closes it */
	struct prn_decider **open; /* [slots]: those that are; NULL: a gap */
	size_t slots, capacity, open_count, most;
	uint64_t uses;             /* ever */
	uint64_t conflicts, commits; /* of those that were closed */
	struct prn_price price;    /* of the root, as it was read … */
	double price_at;           /* … by prn_monotonic; below 0: it is to be read anew */
	bool price_busy;           /* somebody reads it */
	uint64_t price_changes;    /* ever */
	struct prn_shard_answer *answers; /* [count]: each of who writes to its shard; NULL: of several lists */
	struct prn_giant *giants;  /* [giant_count], in the order of their numbers: which they are stays as it is */
	size_t giant_count;
	pthread_mutex_t gates;     /* of their gates, and meanwhile of the root's batch */
	size_t start, start_list;  /* where the next prn_decider_due begins, each 1 more; 0: nowhere so far: the writer's */
	int64_t nothing_early;     /* when shards were last asked for pages before their time, and had none; or PRN_TIME_UNKNOWN: the writer's */
	struct prn_settled owed;   /* taken off shards, and not in the root's ledger, for that could not be written: the writer's */
};

/*
 * Makes a decider a root if its store has several shards.  PRN_E_ARGUMENT: hosts are to be asked as one that may be in several
 * shards; errors of views, PRN_E_MEMORY
 */
int prn_shards_begin(struct prn_decider *decider, enum prn_store_mode mode, prn_shards_forward_fn *forward,
                     prn_shards_forward_fn *settle, struct prn_error *error);
void prn_shards_end(struct prn_decider *root);

/* PRN_E_ARGUMENT: as above.  _set_options: the root has options that were checked, and so have what is open and what will be. */
int prn_shards_check_options(const struct prn_decider_options *options, struct prn_error *error);
void prn_shards_set_options(struct prn_decider *root, const struct prn_decider_options *options);

/* Gives the root's options to a decider of the root, a list or a shard. */
void prn_shards_part_options(struct prn_decider *part, const struct prn_decider_options *options);

/*
 * The decider of a shard, by any thread, which says when it is done with it: others may be closed then, those first that were
 * used longest ago.  _done of a decider that is no shard's does nothing.  make, for a store opened for writing: one that was not made yet is.
 * Who asks for a shard that another opens waits until that one has; who asks for one that is open waits for nobody.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) it was not made yet
 * Errors of prn_shard_open
 */
int prn_shards_get(struct prn_decider *root, size_t shard, bool make, struct prn_decider **out,
                   struct prn_error *error);

void prn_shards_done(struct prn_decider *shard);

/*
 * Whether a shard is open, or is being opened or closed.  If so, a file that is put in its place is not the one that it reads
 * and writes.
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
 * Likewise, but those that are damaged, gone or another's, or that run finds damaged, are counted, and the others go on.  Of a list that is
 * lost it is not known how many it had: it counts as one.
 */
struct prn_shards_damaged {
	uint64_t count;
	struct prn_error first; /* of them: which, and why */
};
int prn_shards_each_whole(struct prn_decider *root, prn_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                          struct prn_error *error);

/* prn_shards_each_made that only goes past lists that are lost, and adds them to *damaged, NULL: does not. */
int prn_shards_each_listed(struct prn_decider *root, prn_made_shard_fn *run, void *context, struct prn_shards_damaged *damaged,
                           struct prn_error *error);

/*
 * What lists shards, the first of which is list * list_size: the root itself, or the decider of a list, which is the writer's
 * as the root is and stays open.  PRN_E_NOT_FOUND: as _get.  Errors of prn_shards_list_open
 */
int prn_shards_list_of(struct prn_decider *root, size_t list, struct prn_decider **out, struct prn_error *error);

/*
 * Another shard, or list, took the place of one.  What its list, or the root, knew of the old one is forgotten, so that loads
 * are of what is there, and it is asked again.  Errors of commits
 */
int prn_shards_forget(struct prn_decider *root, size_t shard, struct prn_error *error);
int prn_shards_forget_list(struct prn_decider *root, size_t list, struct prn_error *error);

/* The root's threshold and budget, at most about a second old.  By any thread.  Errors of views */
int prn_shards_price(struct prn_decider *root, struct prn_price *price, struct prn_error *error);

/* Notes that the threshold or the budget has changed: they are read again. */
void prn_shards_price_changed(struct prn_decider *root);

/* Gives a shard's writer the root's present threshold and budget. */
int prn_shards_tell(struct prn_decider *shard, struct prn_error *error);

/*
 * Whether a page is of another shard than that of a decider; and whether it is known there, by what is committed.
 * Errors of views
 */
bool prn_shards_is_elsewhere(const struct prn_decider *decider, const char *normal_url);
int prn_shards_knows(struct prn_decider *shard, const char *normal_url, bool *known, struct prn_error *error);

/*
 * Notes that a redirect of a shard's page leads to a page of another shard, which becomes as page says or, with NULL, is
 * refused.  It goes with what is staged: _forward tells the other shards what is durable, and commits there.  is_noted: a
 * repeated report would not lead there again, so the target is noted in the shard until it is done, by this process or, if
 * that dies, by the next one that opens the shard for writing.  Errors of batches and commits
 */
int prn_shards_lead(struct prn_decider *shard, const char *target, int64_t time, const struct prn_entry *page, bool is_noted,
                    struct prn_error *error);
prn_shards_forward_fn prn_shards_forward;

/* Stages the targets with a higher number in their shards, and takes them off this one, but for those that are noted.  Errors of batches */
int prn_shards_stage_targets(struct prn_decider *shard, uint64_t number, struct prn_error *error);

/* Drops the targets that are not durable and have a higher number. */
void prn_shards_drop_targets(struct prn_decider *shard, uint64_t number);

/*
 * Brings what was settled in shards that are open, and have nothing staged, to the root's ledger, and commits both.  If the
 * process dies in between, what was to come back stays spent.  For the other shards _due does it (shards_due.h).  Errors of
 * commits: then what was taken off shards is owed to the ledger, and brought by the next call or the next _due of this process
 */
prn_shards_forward_fn prn_shards_settle;

/* What was taken off shards could not be brought to the ledger: the same. */
void prn_shards_owe(struct prn_decider *root, const struct prn_settled *settled);

/*
 * The sums over shards, open or closed, of what they have staged and ever committed and met; all 0 for a store without shards.
 */
struct prn_shards_sums {
	uint64_t conflicts, commits;
	size_t staged;
};
struct prn_shards_sums prn_shards_sums(const struct prn_decider *decider);

/* Does something with each that is open, until run returns another code than 0, which it returns. */
typedef int prn_open_shard_fn(void *context, struct prn_decider *shard);
int prn_shards_each_open(const struct prn_decider *root, prn_open_shard_fn *run, void *context);

#endif
