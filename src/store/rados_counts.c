#include "store/big_endian.h"
#include "store/rados_internal.h"

void prn_rados_counts_init(struct prn_rados_counts *counts)
{
	for (size_t i = 0; i < PRN_RADOS_COUNTS; i++) {
		counts->names[i][0] = PRN_RADOS_COUNT;
		counts->names[i][1] = i ? prn_rados_letter((enum prn_table)(i - 1)) : 0;
		counts->entries[i] = (struct prn_rados_entry){ .name = counts->names[i], .name_bytes = i ? 2 : 1 };
	}
}

/* A count that is not there is 0. */
static uint64_t read_count(const struct prn_rados_view *view, const struct prn_rados_entry *name)
{
	const struct prn_rados_entry *entry = prn_rados_find(view, name->name, name->name_bytes);
	const unsigned char *at = entry ? entry->value : NULL;

	return at && entry->value_bytes == 8 ? prn_big_take(&at, 8) : 0;
}

void prn_rados_counts_read(const struct prn_rados_counts *counts, const struct prn_rados_view *view, struct prn_tables_size *size)
{
	*size = (struct prn_tables_size){ .bytes = read_count(view, &counts->entries[0]) };
	for (size_t i = 0; i < PRN_TABLES; i++)
		size->entries[i] = read_count(view, &counts->entries[i + 1]);
}

void prn_rados_counts_set(struct prn_rados_counts *counts, const struct prn_tables_size *size)
{
	for (size_t i = 0; i < PRN_RADOS_COUNTS; i++) {
		unsigned char *at = counts->values[i];

		prn_big_put(&at, 8, i ? size->entries[i - 1] : size->bytes);
		counts->entries[i].value = counts->values[i];
		counts->entries[i].value_bytes = 8;
	}
}
