/*
 * Fragment sets in a temporary file, written and read by any thread, and a cache of recently processed bodies,
 * so that a body that comes again is neither parsed nor stored again.
 */
#ifndef HISTORY_SPOOL_H
#define HISTORY_SPOOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"
#include "perennial/error.h"

/* The place of a set; its links stand behind it, if any were extracted. */
struct prn_spool_set {
	uint64_t offset;
	uint32_t count; /* number of hashes */
};

struct prn_spool;

/* memory_bytes is for the cache.  PRN_E_IO, PRN_E_MEMORY */
int prn_spool_open(struct prn_spool **out, const char *folder, size_t memory_bytes, struct prn_error *error);
void prn_spool_free(struct prn_spool *spool);

struct prn_links; /* links.h */

/*
 * Stores a set, and links unless NULL, and remembers the body and media type that it was made from.
 *
 * PRN_E_IO, PRN_E_LIMIT
 */
int prn_spool_add(struct prn_spool *spool, const struct prn_digest *body, uint64_t media, const uint64_t *hashes,
                  size_t count, const struct prn_links *links, struct prn_spool_set *set, struct prn_error *error);

/* Tells whether the body is remembered, and returns its set. */
bool prn_spool_recall(struct prn_spool *spool, const struct prn_digest *body, uint64_t media,
                      struct prn_spool_set *set);

/* Reads a set into hashes[set->count].  PRN_E_IO */
int prn_spool_read(const struct prn_spool *spool, const struct prn_spool_set *set, uint64_t *hashes,
                   struct prn_error *error);

/* Reads the links of a set that was stored with links.  PRN_E_IO, PRN_E_MEMORY */
int prn_spool_read_links(const struct prn_spool *spool, const struct prn_spool_set *set, struct prn_links *links,
                         struct prn_error *error);

#endif
