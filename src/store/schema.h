/*
 * Schemas of stores.  Schema 1 had no pages that wait for hosts.  In schemas 1 and 2 the key of a page came from a normal form
 * of its URL that left percent-encoding, dot segments and names of other scripts as they were spelled.
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

/* Settings of PRN_SIDE_META, as text. */
#define PRN_SCHEMA_NAME "schema"
#define PRN_MOVING_NAME "moving" /* the older schema whose keys pages may still have; absent: all have the present keys */

/*
 * Entries about the settings that all pages follow (decide/settings_place.h): the number of changes made to them, and the change that is under
 * way, during which some pages follow the old settings and some the new.  In a store of several shards the root has both.
 */
#define PRN_CHANGES_NAME "changes"
#define PRN_CHANGE_NAME "change"

/* Counts over all pages (decide/loads.h).  A repair that removes pages drops them, so that they are counted anew. */
#define PRN_COUNTS_NAME "loads"

/* Says that every visit was counted in PRN_SIDE_SIBLINGS (decide/site_drift.h), which is no longer true in a store that was made anew. */
#define PRN_SIBLINGS_NAME "siblings"
#define PRN_SIBLINGS_COUNTED "counted" /* a host without an entry there had no visit that was missed */

/* Whether pages may stand under keys of an older schema.  Errors of views */
int prn_schema_is_older(struct prn_view *view, bool *older, struct prn_error *error);

/* Reads the number of changes made (the beginning of its text), and whether one is under way.  Errors of views */
#define PRN_CHANGES_TEXT 24
int prn_schema_read_changes(struct prn_view *view, char text[PRN_CHANGES_TEXT], bool *changing, struct prn_error *error);

#endif
