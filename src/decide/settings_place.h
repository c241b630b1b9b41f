/*
 * Changes of a store's settings that pages have to follow (perennial/settings_change.h), as a store has them.  All in
 * PRN_SIDE_META, as text:
 *
 *	changes		of a store, or of several shards the root: how many were made, N; not there: 0
 *	change		there too: the one under way, which is to be N + 1: "words threshold specification"
 *	changed		of what has pages, the store itself or a shard: "n" where all are as the change n left them, and
 *			"n key" where those up to the key, 32 digits, are, and those after it are as n - 1 left them; not there: 0
 */
#ifndef DECIDE_SETTINGS_PLACE_H
#define DECIDE_SETTINGS_PLACE_H

#include "decide/decider_internal.h"
#include "store/schema.h"

#define PRN_KEY_CHANGES PRN_CHANGES_NAME
#define PRN_KEY_CHANGE PRN_CHANGE_NAME
#define PRN_KEY_CHANGED "changed"

#define PRN_CHANGE_TEXT 1200
#define PRN_CHANGED_TEXT 64

/* How far a store, or a shard, has come. */
struct prn_settings_place {
	uint64_t number;
	bool under_way; /* … pages behind from are as the change before left them */
	struct prn_digest from;
};

int prn_settings_read_place(const struct prn_store_reader *reader, struct prn_settings_place *place, struct prn_error *error);
int prn_settings_put_place(struct prn_decider *part, const struct prn_settings_place *place, struct prn_error *error);

/* Reads or writes a setting as text; "" where there is none; NULL takes it out. */
int prn_settings_read_text(const struct prn_store_reader *reader, const char *key, char *text, size_t size, struct prn_error *error);
int prn_settings_put_text(struct prn_decider *decider, const char *key, const char *text, struct prn_error *error);

/* Returns PRN_E_DAMAGED: the setting cannot be read. */
int prn_settings_damaged(const char *key, const char *text, struct prn_error *error);

/* Whether a store, or a shard, has any pages.  Errors of views */
int prn_settings_has_pages(struct prn_decider *part, bool *has, struct prn_error *error);

/* Reads, from the settings, how many changes were made, and whether one is under way.  Errors of views; PRN_E_DAMAGED */
int prn_settings_read_changes(struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error);

/*
 * Checks that the pages that a reader of a store, or a shard, meets follow the settings that its decider has.  PRN_E_BUSY:
 * another process has changed, or is changing, the settings.  Errors of views
 */
int prn_settings_check_pages(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error);

/*
 * Makes the same check for a shard that was just opened.  A shard without pages, such as a new one, is noted as following the
 * last change.  PRN_E_VERSION: it has pages from before the last change, as an older copy would.  Errors of views and commits
 */
int prn_settings_check_shard(struct prn_decider *shard, struct prn_error *error);

#endif
