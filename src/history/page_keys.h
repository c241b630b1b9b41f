/* The set of pages, by the keys of their URLs. */
#ifndef HISTORY_PAGE_KEYS_H
#define HISTORY_PAGE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/digest.h"
#include "perennial/pages.h"

struct prn_page_keys {
	struct prn_digest *keys; /* [count], ascending */
	size_t count;
};

/* PRN_E_MEMORY */
int prn_page_keys_init(struct prn_page_keys *keys, const struct prn_pages *pages);
void prn_page_keys_release(struct prn_page_keys *keys);

bool prn_page_keys_have(const struct prn_page_keys *keys, const struct prn_digest *key);

/* Writes to *known how many of count keys, each stride bytes after the one before, are in the set.  PRN_E_MEMORY */
int prn_page_keys_match(const struct prn_pages *pages, const struct prn_digest *first, size_t count, size_t stride, size_t *known);

#endif
