/*
 * Pages of one host that go through time together: what one of them proves of a source of hints, holds for all
 * (doc/theory.md §15).
 */
#ifndef EVALUATE_GROUP_H
#define EVALUATE_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "evaluate/contender_internal.h"
#include "evaluate/offline.h"
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
};

struct prn_group_track;

/* The room that a replay needs; used for one group after another. */
struct prn_group {
	size_t room, sources, state_bytes;
	struct prn_group_track *tracks; /* [room] */
	struct prn_trust *trust;        /* [sources] */
	struct prn_told *told;          /* [room][sources] */
	unsigned char *states;          /* [room][state_bytes] */
};

/* For groups of up to room members, hints of so many sources and policies of so large a state.  PRN_E_MEMORY */
int prn_group_init(struct prn_group *group, size_t room, size_t sources, size_t state_bytes);
void prn_group_release(struct prn_group *group);

/*
 * Replays an online policy over members [count] in the order of real time: visits and hints.  At a hint the page's visit is
 * decided anew.  At each visit the trust in the sources learns first.  scores are of member i at scores[i * stride].
 *
 * PRN_E_MEMORY
 */
int prn_group_replay(struct prn_group *group, struct prn_member *members, size_t count,
                     const struct prn_contender *contender, const struct prn_setting *setting, struct prn_score *scores,
                     size_t stride);

#endif
