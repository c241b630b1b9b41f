/*
 * Finding a digest among sorted ones.
 */
#ifndef BASE_DIGEST_SEARCH_H
#define BASE_DIGEST_SEARCH_H

#include "perennial/digest.h"

/*
 * The first of items[count], each of size bytes, that is not before a digest; count if all are.  Each begins with its own,
 * and they are in the order of these.
 */
size_t prn_digest_first(const void *items, size_t count, size_t size, const struct prn_digest *digest);

#endif
