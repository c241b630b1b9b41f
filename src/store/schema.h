/*
 * Schemas of stores: 1 had no pages that wait for hosts; in 1 and 2 the key of a page was that of a normal form which
 * left percent-encoding, dot segments and names of other scripts as they were spelled.
 *
 * Whoever opens an older store for writing makes it one of this schema at once, so that no older program opens it any
 * more, and notes that its pages are still to be moved to their present keys; a decider that opens it for writing moves
 * them (decide/migrate.h), and takes the note away.
 */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include <stdbool.h>

#include "perennial/store.h"

#define PRN_STORE_SCHEMA 3

/* In PRN_SIDE_META, as text. */
#define PRN_SCHEMA_NAME "schema"
#define PRN_MOVING_NAME "moving" /* the schema whose keys pages may have; not there: they all have the present ones */

/*
 * Of settings that all pages follow (decide/settings_place.h): how many changes were made of them, and the one that is under way, during
 * which pages are of two kinds.  Of several shards the root has them.
 */
#define PRN_CHANGES_NAME "changes"
#define PRN_CHANGE_NAME "change"

/* What is counted over all pages (decide/loads.h): dropped when a repair takes pages out, to be counted anew. */
#define PRN_COUNTS_NAME "loads"

/* That every visit was counted in PRN_SIDE_SIBLINGS (decide/site_drift.h): no longer so in a store that was made anew. */
#define PRN_SIBLINGS_NAME "siblings"
#define PRN_SIBLINGS_COUNTED "counted" /* of hosts that are not there no visit was missed */

/* Whether pages may stand under keys of an older schema.  Errors of views */
int prn_schema_is_older(struct prn_view *view, bool *older, struct prn_error *error);

/* How many changes were made (the beginning of its text), and whether one is under way.  Errors of views */
#define PRN_CHANGES_TEXT 24
int prn_schema_read_changes(struct prn_view *view, char text[PRN_CHANGES_TEXT], bool *changing, struct prn_error *error);

#endif
