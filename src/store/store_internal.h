/*
 * What the files of the store share.
 */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include "store/record.h"
#include "store/tables.h"
#include "perennial/store.h"

#define PRN_STORE_SCHEMA 1

struct prn_store {
	struct prn_tables *tables;
	char *path;
	int lock; /* of the writer; -1 in a store opened for reading */
	struct prn_batch *batch;
};

struct prn_view {
	struct prn_store *store;
	struct prn_table_view *of;
};

enum prn_table prn_side_table(enum prn_side side);

/* Reads a page's record.  PRN_E_INPUT: damaged; the text says what to do. */
int prn_store_decode(const struct prn_store *store, const struct prn_digest *key, struct prn_bytes bytes,
                     struct prn_record *record, struct prn_error *error);

#endif
