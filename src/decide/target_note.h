/*
 * Notes of redirects' targets in other shards.  A shard stores a note of a target that is to become a page of
 * another shard if the page that redirects passes its chain on, and so would not add the target again, or if the other shard is lost.
 * The note is durable with the redirect, and is removed when the target is durable.  A process that opens the shard for writing in
 * between reads it.
 *
 * A note is in PRN_SIDE_META, as "target/" with the key of the target's URL in hex.  Its value is the target's time (8 bytes,
 * its sign flipped), weight (8, an IEEE double), redirects (4), 1 if it came from another site (1), all big-endian, and its
 * normal URL.
 */
#ifndef DECIDE_TARGET_NOTE_H
#define DECIDE_TARGET_NOTE_H

#include "decide/shard_message.h"

/*
 * Takes the page of a target in hand: the stored page, if it was added in another way meanwhile (page->known), else a new one,
 * which the caller puts.  Errors of prn_entry_find
 */
int prn_target_find(struct prn_entry *page, const struct prn_store_reader *reader, const struct prn_shard_message *target,
                    struct prn_error *error);

/* How many notes are read each time a shard is opened; the rest wait for the next time. */
#define PRN_TARGET_NOTES 4096

/* Whether a setting's key is that of a note. */
bool prn_target_note_is(const void *name, size_t name_bytes);

/*
 * Reads a note as the message that it was written of; the caller frees url.  PRN_E_DAMAGED: it is not a note, or its name is not that of its URL;
 * PRN_E_MEMORY
 */
int prn_target_note_read(struct prn_shard_message *target, const void *name, size_t name_bytes, const void *bytes, size_t count);

/* Whether a shard has a note of a target, as staged.  Errors of views */
int prn_target_note_has(struct prn_decider *shard, const char *normal_url, bool *has, struct prn_error *error);

/* _put stages a note in a shard, _drop its removal.  Errors of batches */
int prn_target_note_put(struct prn_decider *shard, const struct prn_shard_message *target, struct prn_error *error);
int prn_target_note_drop(struct prn_decider *shard, const struct prn_shard_message *target, struct prn_error *error);

/*
 * Reads the notes of a shard that was opened for writing and has nothing staged so far: they become durable targets.  A damaged
 * note is left out, and stays in the store.  Errors of views
 */
int prn_target_notes_take_up(struct prn_decider *shard, struct prn_error *error);

#endif
