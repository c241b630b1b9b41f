/*
 * The pages of an import: normal URL, the spelling to keep, weight.  A page is identified by its number in the
 * order of arrival; everything else that is stored does not depend on that order.
 */
#ifndef HISTORY_PAGE_TABLE_H
#define HISTORY_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"

struct prn_page_entry {
	struct prn_digest key;
	char *url;          /* normal form; owned */
	char *spelling;     /* the spelling of the earliest capture, of equal times the smaller bytes; NULL: same as url; owned */
	int64_t spelled_at; /* the time of that capture */
	double weight;      /* from the weights file, else from the latest capture with one, of equal times the larger; else 1 */
	int64_t weighed_at; /* the time of that capture */
	bool weighted;      /* the weights file contains it */
	bool weighed;       /* a capture gives it */
	bool captured;      /* some source contains it */
	uint64_t offset, length; /* for use by the writer of the page */
};

struct prn_page_table {
	struct prn_page_entry *entries;
	size_t count, capacity;
	uint32_t *slots; /* number + 1, or 0; their count is a power of two */
	size_t slot_count;
};

void prn_page_table_release(struct prn_page_table *table); /* all zero bytes are an empty table */

/* Finds the number of the page with this normal URL, which is added if it is new.  PRN_E_MEMORY, also at 2^32 - 1 pages */
int prn_page_table_add(struct prn_page_table *table, const char *normal_url, uint32_t *page);

/* Finds the number of the page with this key, if there is one. */
bool prn_page_table_find(const struct prn_page_table *table, const struct prn_digest *key, uint32_t *page);

/* Records how a capture at time spelled the URL.  PRN_E_MEMORY */
int prn_page_table_spell(struct prn_page_table *table, uint32_t page, const char *spelling, int64_t time);

/* Records the weight > 0 that a capture at time gave. */
void prn_page_table_weigh(struct prn_page_table *table, uint32_t page, double weight, int64_t time);

/* Returns the numbers of all pages in ascending order of normal URL, malloc'ed; NULL without memory. */
uint32_t *prn_page_table_order(const struct prn_page_table *table);

#endif
