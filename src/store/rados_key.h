/*
 * How entries of tables are called within an object.
 *
 * A name is a letter of its table, and the key, in which byte 0 is written 1 1 and byte 1 is written 1 2: librados takes
 * where a listing begins as a C string.  The order of names is the order of tables, and in a table that of keys.
 */
#ifndef STORE_RADOS_KEY_H
#define STORE_RADOS_KEY_H

#include "store/change.h"

#define PRN_RADOS_NAME_BYTES (1 + 2 * PRN_TABLE_KEY_BYTES)

/* Names of what belongs to no table: they are before all others. */
#define PRN_RADOS_MARK "!"   /* says that the object is a store, and whole */
#define PRN_RADOS_COUNTS "#" /* entries of each table, and bytes */

#define PRN_RADOS_TABLE(table) ((char)('a' + (int)(table)))

/* Returns the length of the name; without a NUL. */
size_t prn_rados_name(enum prn_table table, struct prn_bytes key, char name[PRN_RADOS_NAME_BYTES]);

/* PRN_E_DAMAGED: not the name of an entry.  key has room for PRN_TABLE_KEY_BYTES. */
int prn_rados_name_read(struct prn_bytes name, enum prn_table *table, unsigned char *key, size_t *key_bytes);

#endif
