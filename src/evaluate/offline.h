/*
 * The offline yardsticks (OP §3.4, doc/theory.md §7), which know the page's whole history.
 *
 * Static ones choose one period for the page's whole life: FS-S from the page's mean divergence curve, HS-S
 * from the holistic curve of its change rate.  Dynamic ones see every capture that was taken, at no cost, and
 * visit it if the divergence that actually built up is worth it: FS-D by divergence, HS-D by its holistic form
 * with that form's own eagerness, FS-L when the divergence reaches the level that is best for the page's whole
 * life.  FS-N is FS-S with the naive rule that OP §2.2 argue against: U is D* itself.
 */
#ifndef EVALUATE_OFFLINE_H
#define EVALUATE_OFFLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "evaluate/replay.h"
#include "history/truth.h"
#include "policy/yardsticks.h"

/* The data of the static ones on a page; computed once a page, used at all thresholds. */
struct prn_offline {
	double *utility; /* [captures] U of FS-S after L capture steps; [0] is 0 */
	double *divergence; /* [captures] D* after L capture steps */
	double *before;     /* [captures + 1] scratch */
	double change_rate; /* changes per clock unit, >= 0 */
	size_t capacity, divergence_capacity, before_capacity;
};

void prn_offline_init(struct prn_offline *offline);
void prn_offline_release(struct prn_offline *offline);

/* Studies a page.  Time is quadratic in its captures.  PRN_E_MEMORY */
int prn_offline_study(struct prn_offline *offline, const struct prn_truth *truth);

/* Tells whether the content ever changes. */
bool prn_offline_is_static(const struct prn_offline *offline);

/* Replays a yardstick at T = threshold > 0. */
void prn_offline_replay(const struct prn_offline *offline, const struct prn_truth *truth, enum prn_yardstick which,
                        double threshold, struct prn_score scores[PRN_WINDOWS]);

#endif
