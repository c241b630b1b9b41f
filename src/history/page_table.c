#include "history/page_table.h"

#include "base/buffer.h"
#include "base/portable.h"
#include "perennial/error.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

void prn_page_table_release(struct prn_page_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		free(table->entries[i].url);
		free(table->entries[i].spelling);
	}
	free(table->entries);
	free(table->slots);
	*table = (struct prn_page_table){ 0 };
}

/* Returns the slot of the key, or the free one for it.  There is always a free one. */
static uint32_t *find_slot(const struct prn_page_table *table, const struct prn_digest *key)
{
	for (size_t i = (size_t)key->low;; i++) {
		uint32_t *slot = &table->slots[i & (table->slot_count - 1)];

		if (!*slot || !prn_digest_compare(&table->entries[*slot - 1].key, key))
			return slot;
	}
}

static int grow_slots(struct prn_page_table *table)
{
	size_t wanted = table->slot_count ? 2 * table->slot_count : 1024;
	uint32_t *slots;

	if (table->count < table->slot_count / 2)
		return 0;
	slots = calloc(wanted, sizeof *slots);
	if (!slots)
		return PRN_E_MEMORY;
	free(table->slots);
	table->slots = slots;
	table->slot_count = wanted;
	for (size_t i = 0; i < table->count; i++)
		*find_slot(table, &table->entries[i].key) = (uint32_t)i + 1;
	return 0;
}

int prn_page_table_add(struct prn_page_table *table, const char *normal_url, uint32_t *page)
{
	struct prn_digest key = prn_url_key(normal_url);
	struct prn_page_entry *entries;
	uint32_t *slot;
	char *url;

	if (table->count >= UINT32_MAX - 1 || grow_slots(table))
		return PRN_E_MEMORY;
	slot = find_slot(table, &key);
	if (*slot) {
		*page = *slot - 1;
		return 0;
	}
	entries = prn_array_grow(table->entries, &table->capacity, table->count + 1, sizeof *entries);
	if (!entries)
		return PRN_E_MEMORY;
	table->entries = entries;
	url = strdup(normal_url);
	if (!url)
		return PRN_E_MEMORY;
	entries[table->count] = (struct prn_page_entry){ .key = key, .url = url, .weight = 1 };
	*page = (uint32_t)table->count++;
	*slot = *page + 1;
	return 0;
}

bool prn_page_table_find(const struct prn_page_table *table, const struct prn_digest *key, uint32_t *page)
{
	uint32_t slot = table->slot_count ? *find_slot(table, key) : 0;

	if (slot)
		*page = slot - 1;
	return slot != 0;
}

int prn_page_table_spell(struct prn_page_table *table, uint32_t page, const char *spelling, int64_t time)
{
	struct prn_page_entry *entry = &table->entries[page];
	const char *now = entry->spelling ? entry->spelling : entry->url;
	char *copy = NULL;

	if (entry->captured &&
	    (time > entry->spelled_at || (time == entry->spelled_at && strcmp(spelling, now) >= 0)))
		return 0;
	if (strcmp(spelling, now) != 0) {
		bool normal = !strcmp(spelling, entry->url);

		copy = normal ? NULL : strdup(spelling);
		if (!copy && !normal)
			return PRN_E_MEMORY;
		free(entry->spelling);
		entry->spelling = copy;
	}
	entry->captured = true;
	entry->spelled_at = time;
	return 0;
}

void prn_page_table_weigh(struct prn_page_table *table, uint32_t page, double weight, int64_t time)
{
	struct prn_page_entry *entry = &table->entries[page];

	if (entry->weighted || (entry->weighed && (time < entry->weighed_at ||
	                                           (time == entry->weighed_at && weight <= entry->weight))))
		return;
	entry->weighed = true;
	entry->weight = weight;
	entry->weighed_at = time;
}

static int compare_urls(const void *a, const void *b, void *context)
{
	const struct prn_page_entry *entries = context;

	return strcmp(entries[*(const uint32_t *)a].url, entries[*(const uint32_t *)b].url);
}

uint32_t *prn_page_table_order(const struct prn_page_table *table)
{
	uint32_t *pages = malloc((table->count ? table->count : 1) * sizeof *pages);

	if (!pages)
		return NULL;
	for (size_t i = 0; i < table->count; i++)
		pages[i] = (uint32_t)i;
	if (table->count)
		prn_sort_by(pages, table->count, sizeof *pages, compare_urls, table->entries);
	return pages;
}
