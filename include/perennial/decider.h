/*
 * The decider: a store of pages and a policy, beside a fetcher.  The fetcher's captures go in as observations (outcome.h),
 * and URLs to fetch come out, the most valuable first (due.h); explanation.h tells why, and tuning.h finds the threshold for
 * a budget.
 *
 * Changes are staged and become durable with prn_decider_commit.  A crash loses what was not committed, and nothing else.
 *
 * The clock is the caller's: now is in Unix seconds.  The policy's clock unit is days, so T is in divergence-days.
 *
 * Threads: a decider has one writer, the thread that calls the functions that change it.  Functions that only read
 * (prn_decider_body, _totals, _explain, _each, _stats, _count) may be called from any thread at any time, and see what is
 * committed.
 */
#ifndef PERENNIAL_DECIDER_H
#define PERENNIAL_DECIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/budget.h"
#include "perennial/error.h"
#include "perennial/policy.h"
#include "perennial/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The settings of a new store; all zero: the defaults. */
struct prn_decider_settings {
	const char *policy;     /* specification; NULL: PRN_POLICY_DEFAULT.  Its summary is 8 unless it says otherwise */
	double threshold;       /* T, or what the policy's dial is (days for a period); from 1e-300 to 1e300; 0: 0.25 */
	double budget_per_day;  /* visits or bytes, PRN_BUDGET_LEAST or more, which prn_decider_due keeps to; 0: none */
	enum prn_unit unit;     /* of the budget */
	const char *cost_304;   /* what a look that is answered "not modified" costs of a budget, as a share of a fetch in (0, 1]: "0.1",
	                         * or of a media type "application/pdf=0.02", several apart by commas.  NULL or "": in visits as a
	                         * fetch, in bytes 400 */
	unsigned shingle_words; /* at most PRN_SHINGLE_WORDS_MAX; 0: PRN_SHINGLE_WORDS */
	unsigned shards;        /* a power of two up to PRN_SHARDS_MOST; 0: 1 */
	const char *const *giants; /* [giant_count] hosts that are too large for a shard, and spread over several: "HOST", over all up to 64, or
	                            * "HOST/PARTS" with a power of two from 2 to shards */
	size_t giant_count;
};

/*
 * Shards.  A store may be spread over several, each with the pages of some hosts, since one object of a cluster has room for
 * 50,000 pages or some more, and takes one commit at a time.  All functions of this header and the others work on the whole
 * of it, and a call that names a page goes to the shard of that page's host.  There is one threshold, one budget, and one
 * list of what is due.  These differences show:
 *
 * - A commit makes each shard's staged changes durable separately, and may fail for one shard and not for others.  A program
 *   that stages much should do so for one shard at a time, with the shard's own decider (prn_decider_shard).  _again,
 *   _abandon and _staged are about all shards.
 * - A savepoint works only if nothing was staged when it was taken.
 * - A redirect to a host of another shard adds its target there during the commit, after the page that redirects.  If the
 *   process dies in between, the next visit of the page adds it.
 * - Threshold and budget that another process sets are known a second later.
 * - A host that is named as a giant (prn_decider_settings.giants) has its pages in several shards, by their paths, and is
 *   still one host: its limit, delay, wishes and share of the budget are those of all its pages.
 * - Hosts that are asked as one (prn_host_rule.group, group_by_address) would be in several shards: such options are refused.
 */
#define PRN_SHARDS_MOST 1048576

/*
 * Makes a store.  settings NULL: the defaults.  Errors of prn_store_create, and of prn_policy_open, and
 *
 * PRN_E_ARGUMENT	threshold or budget is not finite and >= 0; cost_304 is none of these; shards are no power of two up to PRN_SHARDS_MOST; a giant is no host, named twice, or in no number of parts that there can be; or the policy keeps more than PRN_PAGE_HASHES hashes
 *		("summary=all" does)
 */
int prn_decider_create(const char *path, const struct prn_decider_settings *settings, struct prn_error *error);

/*
 * Bounds on the time between two visits of the pages that the rule is about.  Each bound is taken from the most specific rule
 * that sets it: the one with the longest SURT prefix that the page is under, else that for its media type, else that for the
 * whole of its kind, else the rule for all pages, else 10 minutes and 180 days.
 */
struct prn_interval_rule {
	const char *surt;    /* "example,a" or "(example,a,)/news" (url.h); NULL: not by place */
	const char *media;   /* "text/html", or "image/" + "*"; NULL: not by type; one of the two is NULL */
	double min_s, max_s; /* 0: says nothing; at most 10000 years */
};

/*
 * How the hosts that the rule is about are asked for pages.  Each setting is taken from the most specific rule that has it:
 * the one with the longest prefix that the host is under, else the rule for all hosts, else the options.
 *
 * Hosts with the same group are asked as if they were one host; so are hosts of one address, with group_by_address.  A rule
 * of its own, for "@" and the group's name or the address, has the settings of the group.
 */
#define PRN_HOST_GROUP_BYTES 255

struct prn_host_rule {
	const char *hosts;  /* "example,a": a SURT prefix of hosts; "@name": a group; NULL: all hosts */
	double delay_s;     /* < 0: says nothing */
	double limit;       /* a whole number; 0: any number; < 0: says nothing */
	double from_s, to_s; /* seconds of the UTC day, 0 … 86400, between which it may be asked, over midnight if from_s >
	                     * to_s; equal, or from 86400 to 0, which are one moment: says nothing */
	const char *group;  /* of 1 to PRN_HOST_GROUP_BYTES bytes; NULL: says nothing */
};

/*
 * A rule for all hosts that says nothing.  A rule of zero bytes would say that they are asked without a delay, for any number of
 * pages at a time: begin with this, and set what the rule is to say.
 *
 *	prn_host_rule_init(&rule);
 *	rule.hosts = "example,slow";
 *	rule.delay_s = 60;
 */
void prn_host_rule_init(struct prn_host_rule *rule);

/* How a decider is run: not kept in the store. */
struct prn_decider_options {
	const struct prn_interval_rule *intervals; /* [interval_count], borrowed until the decider is freed */
	size_t interval_count;
	unsigned retire_after;    /* 404 and 410 in a row that retire a page, 1 … 15 */
	double suspect_above;     /* a change beyond this, from every version kept, is suspect; from 1 up: none is … */
	double suspect_usual;     /* … of a page that is usually not further than this from the nearest */
	double suspect_after_s;   /* when a suspect is visited again */
	double retry_s;           /* after a failure, doubling with each in a row … */
	double retry_max_s;       /* … up to this; no page's Retry-After is longer either, and no host's than a day.  A page that
	                           * goes on failing waits for some of its intervals if they are longer (doc/theory.md §10) */
	double host_delay_s;      /* from when a URL of a host was handed out, or was fetched, to the next; 0: none */
	unsigned host_limit;      /* URLs of a host on lease at a time; 0: any number */
	const struct prn_host_rule *hosts; /* [host_count], borrowed until the decider is freed */
	size_t host_count;
	bool group_by_address;    /* hosts whose last reports came from one address are one host, unless a rule groups them */
	double host_share;        /* of the store's budget that one host may have, where there are PRN_SHARING_HOSTS or more
	                           * that were asked of late; 1: all */
	double future_s;          /* how far beyond now a capture's time may be */
	bool known_only;          /* pages that are not in the store are refused; */
	bool media_of_pages;      /* … only those whose content is no page's by its media type (prn_media_is_page) */
	unsigned redirects_per_host; /* pages that the redirects of a host may add, ever; 0: none */
	unsigned redirect_chain;  /* redirects in a row, from a page that somebody named, that may add pages: 0 … 20 */
	unsigned hints;           /* PRN_HINTS_…: among what is observed, whose entries are hints */
	unsigned hinted_per_host; /* pages of a host that hints may add, ever (hinting.h); 0: none */
	unsigned hints_per_day;   /* of a source that are counted for a host within a day */
	double lock_wait_s;       /* for another writer to finish */
};

#define PRN_SHARING_HOSTS 20
#define PRN_HINTS_SITEMAP 1u
#define PRN_HINTS_FEED 2u

/* 3; 0.9 and 0.3, 1 h; 1 h to 7 d; a second, one at a time, no rules, a tenth; 60 s; false, false; 100, 5; none; 1000, 10000; 10 s. */
void prn_decider_options_init(struct prn_decider_options *options);

struct prn_decider;

/*
 * Opens a store.  options NULL: the defaults.  Errors of prn_store_open, and
 *
 * PRN_E_ARGUMENT		an option is outside its range; the text says which
 * PRN_E_VERSION	the store's fragments are of a newer rule, or its policy is not known here or packs
 *			its states in another way (info.state_version)
 * PRN_E_DAMAGED	its settings are damaged
 */
int prn_decider_open(struct prn_decider **out, const char *path, enum prn_store_mode mode,
                     const struct prn_decider_options *options, struct prn_error *error);

/*
 * Lets a store whose fragments were made by an older rule (PRN_FRAGMENT_RULE) go on with those of this program, durably, and
 * commits what was staged.  Until then no content is observed, and observing it is PRN_E_VERSION: the next version of a page
 * that the two rules read differently will look changed.  The caller of a store that others share makes sure that no older
 * program writes to it any more.
 *
 * PRN_E_ARGUMENT	the store is open for reading.  Errors of commits
 */
int prn_decider_take_rule(struct prn_decider *decider, struct prn_error *error);

/*
 * Sets other options from now on; NULL: the defaults.  lock_wait_s is ignored.  Must not be called while another thread is in
 * a call. PRN_E_ARGUMENT: as above, and the options stay as they were.
 */
int prn_decider_set_options(struct prn_decider *decider, const struct prn_decider_options *options,
                            struct prn_error *error);

/* What is not committed is dropped.  NULL is fine. */
void prn_decider_free(struct prn_decider *decider);

/* Valid as long as the decider; threshold as the writer has it. */
struct prn_store *prn_decider_store(const struct prn_decider *decider);
const struct prn_policy *prn_decider_policy(const struct prn_decider *decider);
const char *prn_decider_specification(const struct prn_decider *decider); /* of the policy */
double prn_decider_threshold(const struct prn_decider *decider);
double prn_decider_budget(const struct prn_decider *decider); /* per day, in its unit; 0: none */
enum prn_unit prn_decider_unit(const struct prn_decider *decider);
size_t prn_decider_summary(const struct prn_decider *decider); /* m: for extractors and observations */
unsigned prn_decider_shingle_words(const struct prn_decider *decider); /* k: for extractors */

/* How many shards its store has; 1: it is not spread. */
size_t prn_decider_shards(const struct prn_decider *decider);

/*
 * The decider of the shard that the page of a URL belongs to; the decider itself, where the store is not spread.  It is valid
 * as long as the decider, or until _shard_done was called once for each time that it was got; like the decider it belongs to
 * the writer. When it commits, it adds targets of redirects to other shards.
 *
 * About 35 kB each are kept for up to a thousand shards; a program that uses more calls _shard_done for each when it has
 * finished with it.
 *
 * PRN_E_INPUT	url is not an http or https URL; PRN_E_LIMIT: too long
 * PRN_E_NOT_FOUND	opened for reading, and no page of that shard was ever added
 * Errors of prn_decider_open
 */
int prn_decider_shard(struct prn_decider *decider, const char *url, struct prn_decider **shard, struct prn_error *error);
void prn_decider_shard_done(struct prn_decider *shard);

/* How many changes are staged: roughly pages, and hosts and suspects. */
size_t prn_decider_staged(const struct prn_decider *decider);

/*
 * Makes all that is staged durable, or nothing.  Errors of prn_batch_commit: what was staged still is, and may be
 * committed once more (the disk has room again) or abandoned.
 *
 * Of a giant host (prn_decider_settings) that wants to be left alone, the store's root is told once that is durable.  Where it cannot
 * be told, this fails, once, with PRN_E_BUSY or as above, with nothing staged: report again what was not acknowledged.
 */
int prn_decider_commit(struct prn_decider *decider, struct prn_error *error);

/* Drops what is staged. */
void prn_decider_abandon(struct prn_decider *decider);

/*
 * Makes each commit ask guard first, also the commits of functions that commit by themselves (prn_decider_due): a code other
 * than 0 becomes that of the commit, and nothing is made durable.  In this way a program's own policy can fail, though its
 * functions cannot (policy_kind.h): decisions made since then must not last.  context is borrowed; guard NULL, as at first:
 * nobody is asked.
 *
 * In a store of several shards guard is asked for each shard's commit.  If it refuses one, what prn_decider_due has already
 * made durable in other shards, and taken from the budget, stays: pages that it leased there are in the list that it returns,
 * or come back when their leases end.
 */
typedef int prn_decider_guard_fn(void *context, struct prn_error *error);
void prn_decider_guard_commits(struct prn_decider *decider, prn_decider_guard_fn *guard, void *context);

/*
 * In a store that is shared (store.h) other deciders write too.  Functions that change such a store, and commits, may end
 * with PRN_E_CONFLICT: nothing was written, because another was faster.  The caller then stages what is lost again, which
 * reads what the other wrote:
 *
 *	unsigned tries = 0;
 *
 *	do {
 *		code = …stage;
 *		if (!code)
 *			code = prn_decider_commit(decider, error);
 *	} while (prn_decider_again(decider, code, &tries));
 *
 * True: the code is PRN_E_CONFLICT, all that was staged is dropped, and the caller is to try again; false also after a
 * thousand tries.  Functions that commit by themselves (prn_decider_due, _forget, _release_all, _tune) repeat their own part
 * once they have committed what was staged before; a conflict of that is the caller's.
 */
bool prn_decider_again(struct prn_decider *decider, int code, unsigned *tries);

/*
 * Announces the pages that will be added, observed or released next, by their URLs: a store that is far away is then asked
 * once for all of them.  Pages need not be announced, and what is no URL is ignored.  Errors of views; PRN_E_ARGUMENT: opened
 * for reading
 */
int prn_decider_expect(struct prn_decider *decider, const char *const *urls, size_t count, struct prn_error *error);

/* How often something was to be tried again, and how often staged changes became durable. */
uint64_t prn_decider_conflicts(const struct prn_decider *decider);
uint64_t prn_decider_commits(const struct prn_decider *decider);

/*
 * A function that stages and fails leaves nothing of its own staged.  To get the same for several calls together, take a
 * savepoint before them and return to it: these are prn_batch_save and prn_batch_restore of what is staged (store.h).  Only
 * for a store opened for writing.
 */
struct prn_decider_savepoint {
	struct prn_savepoint batch;
	uint64_t refused, messages, gate_messages; /* private: the numbers of the last that it had */
};
struct prn_decider_savepoint prn_decider_save(struct prn_decider *decider);
void prn_decider_restore(struct prn_decider *decider, const struct prn_decider_savepoint *savepoint);

/*
 * The page's last body, for prn_observation_make: 0 if it is not known, or the page is not there; in a store of several
 * shards the shard's decider knows it.  Errors of views. _staged is for the writer's thread alone, and sees what is staged as
 * well.
 */
int prn_decider_body(struct prn_decider *decider, const struct prn_digest *key, uint64_t *body,
                     struct prn_error *error);
int prn_decider_body_staged(struct prn_decider *decider, const struct prn_digest *key, uint64_t *body,
                            struct prn_error *error);

enum prn_added {
	PRN_ADDED_NEW,     /* to be visited at once, or when it is due */
	PRN_ADDED_KNOWN,   /* it was there: its weight changed, if one was given, and chains of redirects begin with it anew */
	PRN_ADDED_REVIVED, /* it was retired, or cannot be read (due.h) and begins anew: to be visited at once; a retired one's next 404 retires it */
};

/*
 * Stages a page.  weight 0: 1, or as it was.  added may be NULL.
 *
 * PRN_E_INPUT	url is not an http or https URL; PRN_E_LIMIT: too long
 * PRN_E_ARGUMENT	weight is not within 0 and PRN_WEIGHT_MOST, now is PRN_TIME_UNKNOWN, or the store is open for reading
 * Errors of batches
 */
int prn_decider_add(struct prn_decider *decider, const char *url, double weight, int64_t now, enum prn_added *added,
                    struct prn_error *error);

/*
 * The same for a page whose next visit is known: a new page is visited at due, or at once if that is before now, and after
 * 180 days at the latest: no page waits longer, and one that does is taken for the work of a clock that ran ahead. Errors as
 * above; PRN_E_ARGUMENT also where due is PRN_TIME_UNKNOWN.
 */
int prn_decider_add_due(struct prn_decider *decider, const char *url, double weight, int64_t due, int64_t now,
                        enum prn_added *added, struct prn_error *error);

enum prn_forget {
	PRN_FORGET_URL,
	PRN_FORGET_HOST, /* a host name: itself, not its subdomains */
	PRN_FORGET_SURT, /* a prefix */
};

/*
 * Takes pages out of the store, commits that and what was staged, and writes how many they were.  By host and prefix it looks
 * at every page; one whose record is damaged has no readable URL, and stays.  forgotten may be NULL.
 *
 * PRN_E_INPUT	what is not a URL; PRN_E_LIMIT: too long
 * PRN_E_ARGUMENT	what is a prefix of every page, or is to be a host name and is none: a URL, or has a port or a "*"
 * Errors of views and commits
 */
int prn_decider_forget(struct prn_decider *decider, enum prn_forget by, const char *what, uint64_t *forgotten,
                       struct prn_error *error);

/*
 * How many pages prn_decider_forget would take out, counted over those that are committed: for asking first, where a slip
 * would cost much.  It looks at every page, except for PRN_FORGET_URL.  Errors as above, without those of commits.
 */
int prn_decider_count(struct prn_decider *decider, enum prn_forget by, const char *what, uint64_t *count,
                      struct prn_error *error);

/*
 * Ends the lease of a page (due.h) that its fetcher gives back, also of one whose state cannot be read: it is due as it was
 * before it was handed out, and no failure is counted.  Stages that, and writes whether the page was on lease: a page that is
 * not, or is not known, stays as it is.  released may be NULL.
 *
 * PRN_E_INPUT	url is not an http or https URL; PRN_E_LIMIT: too long
 * PRN_E_ARGUMENT	now is PRN_TIME_UNKNOWN, or the store is open for reading
 * Errors of batches
 */
int prn_decider_release(struct prn_decider *decider, const char *url, int64_t now, bool *released,
                        struct prn_error *error);

/* What prn_decider_check looked at and found wrong. */
struct prn_state_findings {
	uint64_t pages;      /* looked at: whose record is whole */
	uint64_t unreadable; /* of these, whose state the policy cannot read: damaged, or packed by a policy that was built otherwise */
	uint64_t sides;      /* of what is known of pages' validators and suspect content, of sources of hints, of siblings, and of what redirects
	                      * lead to in other shards, what is damaged: none of it is used */
	uint64_t repaired;   /* of these */
};

/*
 * Reads the state of every page, which prn_store_check cannot do because it knows no policy, and the records of validators,
 * suspect content, siblings and sources of hints.  With repair, in a store opened for writing, pages that cannot be read
 * begin anew: such a page stays known, with its weight and its lease, and is due at now; a retired one stays retired; and
 * damaged records of the other kinds are taken out.  Commits that and what was staged.  options are as for prn_store_check;
 * NULL: none.
 *
 * PRN_E_VERSION	a state was written by a newer program: nothing is wrong with it, and nothing was changed
 * PRN_E_ARGUMENT	repair in a store opened for reading; now is PRN_TIME_UNKNOWN
 * Errors of views and commits
 */
int prn_decider_check(struct prn_decider *decider, const struct prn_store_check_options *options, int64_t now,
                      struct prn_state_findings *findings, struct prn_error *error);

/*
 * prn_store_rebuild of a decider's store: what was saved takes the place of the damaged file only where its settings are all there
 * and can be read.  A store without any setting is one of no decider, and made anew as prn_store_rebuild does.  States and
 * records that were damaged within a file whose pages are whole are saved as they are: prn_decider_check mends them then.
 *
 * PRN_E_DAMAGED	also if a setting is lost, or its value cannot be read: only a backup helps
 * Errors of prn_store_rebuild
 */
int prn_decider_rebuild(const char *path, double lock_wait_s, struct prn_store_rebuilt *rebuilt, struct prn_error *error);

/* Adds up what was found in several stores, or shards. */
void prn_state_findings_add(struct prn_state_findings *to, const struct prn_state_findings *found);

enum prn_release {
	PRN_RELEASE_ALL,
	PRN_RELEASE_HOST, /* as enum prn_forget has them */
	PRN_RELEASE_SURT,
};

/*
 * The same for all pages on lease, or those that what names; what is ignored for PRN_RELEASE_ALL.  Commits that and what was
 * staged, and writes how many leases it ended; released may be NULL.
 *
 * PRN_E_ARGUMENT	what is a prefix of every page, or no host name; the store is open for reading
 * Errors of views and commits
 */
int prn_decider_release_all(struct prn_decider *decider, enum prn_release by, const char *what, int64_t now,
                            uint64_t *released, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
