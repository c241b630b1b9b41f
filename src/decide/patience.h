/*
 * How long a page is left alone that fails: one that was fetched before is tried again quickly three times, and one that never
 * answered once, because it is dead more often than not.  From then on it waits for its policy's interval, and with each failure
 * in a row for one interval more; one that never answered at least for 2 hours after its second failure, 4 after the third, and so
 * on, up to 180 days, because few policies know an interval of pages that they have not seen (doc/theory.md §10).
 *
 * What a page costs that does not answer, of which there are many wherever URLs come from lists, is so a share of what it would cost
 * if it did, and the less the longer that lasts.  It follows from the page's record alone, not from how a decider is run.
 */
#ifndef DECIDE_PATIENCE_H
#define DECIDE_PATIENCE_H

#include "perennial/page_state.h"

/* Whether the page has failed more often in a row than it is tried again quickly, and is not said to be gone. */
bool prn_patience_is_due(const struct prn_page_state *state);

/* How long it waits then, in days, if its policy's interval is so many days, > 0; of other pages the interval itself. */
double prn_patience_days(const struct prn_page_state *state, double interval);

/*
 * What a page that fails so and was never visited is worth t days after its last attempt, over t²/2: as on the line that reaches a
 * threshold of 1 after so long as it waits at that threshold, so that it is worth the threshold of any line just when it has waited
 * long enough.  weight > 0
 */
double prn_patience_growth(const struct prn_page_state *state, double weight);

#endif
