/*
 * What the files of the store share.
 */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include "perennial/store.h"
#include "store/record.h"
#include "store/schema.h"
#include "store/tables.h"

struct prn_store {
	struct prn_tables *tables;
	struct prn_batch *batch;
};

enum prn_table prn_side_table(enum prn_side side);

/* Reads a page's record as it lies in tables.  PRN_E_DAMAGED; the text says what to do. */
int prn_store_decode(const struct prn_tables *tables, const struct prn_digest *key, struct prn_bytes bytes,
                     struct prn_record *record, struct prn_error *error);

#endif
