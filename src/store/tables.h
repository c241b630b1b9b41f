/*
 * Ordered tables of bytes in one durable folder: what a store stands on.  tables_lmdb.c is the one that does it with
 * LMDB; another engine is another file with these functions.
 *
 * Changes are written by one writer, all of a list or none, and are durable when prn_tables_write returns.  Readers see
 * views and wait for nobody.  All calls may run in parallel, except two writes.
 */
#ifndef STORE_TABLES_H
#define STORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

/* The order is the order in which a write visits them. */
enum prn_table {
	PRN_TABLE_PAGES,    /* page key -> record (record.h) */
	PRN_TABLE_DUE,      /* time and page key -> nothing */
	PRN_TABLE_LEASES,   /* time and page key -> nothing */
	PRN_TABLE_HOSTS,    /* the side tables of store.h */
	PRN_TABLE_SUSPECTS,
	PRN_TABLE_META,
	PRN_TABLES
};

#define PRN_TABLE_KEY_BYTES 511 /* a key has 1 to so many bytes */

struct prn_bytes {
	const void *data;
	size_t length;
};

/* One key's new value, or its end. */
struct prn_change {
	enum prn_table table;
	bool removed; /* then value is ignored; removing what is not there is fine */
	struct prn_bytes key, value;
};

/* By table, then as memcmp of the keys, a shorter one first. */
int prn_change_compare(const struct prn_change *a, const struct prn_change *b);

struct prn_tables;

/*
 * Makes empty tables in the folder at path.  PRN_E_IO, PRN_E_MEMORY
 */
int prn_tables_create(const char *path, struct prn_error *error);

/* Whether there are tables in that folder.  PRN_E_NOT_FOUND, PRN_E_IO, PRN_E_MEMORY */
int prn_tables_find(const char *path, struct prn_error *error);

/*
 * PRN_E_NOT_FOUND	none in that folder
 * PRN_E_INPUT		something else there, or damaged
 * PRN_E_TRUNCATED	cut off
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_tables_open(struct prn_tables **out, const char *path, bool writable, struct prn_error *error);
void prn_tables_free(struct prn_tables *tables);

struct prn_tables_size {
	uint64_t entries[PRN_TABLES];
	uint64_t bytes, bytes_free; /* of the file; of these, not in use */
};

/*
 * Views.  What they hand out is valid until they are closed.
 *
 * Errors of all that reads: PRN_E_INPUT (damaged), PRN_E_IO, PRN_E_MEMORY; of _open also PRN_E_LIMIT (too many).
 */
struct prn_table_view;

int prn_table_view_open(struct prn_table_view **out, struct prn_tables *tables, struct prn_error *error);
void prn_table_view_close(struct prn_table_view *view);

/* PRN_E_NOT_FOUND leaves *error as it was: it is an answer. */
int prn_table_view_get(struct prn_table_view *view, enum prn_table table, struct prn_bytes key,
                     struct prn_bytes *value, struct prn_error *error);
int prn_table_view_size(struct prn_table_view *view, struct prn_tables_size *size, struct prn_error *error);

/* Entries of a table in the order of their keys, from the first at or after a key (of length 0: all). */
struct prn_scan;

int prn_scan_open(struct prn_scan **out, struct prn_table_view *view, enum prn_table table, struct prn_bytes from,
                  struct prn_error *error);

/* 1 with an entry, 0 at the end, or an error. */
int prn_scan_next(struct prn_scan *scan, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error);
void prn_scan_free(struct prn_scan *scan);

/*
 * Writes the changes, which are in the order of prn_change_compare without two of the same key, and makes them durable.
 *
 * PRN_E_IO	the disk is full or fails
 * PRN_E_LIMIT	the file must grow and views of this process stayed open for three seconds
 * PRN_E_INPUT	damaged
 * PRN_E_MEMORY
 */
int prn_tables_write(struct prn_tables *tables, const struct prn_change *changes, size_t count,
                     struct prn_error *error);

/* Writes a compact, durable copy as of now into the folder at path.  PRN_E_IO, PRN_E_INPUT, PRN_E_MEMORY */
int prn_tables_copy(struct prn_tables *tables, const char *path, struct prn_error *error);

#endif
