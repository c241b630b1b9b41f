/* The cause of a next visit that the rule decided.  Everything that explains a page takes it from here. */
#ifndef DECIDE_CAUSE_H
#define DECIDE_CAUSE_H

#include "perennial/explanation.h"

enum prn_cause {
	PRN_CAUSE_CROSSED, /* W U(t) reaches T then */
	PRN_CAUSE_OWN,     /* the policy has no curve: its own schedule */
	PRN_CAUSE_MOVED,   /* it was decided at another T, or by other hints, and was not changed since */
	PRN_CAUSE_SILENCE, /* a silent source no longer holds it back, though W U has not reached T */
	PRN_CAUSE_EARNED,  /* hints have brought visits before their time, and none more is earned until then */
};

/* The cause for a page whose reason is PRN_NEXT_RULE. */
enum prn_cause prn_cause_of(const struct prn_explanation *page);

/*
 * Whether the policy's next visit is at the time when the silence of its sources stops counting, and W U has not reached T.
 */
bool prn_cause_is_silence(const struct prn_explanation *page);

#endif
