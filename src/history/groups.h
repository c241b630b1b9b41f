/*
 * Pages in groups that are judged apart: by corpus, by host, or each alone.
 */
#ifndef HISTORY_GROUPS_H
#define HISTORY_GROUPS_H

#include <stddef.h>

#include "perennial/pages.h"

enum prn_grouping {
	PRN_GROUPING_CORPUS,
	PRN_GROUPING_HOST, /* pages without a host are one group */
	PRN_GROUPING_PAGE, /* a page of two corpora is two */
};

#define PRN_GROUPINGS 3

/* "corpus", "host", "page".  Static. */
const char *prn_grouping_name(enum prn_grouping grouping);

struct prn_groups {
	size_t *members; /* [pages->count] indices of pages, group by group, in their order */
	size_t *starts;  /* [count + 1] the first of each group's members */
	size_t count;
};

/* Groups are in the order of their first pages.  prn_groups_release frees them.  PRN_E_MEMORY */
int prn_groups_find(struct prn_groups *groups, const struct prn_pages *pages, enum prn_grouping grouping);
void prn_groups_release(struct prn_groups *groups);

#endif
