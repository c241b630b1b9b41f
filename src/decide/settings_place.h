/*
 * Changes of a store's settings that its pages have to follow (perennial/settings_change.h).  The settings of the store have them
 * as text:
 *
 *	changes		in the root, or the store itself: N, how many changes were made; missing: 0
 *	change		in the root, or the store itself: the change under way, which will be N + 1: "words threshold specification"
 *	changed		in each shard, or the store itself: "n": all pages follow change n; "n key": the pages up to the key, 32
 *			digits, follow change n, and the pages after it change n - 1; missing: 0
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
	bool under_way; /* the pages after from still follow the change before */
	struct prn_digest from;
};

int prn_settings_read_place(const struct prn_store_reader *reader, struct prn_settings_place *place, struct prn_error *error);
int prn_settings_put_place(struct prn_decider *part, const struct prn_settings_place *place, struct prn_error *error);

/*
 * _read_text copies a setting to text, "" where there is none.  PRN_E_DAMAGED: it is longer; errors of the store.  _put_text
 * stages one, or its removal (NULL).  Errors of batches
 */
int prn_settings_read_text(const struct prn_store_reader *reader, const char *key, char *text, size_t size, struct prn_error *error);
int prn_settings_put_text(struct prn_decider *decider, const char *key, const char *text, struct prn_error *error);

/* Sets the error of a setting that cannot be read.  Returns PRN_E_DAMAGED */
int prn_settings_damaged(const char *key, const char *text, struct prn_error *error);

/* Whether a store, or a shard, has any pages.  Errors of views */
int prn_settings_has_pages(struct prn_decider *part, bool *has, struct prn_error *error);

/* Reads, from the settings, how many changes were made, and whether one is under way.  Errors of views; PRN_E_DAMAGED */
int prn_settings_read_changes(uint64_t *changes, bool *is_changing, const struct prn_store_reader *reader, struct prn_error *error);

/*
 * Checks that a root, or a store without shards, answers and has the settings with which the decider was opened: then PRN_E_BUSY of a
 * shard says that the shard does not answer.  PRN_E_BUSY: another process has changed them, or is about to; PRN_E_DAMAGED, errors of views
 */
int prn_settings_check_root(const struct prn_decider *root, struct prn_error *error);

/*
 * Checks that the pages of a store, or a shard, follow the settings that its decider has.  PRN_E_BUSY: another process has
 * changed, or is changing, the settings.  Errors of views
 */
int prn_settings_check_pages(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error);

/*
 * Makes the same check for a shard that was just opened.  If the shard has no pages, as a new one, it is noted that it follows the
 * last change.  PRN_E_VERSION: it has pages from before the last change, as an older copy would.  Errors of views and commits
 */
int prn_settings_check_shard(struct prn_decider *shard, struct prn_error *error);

#endif
