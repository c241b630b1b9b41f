/*
 * Sorts any number of records of one size in bounded memory: a buffer is sorted and spilled to a
 * temporary file when it is full, and the sorted runs are merged while they are read.
 *
 * Records that compare equal come in the order of their bytes, so what is read does not depend on the
 * order in which records were added: fill padding with zero.
 */
#ifndef BASE_SORTER_H
#define BASE_SORTER_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

/* <0, 0, >0.  Called by one thread at a time. */
typedef int prn_sorter_compare_fn(const void *a, const void *b);

struct prn_sorter;

/*
 * memory_bytes is rounded up to two records; merging takes as much, and at least one record for each run.
 * folder is for the temporary file, which is made when the first buffer is full; borrowed.
 *
 * PRN_E_MEMORY
 */
int prn_sorter_open(struct prn_sorter **out, size_t record_bytes, size_t memory_bytes, const char *folder,
                    prn_sorter_compare_fn *compare, struct prn_error *error);
void prn_sorter_free(struct prn_sorter *sorter);

/* Takes a copy of one record, before the first _rewind.  PRN_E_IO (disk full), PRN_E_MEMORY */
int prn_sorter_add(struct prn_sorter *sorter, const void *record, struct prn_error *error);

uint64_t prn_sorter_count(const struct prn_sorter *sorter);

/* Ends adding, and starts (again) at the smallest record.  PRN_E_IO, PRN_E_MEMORY */
int prn_sorter_rewind(struct prn_sorter *sorter, struct prn_error *error);

/* 1 with the next record, valid until the next call; 0 at the end; PRN_E_IO, and again until the next _rewind. */
int prn_sorter_next(struct prn_sorter *sorter, const void **record, struct prn_error *error);

#endif
