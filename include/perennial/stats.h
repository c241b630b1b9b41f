/* What was done with a budget: plan and reality side by side, and which hosts are held back. */
#ifndef PERENNIAL_STATS_H
#define PERENNIAL_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/decider.h"
#include "perennial/held.h"
#include "perennial/hinting.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_held_host {
	char name[512];     /* or "@" and the name of a group */
	enum prn_held held;
	int64_t until;      /* when that ends by itself, and whatever else holds it */
	double spent;       /* by pages handed out, less what its share of the budget has covered since; 0 without a budget */
	uint32_t leased;    /* pages out */
};

#define PRN_STATS_HOSTS 20
#define PRN_STATS_NAMED 20
#define PRN_STATS_SLOTS 48
#define PRN_STATS_SLOT_S 1800

/* What looks at the store's pages brought, in a store with a budget in which looks count by what they cost. */
struct prn_answers {
	int64_t since;       /* the earliest of them */
	double looks;        /* attempts that were told and not refused; 0: none yet, and then all is 0 */
	double not_modified; /* … that were answered 304 */
	double same;         /* … that brought the bytes of the visit before once more */
	double bytes;        /* of the bodies that came */
	double spared;       /* that 304s spared: the page's mean answer for each, where bytes are counted */
};

/* The shards of a store that has several; of another one all 0. */
struct prn_stats_shards {
	size_t count, made;    /* that there may be; of these, that have had pages */
	uint64_t least, most;  /* pages of one that was made and is not damaged */
	size_t fullest;        /* the first that has most */
};

/* A source of hints by its name, all hosts of which it speaks together. */
struct prn_named_source {
	char name[PRN_SOURCE_BYTES + 1]; /* as it is shown: what a terminal would act on, and what is not UTF-8, is escaped as \x1b; cut */
	struct prn_source_sum sum;
};

struct prn_stats {
	struct prn_store_totals totals;
	struct prn_stats_shards shards;
	uint64_t damaged_shards;    /* of those made: that are damaged or gone, or do not answer (a list of such counts as one), and of which nothing is in what is here, but for what
	                             * the root knows: the budget, and what all pages want */
	struct prn_error first_damaged; /* of the first of them: which, and why */
	uint64_t due;               /* pages whose next visit has come, and that are not out: those that wait for their hosts
	                             * (totals.waiting), and: */
	uint64_t overdue;           /* those that wait for nobody, up to PRN_STATS_OVERDUE */
	uint64_t overdue_new;       /* of these, pages that were never fetched, also if they were tried in vain */
	uint64_t ended;             /* of those out, whose lease has ended, which prn_decider_due takes for failures; likewise */
	uint64_t retired;           /* pages that have no next visit and are not out: they are gone, or led elsewhere, or their policy
	                             * and the bounds of intervals want none */
	uint64_t unreadable;        /* pages that were met within the last day and cannot be read (due.h) */
	double threshold;           /* T */
	enum prn_unit unit;         /* of the budget, and of all of it below: visits, or bytes */
	bool counted;               /* looks count by what they cost, so that these are no whole visits: in bytes, or where a look that
	                             * is answered "not modified" has a price of its own */
	char cost_304[PRN_COST_304_BYTES + 1]; /* that price, as prn_decider_settings has it; "": none */
	double budget_per_day;      /* 0: none, and then all that follows but the hosts */
	double load_per_day;        /* what all pages together want at T, by their policy and between 10 minutes and 180 days; whatever
	                             * bounds on intervals a program has.  0: not counted yet */
	double new_load_per_day;    /* of that, what pages that were never fetched want: they have half of the budget at most while others are due */
	double sought;              /* T is sought for a load of about so many times the budget: above 1 where calls left some of it
	                             * over, below where more became due than it allows */
	double left;                /* what has accrued and was not spent; below 0: what is owed */
	uint64_t room;              /* what may be spent now */
	int64_t room_time;          /* when there will be room, if there is none; else now */
	struct prn_answers answers;
	double given_day;           /* spent in the last PRN_STATS_SLOTS half hours, the present one included: all that came */
	double forgiven_day;        /* of that what the budget does not count, for it is the debt of the hosts that brought it */
	double given[PRN_STATS_SLOTS];       /* in each of them, the earliest first */
	double thresholds[PRN_STATS_SLOTS];  /* T at the end of each; 0: unknown */
	int64_t slot_time;          /* when the present half hour began */

	struct prn_source_sum sources[PRN_SOURCE_KINDS]; /* of hints, by kind, of PRN_STATS_SOURCES hosts at most */
	uint64_t damaged_sources;   /* that cannot be read, and are passed over */
	/*
	 * The sources of the same hosts by their names, each summed over all of them, those that told most first.  Where
	 * there are more than have a place, these are the given names ("indexnow", "editor") that told most, and then such
	 * documents.  Where there are more than 512, those that had told least of the hosts seen by then are missing: no sum
	 * here is partial.
	 */
	size_t named_count;
	struct prn_named_source named[PRN_STATS_NAMED]; /* [named_count] */

	uint64_t held_hosts;        /* in all, of the first PRN_STATS_WAITED_FOR that pages wait for; of them the first
	                             * PRN_STATS_HOSTS, those that have spent most first */
	struct prn_held_host hosts[PRN_STATS_HOSTS];
	uint64_t held_by[PRN_HELD_KINDS]; /* of held_hosts, by what holds them */
};

#define PRN_STATS_OVERDUE 100000 /* a walk of so many takes some milliseconds */
#define PRN_STATS_SOURCES 100000
#define PRN_STATS_WAITED_FOR 100000

/*
 * The figures as the last commit left them, at now: waiting pages, pages that are out and the threshold are as of the last
 * prn_decider_due or report.  Hosts are those that pages wait for.  Walks the due queue, the leases that have ended, the
 * hosts that pages wait for and those that hints named.  May be called from any thread.  Errors of views
 */
int prn_decider_stats(struct prn_decider *decider, int64_t now, struct prn_stats *stats, struct prn_error *error);

#define PRN_STATS_RULED 100000 /* pages that are looked at for rules that rule none */

/*
 * Finds rules for hosts under a SURT prefix (options.hosts) that rule no page: rules[count of options.hosts] becomes true for
 * them, and false for the others. *looked is how many pages were looked at, at most PRN_STATS_RULED, fewer once each rule has
 * ruled one; the order of keys is unrelated to hosts, so that in a larger store these pages are a sample, of several shards
 * each with its share of them.  Shards that are damaged or gone are passed over, as by prn_decider_stats, which counts them:
 * hosts whose pages were in them seem to have none.  May be called from any thread.  Errors of views
 */
int prn_decider_idle_rules(struct prn_decider *decider, bool *rules, uint64_t *looked, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
