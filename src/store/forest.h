/*
 * Tables as search trees in memory that never change.  A write makes another forest, which shares its unchanged parts with the
 * one before.  Threads may use such forests at the same time without a lock.
 */
#ifndef STORE_FOREST_H
#define STORE_FOREST_H

#include "store/tables.h"

struct prn_forest_node;

/* Of zeros: empty tables. */
struct prn_forest {
	struct prn_forest_node *trees[PRN_TABLES];
	uint64_t entries[PRN_TABLES], bytes;
};

/* Another owner of a forest; each releases it. */
void prn_forest_use(const struct prn_forest *forest, struct prn_forest *copy);
void prn_forest_release(struct prn_forest *forest);

/*
 * Writes to *changed the forest after changes, applied in their order; the forest before stays as it is.
 *
 * PRN_E_MEMORY
 */
int prn_forest_change(const struct prn_forest *forest, const struct prn_change *changes, size_t count,
                      struct prn_forest *changed);

/* The value of a key, valid while the forest is; false: it is not there. */
bool prn_forest_get(const struct prn_forest *forest, enum prn_table table, struct prn_bytes key,
                    struct prn_bytes *value);

/* The first entry after a key, or at it, valid while the forest is; false: there is none. */
bool prn_forest_next(const struct prn_forest *forest, enum prn_table table, struct prn_bytes from, bool at,
                     struct prn_bytes *key, struct prn_bytes *value);

/* Whether keys and priorities of a table are in order, and as many as were counted. */
bool prn_forest_is_sound(const struct prn_forest *forest, enum prn_table table);

#endif
