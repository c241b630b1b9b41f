/*
 * Sorting 64-bit hashes: a bucket sort over their range, made for values that spread evenly; for
 * any others it takes bits off the range until they do, so its time is linear whatever they are.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts hashes[count] ascending, count < 2^32.  scratch has room for count hashes; its content is
 * lost.
 */
void prn_sort_hashes(uint64_t *hashes, uint64_t *scratch, size_t count);

/* Sorts, moves the distinct hashes to the front, and returns how many there are. */
size_t prn_sort_distinct(uint64_t *hashes, uint64_t *scratch, size_t count);

#endif
