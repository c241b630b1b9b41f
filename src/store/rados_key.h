/*
 * How entries of tables are called within an object.
 *
 * A name is the letter of its table, and the key, in which byte 0 is written 1 1 and byte 1 is written 1 2: librados takes
 * where a listing begins as a C string.  The order of a table's names is that of its keys.  Letters never change.
 */
#ifndef STORE_RADOS_KEY_H
#define STORE_RADOS_KEY_H

#include "store/change.h"

#define PRN_RADOS_NAME_BYTES (1 + 2 * PRN_TABLE_KEY_BYTES)

/* Names of what belongs to no table. */
#define PRN_RADOS_MARK "!"  /* says that the object is a store, and whole */
#define PRN_RADOS_COUNT '#' /* how many bytes the entries of tables have, and, with a letter behind it, how many of a table there are */

char prn_rados_letter(enum prn_table table);

/* Returns the length of the name; without a NUL. */
size_t prn_rados_name(enum prn_table table, struct prn_bytes key, char name[PRN_RADOS_NAME_BYTES]);

/*
 * PRN_E_DAMAGED: not the name of an entry; PRN_E_VERSION: of a table that this program does not know.  key has room for
 * PRN_TABLE_KEY_BYTES.
 */
int prn_rados_name_read(struct prn_bytes name, enum prn_table *table, unsigned char *key, size_t *key_bytes);

#endif
