/*
 * What new pages are given beyond known ones: pages that were never fetched, also if they were tried in vain.  Such a page is worth
 * more than any copy, and a list of them, or a sitemap, would keep all known ones waiting until it is done with.  So where both are due
 * each have half of what is handed out: after a new page known ones come, until they cost as much.
 *
 * The lead is in the settings of the store, or shard, as "lead": its cost as text; where there is none, new pages have no lead.
 */
#ifndef DECIDE_LEAD_H
#define DECIDE_LEAD_H

#include "decide/entry.h"

struct prn_lead {
	double cost;   /* >= 0: by which new pages are ahead, no more than one of them costs */
	double stored;
};

/* A damaged entry counts as none.  Errors of the store */
int prn_lead_read(struct prn_lead *lead, const struct prn_store_reader *reader, struct prn_error *error);

/* Stages it where it has changed.  Errors of the store */
int prn_lead_put(const struct prn_lead *lead, struct prn_batch *batch, struct prn_error *error);

/* Counts a page that is handed out.  is_known_due: a known one is due as well. */
void prn_lead_count(struct prn_lead *lead, bool is_new, double cost, bool is_known_due);

#endif
