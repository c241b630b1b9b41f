/*
 * Declarations that the decider's files share.
 */
#ifndef DECIDE_DECIDER_INTERNAL_H
#define DECIDE_DECIDER_INTERNAL_H

#include "base/clock.h"
#include "decide/entry.h"
#include "decide/host.h"
#include "decide/intervals.h"
#include "decide/suspect.h"
#include "perennial/decider.h"
#include "perennial/outcome.h"
#include "perennial/url.h"

/* A target of a redirect that was not added. */
struct prn_refused {
	struct prn_digest key;
	int64_t time;    /* of the redirect */
	uint64_t number; /* from 1 on; 0: nothing is here */
};

#define PRN_REFUSED 1024 /* a power of two */

struct prn_shards;
struct prn_lot;
struct prn_shard_message;
struct prn_gate_message;
struct prn_permits;

/*
 * A store of several shards has one decider for all of it, the root's, which passes requests on, and one for each shard, which
 * does all the work on pages (shards.h).
 */
struct prn_decider {
	struct prn_shards *shards; /* of a root; NULL: this is no root */
	struct prn_decider *root;  /* of a shard, which has its policy, options and settings; NULL: this is no shard */
	size_t shard;              /* the number of the shard */
	unsigned users;            /* of a shard: how many use it now … */
	uint64_t used;             /* … and when one last did (shards.h) */
	struct prn_lot *lot;       /* what a shard may hand out (pacing.h), while it is asked for what is due; else NULL */
	struct prn_shard_message *messages; /* [message_count] messages to other shards, staged and committed ones (shard_message.h) … */
	size_t message_count, message_capacity, messages_durable; /* … of which the first messages_durable are committed */
	uint64_t messages_ever;     /* the number of the last one; numbers only go up, and a savepoint keeps the last that it had */
	struct prn_gate_message *gate_messages; /* [gate_message_count] messages to the gates of giants, staged and committed ones … */
	size_t gate_message_count, gate_message_capacity, gate_messages_durable; /* … of which the first gate_messages_durable are committed */
	uint64_t gate_messages_ever;       /* as messages_ever */
	struct prn_permits *permits; /* of each giant, while the shard is asked for what is due */
	bool has_settled;          /* of a shard: its store may have settled amounts for the root's ledger */

	prn_decider_guard_fn *guard; /* of a root, or a store without shards: asked before commits; or NULL */
	void *guard_context;

	struct prn_store *store;
	struct prn_batch *batch; /* NULL when opened for reading */
	struct prn_policy *policy;
	char *specification;
	struct prn_decider_options options;
	double threshold; /* the writer's: readers take it from their view */
	double budget_per_day;
	struct prn_costs costs; /* likewise: the budget's unit, and the prices of looks */
	size_t summary_limit;
	bool heeds_siblings; /* the policy does */
	unsigned shingle_words;
	unsigned fragment_rule; /* the rule by which the fragments in the store were made */
	uint64_t changes;      /* of a root or a store without shards: how often its settings had changed (settings_change.h) when it was opened */
	bool is_changing;      /* a change is under way */

	/* The writer's: the page in hand, a second page, and a suspect. */
	struct prn_entry entry, other;
	struct prn_entry counted; /* the page whose load is counted (loads.h) */
	struct prn_suspect suspect;
	struct prn_refused *refused; /* [PRN_REFUSED] the latest ones, each at the place that its key gives; NULL: none so far */
	uint64_t refused_count, refused_committed; /* ever, and before the last commit */

	unsigned hints_heard;
	char looked_at[PRN_HOST_NAME_BYTES]; /* the host whose sources were searched last for silent ones … */
	size_t looked_bytes;                 /* … 0: the search begins at the first host */

	_Atomic unsigned hints_wanted; /* options.hints, for other threads than the writer's */
	bool is_stale;     /* others may have written since threshold and budget were read */
	uint64_t commits;  /* how often staged changes were committed */
	uint64_t conflicts; /* ever */
};

/* PRN_E_ARGUMENT: outside their ranges */
int prn_decider_check_options(const struct prn_decider_options *options, struct prn_error *error);

/* Prepares what a decider owns apart from its store, once its policy and its way of summarising are known.  PRN_E_MEMORY */
int prn_decider_prepare(struct prn_decider *decider, struct prn_error *error);

/*
 * Every function that begins to change a store calls this first.  For a shared store it reads what others may have set.
 *
 * PRN_E_ARGUMENT: the decider is opened for reading.  Errors of views
 */
int prn_decider_check_writer(struct prn_decider *decider, struct prn_error *error);

/* Makes the same check without reading, from any thread. */
int prn_decider_check_mode(const struct prn_decider *decider, struct prn_error *error);

/*
 * The defaults of a store's policy, for what its specification does not say.  _open_policy opens such a policy, whose versions
 * fit into a page state.  Errors as prn_policy_open
 */
#define PRN_STORE_POLICY_DEFAULTS "summary=8"
int prn_decider_open_policy(struct prn_policy **out, const char *specification, struct prn_error *error);

/* Stages another policy and another length of fragments.  Errors as above; PRN_E_MEMORY */
int prn_decider_put_policy(struct prn_decider *decider, const char *specification, unsigned shingle_words, struct prn_error *error);

/* Stages that the store's fragments are made by this program's rule.  PRN_E_MEMORY */
int prn_decider_put_rule(struct prn_decider *decider, struct prn_error *error);

/* PRN_E_VERSION: the fragments in the store were made by an older rule than this program's. */
int prn_decider_check_rule(const struct prn_decider *decider, struct prn_error *error);

/* PRN_E_ARGUMENT: the time is PRN_TIME_UNKNOWN, which in a store means that there is none. */
int prn_decider_check_now(int64_t now, struct prn_error *error);

/*
 * Checks that an observation can be made of a capture, except for its time.  PRN_E_ARGUMENT: it has no URL, its normal_url is
 * not that URL's normal form, or a number of it is outside the range that source.h states
 */
int prn_capture_check(const struct prn_capture *capture, struct prn_error *error);

/* PRN_E_ARGUMENT: a time, of a capture of this URL, outside the years 1 to 9999. */
int prn_capture_check_time(const char *url, int64_t time, struct prn_error *error);

/* The view that the writer's batch reads through (store.h): the writer's walks see the same moment as its reads. */
int prn_decider_view(struct prn_decider *decider, struct prn_view **view, struct prn_error *error);

/*
 * As prn_decider_again, for callers that read through views of their own: _looks_again returns whether to look once more, and
 * _look opens the view.  After some conflicts the view reads everything at one moment.  Errors of views
 */
bool prn_decider_looks_again(int code, unsigned *tries);
int prn_decider_look(const struct prn_decider *decider, unsigned tries, struct prn_view **view, struct prn_error *error);

#define PRN_LOOK_AT_ALL 3 /* the number of tries after which it does; callers that read nearly everything pass it at once */

/* A reader through the writer's batch. */
struct prn_store_reader prn_decider_reader(const struct prn_decider *decider);

/* Reads the settings of a store into decider.  Errors of views; PRN_E_DAMAGED, PRN_E_VERSION, PRN_E_MEMORY */
int prn_decider_read_settings(struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error);

/*
 * The settings that may change while a store is in use, as they are read; a shard takes its root's, as they were a moment ago.
 * Errors of views
 */
struct prn_price {
	double threshold, budget_per_day;
	struct prn_costs costs;
};
int prn_decider_price(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_price *price,
                      struct prn_error *error);

/*
 * PRN_E_ARGUMENT: no store can have this threshold, or this budget.  _threshold accepts 0, which is no threshold; a stored
 * threshold beyond the least is read as the least.
 */
int prn_decider_check_threshold(double threshold, struct prn_error *error);
int prn_decider_check_budget(const struct prn_budget *budget, struct prn_error *error);

/* _read reads the threshold that a view has; _put stages a threshold for the writer. */
int prn_decider_read_threshold(const struct prn_store_reader *reader, double *threshold, struct prn_error *error);
int prn_decider_put_threshold(struct prn_decider *decider, double threshold, struct prn_error *error);

/*
 * Reads or stages the budget and what looks cost of it.  _put also sets the decider's costs; cost_304 is their text, or NULL to
 * leave them as they are.
 */
int prn_decider_read_budget(const struct prn_store_reader *reader, double *budget_per_day, struct prn_costs *costs,
                            struct prn_error *error);
int prn_decider_put_budget(struct prn_decider *decider, const struct prn_budget *budget, const char *cost_304,
                           struct prn_error *error);

/*
 * Has the policy learn a visit that brought content: a coarse summary, or NULL for the present version again.  The page in hand
 * is then as after the visit, except for its next visit.
 */
struct prn_content_visit {
	int64_t time, modified; /* modified: PRN_TIME_UNKNOWN if unknown */
	const struct prn_summary *summary;
	struct prn_siblings siblings;
};
void prn_decider_visit(const struct prn_decider *decider, struct prn_entry *entry,
                      const struct prn_content_visit *content, struct prn_decision *decision);

/* The slot that holds the version of the last visit, or -1 if that was not kept. */
int prn_page_present(const struct prn_page_state *state);

/* How far a coarse summary is from the nearest version kept; 0 without any. */
double prn_page_nearest(const struct prn_page_state *state, const struct prn_summary *summary);

/*
 * The divergence from the version before if a slot has it, otherwise from the nearest version.  0 for NULL, and where no
 * version can be compared
 */
double prn_page_change(const struct prn_page_state *state, const struct prn_summary *summary);

/* Whether it can be compared with some version: texts compare with texts, digests with digests.  False for NULL */
bool prn_page_compares(const struct prn_page_state *state, const struct prn_summary *summary);

/* The policy's decision for the page in hand at a threshold, as if that had been the threshold at the last visit. */
void prn_decider_decide(const struct prn_decider *decider, const struct prn_entry *entry, double threshold,
                        struct prn_decision *decision);

/*
 * The interval in days that earns the page in hand a visit (prn_policy_earning), within bounds.  0: hints are not heeded, none
 * ever came, or there was no visit.
 */
double prn_decider_earning_days(const struct prn_decider *decider, struct prn_entry *entry);

/* The bounds on the page's intervals. */
struct prn_interval_bounds prn_decider_interval(const struct prn_decider *decider, struct prn_entry *entry);

/*
 * The time from a visit of the page to the next that a decision gives, within bounds, in whole seconds > 0; and its reason.
 */
int64_t prn_decider_delay(const struct prn_interval_bounds *interval, const struct prn_decision *decision,
                          enum prn_next *reason);

/*
 * When the policy, asked at this threshold, would have the page in hand visited next, within bounds; and why.  False: the
 * page's next visit is not the policy's to set (it is new, suspect, gone or failing).
 */
bool prn_decider_next(const struct prn_decider *decider, struct prn_entry *entry, double threshold, int64_t *next,
                      enum prn_next *reason);

/* The hints of the page in hand that its policy heeds; all zero: none. */
struct prn_hints prn_decider_hints(const struct prn_decider *decider, const struct prn_entry *entry);

/* W U at days after the last visit, by the page's curve, with the days counted as hints say (hints.h); 0 without a curve. */
double prn_decider_utility(const struct prn_decider *decider, const struct prn_entry *entry, double days);

/* The value of a visit of the page in hand at now.  What is due is ordered by it (due.h).  round_days: prn_loads_round */
double prn_decider_value(const struct prn_decider *decider, struct prn_entry *entry, double threshold, double round_days, int64_t now);

enum prn_failure {
	PRN_FAILURE_ERROR,
	PRN_FAILURE_GONE,    /* 404 or 410 */
	PRN_FAILURE_REFUSED, /* its host wants fewer requests: for some days that says nothing of the page */
	PRN_FAILURE_SILENT,  /* its lease ran out */
};

/*
 * Counts a failure of the page in hand at time, unless it was counted when its lease ran out, and sets the time of the next
 * attempt.  Errors of views
 */
int prn_decider_fail(const struct prn_decider *decider, struct prn_entry *entry, int64_t time, enum prn_failure cause,
                     struct prn_error *error);

/* _host reads the host, or host group, of the page in hand; _put_host stages what is known of one.  Errors as in host.h */
int prn_decider_host(const struct prn_decider *decider, struct prn_entry *entry, struct prn_known_host *known,
                     struct prn_error *error);
int prn_decider_put_host(const struct prn_decider *decider, const struct prn_known_host *known, int64_t now,
                         struct prn_error *error);

/*
 * Takes the page in hand, which was not fetched, off lease if it is on one, and off its host's count; pages that wait for the
 * host get a turn.  unspent: what was spent of the host's share of the budget and is returned; 0: nothing.
 */
int prn_decider_unlease(struct prn_decider *decider, struct prn_entry *entry, double unspent, int64_t now, struct prn_error *error);

/* Counts leases that have run out at now as failures of their pages, and commits. */
struct prn_unreadable; /* the pages that could not be read (unreadable.h) */
int prn_decider_end_leases(struct prn_decider *decider, int64_t now, struct prn_unreadable *unreadable, struct prn_error *error);

/*
 * Voids, for a call at now, times that a clock that ran ahead has written.
 *
 * _ahead ends, without a failure, leases that end more than PRN_LEASE_END_MOST_S after the beginning of those that are taken
 * now (lease_clock.h).  It makes next visits that are further away than any interval due now, unless a longer interval set
 * them, and has the pages looked at that wait for a host whose turn is as far away.  Commits.  Errors of views and commits.
 *
 * _visit corrects an attempt or a visit of the page in hand that was more than a day (and options.future_s) after now: it is
 * taken to have been as long before time as its next visit was to be after it, so the next one is due at time.  PRN_E_DAMAGED
 */
int prn_decider_void_ahead(struct prn_decider *decider, int64_t now, struct prn_unreadable *unreadable, struct prn_error *error);
int prn_decider_void_visit(const struct prn_decider *decider, struct prn_entry *entry, int64_t now, int64_t time,
                           bool *voided, struct prn_error *error);

/*
 * Has the hosts that pages wait for looked at by the next prn_decider_due, whatever turns they have: what holds them may hold them
 * no longer.  Commits.  Errors of views and commits
 */
int prn_decider_void_turns(struct prn_decider *decider, struct prn_error *error);

/* Whether a next visit is further away than any interval. */
bool prn_decider_is_ahead(const struct prn_decider *decider, int64_t now, int64_t due);

/* Frees a decider, but not its shards. */
void prn_decider_free_alone(struct prn_decider *decider);

/* As prn_decider_commit, but leaves settled amounts in their shards; they are brought to the root when there are more. */
int prn_decider_commit_pages(struct prn_decider *decider, struct prn_error *error);

/*
 * As prn_decider_commit, for calls that reported nothing themselves: they do not fail where a giant's gate cannot be told of what was
 * reported, and leave that to the next prn_decider_commit (prn_giants_admit).  _alone is for a shard, and passes no targets on to others.
 */
int prn_decider_commit_all(struct prn_decider *decider, struct prn_error *error);
int prn_decider_commit_alone(struct prn_decider *decider, struct prn_error *error);

/*
 * Whether a URL, or NULL, is in its normal form.  Pages are stored under that: a page that was stored under another form would
 * not be found again, and would keep its shard from being written to.
 */
bool prn_decider_is_normal(const char *url);

/*
 * Checks that normal_url, which may be NULL, is the normal form of a URL that a caller gave with it.  PRN_E_ARGUMENT: it is not;
 * PRN_E_MEMORY
 */
int prn_decider_check_normal(const char *url, const char *normal_url, struct prn_error *error);

/* Whether a page is under a SURT prefix (surt), or belongs to a host (otherwise). */
bool prn_decider_is_under(const char *url, bool surt, const char *what);

/* PRN_E_ARGUMENT: every page is under the prefix. */
int prn_decider_check_prefix(const char *surt, struct prn_error *error);

/* Writes a host's name as it stands in normal URLs, to out[1024].  PRN_E_ARGUMENT: a host cannot have this name; PRN_E_MEMORY */
int prn_decider_read_host(const char *name, char *out, struct prn_error *error);

/* Stages a portion of the work.  Returns 1 if there may be more; any other result ends the work. */
typedef int prn_portion_fn(struct prn_decider *decider, void *context, struct prn_error *error);

#define PRN_PORTION_CONTEXT 256 /* bytes, at most */

/*
 * Commits what is staged, then does all of a task in portions, each with its own commit.  Portions read through
 * prn_decider_view, which ends with its portion: a view that stayed open would keep what is changed on the disk.  Where
 * another process wrote first, the context is reset to its bytes from before the portion, and the portion is repeated.
 * Returns what stage returned last, or errors of commits
 */
int prn_decider_in_portions(struct prn_decider *decider, prn_portion_fn *stage, void *context, size_t context_bytes,
                            struct prn_error *error);

/* Stages a page's changes.  A result other than 0 ends the sweep, and prn_decider_sweep returns it. */
typedef int prn_sweep_fn(void *context, const struct prn_record *record, struct prn_error *error);

/*
 * Commits what is staged, then hands every page to stage, in the order of keys, and commits now and then.  A page that changed
 * nothing may come twice, and a page whose record is damaged does not come at all.  Where another process writes first, pages
 * come again, and *count is reset; stage may count in it, and it may be NULL.  Errors of views and commits.
 */
int prn_decider_sweep(struct prn_decider *decider, prn_sweep_fn *stage, void *context, uint64_t *count, struct prn_error *error);

#endif
