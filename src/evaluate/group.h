/*
 * Pages of one host that go through time together: what one of them proves of a source of hints, holds for all
 * (doc/theory.md §15), and what they are like is expected of those that come later (§16).
 */
#ifndef EVALUATE_GROUP_H
#define EVALUATE_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "evaluate/contender_internal.h"
#include "evaluate/offline.h"
#include "evaluate/replay.h"
#include "history/hearing.h"
#include "history/truth.h"
#include "perennial/trust.h"

/* A page of a group, and all that is known of it. */
struct prn_member {
	struct prn_page page;
	struct prn_truth truth;
	struct prn_offline offline;
	struct prn_hearing hearing;
	bool counted; /* it has captures enough; the others are not looked at */
	size_t pattern; /* the first member whose URL has the same pattern */
};

/* What of a page lasts while its group goes through time; all zero before its acquisition. */
struct prn_group_page {
	struct prn_course course;
	struct prn_watched watched;
	struct prn_hints hints; /* of whom it believes most … */
	double ahead;           /* … and of these what lasts, whoever that is */
	double due;             /* on the page's clock */
	double dial;            /* of its last visit: a new one takes effect at the next visit, and at no hint */
	size_t at;              /* the capture of its next visit; captures: none */
	size_t hint;            /* the next that it hears */
	struct prn_evidence said; /* what it said to its siblings so far */
	bool acquired;
};

/* A page on its way: what the caller has of it, all borrowed. */
struct prn_group_track {
	struct prn_member *member;
	struct prn_driver driver;
	struct prn_group_page *page;
	struct prn_page_hints *counts; /* [sources] */
	double next;           /* private: when something happens to it, seconds; INFINITY: nothing more */
};

/* The room that a replay needs; used for one group after another. */
struct prn_group {
	size_t room, sources, state_bytes;
	struct prn_group_track *tracks; /* [room] */
	struct prn_group_page *pages;   /* [room], and below: of prn_group_replay */
	bool heeds_siblings;
	struct prn_evidence host;       /* of the members together … */
	struct prn_evidence *patterns;  /* [room] … and of those with the pattern of each that is the first with it */
	struct prn_trust *trust;        /* [sources] */
	struct prn_page_hints *counts;          /* [room][sources] */
	unsigned char *states;          /* [room][state_bytes] */
};

/*
 * For groups of up to room members, hints of so many sources and policies of so large a state; members may be told of each
 * other or not.  PRN_E_MEMORY
 */
int prn_group_init(struct prn_group *group, size_t room, size_t sources, size_t state_bytes, bool heeds_siblings);
void prn_group_release(struct prn_group *group);

/*
 * Replays an online policy over members [count] in the order of real time: visits and hints.  At a hint the page's visit is
 * decided anew, if the policy heeds hints and the visit before brought content.  At each visit the trust in the sources learns first.  scores are of member i at scores[i * stride].
 *
 * PRN_E_MEMORY
 */
int prn_group_replay(struct prn_group *group, struct prn_member *members, size_t count,
                     const struct prn_contender *contender, const struct prn_setting *setting, struct prn_score *scores,
                     size_t stride);

/*
 * The same in stretches, for whoever keeps what lasts: seats a page, of which the truth and the driver's state are those of
 * before the stretch; a member that is not counted is not looked at.  PRN_E_MEMORY
 */
int prn_group_seat(struct prn_group *group, size_t i, const struct prn_group_track *track);

/* Has the first count seats go on until each is there on its own clock; trust [sources] is the group's, all zero at first. */
void prn_group_run(struct prn_group *group, size_t count, struct prn_trust *trust, double until);

#endif
