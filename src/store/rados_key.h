/*
 * The names of table entries within an object.
 *
 * A name is the letter of its table, then the key, in which byte 0 is written 1 1 and byte 1 is written 1 2, because librados takes
 * the start of a listing as a C string.  The names of a table are in the order of its keys.  Letters never change.
 */
#ifndef STORE_RADOS_KEY_H
#define STORE_RADOS_KEY_H

#include "store/change.h"

#define PRN_RADOS_NAME_BYTES (1 + 2 * PRN_TABLE_KEY_BYTES)

/* Names of what belongs to no table. */
#define PRN_RADOS_MARK "!"  /* says that the object is a store, and whole */
#define PRN_RADOS_BEGUN "+" /* says, with its value, that the object is to be a store: it is there from the first portion to the last */
#define PRN_RADOS_BEGUN_VALUE "perennial"
#define PRN_RADOS_COUNT '#' /* the bytes of all entries; with a table's letter behind it, the number of that table's entries */

char prn_rados_letter(enum prn_table table);

/* Returns the length of the name; without a NUL. */
size_t prn_rados_name(enum prn_table table, struct prn_bytes key, char name[PRN_RADOS_NAME_BYTES]);

/*
 * Reads a name.  PRN_E_DAMAGED: it is not the name of an entry; PRN_E_VERSION: this program does not know its table.  key has
 * room for PRN_TABLE_KEY_BYTES.
 */
int prn_rados_name_read(struct prn_bytes name, enum prn_table *table, unsigned char *key, size_t *key_bytes);

#endif
