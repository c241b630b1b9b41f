/* Groups of pages that are evaluated separately: by corpus, by host, by directory, or each page alone. */
#ifndef HISTORY_GROUPS_H
#define HISTORY_GROUPS_H

#include <stddef.h>

#include "perennial/pages.h"

enum prn_grouping {
	PRN_GROUPING_CORPUS,
	PRN_GROUPING_HOST, /* pages without a host are one group */
	PRN_GROUPING_PAGE, /* a page of two corpora is in two groups */
	PRN_GROUPING_DIRECTORY, /* host and path up to its last slash; pages without a URL are one group */
};

#define PRN_GROUPINGS 4

/* Returns "corpus", "host", "page" or "directory".  Static. */
const char *prn_grouping_name(enum prn_grouping grouping);

/*
 * Returns the name of a page's group: the name of its corpus in corpora [pages->corpora], its host, its URL, or
 * host and directory such as "a.example:8080/news/"; "-" without a URL.  The caller frees it; NULL without
 * memory.
 */
char *prn_group_name(const struct prn_pages *pages, size_t page, enum prn_grouping grouping, const char *const *corpora);

struct prn_groups {
	size_t *members; /* [pages->count] indices of pages by group, in their order */
	size_t *starts;  /* [count + 1] the first member of each group */
	size_t count;
};

/* Makes groups in the order of their first pages. prn_groups_release frees them.  PRN_E_MEMORY */
int prn_groups_find(struct prn_groups *groups, const struct prn_pages *pages, enum prn_grouping grouping);
void prn_groups_release(struct prn_groups *groups);

#endif
