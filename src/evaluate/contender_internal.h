/* A policy under test, as the evaluation replays it. */
#ifndef EVALUATE_CONTENDER_INTERNAL_H
#define EVALUATE_CONTENDER_INTERNAL_H

#include "evaluate/offline.h"
#include "perennial/contender.h"

struct prn_contender {
	const struct prn_policy_info *about;
	struct prn_policy *online; /* NULL: a yardstick */
	enum prn_yardstick yardstick;
};

/* Tells whether it needs prn_offline_study for each page. */
bool prn_contender_studies(const struct prn_contender *contender);

/* Returns the bytes of state that its replay needs; 0 for a yardstick. */
size_t prn_contender_state_size(const struct prn_contender *contender);

/*
 * Replays it over a page at one setting. page is the one that truth was read from; offline is its study if
 * prn_contender_studies.  PRN_E_MEMORY
 */
int prn_contender_replay(const struct prn_contender *contender, const struct prn_setting *setting,
                         struct prn_truth *truth, const struct prn_page *page, const struct prn_offline *offline,
                         void *state, struct prn_score scores[PRN_WINDOWS]);

#endif
