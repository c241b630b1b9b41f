/*
 * The offline yardsticks (OP §3.4, doc/theory.md §7): they know the page's whole history.
 *
 * Static ones choose one period for the page's whole life: FS-S from the page's average divergence curve, HS-S
 * from the holistic curve of its change rate.  Dynamic ones look at every capture that was taken, for
 * nothing, and visit it when the divergence that really built up is worth it; FS-D by divergence,
 * HS-D by its holistic form and that form's own eagerness; FS-L when the divergence reaches a level, the one that is best for
 * the page's whole life.  FS-N is FS-S with the naive rule that OP §2.2 argue against: U is D* itself.
 */
#ifndef EVALUATE_OFFLINE_H
#define EVALUATE_OFFLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "evaluate/replay.h"
#include "history/truth.h"

enum prn_yardstick {
	PRN_YARDSTICK_FS_S,
	PRN_YARDSTICK_HS_S,
	PRN_YARDSTICK_FS_D,
	PRN_YARDSTICK_HS_D,
	PRN_YARDSTICK_FS_L,
	PRN_YARDSTICK_FS_N,
};

#define PRN_YARDSTICKS 6

/* What the static ones know of a page; made once a page, used at all thresholds. */
struct prn_offline {
	double *utility; /* [captures] U of FS-S after L capture steps; [0] is 0 */
	double *divergence; /* [captures] D* after L capture steps */
	double *before;     /* [captures + 1] scratch */
	double change_rate; /* changes a clock unit, >= 0 */
	size_t capacity, divergence_capacity, before_capacity;
};

void prn_offline_init(struct prn_offline *offline);
void prn_offline_release(struct prn_offline *offline);

/* Studies a page.  Time is quadratic in its captures.  PRN_E_MEMORY */
int prn_offline_study(struct prn_offline *offline, const struct prn_truth *truth);

/* Whether the content ever changes. */
bool prn_offline_is_static(const struct prn_offline *offline);

/* Replays a yardstick at T = threshold > 0. */
void prn_offline_replay(const struct prn_offline *offline, const struct prn_truth *truth, enum prn_yardstick which,
                        double threshold, struct prn_score scores[PRN_WINDOWS]);

#endif
