/*
 * The pages of an import, each once: normal URL, the spelling to keep, weight.  Pages are named by their number
 * in the order of arrival; everything else that is kept of them does not depend on that order.
 */
#ifndef HISTORY_PAGE_TABLE_H
#define HISTORY_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"

struct prn_page_entry {
	struct prn_digest key;
	char *url;          /* normal; owned */
	char *spelling;     /* that of the earliest capture, ties by smaller bytes; NULL: as url; owned */
	int64_t spelled_at; /* the time of that capture */
	double weight;      /* of the weights file, else of the latest capture that tells one, ties by the larger; else 1 */
	int64_t weighed_at; /* the time of that capture */
	bool weighted;      /* the weights file has it */
	bool weighed;       /* a capture tells it */
	bool captured;      /* some source has it */
	uint64_t offset, length; /* for whoever writes the page down */
};

struct prn_page_table {
	struct prn_page_entry *entries;
	size_t count, capacity;
	uint32_t *slots; /* number + 1, or 0; a power of two of them */
	size_t slot_count;
};

void prn_page_table_release(struct prn_page_table *table); /* all zero bytes is an empty table */

/* The number of the page with this normal URL, added if it is not there.  PRN_E_MEMORY, also at 2^32 - 1 pages */
int prn_page_table_add(struct prn_page_table *table, const char *normal_url, uint32_t *page);

/* The number of the page with this key, if there is one. */
bool prn_page_table_find(const struct prn_page_table *table, const struct prn_digest *key, uint32_t *page);

/* A capture at time spelled the URL so.  PRN_E_MEMORY */
int prn_page_table_spell(struct prn_page_table *table, uint32_t page, const char *spelling, int64_t time);

/* A capture at time told this weight, > 0. */
void prn_page_table_weigh(struct prn_page_table *table, uint32_t page, double weight, int64_t time);

/* Numbers of all pages in ascending order of normal URL, malloc'ed; NULL without memory. */
uint32_t *prn_page_table_order(const struct prn_page_table *table);

#endif
