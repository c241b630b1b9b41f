/*
 * Changes to tables: each gives one key a new value, or removes it.
 */
#ifndef STORE_CHANGE_H
#define STORE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

/* The order is the order in which a write visits them. */
enum prn_table {
	PRN_TABLE_PAGES,    /* page key -> record (record.h) */
	PRN_TABLE_DUE,      /* time and page key -> nothing, or the worth of a visit (record.h) */
	PRN_TABLE_LEASES,   /* time and page key -> nothing */
	PRN_TABLE_WAITING,  /* host, time and page key -> nothing, or the worth of a visit */
	PRN_TABLE_HOSTS,    /* the side tables of store.h */
	PRN_TABLE_TURNS,
	PRN_TABLE_SUSPECTS,
	PRN_TABLE_VALIDATORS,
	PRN_TABLE_PAGE_SOURCES,
	PRN_TABLE_HOST_SOURCES,
	PRN_TABLE_SIBLINGS,
	PRN_TABLE_META,
	PRN_TABLES
};

#define PRN_TABLE_KEY_BYTES 511 /* the longest key; the shortest has 1 byte */

/* "pages", "due", …: the names in LMDB and in messages. */
const char *prn_table_name(enum prn_table table);

struct prn_bytes {
	const void *data;
	size_t length;
};

/* Compares as memcmp does; if one is the beginning of the other, it comes first. */
int prn_bytes_compare(struct prn_bytes a, struct prn_bytes b);

struct prn_change {
	enum prn_table table;
	bool removed; /* true: value is ignored, and the key need not be there */
	struct prn_bytes key, value;
};

/* Orders changes by table, then by key. */
int prn_change_compare(const struct prn_change *a, const struct prn_change *b);
void prn_changes_sort(struct prn_change *changes, size_t count);

#endif
