/*
 * Replays the pages of one host together: the outcome for one page changes the trust in a source of hints for
 * all (doc/theory.md §15), and pages that come later are expected to be like the known ones (§16).
 */
#ifndef EVALUATE_GROUP_H
#define EVALUATE_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "evaluate/contender_internal.h"
#include "evaluate/offline.h"
#include "evaluate/replay.h"
#include "history/replay_hints.h"
#include "history/truth.h"
#include "perennial/trust.h"

/* A page of a group, with all data on it. */
struct prn_member {
	struct prn_page page;
	struct prn_truth truth;
	struct prn_offline offline;
	struct prn_replay_hints hearing;
	bool counted; /* it has enough captures; the others are ignored */
	size_t pattern; /* the first member whose URL has the same pattern */
};

/* The state of a page that lasts while its group is replayed; all zero before its acquisition. */
struct prn_group_page {
	struct prn_course course;
	struct prn_watched watched;
	struct prn_hints hints; /* hints of the source it believes most … */
	double ahead;           /* … and the part of them that does not depend on that source */
	double due;             /* in the page's time */
	double dial;            /* dial of its last visit: a new one takes effect at the next visit, not at a hint */
	size_t at;              /* capture of its next visit; captures: none */
	size_t hint;            /* index of its next hint */
	struct prn_evidence said; /* what it has reported to its siblings so far */
	bool acquired;
};

/* A page during a replay: what the caller provides, all borrowed. */
struct prn_group_track {
	struct prn_member *member;
	struct prn_driver driver;
	struct prn_group_page *page;
	struct prn_page_hints *counts; /* [sources] */
	double next;           /* private: time of its next event, seconds; INFINITY: there is none */
};

/* The memory of a replay; reused for one group after another. */
struct prn_group {
	size_t room, sources, state_bytes;
	struct prn_group_track *tracks; /* [room] */
	struct prn_group_page *pages;   /* [room], and below: used by prn_group_replay */
	bool heeds_siblings;
	struct prn_evidence host;       /* the members together … */
	struct prn_evidence *patterns;  /* [room] … and those with the same pattern, at the first member with it */
	struct prn_trust *trust;        /* [sources] */
	struct prn_page_hints *counts;          /* [room][sources] */
	unsigned char *states;          /* [room][state_bytes] */
};

/*
 * Allocates for groups of up to room members, so many sources of hints, and policies with states up to this
 * size. heeds_siblings: members learn from each other.  PRN_E_MEMORY
 */
int prn_group_init(struct prn_group *group, size_t room, size_t sources, size_t state_bytes, bool heeds_siblings);
void prn_group_release(struct prn_group *group);

/*
 * Replays an online policy over members [count] in the order of real time: visits and hints.  At a hint the
 * page's visit is decided again, if the policy heeds hints and the previous visit brought content.  At each
 * visit the trust in the sources is updated first. scores of member i are at scores[i * stride].
 *
 * PRN_E_MEMORY
 */
int prn_group_replay(struct prn_group *group, struct prn_member *members, size_t count,
                     const struct prn_contender *contender, const struct prn_setting *setting, struct prn_score *scores,
                     size_t stride);

/*
 * The same in stretches, for callers that keep the lasting state: adds a page to the replay.  Its truth and the
 * driver's state are those from before the stretch; a member that is not counted is ignored.  PRN_E_MEMORY
 */
int prn_group_seat(struct prn_group *group, size_t i, const struct prn_group_track *track);

/*
 * Replays the first count pages until each reaches this time on its own clock; trust [sources] is the group's,
 * all zero at first.
 */
void prn_group_run(struct prn_group *group, size_t count, struct prn_trust *trust, double until);

#endif
